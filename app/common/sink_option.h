// The option --sink: how frames reach the memory of OpenGL, or memory without it.
#pragma once
#include <functional>
#include <string>

#include "render/renderer.h"

namespace cellscope::common {

// auto, interop or copy.
render::SinkChoice sinkOf(const std::string& name);

// What `work` throws when interop was demanded and is not there, with the way out.
void withDemandedSink(const std::function<void()>& work);

}  // namespace cellscope::common
