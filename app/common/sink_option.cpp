#include "app/common/sink_option.h"

#include <fmt/format.h>

#include "sim/base/error.h"

namespace cellscope::common {

render::SinkChoice sinkOf(const std::string& name) {
  if (name == "interop") return render::SinkChoice::interop;
  return name == "copy" ? render::SinkChoice::copy : render::SinkChoice::automatic;
}

void withDemandedSink(const std::function<void()>& work) {
  try {
    work();
  } catch (const render::InteropError& e) {
    throw RunError(
        fmt::format("{}; --sink auto uses interop if available, --sink copy never", e.what()));
  }
}

}  // namespace cellscope::common
