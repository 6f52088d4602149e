// What grand-canonical chains store: lists of their arrays, which make them and give before how
// many bytes they take.
#pragma once
#include <cmath>
#include <cstddef>
#include <cstdint>

#include "sim/algo/gcmc/grid.h"
#include "sim/base/box.h"
#include "sim/core/gcmc_pair.h"
#include "sim/exec/layout.h"

namespace cellscope {

// Slots for n particles: a quarter more, so that slow growth does not allocate again and again.
constexpr std::size_t gcmcRoom(std::size_t n) { return n + n / 4 + 64; }

// Particles in the fullest of many cells with this mean: four standard deviations
// above it, of a liquid, whose variance is about a third of that of an ideal gas. Cells of a gas
// have room to spare.
inline std::uint32_t gcmcFullest(double mean) {
  return static_cast<std::uint32_t>(std::ceil(mean + 4 * std::sqrt(mean / 3)));
}
// Entries per cell, at least this number; more where the fullest cell needs them.
constexpr std::uint32_t gcmcEntries(std::uint32_t least, std::uint32_t fullest) {
  return fullest <= least ? least : fullest + fullest / 4 + 1;
}

// Entries of the cells of the tuned chains on CUDA to begin with.
inline constexpr std::uint32_t kGcmcChainEntries = 32;

struct GcmcParticleArrays {
  exec::Array<GcmcPoint> point;
  exec::Array<ParticleId> id;
  static exec::Layout<GcmcParticleArrays> layout(std::size_t room) {
    return {{"positions", &GcmcParticleArrays::point, room},
            {"ids", &GcmcParticleArrays::id, room}};
  }
};

// Cells whose entries are slots. Without any: {}.
struct GcmcCellArrays {
  exec::Array<std::uint32_t> filled, entry, edge;
  static exec::Layout<GcmcCellArrays> layout(const GcmcCube& cube, std::uint32_t entries) {
    const std::size_t cells = cube.allCells();
    return {{"particles in each cell", &GcmcCellArrays::filled, cells},
            {"slots in each cell", &GcmcCellArrays::entry, cells * entries},
            {"edges of cells", &GcmcCellArrays::edge, gcmcEdges(cube).size()}};
  }
};

// Particles that lie by cell, one after another, for files and drawing.
struct GcmcRowArrays {
  exec::Array<std::uint32_t> first;
  GcmcParticleArrays particles;
  static exec::Layout<GcmcRowArrays> layout(std::size_t cells, std::size_t n) {
    return {{"first of each cell", &GcmcRowArrays::first, cells + 1},
            {"in a row", &GcmcRowArrays::particles, GcmcParticleArrays::layout(n + n / 8 + 64)}};
  }
  // Room for this number; contents are not kept.
  void reserve(Backend where, std::size_t cells, std::size_t n) {
    if (first.size() == cells + 1 && particles.point.size() >= n) return;
    *this = {};
    *this = layout(cells, n).make(where);
  }
};

}  // namespace cellscope
