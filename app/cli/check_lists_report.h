// Reports of `cellscope check-lists`.
#pragma once
#include <string>

#include "sim/algo/list_check/check.h"

namespace cellscope::cli {

// That a check took: reading the file, then waiting for the device to be ready, then checking.
struct Seconds {
  double read = 0, device = 0, check = 0;
};

// Of a report on a list.
std::string reportText(const PairList& list, const list_check::Report& report, std::size_t most);
std::string reportCsv(const PairList& list, const list_check::Report& report);
std::string reportJson(const PairList& list, const list_check::Report& report,
                       const Seconds& seconds);
// What of one report is not in the other.
std::string comparisonText(const PairList& list, const list_check::Report& report,
                           const PairList& other, const list_check::Report& otherReport,
                           std::size_t most);

}  // namespace cellscope::cli
