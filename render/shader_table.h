// Text of every file in shaders/, built into the program. Ends with a row of null pointers.
#pragma once

namespace cellscope::render {

struct ShaderText {
  const char* name;
  const char* text;
};
extern const ShaderText kShaders[];

}  // namespace cellscope::render
