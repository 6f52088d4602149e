// Slots sorted by cells on a GPU against a sort by definition.
#include "sim/exec/cuda_exec.cuh"
//
#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <numeric>
#include <vector>

#include "sim/algo/neighbours/cell_grid.h"
#include "sim/algo/neighbours/cell_order.cuh"
#include "sim/core/rng.h"

namespace cellscope {
namespace {

std::vector<ParticleRecord> scattered(std::size_t n, float most, std::uint32_t seed) {
  std::vector<ParticleRecord> all(n);
  const RngKey key = hashSeed(seed);
  for (std::size_t i = 0; i < n; ++i) {
    const Random4 r = draw(key, RngPurpose::test, 1, static_cast<std::uint32_t>(i), 0);
    const auto at = [&](int a) { return static_cast<float>(most * uniformOpen(r.w[a], r.w[3])); };
    all[i] = {at(0), at(1), at(2), 0};
    if (i % 7 == 0) all[i].x = 0.25f * most;  // of these the number decides
  }
  return all;
}

template <class Key = std::uint64_t, class Grid>
void expectSorted(const std::vector<ParticleRecord>& particles, const Grid& grid) {
  constexpr Backend kGpu = Backend::cuda;
  exec::CudaExec exec;
  const std::size_t n = particles.size(), cells = static_cast<std::size_t>(grid.count());
  const exec::Array<ParticleRecord> records(kGpu, particles);
  const exec::Array<std::uint32_t> first(kGpu, cells + 1), slot(kGpu, n), cell(kGpu, n);
  const exec::Array<Key> unsorted(kGpu, n);
  const exec::Array<ParticleRecord> sorted(kGpu, n);
  const CellOrder<Grid, RecordsBySlot, Key> order{
      {records.data()}, grid, first.data(), slot.data(), cell.data(),
      unsorted.data(),  {},   sorted.data()};
  for (int twice = 0; twice < 2; ++twice) sortByCells(exec, order, n);
  exec.synchronize();

  std::vector<std::uint32_t> right(n), begin(cells + 1, 0);
  std::iota(right.begin(), right.end(), 0u);
  const auto cellOf = [&](std::uint32_t i) { return grid.indexOf(particles[i]); };
  std::stable_sort(right.begin(), right.end(), [&](std::uint32_t a, std::uint32_t b) {
    if (cellOf(a) != cellOf(b)) return cellOf(a) < cellOf(b);
    return sizeof(Key) == 8 && particles[a].x < particles[b].x;
  });
  for (std::uint32_t i = 0; i < n; ++i) ++begin[static_cast<std::size_t>(cellOf(i)) + 1];
  std::partial_sum(begin.begin(), begin.end(), begin.begin());
  EXPECT_EQ(first.get(), begin);
  EXPECT_EQ(slot.get(), right);
  const std::vector<ParticleRecord> got = sorted.get();
  for (std::size_t k = 0; k < n; ++k)
    ASSERT_EQ(std::memcmp(&got[k], &particles[right[k]], sizeof got[k]), 0) << k;
}

TEST(CellOrderCuda, IsThatByCellByXAndByNumber) {
  if (!exec::cudaStatus().usable) GTEST_SKIP() << "no CUDA: " << exec::cudaStatus().reason;
  const Box box = cubicBox(20);
  for (const std::size_t n : {1, 31, 33, 257, 5000, 40000})
    for (const double reach : {2.5, 6.0, 20.0}) {
      if (reach > 6 && n > 5000) continue;
      expectSorted(scattered(n, 19.99f, 4), gridFor(box, reach, n));
    }
  // Most cells are empty, and some have a hundred particles.
  expectSorted(scattered(5000, 6.0f, 5), gridFor(box, 2.5, 5000));
  for (const float most : {19.99f, 6.0f})
    expectSorted<std::uint32_t>(scattered(5000, most, 5), TypedCells{gridFor(box, 2.5, 5000), 1});
}

TEST(CellOrderCuda, OfBinsOfColumnsIsByXAndByNumberToo) {
  if (!exec::cudaStatus().usable) GTEST_SKIP() << "no CUDA: " << exec::cudaStatus().reason;
  for (const std::size_t n : {1, 31, 33, 257, 5000, 40000})
    for (const float most : {19.99f, 5.0f})  // a particle a bin, and up to a hundred in some
      expectSorted(scattered(n, most, 6), columnGridFor(cubicBox(20), n));
}

}  // namespace
}  // namespace cellscope
