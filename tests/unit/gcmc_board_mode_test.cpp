// The checkerboard as a method of grand-canonical Monte Carlo: switched to while running, phase by
// phase, files, drawing, refusals, experiments. Replicas beside the chain that is seen, by
// potential, temperature, seed, or windows of N: isotherms, ln P(N), and windows.
#include <set>

#include "sim/modes/gcmc/replica_run.h"
#include "sim/modes/gcmc/start.h"
#include "tests/support/gcmc_modes.h"
#include "tests/support/gcmc_states.h"

namespace cellscope::test {
namespace {

std::unique_ptr<Mode> board(const std::string& more = "", int threads = 1) {
  return gcmcMode(
      "method=checkerboard length=12.5 temperature=1.5 density=0.4 activity=0.2 "
      "attempts_per_cell=8 " +
          more,
      threads);
}

// Box of 12.5, cutoff 3: 4 x 4 x 4 cells of 8 attempts.
TEST(GcmcBoardMode, AStepIsWholeSweeps) {
  auto mode = board();
  expectWords(detailOf(*mode, "method"),
              {"checkerboard", "4 x 4 x 4 cells", "8 attempts", "512 moves a sweep"});
  mode->advance(3);
  EXPECT_EQ(mode->work(), 3 * 1024) << "at least 1000 moves, in sweeps of 512";
  change(*mode, "moves_per_step=1");
  mode->advance(1);
  EXPECT_EQ(mode->work(), 3 * 1024 + 512);
  EXPECT_EQ(mode->info().phases.size(), 7u + 7u) << "of the first colour, and the other colours";
  change(*mode, "moves_per_step=1000");
  EXPECT_EQ(mode->info().phases.size(), 1u + 7u + 7u);
  EXPECT_EQ(mode->info().phases[0], "sweeps but the last");
}

// So do moves in order.
TEST(GcmcBoardMode, GoesOnFromTheStateOfTheChainAndBack) {
  auto mode = board("method=auto slots_per_cell=32 moves_in_flight=16");
  mode->advance(2);
  for (const char* method : {"checkerboard", "auto", "checkerboard", "serial", "in_order",
                             "checkerboard", "in_order", "auto", "in_order"}) {
    SCOPED_TRACE(method);
    const std::vector<ParticleId> before = sortedIds(*mode);
    change(*mode, fmt::format("method={}", method));
    EXPECT_EQ(sortedIds(*mode), before);
    const double energy = sampled(*mode, "total_energy");
    mode->advance(2);
    EXPECT_NE(sampled(*mode, "total_energy"), energy);
    expectHealthy(*mode);
    const std::vector<ParticleId> after = sortedIds(*mode);
    EXPECT_EQ(std::adjacent_find(after.begin(), after.end()), after.end()) << "no id twice";
  }
}

// The steps of phases are those of whole steps, and colours follow each other in the drawing.
TEST(GcmcBoardMode, ColourAfterColour) {
  for (const char* dimension : {"2", "3"}) {
    const std::string few = fmt::format("dimension={} moves_per_step=1", dimension);
    auto whole = board(few), steps = board(few);
    const ViewRequest view{.layers = {"sets", "active", "cells"}};
    for (int step = 0; step < 3; ++step) {
      std::set<std::string> colours;
      for (std::size_t phase = 0; phase < steps->info().phases.size(); ++phase) {
        steps->advancePhase();
        const auto frame = steps->frame(view);
        const LayerData* l = layerIn(*frame, "active");
        if (!l) continue;
        EXPECT_GT(l->count, 0u);
        std::string bytes(l->buffer ? l->buffer->bytes() : 0, '\0');
        if (l->buffer) l->buffer->copyTo(bytes.data(), MemorySpace::host);
        if (l->lattice) bytes = std::to_string(l->lattice->activeSet);
        colours.insert(bytes);
      }
      EXPECT_EQ(colours.size(), std::size_t{1} << std::stoi(dimension)) << "each once";
      whole->advance(1);
      expectSameParticles(*whole, *steps);
      EXPECT_EQ(whole->work(), steps->work());
    }
  }
}

// Events are marked, and after each colour the card tells of an attempt near the picked particle.
TEST(GcmcBoardMode, EventsAndAnAttemptOfEachColourAreShown) {
  const std::string few = "moves_per_step=1";
  auto mode = board(few), plain = board(few);
  const ViewRequest view =
      viewOf({"particles", "moves", "microscope", "mapping"}, mode->configuration().ids[7]);
  static_cast<void>(mode->frame(view));
  std::size_t marks = 0, decisions = 0, boxes = 0, lines = 0;
  for (int step = 0; step < 2; ++step) {
    for (std::size_t phase = 0; phase < mode->info().phases.size(); ++phase) {
      mode->advancePhase();
      const auto frame = mode->frame(view);
      for (const LayerData& l : frame->layers) {
        if (l.key == "moves") marks += l.count;
        if (l.key == "mapping") boxes += l.count;
        if (l.primitive == Primitive::lines) lines += l.count;
      }
      for (const auto& [label, value] : frame->picked.rows)
        decisions += label.rfind("move ", 0) == 0 && label.find("decision") != std::string::npos;
    }
    plain->advance(1);
  }
  EXPECT_GT(marks, 0u);
  EXPECT_GT(boxes, 26u);
  EXPECT_GT(lines, 0u);
  EXPECT_GT(decisions, 8u);
  EXPECT_EQ(mode->configuration().positions, plain->configuration().positions);
}

TEST(GcmcBoardMode, ARefusedEditKeepsTheState) {
  auto mode = board();
  mode->advance(1);
  const std::string before = saved(*mode);
  EXPECT_THROW(change(*mode, "cutoff=4"), InputError);
  EXPECT_EQ(saved(*mode), before);
}

double meanNumber(Mode& mode, int steps) {
  mode.advance(200);
  double sum = 0;
  for (int k = 0; k < steps; ++k) {
    mode.advance(1);
    sum += static_cast<double>(mode.particleCount());
  }
  return sum / steps;
}

// T = 2, ln z = -2, cut at 2.5 without tail, V = 1000: 177.67(7) from serial chains and, without an
// experiment, from the checkerboard (gcmc_checkerboard_test.cpp). 512 moves a sweep.
std::string fluid(const char* condition) {
  return fmt::format(
      "length=10 cutoff=2.5 tail=false temperature=2 activity={} density=0.18 max_displacement=0.4 "
      "moves_per_step=512 checkerboard_condition={}",
      std::exp(-2.0), condition);
}

TEST(GcmcBoardMode, ExperimentsAreBiasedAsPredicted) {
  EXPECT_LT(meanNumber(*board(fluid("attempts_by_count") + " attempts_per_cell=16", 2), 500), 150);
  EXPECT_EQ(meanNumber(*board(fluid("skip_empty") + " density=0"), 10), 0);
  // Pairs beyond half the cutoff are partly missed: less attraction, fewer particles.
  EXPECT_LT(meanNumber(*board(fluid("narrow_cells"), 2), 500), 173);
}

// Without a shift no displaced particle ever leaves its cell.
TEST(GcmcBoardMode, AFixedGridHoldsParticles) {
  for (const bool fixed : {true, false}) {
    auto mode =
        board(fluid(fixed ? "fixed_grid" : "none") + " insertions=0 deletions=0 displacements=1");
    const Configuration before = mode->configuration();
    mode->advance(100);
    const Configuration after = mode->configuration();
    std::size_t left = 0;
    for (std::size_t i = 0; i < after.size(); ++i) {
      const std::size_t was = slotOf(before, after.ids[i]);
      for (std::size_t k = 0; k < 3; ++k)
        left += std::floor(after.positions[3 * i + k] / 2.5) !=
                std::floor(before.positions[3 * was + k] / 2.5);
    }
    EXPECT_EQ(left == 0, fixed) << left;
  }
}

std::unique_ptr<Mode> replicas(const std::string& more, int threads = 2) {
  return gcmcMode("length=6 moves_per_step=500 " + more, threads);
}

const std::string kIdeal = "potential=ideal_gas tail=false temperature=2 density=0.1 ";

// What all chains give together is no result before each of them is in equilibrium, and then
// without the way there: replicas of a dense lattice whose fluid is dilute.
TEST(GcmcReplicaMode, TheJoinedLineWaitsForEquilibriumAndLeavesTheWayOut) {
  auto mode = replicas(
      kIdeal + "density=0.5 moves_per_step=10 replicas=24 replica_first=-5 replica_last=-4.5");
  const auto joined = [&] {
    for (const CurveSeries& s : curveOf(*mode, "replica_isotherm").series)
      if (s.label.starts_with("from ln P(N)")) return s;
    return CurveSeries{};
  };
  const auto longest = [&] { return curveOf(*mode, "replica_ln_number").series.front().x.back(); };
  mode->advance(40);
  EXPECT_EQ(joined().label, "from ln P(N), equilibrating");
  EXPECT_TRUE(joined().provisional);
  const double dense = longest();
  EXPECT_GT(dense, 50);
  mode->advance(6000);
  EXPECT_EQ(joined().label, "from ln P(N)");
  EXPECT_FALSE(joined().provisional);
  EXPECT_LT(longest(), dense);  // N of the lattice were not met again
}

// Acceptance probabilities of an ideal gas depend on N alone: ln P(N) is Poisson to rounding, at
// any chemical potential that it is looked at.
TEST(GcmcReplicaMode, WindowsOfAnIdealGasArePoissonian) {
  auto mode = replicas(kIdeal + "replicas_differ_by=window replica_most=60 replicas=7");
  mode->advance(310);  // windows tune for 300 steps
  for (const double mu : {-3.0, -4.0}) {
    change(*mode, fmt::format("chemical_potential={}", mu));
    const Curve c = curveOf(*mode, "replica_ln_number");
    ASSERT_EQ(c.series.size(), 1u) << "no second phase";
    const CurveSeries& s = c.series.front();
    ASSERT_GE(s.y.size(), 60u);
    const double zV = std::exp(mu / 2) * 216;
    for (std::size_t n = 1; n < s.y.size(); ++n)
      EXPECT_NEAR(s.y[n] - s.y[n - 1], std::log(zV / static_cast<double>(n)), 1e-9) << n;
  }
}

// What chains meet while they tune is no result: charts stay empty and count down, and no lamp
// names a coexistence.
TEST(GcmcReplicaMode, WindowsThatTuneShowNoResult) {
  auto mode = replicas(
      "temperature=1.2 density=0.3 replicas=20 replicas_differ_by=window replica_most=150");
  for (const int done : {1, 150, 299}) {
    mode->advance(static_cast<std::uint64_t>(done) - mode->step());
    const std::string left =
        std::to_string(300 - done) + (done == 299 ? " step left" : " steps left");
    for (const char* id : {"replica_ln_number", "replica_coexistence", "replica_isotherm"}) {
      const Curve c = curveOf(*mode, id);
      for (const CurveSeries& s : c.series) EXPECT_FALSE(s.source.empty()) << id << ": " << s.label;
      EXPECT_EQ(c.waiting, "windows tune: " + left) << id;
    }
    for (const SelfCheck& c : mode->selfChecks()) EXPECT_NE(c.label, "coexistence");
    expectWords(detailOf(*mode, "replicas"), {left});
  }
  mode->advance(21);
  EXPECT_FALSE(curveOf(*mode, "replica_ln_number").series.empty());
  EXPECT_EQ(curveOf(*mode, "replica_ln_number").waiting, "");
}

// What is published is seen with what is left to wait.
TEST(GcmcReplicas, PublishedCurvesStandWhileWindowsTune) {
  const auto mode = gcmcMode(
      "length=8 density=0.3 temperature=1.2 chemical_potential=-3.637 moves_per_step=1 replicas=48 "
      "replicas_differ_by=window replica_most=380");
  for (const char* id : {"replica_ln_number", "replica_coexistence"}) {
    const Curve c = curveOf(*mode, id);
    ASSERT_EQ(c.series.size(), 1u) << id;
    EXPECT_TRUE(c.series[0].reference) << id;
    EXPECT_EQ(c.waiting, "windows tune: 300 steps left") << id;
  }
  EXPECT_EQ(curveOf(*mode, "replica_ln_number").series[0].y.size(), 381u);
}

using gcmc::GcmcParameters, gcmc::ReplicaKind;

GcmcParameters replicasBy(ReplicaKind kind, std::int64_t replicas) {
  GcmcParameters p;
  p.length = 6;
  p.density = 0.2;
  p.replicas = replicas;
  p.replicaKind.index = static_cast<std::int64_t>(kind);
  p.replicaColdest = 1.1, p.replicaHottest = 2.3;
  p.replicaMost = 40;
  return p;
}

// The chain that a run of these parameters makes alone.
GcmcState alone(const GcmcParameters& p, std::uint32_t chain, std::uint64_t moves) {
  GcmcSettings s = p.settings();
  s.chain = chain;
  const auto n = static_cast<std::size_t>(std::llround(p.density * p.box().volume()));
  const auto engine = chainOf("serial", gcmc::latticeState(p.box(), n), s);
  engine->advance(moves);
  return engine->state();
}

TEST(GcmcReplicaSpread, TemperaturesAreEvenInTOrInOneOverT) {
  GcmcParameters p = replicasBy(ReplicaKind::temperature, 4);
  for (const std::int64_t spacing : {0, 1}) {
    p.replicaSpacing.index = spacing;
    const auto at = [&](std::size_t k) {
      const double t = gcmc::parametersOf(p, k).temperature;
      return spacing == 1 ? 1 / t : t;
    };
    EXPECT_DOUBLE_EQ(gcmc::parametersOf(p, 0).temperature, 1.1);
    EXPECT_NEAR(gcmc::parametersOf(p, 3).temperature, 2.3, 1e-12);
    EXPECT_NEAR(at(2) - at(1), at(1) - at(0), 1e-12);
  }
}

// What of the reservoir is given stays, and the other two follow the temperature.
TEST(GcmcReplicaSpread, TheReservoirStaysAsItIsGiven) {
  GcmcParameters p = replicasBy(ReplicaKind::temperature, 3);
  const GcmcParameters byPotential = gcmc::parametersOf(p, 2);
  EXPECT_DOUBLE_EQ(byPotential.mu, p.mu);
  EXPECT_DOUBLE_EQ(byPotential.activity, std::exp(p.mu / 2.3));
  p.reservoir.index = static_cast<std::int64_t>(gcmc::Reservoir::activity);
  EXPECT_DOUBLE_EQ(gcmc::parametersOf(p, 2).activity, p.activity);
  p.reservoir.index = static_cast<std::int64_t>(gcmc::Reservoir::fugacity);
  EXPECT_DOUBLE_EQ(gcmc::parametersOf(p, 2).activity, p.fugacity / 2.3);
}

// Decisions bit for bit: those of the chain with this temperature or seed.
TEST(GcmcReplicaSpread, EveryReplicaIsTheChainThatItIsAlone) {
  for (const ReplicaKind kind : {ReplicaKind::temperature, ReplicaKind::seed}) {
    const GcmcParameters p = replicasBy(kind, 5);
    gcmc::ReplicaRun run(exec::makeExec({.backend = Backend::cpu, .threads = 2}));
    run.start(p);
    for (const std::uint64_t moves : {1, 1499}) run.advance(p, moves);
    for (std::size_t k = 0; k < 5; ++k) {
      SCOPED_TRACE(k);
      const auto chain = kind == ReplicaKind::seed ? 0u : static_cast<std::uint32_t>(k + 1);
      const GcmcState expected = alone(gcmc::parametersOf(p, k), chain, 1500);
      EXPECT_EQ(run.keep().states[k].point, expected.point);
      EXPECT_EQ(run.keep().states[k].id, expected.id);
      EXPECT_GT(run.keep().states[k].id.back(), 42) << "something was inserted";
    }
  }
}

TEST(GcmcReplicaSpread, SeveralChainsShareAWindow) {
  GcmcParameters p = replicasBy(ReplicaKind::window, 12);
  p.replicaWindows = 4;
  EXPECT_EQ(gcmc::windowsOf(p), 4u);
  EXPECT_EQ(gcmc::chainsOfEach(p), 3u);
  const std::uint32_t edges[] = {0, 10, 20, 30, 40};
  for (std::size_t k = 0; k < 12; ++k) {
    EXPECT_EQ(gcmc::windowOf(p, k).least, edges[k % 4]);
    EXPECT_EQ(gcmc::windowOf(p, k).most, edges[k % 4 + 1]);
  }
}

// No gap, and no window beyond the largest N, however many there are.
TEST(GcmcReplicaSpread, WindowsCoverEveryN) {
  for (const std::int64_t windows : {1, 2, 7, 48, 380}) {
    GcmcParameters p = replicasBy(ReplicaKind::window, windows);
    p.replicaMost = 380;
    std::uint32_t end = 0;
    for (std::size_t k = 0; k < static_cast<std::size_t>(windows); ++k) {
      const gcmc::ReplicaWindow w = gcmc::windowOf(p, k);
      EXPECT_LE(w.least, end);
      EXPECT_LT(w.least, w.most);
      end = std::max(end, w.most);
      EXPECT_LE(end, 380u);
    }
    EXPECT_EQ(end, 380u);
  }
}

// Full potential, above the critical temperature: on the equation of state (3 % of size and of
// statistics), which says where it ends.
TEST(GcmcReplicaSpread, AFluidAgainstTemperatureFollowsTheEquationOfState) {
  auto mode = replicas(
      "length=7 moves_per_step=1000 chemical_potential=-4 density=0.05 replicas=3 "
      "replicas_differ_by=temperature replica_coldest=1 replica_hottest=3");
  mode->advance(100);
  mode->resetAverages();
  mode->advance(1400);
  for (const char* id : {"replica_isotherm", "replica_energy"}) {
    const Curve c = curveOf(*mode, id);
    ASSERT_EQ(c.series.size(), 2u);
    const CurveSeries &run = c.series[0], &eos = c.series[1];
    EXPECT_EQ(c.x.label, "T*");
    EXPECT_DOUBLE_EQ(run.x[1], 2);
    EXPECT_TRUE(eos.reference);
    EXPECT_NEAR(eos.x.front(), 1.32, 1e-9) << "not below the critical temperature";
    EXPECT_NEAR(run.y[2], eos.y.back(), 0.03 * std::abs(eos.y.back()) + 4 * run.error[2]) << id;
  }
  EXPECT_TRUE(curveOf(*mode, "replica_ln_number").series.empty()) << "temperatures are not joined";
}

// The number that would fit is named.
TEST(GcmcReplicaSpread, MoreThanFitsIntoMemoryIsRefused) {
  GcmcParameters p = replicasBy(ReplicaKind::seed, 10);
  p.length = 15;
  EXPECT_NO_THROW(gcmc::requireRoom(p, kOneThread));
  p.replicas = std::int64_t{1} << 40;
  expectRefusal<RunError>([&] { gcmc::requireRoom(p, kOneThread); }, {"would fit"});
}

}  // namespace
}  // namespace cellscope::test
