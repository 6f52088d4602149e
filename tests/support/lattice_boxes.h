// A box for every cell of a layer, whichever way the layer holds them.
#pragma once
#include <cmath>

#include "sim/api/frame.h"

namespace cellscope::test {

// Cells of a lattice as the contract of CellLattice says, cut at the borders of the plane.
inline std::vector<BoxInstance> boxesOf(const LayerData& layer, const double* length) {
  std::vector<BoxInstance> boxes(layer.lattice ? 0 : layer.count);
  if (!layer.lattice) {
    if (!boxes.empty()) layer.buffer->copyTo(boxes.data(), MemorySpace::host);
    return boxes;
  }
  const CellLattice& l = *layer.lattice;
  const int nx = l.cells[0], ny = l.cells[1];
  std::vector<std::uint8_t> bytes(layer.buffer ? layer.count : 0);
  if (layer.buffer) layer.buffer->copyTo(bytes.data(), MemorySpace::host);
  const auto first = [&](int axis) {  // of the columns that reach into the box
    return -static_cast<int>(std::ceil(l.origin[axis] / l.width[axis] - 1e-9));
  };
  for (int j = first(1); l.origin[1] + j * l.width[1] < length[1] - 1e-9; ++j)
    for (int i = first(0); l.origin[0] + i * l.width[0] < length[0] - 1e-9; ++i) {
      const int x = (i % nx + nx) % nx, y = (j % ny + ny) % ny, set = (x & 1) | (y & 1) << 1;
      const int column = l.evenFirst ? (x & 1 ? (x + nx) / 2 : x / 2) : x;
      BoxInstance b{};
      const int at[2] = {i, j};
      for (int axis = 0; axis < 2; ++axis) {
        const double lo = l.origin[axis] + at[axis] * l.width[axis];
        b.lo[axis] = static_cast<float>(std::max(0.0, lo));
        b.hi[axis] = static_cast<float>(std::min(length[axis], lo + l.width[axis]));
      }
      b.value = static_cast<float>(
          bytes.empty() ? set : bytes[static_cast<std::size_t>(y * nx + column)]);
      b.level = static_cast<std::int16_t>(l.activeSet < 0 || set == l.activeSet ? set : -1);
      boxes.push_back(b);
    }
  return boxes;
}

}  // namespace cellscope::test
