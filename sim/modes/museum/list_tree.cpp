// The tree: particles in the order of their Morton codes.
#include <algorithm>
#include <cmath>

#include "sim/modes/museum/list_builder.h"

namespace cellscope::museum {
namespace {

// Bits of x and y by turns.
std::uint32_t mortonCode(Vec3d fraction, int bits) {
  const auto whole = [&](double f) {
    return static_cast<std::uint32_t>(
        std::clamp(std::ldexp(f, bits), 0.0, std::ldexp(1, bits) - 1));
  };
  const std::uint32_t x = whole(fraction.x), y = whole(fraction.y);
  std::uint32_t code = 0;
  for (int b = 0; b < bits; ++b) code |= (x >> b & 1) << 2 * b | (y >> b & 1) << (2 * b + 1);
  return code;
}

}  // namespace

// Codes of few bits tie now and then.
void ListBuilder::sortByCode() {
  const int bits = e_.bug == Bug::mortonTie ? 4 : 15;
  std::vector<std::pair<std::uint32_t, std::uint32_t>> sorted;
  for (std::uint32_t i = 0; i < r_.size(); ++i)
    sorted.emplace_back(mortonCode(e_.fraction(r_[i]), bits), i);
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

template <class Visit>
void ListBuilder::walk(Vec3d q, const Visit& visit) const {
  for (std::int64_t node = 0; node >= 0;) {
    const auto k = static_cast<std::size_t>(node);
    const auto outside = [&](double x, std::size_t a) {
      return std::max({tree_.lower[3 * k + a] - x, 0.0, x - tree_.upper[3 * k + a]});
    };
    const double dx = outside(q.x, 0), dy = outside(q.y, 1);
    const bool meets = dx * dx + dy * dy < reach_ * reach_;
    if (meets && particle_[k] >= 0) visit(particle_[k], node);
    node = meets && particle_[k] < 0 ? tree_.left[k] : tree_.rope[k];
  }
}

// All images of the box that are next to it: the reach is shorter than the box.
template <class Visit>
void ListBuilder::walkImages(std::uint32_t i, const Visit& visit) const {
  for (std::int32_t sx = -1; sx <= 1; ++sx)
    for (std::int32_t sy = -1; sy <= 1; ++sy)
      walk(e_.apart({0, 0, 0}, r_[i], {-sx, -sy, 0}), [&](std::int64_t j, std::int64_t leaf) {
        visit(j, leaf, Shift{sx, sy, 0});
      });
}

void ListBuilder::searchTree() {
  for (std::uint32_t i = 0; i < r_.size(); ++i)
    walkImages(i, [&](std::int64_t j, std::int64_t, const Shift& s) {
      take(i, static_cast<std::uint32_t>(j), s);
    });
}

ListBuilder::Edges ListBuilder::leaves() const {
  constexpr double kAbout = 0.003;  // a leaf may be a point
  Edges edges;
  for (std::size_t i = 0; i < r_.size(); ++i) {
    const auto leaf = 3 * static_cast<std::size_t>(tree_.leafOf[i]);
    const double *const lo = &tree_.lower[leaf], *const hi = &tree_.upper[leaf];
    const double x[2] = {lo[0] - kAbout, hi[0] + kAbout}, y[2] = {lo[1] - kAbout, hi[1] + kAbout};
    outline({0, 0, 0}, {{{x[0], y[0], 0}, {x[1], y[0], 0}, {x[1], y[1], 0}, {x[0], y[1], 0}}},
            edges);
    edges.emplace_back(
        r_[i], Vec3d{std::clamp(r_[i].x, lo[0], hi[0]), std::clamp(r_[i].y, lo[1], hi[1]), 0});
  }
  return edges;
}

ListBuilder::Edges ListBuilder::searchedLeaves(std::uint32_t i) const {
  constexpr double kAbout = 0.3;  // a leaf is a point
  Edges edges;
  walkImages(i, [&](std::int64_t, std::int64_t leaf, const Shift& s) {
    const double* const lo = &tree_.lower[3 * static_cast<std::size_t>(leaf)];
    const double* const hi = &tree_.upper[3 * static_cast<std::size_t>(leaf)];
    const double x[2] = {lo[0] - kAbout, hi[0] + kAbout}, y[2] = {lo[1] - kAbout, hi[1] + kAbout};
    outline(e_.vector(s[0], s[1]),
            {{{x[0], y[0], 0}, {x[1], y[0], 0}, {x[1], y[1], 0}, {x[0], y[1], 0}}}, edges);
  });
  return edges;
}

}  // namespace cellscope::museum
