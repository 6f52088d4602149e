// The table of marks as the shaders read it.
#pragma once
#include <string>

namespace cellscope::render {

// GLSL: struct Mark and the constant array kMarks, indexed by cellscope::Mark.
std::string markTable();

}  // namespace cellscope::render
