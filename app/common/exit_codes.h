// Exit codes of the program.
#pragma once

namespace cellscope::common {

inline constexpr int kDone = 0, kFailed = 1, kBadInput = 2;

}  // namespace cellscope::common
