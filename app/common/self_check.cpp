#include "app/common/self_check.h"

#include <fmt/format.h>

#include "sim/api/warning_check.h"
#include "sim/base/error.h"

namespace cellscope::common {

std::vector<SelfCheck> requireSound(Mode& mode) {
  std::vector<SelfCheck> named;
  for (SelfCheck& c : mode.selfChecks()) {
    if (!c.ok && !c.onPurpose)
      throw RunError(fmt::format("self-check '{}' failed after {} {}: {}", c.label,
                                 mode.info().stepName, mode.step(), c.detail));
    if (!c.ok || isWarning(c)) named.push_back(std::move(c));
  }
  return named;
}

}  // namespace cellscope::common
