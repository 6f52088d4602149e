// What the two tables of pressures near the transition share (Anderson et al. 2013, Tables 1 and
// 2).
#pragma once
#include <string>
#include <vector>

#include "app/reproduce/hard_disks/states.h"
#include "sim/base/curve_series.h"

namespace cellscope::reproduce {

// States of a table that are compared with published values.
class Comparisons {
 public:
  void row(const StateResult& r);  // once for every row
  // How far the state lies from `published`, or the verdict from its starts.
  std::string compare(const StateResult& r, const ReferenceValue& published);
  // The same of a state that is wrong on purpose: not judged.
  std::string show(const StateResult& r, const ReferenceValue& published);
  const Verdicts& verdicts() const { return verdicts_; }
  const std::vector<std::string>& sources() const { return sources_; }
  // Paragraphs below the table.
  std::vector<std::string> notes(const RunsOptions& o) const;

 private:
  void cite(const ReferenceValue& published);
  int rows_ = 0, equilibrated_ = 0, atRest_ = 0;
  Verdicts verdicts_;
  std::vector<std::string> sources_;
};

Row joined(Row a, const Row& b, const Row& c);

}  // namespace cellscope::reproduce
