// Version of the program, as it appears in files.
#pragma once

namespace cellscope {

const char* programVersion();  // "0.1.0"

}  // namespace cellscope
