// Makes the packer of a mode's exec.
#pragma once
#include <cstddef>
#include <cstdint>
#include <memory>

#include "sim/exec/context.h"
#include "sim/exec/layout.h"
#include "sim/layers/layers.h"

namespace cellscope::layers {

std::unique_ptr<Packer> makePackerCpu(const exec::Shared& exec);
std::unique_ptr<Packer> makePackerCuda(const exec::Shared& exec);

inline std::unique_ptr<Packer> makePacker(const exec::Shared& exec) {
  return exec::makeOn<makePackerCpu, makePackerCuda>(exec);
}

// Where the particles of each cell are packed: what the packer needs besides its frames.
struct PackScratch {
  exec::Array<std::uint32_t> first;
  static exec::Layout<PackScratch> layout(std::size_t cells) {
    return {{"first particles of cells", &PackScratch::first, cells + 1}};
  }
};

}  // namespace cellscope::layers
