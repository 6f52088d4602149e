// How the tuned CUDA pass cuts its work: a thread owns kOwned particles, a column of blocks holds
// all of them, and the partners are cut into chunks of tiles.
#pragma once

namespace cellscope {

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

}  // namespace cellscope
