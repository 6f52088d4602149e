// The engine against event-chain Monte Carlo (tests/support/event_chain.h) through the transition
// and in the solid, where no equation of state is at hand: two algorithms, two geometries, three
// estimators of the pressure that have nothing in common but the definition of hard disks.
//
// Both start from the same lattice in the same square. 19 x 22 disks (columns / rows = 0.8636) fit
// a crystal (sqrt(3) / 2 = 0.8660) with a strain of 0.3 %, 26 x 30 with 0.07 %: crystals that fit
// badly creep from one set of lattice vectors to another and back, too slowly to average over. At
// 0.70 the 418 disks go to and fro between fluid and crystal many times within a run (|Psi6| from
// 0.1 to 0.65), at 0.72 and above they stay in order.
//
// For the long comparison of results/event_chain.md, about nine minutes (2 and so on: other seeds):
//   CELLSCOPE_LONG_RUN=1 build-tests/bin/physics/ordered_phases_test
// The event chains of tests/support/event_chain.h by themselves, before they are held against the
// engine (below, where no two overlap after many chains): exact results for two
// and four disks, published pressures of the fluid, and what must hold in any state. Seeds are
// fixed; errors come from block averages.
#include <fmt/format.h>

#include <cstdio>
#include <cstdlib>

#include "sim/algo/observables/hard_disk_reference.h"
#include "tests/support/event_chain.h"
#include "tests/support/hard_disks.h"

