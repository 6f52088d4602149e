// Lists from a hierarchy of fixed shape over the order of the trees, searched by warps: 32
// particles that follow each other along the Z-order curve (a tile) look for their neighbours
// together, with the box around them. A node has 32 children, which the lanes test at once; the
// particles of the tiles that are left are offered to all lanes
// (sim/algo/neighbours/lane_search.cuh). Lists come out in the order of the walks (ListFromTrees):
// by type, by image, along the curve.
//
// Not for boxes in which two images of a particle may be within reach.
#pragma once
#include "sim/algo/lbvh/query.h"
#include "sim/algo/neighbours/lane_search.cuh"
#include "sim/exec/warp_reduce.cuh"

namespace cellscope {

inline constexpr unsigned kMakeTilesThreads = kTileWidth * kTileWidth;

// Particles in sorted order, boxes of tiles and those of 32 tiles: a block for each of the latter.
struct MakeTiles {
  const TreePart* part;
  const ParticleRecord* particles;
  const std::uint32_t* slot;
  TreeParticle* out;
  TileBounds* box;
};

// Smallest and largest of the lanes' coordinates, which are not negative, in every lane.
__device__ __forceinline__ TileBounds boxOfLanes(const float* low, const float* high) {
  TileBounds b{};
#pragma unroll
  for (int a = 0; a < 3; ++a) {
    b.low[a] = __uint_as_float(exec::minOverWarp(__float_as_uint(fabsf(low[a]))));
    b.high[a] = __uint_as_float(exec::maxOverWarp(__float_as_uint(fabsf(high[a]))));
  }
  return b;
}

__global__ void __launch_bounds__(kMakeTilesThreads)
    makeTiles(__grid_constant__ const MakeTiles m) {
  __shared__ TileBounds tile[kTileWidth];
  const unsigned warp = threadIdx.x / 32, lane = threadIdx.x % 32;
  std::uint32_t above = blockIdx.x, t = 0;
  while (above >= m.part[t].tiles[1]) above -= m.part[t++].tiles[1];
  const TreePart& part = m.part[t];
  const std::uint32_t first = part.firstParticle + above * kMakeTilesThreads + 32 * warp;
  const std::uint32_t end = part.firstParticle + part.particles;
  if (first < end) {
    const std::uint32_t k = min(first + lane, end - 1), i = m.slot[k];
    const ParticleRecord p = m.particles[i];
    if (first + lane < end) m.out[k] = {p.x, p.y, p.z, i};
    const float x[3] = {p.x, p.y, p.z};
    const TileBounds b = boxOfLanes(x, x);
    if (lane == 0) tile[warp] = m.box[part.firstTile[0] + above * kTileWidth + warp] = b;
  }
  __syncthreads();
  if (warp != 0) return;
  const std::uint32_t tiles = min(part.tiles[0] - above * kTileWidth, kTileWidth);
  const TileBounds& mine = tile[min(lane, tiles - 1)];
  const TileBounds b = boxOfLanes(mine.low, mine.high);
  if (lane == 0) m.box[part.firstTile[1] + above] = b;
}

// The boxes of level 2 of all types, a warp for each.
__global__ void __launch_bounds__(32) makeTopTiles(const TreePart* parts, TileBounds* box) {
  std::uint32_t above = blockIdx.x, t = 0;
  while (above >= parts[t].tiles[2]) above -= parts[t++].tiles[2];
  const TreePart& part = parts[t];
  const std::uint32_t last = part.tiles[1] - 1;
  const TileBounds mine = box[part.firstTile[1] + min(above * kTileWidth + threadIdx.x, last)];
  const TileBounds b = boxOfLanes(mine.low, mine.high);
  if (threadIdx.x == 0) box[part.firstTile[2] + above] = b;
}

struct TileQueries {
  TreeQueries of;
  const TileBounds* box;
  ListView out;
  std::uint32_t tiles;  // of all types
  bool lastTypeFirst;   // the longest searches begin first
  std::uint32_t alone;  // bits: types whose particles are searched for one by one, by listByOne()
  float
      longest[kMostTypes];  // side of the box around lanes of a type that are searched for at once

