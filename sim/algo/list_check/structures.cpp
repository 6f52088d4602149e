// Invariants of the cells and trees that a list was made by.
#include <fmt/format.h>

#include <algorithm>

#include "sim/algo/list_check/check.h"

namespace cellscope::list_check {
namespace {

// Of a rope.
std::string target(std::int64_t node) { return node < 0 ? "the end" : std::to_string(node); }
std::string timesOf(std::uint32_t count) {
  return count == 0 ? "not at all" : fmt::format("{} times", count);
}

class Faults {
 public:
  template <class... T>
  void add(const char* rule, fmt::format_string<T...> words, T&&... values) {
    auto found = std::ranges::find(all, rule, &Fault::rule);
    if (found == all.end())
      found = all.insert(all.end(), {rule, 0, fmt::format(words, std::forward<T>(values)...)});
    ++found->count;
  }
  std::vector<Fault> all;
};

class StructureCheck {
 public:
  StructureCheck(const PairList& list, const PairsWithin& oracle, double tolerance,
                 std::vector<std::string>& notes)
      : list_(list), oracle_(oracle), tolerance_(tolerance), notes_(notes) {}
  std::vector<Fault> run() {
    if (cells_.any() && !cells_.of.empty()) places();
    if (!cells_.start.empty()) starts();
    if (!cells_.item.empty()) items();
    if (t_.size() > 0 && children()) reach(), boxes(), ropes(), particles();
    return f_.all;
  }

 private:
  // Up to rounding; outside a side that is not periodic the outermost cell.
  bool isIn(std::size_t i, std::int64_t cell, bool xFirst) const {
    const std::int64_t* d = cells_.dims;
    const std::array<std::int64_t, 3> at = cells_.place(cell, xFirst);
    const Vec3d f = oracle_.fraction(i);
    const Lattice& box = oracle_.lattice();
    for (std::size_t a = 0; a < 3; ++a) {
      const auto cells = static_cast<double>(d[a]);
      const double slack = tolerance_ / box.height[a] * cells;
      const double x = f[a] * cells, low = static_cast<double>(at[a]);
      const bool outer =
          !box.periodic[a] && ((at[a] == 0 && x < 0) || (at[a] == d[a] - 1 && x > low));
      const bool inside = x >= low - slack && x <= low + 1 + slack;
      // At a periodic face rounding leads to the other end of the box.
      const bool around = box.periodic[a] &&
                          ((at[a] == 0 && x >= cells - slack) || (at[a] == d[a] - 1 && x <= slack));
      if (!inside && !outer && !around) return false;
    }
    return true;
  }
  void places() {
    std::uint64_t misplaced[2] = {0, 0};
    for (std::size_t i = 0; i < n_; ++i)
      for (const bool xFirst : {true, false})
        misplaced[xFirst] += cells_.has(cells_.of[i]) && !isIn(i, cells_.of[i], xFirst) ? 1 : 0;
    const bool xFirst = misplaced[1] <= misplaced[0];
    notes_.push_back(
        fmt::format("cells are numbered with {} fastest: most particles lie in the right one so",
                    xFirst ? "a (x)" : "c (z)"));
    for (std::size_t i = 0; i < n_; ++i) {
      if (!cells_.has(cells_.of[i]))
        f_.add("particles in a cell that does not exist (cell_of)", "particle {} in cell {} of {}",
               i, cells_.of[i], cells_.count());
      else if (!isIn(i, cells_.of[i], xFirst))
        f_.add("particles that do not lie in their cell (cell_of)", "particle {} in cell {}", i,
               cells_.of[i]);
    }
  }
  void starts() {
    const auto& start = cells_.start;
    const auto n = static_cast<std::int64_t>(n_);
    if (start.front() != 0) f_.add("cell_start does not begin with 0", "{}", start.front());
    if (start.back() != n)
      f_.add("cell_start does not end with the number of particles", "{} instead of {}",
             start.back(), n);
    for (std::size_t c = 0; c + 1 < start.size(); ++c)
      if (start[c + 1] < start[c])
        f_.add("places where cell_start falls", "from {} to {} after cell {}", start[c],
               start[c + 1], c);
    if (cells_.of.empty()) return;
    std::vector<std::int64_t> filled(start.size() - 1, 0);
    for (std::size_t i = 0; i < n_; ++i)
      if (known(i)) ++filled[static_cast<std::size_t>(cells_.of[i])];
    for (std::size_t c = 0; c < filled.size(); ++c)
      if (filled[c] != start[c + 1] - start[c])
        f_.add("cells whose room in cell_start is not that of their particles in cell_of",
               "cell {} with room for {} and {} particles", c, start[c + 1] - start[c], filled[c]);
  }
  void items() {
    std::vector<bool> seen(n_, false);
    const auto& start = cells_.start;
    for (std::size_t k = 0; k < n_; ++k) {
      const std::int64_t i = cells_.item[k];
      if (i < 0 || i >= static_cast<std::int64_t>(n_)) {
        f_.add("numbers in cell_items that no particle has", "{} at place {}", i, k);
        continue;
      }
      const auto p = static_cast<std::size_t>(i);
      if (seen[p])
        f_.add("particles that stand twice in cell_items, so that others stand nowhere", "{}", i);
      seen[p] = true;
      if (start.empty() || !known(p)) continue;
      const auto c = static_cast<std::size_t>(cells_.of[p]);
      const auto place = static_cast<std::int64_t>(k);
      if (place < start[c] || place >= start[c + 1])
        f_.add("particles that stand in another cell in cell_items than in cell_of",
               "particle {} of cell {} at place {}", i, c, k);
    }
  }
  bool known(std::size_t i) const {
    return !cells_.of.empty() && cells_.of[i] >= 0 &&
           cells_.of[i] < static_cast<std::int64_t>(cells_.start.size()) - 1;
  }

