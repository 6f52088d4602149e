// Every observable of every list follows from its own measurement.
#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <set>
#include <utility>

#include "sim/algo/md/engine.h"
#include "sim/modes/hard_disks/observables.h"
#include "sim/modes/md/observables.h"

namespace cellscope {
namespace {

// Of all, by id.
template <class Observable, class Sample>
std::map<std::string, double> valuesOf(const std::vector<Observable>& all, const Sample& sample) {
  std::map<std::string, double> found;
  for (const Observable& o : all) found[o.info.id] = o.value(sample);
  return found;
}

// A new observable needs a line here, too.
void expectValues(const std::map<std::string, double>& expected,
                  const std::map<std::string, double>& found) {
  for (const auto& [id, value] : found) {
    ASSERT_TRUE(expected.count(id)) << id;
    EXPECT_NEAR(value, expected.at(id), 1e-14) << id;
  }
  EXPECT_EQ(found.size(), expected.size());
}

DiskSample sampleOfDisks() {
  DiskSample s;
  s.pressure = 9.1, s.pressureScaled = 9.2, s.pressurePaths = 9.3;
  s.order.psi6 = {0.3, -0.4};
  s.order.meanModulus = 0.75, s.order.densitySpread = 0.02;
  for (std::uint64_t k = 0; k < 4; ++k) {
    s.moves.attempted[k] = 100 * (k + 1);
    s.moves.accepted[k] = 10 * (k + 1) * (k + 1);
    s.moves.leftCell[k] = k + 1;
  }
  s.overlappingPairs = 17;
  s.lostDisks = 3;
  return s;
}

TEST(DiskObservables, FollowFromTheirMeasurements) {
  expectValues({{"pressure", 9.1},
                {"pressure_sdf", 9.2},
                {"pressure_paths", 9.3},
                {"psi6_global", 0.5},
                {"psi6_local", 0.75},
                {"acceptance", 300.0 / 1000},
                {"acceptance_a", 10.0 / 100},
                {"acceptance_b", 40.0 / 200},
                {"acceptance_c", 90.0 / 300},
                {"acceptance_d", 160.0 / 400},
                {"left_cell", 10.0 / 1000},
                {"overlapping_pairs", 17},
                {"lost_disks", 3},
                {"density_spread", 0.02}},
               valuesOf(diskObservables(), sampleOfDisks()));
}

TEST(DiskObservables, AreUndefinedWhereNothingWasMeasured) {
  const std::set<std::string> always = {"psi6_global", "psi6_local", "density_spread"};
  for (const DiskObservable& o : diskObservables()) {
    const std::string id = o.info.id;
    EXPECT_EQ(std::isnan(o.value({})), always.count(id) == 0) << id;
  }
}

TEST(DiskObservables, PublishedPressuresBelongToThoseOfThePressure) {
  for (const DiskObservable& o : diskObservables())
    EXPECT_EQ(o.pressure, o.info.plot == "pressure") << o.info.id;
}

// Eleven particles that do not feel each other, each displaced by 2^-5 along x: every number is
// exact, and the mean square displacement 2^-10.
std::unique_ptr<MdEngine> displaced() {
  MdState state{cubicBox(44)};
  for (int i = 0; i < 11; ++i)
    state.position.push_back({4.0 * i + 1, 1, 1}), state.velocity.push_back({1, 0, 0});
  auto engine = makeAllPairs(exec::makeExec({Backend::cpu, 1}));
  engine->setPair({});
  engine->upload(state);
  engine->forces();
  engine->resetDisplacements();
  engine->halfKickDrift(0.03125, 1);
  return engine;
}

TEST(MdObservables, FollowFromTheirMeasurements) {
  constexpr double kKinetic = 30 + 49.0 / 28;  // 30 and, of the drift, |p|^2 / (2 M)
  constexpr double kTotal = (kKinetic - 50) / 11 - 0.25, kConserved = kTotal - 0.5;
  const auto engine = displaced();
  md::MdSample s;
  s.msd = engine->sampleNow(0).sums.displacement2 / 11;
  s.totals.kinetic = kKinetic, s.totals.potential = -50, s.totals.virial = 40;
  s.totals.px = 2, s.totals.py = -3, s.totals.pz = 6;
  s.particles = 11, s.volume = 20, s.mass = 14;
  s.tailEnergy = -0.25, s.tailPressure = -0.125;
  s.startEnergy = -2, s.sinceStart = 4, s.heat = 7.5, s.work = -2;
  s.neighbours = 70, s.builds = 0.05, s.dangerous = 2;
  s.listFill = 0.5;
  s.treeDepth = 9, s.treeOverlap = 0.3, s.treeCost = 31;
  expectValues({{"temperature", 2},
                {"kinetic", kKinetic / 11},
                {"potential", -50.0 / 11 - 0.25},
                {"total", kTotal},
                {"pressure", 100.0 / 60 - 0.125},
                {"drift", (kConserved + 2) / 2},
                {"drift_rate", (kConserved + 2) / 4},
                {"conserved", kConserved},
                {"msd", 0.0009765625},
                {"momentum", 7},
                {"neighbours", 70},
                {"builds", 0.05},
                {"dangerous", 2},
                {"list_fill", 0.5},
                {"tree_depth", 9},
                {"tree_overlap", 0.3},
                {"tree_cost", 31},
                {"density", 0.55}},
               valuesOf(md::mdObservables(), s));
}

TEST(MdObservables, InThePlaneHaveTwoDegreesOfFreedomPerParticle) {
  md::MdSample s;
  s.totals.kinetic = 30, s.totals.virial = 40;
  s.particles = 11, s.volume = 20, s.mass = 11, s.dimension = 2;
  const auto found = valuesOf(md::mdObservables(), s);
  EXPECT_NEAR(found.at("temperature"), 3, 1e-14);
  EXPECT_NEAR(found.at("pressure"), 2.5, 1e-14);
}

TEST(MdObservables, AreUndefinedWhereNothingWasMeasured) {
  md::MdSample s;
  s.particles = 11, s.volume = 20, s.mass = 11;
  s.startEnergy = std::nan("");
  const std::set<std::string> never = {"drift",        "drift_rate", "conserved", "msd",
                                       "neighbours",   "builds",     "dangerous", "tree_depth",
                                       "tree_overlap", "tree_cost",  "list_fill"};
  for (const md::MdObservable& o : md::mdObservables())
    EXPECT_EQ(std::isnan(o.value(s)), never.count(o.info.id) == 1) << o.info.id;
}

TEST(MdObservables, PairsOfFewParticlesAreCountedMoreOften) {
  for (const auto& [particles, steps] : {std::pair(300u, 10u), std::pair(4000u, 100u)}) {
    md::MdSampler sampler(particles);
    EXPECT_TRUE(sampler.fillDue(0));
    sampler.fillMeasured(7);
    EXPECT_FALSE(sampler.fillDue(6 + steps)) << particles;
    EXPECT_TRUE(sampler.fillDue(7 + steps)) << particles;
  }
}

}  // namespace
}  // namespace cellscope