namespace cellscope::test {
namespace {

// Combined standard errors. A false alarm in 6e-5 of random comparisons, and in 8e-4 where 16 to 20
// blocks give the error (0.70): of the sixteen below, in four choices of the seeds in a thousand.
constexpr double kLimit = 4;
constexpr double kRadius = 1.5;  // of neighbours, for both
constexpr double kChainLength = 3;

struct OrderedState {
  int columns, rows;
  double packing;
  int samples;
  std::uint64_t sweeps;  // per sample
  int chainSamples, pairs;
  double sharpness;        // largest error of P* from free paths, relative
  bool seesWrongDiameter;  // of 1.001, in P*
};

void PrintTo(const OrderedState& s, std::ostream* out) {
  *out << s.columns * s.rows << " disks at " << s.packing;
}

// Number of the long run asked for; 0: none.
int longRun() {
  const char* number = std::getenv("CELLSCOPE_LONG_RUN");
  return number ? std::atoi(number) : 0;
}
// Added to every seed.
int otherSeed() { return std::max(0, longRun() - 1); }

// A diameter wrong by a thousandth is worth 6 combined errors and more at 0.72 and 0.74, which each
// run shows. At 0.68 it is worth 2, and at 0.70, where the slow coming and going of the crystal
// limits everything, less than 2: the test does not insist there.
std::vector<OrderedState> states() {
  if (longRun() > 0)
    return {{19, 22, 0.70, 32000, 100, 36000, 200, 0.003, false},
            {26, 30, 0.72, 70000, 40, 8000, 400, 0.001, true},
            {26, 30, 0.74, 70000, 16, 8000, 400, 0.001, true}};
  return {{19, 22, 0.68, 6000, 10, 1500, 200, 0.003, false},
          {19, 22, 0.70, 5000, 80, 5000, 200, 0.008, false},
          {19, 22, 0.72, 8000, 10, 1000, 200, 0.002, true},
          {19, 22, 0.74, 8000, 10, 1000, 200, 0.002, true}};
}

struct Measured {
  BlockAverage contact, paths, global, local;
};

Measured byEngine(HardDisksMode& mode, const OrderedState& s) {
  mode.advance(static_cast<std::uint64_t>(s.samples) / 10 * s.sweeps);
  const auto m = averaged(mode, {"pressure", "pressure_paths", "psi6_global", "psi6_local"},
                          s.samples, s.sweeps);
  expectHealthy(mode);
  return {m[0], m[1], m[2], m[3]};
}

struct Chained {
  BlockAverage pressure, global, local;
};

Chained byChains(const Configuration& start, double diameter, const OrderedState& s) {
  std::vector<double> xy;
  for (std::size_t k = 0; k < start.positions.size(); k += 3)
    xy.insert(xy.end(), {start.positions[k], start.positions[k + 1]});
  EventChains chains(start.box.length[0], xy, diameter,
                     static_cast<std::uint64_t>(2009 + otherSeed()));
  EXPECT_GT(chains.bondOrder(kRadius).global, 0.99) << "not a crystal without vacancies";
  chains.pressure(s.chainSamples / 10 * s.pairs, kChainLength);
  Chained m;
  for (int k = 0; k < s.chainSamples; ++k) {
    m.pressure.add(chains.pressure(s.pairs, kChainLength));
    const EventChains::Order order = chains.bondOrder(kRadius);
    m.global.add(order.global);
    m.local.add(order.local);
  }
  EXPECT_GT(chains.smallestDistance(), diameter - 1e-12);
  return m;
}

// The block error, or that of the longest blocks of which there are at least 16, whichever is
// larger. At 0.70 the way from fluid to crystal and back takes ten thousand sweeps: a run holds it
// too seldom for block averages to know their error.
double errorOf(const BlockAverage& a) {
  double longest = 0;
  for (const BlockAverage::Level& level : a.levels())
    if (level.blocks >= 16) longest = level.error;
  return std::max(a.error(), longest);
}

double deviation(const BlockAverage& a, const BlockAverage& b) {
  return (a.mean() - b.mean()) / std::hypot(errorOf(a), errorOf(b));
}

// A row of the table in results/event_chain.md.
double compared(const char* what, const OrderedState& s, const BlockAverage& engine,
                const BlockAverage& chains) {
  const double d = deviation(engine, chains);
  std::printf("| %d | %.2f | %s | %.5f(%.5f) | %.5f(%.5f) | %+.1e | %+.1f |\n", s.columns * s.rows,
              s.packing, what, engine.mean(), errorOf(engine), chains.mean(), errorOf(chains),
              engine.mean() / chains.mean() - 1, d);
  return d;
}

class OrderedPhases : public testing::TestWithParam<OrderedState> {};

TEST_P(OrderedPhases, AgreeWithEventChains) {
  const OrderedState s = GetParam();
  const int n = s.columns * s.rows;
  const auto mode =
      started(fmt::format("n={} packing={} start=hexagonal seed={} neighbours=radius "
                          "neighbour_radius={} degree=3 free_paths=true",
                          n, s.packing, 2013 + otherSeed(), kRadius));
  const Configuration start = mode->configuration();
  const double length = std::sqrt(n * std::numbers::pi / (4 * s.packing));
  EXPECT_NEAR(start.box.length[0], length, 1e-6 * length);

  const Chained chains = byChains(start, 1, s);
  const Measured engine = byEngine(*mode, s);
  EXPECT_LT(errorOf(engine.paths), s.sharpness * engine.paths.mean());
  EXPECT_LT(errorOf(chains.pressure), s.sharpness * engine.paths.mean());
  EXPECT_LT(std::abs(compared("P*, contact fit", s, engine.contact, chains.pressure)), kLimit);
  EXPECT_LT(std::abs(compared("P*, free paths", s, engine.paths, chains.pressure)), kLimit);
  EXPECT_LT(std::abs(compared("\\|Psi6\\|", s, engine.global, chains.global)), kLimit);
  EXPECT_LT(std::abs(compared("<\\|psi6\\|>", s, engine.local, chains.local)), kLimit);

  if (!s.seesWrongDiameter) return;
  const Chained wrong = byChains(start, 1.001, s);
  EXPECT_GT(std::abs(compared("P*, free paths, against chains of diameter 1.001", s, engine.paths,
                              wrong.pressure)),
            kLimit);
}

INSTANTIATE_TEST_SUITE_P(States, OrderedPhases, testing::ValuesIn(states()),
                         [](const testing::TestParamInfo<OrderedState>& state) {
                           const int permille = static_cast<int>(1000 * state.param.packing + 0.5);
                           return "Packing0" + std::to_string(permille);
                         });

constexpr double kPi = std::numbers::pi;
constexpr double kChainLimit = 4.5;  // standard errors; a false alarm in 2e-5 of random runs

void expectMean(const char* what, const BlockAverage& a, double exact, double largestError) {
  std::printf("%s %.6f(%.6f), expected %.6f (%+.1f standard errors)\n", what, a.mean(), a.error(),
              exact, (a.mean() - exact) / a.error());
  EXPECT_TRUE(a.converged()) << what;
  EXPECT_LT(a.error(), largestError) << what;
  EXPECT_NEAR(a.mean(), exact, kChainLimit * a.error()) << what;
}

// The pair distance (minimum image) of two disks is uniform on the square without the unit disk:
// nearer than r <= L/2 with the probability pi (r^2 - 1) / (A - pi), and
// beta P = (2/A) (1 + pi / (2 (A - pi))). Chains shorter than the box, and others that wind round
// it. Their length over that of the box is irrational: two disks that miss each other would
// otherwise come back to the same few places.
TEST(EventChain, TwoDisksAreExact) {
  const double length = 5.6, area = length * length;
  for (const double chainLength : {length / std::numbers::phi, length * std::numbers::phi}) {
    SCOPED_TRACE(chainLength);
    EventChains disks(length, {1, 1, 3.2, 4.1}, 1, 11);
    BlockAverage nearly, near, along[2];
    for (int k = 0; k < 400000; ++k) {
      const std::size_t axis = k % 2;
      along[axis].add(2 / area * disks.chain(axis, chainLength) / chainLength);
      const double r = disks.distance(0, 1);
      nearly.add(r < 1.05);
      near.add(r < 2);
    }
    const double pressure = 2 / area * (1 + kPi / (2 * (area - kPi)));
    expectMean("P_xx", along[0], pressure, 0.002 * pressure);
    expectMean("P_yy", along[1], pressure, 0.002 * pressure);
    expectMean("nearer than 1.05", nearly, kPi * (1.05 * 1.05 - 1) / (area - kPi), 0.0003);
    expectMean("nearer than 2", near, kPi * 3 / (area - kPi), 0.001);
  }
}

// Partition function from cluster integrals (no winding, L > N).
TEST(EventChain, FourDisksHaveTheExactPressure) {
  EventChains disks(4.2, {1, 1, 3.1, 1, 1, 3.1, 3.1, 3.1}, 1, 12);
  BlockAverage pressure;
  for (int k = 0; k < 20000; ++k) pressure.add(disks.pressure(10, 3));
  expectMean("P*", pressure, 0.313418602239, 0.0003);
}

// A dense fluid against Kolafa and Rottner, a dense liquid against what is published.
TEST(EventChain, FluidsHaveTheKnownPressures) {
  const auto liquid = hardDiskReferences(870, 0.67);
  ASSERT_FALSE(liquid.empty());
  struct Row {
    double packing, pressure, largestError;
  };
  for (const Row& row : {Row{0.6, hardDiskFluid(0.6, 870).finite, 0.001 * 4.93},
                         Row{0.67, liquid[0].value, 0.001 * 7.99}}) {
    SCOPED_TRACE(row.packing);
    const double length = std::sqrt(870 * kPi / (4 * row.packing));
    EventChains disks(length, triangularLattice(29, 30, length), 1, 13);
    disks.pressure(100000, 3);  // melts
    BlockAverage pressure;
    for (int k = 0; k < 2000; ++k) pressure.add(disks.pressure(200, 3));
    EXPECT_LT(disks.bondOrder(1.5).global, 0.3);
    expectMean("P*", pressure, row.pressure, row.largestError);
  }
}

TEST(EventChain, WrongStartsAreRefused) {
  EXPECT_THROW(EventChains(5, {1, 1, 1.5, 1.5}, 1, 1), std::invalid_argument);
  EXPECT_THROW(EventChains(5, {1, 1, 5, 1.5}, 1, 1), std::invalid_argument);
  EXPECT_THROW(EventChains(5, {0.1, 1, 4.9, 1}, 1, 1), std::invalid_argument);
  EXPECT_THROW(EventChains(3.9, {1, 1}, 1, 1), std::invalid_argument);
}

// 26 x 30 fits the square to 7e-4. A square lattice has no sixfold order with eight neighbours:
// exp(6 i theta) is +1 along x and -1 along y, and +-i along the diagonals.
TEST(EventChain, BondOrderOfLattices) {
  const EventChains hexagons(30, triangularLattice(26, 30, 30), 1, 1);
  EXPECT_GT(hexagons.bondOrder(1.5).global, 0.999);
  EXPECT_GT(hexagons.bondOrder(1.5).local, 0.999);
  EXPECT_EQ(hexagons.bondOrder(0.9).local, 0);  // no neighbours
  std::vector<double> square;
  for (int k = 0; k < 64; ++k) square.insert(square.end(), {1.05 * (k % 8), 1.05 * (k / 8)});
  const EventChains squares(8 * 1.05, square, 1, 1);
  EXPECT_NEAR(squares.bondOrder(1.5).local, 0, 1e-12);
  EXPECT_NEAR(squares.bondOrder(1.5).global, 0, 1e-12);
}

}  // namespace
}  // namespace cellscope::test
