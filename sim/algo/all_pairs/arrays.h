// What an engine of all-pairs molecular dynamics stores: lists of its arrays, which make them and
// give before how many bytes they take.
#pragma once
#include <cstddef>

#include "sim/algo/all_pairs/images.h"
#include "sim/algo/md/system.h"
#include "sim/exec/layout.h"

namespace cellscope {

// How the tuned CUDA pass cuts its work: a thread owns kOwned particles, a column of blocks holds
// all of them, and the partners are cut into chunks of tiles.
inline constexpr int kOwned = 4;  // particles per thread
// Threads a pass should have in flight. Fixed, not asked of the device: the order of summation,
// and with it the result, depends on the particles and n_B alone.
inline constexpr int kThreadsWanted = 1 << 19;

struct TileGrid {
  int columns, chunks, tilesPerChunk;
  // Columns that fill a GPU by themselves, if the progress of a long pass is reported.
  int columnsPerReport(int tile) const { return kThreadsWanted / tile; }
};

constexpr TileGrid tileGrid(int n, int tile) {
  const auto divideUp = [](int a, int b) { return (a + b - 1) / b; };
  const int columns = divideUp(n, tile * kOwned), tiles = divideUp(n, tile);
  const int wanted = divideUp(kThreadsWanted, columns * tile);
  const int perChunk = divideUp(tiles, wanted < tiles ? wanted : tiles);
  return {columns, divideUp(tiles, perChunk), perChunk};
}

struct MdArrays {
  exec::Array<Vec3d> position, velocity;
  exec::Array<PairSums> sums;
  static exec::Layout<MdArrays> layout(std::size_t n) {
    return {{"positions", &MdArrays::position, n},
            {"velocities", &MdArrays::velocity, n},
            {"forces", &MdArrays::sums, n}};
  }
  auto to(const MdArrays& other) const {
    return copyItems(position, other.position, velocity, other.velocity, sums, other.sums);
  }
};

// Integer coordinates of the vectorised loop.
struct LatticeArrays {
  static constexpr std::size_t kPadding = 16;  // a vector may read this far past the last particle
  exec::Array<std::int32_t> x, y, z;
  exec::Array<std::uint32_t> number;  // of the particle at each place, where they lie by type
  static exec::Layout<LatticeArrays> layout(std::size_t n, int types = 1) {
    return {{"x in steps", &LatticeArrays::x, n + kPadding},
            {"y in steps", &LatticeArrays::y, n + kPadding},
            {"z in steps", &LatticeArrays::z, n + kPadding},
            {"particles by type", &LatticeArrays::number, types > 1 ? n : 0}};
  }
};

// The same of the tuned tiles, and the sums of each chunk of partners.
struct TileArrays {
  exec::Array<LatticePosition> lattice;
  exec::Array<Vec4> force;
  exec::Array<float> virial;
  static exec::Layout<TileArrays> layout(std::size_t n, const TileGrid& grid) {
    const std::size_t sums = static_cast<std::size_t>(grid.chunks) * n;
    return {{"coordinates in steps", &TileArrays::lattice, n},
            {"forces of chunks", &TileArrays::force, sums},
            {"virials of chunks", &TileArrays::virial, sums}};
  }
};

}  // namespace cellscope
