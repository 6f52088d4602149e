// What colourings of hard disks know: the run as it is now, and one disk as the kernel sees it.
#pragma once
#include <cstddef>
#include <cstdint>
#include <string>

#include "sim/base/vec.h"
#include "sim/core/cell_index.h"
#include "sim/layers/colouring.h"

namespace cellscope::layers {

inline constexpr std::uint32_t kBondOrder = 1;  // of ChosenColouring::needs

struct DiskColourState {
  double packing = 0;
  std::string neighbours;  // how they are defined: titles name it wherever the colour depends on it
};

struct DiskSeen {
  CellIndex cell;
  std::size_t slot;
  // By slot; null unless the colouring needs the bond order.
  const Vec2* psi6;
  const std::uint8_t* neighbours;
  const float* density;
};

}  // namespace cellscope::layers
