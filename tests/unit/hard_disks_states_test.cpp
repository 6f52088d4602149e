// Hard disks in rectangles: grids, starts, compression, files, checkpoints, and the pressure, which
// does not depend on the shape; from loaded configurations; experiments, restart parameters and
// curves. Hard spheres: the kernel of their pressure, their equations of state, and their starts.
#include "sim/modes/gcmc/start.h"
#include "tests/support/formats.h"
#include "tests/support/gcmc_modes.h"
#include "tests/support/hard_disks.h"

namespace cellscope::test {
namespace {

TEST(DiskBox, GridsHaveTheShapeAndCellsThatSuffice) {
  for (const GridShape shape : {GridShape{1, 2}, {2, 1}, {3, 2}, {5, 7}, {20, 19}, {1, 20}})
    for (int k = 0; k < 260; ++k) {
      const double least = 2.0 * columnStep(shape), length = least * (1 + 1e-6) * std::pow(1.02, k);
      const double area = length * length * shape.aspect();
      const auto disks = static_cast<std::int64_t>(std::ceil(area * 0.5 * 4 / M_PI));
      const GridChoice c = chooseGrid(disks, packingOf(disks, length, shape), shape);
      ASSERT_EQ(shapeOf(c.grid), shape);
      ASSERT_TRUE(possibleGrid(c.grid)) << length;
      ASSERT_TRUE(c.grid.slots == 4 ? c.grid.w < M_SQRT2 : c.grid.w <= 1.5) << c.grid.w;
      ASSERT_NEAR(boxOf(c.grid).volume() / area, 1, 1e-6);
    }
  EXPECT_EQ(shapeOfAspect(2, 1e-3, "it"), (GridShape{1, 2}));
  EXPECT_EQ(shapeOfAspect(0.6667, 1e-3, "it"), (GridShape{3, 2}));
  expectRefusal([] { shapeOfAspect(0.8573, 1e-6, "it"); }, {"the nearest are 6/7 = 0.857143 and"});
  const GridShape wide{2, 1};
  expectRefusal([&] { chooseGrid(20, 0.6, wide); },
                {"smaller than 8 x 4 cells of width 1; use at least 25 disks"});
}

TEST(DiskBox, StartsKeepTheSides) {
  for (const char* start : {"random", "square", "hexagonal"})
    for (const char* aspect : {"2", "0.75", "0.3333"}) {
      const auto mode =
          started(fmt::format("n=600 packing=0.66 start={} aspect_y={}", start, aspect));
      const Box box = mode->configuration().box;
      EXPECT_NEAR(box.length[1] / box.length[0], std::stod(aspect), 1e-4) << start;
      EXPECT_NEAR(packingOf(*mode), 0.66, 1e-6) << start;
      mode->advance(20);
      expectHealthy(*mode);
      change(*mode, "packing=0.6");
      for (int k = 0; k < 500 && mode->preparation(); ++k) mode->advance(1);
      change(*mode, "packing=0.69");
      for (int k = 0; k < 3000 && mode->preparation(); ++k) mode->advance(1);
      EXPECT_NEAR(packingOf(*mode), 0.69, 1e-5) << start << aspect;
      const Box after = mode->configuration().box;
      EXPECT_EQ(after.length[1] / after.length[0], box.length[1] / box.length[0]);
      expectHealthy(*mode);
    }
}

// Of a triangular lattice that fits a rectangle of sides 7 : 6 nearly without strain.
TEST(DiskBox, TriangularLatticesFitRectangles) {
  EXPECT_GT(latticeShape(DiskStart::hexagonal, 42 * 42, 6.0 / 7).largestPacking(42 * 42), 0.88);
  const auto mode = started("n=1764 packing=0.87 start=hexagonal aspect_y=0.857142857");
  mode->advance(2);
  expectHealthy(*mode);
}

TEST(DiskBox, TwoPhasesLieAcrossTheLongerSide) {
  expectHealthy(*started("n=2000 packing=0.708 start=coexistence aspect_y=2"));
  expectRefusal([] { started("n=2000 packing=0.708 start=coexistence aspect_y=0.5"); },
                {"use aspect_y = 2"});
}

// From free paths and by extrapolation to contact. Five errors of both by block averages: one false
// alarm in 1.7 million seeds for each of the four comparisons.
TEST(DiskBox, PressureDoesNotDependOnTheShape) {
  const auto measured = [](const char* aspect, const char* observable) {
    const auto mode = started(fmt::format("n=500 packing=0.5 aspect_y={} free_paths=on", aspect));
    mode->advance(300);
    BlockAverage pressure;
    for (int k = 0; k < 600; ++k) mode->advance(5), pressure.add(sampled(*mode, observable));
    return std::pair{pressure.mean(), pressure.error()};
  };
  for (const char* observable : {"pressure_paths", "pressure_sdf"}) {
    const auto square = measured("1", observable);
    EXPECT_LT(square.second, 0.03 * square.first);
    for (const char* aspect : {"3", "0.4"}) {
      const auto other = measured(aspect, observable);
      EXPECT_NEAR(other.first, square.first, 5 * std::hypot(other.second, square.second))
          << observable << ' ' << aspect;
    }
  }
}

class DiskBoxFiles : public Formats {};

// And what else the state is known by.
TEST_F(DiskBoxFiles, ConfigurationsKeepTheSides) {
  const auto a = started("n=300 packing=0.66 aspect_y=0.6");
  a->advance(9);
  const Configuration c = a->configuration();
  for (const char* suffix : {".xyz", ".h5", ".dump", ".npz"}) {
    const std::string path = file(std::string("box") + suffix);
    const auto sink = io::formatToWrite(path).create(path, "test 1.0", false);
    sink->append(c, {9, 9, "", false, {}});
    sink->close();
    const auto b = started("n=64 packing=0.1");
    b->adopt(io::readConfiguration(path).configuration);
    EXPECT_EQ(b->configuration().box, c.box) << path;
    EXPECT_EQ(b->configuration().positions, c.positions) << path;
    EXPECT_EQ(b->step(), 0u);
    EXPECT_EQ(valueIn(*b, "aspect_y"), 0.6);
    EXPECT_EQ(valueIn<std::int64_t>(*b, "n"), 300);
    EXPECT_NEAR(valueIn(*b, "packing"), 0.66, 1e-6);
    b->advance(3);
    expectHealthy(*b);
  }
}

TEST(Adopt, RefusesWhatCannotBeAndNamesIt) {
  const auto mode = started("n=60 packing=0.4");
  const std::string before = saved(*mode);
  const Configuration good = mode->configuration();
  const std::pair<std::function<void(Configuration&)>, const char*> cases[] = {
      {[](auto& c) { c.positions[3 * 7] = std::nan(""); }, "particle 7"},
      {[](auto& c) { c.positions[3 * 9 + 1] = -0.1; }, "particle 9"},
      {[](auto& c) { c.box.length[0] = c.box.length[1] = 1e9; },
       "packing fraction is 4.712e-17; allowed: 0.001 to 0.9068"},
      {[](auto& c) { c.species[0].diameter = 1e-9; }, "packing fraction is"},
      {[](auto& c) { std::copy_n(&c.positions[3 * 4], 2, &c.positions[3 * 5]); },
       "disks 4 and 5 overlap"},
      {[](auto& c) { c.box.length[1] *= 1.0371; }, "L_y / L_x, is 1.0371"},
      {[](auto& c) { c.box.dimension = 3; }, "three dimensions"},
      {[](auto& c) { c.ids[3] = 4; }, "id 4 appears twice"}};
  for (const auto& [spoil, named] : cases) {
    Configuration bad = good;
    spoil(bad);
    expectRefusal([&] { mode->adopt(bad); }, {named});
  }
  EXPECT_EQ(saved(*mode), before) << "the state is kept";
}

// Disks that touch exactly, as in a file with rounded digits, are not taken for overlaps.
TEST(Adopt, TakesTouchingDisks) {
  Configuration c;
  c.box.length[0] = c.box.length[1] = 8;
  for (std::uint32_t k = 0; k < 64; ++k) {
    c.positions.insert(c.positions.end(), {k % 8 + 0.1, k / 8 + 0.3, 0.0});
    c.ids.push_back(k);
  }
  const auto mode = started("n=60 packing=0.4");
  mode->adopt(c);
  expectHealthy(*mode);
  EXPECT_NEAR(packingOf(*mode), M_PI / 4, 1e-5);
}

TEST(Experiments, AreListedAndOffByDefault) {
  const auto mode = started("n=60 packing=0.4");
  std::vector<std::string> experiments;
  for (const Parameter& p : mode->parameters().items())
    if (p.info.experiment) {
      experiments.push_back(p.info.key);
      EXPECT_EQ(p.get(), p.fallback);
      EXPECT_EQ(p.info.effect, Effect::live);
    }
  EXPECT_EQ(experiments,
            (std::vector<std::string>{"no_particle_shuffle", "no_set_shuffle", "leave_cell",
                                      "no_cell_shift", "move_once", "shift_bits", "stale_halo"}));
  for (const std::string& e : experiments) {
    change(*mode, e + (e == "shift_bits" ? "=21" : "=true"));
    mode->advance(20);
    expectHealthy(*mode);
  }
}

TEST(Parameters, OfTheStateActOnlyAtRestart) {
  const auto a = started("n=100 packing=0.6 seed=3"), b = started("n=100 packing=0.6 seed=3");
  change(*b, "seed=4 n=200 d=0.2"), change(*a, "d=0.2");
  a->advance(10), b->advance(10);
  EXPECT_EQ(saved(*a), saved(*b));
}

TEST(Curves, KeepTheMeansOfEarlierPackings) {
  const auto mode = started("n=256 packing=0.3");
  const auto measure = [&] {
    for (int i = 0; i < 20; ++i) mode->advance(5), mode->sample();
  };
  for (const char* packing : {"packing=0.4", "packing=0.5"}) measure(), settle(*mode, packing);
  measure();
  const auto own = [&] { return curveOf(*mode, "eos").series.back(); };
  const CurveSeries first = own();
  EXPECT_TRUE(first.provisional) << "nobody has said that it is in equilibrium";
  ASSERT_EQ(first.x.size(), 3u);
  // P* of the virial series: rho Z = (4 phi / pi) Z with Z = 2.063, 2.829, 4.106.
  const double expected[] = {0.7881, 1.4409, 2.6142};
  for (std::size_t i = 0; i < 3; ++i) {
    EXPECT_NEAR(first.x[i], 0.3 + 0.1 * static_cast<double>(i), 1e-5);
    EXPECT_NEAR(first.y[i], expected[i], 0.15 * expected[i]);
    EXPECT_GT(first.error[i], 0);
    EXPECT_LT(first.error[i], 0.5 * expected[i]);
  }
  // A packing that is visited again replaces its earlier point.
  for (const char* packing : {"packing=0.4", "packing=0.35"}) settle(*mode, packing), measure();
  const std::vector<double> x = own().x;
  EXPECT_EQ(x.size(), 4u);
  EXPECT_EQ(std::ranges::count_if(x, [](double v) { return std::abs(v - 0.4) < 1e-4; }), 1);
}

// Every pair is counted from both its ends: n counts are n / 2 events.
TEST(Curves, PointsNearContactHaveTheErrorOfTheirPairs) {
  const auto mode = started("n=256 packing=0.5");
  for (int i = 0; i < 20; ++i) mode->advance(5), mode->sample();
  const CurveSeries points = curveOf(*mode, "g_contact").series.at(0);
  const double density = packingOf(*mode) * 4 / M_PI;
  const double width = valueIn(*mode, "dr");
  int with = 0;
  for (std::size_t i = 0; i < points.x.size(); ++i) {
    const double counts = points.y[i] * 256 * 20 * density * 2 * M_PI * points.x[i] * width;
    if (counts < 1) continue;
    ++with;
    EXPECT_NEAR(counts, std::round(counts), 1e-3);
    EXPECT_NEAR(points.error[i], points.y[i] * std::sqrt(2 / counts), 1e-6 * points.y[i]);
  }
  EXPECT_GT(with, 20);
}

TEST(Parameters, TheRadiusOfNeighboursMatters) {
  const auto near = started("n=256 packing=0.5 neighbours=radius");
  const auto far = started("n=256 packing=0.5 neighbours=radius");
  change(*near, "neighbour_radius=1.2"), change(*far, "neighbour_radius=1.9");
  EXPECT_GT(sampled(*near, "psi6_local"), 1.3 * sampled(*far, "psi6_local"));
}

// Integral of k(s) (1 + s)^(d - 1) g(1 + s) over the shell by Simpson's rule in 1000 parts.
template <class G>
double throughKernel(int dimension, const G& g) {
  const auto k = contactKernel(dimension);
  const double c = kContactReach - 1;
  const int parts = 1000;
  double sum = 0;
  for (int i = 0; i <= parts; ++i) {
    const double s = c * i / parts, weight = i == 0 || i == parts ? 1 : i % 2 == 1 ? 4 : 2;
    double kernel = 0;
    for (int j = kContactTerms - 1; j >= 0; --j)
      kernel = kernel * s + k[static_cast<std::size_t>(j)];
    sum += weight * kernel * std::pow(1 + s, dimension - 1) * g(s);
  }
  return sum * c / (3 * parts);
}

TEST(HardSpheres, TheKernelFindsTheContactValue) {
  for (const int d : {2, 3}) {
    for (int power = 0; power < kContactTerms; ++power)
      EXPECT_NEAR(throughKernel(d, [&](double s) { return std::pow(s / 0.05, power); }),
                  power == 0 ? 1 : 0, 1e-8);
    EXPECT_NEAR(throughKernel(d, [](double s) { return 6 * std::exp(-20 * s); }), 6, 6 * 3e-5);
  }
}

// Z of Carnahan and Starling at eta = 0.1 and 0.49 worked out by hand, and ln z by integrating it:
// mu_ex / T = Z - 1 + integral of (Z - 1) / rho.
TEST(HardSpheres, TheFluidIsThatOfCarnahanAndStarling) {
  const double sphere = 3.14159265358979 / 6;
  EXPECT_NEAR(hardSphereFluid(0.1 / sphere).pressure * sphere / 0.1, 1.109 / 0.729, 1e-12);
  EXPECT_NEAR(hardSphereFluid(0.49 / sphere).pressure * sphere / 0.49, 1.612451 / 0.132651, 1e-9);
  const double rho = 0.7;
  double integral = 0;
  for (int k = 0; k < 10000; ++k) {
    const double at = rho * (k + 0.5) / 10000;
    integral += (hardSphereFluid(at).pressure / at - 1) / at * rho / 10000;
  }
  const FluidState s = hardSphereFluid(rho);
  EXPECT_NEAR(s.excessPotential, s.pressure / rho - 1 + integral, 1e-6);
}

// Fluid and crystal have the same pressure where they coexist, to the accuracy of the two fits.
TEST(HardSpheres, TheEquationsMeetAtTheTransition) {
  EXPECT_NEAR(hardSphereFluid(kHardSphereFreezing).pressure,
              hardSphereCrystalPressure(kHardSphereMelting), 0.003 * 11.57);
}

TEST(HardSpheres, OverlapIsDecidedAtOneDiameter) {
  const double length[3] = {8, 8, 8};
  const GcmcPair pair = hardSpherePair(3, length);
  EXPECT_EQ(gcmcPairEnergy(pair, std::nextafter(1.0f, 0.0f)), kGcmcOverlap);
  EXPECT_EQ(gcmcPairEnergy(pair, 1.0f), 0);
  EXPECT_EQ(gcmcPairVirial(pair, 0.9f), 0);
  EXPECT_GT(gcmcPairVirial(pair, 1.0f), 0);
}

// Every number of spheres that fits on a lattice starts without overlap; one more is refused.
TEST(HardSpheres, StartWithoutOverlap) {
  GcmcSettings s{.cutoff = kContactReach, .hard = true};
  for (const Box& box : {cubicBox(6), squareBox(6.5)}) {
    const std::size_t most = box.dimension == 3 ? 256 : 36;
    for (std::size_t n : {std::size_t{1}, most / 2, most * 9 / 10, most})
      EXPECT_EQ(gcmcBruteForce(makeGcmcPair(s, box), gcmc::latticeState(box, n, true).point).energy,
                0)
          << n;
    expectRefusal([&] { gcmc::latticeState(box, most + 1, true); }, {std::to_string(most)});
  }
}

// A liquid of Lennard-Jones particles becomes one of hard spheres while the chain goes on: what
// overlapped parts, and no move makes a new overlap.
TEST(HardSpheres, AnotherPotentialDuringTheRun) {
  const auto mode = gcmcMode("length=6 density=0.6 temperature=2 cutoff=2.5 method=serial_cells");
  mode->advance(5);
  change(*mode, "potential=hard_spheres");
  mode->advance(100);
  expectHealthy(*mode);
  EXPECT_EQ(mode->sample()[3], 0);  // energy
}

}  // namespace
}  // namespace cellscope::test