  __device__ bool isAlone(std::uint32_t type) const { return (alone >> type & 1) != 0; }
};

// Bits of the boxes [first, first + 32) of a level that are within reach of the lanes' own box.
__device__ __forceinline__ std::uint32_t boxesNear(const TileBounds* box, std::uint32_t first,
                                                   std::uint32_t boxes, const SearchLane& s) {
  const std::uint32_t at = first + threadIdx.x;
  bool near = at < boxes;
  if (near) {
    const float4 low = __ldg(reinterpret_cast<const float4*>(box + at));
    const float4 high = __ldg(reinterpret_cast<const float4*>(box + at) + 1);
    const float l[3] = {low.x, low.y, low.z}, h[3] = {high.x, high.y, high.z};
    float gap2 = 0;
#pragma unroll
    for (int a = 0; a < 3; ++a) {
      const float below = l[a] - s.centre[a], above = s.centre[a] - h[a];
      const float gap = fmaxf(fmaxf(below, above) - s.half[a], 0.0f);
      gap2 += gap * gap;
    }
    near = gap2 <= s.keptSquared;
  }
  return __ballot_sync(0xffffffffu, near);
}

// The particles of a tile on their way from memory while those of the one before are offered.
struct TileAhead {
  float4 particle{};
  std::uint32_t first = 0, end = 0;  // none where first == end
};

template <class Difference>
__device__ __forceinline__ void offerTile(const Difference& d, const TileAhead& tile,
                                          SearchLane& s) {
  const float x[3] = {tile.particle.x, tile.particle.y, tile.particle.z};
  keepNear(d, tile.first + threadIdx.x < tile.end, x, __float_as_uint(tile.particle.w), s);
  const bool targets = __any_sync(0xffffffffu, s.k - tile.first < 32 && s.k < tile.end);
  s.targetsKept = s.targetsKept || targets;
  if (s.kept >= kTested) takeKept(d, targets, s);
}

// take(tile) for all tiles of a tree that are within reach of the lanes' own box.
template <class Take>
__device__ __forceinline__ void forTilesNear(const TileQueries& q, const TreePart& part,
                                             const SearchLane& s, const Take& take) {
  const auto* const particles = reinterpret_cast<const float4*>(q.of.trees.particle);
  const std::uint32_t end = part.firstParticle + part.particles;
  TileAhead ahead;
  for (std::uint32_t top = 0; top < part.tiles[2]; top += 32) {
    std::uint32_t tops = boxesNear(q.box + part.firstTile[2], top, part.tiles[2], s);
    for (; tops != 0; tops &= tops - 1) {
      const std::uint32_t middle = 32 * (top + __ffs(tops) - 1);
      std::uint32_t middles = boxesNear(q.box + part.firstTile[1], middle, part.tiles[1], s);
      for (; middles != 0; middles &= middles - 1) {
        const std::uint32_t low = 32 * (middle + __ffs(middles) - 1);
        std::uint32_t lows = boxesNear(q.box + part.firstTile[0], low, part.tiles[0], s);
        for (; lows != 0; lows &= lows - 1) {
          TileAhead next;
          next.first = part.firstParticle + 32 * (low + __ffs(lows) - 1);
          next.end = min(next.first + 32, end);
          next.particle = __ldg(particles + min(next.first + threadIdx.x, end - 1));
          if (ahead.first != ahead.end) take(ahead);
          ahead = next;
        }
      }
    }
  }
  if (ahead.first != ahead.end) take(ahead);
}

template <class Difference>
__device__ __forceinline__ void searchTiles(const TileQueries& q, const TreePart& part,
                                            const Difference& d, SearchLane& s) {
  forTilesNear(q, part, s, [&](const TileAhead& tile) { offerTile(d, tile, s); });
  endOffers(d, s);
}

inline constexpr std::uint32_t kNoParticle = ~0u;

// search(difference) for all images of the tree of one type that the lanes' box reaches into.
template <class Search>
__device__ __forceinline__ void forImages(const TileQueries& q, float reach, SearchLane& s,
                                          const Search& search) {
  const RecordBox& box = q.of.box;
  const float wide = q.of.widened(reach);
  const float centre[3] = {s.centre[0], s.centre[1], s.centre[2]};
  std::int32_t first[3], last[3];
#pragma unroll
  for (int a = 0; a < 3; ++a) {
    const bool axis = a < box.dimension;
    first[a] = axis && centre[a] + s.half[a] + wide >= box.length[a] ? -1 : 0;
    last[a] = axis && centre[a] - s.half[a] - wide <= 0 ? 1 : 0;
  }
  for (std::int32_t z = first[2]; z <= last[2]; ++z)
    for (std::int32_t y = first[1]; y <= last[1]; ++y)
      for (std::int32_t x = first[0]; x <= last[0]; ++x) {
        if (x == 0 && y == 0 && z == 0) {
          search(PlainDifference{});
          continue;
        }
        const ShiftedDifference d{{static_cast<float>(x) * box.length[0],
                                   static_cast<float>(y) * box.length[1],
                                   static_cast<float>(z) * box.length[2]}};
        const std::uint32_t k = s.k;
        s.k = kNoParticle;  // the lane's own particle is further away than its reach
#pragma unroll
        for (int a = 0; a < 3; ++a) s.centre[a] = centre[a] + d.shift[a];
        search(d);
#pragma unroll
        for (int a = 0; a < 3; ++a) s.centre[a] = centre[a];
        s.k = k;
      }
}

// After the last target from `first` on up to which the box around the lanes' particles is nowhere
// longer than `longest`.
__device__ __forceinline__ std::uint32_t endOfPart(const SearchLane& s, std::uint32_t first,
                                                   std::uint32_t targets, float longest) {
  const std::uint32_t lane = threadIdx.x;
  float low[3] = {s.p.x, s.p.y, s.p.z}, high[3] = {s.p.x, s.p.y, s.p.z};
  for (std::uint32_t d = 1; d < 32; d *= 2)
#pragma unroll
    for (int a = 0; a < 3; ++a) {
      const float l = __shfl_up_sync(0xffffffffu, low[a], d);
      const float h = __shfl_up_sync(0xffffffffu, high[a], d);
      if (lane >= first + d) low[a] = fminf(low[a], l), high[a] = fmaxf(high[a], h);
    }
  bool beyond = lane > first;
  beyond = beyond &&
           (high[0] - low[0] > longest || high[1] - low[1] > longest || high[2] - low[2] > longest);
  const std::uint32_t all = __ballot_sync(0xffffffffu, beyond);
  return all == 0 ? targets : min(targets, static_cast<std::uint32_t>(__ffs(all)) - 1);
}

// For the lanes [first, end) of a tile of this type.
__device__ __forceinline__ void searchPart(const TileQueries& q, std::uint32_t type,
                                           std::uint32_t first, std::uint32_t end, SearchLane& s) {
  boundTargets(q.of.box, first, end, s);
  for (std::uint32_t t = 0; t < q.of.trees.types; ++t) {
    const float reach = q.of.table.reach(type, t);
    if (!(reach > 0) || q.of.trees.part[t].particles == 0) continue;
    const float most = q.of.table.reachSquared(type, t);
    setTargets(s, first, end, most);
    s.keptSquared = keptSquared(most);
    const TreePart& part = q.of.trees.part[t];
    forImages(q, reach, s, [&](const auto& d) { searchTiles(q, part, d, s); });
  }
}

// Particles that are searched for together, or one that is searched for alone.
struct TileTargets {
  std::uint32_t type, from, count;  // from: number of the first in the order of the trees
};

// Of the thread block for tiles.
__device__ __forceinline__ TileTargets tileOf(const TileQueries& q) {
  std::uint32_t tile = blockIdx.x;
  if (q.lastTypeFirst) tile = q.tiles - 1 - tile;
  std::uint32_t type = 0;
  while (tile >= q.of.trees.part[type].tiles[0]) tile -= q.of.trees.part[type++].tiles[0];
  const TreePart& part = q.of.trees.part[type];
  const std::uint32_t from = part.firstParticle + 32 * tile;
  return {type, from, min(part.firstParticle + part.particles - from, 32u)};
}
// Of the thread block for single particles.
__device__ __forceinline__ TileTargets particleOf(const TileQueries& q) {
  std::uint32_t number = blockIdx.x;
  for (std::uint32_t type = 0;; ++type) {
    if (!q.isAlone(type)) continue;
    const TreePart& part = q.of.trees.part[type];
    if (number < part.particles) return {type, part.firstParticle + number, 1};
    number -= part.particles;
  }
}

__global__ void __launch_bounds__(32, 24) listByTiles(__grid_constant__ const TileQueries q) {
  __shared__ LaneSearchShared shared;
  const unsigned lane = threadIdx.x;
  const TileTargets tile = tileOf(q);
  if (q.isAlone(tile.type)) return;
  SearchLane s;
  s.shared = &shared;
  s.k = tile.from + min(lane, tile.count - 1);
  const TreeParticle p = q.of.trees.particle[s.k];
  s.p = {p.x, p.y, p.z, tile.type};
  s.slot = p.slot;
  s.items = q.out.items + q.out.head[p.slot];
  s.room = q.out.room(p.slot);
  beginLists(s);
  for (std::uint32_t first = 0; first < tile.count;) {
    const std::uint32_t end = endOfPart(s, first, tile.count, q.longest[tile.type]);
    searchPart(q, tile.type, first, end, s);
    first = end;
  }
  if (lane < tile.count) q.out.finish(p.slot, tile.type, s.written);
}

// The particles of a tile as candidates of one particle, which all lanes have: one for each lane.
template <class Difference>
__device__ __forceinline__ void testTile(const Difference& d, const TileAhead& tile,
                                         float reachSquared, SearchLane& s) {
  const std::uint32_t lane = threadIdx.x, at = tile.first + lane;
  const float dx = d.of(s.p.x, tile.particle.x, 0), dy = d.of(s.p.y, tile.particle.y, 1);
  const float dz = d.of(s.p.z, tile.particle.z, 2);
  const bool near = at < tile.end && at != s.k && dx * dx + dy * dy + dz * dz <= reachSquared;
  const std::uint32_t all = __ballot_sync(0xffffffffu, near);
  const std::uint32_t place = s.written + __popc(all & ((1u << lane) - 1));
  if (near && place < s.room) s.items[place] = __float_as_uint(tile.particle.w);
  s.written += static_cast<std::uint32_t>(__popc(all));
}

// Particles that are few and far from each other: a warp for each. 32 of them that follow each
// other along the curve span too much of the box to be searched for together, and a warp that
// searches for one after the other is the last to end.
__global__ void __launch_bounds__(32) listByOne(__grid_constant__ const TileQueries q) {
  const TileTargets one = particleOf(q);
  const std::uint32_t type = one.type;
  SearchLane s;
  s.k = one.from;
  const TreeParticle p = q.of.trees.particle[s.k];
  s.p = {p.x, p.y, p.z, type};
  s.items = q.out.items + q.out.head[p.slot], s.room = q.out.room(p.slot);
  boundLanes(q.of.box, s.p, s);
  for (std::uint32_t t = 0; t < q.of.trees.types; ++t) {
    const float reach = q.of.table.reach(type, t);
    const TreePart& part = q.of.trees.part[t];
    if (!(reach > 0) || part.particles == 0) continue;
    const float reach2 = q.of.table.reachSquared(type, t);
    s.keptSquared = keptSquared(reach2);
    forImages(q, reach, s, [&](const auto& d) {
      forTilesNear(q, part, s, [&](const TileAhead& tile) { testTile(d, tile, reach2, s); });
    });
  }
  if (threadIdx.x == 0) q.out.finish(p.slot, type, s.written);
}

}  // namespace cellscope
