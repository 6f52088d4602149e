// What the two tables of pressures near the transition share (Anderson et al. 2013, Tables 1 and
// 2).
#pragma once
#include <string>
#include <vector>

#include "app/reproduce/hard_disks/states.h"
#include "sim/base/curve_series.h"

namespace cellscope::reproduce {

// States of a table that were compared with published values.
class Comparisons {
 public:
  // The last cell of the row: how far the state lies from `published`, or what its starts say.
  std::string add(const StateResult& r, const ReferenceValue& published);
  int far() const { return far_; }
  const std::vector<std::string>& sources() const { return sources_; }
  // Paragraphs below the table.
  std::vector<std::string> notes(const RunsOptions& o) const;

 private:
  int rows_ = 0, equilibrated_ = 0, atRest_ = 0, far_ = 0;
  std::vector<std::string> sources_;
};

Row joined(Row a, const Row& b, const Row& c);

}  // namespace cellscope::reproduce
