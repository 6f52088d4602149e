// The option --sink: how frames are uploaded.
#pragma once
#include <functional>
#include <string>

#include "render/renderer.h"

namespace cellscope::common {

// auto, interop or copy.
render::SinkChoice sinkOf(const std::string& name);

// Runs `work`; if interop was requested but is not available, the error explains the alternatives.
void withDemandedSink(const std::function<void()>& work);

}  // namespace cellscope::common
