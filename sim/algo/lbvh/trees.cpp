#include "sim/algo/lbvh/trees.h"

#include "sim/algo/lbvh/builder_impl.h"
#include "sim/exec/cpu_exec.h"

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

int TreeLayout::keyBits() const { return kMortonBits + std::bit_width(parts.size() - 1); }

exec::Layout<TreeArrays> TreeArrays::layout(const TreeLayout& of) {
  const auto nodes = static_cast<std::size_t>(of.nodes);
  return {{"trees", &TreeArrays::parts, of.parts.size()},
          {"codes of 32 bits", &TreeArrays::keys32, of.wide() ? 0 : of.particles},
          {"codes of 64 bits", &TreeArrays::keys64, of.wide() ? of.particles : 0},
          {"slots", &TreeArrays::slots, of.particles},
          {"particles", &TreeArrays::particles, of.particles},
          {"nodes", &TreeArrays::nodes, nodes},
          {"parents", &TreeArrays::parents, nodes},
          {"left children", &TreeArrays::leftChild, nodes},
          {"nodes right of splits", &TreeArrays::rightOfSplit, of.leaves},
          {"arrivals", &TreeArrays::arrivals, nodes},
          {"boxes of tiles", &TreeArrays::tileBoxes, of.tileBoxes}};
}

LinearTrees::LinearTrees(Backend where, std::span<const std::uint32_t> particlesOfType,
                         std::uint32_t perLeaf)
    : layout_(particlesOfType, perLeaf), arrays_(TreeArrays::layout(layout_).make(where)) {
  CELLSCOPE_ASSERT(!layout_.parts.empty());
  arrays_.parts.set(layout_.parts);
  arrays_.arrivals.zero();
}

TreesView LinearTrees::view() const {
  return {arrays_.parts.data(),
          arrays_.nodes.data(),
          arrays_.parents.data(),
          arrays_.particles.data(),
          static_cast<std::uint32_t>(layout_.parts.size()),
          layout_.particles,
          layout_.leaves,
          layout_.nodes,
          {static_cast<float>(box_.length[0]), static_cast<float>(box_.length[1]),
           static_cast<float>(box_.length[2])},
          box_.dimension,
          layout_.perLeaf,
          arrays_.tileBoxes.data(),
          layout_.tileBoxes};
}

std::vector<std::uint64_t> LinearTrees::sortedKeys() const {
  if (layout_.wide()) return arrays_.keys64.array().get();
  const std::vector<std::uint32_t> narrow = arrays_.keys32.array().get();
  return {narrow.begin(), narrow.end()};
}

std::unique_ptr<ListBuilder> makeTreeBuilderCpu(const exec::Shared& exec,
                                                const ListOptions& options) {
  return std::make_unique<TreeBuilderOn<exec::CpuExec>>(exec, options);
}

std::size_t treeBytes(const ListInput& input, const ListOptions& options) {
  std::vector<std::uint32_t> counts;
  for (int t = 0; t < input.table.types; ++t)
    counts.push_back(static_cast<std::uint32_t>(input.countOfType[static_cast<std::size_t>(t)]));
  return LinearTrees::bytesFor(counts, static_cast<std::uint32_t>(options.perLeaf));
}

}  // namespace cellscope
