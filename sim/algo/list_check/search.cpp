#include "sim/algo/list_check/check.h"

#include <fmt/format.h>

#include <algorithm>

namespace cellscope::list_check {
namespace {

Shift numbered(const ListedCells& c, std::size_t i, bool xFirst) {
  Shift cell{};
  std::ranges::transform(c.place(c.of[i], xFirst), cell.begin(),
                         [](std::int64_t x) { return static_cast<std::int32_t>(x); });
  return cell;
}

std::array<double, 3> inCells(Vec3d f, const std::int64_t (&d)[3]) {
  return {f.x * static_cast<double>(d[0]), f.y * static_cast<double>(d[1]),
          f.z * static_cast<double>(d[2])};
}

Shift floorOf(const std::array<double, 3>& x) {
  Shift s{};
  for (std::size_t a = 0; a < 3; ++a) s[a] = static_cast<std::int32_t>(std::floor(x[a]));
  return s;
}

std::string words(const Shift& s) { return fmt::format("({}, {}, {})", s[0], s[1], s[2]); }
std::string withSigns(const Shift& s) {
  return fmt::format("({:+}, {:+}, {:+})", s[0], s[1], s[2]);
}

}  // namespace

Searches::Searches(const PairList& list, const PairsWithin& at) : list_(list), at_(at) {
  const ListedCells& c = list.cells;
  if (!c.any() || c.of.empty()) return;
  std::int64_t right[2] = {0, 0};
  for (std::size_t i = 0; i < list.size(); ++i)
    for (const bool xFirst : {false, true})
      right[xFirst] += numbered(c, i, xFirst) == floorOf(inCells(at.fraction(i), c.dims));
  xFirst_ = right[1] >= right[0];
  const auto n = static_cast<std::int64_t>(list.size());
  for (std::size_t k = 0; k < list.i.size(); ++k) {
    const std::int64_t i = list.i[k], j = list.j[k];
    if (i < 0 || i >= n || j < 0 || j >= n) continue;
    Shift s{};
    if (!list.shift.empty()) std::copy_n(&list.shift[3 * k], 3, s.begin());
    const Shift d = offset(static_cast<std::size_t>(i), static_cast<std::size_t>(j), s);
    ++used_[d], ++used_[negative(d)];
  }
}

Shift Searches::cellOf(std::size_t i) const {
  const ListedCells& c = list_.cells;
  Shift cell = numbered(c, i, xFirst_);
  const std::array<double, 3> x = inCells(at_.fraction(i), c.dims);
  for (std::size_t a = 0; a < 3; ++a) {
    const auto dim = static_cast<double>(c.dims[a]);
    if (list_.periodic[a])
      cell[a] += static_cast<std::int32_t>(std::round((x[a] - cell[a] - 0.5) / dim) * dim);
  }
  return cell;
}

// Without image shifts to the nearest image.
Shift Searches::offset(std::size_t i, std::size_t j, const Shift& s) const {
  const Shift a = cellOf(i), b = cellOf(j);
  Shift d{}, image = list_.shift.empty() ? Shift{} : at_.inBox(i, j, s);
  for (std::size_t k = 0; k < 3; ++k) {
    const auto dim = static_cast<std::int32_t>(list_.cells.dims[k]);
    d[k] = b[k] - a[k] + image[k] * dim;
    if (list_.shift.empty() && list_.periodic[k])
      d[k] -= dim * static_cast<std::int32_t>(std::round(static_cast<double>(d[k]) / dim));
  }
  return d;
}

bool Searches::exists(const Shift& cell) const {
  for (std::size_t a = 0; a < 3; ++a)
    if (!list_.periodic[a] && (cell[a] < 0 || cell[a] >= list_.cells.dims[a])) return false;
  return true;
}

Search Searches::of(const Wrong& w) const {
  Search found;
  if (list_.cells.any() && !list_.cells.of.empty()) cells(w, found);
  const ListedTree& t = list_.tree;
  if (!t.lower.empty() && !t.leafOf.empty()) walk(w, found);
  return found;
}

// All cells within the cutoff and skin of the own one, and that of the second particle.
void Searches::cells(const Wrong& w, Search& to) const {
  const auto i = static_cast<std::size_t>(w.i), j = static_cast<std::size_t>(w.j);
  const ListedCells& c = list_.cells;
  const Shift apart = offset(i, j, w.shift);
  to.own = cellOf(i);
  to.lies = floorOf(inCells(at_.fraction(j), c.dims));
  const Shift told = cellOf(j);
  Shift most{};
  double count = 1;
  for (std::size_t a = 0; a < 3; ++a) {
    to.other[a] = to.own[a] + apart[a];
    to.lies[a] += to.other[a] - told[a];
    const double width = at_.lattice().height[a] / static_cast<double>(c.dims[a]);
    const double reach = std::ceil((list_.reach(i, j) + list_.skin) / width);
    most[a] = reach < 100 ? std::max(static_cast<std::int32_t>(reach), std::abs(apart[a])) : 100;
    count *= 2 * most[a] + 1;
  }
  if (count <= static_cast<double>(kMostSteps))
    for (std::int32_t z = -most[2]; z <= most[2]; ++z)
      for (std::int32_t y = -most[1]; y <= most[1]; ++y)
        for (std::int32_t x = -most[0]; x <= most[0]; ++x) {
          const Shift cell{to.own[0] + x, to.own[1] + y, to.own[2] + z};
          if (exists(cell)) to.cells.push_back({cell, used_.contains({x, y, z})});
        }
  cellWords(w, apart, to);
}

bool Searches::inItems(std::size_t i) const {
  const ListedCells& c = list_.cells;
  const auto cell = static_cast<std::size_t>(c.of[i]);
  if (c.item.empty() || cell + 1 >= c.start.size()) return true;
  for (std::int64_t k = std::max<std::int64_t>(0, c.start[cell]);
       k < std::min(c.start[cell + 1], static_cast<std::int64_t>(c.item.size())); ++k)
    if (c.item[static_cast<std::size_t>(k)] == static_cast<std::int64_t>(i)) return true;
  return false;
}

void Searches::cellWords(const Wrong& w, const Shift& apart, Search& to) const {
  const auto j = static_cast<std::size_t>(w.j);
  to.words.push_back({fmt::format("cell of {}", w.i), words(to.own)});
  to.words.push_back({fmt::format("cell of {}", w.j), words(to.other)});
  const auto used = used_.find(apart);
  to.words.push_back(
      {"from one to the other",
       withSigns(apart) +
           (used != used_.end()
                ? fmt::format(": {} pairs of the list are so far apart", used->second)
                : ": no pair of the list comes from there; it is not searched")});
  if (to.lies != to.other)
    to.words.push_back({fmt::format("{} lies in", w.j),
                        words(to.lies) + ": cell_of has it elsewhere, where nobody looks for it"});
  if (!inItems(j))
    to.words.push_back(
        {"cell_items", fmt::format("{} does not stand among those of its cell", w.j)});
  for (std::size_t k = 0; k < to.cells.size(); ++k)
    if (to.cells[k].cell == to.other)
      to.words.push_back({"step", fmt::format("{} of {}", k + 1, to.cells.size())});
}

std::int64_t Searches::next(const NodeStep& step) const {
  const ListedTree& t = list_.tree;
  if (!step.overlaps || step.leaf) return t.at(t.rope, step.node);
  const std::int64_t l = t.at(t.left, step.node), r = t.at(t.right, step.node);
  if (!t.has(l) || !t.has(r)) return -1;
  return t.at(t.rope, r) == l && t.at(t.rope, l) != r ? r : l;  // which of both comes first
}

void Searches::walk(const Wrong& w, Search& to) const {
  const auto i = static_cast<std::size_t>(w.i), j = static_cast<std::size_t>(w.j);
  const ListedTree& t = list_.tree;
  to.leaf = t.leafOf[j];
  if (!t.has(to.leaf))
    return to.words.push_back({"leaf_of", fmt::format("{}: no such node", to.leaf)});
  // From the leaf of the second particle up to its root.
  const std::vector<std::int64_t> parent = t.parents();
  std::vector<std::int64_t> way{to.leaf};
  while (way.size() <= t.size() && t.has(t.at(parent, way.back())))
    way.push_back(t.at(parent, way.back()));
  // Boxes are those of positions as they are given, or in the box.
  const double* const given = &list_.position[3 * j];
  const Vec3d inBox = at_.place(j);
  const Vec3d apart = inBox - at_.place(i) + at_.lattice().vector(at_.inBox(i, j, w.shift));
  const auto leaf = 3 * static_cast<std::size_t>(to.leaf);
  bool contains = true;
  for (std::size_t a = 0; a < 3; ++a)
    contains = contains && given[a] >= t.lower[leaf + a] && given[a] <= t.upper[leaf + a];
  for (std::size_t a = 0; a < 3; ++a) {
    const double middle = (contains ? given[a] : inBox[a]) - apart[a];
    to.low[a] = middle - list_.reach(i, j) - list_.skin;
    to.high[a] = middle + list_.reach(i, j) + list_.skin;
  }
  const auto overlaps = [&](std::int64_t k) {
    for (std::size_t a = 0; a < 3; ++a) {
      const std::size_t x = 3 * static_cast<std::size_t>(k) + a;
      if (t.lower[x] > to.high[a] || t.upper[x] < to.low[a]) return false;
    }
    return true;
  };
  if (!t.rope.empty())
    for (std::int64_t k = way.back(); t.has(k) && to.nodes.size() < kMostSteps;
         k = next(to.nodes.back()))
      to.nodes.push_back({k, overlaps(k), t.isLeaf(k)});
  else
    for (std::vector<std::int64_t> open{way.back()};
         !open.empty() && to.nodes.size() < kMostSteps;) {
      const NodeStep step{open.back(), overlaps(open.back()), t.isLeaf(open.back())};
      open.pop_back(), to.nodes.push_back(step);
      if (!step.overlaps || step.leaf) continue;
      for (const std::int64_t child : {t.at(t.right, step.node), t.at(t.left, step.node)})
        if (t.has(child)) open.push_back(child);
    }
  walkWords(w, way, to);
}

// The first node on the way from the root to the leaf that the walk leaves out, and how.
void Searches::walkWords(const Wrong& w, const std::vector<std::int64_t>& way, Search& to) const {
  to.words.push_back({fmt::format("leaf of {}", w.j), fmt::format("node {}", to.leaf)});
  const auto stepAt = [&](std::int64_t k) {
    return std::ranges::find(to.nodes, k, &NodeStep::node);
  };
  const auto number = [&](auto step) { return step - to.nodes.begin() + 1; };
  for (std::size_t k = way.size(); k-- > 0;) {
    const auto step = stepAt(way[k]);
    if (step == to.nodes.end()) {
      const auto above = stepAt(way[k + 1]);  // the root is always visited
      return to.words.push_back(
          {"lost", fmt::format("node {} on the way to the leaf is never visited: after step {} "
                               "(node {}) no rope leads to it",
                               way[k], number(above), way[k + 1])});
    }
    if (!step->overlaps)
      return to.words.push_back({"lost", fmt::format("step {} leaves out node {} and all below: "
                                                     "its box does not overlap that of the walk",
                                                     number(step), way[k])});
  }
  to.words.push_back({"found", fmt::format("step {} checks the leaf: the tree finds the pair",
                                           number(stepAt(to.leaf)))});
}

}  // namespace cellscope::list_check
