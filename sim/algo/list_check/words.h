// What a report tells, a line each, for the terminal and for the window.
#pragma once
#include <string>
#include <vector>

#include "sim/algo/list_check/check.h"

namespace cellscope::list_check {

const char* kindName(Kind kind);
std::string headLine(const PairList& list, const Report& report);  // what was compared
std::vector<std::string> noteLines(const PairList& list, const Report& report);
std::string verdictLine(const Report& report);  // of the pairs
// Of a report that has only changes.
std::string changesLine(const PairList& list, const PairList& other, const Report& report);
std::vector<std::string> causeLines(const Report& report);
std::vector<std::string> faultLines(const Report& report);  // of structures

}  // namespace cellscope::list_check