  // Whether each node has but one parent; otherwise nothing else of the tree has a meaning.
  bool children() {
    parent_.assign(t_.size(), -1);
    const std::size_t before = f_.all.size();
    for (std::int64_t k = 0; k < t_.nodes(); ++k) {
      const std::int64_t l = t_.at(t_.left, k), r = t_.at(t_.right, k);
      if ((l < 0) != (r < 0)) f_.add("nodes of the tree with one child", "node {}", k);
      for (const std::int64_t c : {l, r}) {
        if (c < -1 || c >= t_.nodes()) {
          f_.add("children in the tree that do not exist", "{} of node {}, of {} nodes", c, k,
                 t_.nodes());
        } else if (c >= 0) {
          std::int64_t& parent = parent_[static_cast<std::size_t>(c)];
          if (parent >= 0 || l == r)
            f_.add("nodes of the tree with two parents", "{} below {} and {}", c, parent, k);
          parent = k;
        }
      }
    }
    return f_.all.size() == before;
  }
  // All nodes have at most one parent: what is not reached from a root is a cycle.
  void reach() {
    std::vector<std::int64_t> open;
    std::int64_t reached = 0;
    for (std::int64_t k = 0; k < t_.nodes(); ++k)
      if (t_.at(parent_, k) < 0) open.push_back(k);
    while (!open.empty()) {
      const std::int64_t k = open.back();
      open.pop_back();
      ++reached;
      if (t_.isLeaf(k)) continue;
      open.push_back(t_.at(t_.left, k)), open.push_back(t_.at(t_.right, k));
    }
    if (reached != t_.nodes())
      f_.add("a cycle in the tree that no root leads to", "{} nodes", t_.nodes() - reached);
  }
  void boxes() {
    for (std::size_t k = 0; k < t_.size() && !t_.lower.empty(); ++k)
      for (std::size_t a = 0; a < 3; ++a) {
        const std::size_t x = 3 * k + a;
        if (!(t_.lower[x] <= t_.upper[x]))
          f_.add("boxes of the tree with lower above upper", "that of node {}, {} and {}", k,
                 t_.lower[x], t_.upper[x]);
        if (parent_[k] < 0) continue;
        const std::size_t p = 3 * static_cast<std::size_t>(parent_[k]) + a;
        if (t_.lower[x] < t_.lower[p] || t_.upper[x] > t_.upper[p])
          f_.add("boxes of the tree that do not contain that of a child",
                 "node {} with child {}, along {}", parent_[k], k, "xyz"[a]);
      }
  }
  // A walk that overlaps everything: down to the left, at a leaf along the rope.
  void ropes() {
    if (t_.rope.empty()) return;
    std::vector<std::uint32_t> visited(t_.size(), 0);
    for (std::int64_t k = 0; k < t_.nodes(); ++k) {
      const std::int64_t rope = t_.at(t_.rope, k);
      if (rope < -1 || rope >= t_.nodes())
        return f_.add("a rope leads to a node that does not exist", "from node {} to {} of {}", k,
                      rope, t_.nodes());
      if (t_.isLeaf(k)) continue;
      const std::int64_t l = t_.at(t_.left, k), r = t_.at(t_.right, k);
      // From the child that a walk comes to first to the other one, and from there on as the
      // node's.
      const bool mirrored = t_.at(t_.rope, r) == l;
      const std::int64_t one = mirrored ? r : l, other = mirrored ? l : r;
      const bool wrongOne = t_.at(t_.rope, one) != other;
      if (wrongOne || t_.at(t_.rope, other) != rope)
        f_.add("nodes with a child whose rope leads to the wrong node",
               "node {}: the rope of its child {} leads to {} instead of {}", k,
               wrongOne ? one : other, target(t_.at(t_.rope, wrongOne ? one : other)),
               wrongOne ? target(other) : target(rope));
    }
    for (std::int64_t root = 0; root < t_.nodes(); ++root) {
      if (t_.at(parent_, root) >= 0) continue;
      std::int64_t now = root, steps = 0;
      for (; now >= 0 && steps <= t_.nodes(); ++steps) {
        ++visited[static_cast<std::size_t>(now)];
        const std::int64_t l = t_.isLeaf(now) ? -1 : t_.at(t_.left, now),
                           r = l < 0 ? -1 : t_.at(t_.right, now);
        now = l < 0                    ? t_.at(t_.rope, now)
              : t_.at(t_.rope, l) == r ? l
              : t_.at(t_.rope, r) == l ? r
                                       : l;
        if (now >= 0 && t_.at(parent_, now) < 0) break;  // on to the next tree
      }
      if (steps > t_.nodes()) f_.add("walks along ropes that never end", "that from root {}", root);
    }
    for (std::int64_t k = 0; k < t_.nodes(); ++k)
      if (t_.isLeaf(k) && visited[static_cast<std::size_t>(k)] != 1)
        f_.add("leaves that a walk along ropes does not reach just once", "leaf {}, reached {}", k,
               timesOf(visited[static_cast<std::size_t>(k)]));
  }
  void particles() {
    for (std::size_t i = 0; i < t_.leafOf.size(); ++i) {
      const std::int64_t k = t_.leafOf[i];
      if (!t_.has(k) || !t_.isLeaf(k)) {
        f_.add("particles in no leaf (leaf_of)", "particle {}{}", i,
               k < 0 ? "" : fmt::format(", in node {}", k));
        continue;
      }
      if (t_.lower.empty()) continue;
      // Trees are made of positions as they are given, or of those in the box.
      const Vec3d inBox = oracle_.place(i);
      const double* low = &t_.lower[3 * static_cast<std::size_t>(k)];
      const double* high = &t_.upper[3 * static_cast<std::size_t>(k)];
      const auto contains = [&](const auto& x) {
        for (int a = 0; a < 3; ++a)
          if (x[a] < low[a] - tolerance_ || x[a] > high[a] + tolerance_) return false;
        return true;
      };
      if (!contains(inBox) && !contains(&list_.position[3 * i]))
        f_.add("leaves whose box does not contain their particle (leaf_of)",
               "leaf {} with particle {}", k, i);
    }
  }

  const PairList& list_;
  const ListedCells& cells_ = list_.cells;
  const ListedTree& t_ = list_.tree;
  const PairsWithin& oracle_;
  double tolerance_;
  std::vector<std::string>& notes_;
  std::size_t n_ = list_.size();
  Faults f_;
  std::vector<std::int64_t> parent_;
};

}  // namespace

std::vector<Fault> structureFaults(const PairList& list, const PairsWithin& oracle,
                                   double tolerance, std::vector<std::string>& notes) {
  return StructureCheck(list, oracle, tolerance, notes).run();
}

}  // namespace cellscope::list_check
