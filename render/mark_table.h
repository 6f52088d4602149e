// The table of marks as the shaders read it.
#pragma once
#include <string>

#include "render/gl_object.h"

namespace cellscope::render {

// GLSL: struct Mark and the uniform block that holds kMarks, indexed by cellscope::Mark. A constant
// array would be compiled into every shader that reads one of them, which takes software renderers
// most of their time.
std::string markBlock();

// The block's content, to be bound to kMarkBinding.
inline constexpr unsigned kMarkBinding = 1;
GlBuffer markBuffer();

}  // namespace cellscope::render
