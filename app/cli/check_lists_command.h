// `cellscope check-lists`: what is wrong with a neighbour list of any program.
#pragma once
#include <CLI/CLI.hpp>
#include <optional>
#include <string>

#include "sim/algo/list_check/check.h"

namespace cellscope::cli {

struct CheckListsOptions {
  std::string file, other, positions;
  std::optional<double> cutoff, skin, tolerance;
  bool half = false, full = false, nearest = false;
  std::string csv, json;
  std::int64_t most = 10;
};

CLI::App* addCheckLists(CLI::App& app, CheckListsOptions& options);
int checkListsCommand(const CheckListsOptions& options);  // 0: right, 1: not

// Of a report on a list.
std::string reportText(const PairList& list, const list_check::Report& report, std::size_t most);
std::string reportCsv(const PairList& list, const list_check::Report& report);
std::string reportJson(const PairList& list, const list_check::Report& report);
// What of one report is not in the other.
std::string comparisonText(const PairList& list, const list_check::Report& report,
                           const PairList& other, const list_check::Report& otherReport,
                           std::size_t most);

}  // namespace cellscope::cli
