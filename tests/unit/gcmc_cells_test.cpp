// Mappings and cells of grand-canonical chains: every neighbour is visited once, and everything
// within the cutoff of a point lies in its cube. Energies and virials of a point with the particles
// of cells, by every instruction set of this processor: the bits of the sums of single pairs.
// method = auto: of several methods with the same decisions the fastest goes on, after steps of the
// run made by each of them in turn.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <set>

#include "sim/algo/gcmc/chain_simd.h"
#include "sim/api/mode.h"
#include "sim/exec/machine.h"
#include "sim/modes/gcmc/methods/method.h"

namespace cellscope {
namespace {

GcmcPair pairOf(const Box& box, double cutoff) {
  return makeGcmcPair(lennardJones(Truncation::plain), {.cutoff = cutoff}, box.dimension,
                      box.length);
}

// Which cells a block gets (S0, Figure 3), x fastest, as they are drawn and recorded: of 27 blocks
// each has one cell, of nine a row along x, of three a layer; in the plane nine, three, and one.
// The cells that it visits at the same time are next to each other, those in turn come after them.
TEST(GcmcMapping, ABlockGetsARowALayerOrACell) {
  constexpr int kX[] = {5, 0, 1}, kY[] = {2, 3, 4}, kZ[] = {4, 5, 0};
  for (const GcmcMapping& m : kGcmcMappings) {
    SCOPED_TRACE(m.key);
    EXPECT_EQ(m.cells(), m.dimension == 3 ? 27 : 9);
    EXPECT_LE(m.threads(), kGcmcMostThreads);
    const Box box = m.dimension == 3 ? cubicBox(15) : squareBox(15);
    const GcmcPair pair = pairOf(box, 2.5);
    GcmcShare share{.how = GcmcSharing::mapping, .cube = gcmcCells(box, pair), .mapping = m};
    ASSERT_EQ(share.cube.count[0], 6);
    const GcmcPoint at{0, 1u << 31, ~0u};  // cells 0, 3 and 5 along the axes
    std::set<int> read;
    for (const GcmcCellWork& w : gcmcWork(share, pair, at)) {
      EXPECT_EQ(w.threads, kGcmcLanes);
      EXPECT_EQ(w.firstThread % kGcmcLanes, 0);
      const int k = (w.block * m.inTurn + w.turn) * m.across + w.firstThread / kGcmcLanes;
      ASSERT_TRUE(k >= 0 && k < m.cells() && read.insert(k).second) << k;
      EXPECT_EQ(w.cell.at[0], kX[k % 3]) << k;
      EXPECT_EQ(w.cell.at[1], kY[k / 3 % 3]) << k;
      EXPECT_EQ(w.cell.at[2], m.dimension == 3 ? kZ[k / 9] : 0) << k;
    }
    EXPECT_EQ(std::ssize(read), m.cells());
  }
}

TEST(GcmcMapping, ABlockSizeIsSharedEvenly) {
  const GcmcMapping row = gcmcMappings(3)[1];  // 9x3
  EXPECT_EQ(gcmcWithBlockSize(row, 0).threads(), 96);
  EXPECT_EQ(gcmcWithBlockSize(row, 64).lanes, 21);
  EXPECT_EQ(gcmcWithBlockSize(row, 64).threads(), 63);
  EXPECT_EQ(gcmcWithBlockSize(row, 1024).threads(), 1023);
  EXPECT_EQ(gcmcWithBlockSize(row, 2).lanes, 0) << "one cell would have no thread";
}

// Names are those of Table 2: blocks x cells per block, or blocks x 1 x cells in turn.
TEST(GcmcMapping, AreNamedAndListedByDimension) {
  std::size_t count = 0;
  for (const int dimension : {2, 3})
    for (const GcmcMapping& m : gcmcMappings(dimension)) {
      EXPECT_EQ(m.dimension, dimension) << m.key;
      EXPECT_EQ(m.key, fmt::format("{}x{}", m.blocks, m.across) +
                           (m.inTurn == 1 ? "" : fmt::format("x{}", m.inTurn)));
      ++count;
    }
  EXPECT_EQ(count, kGcmcMappings.size());
}

TEST(GcmcCells, AreAsWideAsTheCutoffOrAThird) {
  for (const double length : {5.0, 7.4, 7.5, 9.99, 10.0, 10.1, 23.9, 50.23}) {
    const Box box = cubicBox(length);
    const GcmcCube c = gcmcCells(box, pairOf(box, 2.5));
    EXPECT_EQ(c.count[0], std::max(3, static_cast<int>(length / 2.5))) << length;
    EXPECT_EQ(c.cells(), 27);
  }
  EXPECT_EQ(gcmcCells(squareBox(20), pairOf(squareBox(20), 2.5)).cells(), 9);
}

TEST(GcmcCells, MicrocellsAreWiderThanADiameter) {
  const auto microcells = [](double length, double cutoff) {
    return gcmcMicrocells(cubicBox(length), pairOf(cubicBox(length), cutoff));
  };
  EXPECT_EQ(microcells(50.23, 2.5).count[1], 50);
  EXPECT_EQ(microcells(50.23, 2.5).cells(), 343);  // S0: 7 x 7 x 7
  EXPECT_EQ(microcells(50.23, 2.75).cells(), 343);
  EXPECT_EQ(microcells(50.23, 3.5).cells(), 729);
  EXPECT_EQ(microcells(10, 3).cells(), 343);  // 3 ceil = 3 exactly
  EXPECT_EQ(microcells(5.5, 2.5).cells(), 125);
}

// Pairs across the seam of the box included.
TEST(GcmcCells, ACubeHoldsAllWithinTheCutoff) {
  for (const Box& box : {cubicBox(5.3), cubicBox(10.23), cubicBox(12), Box{3, {7.1, 9.9, 15.3}},
                         squareBox(6.1), squareBox(20.23)})
    for (const double cutoff : {1.0, 2.5, 2.6})
      for (const bool micro : {false, true}) {
        const GcmcPair pair = pairOf(box, cutoff);
        GcmcGrid g{.cube = micro ? gcmcMicrocells(box, pair) : gcmcCells(box, pair)};
        const auto edges = gcmcEdges(g.cube);
        g.edge = edges.data();
        for (std::uint32_t k = 0; k < 3000; ++k) {
          const Random4 a = draw(hashSeed(5), RngPurpose::test, 0, k, 0);
          const Random4 b = draw(hashSeed(5), RngPurpose::test, 0, k, 1);
          const bool flat = box.dimension == 2;
          const GcmcPoint p{a.w[0], a.w[1], flat ? 0 : a.w[2]};
          // Half of the second points just within reach of the first.
          const auto near = [&](std::uint32_t word, std::uint32_t at, int axis) {
            const double reach = cutoff / box.length[axis] * 4294967296.0;
            const double offset = (word / 4294967296.0 * 2 - 1) * std::min(reach, 2147483647.0);
            return k % 2 == 0 ? word
                              : at + static_cast<std::uint32_t>(static_cast<std::int64_t>(offset));
          };
          const GcmcPoint q{near(b.w[0], p.x, 0), near(b.w[1], p.y, 1),
                            flat ? 0 : near(b.w[2], p.z, 2)};
          const bool interacts = gcmcDistance2(pair, p, q) < pair.cutoffSquared;
          int met = 0, skipped = 0;
          std::set<std::uint32_t> seen;
          for (int i = 0; i < g.cube.cells(); ++i) {
            const GcmcCubeCell c = gcmcCubeCell(g.cube, p, i);
            EXPECT_TRUE(seen.insert(c.cell).second);
            if (c.cell != g.cube.cellOf(q)) continue;
            (gcmcBeyond(g, pair, p, c) ? skipped : met)++;
          }
          ASSERT_TRUE(!interacts || met == 1) << k << ' ' << micro << ' ' << cutoff;
          ASSERT_FALSE(skipped > 0 && interacts);
        }
      }
}

// 27 cells with 0 to 41 particles each, at random within `part` of the box; blocks: those of 16
// entries lie apart, else a cell is one piece.
struct RandomCells {
  std::vector<std::uint32_t> filled, word;
  GcmcCellWords words;
  std::vector<GcmcPoint> points;
  std::vector<std::uint32_t> all;  // numbers of the cells

