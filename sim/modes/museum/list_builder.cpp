#include "sim/modes/museum/list_builder.h"

#include <numeric>

namespace cellscope::museum {

ListBuilder::ListBuilder(const Exhibit& exhibit, bool mistake, std::vector<Vec3d> r)
    : e_(exhibit), mistake_(mistake), reach_(e_.cutoff + e_.skin), r_(std::move(r)) {
  if (e_.byTree) {
    sortByCode(), growTree(0, r_.size()), searchTree();
  } else {
    divide(), fillCells(), searchCells();
  }
}

void ListBuilder::take(std::uint32_t i, std::uint32_t j, const Shift& s) {
  if (i == j && s == Shift{}) return;
  if (!bad(Bug::halfTwice) && !list_check::isFirst(i, {j, s})) return;
  double reach = reach_;
  if (bad(Bug::types) && typeOf(i) == 1 && typeOf(j) == 1) reach *= kShorter;
  const Vec3d d = e_.apart(r_[i], r_[j], s);
  if (dot(d, d) < reach * reach) pairs_.push_back({i, j, s});
}

// Microcells (S0, 3.3) are one sigma wide; others as wide as the reach, at least, or three along a
// vector.
void ListBuilder::divide() {
  const bool micro = e_.bug == Bug::thinLastCell;
  for (int a = 0; a < 2; ++a) {
    const double length = bad(Bug::tilt) ? e_.edge(a) : e_.height(a);
    double width = micro ? 1 : reach_;
    if (bad(Bug::thinLastCell)) {
      dims_[a] = static_cast<std::int64_t>(std::ceil(length / width));
    } else {
      const std::int64_t least = e_.bug == Bug::shortStencil ? 3 : 1;
      dims_[a] = std::max(least, static_cast<std::int64_t>(length / width));
      width = length / static_cast<double>(dims_[a]);
    }
    width_[a] = width / length;
    // Cells as wide as the reach, up to rounding, are wide enough: looks are one cell.
    look_[a] = bad(Bug::shortStencil)
                   ? 1
                   : static_cast<std::int64_t>(std::ceil(reach_ / width * (1 - 1e-12)));
  }
}

std::int64_t ListBuilder::cellOf(Vec3d r) const {
  const Vec3d f = e_.fraction(r);
  const auto along = [&](double x, int a) {
    return std::clamp<std::int64_t>(static_cast<std::int64_t>(x / width_[a]), 0, dims_[a] - 1);
  };
  return along(f.x, 0) + dims_[0] * along(f.y, 1);
}

void ListBuilder::fillCells() {
  order_.resize(r_.size());
  std::iota(order_.begin(), order_.end(), 0u);
  std::ranges::stable_sort(order_, {}, [&](std::uint32_t i) { return cellOf(r_[i]); });
  end_.assign(static_cast<std::size_t>(dims_[0] * dims_[1]), 0);
  for (const Vec3d& r : r_) ++end_[static_cast<std::size_t>(cellOf(r))];
  std::partial_sum(end_.begin(), end_.end(), end_.begin());
}

std::size_t ListBuilder::first(std::int64_t c) const {
  const auto end = [&](std::int64_t cell) { return end_[static_cast<std::size_t>(cell)]; };
  if (bad(Bug::cellZero)) return end(std::max<std::int64_t>(0, c - 1));
  return c > 0 ? end(c - 1) : 0;
}

std::size_t ListBuilder::last(std::int64_t c) const {
  const std::size_t last = end_[static_cast<std::size_t>(c)];
  return bad(Bug::overfullCell) ? std::min(last, first(c) + kCapacity) : last;
}

void ListBuilder::searchCells() {
  for (std::int64_t c = 0; c < dims_[0] * dims_[1]; ++c)
    aroundCell(c, [&](std::int64_t other, const Shift& s) {
      for (std::size_t k = first(c); k < last(c); ++k)
        for (std::size_t l = first(other); l < last(other); ++l) take(order_[k], order_[l], s);
    });
}

// Of equal cells only what is in their order, too, where a cell leaves out none.
ListedCells ListBuilder::cells() const {
  ListedCells cells;
  if (e_.byTree) return cells;
  for (int a = 0; a < 2; ++a) cells.dims[a] = dims_[a];
  cells.dims[2] = 1;
  for (const Vec3d& r : r_) cells.of.push_back(cellOf(r));
  if (bad(Bug::overfullCell)) return cells;
  cells.start.assign(1, 0);
  cells.start.insert(cells.start.end(), end_.begin(), end_.end());
  cells.item.assign(order_.begin(), order_.end());
  return cells;
}

// The tree: particles in the order of their Morton codes.

// Bits of x and y by turns.
static std::uint32_t mortonCode(Vec3d fraction, int bits) {
  const auto whole = [&](double f) {
    return static_cast<std::uint32_t>(
        std::clamp(std::ldexp(f, bits), 0.0, std::ldexp(1, bits) - 1));
  };
  const std::uint32_t x = whole(fraction.x), y = whole(fraction.y);
  std::uint32_t code = 0;
  for (int b = 0; b < bits; ++b) code |= (x >> b & 1) << 2 * b | (y >> b & 1) << (2 * b + 1);
  return code;
}

// Codes of few bits tie now and then.
void ListBuilder::sortByCode() {
  if (e_.bug == Bug::mortonTie) bits_ = 4;
  std::vector<std::pair<std::uint32_t, std::uint32_t>> sorted;
  for (std::uint32_t i = 0; i < r_.size(); ++i)
    sorted.emplace_back(mortonCode(e_.fraction(r_[i]), bits_), i);
  std::sort(sorted.begin(), sorted.end());
  for (const auto& [code, i] : sorted) code_.push_back(code), order_.push_back(i);
  tree_.leafOf.assign(r_.size(), -1);
}

// Coordinates count from the corner of the box: both differences are exact.
void ListBuilder::boxOf(std::int64_t node, Vec3d r) {
  const double at[2] = {r.x, r.y};
  for (std::size_t a = 0; a < 2; ++a) {
    const double x = e_.origin + at[a];
    const auto near = static_cast<float>(x);
    float low = near, high = near;
    if (!bad(Bug::floatBox)) {
      if (low > x) low = std::nextafter(low, -INFINITY);
      if (high < x) high = std::nextafter(high, INFINITY);
    }
    const std::size_t k = 3 * static_cast<std::size_t>(node) + a;
    tree_.lower[k] = static_cast<double>(low) - e_.origin;
    tree_.upper[k] = static_cast<double>(high) - e_.origin;
  }
}

// A node stands before all below it: its rope, to where a walk goes on that does not open it, leads
// past them.
std::int64_t ListBuilder::growTree(std::size_t from, std::size_t to) {
  const auto node = static_cast<std::int64_t>(tree_.size());
  const auto k = static_cast<std::size_t>(node);
  for (auto* const links : {&tree_.left, &tree_.right, &tree_.rope, &particle_})
    links->push_back(-1);
  for (auto* const bounds : {&tree_.lower, &tree_.upper}) bounds->insert(bounds->end(), 3, 0);
  const bool tie = code_[from] == code_[to - 1];
  if (to - from == 1 || (tie && bad(Bug::mortonTie))) {
    const std::uint32_t i = order_[from];
    particle_[k] = i;
    tree_.leafOf[i] = node;
    boxOf(node, r_[i]);
  } else {
    std::size_t split = (from + to) / 2;
    if (!tie) {  // at the highest bit in which the codes differ
      std::uint32_t bit = code_[from] ^ code_[to - 1];
      while ((bit & (bit - 1)) != 0) bit &= bit - 1;
      for (split = from; (code_[split] & bit) == 0;) ++split;
    }
    const std::int64_t l = growTree(from, split), r = growTree(split, to);
    tree_.left[k] = l, tree_.right[k] = r;
    for (std::size_t a = 0; a < 3; ++a) {
      const std::size_t x = 3 * static_cast<std::size_t>(l) + a,
                        y = 3 * static_cast<std::size_t>(r) + a;
      tree_.lower[3 * k + a] = std::min(tree_.lower[x], tree_.lower[y]);
      tree_.upper[3 * k + a] = std::max(tree_.upper[x], tree_.upper[y]);
    }
  }
  tree_.rope[k] = static_cast<std::int64_t>(tree_.size()) + (bad(Bug::rope) ? 1 : 0);
  if (node > 0) return node;
  for (std::int64_t& rope : tree_.rope)
    if (rope >= static_cast<std::int64_t>(tree_.size())) rope = -1;
  return node;
}

void ListBuilder::searchTree() {
  for (std::uint32_t i = 0; i < r_.size(); ++i)
    walkImages(i, [&](std::int64_t node, bool meets, const Shift& s) {
      const std::int64_t j = particle_[static_cast<std::size_t>(node)];
      if (meets && j >= 0) take(i, static_cast<std::uint32_t>(j), s);
    });
}

// Threads and papers are named in the scenarios (assets/scenarios/museum_*.toml).
const std::vector<Exhibit>& exhibits() {
  using list_check::Kind;
  static const std::vector<Exhibit> all = {
      {.bug = Bug::thinLastCell,
       .key = "thin_last_cell",
       .label = "Thin last cell",
       .mistake = "cells = ceil(length / width)",
       .mend = "cells = floor(length / width); width = length / cells",
       .lx = 15.1},
      {.bug = Bug::cellZero,
       .key = "cell_zero",
       .label = "Cell 0 skipped",
       .mistake = "first = end[max(0, c - 1)]",
       .mend = "first = c > 0 ? end[c - 1] : 0"},
      {.bug = Bug::overfullCell,
       .key = "overfull_cell",
       .label = "A full cell",
       .mistake = "last = min(last, first + capacity)",
       .mend = "capacity grows to that of the fullest cell"},
      {.bug = Bug::shortStencil,
       .key = "short_stencil",
       .label = "Short stencil",
       .mistake = "look = 1",
       .mend = "look = ceil(reach / width)",
       .lx = 5.4,
       .ly = 5.4},
      {.bug = Bug::tilt,
       .key = "tilt",
       .label = "Tilted cells",
       .mistake = "cells = floor(edge / reach)",
       .mend = "cells = floor(height / reach)",
       .lx = 15.2,
       .ly = 12.7,
       .shear = 9.5},
      {.bug = Bug::types,
       .key = "types",
       .label = "Other types",
       .mistake = "reach = cutoff_of_forces[type_i][type_j]",
       .mend = "reach = cutoff",
       .types = 2},
      {.bug = Bug::imageFlag,
       .key = "image_flag",
       .label = "Image flag lost",
       .mistake = "S = s",
       .mend = "S = s + image[i] - image[j]",
       .kind = Kind::wrongImage},
      {.bug = Bug::halfTwice,
       .key = "half_twice",
       .label = "Both halves",
       .mistake = "if (j != i) list(i, j)",
       .mend = "if (j > i) list(i, j)",
       .kind = Kind::twice,
       .cutoff = 1.6},
      {.bug = Bug::skinSpent,
       .key = "skin_spent",
       .label = "Skin spent",
       .mistake = "if (moved > skin) build()",
       .mend = "if (moved > skin / 2) build()",
       .cutoff = 2,
       .skin = 0.4},
      {.bug = Bug::mortonTie,
       .key = "morton_tie",
       .label = "Equal codes",
       .mistake = "if (code[first] == code[last]) return leaf(first)",
       .mend = "if (code[first] == code[last]) split = (first + last) / 2",
       .byTree = true},
      {.bug = Bug::rope,
       .key = "rope",
       .label = "Rope too long",
       .mistake = "rope[k] = k + nodes_below(k) + 2",
       .mend = "rope[k] = k + nodes_below(k) + 1",
       .byTree = true,
       .cutoff = 1.8},
      {.bug = Bug::floatBox,
       .key = "float_box",
       .label = "Rounded box",
       .mistake = "lower = float(x), upper = float(x)",
       .mend = "lower = round_down(x), upper = round_up(x)",
       .byTree = true,
       .origin = 999'990},
  };
  return all;
}

}  // namespace cellscope::museum
