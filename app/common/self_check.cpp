#include "app/common/self_check.h"

#include <fmt/format.h>

#include "sim/base/error.h"

namespace cellscope::common {

std::vector<SelfCheck> requireSound(Mode& mode) {
  std::vector<SelfCheck> onPurpose;
  for (SelfCheck& c : mode.selfChecks()) {
    if (c.ok) continue;
    if (!c.onPurpose)
      throw RunError(fmt::format("self-check '{}' failed after {} {}: {}", c.label,
                                 mode.info().stepName, mode.step(), c.detail));
    onPurpose.push_back(std::move(c));
  }
  return onPurpose;
}

}  // namespace cellscope::common
