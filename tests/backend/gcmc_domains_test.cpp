// One checkerboard on several domains: particles, counters and sums are those of one domain bit for
// bit, whatever their number, the way of their exchange and the backend.
#include <gmock/gmock.h>

#include "sim/algo/gcmc/board.h"
#include "sim/base/error.h"
#include "sim/layers/gcmc_work.h"
#include "tests/support/backend_test.h"
#include "tests/support/gcmc_samples.h"
#include "tests/support/message_of.h"

namespace cellscope::test {
namespace {

using testing::HasSubstr;

using GcmcDomains = InDomains;

std::unique_ptr<GcmcEngine> boardOn(const ExecConfig& config, const GcmcOptions& options = {}) {
  return makeGcmcEngine("checkerboard", exec::makeExec(config), options);
}
// On one domain of the same backend: the deviate of the tail correction may differ between two.
std::unique_ptr<GcmcEngine> oracle(Backend where, const GcmcOptions& options = {}) {
  return boardOn({.backend = where, .threads = 1}, options);
}

void expectEqual(GcmcEngine& found, GcmcEngine& right) {
  expectSameState(found.state(), right.state());
  EXPECT_EQ(found.count(), right.count());
  expectSameCounters(found.counters(), right.counters());
  EXPECT_EQ(found.sums().energy, right.sums().energy);
}

struct BoardCut {
  const char* name;
  Box box;
  int domains;
  double density, activity;
  bool tail;
};
Box sides(double x, double y, double z) { return {3, {x, y, z}}; }

// Three layers each, the least there can be, uneven cuts, one domain in vapour, and the plane; the
// tail correction needs the number of all domains in every turn.
const std::vector<BoardCut> kBoardCuts = {
    {"thinTwo", cubicBox(15.2), 2, 0.5, 0.3, true},
    {"unevenThree", sides(10.3, 11, 25.4), 3, 0.4, 0.2, true},
    {"thinFour", sides(10.2, 10.4, 30.5), 4, 0.6, 0.3, true},
    {"unevenFour", sides(10.2, 12.6, 36.1), 4, 0.6, 0.3, false},
    {"dilute", sides(10.2, 10.4, 35.5), 3, 0.002, 0.01, false},
    {"plane", squareBox(35.7), 3, 0.5, 0.3, false}};

TEST_P(GcmcDomains, GiveTheParticlesOfOneDomain) {
  for (std::size_t k = 0; k < 2 * kBoardCuts.size(); ++k) {
    const BoardCut& c = kBoardCuts[k % kBoardCuts.size()];
    const bool mixed = k >= kBoardCuts.size();
    SCOPED_TRACE(std::string(c.name) + (mixed ? ", mixed" : ""));
    GcmcSettings s = gcmcFluid(1.5, c.activity);
    s.tail = c.tail;
    if (mixed) s = gcmcMixture(s, 0.9);
    const GcmcRules rules = makeGcmcRules(s, c.box);
    const GcmcOptions four{.attempts = 4, .mixed = mixed};
    const auto right = oracle(GetParam().config.backend, four),
               found = boardOn(on(c.domains), four);
    for (GcmcEngine* e : {right.get(), found.get()}) {
      e->upload(gcmcLattice(c.box, c.density), rules);
      e->advance(1);  // a turn, so that the next call begins within a sweep
      e->advance(30000);
    }
    expectEqual(*found, *right);
    for (GcmcEngine* e : {right.get(), found.get()}) {
      e->clearCounters();
      e->advance(30000);
    }
    expectEqual(*found, *right);
    EXPECT_GT(found->counters().accepted[0], 0u);
  }
}

// Records are wanted for a while, the rules change, another state comes: the domains go on with
// what the whole board has then.
TEST_P(GcmcDomains, GoOnAfterWhatTheWholeBoardDoes) {
  const Box box = sides(10.2, 10.4, 25.5);
  const GcmcRules rules = makeGcmcRules(gcmcFluid(1.5, 0.3), box);
  GcmcSettings warmer = gcmcFluid(2, 0.5);
  warmer.cutoff = 2;
  for (const int domains : {2, 3}) {
    SCOPED_TRACE(domains);
    const auto right = oracle(GetParam().config.backend), found = boardOn(on(domains));
    for (GcmcEngine* e : {right.get(), found.get()}) {
      e->upload(gcmcLattice(box, 0.5), rules);
      e->advance(20000);
      e->record(100);
      e->advance(20000);
      e->record(0);
      e->advance(20000);
      e->setRules(makeGcmcRules(warmer, box));
      e->advance(20000);
    }
    EXPECT_EQ(found->cells().count[2], right->cells().count[2]);
    expectEqual(*found, *right);
    for (GcmcEngine* e : {right.get(), found.get()}) {
      e->upload(gcmcLattice(cubicBox(27), 0.3), makeGcmcRules(gcmcFluid(), cubicBox(27)));
      e->advance(30000);
    }
    expectEqual(*found, *right);
  }
}

TEST_P(GcmcDomains, GrowTheirCellsTogether) {
  const Box box = sides(4, 4, 16);
  const auto right = oracle(GetParam().config.backend), found = boardOn(on(2));
  std::size_t before = 0;
  for (GcmcEngine* e : {right.get(), found.get()}) {
    e->upload(emptyBox(box), makeGcmcRules(idealGas(40), box));
    before = e->capacity();
    e->advance(200000);
  }
  EXPECT_GT(found->capacity(), before);
  expectEqual(*found, *right);
}

TEST_P(GcmcDomains, RefuseMoreThanThereAreLayers) {
  const Box box = sides(10.2, 10.4, 25.5);  // ten layers
  const auto engine = boardOn(on(4));
  const std::string refused = messageOf<InputError>(
      [&] { engine->upload(gcmcLattice(box, 0.3), makeGcmcRules(gcmcFluid(), box)); });
  EXPECT_THAT(refused, HasSubstr("4 domains: each needs 3 layers of cells"));
  EXPECT_THAT(refused, HasSubstr("the box has 10; allowed: 1 to 3"));
}

// The picture's rule, by the inverse, and that of the kernels.
TEST(GcmcBoardLayers, AreThoseThatThePictureColours) {
  GcmcBoard b{};
  b.rules.dimension = 3;
  for (const int layers : {6, 10, 42, 100})
    for (const std::uint32_t domains : {1u, 2u, 3u, 5u})
      for (std::uint32_t k = 0; k < 200; ++k) {
        if (static_cast<int>(3 * domains) > layers) continue;
        const std::uint32_t shift[3] = {0, 0, k < 2 ? k : k * 2654435761u};
        b.cube.count[0] = b.cube.count[1] = 2, b.cube.count[2] = layers;
        b.domains = domains;
        const layers::GcmcCut cut{static_cast<int>(domains), static_cast<std::uint32_t>(layers),
                                  shift[2]};
        int all = 0;
        for (b.domain = 0; b.domain < domains; ++b.domain) {
          const GcmcBoardLayers own = gcmcBoardLayers(b, shift);
          all += own.count;
          for (int i = 0; i < own.count; ++i)
            ASSERT_EQ(cut.domainOf(static_cast<std::uint32_t>((own.first + i) % layers)),
                      static_cast<int>(b.domain))
                << layers << " layers, shift " << shift[2];
        }
        ASSERT_EQ(all, layers);
      }
}

INSTANTIATE_TEST_SUITE_P(Places, GcmcDomains, testing::ValuesIn(kDomainPlaces), nameOfPlace);

}  // namespace
}  // namespace cellscope::test
