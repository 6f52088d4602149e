// Where the particles of each cell are packed: what the packer needs besides its frames.
#pragma once
#include <cstddef>
#include <cstdint>

#include "sim/exec/layout.h"

namespace cellscope::layers {

struct PackScratch {
  exec::Array<std::uint32_t> first;
  static exec::Layout<PackScratch> layout(std::size_t cells) {
    return {{"first particles of cells", &PackScratch::first, cells + 1}};
  }
};

}  // namespace cellscope::layers
