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

}  // namespace cellscope::museum
