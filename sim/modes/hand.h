// Which particles a hand means, and where it puts new ones, alike in all modes.
#pragma once
#include <cmath>
#include <cstddef>
#include <string>
#include <vector>

#include "sim/api/hand.h"
#include "sim/base/box.h"

namespace cellscope {

inline std::string countOf(std::size_t n, const std::string& what) {  // "3 disks"
  return std::to_string(n) + " " + what + (n == 1 ? "" : "s");
}

// Slots of the particles in this circle or sphere, by their centres; where there is none, the one
// nearest to it whose rim, half a sigma away, it touches.
inline std::vector<std::size_t> withinReach(const Box& box, const std::vector<Vec3d>& places,
                                            const HandMove& move) {
  constexpr double kRim = 0.5;
  std::vector<std::size_t> within;
  std::size_t nearest = places.size();
  double least = (move.radius + kRim) * (move.radius + kRim);
  for (std::size_t i = 0; i < places.size(); ++i) {
    const Vec3d d = box.minimumImage(places[i] - move.at);
    const double square = dot(d, d);
    if (square <= move.radius * move.radius) within.push_back(i);
    if (square < least) least = square, nearest = i;
  }
  if (within.empty() && nearest < places.size()) within.push_back(nearest);
  return within;
}

// Without those at `gone`, in ascending order; each is `width` values of `all`.
template <class T>
void eraseAll(std::vector<T>& all, const std::vector<std::size_t>& gone, std::size_t width = 1) {
  std::size_t next = 0, kept = 0;
  for (std::size_t i = 0; i < all.size(); ++i) {
    while (next < gone.size() && gone[next] < i / width) ++next;
    if (next == gone.size() || gone[next] != i / width) all[kept++] = all[i];
  }
  all.resize(kept);
}

// Places for new particles, evenly over the circle or sphere from its centre outwards: a sunflower,
// no random numbers. `offer` is called with each in turn.
void forEachPlace(const Box& box, const HandMove& move, const auto& offer) {
  constexpr double kPerVolume = 12, kMost = 1024, kGolden = 0.6180339887498949,
                   kTurn = 6.283185307179586;
  const double r = move.radius, size = box.dimension == 3 ? 4.19 * r * r * r : 3.14 * r * r;
  const auto tries = static_cast<int>(std::fmin(kMost, 1 + kPerVolume * size));
  for (int k = 0; k < tries; ++k) {
    const double share = static_cast<double>(k) / tries, angle = kTurn * kGolden * k;
    const double far = r * (box.dimension == 3 ? std::cbrt(share) : std::sqrt(share));
    // Heights by another irrational share, so that they do not go with the distance.
    const double up =
        box.dimension == 3 ? 2 * std::fmod(0.5 + 0.41421356237309515 * k, 1.0) - 1 : 0;
    const double flat = far * std::sqrt(1 - up * up);
    offer(inBox(move.at + Vec3d{flat * std::cos(angle), flat * std::sin(angle), far * up}, box));
  }
}

}  // namespace cellscope
