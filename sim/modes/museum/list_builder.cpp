#include "sim/modes/museum/list_builder.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

namespace cellscope::museum {
namespace {

constexpr std::size_t kCapacity = 5;  // of a cell that has no more room

}  // namespace

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
  if (d.x * d.x + d.y * d.y < reach * reach) pairs_.push_back({i, j, s});
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
  std::stable_sort(order_.begin(), order_.end(),
                   [&](std::uint32_t a, std::uint32_t b) { return cellOf(r_[a]) < cellOf(r_[b]); });
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

template <class Visit>
void ListBuilder::aroundCell(std::int64_t c, const Visit& visit) const {
  const std::int64_t at[2] = {c % dims_[0], c / dims_[0]};
  for (std::int64_t oy = -look_[1]; oy <= look_[1]; ++oy)
    for (std::int64_t ox = -look_[0]; ox <= look_[0]; ++ox) {
      std::int64_t to[2] = {at[0] + ox, at[1] + oy};
      Shift image{};
      for (std::size_t a = 0; a < 2; ++a) {
        image[a] = static_cast<std::int32_t>(
            std::floor(static_cast<double>(to[a]) / static_cast<double>(dims_[a])));
        to[a] -= image[a] * dims_[a];
      }
      visit(to[0] + dims_[0] * to[1], image);
    }
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

ListBuilder::Edges ListBuilder::walls() const {
  Edges edges;
  for (int a = 0; a < 2; ++a)
    for (std::int64_t k = 0; k <= dims_[a]; ++k) {
      const double f = std::min(1.0, static_cast<double>(k) * width_[a]);
      edges.emplace_back(a == 0 ? e_.vector(f, 0) : e_.vector(0, f),
                         a == 0 ? e_.vector(f, 1) : e_.vector(1, f));
    }
  return edges;
}

// Images where the query found them, which may be beyond the box.
ListBuilder::Edges ListBuilder::searched(std::uint32_t i) const {
  if (e_.byTree) return searchedLeaves(i);
  Edges edges;
  const std::int64_t own = cellOf(r_[i]);
  if (std::find(&order_[0] + first(own), &order_[0] + last(own), i) == &order_[0] + last(own))
    return edges;
  aroundCell(own, [&](std::int64_t c, const Shift& s) {
    if (bad(Bug::cellZero) && c == 0) return;
    const auto x = static_cast<double>(c % dims_[0]), y = static_cast<double>(c / dims_[0]);
    const auto at = [&](double f, double g) {
      return e_.vector(std::min(1.0, f * width_[0]), std::min(1.0, g * width_[1]));
    };
    outline(e_.vector(s[0], s[1]), {{at(x, y), at(x + 1, y), at(x + 1, y + 1), at(x, y + 1)}},
            edges);
  });
  return edges;
}

std::vector<std::pair<Vec3d, std::string>> ListBuilder::signs() const {
  std::vector<std::pair<Vec3d, std::string>> all;
  const auto at = [&](double x, double y) { return e_.vector(x * width_[0], y * width_[1]); };
  if (bad(Bug::cellZero)) all.emplace_back(at(0.05, 0.1), "cell 0: skipped");
  if (bad(Bug::thinLastCell)) {
    const double thin = e_.lx * (1 - static_cast<double>(dims_[0] - 1) * width_[0]);
    all.emplace_back(e_.vector(1, 1.03), fmt::format("last column: {:.1g} sigma wide", thin));
  }
  for (std::size_t c = 0; bad(Bug::overfullCell) && c < end_.size(); ++c) {
    const auto cell = static_cast<std::int64_t>(c);
    if (const std::size_t count = end_[c] - first(cell); count > kCapacity)
      all.emplace_back(at(static_cast<double>(cell % dims_[0]) + 0.05,
                          static_cast<double>(cell / dims_[0]) + 0.9),
                       fmt::format("{} of {}", count, kCapacity));
  }
  for (std::size_t i = 0; bad(Bug::mortonTie) && i < r_.size(); ++i)
    if (tree_.leafOf[i] < 0) all.emplace_back(r_[i], fmt::format("{}: in no leaf", i));
  return all;
}

void ListBuilder::outline(Vec3d by, const std::array<Vec3d, 4>& corner, Edges& edges) {
  const auto at = [&](std::size_t k) {
    return Vec3d{corner[k % 4].x + by.x, corner[k % 4].y + by.y, 0};
  };
  for (std::size_t k = 0; k < 4; ++k) edges.emplace_back(at(k), at(k + 1));
}

}  // namespace cellscope::museum
