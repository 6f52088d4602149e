#include "sim/exec/cuda_exec.cuh"
//

#include "sim/algo/lbvh/builder_impl.h"
#include "sim/algo/lbvh/tile_search.cuh"

namespace cellscope {

// What the search by tiles reads (tile_search.cuh), without distances, to be timed: boxes of tiles
// are tested, and the particles of those within reach are read, once for all that search together.

// For the lanes' own box and particles of this type.
__device__ __forceinline__ void readTiles(const TileQueries& q, std::uint32_t type, SearchLane& s,
                                          ReadOnly& read) {
  for (std::uint32_t t = 0; t < q.of.trees.types; ++t) {
    const float reach = q.of.table.reach(type, t);
    const TreePart& part = q.of.trees.part[t];
    if (!(reach > 0) || part.particles == 0) continue;
    s.keptSquared = keptSquared(q.of.table.reachSquared(type, t));
    forImages(q, reach, s, [&](const auto&) {
      forTilesNear(q, part, s, [&](const TileAhead& tile) {
        read.take(tile.particle.x, tile.particle.y, tile.particle.z);
        read.take(__float_as_uint(tile.particle.w));
      });
    });
  }
}

// As listByTiles().
__global__ void __launch_bounds__(32, 24) walkByTiles(__grid_constant__ const TileQueries q) {
  const TileTargets tile = tileOf(q);
  if (q.isAlone(tile.type)) return;
  SearchLane s;
  s.k = tile.from + min(threadIdx.x, tile.count - 1);
  const TreeParticle p = q.of.trees.particle[s.k];
  s.p = {p.x, p.y, p.z, tile.type};
  ReadOnly read;
  for (std::uint32_t first = 0; first < tile.count;) {
    const std::uint32_t end = endOfPart(s, first, tile.count, q.longest[tile.type]);
    boundTargets(q.of.box, first, end, s);
    readTiles(q, tile.type, s, read);
    first = end;
  }
  read.end();
}

// As listByOne().
__global__ void __launch_bounds__(32) walkByOne(__grid_constant__ const TileQueries q) {
  const TileTargets one = particleOf(q);
  const TreeParticle p = q.of.trees.particle[one.from];
  SearchLane s;
  s.k = one.from;
  s.p = {p.x, p.y, p.z, one.type};
  boundLanes(q.of.box, s.p, s);
  ReadOnly read;
  readTiles(q, one.type, s, read);
  read.end();
}

namespace {

struct SearchByTiles {
  static constexpr bool kSearches = true;

  // The tiles over sorted particles.
  static void make(exec::CudaExec& exec, const LinearTrees& trees,
                   const ParticleRecord* particles) {
    const TreesView view = trees.view();
    const auto tiles = tilesOf(trees);
    if (tiles[0] == 0) return;
    exec.launch("tree tiles", [&] {
      makeTiles<<<tiles[1], kMakeTilesThreads, 0, exec.stream()>>>(MakeTiles{
          view.part, particles, trees.sortedSlots(), trees.sortedParticles(), trees.tileBoxes()});
    });
    exec.launch("tree tops", [&] {
      makeTopTiles<<<tiles[2], 32, 0, exec.stream()>>>(view.part, trees.tileBoxes());
    });
  }

  static void search(exec::CudaExec& exec, const LinearTrees& trees, const TreeQueries& queries,
                     const ListView& out) {
    order(exec, planned(trees, queries, out), "tree list, particle by particle", listByOne,
          "tree list", listByTiles);
  }

  // The same without distances.
  static void walk(exec::CudaExec& exec, const LinearTrees& trees, const TreeQueries& queries) {
    order(exec, planned(trees, queries, {}), "tiles walked, particle by particle", walkByOne,
          "tiles walked", walkByTiles);
  }

 private:
  // Searches, and the particles of types that are searched for one by one.
  struct Planned {
    TileQueries queries;
    std::uint32_t alone;
  };
  static void order(exec::CudaExec& exec, const Planned& p, const char* nameOfOne, auto byOne,
                    const char* name, auto byTiles) {
    if (p.alone > 0)
      exec.launch(nameOfOne, [&] { byOne<<<p.alone, 32, 0, exec.stream()>>>(p.queries); });
    if (p.queries.tiles > 0)
      exec.launch(name, [&] { byTiles<<<p.queries.tiles, 32, 0, exec.stream()>>>(p.queries); });
  }

  // Of all types, by level.
  static std::array<std::uint32_t, kTileLevels> tilesOf(const LinearTrees& trees) {
    std::array<std::uint32_t, kTileLevels> tiles{};
    for (const TreePart& part : trees.layout().parts)
      for (std::size_t level = 0; level < tiles.size(); ++level) tiles[level] += part.tiles[level];
    return tiles;
  }

  static Planned planned(const LinearTrees& trees, const TreeQueries& queries,
                         const ListView& out) {
    const PairTable& table = queries.table;
    const auto last = static_cast<std::uint32_t>(table.types - 1);
    Planned p{{queries,
               trees.tileBoxes(),
               out,
               tilesOf(trees)[0],
               table.longest(last) > table.longest(0),
               0,
               {}},
              0};
    for (std::uint32_t t = 0; t <= last; ++t) {
      const std::uint32_t particles = trees.layout().parts[t].particles;
      const float side = sideOfTile(particles, queries), reach = table.longest(t);
      // More than half as long again as a cube that holds a tile at uniform density, where the
      // reach is long: a search of two parts would take longer than one of both.
      p.queries.longest[t] = 1.5f * side + 0.5f * reach;
      if (particles == 0 || particles > kMostAlone || side < 1.5f * reach) continue;
      p.queries.alone |= 1u << t;
      p.alone += particles;
    }
    return p;
  }

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

std::unique_ptr<ListBuilder> makeTreeBuilderCuda(const exec::Shared& exec,
                                                 const ListOptions& options) {
  return std::make_unique<TreeBuilderOn<exec::CudaExec, SearchByTiles>>(exec, options);
}

}  // namespace cellscope
