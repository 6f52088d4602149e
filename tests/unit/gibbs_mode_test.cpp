// The Gibbs ensemble as a mode: what is refused, tuning, checkpoints of many pairs, the picture.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <sstream>

#include "sim/modes/gibbs/mode.h"
#include "sim/run/session.h"
#include "tests/support/message_of.h"
#include "tests/support/modes.h"
#include "tests/support/saved.h"

namespace cellscope::test {
namespace {

std::unique_ptr<GibbsMode> gibbsMode(const std::string& settings = "") {
  auto mode = std::make_unique<GibbsMode>(ExecConfig{Backend::cpu, 1, 0});
  assign(mode->parameters(), "n=120 " + settings);
  mode->restart();
  return mode;
}

TEST(GibbsMode, RefusesWhatCannotBe) {
  const auto refusal = [](const std::string& settings) {
    return messageOf<InputError>([&] { gibbsMode(settings); });
  };
  expectWords(refusal("cutoff=4"), {"cutoff = 4: two boxes of two cutoffs need"});
  expectWords(refusal("first_volume=0.1"), {"box 1 has a volume of 60"});
  expectWords(refusal("density=0.27 first_volume=0.5 first_particles=0 n=8000 density=1"),
              {"box 2 has a density of 2"});
  expectWords(refusal("transfers=0.9 volume_exchanges=0.2"), {"at most 1"});
  expectWords(refusal("temperatures=3"), {"temperatures = 3"});
  expectWords(refusal("shown_pair=2"), {"allowed: 1 to pairs = 1"});
  // A box that is too small for a longer cutoff now keeps the state.
  const auto mode = gibbsMode("density=0.1 cutoff=2 first_volume=0.06");
  expectWords(messageOf<InputError>([&] { change(*mode, "cutoff=3"); }),
              {"smaller than two cutoffs"});
  EXPECT_EQ(toText(mode->parameters().at("cutoff").get()), "2");
}

TEST(GibbsMode, TunesMoveSizesThenFreezesThem) {
  const auto mode = gibbsMode(
      "tune=true volume_exchanges=0.02 max_displacement=5 max_volume_exchange=0.4 cutoff=2.5 "
      "first_particles=0.8 first_volume=0.4");
  int changes = 0;
  mode->watchChanges([&] { ++changes; });
  EXPECT_TRUE(mode->preparation());
  mode->advance(239);
  EXPECT_TRUE(mode->preparation());
  EXPECT_EQ(changes, 0);
  mode->advance(1);
  EXPECT_FALSE(mode->preparation());
  EXPECT_EQ(changes, 1);
  EXPECT_EQ(toText(mode->parameters().at("tune").get()), "false");
  double displacements = 0, volumes = 0;
  for (int k = 0; k < 20; ++k) {
    mode->advance(10);
    const std::vector<double> values = mode->sample();
    const auto at = [&](const char* id) { return values[columnOf(mode->info().observables, id)]; };
    displacements += at("acceptance_displacement") / 20;
    volumes += at("acceptance_volume") / 20;
    EXPECT_EQ(at("particles_1") + at("particles_2"), 120);
    EXPECT_NEAR(at("volume_1") + at("volume_2"), 600, 1e-9);
  }
  // Some 10^5 displacements and 4000 exchanges, in a state that still fluctuates.
  EXPECT_NEAR(displacements, 0.4, 0.06);
  EXPECT_NEAR(volumes, 0.4, 0.12);
}

// The plots show how both phases come about; no average has a sample of a chain that is tuned, and
// the chain is the same.
TEST(GibbsMode, WhatIsSampledWhileTuningCountsForNoAverage) {
  Session session(scenarioWith("gibbs", "n=120 tune=true"), {Backend::cpu, 1, 0});
  std::vector<std::uint64_t> handed;
  session.onSample([&](std::uint64_t step, const std::vector<double>&) { handed.push_back(step); });
  session.advance(230);
  ASSERT_TRUE(session.mode().preparation());
  const auto density = [&] { return session.history().series().at(0); };
  EXPECT_EQ(density().step.size(), 23u);
  EXPECT_EQ(density().samples, 0u);
  EXPECT_FALSE(density().settled);
  session.advance(40);
  EXPECT_FALSE(session.mode().preparation());
  EXPECT_EQ(density().step.size(), 27u);
  EXPECT_EQ(density().samples, 4u);
  EXPECT_EQ(density().epochStart, 239u);  // the step that is the last of the tuning follows it
  EXPECT_EQ(handed, (std::vector<std::uint64_t>{240, 250, 260, 270}));
  const auto alone = gibbsMode("tune=true");
  alone->advance(270);
  EXPECT_EQ(alone->numbersOfAll(), session.mode().numbersOfAll());
}

// Four pairs tell an error by their scatter; one does not, and has no bar and no filled point.
TEST(GibbsMode, PointsOfFewPairsHaveNoErrors) {
  for (const std::int64_t pairs : {1, 4}) {
    const auto mode = gibbsMode(fmt::format("pairs={}", pairs));
    for (int k = 0; k < 8; ++k) mode->advance(2), mode->sample();
    int points = 0;
    for (const CurveSeries& s : curveOf(*mode, "gibbs_deviation").series)
      for (std::size_t k = 0; k < s.x.size(); ++k, ++points) {
        EXPECT_TRUE(s.provisional);
        EXPECT_EQ(s.error.at(k) > 0, pairs == 4) << s.label;
      }
    EXPECT_EQ(points, 3);
  }
}

// The dome of published states has its top, where they are of the very fluid.
TEST(GibbsMode, TheDomeEndsAtTheCriticalPoint) {
  for (const bool tail : {true, false}) {
    const auto mode = gibbsMode(fmt::format("potential=truncated cutoff=3 tail={}", tail));
    const Curve dome = curveOf(*mode, "gibbs_dome");
    ASSERT_FALSE(dome.series.empty());
    const auto top = std::find_if(dome.series.begin(), dome.series.end(),
                                  [](const CurveSeries& s) { return s.x.size() == 1; });
    ASSERT_EQ(top != dome.series.end(), tail);
    if (!tail) continue;
    EXPECT_NEAR(top->y[0], 1.312, 1e-9);
    EXPECT_TRUE(top->reference);
    EXPECT_FALSE(top->source.empty());
    const CurveSeries& sides = dome.series.front();  // vapour and liquid in turn
    EXPECT_GT(top->x[0], sides.x[sides.x.size() - 2]);
    EXPECT_LT(top->x[0], sides.x.back());
  }
}

TEST(GibbsMode, ManyPairsResumeBitForBitWhileTuningAndAfter) {
  for (const std::uint64_t steps : {17, 260}) {
    const auto mode = gibbsMode("tune=true moves_per_step=1000 pairs=3 temperatures=3");
    mode->advance(steps);
    mode->sample();
    std::istringstream in(saved(*mode));
    GibbsMode again({Backend::cpu, 1, 0});
    again.load(in);
    for (Mode* const m : {static_cast<Mode*>(mode.get()), static_cast<Mode*>(&again)}) {
      m->advance(3);
      m->sample();
    }
    EXPECT_EQ(saved(*mode), saved(again)) << steps;
  }
}

TEST(GibbsMode, AnotherPairToSeeKeepsWhatIsKnownOfAll) {
  const auto mode = gibbsMode("pairs=3 temperatures=3");
  for (int k = 0; k < 6; ++k) mode->advance(2), mode->sample();
  const auto densities = [&] {
    std::vector<double> all;
    for (const gibbs::GibbsCoexistence& c : mode->coexistences())
      all.push_back(c.density[0].value), all.push_back(c.density[1].value);
    return all;
  };
  const auto histograms = [&] { return mode->curves().back().series.size(); };
  const std::vector<double> before = densities();
  ASSERT_EQ(before.size(), 6u);
  EXPECT_EQ(histograms(), 2u);
  change(*mode, "shown_pair=2");
  EXPECT_TRUE(mode->startOverAfterEdit());
  EXPECT_EQ(densities(), before);
  EXPECT_EQ(histograms(), 0u);
  std::vector<double> sampled = mode->sample();
  EXPECT_TRUE(std::isnan(sampled[columnOf(mode->info().observables, "potential_1")]));
  for (int k = 7; k < 32; ++k) mode->advance(2), sampled = mode->sample();
  EXPECT_EQ(histograms(), 2u);
  for (const char* id : {"potential_1", "potential_2"}) {
    const std::size_t column = columnOf(mode->info().observables, id);
    EXPECT_TRUE(std::isfinite(sampled[column])) << id;
    EXPECT_EQ(mode->valueNow(column), sampled[column]) << id;
  }
  // Other edits forget: another temperature at once, other moves by their session.
  change(*mode, "transfers=0.3");
  EXPECT_FALSE(mode->startOverAfterEdit());
  change(*mode, "temperature=0.95");
  EXPECT_TRUE(densities().empty());
}

TEST(GibbsMode, RefusesCheckpointsThatCannotBe) {
  const auto mode = gibbsMode();
  mode->advance(2);
  const std::string whole = saved(*mode);
  const auto kept = mode->configuration().positions;
  std::string bad = whole;
  // The head of the pair follows the number of heads, 1: its first number is that of the move.
  const std::string move{"\xd0\x07\0\0\0\0\0\0", 8};  // 2000
  const std::size_t at = bad.rfind(std::string("\x01\0\0\0\0\0\0\0", 8) + move);
  ASSERT_NE(at, std::string::npos);
  bad[at + 16] = '\x7f', bad[at + 17] = '\x7f';  // particles in box 1
  std::istringstream in(bad);
  EXPECT_THROW(mode->load(in), InputError);
  EXPECT_EQ(mode->configuration().positions, kept);
}

TEST(GibbsMode, PairsHaveTemperaturesInTurn) {
  gibbs::GibbsParameters p;
  p.pairs = 8, p.temperatures = 3, p.temperature = 0.8, p.lastTemperature = 1.2;
  for (const auto& [pair, t] : {std::pair{0, 0.8}, {1, 1.0}, {2, 1.2}, {5, 1.2}, {6, 0.8}})
    EXPECT_DOUBLE_EQ(p.temperatureOf(static_cast<std::size_t>(pair)), t) << pair;
  EXPECT_DOUBLE_EQ(p.rules(4, p.sizes()).beta, 1.0);
}

TEST(GibbsMode, DrawsBothBoxesAndPicksInThem) {
  for (const char* dimension : {"2", "3"}) {
    const auto mode = gibbsMode(
        fmt::format("dimension={} density=0.1 first_particles=0.25 first_volume=0.4", dimension));
    const auto frame = mode->frame({.layers = {"particles", "box"}, .colouring = "box"});
    const auto points = itemsIn<PointInstance>(*frame, "particles");
    const auto boxes = itemsIn<BoxInstance>(*frame, "box");
    ASSERT_EQ(points.size(), 120u);
    ASSERT_EQ(boxes.size(), 2u);
    const int d = mode->info().dimension;
    int first = 0;
    for (const PointInstance& p : points) {
      const float at[3] = {p.x, p.y, p.z};
      const BoxInstance& box = boxes[p.value == 0 ? 0 : 1];
      first += p.value == 0;
      for (int k = 0; k < d; ++k) {
        EXPECT_GE(at[k], box.lo[k] - 1e-4f);
        EXPECT_LE(at[k], box.hi[k] + 1e-4f);
      }
    }
    EXPECT_EQ(first, 30);
    EXPECT_LT(boxes[0].hi[d - 2], boxes[1].lo[d - 2]) << "apart";
    // Along the ray through a particle of box 2 from the viewer: that one, or one before it.
    const PointInstance& last = points.back();
    PickQuery query{{last.x, last.y, last.z}, {0, 0, -1}};
    if (d == 3) query.origin[0] = 100, query.direction[0] = -1, query.direction[2] = 0;
    const ParticleId id = mode->pick(query);
    ASSERT_GE(id, 30);
    const auto picked = mode->frame({.layers = {"particles", "box"}, .picked = id});
    EXPECT_EQ(picked->picked.rows[0].second, "2 of pair 1, T = 0.9");
    EXPECT_EQ(picked->picked.rows[1].second, "2");
  }
}

TEST(GibbsMode, ReferencesAreThoseOfThePublishedFluid) {
  const auto mode = gibbsMode();
  ASSERT_FALSE(mode->references().empty());
  EXPECT_EQ(mode->references()[0].observable, "liquid_density");
  EXPECT_EQ(mode->references()[0].value, 0.75284);
  EXPECT_TRUE(gibbsMode("temperature=0.91")->references().empty());
  EXPECT_TRUE(gibbsMode("cutoff=2.5")->references().empty());
  EXPECT_TRUE(gibbsMode("tail=false")->references().empty());
}

}  // namespace
}  // namespace cellscope::test
