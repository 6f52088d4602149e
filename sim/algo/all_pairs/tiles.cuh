// Hand-tuned all-pairs pass for CUDA: tiles of S2, section 2.1, with three changes.
//  - A thread owns kOwned particles, so that one shared-memory read serves kOwned pairs.
//  - Partners are split into chunks over blockIdx.y, so that small systems fill the GPU. Partial
//    sums are added in a fixed order afterwards: no atomics, the same result in every run.
//  - Every pair's distance is computed; the rest of the pair law only where some lane of the warp
//    is within the cutoff.
// The distance test is in floats and uses min(|d|, L - |d|) = L/2 - ||d| - L/2| per axis: three
// additions. Pairs that pass are evaluated from the integer coordinates of images.h.
#pragma once
#include "sim/algo/all_pairs/arrays.h"
#include "sim/algo/all_pairs/tile_forces.h"

namespace cellscope {

inline constexpr float kNoParticle = 1e18f;  // coordinate of an empty slot: far from everything

struct TilePass {
  const LatticePosition* lattice;
  Vec4* partialForce;    // chunks x n: force and energy
  float* partialVirial;  // chunks x n
  std::int32_t n;
  std::int32_t tilesPerChunk;
  Vec3 half;                // L / 2 along each axis
  Vec3 unit;                // L / 2^32
  float reach2;             // longest r_c^2 with a margin for the rounding of the distance test
  std::int32_t column = 0;  // of the first blocks
};

inline Vec3 halfSides(const Box& box) {
  const auto half = [&](int axis) { return 0.5f * static_cast<float>(box.length[axis]); };
  return {half(0), half(1), half(2)};
}

// kind: types; null: all of type 0.
struct ToLattice {
  const Vec3d* position;
  const ParticleRecord* kind;
  LatticePosition* lattice;
  Vec3d steps;
  HOST_DEVICE void operator()(std::size_t i) const {
    lattice[i] = latticePosition(position[i], steps, kind ? kind[i].type : 0);
  }
};

__device__ inline float3 coordinates(LatticePosition p, Vec3 unit) {
  return make_float3(__uint2float_rn(static_cast<unsigned>(p.x)) * unit.x,
                     __uint2float_rn(static_cast<unsigned>(p.y)) * unit.y,
                     __uint2float_rn(static_cast<unsigned>(p.z)) * unit.z);
}

__device__ inline float foldedSquared(float a, float b, float half) {
  const float folded = half - fabsf(fabsf(a - b) - half);
  return folded * folded;
}

// One tile of partners in shared memory.
template <int kRoom>
struct Partners {
  float4 at[kRoom];
  LatticePosition lattice[kRoom];

  __device__ void load(const TilePass& p, int j, int slot) {
    float3 c = make_float3(kNoParticle, kNoParticle, kNoParticle);
    LatticePosition exact{0, 0, 0, 0};
    if (j < p.n) {
      exact = p.lattice[j];
      c = coordinates(exact, p.unit);
    }
    __syncthreads();  // all threads are done with the tile before
    at[slot] = make_float4(c.x, c.y, c.z, 0.0f);
    lattice[slot] = exact;
    __syncthreads();
  }
};

// The particles of one thread.
template <class Law>
struct OwnedParticles {
  float3 at[kOwned];
  LatticePosition lattice[kOwned];
  RunningSums<float> sums[kOwned];

  __device__ void load(const TilePass& p, int first, int stride) {
#pragma unroll
    for (int o = 0; o < kOwned; ++o) {
      const int i = first + o * stride;
      at[o] = make_float3(-kNoParticle, -kNoParticle, -kNoParticle);
      lattice[o] = {0, 0, 0, 0};
      if (i < p.n) {
        lattice[o] = p.lattice[i];
        at[o] = coordinates(lattice[o], p.unit);
      }
    }
  }

  __device__ void meet(const TilePass& p, const Law& law, float4 q,
                       const LatticePosition& partner) {
    float r2[kOwned];
    bool near = false;
#pragma unroll
    for (int o = 0; o < kOwned; ++o) {
      r2[o] = foldedSquared(at[o].x, q.x, p.half.x) + foldedSquared(at[o].y, q.y, p.half.y) +
              foldedSquared(at[o].z, q.z, p.half.z);
      near = near || r2[o] < p.reach2;
    }
    if (!near) return;
    const LatticePosition exact = partner;
#pragma unroll
    for (int o = 0; o < kOwned; ++o)
      if (r2[o] < p.reach2) add(law, o, exact, p.unit);
  }

  __device__ void add(const Law& law, int o, LatticePosition q, Vec3 unit) {
    const float dx = __int2float_rn(latticeDifference(lattice[o].x, q.x)) * unit.x;
    const float dy = __int2float_rn(latticeDifference(lattice[o].y, q.y)) * unit.y;
    const float dz = __int2float_rn(latticeDifference(lattice[o].z, q.z)) * unit.z;
    const float r2 = dx * dx + dy * dy + dz * dz;
    const auto& pair = law.of(lattice[o].type, q.type);
    // r2 = 0 is the particle itself: no force, no energy.
    if (r2 < pair.cutoffSquared && r2 > 0.0f) sums[o].add(pair, dx, dy, dz, r2);
  }

