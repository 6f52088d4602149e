// Slots sorted by cells on a GPU against a sort by definition.
#include "sim/exec/cuda_exec.cuh"
//
#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <numeric>
#include <vector>

#include "sim/algo/verlet/cell_order.cuh"
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

void expectSorted(const std::vector<ParticleRecord>& particles, const CellGrid& grid) {
  constexpr Backend kGpu = Backend::cuda;
  exec::CudaExec exec;
  const std::size_t n = particles.size(), cells = static_cast<std::size_t>(grid.count());
  const exec::Array<ParticleRecord> records(kGpu, particles);
  const exec::Array<std::uint32_t> first(kGpu, cells + 1), slot(kGpu, n), cell(kGpu, n);
  const exec::Array<std::uint64_t> unsorted(kGpu, n);
  const CellOrder order{{{records.data(), nullptr}, nullptr},
                        grid,
                        first.data(),
                        slot.data(),
                        cell.data(),
                        unsorted.data(),
                        {}};
  for (int twice = 0; twice < 2; ++twice) sortByCells(exec, order, n);
  exec.synchronize();

  std::vector<std::uint32_t> right(n), begin(cells + 1, 0);
  std::iota(right.begin(), right.end(), 0u);
  const auto cellOf = [&](std::uint32_t i) { return grid.indexOf(particles[i]); };
  std::stable_sort(right.begin(), right.end(), [&](std::uint32_t a, std::uint32_t b) {
    return cellOf(a) != cellOf(b) ? cellOf(a) < cellOf(b) : particles[a].x < particles[b].x;
  });
  for (std::uint32_t i = 0; i < n; ++i) ++begin[static_cast<std::size_t>(cellOf(i)) + 1];
  std::partial_sum(begin.begin(), begin.end(), begin.begin());
  EXPECT_EQ(first.get(), begin);
  EXPECT_EQ(slot.get(), right);
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
}

}  // namespace
}  // namespace cellscope
