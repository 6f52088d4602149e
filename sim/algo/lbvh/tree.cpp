#include "sim/algo/lbvh/tree.h"

#include "sim/core/assert.h"

namespace cellscope {

TreeLayout::TreeLayout(std::span<const std::uint32_t> particlesOfType, std::uint32_t w)
    : perLeaf(w) {
  CELLSCOPE_ASSERT(w >= 1 && w <= 8);
  for (const std::uint32_t n : particlesOfType) {
    TreePart part{particles, n, leaves, (n + w - 1) / w, nodes, {}, {}};
    std::uint32_t below = n;
    for (int level = 0; level < kTileLevels; ++level) {
      below = (below + kTileWidth - 1) / kTileWidth;
      part.firstTile[level] = tileBoxes, part.tiles[level] = below;
      tileBoxes += below;
    }
    parts.push_back(part);
    particles += n;
    leaves += part.leaves;
    nodes += part.nodes();
  }
  CELLSCOPE_ASSERT(particles < 1u << 28);  // leafLink()
}

}  // namespace cellscope
