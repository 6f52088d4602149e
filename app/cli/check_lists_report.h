// Reports of `cellscope check-lists`.
#pragma once
#include <string>

#include "sim/algo/list_check/check.h"

namespace cellscope::cli {

// Of a report on a list.
std::string reportText(const PairList& list, const list_check::Report& report, std::size_t most);
std::string reportCsv(const PairList& list, const list_check::Report& report);
std::string reportJson(const PairList& list, const list_check::Report& report);
// What of one report is not in the other.
std::string comparisonText(const PairList& list, const list_check::Report& report,
                           const PairList& other, const list_check::Report& otherReport,
                           std::size_t most);

}  // namespace cellscope::cli
