#include "sim/algo/lbvh/trees.h"

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

LinearTrees::LinearTrees(Backend where, std::span<const std::uint32_t> particlesOfType,
                         std::uint32_t perLeaf)
    : layout_(particlesOfType, perLeaf) {
  CELLSCOPE_ASSERT(!layout_.parts.empty());
  const auto nodes = static_cast<std::size_t>(layout_.nodes);
  parts_ = {where, layout_.parts};
  if (wide())
    keys64_ = {where, layout_.particles};
  else
    keys32_ = {where, layout_.particles};
  slots_ = {where, layout_.particles};
  home32_ = keys32_.data(), home64_ = keys64_.data(), homeSlots_ = slots_.data();
  particles_ = {where, layout_.particles};
  nodes_ = {where, nodes};
  parents_ = {where, nodes};
  leftChild_ = {where, nodes};
  rightOfSplit_ = {where, layout_.leaves};
  arrivals_ = {where, nodes};
  arrivals_.zero();
  tileBoxes_ = {where, layout_.tileBoxes};
}

TreesView LinearTrees::view() const {
  return {parts_.data(),
          nodes_.data(),
          parents_.data(),
          particles_.data(),
          static_cast<std::uint32_t>(layout_.parts.size()),
          layout_.particles,
          layout_.leaves,
          layout_.nodes,
          {static_cast<float>(box_.length[0]), static_cast<float>(box_.length[1]),
           static_cast<float>(box_.length[2])},
          box_.dimension,
          layout_.perLeaf,
          tileBoxes_.data(),
          layout_.tileBoxes};
}

std::size_t LinearTrees::bytes() const {
  return parts_.bytes() + keys32_.bytes() + keys64_.bytes() + slots_.bytes() + particles_.bytes() +
         nodes_.bytes() + parents_.bytes() + leftChild_.bytes() + rightOfSplit_.bytes() +
         arrivals_.bytes() + tileBoxes_.bytes();
}

std::size_t LinearTrees::bytesFor(std::span<const std::uint32_t> particlesOfType,
                                  std::uint32_t perLeaf) {
  const TreeLayout layout(particlesOfType, perLeaf);
  const bool wide = kMortonBits + std::bit_width(layout.parts.size() - 1) > 32;
  const std::size_t ofParticle =
      2 * ((wide ? 8 : 4) + sizeof(std::uint32_t)) + sizeof(TreeParticle);
  const std::size_t ofNode = sizeof(TreeNode) + 2 * sizeof(std::int32_t) + sizeof(std::uint32_t);
  return layout.parts.size() * sizeof(TreePart) + layout.particles * ofParticle +
         static_cast<std::size_t>(layout.nodes) * ofNode + layout.leaves * sizeof(std::int32_t) +
         layout.tileBoxes * sizeof(TileBounds);
}

std::vector<std::uint64_t> LinearTrees::sortedKeys() const {
  if (wide()) return keys64_.array().get();
  const std::vector<std::uint32_t> narrow = keys32_.array().get();
  return {narrow.begin(), narrow.end()};
}

}  // namespace cellscope
