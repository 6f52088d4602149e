// Systems of more than 2^31 of something: numbers and sizes of their layouts, without their memory.
#include <gmock/gmock.h>

#include "sim/algo/gcmc/board.h"
#include "sim/algo/mpmc/domains.h"
#include "sim/algo/neighbours/list.h"
#include "sim/modes/hard_disks/parameters.h"
#include "sim/modes/md/parameters.h"

namespace cellscope {
namespace {

constexpr std::int64_t kDisks = std::int64_t{45056} * 45056;  // 2.03e9

TEST(LargeSystems, OfDisksHaveNumbersBeyond32Bits) {
  const GridInfo g = chooseGrid(kDisks, 0.698).grid;
  const auto cells = static_cast<std::size_t>(g.m) * static_cast<std::size_t>(g.m);
  EXPECT_GT(4 * cells, std::size_t{1} << 32);
  EXPECT_EQ(g.slot(g.m - 1, g.m - 1, 3), 4 * cells - 1) << "the last column is odd";
  EXPECT_EQ(DiskCells::layout(g).bytes(), cells * (4 * (8 + 4) + 1));
  EXPECT_LT(cells, std::size_t{1} << 32) << "random numbers count cells with 32 bits";
  EXPECT_EQ(cellIndex(g, cells - 1).y, g.m - 1);
  EXPECT_EQ(g.id(g.m - 1, g.m - 1), cells - 1);
  EXPECT_LE(kDisks, HardDiskParameters::kLargestN);
  EXPECT_LT(HardDiskParameters::kLargestN, std::int64_t{1} << 32) << "ids have 32 bits";
}

TEST(LargeSystems, OfDisksAreCutIntoPartsThatAGpuCanMove) {
  const GridInfo whole = chooseGrid(kDisks, 0.698).grid;
  EXPECT_THROW(refuseManySlots(whole), InputError);
  for (const int parts : {2, 4, 8}) {
    const GridInfo strip = stripOf(whole, parts, parts - 1);
    EXPECT_NO_THROW(refuseManySlots(strip));
    const double share = static_cast<double>(DiskCells::layout(strip).bytes()) /
                         static_cast<double>(DiskCells::layout(whole).bytes());
    EXPECT_NEAR(share, 1.0 / parts, 14.0 / whole.m);  // halos of 6 rows, whole pairs of rows
  }
  EXPECT_NO_THROW(refuseManySlots(chooseGrid(std::int64_t{32768} * 32768, 0.698).grid));
}

TEST(LargeSystems, OfParticlesHaveListsBeyond32Bits) {
  const ListHeads heads{nullptr, 112, {100'000'000, 100'000'000}};
  EXPECT_EQ(heads[199'999'999], std::uint64_t{11'199'999'888});
  EXPECT_EQ(heads.room(99'999'999), 0u);
}

// What there is of all particles on every domain: records, tags, order, energies, origins; the rest
// of its own.
TEST(LargeSystems, OfParticlesTakeLessOnEachOfMoreDevices) {
  md::MdParameters p;
  p.n = 200'000'000;
  p.method.index = 1;
  ASSERT_EQ(p.by().key, std::string("cells"));
  const auto bytes = [&](int devices) {
    const ExecConfig config{.backend = Backend::cuda, .domains = devices, .devices = devices};
    return static_cast<double>(p.by().bytes(p, config)) / static_cast<double>(p.n);
  };
  const double one = bytes(1);
  for (const int k : {2, 4, 8}) {
    constexpr double kOfAll = 128 + 48;  // the first one has room for positions and velocities
    EXPECT_LT(bytes(k), kOfAll + (one - 120) / k) << k;
  }
  EXPECT_LT(bytes(2), 0.66 * one);
  EXPECT_LT(bytes(4), 0.48 * one);
}

TEST(LargeSystems, RefuseMethodsThatCannotCountThem) {
  md::MdParameters p;
  p.n = 300'000'000;
  const Box box = p.box();
  const auto refused = [&](int method) {
    p.method.index = method;
    return p.by().refused(static_cast<std::size_t>(p.n), box, p.pair(), 0).value_or("");
  };
  std::vector<std::string> reasons;
  for (std::size_t k = 0; k < md::methods().size(); ++k) {
    if (!refused(static_cast<int>(k)).empty()) reasons.push_back(p.by().key);
  }
  EXPECT_THAT(reasons, testing::UnorderedElementsAre("all_pairs", "placeholder_cells", "tree"));
}

TEST(LargeSystems, OfCellsByLayersHoldTheirPartOnly) {
  GcmcBoard b{};
  b.rules.dimension = 3;
  b.cube.count[0] = b.cube.count[1] = b.cube.count[2] = 800;
  b.held.capacity = 64;
  const std::size_t all = std::size_t{800} * 800 * 800;
  EXPECT_EQ(b.held.idAt(static_cast<std::uint32_t>(all - 1), 63), 64 * all - 1);
  for (const std::uint32_t domains : {2u, 7u, 16u}) {
    b.domains = domains;
    for (b.domain = 0; b.domain < domains; ++b.domain)
      for (const std::uint32_t shift : {0u, 1u, 5'368'709u, 2'147'483'648u, ~0u}) {
        const std::uint32_t shifts[3] = {0, 0, shift};
        const GcmcBoardLayers own = gcmcBoardLayers(b, shifts);
        EXPECT_LE(own.count + 2, gcmcBoardMostHeld(b));
        const int first = gcmcBoardFirstHeld(b, own);
        for (const int layer : {own.first - 1, own.first, own.first + own.count}) {
          const int at[3] = {3, 2, (layer + 800) % 800};
          EXPECT_EQ(gcmcBoardNumber(b, at, first),
                    static_cast<std::uint32_t>(((layer - own.first + 1) * 800 + 2) * 800 + 3));
        }
      }
    EXPECT_LE(gcmcBoardMostHeld(b), 800 / static_cast<int>(domains) + 3);
  }
}

}  // namespace
}  // namespace cellscope