  RandomCells(double part, bool blocks) {
    constexpr std::uint32_t kCells = 27, kCapacity = 48;
    word.assign(3 * kCells * kCapacity, 0xdeadbeef);  // what lies between is never looked at
    filled.resize(kCells);
    words = blocks ? GcmcCellWords{word.data(), filled.data(), 48, 48 * kCells, 16}
                   : gcmcCellsInRow(word.data(), filled.data(), kCapacity);
    for (std::uint32_t c = 0; c < kCells; ++c) {
      all.push_back(c);
      filled[c] = (c * 7 + 3) % 42;
      for (std::uint32_t k = 0; k < filled[c]; ++k) {
        const Random4 r = draw(hashSeed(5), RngPurpose::test, c, k, 0);
        const auto scaled = [&](std::uint32_t w) { return static_cast<std::uint32_t>(w * part); };
        const GcmcPoint p{scaled(r.w[0]), scaled(r.w[1]), scaled(r.w[2])};
        std::uint32_t* const x = &word[c * words.cellStride + k / 16 * words.blockStride + k % 16];
        x[0] = p.x, x[words.axisStride] = p.y, x[2 * words.axisStride] = p.z;
        points.push_back(p);
      }
    }
  }
};

GcmcEnergyVirial sumOfPairs(const GcmcPair& pair, const std::vector<GcmcPoint>& points,
                            GcmcPoint at) {
  GcmcEnergyVirial sum{0, 0};
  for (const GcmcPoint& p : points) {
    const GcmcReduced d = gcmcReduced(pair, at, p);
    if (!(d.r2 < pair.cutoffSquared)) continue;
    sum.energy += gcmcPairEnergy(pair, d.r2, d.epsilon);
    sum.virial += gcmcPairVirial(pair, d.r2, d.epsilon);
  }
  return sum;
}

constexpr double kSigma[3] = {1, 0.9, 0.8}, kEpsilon[3] = {1, 0.7, 0.5};
constexpr double kExact = 4294967296.0;  // sums of virials below -4 (gcmc_pair.h)

// Few and many neighbours, more than are kept at a time among them, and none.
TEST(GcmcCellFunctions, AreSumsOfPairs) {
  const double length[3] = {9, 9, 9};
  for (const std::string& set : exec::instructionSets()) {
    const GcmcCellFunctions functions = gcmcCellFunctionsFor(set);
    for (const GcmcPair& pair :
         {makeGcmcPair(lennardJones(Truncation::plain), {.cutoff = 2.5}, 3, length),
          makeGcmcPair(lennardJones(Truncation::energy), {.cutoff = 2.5}, 3, length),
          makeGcmcPair(lennardJones(Truncation::force), {.cutoff = 2.5}, 3, length),
          makeGcmcPair(potentialNumber<ScaledAttractionEntry>(), {.ownA = {0.3, 1}}, 3, length),
          makeGcmcPair(potentialNumber<MieEntry>(), {.whole = {14, 7}}, 3, length),
          makeGcmcPair(potentialNumber<MieEntry>(),
                       {.whole = {50, 6}, .truncation = Truncation::force}, 3, length),
          hardSpherePair(3, length),
          mixedGcmcPair(makeGcmcPair(lennardJones(Truncation::force), {.cutoff = 2.5}, 3, length),
                        kSigma, kEpsilon),
          mixedGcmcPair(makeGcmcPair(lennardJones(Truncation::energy), {.cutoff = 2.5}, 3, length),
                        kSigma, kEpsilon),
          mixedGcmcPair(hardSpherePair(3, length), kSigma, kEpsilon)})
      for (const double part : {1.0, 0.4})
        for (const bool blocks : {false, true}) {
          SCOPED_TRACE(set + (blocks ? ", blocks" : ", in a row"));
          const RandomCells c(part, blocks);
          for (std::uint32_t k = 0; k < 20; ++k) {
            const GcmcPoint at{k * 0x0a000001u, 0x20000000u, k * 0x03000000u};
            const GcmcEnergyVirial right = sumOfPairs(pair, c.points, at);
            const GcmcEnergyVirial both = functions.both(pair, c.words, c.all.data(), 27, at);
            EXPECT_EQ(both.energy, right.energy);
            if (right.virial < kExact) {
              EXPECT_EQ(both.virial, right.virial);
            }
            EXPECT_EQ(functions.energy(pair, c.words, c.all.data(), 27, at), right.energy);
          }
          EXPECT_EQ(functions.energy(pair, c.words, c.all.data(), 0, {1, 2, 3}), 0);
        }
  }
}

using gcmc::AutoMethod, gcmc::Method;

const Method& named(const std::string& key) {
  for (const auto& m : gcmc::methods())
    if (key == m->made().key) return *m;
  throw InputError(key);
}

// What a race of methods on a GPU names, too.
TEST(GcmcMethodVariants, HaveNamesOfTheirOwn) {
  for (const Backend where : {Backend::cpu, Backend::cuda})
    for (const int dimension : {2, 3}) {
      std::set<std::string> names;
      std::size_t count = 0;
      for (const auto& m : gcmc::methods())
        for (const Method::Variant& v : m->variants(dimension, where))
          names.insert(v.name), ++count;
      EXPECT_EQ(names.size(), count);
      EXPECT_EQ(names.count("microcells many, 256 threads"), where == Backend::cuda ? 1u : 0u);
    }
}

// A clock that only the steps of methods move on.
struct Bench {
  std::map<std::string, double> seconds;  // of a step
  std::string absent;                     // for which there is no memory
  double now = 0;
  const Method* runs = nullptr;
  std::vector<std::string> made;  // by whom the steps were made
  AutoMethod chooser{[this] { return now; }};

