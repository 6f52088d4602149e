// All-pairs forces: published energies, overlaps, sums. By brute force, and with every instruction
// set: tests/backend/all_pairs_backend_test.cpp. Molecular dynamics with Verlet lists on the CPU
// beside all pairs, and the bath. Forces that take long: how far they are, and given up.
#include "tests/support/list_engines.h"
#include "tests/support/md_modes.h"
#include "tests/support/nist.h"

namespace cellscope::test {
namespace {

MdState nistState(int number) {
  const NistConfiguration c = nistConfiguration(number);
  return {c.box, c.position, std::vector<Vec3d>(c.position.size(), Vec3d{0, 0, 0})};
}

PairScale scaleOfRow(const NistRow& row) {
  PairScale all;
  for (const PairScale& one :
       bruteForce(nistState(row.configuration), {potentialOf(row.potential), row.cutoff}).scale)
    all.energy += one.energy, all.virial += one.virial;
  return all;
}

// In floats a pair of the teams may fall on the other side of r_c. Where the potential or its force
// jumps there, one such pair is allowed for.
TEST(AllPairs, NistEnergiesAndVirials) {
  auto engine = makeAllPairs(exec::makeExec({Backend::cpu, 2}));
  for (const PairKernel kernel : {PairKernel::teamsDouble, PairKernel::tuned, PairKernel::teams})
    for (const NistRow& row : kNist) {
      SCOPED_TRACE(fmt::format("{} {} {}", static_cast<int>(kernel), row.potential, row.cutoff));
      forcesOf(*engine, nistState(row.configuration),
               {potentialOf(row.potential), row.cutoff, 64, kernel});
      const MdTotals t = engine->totals();
      if (kernel == PairKernel::teamsDouble) {
        EXPECT_NEAR(t.potential / row.energy, 1, 1e-9);
        EXPECT_NEAR(t.virial / row.virial, 1, 1e-9);
        continue;
      }
      const bool jumps =
          kernel == PairKernel::teams && std::string(row.potential) != "force_shifted";
      const double pairVirial = jumps ? std::abs(row.cutoff * ljForce(row.cutoff)) : 0;
      const PairScale scale = scaleOfRow(row);
      EXPECT_NEAR(t.potential, row.energy, kFloatTerms * scale.energy);
      EXPECT_NEAR(t.virial, row.virial, kFloatTerms * scale.virial + pairVirial);
    }
}

// Two particles at distance r along a skew direction that crosses the boundary.
MdState pairState(double r) {
  constexpr double length = 12;
  const double u[3] = {0.36, 0.48, 0.8};  // unit vector
  MdState s{cubicBox(length), {{0.1, 11.9, 6.0}}, {{0, 0, 0}, {0, 0, 0}}};
  const Vec3d a = s.position[0];
  s.position.push_back({wrapped(a.x - r * u[0], length), wrapped(a.y + r * u[1], length),
                        wrapped(a.z + r * u[2], length)});
  return s;
}

// FEASST's unit value: force-shifted, r_c = 3, r = 2.5.
TEST(AllPairs, APairHasItsPublishedEnergy) {
  auto engine = makeAllPairs(exec::makeExec({Backend::cpu, 1}));
  forcesOf(*engine, pairState(2.5),
           {potentialOf("force_shifted"), 3.0, 32, PairKernel::teamsDouble});
  EXPECT_NEAR(engine->totals().potential, -0.005365534353215080, 1e-15);
}

TEST(AllPairs, OverlapsStayFinite) {
  auto engine = makeAllPairs(exec::makeExec({Backend::cpu, 1}));
  for (PairKernel kernel : {PairKernel::teamsDouble, PairKernel::teams, PairKernel::tuned})
    for (double r : {1e-6, 1e-4, 1e-3, 0.01, 0.1}) {
      for (const PairSums& s : forcesOf(*engine, pairState(r), {0, 2.5, 64, kernel})) {
        EXPECT_TRUE(std::isfinite(s.fx) && std::isfinite(s.energy) && std::isfinite(s.virial)) << r;
        EXPECT_GT(s.energy, 1e10);
      }
    }
}

TEST(AllPairs, SumOfTheForcesVanishes) {
  auto engine = makeAllPairs(exec::makeExec({Backend::cpu, 2}));
  const MdState s = shakenLiquid(2000);
  for (PairKernel kernel : {PairKernel::teamsDouble, PairKernel::teams, PairKernel::tuned}) {
    const auto sums = forcesOf(*engine, s, {0, 2.5, 64, kernel});
    double square = 0;
    for (const PairSums& f : sums) square += f.fx * f.fx + f.fy * f.fy + f.fz * f.fz;
    const MdTotals t = engine->totals();
    const double bound = kernel == PairKernel::teamsDouble ? 1e-10 : 1e-5 * std::sqrt(square);
    EXPECT_LT(std::sqrt(t.fx * t.fx + t.fy * t.fy + t.fz * t.fz), bound);
  }
}

bool sameSums(const std::vector<PairSums>& a, const std::vector<PairSums>& b) {
  return a.size() == b.size() && std::memcmp(a.data(), b.data(), a.size() * sizeof(a[0])) == 0;
}

TEST(AllPairs, ThreadsDoNotChangeABit) {
  const MdState s = shakenLiquid(1001);
  for (PairKernel kernel : {PairKernel::teams, PairKernel::tuned}) {
    std::vector<PairSums> first;
    for (int threads : {1, 2, 3, 8}) {
      auto engine = makeAllPairs(exec::makeExec({Backend::cpu, threads}));
      const auto sums = forcesOf(*engine, s, {0, 2.5, 64, kernel});
      if (threads == 1) first = sums;
      EXPECT_TRUE(sameSums(first, sums)) << threads;
    }
  }
}

// The same state in either kind of engine: energies agree, and positions for as long as chaos is
// small.
TEST(VerletMode, MethodsSwitchAtTheSameState) {
  const std::string lists = "method=cells buffer=0.3 n=864";
  auto mode = startedMd(lists);
  mode->advance(40);
  const double energy = sampled(*mode, "potential");
  const Configuration before = mode->configuration();
  change(*mode, "method=all_pairs");
  EXPECT_EQ(mode->configuration().positions, before.positions);
  EXPECT_EQ(mode->info().phases.size(), 3u);
  EXPECT_NEAR(sampled(*mode, "potential"), energy, 1e-5);
  auto other = startedMd(lists);
  other->adopt(before);
  mode->advance(10), other->advance(10);
  const Configuration a = mode->configuration(), b = other->configuration();
  for (std::size_t k = 0; k < a.positions.size(); ++k)
    ASSERT_NEAR(a.positions[k], b.positions[k], 1e-4) << k;
  change(*mode, "method=cells");
  mode->advance(20);
  expectHealthy(*mode);
}

TEST(VerletMode, PicksAndExplainsById) {
  auto mode = startedMd("method=cells buffer=0.3 n=256");
  mode->advance(30);  // sorted along the curve since
  const Configuration c = mode->configuration();
  for (const std::size_t i : {0u, 77u, 255u}) {
    const auto frame = mode->frame({.layers = {"particles"}, .picked = c.ids[i]});
    ASSERT_EQ(frame->picked.id, c.ids[i]);
    EXPECT_NEAR(frame->picked.position[0], c.positions[3 * i], 1e-5);
  }
}

// Friction and noise of free particles, exactly: the variance of v' = a v + b xi is T, and its
// correlation with v is a. 40,000 particles: five standard errors, 6e-7 of all seeds.
TEST(Bath, KicksKeepTheMaxwellDistribution) {
  const double dt = 0.05, gamma = 3, t = 1.7;
  const Bath bath = Bath::of({true, t, gamma, 5}, dt, 0);
  const std::int64_t n = 40000;
  const std::vector<Vec3d> v = md::maxwellVelocities(n, t, 3);
  double square = 0, fourth = 0, correlation = 0;
  for (std::size_t i = 0; i < v.size(); ++i) {
    const Vec3d u = bath.kicked(v[i], 12, static_cast<std::uint32_t>(i), false);
    const double before[3] = {v[i].x, v[i].y, v[i].z}, after[3] = {u.x, u.y, u.z};
    for (int k = 0; k < 3; ++k) {
      square += after[k] * after[k], correlation += before[k] * after[k];
      fourth += std::pow(after[k], 4);
    }
  }
  const double count = 3.0 * static_cast<double>(n);
  square /= count, fourth /= count, correlation /= count;
  EXPECT_NEAR(square, t, 5 * t * std::sqrt(2 / count));
  EXPECT_NEAR(correlation, t * std::exp(-gamma * dt), 5 * t * std::sqrt(2 / count));
  EXPECT_NEAR(fourth / (square * square), 3.0, 5 * std::sqrt(24 / count));
}

// Enough particles for the progress of the forces to be reported in parts.
TEST(MdForces, TellHowFarTheyAreAndCanBeGivenUp) {
  const auto mode = small();
  mode->advance(3);
  const std::string before = saved(*mode);
  std::vector<double> reports;
  assign(*mode, "n=9000");
  const auto several = [&] {
    return std::any_of(reports.begin(), reports.end(), [](double p) { return p > 0 && p < 1; });
  };
  mode->watchWork([&](const Preparation& p) {
    reports.push_back(p.progress);
    if (p.progress > 0) throw Cancelled();
  });
  EXPECT_THROW(mode->restart(), Cancelled);
  EXPECT_TRUE(several());
  assign(*mode, "n=256");
  EXPECT_EQ(saved(*mode), before);
  mode->watchWork({});
  mode->advance(1);
  EXPECT_EQ(mode->step(), 4u);

  reports.clear();
  mode->watchWork([&](const Preparation& p) { reports.push_back(p.progress); });
  restartWith(*mode, "n=9000");
  EXPECT_TRUE(several());
  EXPECT_EQ(reports.back(), 1.0);
  EXPECT_TRUE(std::is_sorted(reports.begin(), reports.end()));
  const auto whole = startedMd("n=9000");
  for (const char* id : {"potential", "pressure"})
    EXPECT_EQ(sampled(*mode, id), sampled(*whole, id));
}

// Calls `act` while every piece of work is given up at its first report.
template <class F>
void givenUp(Mode& mode, const F& act) {
  mode.watchWork([](const Preparation&) { throw Cancelled(); });
  EXPECT_THROW(act(), Cancelled);
  mode.watchWork({});
}

std::vector<double> numbersOf(const Mode& mode) {
  Configuration c = mode.configuration();
  c.positions.insert(c.positions.end(), c.velocities.begin(), c.velocities.end());
  return c.positions;
}

// Forces of a step, of a phase and of another pair law, on every kernel that tells how far it is.
TEST(MdForces, ThatAreGivenUpLeaveTheStateBefore) {
  for (const char* kernel : {"tuned", "teams", "teams_double"}) {
    SCOPED_TRACE(kernel);
    const auto mode = small(), other = small();
    for (MdMode* m : {mode.get(), other.get()}) {
      change(*m, std::string("kernel=") + kernel);
      m->advance(3);
    }
    const auto before = numbersOf(*mode);
    const double work = mode->work();
    givenUp(*mode, [&] { mode->advance(1); });
    EXPECT_TRUE(numbersOf(*mode) == before);
    EXPECT_EQ(mode->step(), 3u);
    EXPECT_EQ(mode->work(), work);
    assign(*mode, "cutoff=2");
    givenUp(*mode, [&] { mode->applyParameters(); });
    assign(*mode, "cutoff=2.5");
    EXPECT_TRUE(numbersOf(*mode) == before);
    mode->advancePhase();
    givenUp(*mode, [&] { mode->advancePhase(); });
    EXPECT_EQ(mode->nextPhase(), 1);
    mode->advance(2);
    other->advance(2);
    EXPECT_EQ(mode->step(), 5u);
    EXPECT_TRUE(numbersOf(*mode) == numbersOf(*other));
    EXPECT_EQ(sampled(*mode, "potential"), sampled(*other, "potential"));
  }
}

// A step of the first, watched, and one of the other: the parts add up to the same forces, and the
// shares rise to one in at least so many reports.
void expectReports(std::unique_ptr<MdMode> (&modes)[2], std::size_t least) {
  std::vector<double> reports;
  modes[0]->watchWork([&](const Preparation& p) { reports.push_back(p.progress); });
  for (auto& mode : modes) mode->advance(1);
  ASSERT_GE(reports.size(), least);
  EXPECT_TRUE(std::is_sorted(reports.begin(), reports.end()));
  EXPECT_GT(reports.front(), 0);
  EXPECT_EQ(reports.back(), 1.0);
  EXPECT_TRUE(numbersOf(*modes[0]) == numbersOf(*modes[1]));
  EXPECT_EQ(sampled(*modes[0], "pressure"), sampled(*modes[1], "pressure"));
}

TEST(MdForces, OfAStepTellHowFarTheyAre) {
  for (const char* kernel : {"tuned", "teams"}) {
    SCOPED_TRACE(kernel);
    std::unique_ptr<MdMode> modes[2];
    for (auto& mode : modes) mode = startedMd(std::string("n=9000 kernel=") + kernel);
    expectReports(modes, 2);
  }
}

// Placeholder cells of which each slot is computed: a sparse box has many.
TEST(MdForces, OfPlaceholderCellsTellHowFarTheyAre) {
  std::unique_ptr<MdMode> modes[2];
  for (auto& mode : modes) {
    mode = small(512);
    change(*mode, "method=placeholder_cells kernel=teams cell_slots=512");
    mode->advance(1);
  }
  const auto before = numbersOf(*modes[0]);
  givenUp(*modes[0], [&] { modes[0]->advance(1); });
  EXPECT_TRUE(numbersOf(*modes[0]) == before);
  EXPECT_EQ(modes[0]->step(), 1u);
  expectReports(modes, 10);
}

// The tuner's trials are given up as well, and begun again.
TEST(MdForces, OfTrialsAreGivenUp) {
  const auto mode = small();
  change(*mode, "tune=all");
  const auto before = numbersOf(*mode);
  for (int k = 0; k < 3; ++k) {
    givenUp(*mode, [&] { mode->advance(1); });
    EXPECT_TRUE(mode->preparation().has_value());
    EXPECT_TRUE(numbersOf(*mode) == before);
    mode->advance(1);
  }
}

// A random start is reported by the work done, not by the particles placed.
TEST(MdForces, RandomStartsTellHowFarTheyAre) {
  std::vector<double> reports;
  md::startRandom(
      20000, cubicBox(std::cbrt(20000 / 0.8442)), 0.85, 1,
      [&](double done) { reports.push_back(done); }, "");
  EXPECT_GE(reports.size(), 3u);
  EXPECT_TRUE(std::is_sorted(reports.begin(), reports.end()));
  EXPECT_LT(reports.back(), 1.0);
}

// What takes seconds in every step is said before the first forces.
TEST(MdForces, OfMillionsOfPairsAreWarnedOf) {
  md::MdParameters p;
  p.n = 16777216;
  EXPECT_TRUE(contains(p.by().warning(p.n), "method = all_pairs looks at 2.8e+14 pairs"));
  p.method.index = 1;
  EXPECT_EQ(p.by().warning(p.n), "");
  p.method.index = 0, p.n = 1000000;
  EXPECT_EQ(p.by().warning(p.n), "");
}

}  // namespace
}  // namespace cellscope::test
