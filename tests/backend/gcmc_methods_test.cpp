// Every method of blocks and threads makes the moves of the serial chain: the same decisions with
// the same energy changes, the same slots, positions and ids. Of a liquid 10^5 moves are compared
// in gcmc_first_moves_test.cpp, with every mapping and with microcells beyond the cutoff read.
#include "tests/support/backend_test.h"
#include "tests/support/gcmc_modes.h"
#include "tests/support/gcmc_samples.h"

namespace cellscope::test {
namespace {

class GcmcMethods : public BackendTest {
 protected:
  std::unique_ptr<GcmcEngine> engine(const std::string& key, const GcmcOptions& o = {}) const {
    return makeGcmcEngine(key, exec_, o);
  }
  exec::Shared exec_ = isUsable() ? exec(1) : nullptr;
};

// Methods that run on a backend and are no oracle.
std::vector<std::string> methodsOn(Backend where) {
  std::vector<std::string> keys;
  for (const GcmcMethod* m : gcmcExactMethodsOn(where))
    if (std::string(m->key) != "serial") keys.push_back(m->key);
  return keys;
}

// Serial and other chain from one state, with all decisions compared.
void expectSameChain(GcmcEngine& other, const GcmcState& start, const GcmcSettings& settings,
                     std::uint64_t moves) {
  const auto oracle = makeGcmcEngine("serial", exec::makeExec({.backend = Backend::cpu}));
  const GcmcRules rules = makeGcmcRules(settings, start.box);
  for (GcmcEngine* e : {oracle.get(), &other}) {
    e->record(moves);
    e->upload(start, rules);
    e->advance(moves);
  }
  expectSameEvents(oracle->events(), other.events());
  expectSameRun(*oracle, other);
  EXPECT_EQ(other.energy(), other.sums().energy);
  EXPECT_EQ(oracle->sums().energy, other.sums().energy);
  EXPECT_EQ(oracle->sums().virial, other.sums().virial);
  for (int kind = 0; kind < 3; ++kind) EXPECT_GT(other.counters().accepted[kind], 0u) << kind;
}

// Below three cutoffs, at three and four cells, longer in one direction, as thin as the cutoff
// allows, two dimensions.
std::vector<Box> boxes() {
  return {cubicBox(5.2),  cubicBox(7.9),   cubicBox(10),           Box{3, {7.6, 9.3, 13.1}},
          squareBox(5.9), squareBox(12.7), Box{3, {12.9, 8.2, 5}}, Box{2, {5, 22.3, 1}}};
}

TEST_P(GcmcMethods, MakeTheMovesOfTheSerialChain) {
  for (const std::string& key : methodsOn(GetParam()))
    for (const Box& box : boxes()) {
      SCOPED_TRACE(key + ", box " + std::to_string(box.length[0]));
      expectSameChain(*engine(key), gcmcLattice(box, 0.6), gcmcFluid(), 3000);
    }
}

TEST_P(GcmcMethods, OfHardSpheresAndDisks) {
  for (const std::string& key : methodsOn(GetParam()))
    for (const Box& box : {cubicBox(5.2), cubicBox(7.9), squareBox(12.7)}) {
      SCOPED_TRACE(key + ", box " + std::to_string(box.length[0]));
      GcmcSettings s = gcmcFluid(1.0, 0.8);
      s.hard = true, s.cutoff = kContactReach, s.tail = false;
      const auto other = engine(key);
      expectSameChain(*other, gcmcLattice(box, 0.3), s, 3000);
      EXPECT_EQ(other->energy(), 0);
    }
}

// Types change by exchanges alone; energies beside those of all pairs.
TEST_P(GcmcMethods, OfMixtures) {
  for (const std::string& key : methodsOn(GetParam()))
    for (const Box& box : {cubicBox(7.9), cubicBox(11), squareBox(14.7)})
      for (const bool hard : {false, true}) {
        SCOPED_TRACE(key + ", box " + std::to_string(box.length[0]) + (hard ? ", hard" : ""));
        GcmcSettings s = gcmcMixture(gcmcFluid(1.2, hard ? 0.8 : 0.3));
        if (hard) s.hard = true, s.cutoff = kContactReach;
        const auto other = engine(key, {.mixed = true});
        GcmcState start = gcmcLattice(box, 0.3);
        if (hard) start.point.clear(), start.id.clear();
        expectSameChain(*other, start, s, 3000);
        EXPECT_GT(other->counters().accepted[3], 0u);
        const GcmcState now = other->state();
        EXPECT_EQ(gcmcBruteForce(makeGcmcRules(s, box).pair, now.point).energy, other->energy());
        EXPECT_GT(countOfB(now), 0u);
        EXPECT_LT(countOfB(now), now.count());
        for (const GcmcEvent& e : other->events())
          if (e.kind == GcmcKind::displacement) {
            ASSERT_EQ(gcmcTypeOf(e.before), gcmcTypeOf(e.after));
          } else if (e.kind == GcmcKind::exchange) {
            ASSERT_EQ(e.before.x | kGcmcTypeBit, e.after.x | kGcmcTypeBit);
          }
      }
}

// Also with fewer threads than entries, and more; 27 cells side by side have one thread each.
TEST_P(GcmcMethods, EveryBlockSizeMakesTheMovesOfTheSerialChain) {
  for (const char* key : {"all_particles", "cells", "microcells", "microcells_many"})
    for (const int threads : {27, 33, 64, 500, 1024})
      for (std::size_t row = 0; row < (std::string(key) == "cells" ? 7u : 1u); ++row) {
        SCOPED_TRACE(std::string(key) + " " + std::to_string(row) + ", block size " +
                     std::to_string(threads));
        const auto other = engine(key, {.mapping = static_cast<int>(row), .blockSize = threads});
        expectSameChain(*other, gcmcLattice(cubicBox(8), 0.6), gcmcFluid(), 300);
        EXPECT_LE(other->share().threads, threads);
        EXPECT_GT(2 * other->share().threads, std::min(threads, 343));
      }
  EXPECT_THROW(engine("cells", {.mapping = 3, .blockSize = 26})
                   ->upload(gcmcLattice(cubicBox(8), 0.6), makeGcmcRules(gcmcFluid(), cubicBox(8))),
               InputError);
}

// Trial positions anywhere in the box.
TEST_P(GcmcMethods, DisplacementsAnywhereAreThoseOfTheSerialChain) {
  GcmcSettings s = gcmcFluid(1.5, 0.05);
  s.anywhere = true;
  for (const Box& box : boxes())
    for (const std::string& key : methodsOn(GetParam())) {
      SCOPED_TRACE(key + ", box " + std::to_string(box.length[0]));
      expectSameChain(*engine(key), gcmcLattice(box, 0.2), s, 2000);
    }
}

// How cells lie in memory (S0, 3.3): the first entries of all microcells, then the second ones;
// those of a traditional cell together.
TEST_P(GcmcMethods, MicrocellsLiePlaceByPlaceAndCellsOneByOne) {
  const Box box = cubicBox(9.6);
  for (const char* key : {"microcells", "microcells_many", "cells"}) {
    const auto e =
        holding(engine(key), gcmcLattice(box, 0.65), makeGcmcRules(gcmcFluid(), box), 200);
    const GcmcCellsView v = e->cells();
    const std::vector<std::uint32_t> filled = filledOf(*e);
    const std::size_t cells = filled.size();
    const bool byPlace = std::string(key) != "cells";
    EXPECT_EQ(v.cellStride, byPlace ? 1u : static_cast<std::size_t>(v.capacity)) << key;
    EXPECT_EQ(v.entryStride, byPlace ? cells : 1u) << key;
    // And so they are found in memory.
    std::vector<std::uint32_t> entry(cells * static_cast<std::size_t>(v.capacity));
    exec::copy(Backend::cpu, entry.data(), GetParam(), v.entry, 4 * entry.size());
    std::vector<int> met(e->count(), 0);
    for (std::size_t c = 0; c < cells; ++c)
      for (std::size_t k = 0; k < filled[c]; ++k)
        ++met.at(entry[byPlace ? k * cells + c : c * static_cast<std::size_t>(v.capacity) + k]);
    EXPECT_EQ(met, std::vector<int>(e->count(), 1)) << key;
  }
}

TEST_P(GcmcMethods, ForEveryPotentialTruncationCutoffAndTail) {
  struct Law {
    int potential;
    PairOfTypes like;
    double cutoff;
  };
  std::vector<Law> laws;
  for (const Truncation t : {Truncation::plain, Truncation::energy, Truncation::force}) {
    for (const double cutoff : {1.3, 3.0, 4.25}) laws.push_back({lennardJones(t), {}, cutoff});
    laws.push_back({potentialNumber<MieEntry>(), {.whole = {14, 7}, .truncation = t}, 3.0});
  }
  laws.push_back({potentialNumber<MieEntry>(), {.whole = {9, 6}}, 4.25});
  laws.push_back({potentialNumber<MieEntry>(), {.whole = {50, 49}}, 1.3});
  laws.push_back({potentialNumber<WcaEntry>(), {}, 3.0});
  laws.push_back({potentialNumber<ScaledAttractionEntry>(), {.ownA = {0.4, 1}}, 3.0});
  for (const Law& law : laws)
    for (const std::string& key : methodsOn(GetParam())) {
      SCOPED_TRACE(key + ", " + potentialKeys()[static_cast<std::size_t>(law.potential)] +
                   ", cutoff " + std::to_string(law.cutoff));
      GcmcSettings s = gcmcFluid(2.0, 0.2);
      s.potential = law.potential, s.like = law.like;
      withPotentialEntry(law.potential, [&](auto entry) {
        PairOfTypes pair = law.like;
        pair.cutoff = law.cutoff;
        s.cutoff = entry.end(pair);
        s.tail = entry.tail(pair, 3).has_value();
      });
      expectSameChain(*engine(key), gcmcLattice(cubicBox(9.1), 0.4), s, 1000);
    }
}

// From an empty box, in which deletions and displacements are rejected and count, an ideal gas far
// denser than any store begins with: cells and the particle array grow, and no move is lost.
TEST_P(GcmcMethods, StorageGrowsWithoutLosingAMove) {
  for (const std::string& key : methodsOn(GetParam())) {
    SCOPED_TRACE(key);
    const auto other = engine(key, {.movesPerLaunch = 500, .cellCapacity = 1});
    expectSameChain(*other, emptyBox(cubicBox(4)), idealGas(12), 6000);
    EXPECT_GT(other->count(), 300u);
  }
}

// Rules may change between moves, the cutoff among them.
TEST_P(GcmcMethods, FollowNewRules) {
  for (const std::string& key : methodsOn(GetParam())) {
    SCOPED_TRACE(key);
    const auto oracle = makeGcmcEngine("serial", exec::makeExec({.backend = Backend::cpu}));
    const auto other = engine(key);
    const GcmcState start = gcmcLattice(cubicBox(8.4), 0.5);
    GcmcSettings changed = gcmcFluid(2.5, 0.6);
    changed.cutoff = 3.4, changed.maxDisplacement = 1.2;
    for (GcmcEngine* e : {oracle.get(), other.get()}) {
      e->upload(start, makeGcmcRules(gcmcFluid(), start.box));
      e->advance(500);
      e->setRules(makeGcmcRules(changed, start.box));
      e->advance(700);
    }
    expectSameRun(*oracle, *other);
  }
}

TEST_P(GcmcMethods, EnergiesAtPointsAreThoseOfAllParticles) {
  const GcmcState start = gcmcLattice(Box{3, {8.3, 7.7, 9.9}}, 0.6);
  const GcmcRules rules = makeGcmcRules(gcmcFluid(), start.box);
  std::vector<GcmcPoint> points;
  for (std::uint32_t k = 0; k < 200; ++k) {
    const Random4 r = draw(hashSeed(3), RngPurpose::test, 0, k, 0);
    points.push_back({r.w[0], r.w[1], r.w[2]});
  }
  for (const std::string& key : methodsOn(GetParam())) {
    SCOPED_TRACE(key);
    const auto other = holding(engine(key), start, rules);
    const std::vector<double> found = other->energiesAt(points);
    for (std::size_t k = 0; k < points.size(); ++k) {
      double u = 0;
      for (const GcmcPoint& q : start.point) u += gcmcPairAt(rules.pair, points[k], q);
      EXPECT_EQ(found[k], u) << k;
    }
  }
}

// One core of the host makes the same moves on either backend, and is drawn; method = auto makes
// them whichever it takes, and states it.
TEST_P(GcmcMethods, OfTheHostAndThoseChosenAutomaticallyMakeTheSameRun) {
  const auto host = gcmcMode(config(1), "method=serial_cells length=12"),
             chosen = gcmcMode(config(1), "method=auto length=12");
  for (Mode* mode : {host.get(), chosen.get()}) mode->advance(10);
  expectSameParticles(*host, *chosen);
  std::map<std::string, std::size_t> drawn[2];
  for (const int k : {0, 1}) {
    const auto frame = (k == 0 ? host : chosen)->frame({{"particles", "cells"}, "", -1});
    for (const LayerData& l : frame->layers) drawn[k][l.key] = l.count;
  }
  EXPECT_EQ(drawn[0].at("particles"), host->particleCount());
  EXPECT_GT(drawn[0].at("cells"), 0u);
  EXPECT_EQ(drawn[1].at("particles"), host->particleCount());
  expectHealthy(*chosen);
  const std::string words = detailOf(*chosen, "method");
  EXPECT_NE(words.find("chosen automatically"), std::string::npos);
  EXPECT_EQ(words.find("moves/s") != std::string::npos, GetParam() == Backend::cuda) << words;
}

INSTANTIATE_TEST_SUITE_P(Each, GcmcMethods, kBackends, nameOfBackend);

}  // namespace
}  // namespace cellscope::test
