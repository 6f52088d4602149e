// What the search by tiles reads (tile_search.cuh), without distances, to be timed: boxes of tiles
// are tested, and the particles of those within reach are read, once for all that search together.
#pragma once
#include "sim/algo/lbvh/tile_search.cuh"
#include "sim/algo/neighbours/read_only.h"

namespace cellscope {

struct WalkTiles {
  TileQueries of;
  std::uint32_t* unread;
};

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
template <int>  // a template, so that each file may have it
__global__ void __launch_bounds__(32, 24) walkByTiles(__grid_constant__ const WalkTiles w) {
  const TileQueries& q = w.of;
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
  read.end(w.unread);
}

// As listByOne().
template <int>
__global__ void __launch_bounds__(32) walkByOne(__grid_constant__ const WalkTiles w) {
  const TileTargets one = particleOf(w.of);
  const TreeParticle p = w.of.of.trees.particle[one.from];
  SearchLane s;
  s.k = one.from;
  s.p = {p.x, p.y, p.z, one.type};
  boundLanes(w.of.of.box, s.p, s);
  ReadOnly read;
  readTiles(w.of, one.type, s, read);
  read.end(w.unread);
}

}  // namespace cellscope
