// Reads the cells around an active cell of the checkerboard, on CUDA.
#pragma once
#include "sim/algo/gcmc/board.h"
#include "sim/algo/gcmc/trace.h"

namespace cellscope {
inline namespace GCMC_TYPES {

// By the kWarps warps of a block. take(cell, k, there, p): by all lanes of a warp, entry k of a
// cell, if it is there; visit(cell, reader): by one of the lanes that read a cell. Half a warp
// reads a cell; the first entries of its next two are on their way.
template <int kWarps>
__device__ void boardOthers(const GcmcBoard& b, const GcmcBoardPlace& place, const auto& visit,
                            const auto& take) {
  constexpr unsigned kAll = 0xffffffffu;
  constexpr int kStep = 2 * kWarps;  // cells at once
  const int mine = static_cast<int>(threadIdx.x % 32), all = gcmcBoardNeighbours(b);
  const int half = static_cast<int>(threadIdx.x) / 16;
  const std::uint32_t first = threadIdx.x % 16, stride = b.held.capacity;
  // Each lane looks one up; the last of them none.
  const std::uint32_t cell = mine < all ? gcmcBoardNeighbour(b, place, mine) : place.cell;
  const std::uint32_t filled = cell != place.cell ? b.held.filled[cell] : 0;
  const auto words = reinterpret_cast<std::uint64_t>(b.held.words(cell));
  struct Cell {
    std::uint32_t number, count;
    const std::uint32_t* word;
    GcmcPoint p;  // of entry `first`
  };
  const auto entry = [&](const Cell& c, std::uint32_t k) {
    return k < c.count ? GcmcPoint{c.word[k], c.word[stride + k], c.word[2 * stride + k]}
                       : GcmcPoint{};
  };
  const auto read = [&](int j) {
    const int lane = min(j + half, 31);
    Cell c{__shfl_sync(kAll, cell, lane),
           __shfl_sync(kAll, filled, lane),
           reinterpret_cast<const std::uint32_t*>(__shfl_sync(kAll, words, lane)),
           {}};
    c.p = entry(c, first);
    return c;
  };
  const auto takeAll = [&](const Cell& c, int j) {
    if (first == 0 && c.number != place.cell)
      visit(c.number, GcmcReader{0, 16 * half, j / kStep + 1, 16, true});
    take(c.number, first, first < c.count, c.p);
#pragma unroll 1
    for (std::uint32_t k = first + 16; __any_sync(kAll, k < c.count); k += 16)
      take(c.number, k, k < c.count, entry(c, k));
  };
  Cell now = read(0), later = read(kStep);
#pragma unroll 1
  for (int j = 0; j < all; j += 2 * kStep) {
    const Cell next = read(j + 2 * kStep), last = read(j + 3 * kStep);
    takeAll(now, j);
    takeAll(later, j + kStep);
    now = next, later = last;
  }
}

}  // namespace GCMC_TYPES
}  // namespace cellscope
