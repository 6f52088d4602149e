#include "sim/exec/cuda_exec.cuh"
//
#include <algorithm>
#include <cmath>

#include "sim/algo/lbvh/builder_impl.h"
#include "sim/algo/lbvh/tile_search.cuh"

namespace cellscope {
namespace {

struct SearchByTiles {
  static constexpr bool kSearches = true;

  static void run(exec::CudaExec& exec, const LinearTrees& trees, const TreeQueries& queries,
                  const ParticleRecord* particles, const ListView& out) {
    std::uint32_t tiles[kTileLevels] = {};
    for (const TreePart& part : trees.layout().parts)
      for (int level = 0; level < kTileLevels; ++level) tiles[level] += part.tiles[level];
    if (tiles[0] == 0) return;
    const TreesView view = queries.trees;
    exec.launch("tree tiles", [&] {
      makeTiles<0><<<tiles[1], kMakeTilesThreads, 0, exec.stream()>>>(MakeTiles{
          view.part, particles, trees.sortedSlots(), trees.sortedParticles(), trees.tileBoxes()});
    });
    exec.launch("tree tops", [&] {
      makeTopTiles<0><<<tiles[2], 32, 0, exec.stream()>>>(view.part, trees.tileBoxes());
    });
    const PairTable& table = queries.table;
    const auto last = static_cast<std::uint32_t>(table.types - 1);
    TileQueries q{
        queries, trees.tileBoxes(), out, tiles[0], table.longest(last) > table.longest(0), 0, {}};
    std::uint32_t alone = 0;
    for (std::uint32_t t = 0; t <= last; ++t) {
      const std::uint32_t particles = trees.layout().parts[t].particles;
      const float side = sideOfTile(particles, queries), reach = table.longest(t);
      // More than half as long again as a cube that holds a tile at uniform density, where the
      // reach is long: a search of two parts would take longer than one of both.
      q.longest[t] = 1.5f * side + 0.5f * reach;
      if (particles == 0 || particles > kMostAlone || side < 1.5f * reach) continue;
      q.alone |= 1u << t;
      alone += particles;
    }
    if (alone > 0)
      exec.launch("tree list, particle by particle",
                  [&] { listByOne<0><<<alone, 32, 0, exec.stream()>>>(q); });
    exec.launch("tree list", [&] { listByTiles<0><<<tiles[0], 32, 0, exec.stream()>>>(q); });
  }

 private:
  // Of a type: with more of them a warp for each particle goes through the boxes of the same tiles
  // too often.
  static constexpr std::uint32_t kMostAlone = 16384;

  // Of a cube that holds a tile at uniform density.
  static float sideOfTile(std::uint32_t particles, const TreeQueries& queries) {
    const RecordBox& box = queries.box;
    const double volume = static_cast<double>(box.length[0]) * box.length[1] * box.length[2];
    return static_cast<float>(
        std::pow(kTileWidth * volume / std::max(particles, 1u), 1.0 / box.dimension));
  }
};

}  // namespace

std::unique_ptr<ListBuilder> makeTreeBuilderCuda(const exec::Shared& exec, ListSearch search) {
  return std::make_unique<TreeBuilderOn<exec::CudaExec, SearchByTiles>>(exec, search);
}

}  // namespace cellscope
