// Neighbour lists: of any number of threads, without memory for them, of mixtures; stencils; what
// the methods save. Vectorised searches and forces: every instruction set that this processor has.
#include <numeric>

#include "sim/algo/neighbours/run_search_simd.h"
#include "sim/algo/stencil/list_kernels.h"
#include "sim/algo/verlet/list_rows_simd.h"
#include "sim/exec/machine.h"
#include "tests/support/list_engines.h"

namespace cellscope::test {
namespace {

const exec::Shared& onCpu() {
  static const exec::Shared exec = exec::makeExec({Backend::cpu, 2});
  return exec;
}

std::uint64_t checksOf(const ListState& s, const char* method) {
  const BuiltList list = buildList(onCpu(), listMethod(method), s.particles, s.box, s.table);
  return std::accumulate(list.checks.begin(), list.checks.end(), std::uint64_t{0});
}

// S1, sections 1 and 2: with few large particles stencils and trees check far less than the cells.
TEST(MixtureLists, StencilsAndTreesCheckLess) {
  const Box box = cubicBox(40);
  const ListState s{"", box, scatteredRecords(8000, box, 35, 0.05), twoReaches(3, 12, 0)};
  const std::uint64_t cells = checksOf(s, "cells"), stencils = checksOf(s, "stencils"),
                      tree = checksOf(s, "tree");
  EXPECT_LT(2 * stencils, cells);
  EXPECT_LT(2 * tree, cells);
}

// With one reach the stencil is the standard one: 27 cells, and the same checks.
TEST(MixtureLists, OneReachMakesTheStandardStencil) {
  const Box box = cubicBox(20);
  const ListState s{"", box, scatteredRecords(4000, box, 36), oneReach(2.2, 0.2)};
  EXPECT_EQ(checksOf(s, "stencils"), checksOf(s, "cells"));
  EXPECT_EQ(stencilWithin(box, gridFor(box, 2.4, 4000), 2.4).size(), 27u);
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
    for (const ListState& s : listStates())
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

// Neighbours of particle k among those of the runs, by RecordBox::distanceSquared().
std::vector<std::uint32_t> oneAfterTheOther(const CellSearch& s, std::uint32_t k) {
  std::vector<std::uint32_t> found;
  for (std::size_t r = 0; r < s.runs; ++r)
    for (std::uint32_t m = s.run[r].begin; m < s.run[r].end; ++m)
      if (m != k && s.box.distanceSquared(s.sorted[k], s.sorted[m]) <= s.reachSquared)
        found.push_back(s.slot ? s.slot[m] : m);
  return found;
}

// The lists of particles [begin, end) hold what they should, in that order.
void expectLists(const CellSearch& s, std::uint32_t begin, std::uint32_t end,
                 const std::string& set) {
  std::vector<std::uint32_t> found(end - begin, 9999);
  searchCellFor(set)(s, begin, end, found.data());
  for (std::uint32_t k = begin; k < end; ++k) {
    const std::uint32_t* const row = s.items + (s.slot ? s.slot[k] : k) * s.room;
    ASSERT_LE(found[k - begin], s.room) << set;
    ASSERT_EQ(std::vector<std::uint32_t>(row, row + found[k - begin]), oneAfterTheOther(s, k))
        << set << " " << k;
  }
}

// Runs of every length up to three vectors of sixteen, one after the other, from every kind of
// place: the same neighbours, in the same order, as one after the other.
TEST(ListSimd, SearchesFindWhatOneAfterTheOtherFinds) {
  const std::vector<ParticleRecord> all = scatteredRecords(200, cubicBox(7), 61);
  std::vector<std::uint32_t> items(200 * 128), slots(200);
  for (std::uint32_t k = 0; k < 200; ++k) slots[k] = (77 * k + 5) % 200;
  for (const std::string& set : exec::instructionSets())
    for (std::uint32_t length = 0; length <= 50; ++length) {
      const std::uint32_t begin = 7 + length;
      const SearchRun runs[] = {{begin, begin + length, {}}, {120, 120 + length / 2, {}}};
      for (const std::uint32_t* slot : {static_cast<const std::uint32_t*>(nullptr),
                                        static_cast<const std::uint32_t*>(slots.data())})
        expectLists({all.data(), slot, RecordBox(cubicBox(7)), 2.3f * 2.3f, RunImages::each, runs,
                     2, items.data(), 128},
                    3 * length, 3 * length + 20, set);
    }
  EXPECT_THROW(searchCellFor("none"), InputError);
}

// Particles on both sides of an edge of the box, with the shift of the run, and away from it
// without any image: the nearest images, bit for bit. More of them than are searched at a time.
TEST(ListSimd, ShiftsOfRunsAreNearestImages) {
  std::vector<ParticleRecord> all = scatteredRecords(1500, cubicBox(4), 63);
  for (std::uint32_t k = 700; k < 1500; ++k) all[k].x += 15.9f, all[k].z = 19.9f - all[k].z;
  const SearchRun runs[] = {{0, 700, {}}, {700, 1500, {20, 0, 20}}};
  std::vector<std::uint32_t> items(1500 * 1504);
  const RecordBox box(cubicBox(20));
  for (const std::string& set : exec::instructionSets()) {
    // Reaches that are the distances of pairs themselves tell the last bit.
    for (const std::uint32_t partner : {700u, 801u, 1499u})
      expectLists({all.data(), nullptr, box, box.distanceSquared(all[3], all[partner]),
                   RunImages::byRun, runs, 2, items.data(), 1504},
                  0, 300, set);
    expectLists({all.data(), nullptr, box, 1.0f, RunImages::none, runs, 1, items.data(), 1504}, 100,
                700, set);
  }
}

// What has no room is counted and not written, be it in the middle of a vector or after it.
TEST(ListSimd, SearchesKeepToTheirRoom) {
  const std::vector<ParticleRecord> all(40, ParticleRecord{1, 1, 1, 0});
  const SearchRun run{0, 40, {}};
  for (const std::string& set : exec::instructionSets())
    for (const std::uint32_t room : {8u, 16u, 24u}) {
      std::vector<std::uint32_t> items(8 * room + 64, 77), right(items);
      for (std::uint32_t k = 0; k < room; ++k) {
        right[6 * room + k] = k < 6 ? k : k + 1;
        right[7 * room + k] = k < 7 ? k : k + 1;
      }
      std::uint32_t found[2] = {};
      searchCellFor(set)({all.data(), nullptr, RecordBox(cubicBox(9)), 1.0f, RunImages::each, &run,
                          1, items.data(), room},
                         6, 8, found);
      EXPECT_TRUE(found[0] == 39 && found[1] == 39) << set;
      EXPECT_EQ(items, right) << set << " " << room;
    }
}

// What a kernel of this instruction set makes of rows.
struct NeighbourRows {
  std::vector<std::uint64_t> head{0};
  std::vector<std::uint32_t> count, items;
  void end() {  // of a row
    count.push_back(static_cast<std::uint32_t>(items.size() - head.back()));
    head.push_back(items.size());
  }
};
std::vector<PairSums> sumsOver(const NeighbourRows& rows, const std::vector<ParticleRecord>& all,
                               const RecordBox& box, const AnyLaw& law, const std::string& set) {
  std::vector<Vec4> force(all.size());
  std::vector<Vec2> terms(all.size());
  listRowsFor(set)({all.data(),
                    {{rows.head.data()}, rows.count.data(), rows.items.data()},
                    box,
                    force.data(),
                    terms.data()},
                   law, 0, all.size());
  std::vector<PairSums> sums;
  for (std::size_t i = 0; i < all.size(); ++i)
    sums.push_back({force[i].x, force[i].y, force[i].z, terms[i].x, terms[i].y});
  return sums;
}

// Every law of one species and of two, over every instruction set: forces, energies and virials to
// what floats leave of them.
TEST(ListSimd, RowsOfEveryLawAreThoseOfDoublePrecision) {
  MdState s = shakenLiquid(300);
  PairSettings p;
  p.species.whole[0] = 11, p.species.whole[1] = 6, p.species.truncation = Truncation::force;
  const RecordBox rounded(s.box);
  for (const bool mixture : {false, true}) {
    if (mixture) mix(s, p);
    std::vector<ParticleRecord> all;
    for (std::size_t i = 0; i < s.position.size(); ++i)
      all.push_back(rounded.record(s.position[i], s.type.empty() ? 0u : s.type[i]));
    NeighbourRows rows;
    for (std::uint32_t i = 0; i < all.size(); ++i) {
      for (std::uint32_t j = 0; j < all.size(); ++j)
        if (j != i && rounded.distanceSquared(all[i], all[j]) < 11) rows.items.push_back(j);
      rows.end();
    }
    for (p.potential = 0; p.potential < kPotentials; ++p.potential) {
      const BruteForce right = bruteForce(s, p);
      withLaw<float>(p.potential, p.species, [&](const auto& law) {
        const AnyLaw any = anyLaw(p.potential, p.species.types, law);
        for (const std::string& set : exec::instructionSets())
          EXPECT_LT(deviation(sumsOver(rows, all, rounded, any, set), right), kFloatTerms)
              << set << " " << p.potential << (mixture ? " mixture" : "");
      });
    }
  }
}

}  // namespace
}  // namespace cellscope::test
