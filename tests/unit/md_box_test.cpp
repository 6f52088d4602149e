// Boxes of three different sides in molecular dynamics: starts, files, limits, and the state of the
// fluid, which does not depend on the shape. Checkpoints: resumed bit for bit; damaged ones and
// other versions refused.
#include <regex>

#include "sim/io/container.h"
#include "sim/run/session.h"
#include "tests/support/formats.h"
#include "tests/support/md_modes.h"

namespace cellscope::test {
namespace {

std::unique_ptr<MdMode> boxed(double aspectY, double aspectZ, const std::string& settings) {
  return startedMd(fmt::format("aspect_y={} aspect_z={} {}", aspectY, aspectZ, settings));
}

// Over the distance in a close-packed crystal of the same density.
TEST(MdBox, LatticesKeepParticlesApart) {
  const std::pair<double, double> shapes[] = {{1, 3},   {3, 1},   {1.25, 0.8},   {0.5, 2},
                                              {1, 0.3}, {0.2, 1}, {0.6667, 0.75}};
  double space = 1, cubes = 1, plane = 1, squares = 1;
  for (const auto& [y, z] : shapes)
    for (const std::int64_t n : {107, 200, 256, 333, 500, 613, 864, 1000, 1373, 2048, 4001}) {
      md::MdParameters p;
      p.n = n, p.aspectY = y, p.aspectZ = z;
      const double crystal = std::cbrt(std::numbers::sqrt2 / p.density);
      space = std::min(space, nearestOf(md::startLattice(n, p.box()), p.box()) / crystal);
      cubes = std::min(cubes, nearestOf(md::startSimple(n, p.box()), p.box()) / crystal);
      p.dimension.index = 0;
      const double triangles = std::sqrt(2 / std::numbers::sqrt3 / p.density);
      plane = std::min(plane, nearestOf(md::startTriangles(n, p.box()), p.box()) / triangles);
      squares = std::min(squares, nearestOf(md::startSimple(n, p.box()), p.box()) / triangles);
    }
  EXPECT_GT(space, 0.87);  // md::crowdedLattice() lets these through
  EXPECT_GT(cubes, 0.85);  // simple cubic itself: 0.89
  EXPECT_GT(plane, 0.87);
  EXPECT_GT(squares, 0.87);  // a square lattice itself: 0.93
}

TEST(MdBox, HasTheSidesAndTheDensityThatWereAsked) {
  for (const char* lattice : {"close_packed", "simple", "random"})
    for (const int dimension : {2, 3}) {
      const auto mode = boxed(
          2, 0.75, fmt::format("n=700 dimension={} density=0.7 lattice={}", dimension, lattice));
      const Configuration c = mode->configuration();
      EXPECT_EQ(c.box.length[1], 2 * c.box.length[0]);
      if (dimension == 3) {
        EXPECT_EQ(c.box.length[2], 0.75 * c.box.length[0]);
      }
      EXPECT_NEAR(c.box.volume(), 1000, 1e-9);
      mode->advance(100);
      expectHealthy(*mode);
    }
}

// Energy and pressure at one state by different methods in boxes of different shapes, and of a
// slab hardly thicker than two cutoffs, against the cube. Five errors of both, corrected for
// correlations by blocks: one false alarm in 1.7 million seeds for each of the ten comparisons.
TEST(MdBox, StateDoesNotDependOnTheShape) {
  const auto measured = [](const char* method, double y, double z) {
    const auto mode = boxed(y, z,
                            fmt::format("n=800 density=0.7 temperature=1.6 bath_temperature=1.3 "
                                        "thermostat=bussi potential=force_shifted method={}",
                                        method));
    mode->advance(600);
    return averaged(*mode, {"potential", "pressure"}, 400, 10);
  };
  const std::vector<BlockAverage> cube = measured("cells", 1, 1);
  EXPECT_LT(cube[0].error(), 0.01);
  EXPECT_LT(cube[1].error(), 0.05);
  const std::tuple<const char*, double, double> shapes[] = {{"cells", 1, 3},
                                                            {"stencils", 1.3, 0.8},
                                                            {"clusters", 2, 2},
                                                            {"tree", 1, 0.345},  // L_z = 5.11
                                                            {"placeholder_cells", 1.2, 1.3}};
  for (const auto& [method, y, z] : shapes) {
    const std::vector<BlockAverage> found = measured(method, y, z);
    for (std::size_t k = 0; k < 2; ++k)
      EXPECT_NEAR(found[k].mean(), cube[k].mean(),
                  5 * std::hypot(found[k].error(), cube[k].error()))
          << method << (k == 0 ? ": energy" : ": pressure");
  }
}

// g(r) is normalised by the volume and reaches to half the shortest side: of an ideal gas it is 1.
// Per bin the counts are Poisson numbers; the mean over bins beyond r = 0.5 has its error from the
// number of pairs, of which some are counted from both ends. Five errors: one false alarm in 1.7
// million seeds.
TEST(MdBox, PairCorrelationOfAnIdealGasIsOne) {
  for (const int dimension : {2, 3}) {
    const auto mode =
        boxed(1.5, 2,
              fmt::format("dimension={} system=binary fraction_b=1 epsilon_b=0 cutoff=0.5 "
                          "cutoff_b=0.5 potential=shifted lattice=random n=1500 density=0.3 "
                          "dt=0.02 method=cells thermostat=langevin friction=2",
                          dimension));
    mode->advance(200);
    mode->resetAverages();
    for (int k = 0; k < 10; ++k) mode->advance(400), mode->sample();
    const CurveSeries g = mode->curves()[0].series.back();
    const double furthest = g.x.back(), half = 0.5 * mode->configuration().box.shortest();
    EXPECT_LE(furthest, half);
    double sum = 0, weight = 0;
    for (std::size_t k = 0; k < g.x.size(); ++k) {
      if (g.x[k] < 0.5) continue;
      const double shell = std::pow(g.x[k], dimension - 1);
      sum += shell * g.y[k], weight += shell;
    }
    const double sources = std::min<double>(1500, md::MdSampler::kPairsPerSample / 1500.0);
    const double pairs = 10.0 * sources * 0.3 *
                         (dimension == 3 ? 4.0 / 3 * std::numbers::pi * std::pow(furthest, 3)
                                         : std::numbers::pi * furthest * furthest);
    EXPECT_NEAR(sum / weight, 1, 5 * std::sqrt(2 / pairs) + 1e-3);
  }
}

// Twenty colloids among thousands are all counted in the first measurement already; in joined bins.
TEST(MdBox, PairsOfAFewColloidsAreCountedAtOnce) {
  const auto mode = boxed(1, 1,
                          "system=colloids colloids=20 colloid_diameter=3 colloid_fraction=0.05 "
                          "method=cells cutoff=2.5 density=0.6");
  mode->sample();
  const Configuration c = mode->configuration();
  ASSERT_GT(c.types.size(), std::size_t{2500});
  const CurveSeries g = mode->curves()[0].series.back();
  ASSERT_GT(g.x.size(), 2u);
  const double width = g.x[1] - g.x[0], end = g.x.back() + 0.5 * width;
  EXPECT_NEAR(width, md::MdSampler::kMostJoined * md::MdSampler::kBin, 1e-12);
  double counted = 0, expected = 0;
  for (std::size_t k = 0; k < g.x.size(); ++k) {
    const double lo = g.x[k] - 0.5 * width, hi = g.x[k] + 0.5 * width;
    const double shell = 4.0 / 3 * std::numbers::pi * (hi * hi * hi - lo * lo * lo);
    counted += g.y[k] * shell * 20 * 19 / c.box.volume();
  }
  for (std::size_t i = c.types.size() - 20; i < c.types.size(); ++i)
    for (std::size_t j = c.types.size() - 20; j < i; ++j) {
      ASSERT_EQ(c.types[i], 1u);
      expected += distanceBetween(c, i, j) < end ? 2 : 0;
    }
  EXPECT_GT(expected, 0);
  EXPECT_NEAR(counted, expected, 1e-6);
}

TEST(MdBox, LimitsNameTheShortestSide) {
  const auto refusal = [&](double y, double z, const std::string& more = "") {
    return messageOf<InputError>([&] { boxed(y, z, "n=500 cutoff=4 " + more); });
  };
  // 1601: 500 (4 / (1.5 1.8095))^3
  expectWords(refusal(1, 0.1), {"shortest side z = 1.809 (18.09 x 18.09 x 1.809)",
                                "n of at least 1601", "aspect_y and aspect_z nearer to 1"});
  expectWords(refusal(0.7, 1.2, "method=placeholder_cells"), {"half the side", "y = 6.23"});
  expectWords(refusal(0.7, 1.2, "method=placeholder_cells cutoff=2.5 cell_skin=0.3"),
              {"room for 2 along the side y = 6.23"});
  expectWords(refusal(0.001, 1), {"'aspect_y'"});
  // What the message says is enough is enough.
  EXPECT_EQ(refusal(1, 0.1, "n=1602"), "");
}

class MdBoxFiles : public Formats {};

// A state with three sides goes through each format and runs on; the sides as exact as the format.
TEST_F(MdBoxFiles, EveryFormatKeepsTheSides) {
  const auto mode = boxed(0.8, 1.3, "n=600 method=cells");
  mode->advance(20);
  const Configuration c = mode->configuration();
  const std::pair<const char*, double> formats[] = {{".xyz", 0},       {".xyz.gz", 0}, {".h5", 0},
                                                    {".gsd", 0x1p-24}, {".dump", 0},   {".data", 0},
                                                    {".pdb", 1e-4},    {".npz", 0}};
  for (const auto& [suffix, rounding] : formats) {
    const std::string path = file(std::string("box") + suffix);
    const auto sink = io::formatToWrite(path).create(path, "test 1.0", false);
    sink->append(c, {20, 0.08, "", false, {}});
    sink->close();
    MdMode other(ExecConfig{Backend::cpu, 2, 0});
    assign(other, "method=clusters");
    other.adopt(io::readConfiguration(path).configuration);
    const Configuration d = other.configuration();
    for (int a = 0; a < 3; ++a)
      EXPECT_NEAR(d.box.length[a], c.box.length[a], rounding * c.box.length[a]) << path;
    const auto valueOf = [&](const char* key) { return valueIn(other, key); };
    EXPECT_NEAR(valueOf("aspect_y"), 0.8, 1e-14 + 4 * rounding) << path;
    EXPECT_NEAR(valueOf("aspect_z"), 1.3, 1e-14 + 4 * rounding) << path;
    EXPECT_NEAR(valueOf("density"), 600 / c.box.volume(), 1e-14 + 4 * rounding) << path;
    other.advance(20);
    expectHealthy(other);
  }
}

TEST_F(MdBoxFiles, AForeignBoxOfThreeSidesRuns) {
  const std::string out = file("out.xyz");
  EXPECT_TRUE(completes(
      "run lj_all_pairs --backend cpu --set cutoff=2.5 dt=0.00001 --steps 1 --load-configuration " +
      foreign("xyz_box_12_8_9.xyz") + " --trajectory " + out + " --checkpoint " +
      file("c.checkpoint")));
  EXPECT_EQ(textOf(io::readConfiguration(out)).find("3D 12 8 9 |"), 0u);
  EXPECT_TRUE(completes("run --backend cpu --steps 1 --overwrite --trajectory " + out +
                        " --resume " + file("c.checkpoint")));
  EXPECT_EQ(textOf(io::readConfiguration(out)).find("3D 12 8 9 |"), 0u);
}

// Checkpoints of versions without shapes of boxes are those of cubes and squares. What they lack is
// taken out of both places that hold parameters. The state begins with its version, the number of
// parameters, and for each key and value, both behind their lengths.
std::string withoutParameter(std::string state, const std::string& key, const std::string& value) {
  const auto word = [](const std::string& s) {
    const auto length = static_cast<std::uint64_t>(s.size());
    return std::string(reinterpret_cast<const char*>(&length), sizeof length) + s;
  };
  const std::size_t at = state.find(word(key) + word(value));
  EXPECT_NE(at, state.npos) << key;
  if (at == state.npos) return state;
  --state[sizeof(std::uint32_t)];
  return state.erase(at, word(key).size() + word(value).size());
}

TEST(MdBox, OlderCheckpointsAreCubes) {
  Session session(scenarioWith("md", "n=256"), kOneThread, makeMode);
  session.advanceTo(10);
  io::Container c = io::unpack(session.checkpoint(), "new");
  for (auto& [name, content] : c.sections) {
    if (name == "parameters")
      content = std::regex_replace(content, std::regex("[^\n]*aspect_[^\n]*\n"), "");
    if (name == "state")
      for (const char* key : {"aspect_y", "aspect_z"})
        content = withoutParameter(content, key, "1");
  }
  const auto older = Session::resumeFrom(io::pack(c), "older", kOneThread, makeMode);
  older->advanceTo(20), session.advanceTo(20);
  EXPECT_EQ(older->mode().configuration().positions, session.mode().configuration().positions);
  for (auto& [name, content] : c.sections)
    if (name == "state") content = withoutParameter(content, "density", "0.8442");
  expectRefusal([&] { Session::resumeFrom(io::pack(c), "bad", kOneThread, makeMode); },
                {"parameter 'density' is missing"});
}

// In every phase, those of the building of a list one by one; on fewer threads.
TEST(MdCheckpoint, ResumesBitForBit) {
  struct Row {
    std::string settings;
    int phases;
  };
  std::vector<Row> rows = {{"n=256 density=0.8442 method=all_pairs", 3}};
  for (const char* buffer : {"0.3", "0"}) {
    rows.push_back({fmt::format("n=256 method=cells buffer={}", buffer), 5});
    rows.push_back({fmt::format("n=256 method=tree buffer={}", buffer), 9});
  }
  for (const char* method : {"all_pairs", "cells", "stencils", "tree", "clusters"})
    rows.push_back({fmt::format("aspect_y=1.3 aspect_z=0.9 n=500 method={}", method), 1});
  for (const Row& row : rows)
    for (int phase = 0; phase < row.phases; ++phase) {
      SCOPED_TRACE(fmt::format("{}, phase {}", row.settings, phase));
      const auto a = startedMd(row.settings);
      a->advance(33);
      a->sample();
      while (a->nextPhase() != phase) a->advancePhase();
      MdMode b(kOneThread);
      load(b, saved(*a));
      EXPECT_EQ(saved(*a), saved(b));
      a->advance(40), b.advance(40);
      EXPECT_EQ(saved(*a), saved(b));
      EXPECT_EQ(bitsOf(a->sample()), bitsOf(b.sample()));
    }
}

// At every length: EveryMode.RefusesATruncatedStateAndThatOfAnotherMode; anywhere:
// ForgedCheckpoint.
TEST(MdCheckpoint, RefusesDamagedCheckpoints) {
  auto mode = small();
  std::string bad = saved(*mode);
  expectRefusal([&] { load(*mode, bad.substr(0, 10)); }, {"ends early"});
  const double nan = std::numeric_limits<double>::quiet_NaN();
  std::memcpy(&bad[bad.size() - 3 * sizeof(double) * 256 - 64], &nan, sizeof nan);
  EXPECT_NE(messageOf<InputError>([&] { load(*mode, bad); }), "");
}

// The version is the first word.
TEST(MdCheckpoint, RefusesCheckpointsOfAnotherVersion) {
  auto mode = small();
  const std::string good = saved(*mode);
  const auto messageWith = [&](std::uint32_t word) {
    std::string other = good;
    std::memcpy(other.data(), &word, sizeof word);
    return messageOf<InputError>([&] { load(*mode, other); });
  };
  std::uint32_t version = 0;
  std::memcpy(&version, good.data(), sizeof version);
  EXPECT_EQ(messageWith(version), "");
  for (const std::uint32_t other : {version + 1, version - 1, 0u})
    expectWords(messageWith(other),
                {fmt::format("has version {}, this program reads version {}", other, version)});
  EXPECT_EQ(saved(*mode), good);
}

}  // namespace
}  // namespace cellscope::test
