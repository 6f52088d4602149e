// What breaks when disks may leave their cell (S3, section 2.4, point 1): a lone disk against the
// exact result, two disks against brute force, and a dense liquid against the honest rule. Each
// effect must have its sign and size; with the experiment off it must be absent.
// What shuffling does (S3, section 2.4, points 2 and 3, and Table 1), where the effect is large
// enough to be seen in seconds.
//
// Why a fixed order of the disks breaks the sampling. Let q(o|x) be how often the lists of the
// cells have the order o when the disks are at x. A cell update that tries the disks in the order o
// keeps the uniform distribution for each o (one trial move is as likely as its reverse), so with q
// independent of x all is well: that is what the shuffle does. Without it the order is the history:
// a cell shift keeps those that stay in front and puts those that enter at the end, and who has
// just entered is near the border. The update then moves as many disks from x to x' as q(o|x) says,
// but back as q(o|x') says, and uniform is no longer stationary. With n_M = 1 only the first disk
// of a list, the one longest in its cell, is ever tried. It walks from the middle towards the
// border, where disks wait behind others and are not tried back: they gather there, and two disks
// of a cell drift apart. So fewer touch (2 % fewer of one cell), and P* is too low. Where every
// disk of a cell has as many trials as any other (two disks, n_M = 2 or 4) next to nothing is left;
// with n_M = 3 the first of two is tried twice, and with n_M = 4 the first of three. The size of
// the effect, and even its sign, thus depend on how lists are kept and on n_M: S3 finds +1e-4 to
// +6e-4 of P* near the transition with n_M = 4, here it is -4e-3 in the fluid with n_M = 1.
//
// A fixed order of the four sets is different. Each sub-sweep keeps the uniform distribution by
// itself, hence any sequence of them does: balance holds, detailed balance (of a whole sweep) does
// not, and none of the averages may change.
#include <cstdio>
#include <random>

#include "sim/algo/observables/block_average.h"
#include "sim/algo/observables/disk_observables.h"
#include "sim/algo/observables/hard_disk_reference.h"
#include "tests/support/disk_states.h"

