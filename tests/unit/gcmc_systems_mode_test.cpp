// Mixtures of two types, and boxes of three different sides, in the grand-canonical mode: input,
// starts, limits, observables, files, checkpoints, and averages, which do not depend on the shape.
// What the engines sample of mixtures is judged in tests/physics/fluids_test.cpp.
#include "sim/modes/gcmc/methods/method.h"
#include "sim/modes/gcmc/replica_run.h"
#include "sim/modes/gcmc/start.h"
#include "tests/support/gcmc_modes.h"
#include "tests/support/gcmc_states.h"
#include "tests/support/md_modes.h"

namespace cellscope::test {
namespace {

const std::string kBinary =
    "system=binary tail=false cutoff=2.5 length=7 sigma_b=0.8 epsilon_b=0.6 moves_per_step=200";

std::size_t countB(const Mode& mode) {
  const Configuration c = mode.configuration();
  return static_cast<std::size_t>(std::count(c.types.begin(), c.types.end(), 1u));
}

// Kernels of GPUs are those of two types.
TEST(GcmcMixtureMode, TakesTheMethodsOfOneType) {
  gcmc::GcmcParameters pure, p;
  ParameterSet set = ParameterSet::of(p);
  assign(set, kBinary);
  gcmc::checkParameters(p, {Backend::cuda, 1, 0});
  for (const Backend where : {Backend::cpu, Backend::cuda})
    EXPECT_EQ(&gcmc::methodOf(p, where), &gcmc::methodOf(pure, where));
  EXPECT_TRUE(gcmc::optionsOf(p).mixed);
  EXPECT_FALSE(gcmc::optionsOf(pure).mixed);
}

TEST(GcmcMixtureMode, NumbersOfBothTypesAddUp) {
  for (const char* method : {"serial_cells", "speculative"}) {
    SCOPED_TRACE(method);
    auto mode = gcmcMode(kBinary + " method=" + method);
    mode->advance(20);
    const double a = sampled(*mode, "number_a"), b = sampled(*mode, "number_b");
    EXPECT_GT(a, 0);
    EXPECT_GT(b, 0);
    EXPECT_EQ(a + b, sampled(*mode, "particles"));
    EXPECT_EQ(b / (a + b), sampled(*mode, "fraction_b"));
    EXPECT_EQ(b, static_cast<double>(countB(*mode)));
    mode->advance(1);
    EXPECT_GT(sampled(*mode, "acceptance_exchange"), 0);
    expectHealthy(*mode);
  }
  auto pure = gcmcMode();
  pure->advance(1);
  for (const char* id : {"number_a", "number_b", "fraction_b", "acceptance_exchange"})
    EXPECT_TRUE(std::isnan(sampled(*pure, id))) << id;
  // Without pair energies every exchange is accepted.
  auto ideal = gcmcMode(kBinary + " potential=ideal_gas share_b=0.25 density=0.2 activity=0.2");
  ideal->advance(2);
  EXPECT_EQ(sampled(*ideal, "acceptance_exchange"), 1);
}

// The line of the reservoir, in the semi-grand ensemble too.
TEST(GcmcMixtureMode, TheActivityFractionIsAReference) {
  for (const double insertions : {0.35, 0.0}) {
    auto mode = gcmcMode(kBinary + fmt::format(" displacements={} insertions={} deletions={}",
                                               1 - 2 * insertions, insertions, insertions));
    const std::vector<ReferenceValue> all = mode->references();
    ASSERT_EQ(all.size(), 1u);
    EXPECT_EQ(all[0].observable, "fraction_b");
    EXPECT_EQ(all[0].value, 0.5);
    const std::size_t n = mode->particleCount();
    mode->advance(20);
    EXPECT_EQ(mode->particleCount() == n, insertions == 0);
    EXPECT_GT(sampled(*mode, "acceptance_exchange"), 0);
  }
}

// Without pair energies N_B of a replica is Poissonian of mean y z V, whatever its potential: 5
// standard deviations of 400 independent samples.
TEST(GcmcMixtureMode, ReplicasHaveTheirOwnActivities) {
  gcmc::GcmcParameters p;
  ParameterSet set = ParameterSet::of(p);
  assign(set, kBinary + " potential=ideal_gas");
  p.shareB = 0.25, p.length = 5, p.density = 0.1;
  p.replicas = 2, p.replicaFrom = -2, p.replicaTo = -1;
  gcmc::ReplicaRun run(exec::makeExec({.backend = Backend::cpu, .threads = 1}));
  run.start(p);
  for (std::size_t k = 0; k < 2; ++k) {
    const std::uint32_t b = countOfB(run.chain(k).state());
    EXPECT_GT(b, 0u);
    EXPECT_LT(b, run.chain(k).count());
  }
  double sum[2] = {};
  constexpr int kSamples = 400;
  for (int s = 0; s < kSamples; ++s) {
    run.advance(p, 1000);  // some 20 moves for each particle
    for (std::size_t k = 0; k < 2; ++k) sum[k] += countOfB(run.chain(k).state());
  }
  for (std::size_t k = 0; k < 2; ++k) {
    const double mean = 0.25 * gcmc::parametersOf(p, k).activity * 125;
    EXPECT_NEAR(sum[k] / kSamples, mean, 5 * std::sqrt(mean / kSamples)) << k;
  }
}

TEST(GcmcMixtureMode, FilesKeepTheTypes) {
  auto mode = gcmcMode(kBinary);
  mode->advance(10);
  const Configuration c = mode->configuration();
  ASSERT_EQ(c.species.size(), 2u);
  EXPECT_EQ(c.species[0].name, "A");
  EXPECT_EQ(c.species[1].diameter, 0.8);
  auto other = gcmcMode(kBinary + " seed=5");
  other->adopt(c);
  EXPECT_EQ(other->configuration().types, c.types);
  // Of one type, and of other names.
  expectRefusal([&] { gcmcMode()->adopt(c); }, {"system = binary"});
  Configuration renamed = c;
  renamed.species[1].name = "Kr";
  expectRefusal([&] { other->adopt(renamed); }, {"'Kr'", "'A' and 'B'"});
}

const std::string kFluid =
    "length=6 length_y=7.5 length_z=11 temperature=1.5 activity=0.3 density=0.4 cutoff=2.5 "
    "moves_per_step=500";

TEST(GcmcBox, LatticesFollowTheSides) {
  for (const Box& box : {Box{3, {6, 9, 18}}, Box{3, {20, 12, 5}}, Box{2, {8, 24, 1}}})
    for (const double density : {0.2, 0.55, 0.7}) {
      const auto n = static_cast<std::size_t>(density * box.volume());
      const GcmcState s = gcmc::latticeState(box, n);
      ASSERT_EQ(s.point.size(), n);
      std::vector<Vec3d> places;
      for (const GcmcPoint& p : s.point) places.push_back(gcmcPosition(box, p));
      // A simple lattice of as many sites has neighbours at this distance; one layer more or less
      // along an axis, and vacancies, take their part.
      EXPECT_GT(nearestOf(places, box), 0.75 * std::pow(density, -1.0 / box.dimension)) << density;
    }
}

// Number, energy and pressure of one state in a cube and in boxes of the same volume, by chains of
// every kind. Five errors of both by block averages: one false alarm in 1.7 million seeds for each
// of the 15 comparisons.
TEST(GcmcBox, AveragesDoNotDependOnTheShape) {
  const std::vector<std::string> ids = {"particles", "energy", "pressure"};
  const auto measured = [&](const char* method, double x, double y, double z) {
    const auto mode = gcmcMode(
        kFluid + fmt::format(" method={} length={} length_y={} length_z={} cutoff=2.2 density=0.2",
                             method, x, y, z));
    mode->advance(60);
    const std::vector<BlockAverage> all = averaged(*mode, ids, 300, 2);
    expectHealthy(*mode);
    return all;
  };
  const auto cube = measured("serial_cells", 10, 0, 0);
  EXPECT_LT(cube[0].error(), 0.05 * cube[0].mean());
  const std::tuple<const char*, double, double, double> boxes[] = {
      {"serial", 8, 10, 12.5},
      {"serial_cells", 5.05, 12, 1000 / (5.05 * 12)},
      {"speculative", 16, 12.5, 5},
      {"in_order", 8, 8, 15.625},
      {"checkerboard", 9, 10, 1000 / 90.0}};
  for (const auto& [method, x, y, z] : boxes) {
    const auto other = measured(method, x, y, z);
    for (std::size_t k = 0; k < ids.size(); ++k)
      EXPECT_NEAR(other[k].mean(), cube[k].mean(),
                  5 * std::hypot(other[k].error(), cube[k].error()))
          << method << ' ' << ids[k];
  }
}

TEST(GcmcSystems, RefusalsNameTheCauseAndTheWayOut) {
  const auto refusal = [](const std::string& settings) {
    return messageOf<InputError>([&] { gcmcMode(settings); });
  };
  const std::string gas = "potential=ideal_gas tail=false ", board = "method=checkerboard ";
  const std::string binary = kBinary + " ", box = kFluid + " ", replicas = "replicas=8 ",
                    windows = "replicas=8 replicas_differ_by=window ";
  const std::pair<std::string, std::vector<std::string>> refused[] = {
      {"displacements=0.5 insertions=0.4", {"sum to", "1.25"}},
      {"insertions=0 deletions=0.7", {"insertions", "both"}},
      {"length=5", {"cutoff = 3", "at most half", "length of at least 6"}},
      {"temperature=0", {"temperature", "0.1"}},
      {"temperature=-1", {"temperature"}},
      {"chemical_potential=90", {"chemical_potential = 90", "activity"}},
      {"potential=shifted", {"tail"}},
      {"max_displacement=5", {"max_displacement", "half the box"}},
      {"activity=0.1 chemical_potential=-2", {"contradicts", "only"}},
      {gas + "chemical_potential=40", {"ideal gas", "smaller"}},
      // More particles than fit, before memory is asked for.
      {"length=161 density=0.9", {"density = 0.9", "at most 2097152", "smaller density or length"}},
      {gas + "length=161 density=0.1 activity=100",
       {"at most 4e6 fit", "smaller activity or length"}},
      // Options that a method cannot have.
      {board + "length=14 displacement_range=box",
       {"displacement_range", "checkerboard", "leaves its cell"}},
      {"displacement_range=box tune=true", {"tune", "maximum"}},
      {"method=cells mapping=1x27 block_size=20", {"block_size = 20", "1x27", "27", "1024"}},
      {board + "length=11", {"checkerboard", "four cells", "11", "cutoff of 3", "12"}},
      {"method=in_order length=12.5 insertion_counts_old_number=true",
       {"insertion_counts_old_number", "in_order", "false"}},
      // Of mixtures; the cutoff of the largest pair, 2.5 * 2, in a box of 7.
      {binary + "tail=true", {"tail = true", "tail = false"}},
      {binary + "potential=hard_spheres", {"potential = hard_spheres", "system = pure"}},
      {binary + "mixing=given epsilon_ab=1", {"sigma_ab = 0", "0.5 to 2"}},
      {binary + "mixing=given sigma_ab=1", {"epsilon_ab = 0", "0.05 to"}},
      {binary + "share_b=1.5", {"share_b", "1.5"}},
      {binary + "sigma_b=2", {"cutoff", "half"}},
      // The shortest side.
      {box + "cutoff=3.1", {"the box of length = 6: "}},
      {box + "length_z=4",
       {"the box of length_z = 4: it may be at most half of the shortest side, 2; use a smaller "
        "cutoff or a length_z of at least 5"}},
      {box + "length_y=1", {"length_y = 1 is too short"}},
      {box + "potential=hard_spheres tail=false length_y=2 max_displacement=0.1",
       {"length_y = 2 is too small for hard spheres"}},
      {box + "max_displacement=3.5", {"half the box of length = 6, 3;"}},
      {box + board + "length=11", {"a box of 7.5 along y with a cutoff of 2.5"}},
      // Of replicas.
      {replicas + "replica_first=-2 replica_last=-4",
       {"replica_first = -2 is above replica_last = -4"}},
      {replicas + "replicas_differ_by=temperature replica_coldest=3 replica_hottest=2",
       {"reversed"}},
      {replicas + "replicas_differ_by=seed seed=4294967290", {"smaller seed"}},
      {windows + "replica_windows=3", {"use replicas = 6"}},
      {windows + "length=6 replica_most=7", {"fewer replicas"}},
      {windows + "length=6 replica_most=900", {"at most 259"}},
      {"replica_coldest=0", {"replica_coldest"}}};
  for (const auto& [settings, words] : refused) {
    SCOPED_TRACE(settings);
    expectWords(refusal(settings), words);
  }
  EXPECT_EQ(refusal("block_size=20"), "") << "no block is meant";
  EXPECT_EQ(refusal(board + "length=12.5 cutoff=1"), "") << "the tail is negative there too";
  EXPECT_EQ(refusal(binary + "share_b=1"), "");
  EXPECT_EQ(refusal(box + "length_y=5"), "") << "exactly half the shortest side";
  EXPECT_EQ(refusal(box + "dimension=2 length_z=2"), "") << "no third side";
}

// The running acceptance of speculative moves is in the file, too: what is discarded goes on
// exactly.
TEST(GcmcSystems, ResumeBitForBit) {
  const std::pair<std::string, std::vector<const char*>> systems[] = {
      {kBinary + " length=12 replicas=2 method=", {"serial_cells", "checkerboard", "in_order"}},
      {kFluid + " method=", {"serial", "serial_cells", "speculative", "in_order"}},
      {"length=6 moves_per_step=500 replicas=3 replica_most=90 replicas_differ_by=",
       {"potential", "window", "temperature", "seed"}}};
  for (const auto& [system, each] : systems)
    for (const char* one : each) {
      SCOPED_TRACE(system + one);
      const auto straight = gcmcMode(system + one), mode = gcmcMode(system + one),
                 other = gcmcMode("length=7");
      for (Mode* m : {straight.get(), mode.get()}) {
        m->advance(2);
        change(*m, "chemical_potential=-2.5");
        m->advance(2);
      }
      straight->advance(2);
      expectResumes(*mode, *other, 2);
      EXPECT_EQ(saved(*other), saved(*straight));
    }
}

}  // namespace
}  // namespace cellscope::test