  void begin(std::uint32_t n = 100) {
    std::vector<const Method*> all;
    for (const auto& [key, time] : seconds) all.push_back(&named(key));
    chooser.begin(
        all,
        [this](const Method& m) {
          if (absent == m.made().key) return false;
          runs = &m;
          return true;
        },
        [this] {
          made.push_back(runs->made().key);
          now += seconds.at(made.back());
        },
        1000, n);
  }
  void finish() {
    while (chooser.running()) chooser.advance();
  }
};

TEST(GcmcAuto, TheFastestGoesOnAndBothRatesAreStated) {
  for (const double serial : {0.5, 0.002}) {
    Bench b{.seconds = {{"serial_cells", serial}, {"speculative", 0.01}}};
    b.begin();
    EXPECT_NE(b.chooser.words().find("in turn"), std::string::npos);
    b.finish();
    EXPECT_EQ(b.made, (std::vector<std::string>{"serial_cells", "speculative", "serial_cells",
                                                "speculative", "serial_cells", "speculative"}));
    EXPECT_STREQ(b.runs->made().key, serial < 0.01 ? "serial_cells" : "speculative");
    EXPECT_EQ(b.chooser.words(), serial < 0.01
                                     ? ", chosen automatically: 5e+05 moves/s, speculative 1e+05"
                                     : ", chosen automatically: 1e+05 moves/s, serial_cells 2e+03");
  }
}

TEST(GcmcAuto, AMethodWithoutMemoryIsNotNamedAndTheOtherGoesOn) {
  Bench b{.seconds = {{"serial_cells", 0.01}, {"speculative", 0.001}}, .absent = "speculative"};
  b.begin();
  b.finish();
  EXPECT_STREQ(b.runs->made().key, "serial_cells");
  EXPECT_EQ(b.chooser.words().find("speculative"), std::string::npos);
}

TEST(GcmcAuto, IsAskedAgainWhereNHasDoubledOrHalved) {
  Bench b{.seconds = {{"serial_cells", 0.01}, {"speculative", 0.001}}};
  b.begin(4000);
  EXPECT_FALSE(b.chooser.outdated(9000)) << "it runs";
  b.finish();
  EXPECT_FALSE(b.chooser.outdated(7999));
  EXPECT_TRUE(b.chooser.outdated(8002));
  EXPECT_TRUE(b.chooser.outdated(1999));
  b.begin(10);
  b.finish();
  EXPECT_FALSE(b.chooser.outdated(900)) << "all are fast";
  Bench alone{.seconds = {{"serial_cells", 0.01}}};
  alone.begin(4000);
  EXPECT_FALSE(alone.chooser.running()) << "nothing to choose";
  EXPECT_FALSE(alone.chooser.outdated(100000));
  EXPECT_EQ(alone.chooser.words(), ", chosen automatically");
  alone.chooser.stop();
  EXPECT_EQ(alone.chooser.words(), "");
}

TEST(GcmcAuto, ALargeDenseStartTakesMovesInOrderOnEveryBackend) {
  const auto methodFor = [](const auto& change) {
    gcmc::GcmcParameters p;
    p.length = 32, p.density = 0.67;
    change(p);
    const std::string key = gcmc::methodOf(p, Backend::cpu).made().key;
    EXPECT_EQ(key == "in_order", gcmc::methodOf(p, Backend::cuda).made().key == std::string(key))
        << key;
    return key;
  };
  EXPECT_EQ(methodFor([](auto&) {}), "in_order");
  EXPECT_EQ(methodFor([](auto& p) { p.length = 23; }), "in_order") << "8,152";
  EXPECT_EQ(methodFor([](auto& p) { p.length = 22.5; }), "serial_cells") << "fewer than 8,000";
  EXPECT_EQ(methodFor([](auto& p) { p.length = 80, p.density = 0.05; }), "serial_cells") << "a gas";
  EXPECT_EQ(methodFor([](auto& p) { p.replicas = 2; }), "serial_cells");
  EXPECT_EQ(methodFor([](auto& p) { p.oldNumber = true; }), "serial_cells");
  EXPECT_EQ(methodFor([](auto& p) { p.cutoff = 1; }), "serial_cells") << "its tail is positive";
}

TEST(GcmcAuto, HalfWarpsOfEarlierVersionsAreSpeculativeMoves) {
  const auto mode = makeMode("gcmc", {});
  Parameter& method = mode->parameters().at("method");
  method.setText("half_warps");
  EXPECT_EQ(toText(method.get()), "speculative");
  for (const ChoiceInfo& c : method.info.choices) EXPECT_NE(c.key, "half_warps");
  EXPECT_NE(method.info.help.find("half_warps"), std::string::npos);
  EXPECT_THROW(method.setText("quarter_warps"), InputError);
  EXPECT_THROW(method.setText(""), InputError);
}

}  // namespace
}  // namespace cellscope
