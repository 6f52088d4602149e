// A self-check that passes but reports a suspicious result, such as a box without particles:
// amber in the window, a line at the end of a batch run and a note in its CSV file.
#pragma once
#include <string>
#include <utility>

#include "sim/api/frame.h"

namespace cellscope {

inline constexpr const char* kWarningLabel = "warning";

inline SelfCheck warningCheck(std::string what) { return {kWarningLabel, true, std::move(what)}; }
inline bool isWarning(const SelfCheck& c) { return c.ok && c.label == kWarningLabel; }

}  // namespace cellscope