namespace cellscope::test {
namespace {

constexpr GridInfo kGrid{4, 5, 1.25f};  // five slots, as the mode gives this experiment
constexpr double kLeaveLimit = 4.5;     // standard errors; a false alarm in 7e-6 of random runs

MpmcParameters movesWith(bool leave, float d, int nMoves) {
  return parameters(99, d, nMoves, {.leaveCell = leave});
}

// Uniform in [0, w), on the coordinate grid.
struct Uniform {
  std::mt19937_64 generator{7};
  double operator()() {
    std::uniform_int_distribution<int> quanta(
        0, static_cast<int>(static_cast<double>(kGrid.w) / kCoordinateQuantum) - 1);
    return quanta(generator) * static_cast<double>(kCoordinateQuantum);
  }
};

// Share of starts after which the disk lies in a cell of the set just updated.
double shareInActiveSet(bool leave, float d, int starts) {
  const auto engine = makeMpmcEngineCpu(1, "scalar");
  Uniform uniform;
  int inside = 0;
  for (int k = 0; k < starts; ++k) {
    const double w = static_cast<double>(kGrid.w);
    const std::vector<double> xy = {uniform() + w * (k % 4), uniform() + w * (k / 4 % 4)};
    engine->upload(fillCells(kGrid, xy, std::vector<std::uint32_t>{0}));
    engine->subSweep(movesWith(leave, d, 1), static_cast<std::uint64_t>(k), 0);
    const DiskCellsView c = engine->view();
    for (int cell = 0; cell < 4; ++cell) inside += c.count[c.grid.cell(cell % 2 * 2, cell / 2 * 2)];
  }
  return static_cast<double>(inside) / starts;
}

// A move by at most d < w - 1, uniform in the circle, stays in the cell with the probability
// E[(1 - |x|/w) (1 - |y|/w)] = 1 - 8 d / (3 pi w) + d^2 / (2 pi w^2); nothing comes back.
TEST(LeaveCell, ALoneDiskIsPumpedOutOfTheActiveSet) {
  constexpr int kStarts = 200000;
  const double d = 0.2, w = 1.25, pi = std::numbers::pi;
  const double expected = (1 - 8 * d / (3 * pi * w) + d * d / (2 * pi * w * w)) / 4;
  const double share = shareInActiveSet(true, 0.2f, kStarts);
  EXPECT_NEAR(share, expected, kLeaveLimit * std::sqrt(expected * (1 - expected) / kStarts));
  EXPECT_LT(share, 0.23);
  EXPECT_EQ(shareInActiveSet(false, 0.2f, 16000), 0.25);  // exactly: every fourth start, and stays
}

// Share of starts, one disk in cell (0, 0) and one in (2, 0), that end in overlap.
double overlapShare(bool leave, float d, int nMoves, int starts) {
  const auto engine = makeMpmcEngineCpu(1, "scalar");
  Uniform uniform;
  int overlapping = 0;
  for (int k = 0; k < starts; ++k) {
    const std::vector<double> xy = {uniform(), uniform(),
                                    uniform() + 2 * static_cast<double>(kGrid.w), uniform()};
    engine->upload(fillCells(kGrid, xy, std::vector<std::uint32_t>{0, 1}));
    engine->subSweep(movesWith(leave, d, nMoves), static_cast<std::uint64_t>(k), 0);
    overlapping += engine->check().overlaps > 0;
  }
  return static_cast<double>(overlapping) / starts;
}

// The same in plain double precision: nMoves moves of each disk, none beyond the reach w - 1.
double bruteForceOverlapShare(double d, int nMoves, int starts) {
  const double w = static_cast<double>(kGrid.w), reach = w - 1, length = 4 * w;
  std::mt19937_64 generator(12345);
  std::uniform_real_distribution<double> unit(0, 1), square(-1, 1);
  const auto walk = [&](double& x, double& y) {
    for (int k = 0; k < nMoves; ++k) {
      double a = 1, b = 1;
      while (a * a + b * b >= 1) a = square(generator), b = square(generator);
      const double nx = x + d * a, ny = y + d * b;
      if (nx < -reach || nx >= w + reach || ny < -reach || ny >= w + reach) continue;
      x = nx, y = ny;
    }
  };
  int overlapping = 0;
  for (int k = 0; k < starts; ++k) {
    double x[2], y[2];
    for (int i = 0; i < 2; ++i) {
      x[i] = w * unit(generator), y[i] = w * unit(generator);
      walk(x[i], y[i]);
    }
    overlapping += std::hypot(std::remainder(x[1] + 2 * w - x[0], length), y[1] - y[0]) < 1;
  }
  return static_cast<double>(overlapping) / starts;
}

TEST(LeaveCell, TwoConcurrentCellsMakeTheOverlapsOfBruteForce) {
  constexpr int kStarts = 200000, kBrute = 2000000;
  const double measured = overlapShare(true, 0.25f, 4, kStarts);
  const double expected = bruteForceOverlapShare(0.25, 4, kBrute);
  std::printf("share of overlaps %.5f, by brute force %.5f\n", measured, expected);
  ASSERT_GT(expected * kStarts, 100);
  EXPECT_NEAR(measured, expected, kLeaveLimit * std::sqrt(expected / kStarts + expected / kBrute));
  EXPECT_EQ(overlapShare(false, 0.25f, 4, 20000), 0.0);
}

// Alignment of bonds with the axes of the cell grid, absent in a correct fluid simulation: the mean
// of cos(4 theta) = 1 - 8 x^2 y^2 / r^4 over all pairs nearer than 1.5, theta: angle between the
// bond and the x axis. 1 for bonds along the axes, 0 for no preference, -1 for diagonal bonds.
double axisOrder(const DiskCells& cells) {
  const std::vector<double> xy = positionsOf(cells).xy;
  const Box box = boxOf(cells.grid);
  double sum = 0, count = 0;
  for (std::size_t i = 0; i < xy.size(); i += 2)
    for (std::size_t j = 0; j < i; j += 2) {
      const Vec3d d = box.minimumImage({xy[i] - xy[j], xy[i + 1] - xy[j + 1], 0});
      const double r2 = dot(d, d);
      if (r2 == 0 || r2 >= 1.5 * 1.5) continue;
      sum += 1 - 8 * d.x * d.x * d.y * d.y / (r2 * r2), count += 1;
    }
  return sum / count;
}

struct Dense {
  BlockAverage pressure, axis, overlaps;
};

Dense measureLeaving(bool leave) {
  constexpr int kDisks = 400, kSamples = 400;
  const MpmcParameters p = movesWith(leave, 0.16f, 32);
  const auto engine = makeMpmcEngineCpu(1, "");
  engine->upload(roomyCells(someDisks(kDisks, 0.66, 3)));
  const auto observables = observablesOn({Backend::cpu, 1});
  ContactCounts counts;
  const ContactFit fit(counts.pairBins, 2);
  Dense d;
  for (int k = 0; k < kSamples; ++k) {
    engine->sweeps(p, static_cast<std::uint64_t>(8 * k), 8);
    if (k < kSamples / 4) continue;  // equilibration
    counts.clear();
    observables->contact(engine->view(), counts);
    d.pressure.add(fit.pressure(counts, densityOfPacking(packingOf(engine->grid(), kDisks))));
    d.axis.add(axisOrder(engine->download()));
    d.overlaps.add(static_cast<double>(engine->check().overlaps));
  }
  return d;
}

// Six standard errors: equal means would pass with 1e-9; the effect measured is three times that.
TEST(LeaveCell, ADenseLiquidOverlapsAndItsPressureFalls) {
  const Dense honest = measureLeaving(false), broken = measureLeaving(true);
  const auto far = [](const BlockAverage& a, const BlockAverage& b) {
    return (a.mean() - b.mean()) / std::hypot(a.error(), b.error());
  };
  std::printf(
      "P* %.3f(%.3f) falls to %.3f(%.3f), axis order %.4f(%.4f) rises to %.4f(%.4f), %.1f "
      "overlaps\n",
      honest.pressure.mean(), honest.pressure.error(), broken.pressure.mean(),
      broken.pressure.error(), honest.axis.mean(), honest.axis.error(), broken.axis.mean(),
      broken.axis.error(), broken.overlaps.mean());
  EXPECT_EQ(honest.overlaps.mean(), 0);
  EXPECT_GT(broken.overlaps.mean(), 1);
  EXPECT_GT(far(honest.pressure, broken.pressure), 6);
  EXPECT_GT(far(broken.axis, honest.axis), 6);
}

// Many disks share a cell when it is wide; 1296 disks at 0.5 have w = 1.41, near the widest.
constexpr int kDisks = 1296;
constexpr double kPacking = 0.5;
constexpr double kStrip = 0.1;  // width of the strip along the border of a cell, over w

// Where the disks are in their cells. Every position in a cell is as likely as any other, because
// the cells have been shifted at random: the share in the strip is 1 - (1 - 2 kStrip)^2 exactly,
// and the means of x / w - 1/2 and y / w - 1/2 are 0.
struct Places {
  double border = 0, x = 0, y = 0;
};

Places placesInCells(const DiskCellsView& c) {
  const double w = static_cast<double>(c.grid.w);
  Places sum;
  int all = 0;
  for (int y = 0; y < c.grid.m; ++y)
    for (int x = 0; x < c.grid.m; ++x)
      for (int i = 0; i < c.count[c.grid.cell(x, y)]; ++i, ++all) {
        const Vec2 p = c.disk[c.grid.slot(x, y, i)];
        const double u = static_cast<double>(p.x) / w - 0.5, v = static_cast<double>(p.y) / w - 0.5;
        sum.border += std::max(std::abs(u), std::abs(v)) > 0.5 - kStrip;
        sum.x += u;
        sum.y += v;
      }
  return {sum.border / all, sum.x / all, sum.y / all};
}

struct ShuffleAverages {
  double packing = 0;
  BlockAverage border, x, y;  // before the cells are shifted
  BlockAverage pressure;      // from free paths, after it
};

// A sweep phase by phase.
void sweepAndLook(MpmcEngine& engine, const MpmcParameters& p, std::uint64_t sweep,
                  ShuffleAverages& a) {
  const SweepSchedule s = scheduleOfSweep(p, engine.view().grid.w, sweep);
  for (const std::uint8_t set : s.set) engine.subSweep(p, sweep, set);
  const Places places = placesInCells(engine.view());
  a.border.add(places.border);
  a.x.add(places.x);
  a.y.add(places.y);
  engine.shift(s.shift);
}

ShuffleAverages measureShuffled(const MpmcExperiments& experiments, int samples) {
  const MpmcParameters p = parameters(17, 0.2f, 1, experiments);
  const auto engine = makeMpmcEngineCpu(1, "");
  const DiskCells start = someDisks(kDisks, kPacking, 5);
  engine->upload(start);
  const auto observables = observablesOn({Backend::cpu, 1});
  std::uint64_t sweep = 4000;
  engine->sweeps(p, 0, sweep);
  ShuffleAverages a;
  a.packing = packingOf(start.grid, kDisks);
  for (int k = 0; k < samples; ++k)
    for (int half = 0; half < 2; ++half, sweep += 4) {
      engine->sweeps(p, sweep, 3);
      sweepAndLook(*engine, p, sweep + 3, a);
      if (half == 1)
        a.pressure.add(
            pressureOfPaths(densityOfPacking(a.packing), observables->freePaths(engine->view())));
    }
  return a;
}

// Deviations from what is right, in standard errors.
struct Deviations {
  double border, x, y, pressure;
};

// The equation of state's own error is 3e-6 of P* here.
Deviations deviations(const ShuffleAverages& a) {
  const double share = 1 - (1 - 2 * kStrip) * (1 - 2 * kStrip);
  const FluidPressure fluid = hardDiskFluid(a.packing, kDisks);
  const Deviations d = {
      (a.border.mean() - share) / a.border.error(), a.x.mean() / a.x.error(),
      a.y.mean() / a.y.error(),
      (a.pressure.mean() - fluid.finite) / std::hypot(a.pressure.error(), fluid.error)};
  std::printf(
      "at the border %.5f(%.5f), %.5f is right (%+.1f standard errors); off the middle by (%+.1f, "
      "%+.1f) standard errors; P* %.5f(%.5f), %.5f is right (%+.1f)\n",
      a.border.mean(), a.border.error(), share, d.border, d.x, d.y, a.pressure.mean(),
      a.pressure.error(), fluid.finite, d.pressure);
  EXPECT_TRUE(a.border.converged() && a.pressure.converged());
  return d;
}

constexpr double kErrorLimit = 4.5;  // standard errors; a false alarm in 2e-5 of random runs

// Sharp enough to see what the missing shuffle does (0.4 % of both) five times over.
void expectRight(const ShuffleAverages& a) {
  const Deviations d = deviations(a);
  EXPECT_LT(std::abs(d.border), kErrorLimit);
  EXPECT_LT(std::abs(d.x), kErrorLimit) << "moves are biased";
  EXPECT_LT(std::abs(d.y), kErrorLimit) << "moves are biased";
  EXPECT_LT(std::abs(d.pressure), kErrorLimit);
  EXPECT_LT(a.border.error(), 0.36 * 0.0004);
  EXPECT_LT(a.pressure.error(), hardDiskFluid(a.packing, kDisks).finite * 0.0008);
}

TEST(Shuffle, ShuffledDisksSampleTheFluid) { expectRight(measureShuffled({}, 7000)); }

TEST(Shuffle, WithoutParticleShuffleDisksGatherAtBordersAndThePressureFalls) {
  const Deviations d = deviations(measureShuffled({.noParticleShuffle = true}, 8000));
  EXPECT_GT(d.border, 10);
  EXPECT_LT(d.pressure, -5);
}

TEST(Shuffle, TheOrderOfTheSetsDoesNotMatter) {
  expectRight(measureShuffled({.noSetShuffle = true}, 7000));
}

}  // namespace
}  // namespace cellscope::test
