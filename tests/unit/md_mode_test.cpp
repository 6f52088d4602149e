// The molecular-dynamics mode: contract of Mode, errors, checkpoints, picking. Studies of molecular
// dynamics at small size, on the CPU: they run, and their tables hold what can be known beforehand.
#include <cstdlib>

#include "app/reproduce/md/md_study.h"
#include "sim/modes/md/start.h"
#include "tests/support/md_modes.h"
#include "tests/support/message_of.h"
#include "tests/support/program.h"
#include "tests/support/studies.h"

namespace cellscope::test {
namespace {

// What does not fit is what the law reaches, and a smaller cutoff would not help.
TEST(MdMode, RefusesALawThatReachesFurtherThanTheImages) {
  auto mode = small(32, 1.0);
  restartWith(*mode, "potential=wca cutoff=20");  // the cutoff is not what counts
  for (const double cutoff : {0.6, 1.0, 1.3, 20.0}) {
    md::MdParameters p;
    p.potential.index = 3, p.cutoff = cutoff;
    EXPECT_NEAR(p.largestCutoff(), std::pow(2.0, 1.0 / 6), 1e-12);
    p.potential.index = 0;
    EXPECT_EQ(p.largestCutoff(), cutoff);
  }
  const std::string tiny = "cutoff=0.5 n=8 method=placeholder_cells";  // a side of 2
  expectRefusal([&] { restartWith(*mode, tiny); },
                {"the reach of potential = wca = 1.122 does not fit", "use n of at least 12"});
}

class MdModeOfSmallFluid : public testing::Test {
 protected:
  std::unique_ptr<MdMode> mode = small();
};

TEST_F(MdModeOfSmallFluid, RefusesBadConfigurationsAndKeepsItsState) {
  mode->advance(3);
  const std::string before = saved(*mode);
  const Configuration good = mode->configuration();
  const auto refused = [&](const char* why, const std::function<void(Configuration&)>& damage) {
    Configuration c = good;
    damage(c);
    expectRefusal([&] { mode->adopt(c); }, {why});
    EXPECT_EQ(saved(*mode), before) << why;
  };
  refused("particle 17", [](auto& c) { c.positions[3 * 17] = NAN; });
  const auto joined = [](Configuration& c) {
    for (int k = 0; k < 3; ++k) c.positions[3 * 8 + k] = c.positions[3 * 9 + k];
  };
  refused("particles 8 and 9", joined);
  refused("particle 8 overlaps", [&](auto& c) {
    joined(c);
    c.positions[3 * 8] += c.positions[3 * 8] > 3 ? -0.2 : 0.2;
  });
}

TEST_F(MdModeOfSmallFluid, ABlowUpNamesTheParticleAndKeepsTheState) {
  mode->advance(10);
  Configuration c = mode->configuration();
  c.velocities[3 * 42] = 1000;  // 1000 sigma/tau: 4 sigma in one step
  mode->adopt(c);
  const std::string before = saved(*mode);
  expectRefusal<RunError>([&] { mode->advance(100); }, {"particle 42", "step 1:", "dt"});
  EXPECT_EQ(saved(*mode), before);
  expectRefusal<RunError>([&] { mode->advancePhase(); }, {"particle 42"});
  EXPECT_EQ(saved(*mode), before);
  // The way out works, as if nothing had happened.
  auto spared = small();
  load(*spared, before);
  for (auto* each : {mode.get(), spared.get()}) {
    change(*each, "dt=0.0001");
    each->advance(1);
    EXPECT_EQ(each->step(), 1u);
  }
  EXPECT_EQ(mode->configuration().velocities, spared->configuration().velocities);
}

TEST_F(MdModeOfSmallFluid, LiveEditsKeepTheState) {
  mode->advance(10);
  EXPECT_EQ(mode->work(), 10.0 * 256 * 255);
  const Configuration before = mode->configuration();
  change(*mode, "potential=truncated cutoff=3 tile=256");
  EXPECT_EQ(mode->configuration().positions, before.positions);
  EXPECT_EQ(mode->step(), 10u);
  EXPECT_EQ(sampled(*mode, "drift"), 0.0);  // measured from the new pair law on
  mode->advancePhase();
  change(*mode, "cutoff=2.5");
  mode->advance(5);
  expectHealthy(*mode);
}

// As in a run that begins with lists in the same state.
TEST_F(MdModeOfSmallFluid, BuildsPerStepCountFromTheChangeToLists) {
  mode->advance(300);
  EXPECT_TRUE(std::isnan(sampled(*mode, "builds")));
  change(*mode, "method=cells");
  auto fresh = small();
  assign(*fresh, "method=cells");
  fresh->adopt(mode->configuration());
  for (const int steps : {20, 60}) {
    mode->advance(static_cast<std::uint64_t>(steps));
    fresh->advance(static_cast<std::uint64_t>(steps));
    EXPECT_EQ(sampled(*mode, "builds"), sampled(*fresh, "builds"));
  }
  const double expected = sampled(*mode, "builds");
  EXPECT_GT(expected, 0);  // built again since the last sample
  EXPECT_LT(expected, 0.5);
  auto loaded = small();
  load(*loaded, saved(*mode));
  EXPECT_EQ(sampled(*loaded, "builds"), expected);
  // And again after a while without.
  change(*mode, "method=all_pairs");
  mode->advance(5);
  change(*mode, "method=cells");
  mode->advance(2);
  EXPECT_EQ(sampled(*mode, "builds"), 0.5);
}

TEST_F(MdModeOfSmallFluid, FramesShowThePickedParticleAndItsNeighbours) {
  const auto frame =
      mode->frame({.layers = {"particles", "velocities", "neighbours", "box"}, .picked = 3});
  ASSERT_EQ(frame->layers.size(), 5u);
  EXPECT_EQ(frame->layers[4].scale.marks, std::vector<Mark>{Mark::picked})
      << "around the picked particle";
  EXPECT_EQ(frame->layers[2].count, 54u);  // of a perfect lattice within 2.5
  EXPECT_EQ(frame->picked.id, 3);
  EXPECT_EQ(frame->picked.rows.size(), 7u);
}

TEST_F(MdModeOfSmallFluid, PicksTheNearestSphereOnTheRay) {
  const Configuration c = mode->configuration();
  const double l = c.box.length[0];
  for (std::uint32_t id : {0u, 100u, 255u}) {
    PickQuery q;
    for (int k = 0; k < 3; ++k) q.origin[k] = c.positions[3 * id + static_cast<std::size_t>(k)];
    q.origin[2] += 0.51;  // just above this particle, looking down
    EXPECT_EQ(mode->pick(q), id);
    q.direction[2] = 1;
    EXPECT_NE(mode->pick(q), id);
  }
  EXPECT_EQ(mode->pick({{-5, -5, l + 5}, {0, 0, -1}}), -1);
  EXPECT_EQ(mode->pick({{0, 0, 0}, {0, 0, 0}}), -1);
}

TEST(MdMode, ARayThatMeetsNothingPicksWhatItPassesWithinReach) {
  auto mode = small(2, 0.005);
  const Configuration c = mode->configuration();
  PickQuery q{{c.positions[3] - 0.7, c.positions[4], -3}, {0, 0, 1}, 0};
  EXPECT_EQ(mode->pick(q), -1);
  q.reach = 0.1;
  EXPECT_EQ(mode->pick(q), -1);
  q.reach = 0.3;
  EXPECT_EQ(mode->pick(q), 1);
}

// Galilean invariance: a fluid that moves as a whole is the same fluid.
TEST(MdMode, ADriftIsKeptAndCountsNeitherAsTemperatureNorAsPressure) {
  auto resting = small(), drifting = small();
  resting->advance(50);
  Configuration c = resting->configuration();
  resting->adopt(c);
  for (std::size_t i = 0; i < 256; ++i) c.velocities[3 * i] += 0.5;
  drifting->adopt(c);
  for (auto* mode : {resting.get(), drifting.get()}) mode->advance(20);
  EXPECT_NEAR(sampled(*drifting, "momentum"), 128, 1e-3);
  for (const char* id : {"temperature", "pressure", "potential"})
    EXPECT_NEAR(sampled(*drifting, id), sampled(*resting, id), 1e-3) << id;
  EXPECT_NEAR(sampled(*drifting, "kinetic"), sampled(*resting, "kinetic") + 0.125, 1e-3);
  expectHealthy(*drifting);
  ASSERT_EQ(drifting->references().size(), resting->references().size());
}

TEST_F(MdModeOfSmallFluid, ADriftIsRemovedWhenAsked) {
  mode->advance(50);
  Configuration c = mode->configuration();
  for (std::size_t i = 0; i < 256; ++i) c.velocities[3 * i + 2] -= 0.5;
  mode->adopt(c);
  mode->advance(5);
  const double temperature = sampled(*mode, "temperature"), pressure = sampled(*mode, "pressure");
  change(*mode, "remove_drift=true");
  EXPECT_LT(sampled(*mode, "momentum"), 1e-9);
  EXPECT_NEAR(sampled(*mode, "temperature"), temperature, 1e-9);
  EXPECT_NEAR(sampled(*mode, "pressure"), pressure, 1e-9);
  EXPECT_EQ(mode->step(), 5u);
  mode->advance(5);
  expectHealthy(*mode);
  mode->adopt(c);  // and of what is loaded
  EXPECT_LT(sampled(*mode, "momentum"), 1e-9);
}

// Each pair that crosses the cutoff changes the energy by u(r_c), at any time step.
TEST(MdMode, TheEnergyCheckAllowsForAJumpAtTheCutoff) {
  auto mode = startedMd("n=100 density=0.5 seed=2 potential=truncated");
  for (int k = 0; k < 5; ++k) {
    mode->advance(100);
    EXPECT_TRUE(checkOf(*mode, "energy").ok);
  }
}

TEST_F(MdModeOfSmallFluid, SelfChecksSeeABrokenState) {
  mode->advance(50);
  expectHealthy(*mode);
  std::string state = saved(*mode);
  // The last velocity, in front of the empty curves: how many numbers, and nine of them.
  double v = 0;
  const std::size_t at = state.size() - 11 * sizeof v;
  std::memcpy(&v, &state[at], sizeof v);
  v += 0.5;
  std::memcpy(&state[at], &v, sizeof v);
  load(*mode, state);
  EXPECT_EQ(checkOf(*mode, "momentum").label, "momentum");
  EXPECT_FALSE(checkOf(*mode, "momentum").ok);
}

// g(r): MdBox.PairCorrelationOfAnIdealGasIsOne.
TEST(MdMode, SpeedsAreMaxwells) {
  auto mode = small(2000, 0.05);
  restartWith(*mode, "temperature=5");
  for (int k = 0; k < 10; ++k) {
    mode->advance(100);
    mode->sample();
  }
  const std::vector<Curve> curves = mode->curves();
  ASSERT_EQ(curves.size(), 2u);
  const CurveSeries &run = curves[1].series[0], &maxwell = curves[1].series[1];
  // The particles' speeds hardly decorrelate here: about 2000 independent ones, so that the largest
  // deviation of a bin is judged at 3 standard errors, sqrt(0.17 / (2000 * 0.1)).
  double sum = 0, worst = 0, square = 0, expected = 0;
  for (std::size_t b = 0; b < run.x.size(); ++b) {
    sum += 0.1 * run.y[b];
    worst = std::max(worst, std::abs(run.y[b] - maxwell.y[b]));
    square += run.x[b] * run.x[b] * run.y[b];
    expected += maxwell.x[b] * maxwell.x[b] * maxwell.y[b];
  }
  EXPECT_NEAR(sum, 1.0, 0.01);
  EXPECT_NEAR(square / expected, 1.0, 0.01);  // both are 3 T
  EXPECT_LT(worst, 0.09);
}

using Rows = std::vector<std::vector<std::string>>;

// Runs the study and reads its table.
Rows tableOf(const std::string& name,
             const std::vector<std::pair<std::string, std::string>>& options) {
  const std::string folder = testing::TempDir() + "studies";
  std::filesystem::create_directories(folder);
  Rows table;
  EXPECT_EQ(runStudy(studyNamed(name, options), folder, 1), 0) << name;
  for (const std::string& line : linesOf(folder + "/" + name + ".csv"))
    if (!line.empty() && line[0] != '#') table.push_back(cellsOf(line));
  std::filesystem::remove_all(folder);
  return table;
}

double numberIn(const Rows& t, std::size_t row, std::size_t column) {
  return std::atof(t.at(row).at(column).c_str());
}

TEST(MdStudies, BinaryMixture) {
  const Rows t = tableOf("binary-mixture", {{"particles", "2000"},
                                            {"fractions", "0.1"},
                                            {"cutoffs", "3,6"},
                                            {"melting", "100"},
                                            {"repeats", "1"}});
  ASSERT_EQ(t.size(), 3u);  // with the head
  for (std::size_t row = 1; row <= 2; ++row) {
    for (std::size_t column = 2; column <= 4; ++column) EXPECT_GT(numberIn(t, row, column), 0);
    EXPECT_NEAR(numberIn(t, row, 5) * numberIn(t, row, 3), numberIn(t, row, 2),
                0.03 * numberIn(t, row, 2));
    for (const std::size_t column : {11u, 12u, 13u}) EXPECT_GT(numberIn(t, row, column), 0);
  }
}

TEST(MdStudies, RefusesACutoffThatDoesNotFit) {
  const auto study = studyNamed("binary-mixture", {{"particles", "2000"}, {"cutoffs", "3,18"}});
  const auto run = [&] { runStudy(study, testing::TempDir(), 1); };
  expectRefusal(run, {"--cutoffs 18"});
}

TEST(MdStudies, AllPairsAndCells) {
  const Rows pairs = tableOf("all-pairs", {{"sizes", "256,500"}, {"repeats", "1"}});
  ASSERT_EQ(pairs.size(), 3u);
  for (const std::size_t row : {1u, 2u})
    for (const std::size_t column : {1u, 2u, 3u, 6u, 7u, 8u})
      EXPECT_GT(numberIn(pairs, row, column), 0) << pairs[0].at(column);
  const Rows cells =
      tableOf("cell-lists", {{"sizes", "500"}, {"densities", "0.5"}, {"steps", "2"}});
  ASSERT_EQ(cells.size(), 2u);
  EXPECT_EQ(cells[1].at(2), "3");  // floor(10 / 2.8) cells along a side
  // 27 cells; both numbers have three digits.
  EXPECT_NEAR(numberIn(cells, 1, 7) * 27e-9, numberIn(cells, 1, 4), 0.011 * numberIn(cells, 1, 4));
}

// What stands for a CPU core makes the same steps as the engine in double precision: every pair
// once, by a double loop and by cells (here 3 and 4 along a side).
TEST(MdStudies, PlainCoreIsMolecularDynamics) {
  for (const std::int64_t n : {500, 1000}) {
    const double length = std::cbrt(static_cast<double>(n) / 0.8442);
    const MdState start{cubicBox(length), md::startLattice(n, length),
                        md::maxwellVelocities(n, 1.4, 1)};
    const auto engine = makeAllPairs(exec::makeExec({Backend::cpu, 2}));
    PairSettings settings{.kernel = PairKernel::teamsDouble};
    engine->setPair(settings);
    engine->upload(start);
    engine->forces();
    engine->run(0.004, 0, 30, {});
    const MdTotals t = engine->totals();
    for (const auto pairs : {reproduce::PlainPairs::all, reproduce::PlainPairs::cells}) {
      reproduce::PlainCore core(start, pairs);
      for (int k = 0; k < 30; ++k) core.step(0.004);
      // Of sums of n 54 / 2 pairs in double, whose order differs; 30 steps amplify them little.
      EXPECT_NEAR(core.energy(), t.kinetic + t.potential, 1e-9 * static_cast<double>(n));
    }
  }
  const MdState small{cubicBox(7), md::startLattice(108, 7), md::maxwellVelocities(108, 1, 1)};
  EXPECT_THROW(reproduce::PlainCore(small, reproduce::PlainPairs::cells), InputError);
}

// The same numbers three ways, and a table row for each count.
TEST(MdStudies, RandomNumbers) {
  const Rows t = tableOf("rand48", {{"counts", "10240,20480"}, {"repeats", "1"}});
  ASSERT_EQ(t.size(), 3u);
  for (std::size_t row = 1; row <= 2; ++row) EXPECT_EQ(t[row].back(), "yes");
  EXPECT_EQ(t[0][7], "CPU threads in use over library");
}

// Sizes for a GPU are not those of a CPU; what is asked for stays.
TEST(MdStudies, AreSmallOnACpuByDefault) {
  reproduce::Study study = studyNamed("colloids", {{"share", "0.5"}});
  reproduce::contextOf(study, ".", 1, ExecConfig{Backend::cuda, 1, 0});
  EXPECT_EQ(study.options.at("steps").text(), "25000");
  reproduce::contextOf(study, ".", 1, ExecConfig{Backend::cpu, 1, 0});
  EXPECT_EQ(study.options.at("steps").text(), "100");
  EXPECT_EQ(study.options.at("diameters").text(), "5");
  EXPECT_EQ(study.options.at("share").text(), "0.5");
}

// The number of solvent particles left per colloid is that of Rows 1: 317 and 123. Here colloids
// keep 0.6 sigma apart, so that the shells around them overlap less than in the paper, and a few
// per cent less solvent is left where they are crowded.
TEST(MdStudies, ColloidsOfTable1) {
  const Rows t = tableOf("colloids", {{"diameters", "5"},
                                      {"share", "0.05"},
                                      {"equilibration", "20"},
                                      {"steps", "5"},
                                      {"repeats", "1"}});
  ASSERT_EQ(t.size(), 3u);
  EXPECT_EQ(numberIn(t, 1, 2), 25);
  EXPECT_NEAR(numberIn(t, 1, 3) / numberIn(t, 1, 2), 158517.0 / 500, 0.02 * 317);
  EXPECT_NEAR(numberIn(t, 2, 3) / numberIn(t, 2, 2), 123267.0 / 1000, 0.05 * 123);
  for (std::size_t row = 1; row <= 2; ++row)
    for (const std::size_t column : {9u, 10u, 12u, 14u}) EXPECT_GT(numberIn(t, row, column), 0);
}

}  // namespace
}  // namespace cellscope::test
