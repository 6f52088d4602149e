// Where the program's typefaces are installed.
#pragma once
#include <string>

namespace cellscope::render {

// Inter in this weight ("Regular", "SemiBold"), JetBrains Mono; "" where it is not installed.
std::string wordsFontFile(const std::string& weight);
std::string numbersFontFile();

}  // namespace cellscope::render