  __device__ void store(const TilePass& p, int first, int stride) const {
#pragma unroll
    for (int o = 0; o < kOwned; ++o) {
      const int i = first + o * stride;
      if (i >= p.n) continue;
      const std::size_t to = static_cast<std::size_t>(blockIdx.y) * p.n + i;
      const RunningSums<float>& s = sums[o];
      p.partialForce[to] = {s.fx, s.fy, s.fz, s.energy};
      p.partialVirial[to] = s.virial;
    }
  }
};

// tile = n_B: threads per block and partners per tile; kRoom at most.
template <int kRoom, class Law>
__device__ __forceinline__ void passTiles(const TilePass& p, const Law& law, int tile) {
  __shared__ Partners<kRoom> partners;
  const int thread = static_cast<int>(threadIdx.x);
  const int first = (p.column + static_cast<int>(blockIdx.x)) * tile * kOwned + thread;
  OwnedParticles<Law> own;
  own.load(p, first, tile);
  const int begin = static_cast<int>(blockIdx.y) * p.tilesPerChunk;
  for (int t = begin; t < begin + p.tilesPerChunk && t * tile < p.n; ++t) {
    partners.load(p, t * tile + thread, thread);
#pragma unroll 4
    for (int k = 0; k < tile; ++k) own.meet(p, law, partners.at[k], partners.lattice[k]);
  }
  own.store(p, first, tile);
}

template <int kTile, class Law>
__global__ void __launch_bounds__(kTile) tilePassKernel(TilePass p, Law law) {
  passTiles<kTile>(p, law, kTile);
}

// The same for a law of types, whose table stays where all threads read it: one kernel for all
// tiles.
template <class Law>
__global__ void __launch_bounds__(kLargestTile)
    tilePassOfTypes(__grid_constant__ const TilePass p, __grid_constant__ const Law law) {
  passTiles<kLargestTile>(p, law, static_cast<int>(blockDim.x));
}

// In the files of laws (sim/algo/md/pair_law.h).
struct CudaTilePass {
  using Real = float;
  cudaStream_t stream;
  int tile;
  TileGrid grid;
  const TilePass& pass;

  template <class Law>
  void operator()(const Law& law) const {
    const dim3 blocks(static_cast<unsigned>(grid.columns), static_cast<unsigned>(grid.chunks));
    const auto threads = static_cast<unsigned>(tile);
    if constexpr (Law::kByTypes) {
      tilePassOfTypes<<<blocks, threads, 0, stream>>>(pass, law);
    } else {
      const auto with = [&](auto n) {
        if (decltype(n)::value == tile)
          tilePassKernel<decltype(n)::value><<<blocks, threads, 0, stream>>>(pass, law);
      };
      with(std::integral_constant<int, 32>{}), with(std::integral_constant<int, 64>{});
      with(std::integral_constant<int, 128>{}), with(std::integral_constant<int, 256>{});
    }
  }
};

// Adds the chunks of one particle in order, in double. Partial energies count each pair whole.
struct AddChunks {
  const Vec4* partialForce;
  const float* partialVirial;
  PairSums* sums;
  std::int32_t n, chunks;

  HOST_DEVICE void operator()(std::size_t i) const {
    PairSums s{0, 0, 0, 0, 0};
    for (int c = 0; c < chunks; ++c) {
      const std::size_t at = static_cast<std::size_t>(c) * n + i;
      const Vec4 f = partialForce[at];
      s.fx += f.x, s.fy += f.y, s.fz += f.z;
      s.energy += f.w, s.virial += partialVirial[at];
    }
    s.energy *= 0.5, s.virial *= 0.5;
    sums[i] = s;
  }
};

// The pass in tiles with a part left out, to be timed: nothing comes of it. records: partners are
// read from the tiles; otherwise tiles are loaded only.
template <int>  // a template, so that each file may have it
__global__ void __launch_bounds__(kLargestTile)
    tileWalkKernel(__grid_constant__ const TilePass pass, bool records) {
  __shared__ Partners<kLargestTile> partners;
  const int tile = static_cast<int>(blockDim.x), thread = static_cast<int>(threadIdx.x);
  const int begin = static_cast<int>(blockIdx.y) * pass.tilesPerChunk;
  ReadOnly read;
  for (int t = begin; t < begin + pass.tilesPerChunk && t * tile < pass.n; ++t) {
    partners.load(pass, t * tile + thread, thread);
    if (!records) read.take(partners.at[thread].x, 0, 0);
#pragma unroll 4
    for (int k = 0; records && k < tile; ++k) {
      const float4 q = partners.at[k];
      read.take(q.x, q.y, q.z);
    }
  }
  read.end();
}

}  // namespace cellscope
