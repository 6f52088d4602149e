// Neighbour lists: of any number of threads, without memory for them, of mixtures; stencils; what
// the methods save.
#include <numeric>

#include "sim/algo/stencil/stencil.h"
#include "sim/base/error.h"
#include "tests/support/list_states.h"
#include "tests/support/mixture_lists.h"

namespace cellscope {
namespace {

const exec::Shared& onCpu() {
  static const exec::Shared exec = exec::makeExec({Backend::cpu, 2});
  return exec;
}

std::uint64_t checksOf(const test::ListState& s, const char* method) {
  const BuiltList list = buildList(onCpu(), test::listMethod(method), s.particles, s.box, s.table);
  return std::accumulate(list.checks.begin(), list.checks.end(), std::uint64_t{0});
}

// S1, sections 1 and 2: with few large particles stencils and trees check far less than the cells.
TEST(MixtureLists, StencilsAndTreesCheckLess) {
  const Box box = cubicBox(40);
  const test::ListState s{"", box, test::scatteredRecords(8000, box, 35, 0.05),
                          test::twoReaches(3, 12, 0)};
  const std::uint64_t cells = checksOf(s, "cells"), stencils = checksOf(s, "stencils"),
                      tree = checksOf(s, "tree");
  EXPECT_LT(2 * stencils, cells);
  EXPECT_LT(2 * tree, cells);
}

// With one reach the stencil is the standard one: 27 cells, and the same checks.
TEST(MixtureLists, OneReachMakesTheStandardStencil) {
  const Box box = cubicBox(20);
  const test::ListState s{"", box, test::scatteredRecords(4000, box, 36), test::oneReach(2.2, 0.2)};
  EXPECT_EQ(checksOf(s, "stencils"), checksOf(s, "cells"));
  const CellGrid grid = gridFor(box, 2.4, 4000);
  EXPECT_EQ(stencilWithin(box, grid, 2.4).size(), 27u);
}

// Least distance of two cells, over all images, by trying points of both.
double sampledDistance(const Box& box, const CellGrid& grid, const StencilCell& s) {
  double least2 = 0;
  for (int a = 0; a < box.dimension; ++a) {
    const double w = box.length[a] / grid.cells[a];
    const std::int32_t o = (a == 0 ? s.x : a == 1 ? s.y : s.z);
    double least = 1e30;
    for (int p = 0; p <= 4; ++p)
      for (int q = 0; q <= 4; ++q) {
        const double d = w * (o + 0.25 * (p - q));
        least = std::min(least, std::abs(d - box.length[a] * std::round(d / box.length[a])));
      }
    least2 += least * least;
  }
  return std::sqrt(least2);
}

TEST(Stencil, HoldsEveryCellWithinReachOnceByDistance) {
  for (const Box& box : {Box{3, {11, 7, 5}}, Box{2, {23, 9, 1}}, cubicBox(4)})
    for (const double width : {0.8, 1.0, 2.4})
      for (const double reach : {0.3, 1.0, 2.0, 3.7}) {
        const CellGrid grid = gridFor(box, width, 100000);
        const auto stencil = stencilWithin(box, grid, reach);
        std::vector<bool> held(static_cast<std::size_t>(grid.count()), false);
        double before = 0;
        for (const StencilCell& s : stencil) {
          EXPECT_NEAR(s.distance, sampledDistance(box, grid, s), 1e-3);
          EXPECT_GE(s.distance, before);
          before = s.distance;
          const auto cell = static_cast<std::size_t>(grid.index(
              (s.x + grid.cells[0]) % grid.cells[0], (s.y + grid.cells[1]) % grid.cells[1],
              (s.z + grid.cells[2]) % grid.cells[2]));
          EXPECT_FALSE(held[cell]) << "a cell twice";
          held[cell] = true;
        }
        for (std::int32_t z = 0; z < grid.cells[2]; ++z)
          for (std::int32_t y = 0; y < grid.cells[1]; ++y)
            for (std::int32_t x = 0; x < grid.cells[0]; ++x)
              EXPECT_TRUE(held[static_cast<std::size_t>(grid.index(x, y, z))] ||
                          sampledDistance(box, grid, {x, y, z, 0}) >= reach)
                  << x << ' ' << y << ' ' << z;
      }
}

TEST(Stencil, NoReachNoCells) {
  EXPECT_TRUE(stencilWithin(cubicBox(9), gridFor(cubicBox(9), 1, 100), 0).empty());
}

// Otherwise results would depend on the number of threads.
TEST(NeighbourLists, OrderIsThatOfOneThread) {
  const exec::Shared one = exec::makeExec({Backend::cpu, 1});
  for (const ListMethod& m : listMethods())
    for (const test::ListState& s : test::listStates())
      EXPECT_EQ(buildList(one, m, s.particles, s.box, s.table).neighbours,
                buildList(onCpu(), m, s.particles, s.box, s.table).neighbours)
          << m.key << ": " << s.name;
}

// More neighbours than memory holds: the list is as it was before, and can be built.
TEST(NeighbourLists, WhatDoesNotFitLeavesTheRoomsAsTheyWere) {
  constexpr std::size_t kScratch = 100000000;  // more than the neighbours need
  NeighbourList list(Backend::cpu);
  ListInput in;
  in.n = 16384, in.box = cubicBox(30), in.countOfType = {in.n};
  in.table.set(0, 0, 2.5, 0.3);
  list.prepare(in, kScratch);
  const std::size_t bytes = list.bytes();
  const std::uint32_t room = list.roomOf(0);
  EXPECT_EQ(bytes, NeighbourList::bytesFor(in, kScratch));
  EXPECT_GE(list.itemMemory().bytes(), kScratch);
  EXPECT_THROW(list.grow({1, {4294967288u}}), OutOfMemory);
  EXPECT_EQ(list.roomOf(0), room);
  EXPECT_EQ(list.bytes(), bytes);
  EXPECT_EQ(list.growths(), 0u);
}

// What the states above stand for: the brute force finds pairs in nearly all of them, and the same
// ones for both partners.
TEST(NeighbourLists, BruteForceIsSymmetric) {
  std::size_t withPairs = 0;
  for (const test::ListState& s : test::listStates()) {
    const auto lists = test::listsByBruteForce(s);
    bool any = false;
    for (std::uint32_t i = 0; i < lists.size(); ++i)
      for (const std::uint32_t j : lists[i]) {
        any = true;
        EXPECT_TRUE(std::binary_search(lists[j].begin(), lists[j].end(), i)) << s.name;
      }
    withPairs += any;
  }
  EXPECT_GE(withPairs, test::listStates().size() - 2);
}

}  // namespace
}  // namespace cellscope
