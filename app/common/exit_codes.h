// What the program returns, whichever way it ran.
#pragma once

namespace cellscope::common {

inline constexpr int kDone = 0, kFailed = 1, kBadInput = 2;

}  // namespace cellscope::common
