// Overlapping disks, of which a cell shift would bring five into one cell: every engine names the
// same cell and keeps the same state, that before the shift.
#include "sim/base/error.h"
#include "sim/exec/machine.h"
#include "tests/support/disk_states.h"
#include "tests/support/message_of.h"

namespace cellscope::test {
namespace {

constexpr int kCrowd = 5, kAlone = 60;

// Five disks in a heap on the border of two cells, three on one side and two on the other: they
// are too near each other to move, and a shift along the axis by more than a hundredth of a cell
// puts them into one cell. Others move freely elsewhere.
DiskCells heapOnBorder(bool alongY) {
  const GridInfo grid = chooseGrid(400, 0.4).grid;
  const double w = grid.w;
  std::vector<double> xy;
  std::vector<std::uint32_t> ids;
  for (const double along : {2.991, 2.994, 2.997, 3.003, 3.006}) {
    const double x = alongY ? 3.5 : along, y = alongY ? along : 3.5;
    xy.insert(xy.end(), {x * w, y * w});
  }
  for (int k = 0; k < kAlone; ++k)
    xy.insert(xy.end(), {(k % 10 + 0.5) * w, (6 + k / 10 + 0.5) * w});
  for (std::uint32_t k = 0; k < kCrowd + kAlone; ++k) ids.push_back(k);
  return fillCells(grid, xy, ids);
}

// Sweeps in long stretches until one fails; the failure, and "" when none did.
std::string sweepUntilFull(MpmcEngine& engine, const MpmcParameters& p) {
  return messageOf<RunError>([&] {
    for (std::uint64_t first = 0; first < 400; first += 40) engine.sweeps(p, first, 40);
  });
}

struct Try {
  std::string name;
  std::unique_ptr<MpmcEngine> engine;
};

std::vector<Try> engines() {
  std::vector<Try> all;
  for (const std::string& kernels : exec::instructionSets())
    for (const int threads : {1, 3})
      all.push_back({kernels + std::to_string(threads), makeMpmcEngineCpu(threads, kernels)});
  if (!exec::cudaStatus().usable) return all;
  for (const MpmcMappingInfo& info : kMpmcMappings) {
    all.push_back({std::string("cuda, ") + info.key, makeMpmcEngine({.backend = Backend::cuda})});
    all.back().engine->setMapping(info);
  }
  return all;
}

TEST(MpmcOverflow, SweepsNameTheCellAndKeepTheState) {
  for (const bool alongY : {false, true})
    for (const int moves : {4, 6}) {
      const DiskCells start = heapOnBorder(alongY);
      MpmcParameters p;
      p.seed = 5;
      p.nMoves = moves;
      const auto oracle = engineWith(start, 1, "scalar");
      const std::string expected = sweepUntilFull(*oracle, p);
      ASSERT_NE(expected.find("overflowed while shifting"), std::string::npos) << expected;
      ASSERT_FALSE(identical(oracle->download(), start));  // the others moved before
      for (Try& t : engines()) {
        SCOPED_TRACE(t.name + (alongY ? ", along y, " : ", along x, ") + std::to_string(moves));
        t.engine->upload(start);
        EXPECT_EQ(sweepUntilFull(*t.engine, p), expected);
        EXPECT_TRUE(identical(t.engine->download(), oracle->download()));
        EXPECT_EQ(t.engine->check().disks, static_cast<std::uint64_t>(kCrowd + kAlone));
        // It can go on with another state, and fails again with this one.
        t.engine->upload(someDisks(400, 0.4, 2));
        EXPECT_EQ(sweepUntilFull(*t.engine, p), "");
        t.engine->upload(start);
        EXPECT_EQ(sweepUntilFull(*t.engine, p), expected);
      }
    }
}

TEST(MpmcOverflow, SingleShiftsNameTheCellAndKeepTheState) {
  for (int direction = 0; direction < 4; ++direction) {
    const DiskCells start = heapOnBorder(direction >= 2);
    const CellShift shift{direction, 0.25f};
    const auto oracle = engineWith(start, 1, "scalar");
    const std::string expected = messageOf<RunError>([&] { oracle->shift(shift); });
    EXPECT_FALSE(expected.empty());
    for (Try& t : engines()) {
      SCOPED_TRACE(t.name + ", direction " + std::to_string(direction));
      t.engine->upload(start);
      EXPECT_EQ(messageOf<RunError>([&] { t.engine->shift(shift); }), expected);
      EXPECT_TRUE(identical(t.engine->download(), start));
    }
  }
}

}  // namespace
}  // namespace cellscope::test
