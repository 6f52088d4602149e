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
#include <algorithm>
#include <cmath>
#include <cstdio>

#include "sim/algo/observables/block_average.h"
#include "sim/algo/observables/contact_pressure.h"
#include "sim/algo/observables/hard_disk_reference.h"
#include "sim/core/equations_of_state.h"
#include "tests/support/disk_states.h"

namespace cellscope::test {
namespace {

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
  const MpmcParameters p{.seed = 17, .d = 0.2f, .nMoves = 1, .experiments = experiments};
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
