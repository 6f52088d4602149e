// Which of the cells around a point have a point within the cutoff of it, on the CPU.
#pragma once
#include <algorithm>
#include <cstdint>

#include "sim/core/gcmc_pair.h"

namespace cellscope {

class GcmcNearCells {
 public:
  GcmcNearCells() = default;
  // count: cells along each axis, at least three where there is an axis; width: of one. Without a
  // cutoff the own cell is found.
  GcmcNearCells(int dimension, const std::uint32_t count[3], const double width[3],
                float cutoffSquared)
      : space_(dimension == 3), limit_(cutoffSquared * 1.0001f + 1e-30f) {
    for (int k = 0; k < 3; ++k) side_[k] = count[k], width_[k] = width[k];
  }

  // To `cell`, of 27; returns how many.
  int find(GcmcPoint p, std::uint32_t* cell) const { return findFor<false>(p, p, cell); }
  // For both of two points of one cell; some cells more.
  int find(GcmcPoint p, GcmcPoint q, std::uint32_t* cell) const {
    return findFor<true>(p, q, cell);
  }

 private:
  template <bool two>
  int findFor(GcmcPoint p, GcmcPoint q, std::uint32_t* cell) const {
    const std::uint32_t word[3] = {p.x, p.y, p.z}, other[3] = {q.x, q.y, q.z};
    std::uint32_t index[3][3];
    float gap2[3][3];  // squared distance along the axis to the cell before, the own, the next one
    for (int k = 0; k < 3; ++k) {
      const std::uint64_t scaled = std::uint64_t{word[k]} * side_[k];
      const auto own = static_cast<std::uint32_t>(scaled >> 32);
      const double part = static_cast<double>(scaled & 0xffffffffu) * 0x1p-32;
      double first = part, last = part;
      if constexpr (two) {
        const auto low = static_cast<std::uint32_t>(std::uint64_t{other[k]} * side_[k]);
        first = std::min(part, low * 0x1p-32), last = std::max(part, low * 0x1p-32);
      }
      const auto before = static_cast<float>(first * width_[k]);
      const auto after = static_cast<float>((1.0 - last) * width_[k]);
      index[k][0] = own == 0 ? side_[k] - 1 : own - 1;
      index[k][1] = own;
      index[k][2] = own + 1 == side_[k] ? 0 : own + 1;
      gap2[k][0] = before * before, gap2[k][1] = 0, gap2[k][2] = after * after;
    }
    int found = 0;
    for (int z = 0; z < (space_ ? 3 : 1); ++z)
      for (int y = 0; y < 3; ++y) {
        const int kz = space_ ? z : 1;
        const float gap = gap2[2][kz] + gap2[1][y];
        const std::uint32_t row = (index[2][kz] * side_[1] + index[1][y]) * side_[0];
        for (int x = 0; x < 3; ++x) {
          cell[found] = row + index[0][x];
          found += gap + gap2[0][x] < limit_ ? 1 : 0;
        }
      }
    return found;
  }

  bool space_ = true;
  float limit_ = 0;
  std::uint32_t side_[3] = {3, 3, 1};
  double width_[3] = {1, 1, 1};
};

}  // namespace cellscope
