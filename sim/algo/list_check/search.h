// How the cells or the tree of a file look for one of its pairs, step by step, and where they lose
// it. Cells: those around the cell of the first particle; which of them the other program searched
// is seen from the pairs that it has listed. Tree: the walk of a box about the first particle, from
// the root down to the left, and along the rope where a node has no overlap or no children.
#pragma once
#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "sim/algo/list_check/check.h"

namespace cellscope::list_check {

struct CellStep {
  Shift cell{};       // beyond the box: of an image
  bool used = false;  // pairs of the list come from it
};
struct NodeStep {
  std::int64_t node = 0;
  bool overlaps = false, leaf = false;
};
struct Search {
  std::vector<CellStep> cells;
  Shift own{}, other{}, lies{};  // cells of both by cell_of; of the second one by its position
  std::vector<NodeStep> nodes;
  std::int64_t leaf = -1;            // that holds the second particle
  double low[3] = {}, high[3] = {};  // box of the walk, as the boxes of nodes count
  std::vector<std::pair<std::string, std::string>> words;
};

class Searches {
 public:
  static constexpr std::size_t kMostSteps = 4000;
  // Both outlive it.
  Searches(const PairList& list, const PairsWithin& at);
  Search of(const Wrong& pair) const;  // of two particles that exist

 private:
  Shift cellOf(std::size_t i) const;  // as an image next to where the particle is in the box
  Shift offset(std::size_t i, std::size_t j, const Shift& s) const;
  bool exists(const Shift& cell) const;
  void cells(const Wrong& w, Search& to) const;
  void cellWords(const Wrong& w, const Shift& apart, Search& to) const;
  bool inItems(std::size_t i) const;
  void walk(const Wrong& w, Search& to) const;
  void walkWords(const Wrong& w, const std::vector<std::int64_t>& way, Search& to) const;
  std::int64_t next(const NodeStep& step) const;

  const PairList& list_;
  const PairsWithin& at_;
  bool xFirst_ = true;
  std::map<Shift, std::uint64_t> used_;  // pairs of the list by the offset between their cells
};

}  // namespace cellscope::list_check
