// Molecular dynamics with placeholder cells: the same bodies on the CPU and on CUDA.
#include <numeric>

#include "tests/support/backend_test.h"
#include "tests/support/hard_disks.h"
#include "tests/support/list_engines.h"
#include "tests/support/md_modes.h"

namespace cellscope::test {
namespace {

BACKEND_TESTS(PlaceholderCellsOf);

std::unique_ptr<MdEngine> inSlots(const exec::Shared& exec, const MdState& s,
                                  const PairSettings& p) {
  auto engine = makePlaceholders(exec);
  forcesOf(*engine, s, p);
  return engine;
}

PairSettings withReach(double cutoff, double skin) {
  PairSettings p{.cutoff = cutoff, .skin = skin};
  p.species.cutoff[0] = cutoff;
  return p;
}

void expectRight(const std::vector<PairSums>& got, const MdState& s, const PairSettings& p,
                 const std::string& name) {
  expectSums(got, bruteForce(s, p), name, floatPositions(s.box));
}

// Each particle in one slot.
void expectWhole(const MdState& s, std::size_t n) {
  std::vector<std::uint32_t> order = s.order, all(n);
  std::iota(all.begin(), all.end(), 0u);
  std::sort(order.begin(), order.end());
  EXPECT_EQ(order, all);
}

TEST_P(PlaceholderCellsOf, ForcesEnergiesAndVirialsAreThoseOfBruteForce) {
  for (int potential = 0; potential + 1 < static_cast<int>(potentialKeys().size()); ++potential)
    for (const bool mixture : {false, true})
      for (const bool plane : {false, true})
        for (const PairKernel kernel : {PairKernel::tuned, PairKernel::teams}) {
          MdState s = plane ? shakenPlane(15, 1.1) : shakenLiquid(864);
          PairSettings p = withReach(2.5, 0.2);
          p.potential = potential, p.kernel = kernel;
          if (mixture) mix(s, p);
          const auto engine = makePlaceholders(exec());
          expectRight(forcesOf(*engine, s, p), s, p,
                      potentialKeys()[static_cast<std::size_t>(potential)]);
          expectWhole(engine->download(), s.position.size());
        }
}

// The states of the lists that have room for three cells a side. Particles at the same position
// exert no force on each other; those very close make sums that no float holds: cut out.
TEST_P(PlaceholderCellsOf, EveryConfigurationIsRight) {
  int tried = 0, ofTypes = 0;
  for (const ListState& l : listStates()) {
    PairSettings p = withReach(std::min(2.5, l.box.shortest() / 3.3), 0.05);
    p.species.types = l.table.types;
    for (int t = 1; t < p.species.types; ++t) {
      p.species.cutoff[t] = (t % 2 == 0 ? 0.9 : 0.6) * p.cutoff;
      p.species.epsilon[t] = 1.4;
    }
    MdState s{.box = l.box};
    const RecordBox rounded(l.box);
    std::vector<ParticleRecord> taken;
    for (const ParticleRecord& r : l.particles) {
      if (std::ranges::any_of(taken, [&](const ParticleRecord& q) {
            return rounded.distanceSquared(r, q) < 0.49f && rounded.distanceSquared(r, q) > 0;
          }))
        continue;
      taken.push_back(r);
      s.position.push_back({r.x, r.y, r.z});
      if (l.table.types > 1) s.type.push_back(static_cast<std::uint8_t>(r.type));
    }
    ofTypes += l.table.types > 1;
    s.velocity.resize(s.position.size());
    if (placeholdersRefused(s.position.size(), s.box, p)) continue;
    const auto engine = makePlaceholders(exec());
    // In the smallest boxes the cutoff lies in the core, where terms of the shifted potential
    // cancel: the tolerance of the widest box.
    expectSums(forcesOf(*engine, s, p), bruteForce(s, p), l.name, floatPositions(squareBox(200)));
    expectWhole(engine->download(), s.position.size());
    ++tried;
  }
  EXPECT_GT(tried, 18);
  EXPECT_GT(ofTypes, 0);
}

// Cells are as wide as the cutoff of two colloids, and more particles than slots are refused.
TEST_P(PlaceholderCellsOf, ColloidsAreRight) {
  PairSettings p;
  const MdState s = colloidsInSolvent(p, 9000);
  const auto refused = placeholdersRefused(s.position.size(), s.box, p);
  ASSERT_FALSE(refused) << *refused;
  EXPECT_EQ(placeholderShape(s.position.size(), s.box, p).grid.cells[0], 3);
  const auto engine = inSlots(exec(), s, p);
  expectRight(engine->pairSums(), s, p, "colloids");
  expectWhole(engine->download(), s.position.size());
  const auto crowd = placeholdersRefused(40000, s.box, p);
  ASSERT_TRUE(crowd);
  EXPECT_TRUE(contains(*crowd, "at most 512 slots")) << *crowd;
}

// After many steps, whatever the skin, no particle is lost and no pair missed; a smaller skin makes
// more refreshes.
TEST_P(PlaceholderCellsOf, CellsStayValid) {
  std::uint64_t refreshes[2] = {};
  int k = 0;
  MdState start = shakenLiquid(864);  // side 10.08
  // Planes of the crystal on the faces of the cells, so that particles cross them at once.
  const double shift = start.box.length[0] / 24;
  for (Vec3d& r : start.position) r = start.box.wrap({r.x + shift, r.y + shift, r.z + shift});
  for (const double skin : {0.6, 0.0}) {
    // Three cells with a wide margin, or with none at all.
    const PairSettings p = withReach(skin > 0 ? 2.5 : start.box.length[0] / 3 - 1e-4, skin);
    const auto engine = inSlots(exec(), start, p);
    engine->run(0.004, 0, 60, {});
    EXPECT_FALSE(engine->failure());
    const MdState s = engine->download();
    expectWhole(s, start.position.size());
    EXPECT_NE(s.order, inSlots(exec(), start, p)->download().order)
        << "particles have crossed cells";
    expectRight(engine->pairSums(), s, p, std::to_string(skin));
    refreshes[k++] = engine->history().builds;
  }
  EXPECT_EQ(refreshes[0], 0u);
  EXPECT_GT(refreshes[1], 40u);
}

// Cells are as narrow as cutoff and skin allow, and no narrower (S2, section 3.1), where there are
// fewer of them than particles.
TEST(PlaceholderShapes, CellsHaveRoomForCutoffAndSkin) {
  int narrow = 0;
  for (const double length : {8.2, 10.4, 10.6, 15.0, 23.9})
    for (const double cutoff : {1.5, 2.5})
      for (const double skin : {0.0, 0.1, 0.45, 1.1}) {
        const CellGrid grid =
            placeholderShape(100000, cubicBox(length), withReach(cutoff, skin)).grid;
        const double width = length / grid.cells[0], least = cutoff + skin;
        EXPECT_GE(width, least) << length << ' ' << least;
        EXPECT_LT(length / (grid.cells[0] + 1), least * (1 + 1e-4)) << length << ' ' << least;
        narrow += length / (grid.cells[0] + 1) >= cutoff;  // but for the skin there would be more
      }
  EXPECT_GT(narrow, 5);
}

TEST(PlaceholderShapes, CellsTouchAcrossTheEdge) {
  const PlaceholderShape shape = placeholderShape(1000, cubicBox(15.01), withReach(2.5, 0.5));
  const auto next = [&](std::uint32_t cell, float x) { return shape.nextTo(cell, {x, 1, 1, 0}); };
  EXPECT_TRUE(next(0, 14) && next(4, 1) && next(1, 1) && next(4, 11));
  EXPECT_FALSE(next(0, 7) || next(4, 4) || next(2, 14));
}

// Two particles approach each other from cells that do not touch, each by more than half of what a
// cell is wider than the cutoff, and by less than the whole of it, which S2 allows one particle:
// they come within the cutoff unseen unless the cells are refreshed before the forces. Along each
// axis, across a cell in the middle and across the edge of the box.
TEST_P(PlaceholderCellsOf, TwoThatApproachEachOtherAreSeen) {
  const PairSettings p = withReach(2.5, 0.5);
  const Box box = cubicBox(15.01);  // five cells of 3.002: half of what is wider is 0.251
  constexpr double kWidth = 15.01 / 5;
  ASSERT_EQ(placeholderShape(2, box, p).grid.cells[0], 5);
  constexpr double kDt = 0.01;
  for (int axis = 0; axis < 3; ++axis)
    for (const double left : {kWidth, 4 * kWidth})
      for (const double way : {0.2, 0.3, 0.45}) {
        SCOPED_TRACE(std::to_string(axis) + " from " + std::to_string(left) + " by " +
                     std::to_string(way));
        double at[2][3] = {{7.4, 7.4, 7.4}, {7.4, 7.4, 7.4}}, to[2][3] = {};
        at[0][axis] = left - 0.01, at[1][axis] = std::fmod(left + kWidth + 0.01, 15.01);
        to[0][axis] = way / kDt, to[1][axis] = -way / kDt;
        MdState s{.box = box};
        for (int k = 0; k < 2; ++k) {
          s.position.push_back({at[k][0], at[k][1], at[k][2]});
          s.velocity.push_back({to[k][0], to[k][1], to[k][2]});
        }
        const auto engine = inSlots(exec(), s, p);
        ASSERT_EQ(engine->history().builds, 0u);
        engine->run(kDt, 0, 1, {});
        ASSERT_FALSE(engine->failure());
        EXPECT_EQ(engine->history().builds, way > 0.26 ? 1u : 0u) << "refreshes";
        const MdState after = engine->download();
        const std::vector<PairSums> right = bruteForce(after, p).sums;
        for (std::size_t k = 0; k < 2; ++k) {
          const Vec4& f = after.force.at(k);
          const double got[3] = {f.x, f.y, f.z},
                       wanted[3] = {right[k].fx, right[k].fy, right[k].fz};
          EXPECT_EQ(wanted[axis] != 0, way > 0.26) << "3.022 - 2 way against a cutoff of 2.5";
          // Forces are floats, of distances of floats up to 15: 1e-6 of a distance, times the
          // slope of the force, about 0.1.
          for (int a = 0; a < 3; ++a) EXPECT_NEAR(got[a], wanted[a], 1e-6);
        }
      }
}

TEST_P(PlaceholderCellsOf, FollowsTheTrajectoryOfTheLists) {
  const MdState start = shakenLiquid(864);
  const PairSettings p = withReach(2.5, 0.2);
  const auto engine = inSlots(exec(), start, p), lists = makeVerlet(exec());
  forcesOf(*lists, start, p);
  engine->run(0.004, 0, 60, {}), lists->run(0.004, 0, 60, {});
  EXPECT_LT(largestMove(engine->download(), lists->download()), 2e-4);
  EXPECT_NEAR(engine->totals().potential, lists->totals().potential, 0.01);
}

// A cell with too few slots: at the start, and while particles stream into one.
TEST_P(PlaceholderCellsOf, OverflowGrowsTheSlots) {
  MdState s = shakenLiquid(864);
  PairSettings p = withReach(2.5, 0.2);
  p.slots = 8;
  auto engine = inSlots(exec(), s, p);
  expectRight(engine->pairSums(), s, p, "few slots");
  // A dilute gas: three particles of a cell of 1.25 times the mean, all on their way to one point.
  s = shakenLiquid(256, 0.05);
  p.slots = 1;
  const double l = s.box.length[0];
  for (std::size_t i = 0; i < s.position.size(); ++i) {
    const Vec3d r = s.position[i];
    s.velocity[i] = {6 * (0.5 - r.x / l), 6 * (0.5 - r.y / l), 6 * (0.5 - r.z / l)};
  }
  engine = inSlots(exec(), s, p);
  const std::uint64_t grown = engine->listGrowths();
  engine->run(0.002, 0, 1000, {});
  EXPECT_FALSE(engine->failure());
  EXPECT_GT(engine->listGrowths(), grown);
  const MdState after = engine->download();
  expectWhole(after, s.position.size());
  expectRight(engine->pairSums(), after, p, "after the stream");
}

// Slots grow in between. Forces are part of the state.
TEST_P(PlaceholderCellsOf, BatchesDoNotMatter) {
  PairSettings p = withReach(2.5, 0.0);
  p.slots = 1;
  expectBatchesDoNotMatter([&] { return inSlots(exec(), shakenLiquid(864), p); },
                           [](MdEngine& e, std::uint64_t step) { e.updateListPart(0, step); },
                           [](MdEngine& e, const MdState& s) { e.upload(s); });
}

std::unique_ptr<MdMode> modeWithCells(const ExecConfig& config) {
  return startedMd(config, "n=864 method=placeholder_cells");
}

TEST_P(PlaceholderCellsOf, CheckpointsResumeBitForBit) {
  for (const int phases : {0, 1, 2, 3}) {
    auto a = modeWithCells(config());
    a->advance(20);
    for (int k = 0; k < phases; ++k) a->advancePhase();
    MdMode b(config(1));
    load(b, saved(*a));
    EXPECT_EQ(saved(*a), saved(b)) << phases;
    a->advance(30), b.advance(30);
    EXPECT_EQ(saved(*a), saved(b)) << phases;
  }
}

TEST_P(PlaceholderCellsOf, PickedParticlesShowTheirSlots) {
  auto mode = modeWithCells(config());
  mode->advance(5);
  const auto frame =
      mode->frame({{"particles", "cells", "searched"}, "", mode->configuration().ids[17]});
  const std::string slots = cardRow(*frame, "slots of the cell");
  EXPECT_TRUE(contains(slots, "placeholders")) << slots;
  const LayerData& cells = layerNamed(*frame, "cells");
  EXPECT_EQ(cells.count, 27u) << cells.reason;
}

// Every slot of every cell, in it; as many of particles as there are particles.
TEST_P(PlaceholderCellsOf, SlotsAreDrawn) {
  auto mode = modeWithCells(config());
  const ViewRequest view{{layers::kParticles, layers::kSlots}, "", -1};
  const auto frame = mode->frame(view);
  const LayerData& layer = frame->layers.at(1);
  ASSERT_EQ(layer.key, layers::kSlots);
  ASSERT_EQ(layer.count, 27u * 40) << "a quarter more than the mean of 32, in steps of 8";
  const auto points = drawnItems<PointInstance>(layer);
  std::size_t real = 0;
  const double side = frame->box.length[0] / 3;
  for (std::size_t k = 0; k < points.size(); ++k) {
    const PointInstance& p = points[k];
    real += p.value == 0;
    EXPECT_EQ(p.level, static_cast<std::int16_t>(p.value));
    const auto cell = static_cast<double>(k / 40 % 3);  // along x
    EXPECT_TRUE(p.x > cell * side && p.x < (cell + 1) * side) << k;
    EXPECT_EQ(p.diameter, layer.diameter);
  }
  EXPECT_EQ(real, 864u);
  change(*mode, "method=cells");
  EXPECT_EQ(mode->frame(view)->layers.at(1).count, 0u);
  EXPECT_FALSE(mode->frame(view)->layers.at(1).reason.empty());
}

TEST_P(PlaceholderCellsOf, MemoryIsPredicted) {
  const MdState s = shakenLiquid(864);
  for (const int slots : {1, 32, 64}) {
    PairSettings p = withReach(2.5, 0.2);
    p.slots = slots;
    EXPECT_EQ(inSlots(exec(), s, p)->bytes(), placeholderBytes(864, s.box, p)) << slots;
  }
}

TEST_P(PlaceholderCellsOf, RefusesBoxesOfTwoCells) {
  expectRefusal([&] { startedMd(config(1), "n=256 method=placeholder_cells"); },  // side 6.7
                {"three cells", "n of at least"});
}

}  // namespace
}  // namespace cellscope::test
