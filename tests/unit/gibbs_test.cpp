// The Gibbs ensemble as a mode: what is refused, tuning, checkpoints of many pairs, the picture;
// its rules against its distribution, and small systems that are known exactly.
//
// Sampled means: four and a half errors by blocks, so that one comparison in 10^5 fails by chance;
// fixed seeds.
#include <fmt/format.h>

#include "sim/modes/gibbs/mode.h"
#include "sim/run/session.h"
#include "tests/support/modes.h"

namespace cellscope::test {
namespace {

std::unique_ptr<GibbsMode> gibbsMode(const std::string& settings = "") {
  auto mode = std::make_unique<GibbsMode>(kOneThread);
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
  expectRefusal([&] { change(*mode, "cutoff=3"); }, {"smaller than two cutoffs"});
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
  Session session(scenarioWith("gibbs", "n=120 tune=true"), kOneThread);
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
    ASSERT_EQ(dome.id, "gibbs_dome");
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
    GibbsMode again(kOneThread);
    load(again, saved(*mode));
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
  const std::string head{"\x01\0\0\0\0\0\0\0\xd0\x07\0\0\0\0\0\0", 16};  // 1, 2000
  const std::size_t at = bad.rfind(head);
  ASSERT_NE(at, std::string::npos);
  bad[at + 16] = '\x7f', bad[at + 17] = '\x7f';  // particles in box 1
  EXPECT_THROW(load(*mode, bad), InputError);
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

constexpr double kGibbsAllowed = 4.5;

void expectGibbsMean(const BlockAverage& found, double expected, const char* what) {
  EXPECT_NEAR(found.mean(), expected, kGibbsAllowed * found.error()) << what;
}

// ln of V_1^n_1 V_2^n_2 / (n_1! n_2!) exp(-(U_1 + U_2) / T), tails included.
double lnWeight(const GibbsRules& r, double n1, double v1, double u1, double u2) {
  const double n2 = r.n - n1, v2 = r.volume - v1;
  const double energy = u1 + u2 + r.tail * n1 * n1 / v1 + r.tail * n2 * n2 / v2;
  return n1 * std::log(v1) + n2 * std::log(v2) - std::lgamma(n1 + 1) - std::lgamma(n2 + 1) -
         r.beta * energy;
}

gibbs::GibbsParameters twentyParticles() {
  return {.n = 20, .density = 0.04, .temperature = 0.9, .cutoff = 2.5};
}

// Rounding: some 30 operations on numbers of up to 100, in the exponent.
constexpr double kWeightRounding = 1e-12;

TEST(GibbsRules, AcceptanceIsTheRatioOfWeights) {
  const gibbs::GibbsParameters p = twentyParticles();
  const GibbsRules r = p.rules(0, p.sizes());
  ASSERT_LT(r.tail, 0);
  GibbsHead h{};
  h.n1 = 13, h.share = 0x50000000, h.energy[0] = -11.5, h.energy[1] = -3.25;
  const double v1 = r.volume * 0x50000000 / 4294967296.0;
  const double before = lnWeight(r, 13, v1, h.energy[0], h.energy[1]), in = -1.75, out = -2.5;
  const double toSecond = lnWeight(r, 12, v1, h.energy[0] - out, h.energy[1] + in) - before;
  const GibbsBox box[2] = {gibbsBox(r, h.share, 0), gibbsBox(r, h.share, 1)};
  EXPECT_NEAR(std::log(gibbsTransfer(r, box[0], box[1], 13, 7, in, out).probability), toSecond,
              30 * kWeightRounding);
  const double toFirst = lnWeight(r, 14, v1, h.energy[0] + in, h.energy[1] - out) - before;
  EXPECT_NEAR(std::log(gibbsTransfer(r, box[1], box[0], 7, 13, in, out).probability), toFirst,
              30 * kWeightRounding);
  const double energy[2] = {-10.75, -4}, v = r.volume * 0x48000000 / 4294967296.0;
  const double exchanged = lnWeight(r, 13, v, energy[0], energy[1]) - before;
  EXPECT_NEAR(std::log(gibbsExchange(r, h, 0x48000000, energy)), exchanged, 30 * kWeightRounding);
}

TEST(GibbsRules, SidesAreCubeRoots) {
  for (const double v : {1.0, 27.0, 216.0, 1234.5678, 3e6, 1e-9}) {
    const double side = gibbsSide(3, v);
    EXPECT_NEAR(side * side * side, v, 8 * v * 2.3e-16) << v;
    EXPECT_EQ(gibbsSide(2, v), std::sqrt(v));
  }
}

TEST(GibbsRules, NoBoxGetsSmallerThanTwoCutoffs) {
  const gibbs::GibbsParameters p = twentyParticles();
  GibbsRules r = p.rules(0, p.sizes());
  EXPECT_GE(gibbsVolume(r, r.least, 0), 125.0 * (1 - 1e-15));
  EXPECT_LT(gibbsVolume(r, r.least - 1, 0), 125.0);
  GibbsDraw d{};
  d.point.x = 0x80000000;  // the largest step down
  r.volumeReach = 100;
  EXPECT_EQ(gibbsExchanged(r, d, r.least + 99), r.least);
  EXPECT_EQ(gibbsExchanged(r, d, r.least + 98), 0u);
  d.point.x = 0x7fffffff;
  EXPECT_EQ(gibbsExchanged(r, d, 0u - r.least - 98), 0u);
}

// Chains of many pairs, each sample after `moves` moves.
template <class F>
void sampledPair(const gibbs::GibbsParameters& p, int samples, std::uint64_t moves, const F& f) {
  const auto pairs = makeGibbsPairsCpu(exec::makeExec(kOneThread));
  const GibbsRules r = p.rules(0, p.sizes());
  pairs->upload(gibbsLattices({r}, p.firstN(), p.firstShare()), {r});
  for (int k = 0; k < samples; ++k) {
    pairs->advance(moves);
    f(r, pairs->heads()[0]);
  }
}

// Without interaction the integral over V_1 leaves each n_1 as likely as the others, and the sum
// over n_1 each V_1; given n_1 the share of V_1 is Beta(n_1 + 1, n_2 + 1), so that
// <V_1 / (n_1 + 1)> = V / (N + 2).
TEST(GibbsRules, IdealGasIsUniformInNumberAndVolume) {
  gibbs::GibbsParameters p;
  p.potential.index = static_cast<std::int64_t>(gibbs::gibbsPotentials().size()) - 1;
  p.n = 4, p.density = 0.1, p.transfers = 0.4, p.exchanges = 0.4, p.maxExchange = 0.3;
  BlockAverage number[5], share[4], together, inverse;
  sampledPair(p, 100000, 8, [&](const GibbsRules& r, const GibbsHead& h) {
    for (std::uint32_t n = 0; n < 5; ++n) number[n].add(h.n1 == n);
    for (std::uint32_t k = 0; k < 4; ++k) share[k].add(h.share >> 30 == k);
    together.add(h.n1 * gibbsVolume(r, h.share, 0) / r.volume);
    inverse.add(gibbsVolume(r, h.share, 0) / (h.n1 + 1));
  });
  for (const BlockAverage& n : number) expectGibbsMean(n, 0.2, "n_1");
  for (const BlockAverage& s : share) expectGibbsMean(s, 0.25, "V_1");
  // <n (n + 1)> / (N + 2) of n = 0 .. 4.
  expectGibbsMean(together, (2 + 6 + 12 + 20) / 5.0 / 6, "n_1 V_1");
  expectGibbsMean(inverse, 40.0 / 6, "V_1 / (n_1 + 1)");
}

// Two particles: with both in a box of V, the integral over their distance is V + B,
// B = integral (exp(-u / T) - 1) 4 pi r^2 dr up to the cutoff, which half a side is not below.
TEST(GibbsRules, TwoParticlesAreKnownExactly) {
  gibbs::GibbsParameters p;
  p.n = 2, p.density = 2.0 / 70, p.temperature = 0.8, p.cutoff = 1.5, p.tail = false;
  p.transfers = 0.5, p.exchanges = 0.2, p.maxDisplacement = 0.7, p.maxExchange = 0.1;
  double b = 0, energy = 0;
  constexpr int kParts = 200000;
  for (int k = 0; k < kParts; ++k) {
    const double r = 1.5 * (k + 0.5) / kParts, s6 = std::pow(r, -6);
    const double u = 4 * s6 * (s6 - 1), f = std::exp(-u / p.temperature);
    const double shell = 4 * 3.14159265358979 * r * r * 1.5 / kParts;
    b += (f - 1) * shell;
    if (f > 0) energy += u * f * shell;
  }
  // Integrals over V_1 from 27 to 43.
  const auto power = [](int k) { return (std::pow(43.0, k) - std::pow(27.0, k)) / k; };
  const double both = (power(3) + b * power(2)) / 2, apart = 70 * power(2) - power(3);
  const double all = 2 * both + apart;
  BlockAverage one, u, firstFull;
  sampledPair(p, 150000, 10, [&](const GibbsRules& r, const GibbsHead& h) {
    one.add(h.n1 == 1);
    u.add(h.energy[0] + h.energy[1]);
    firstFull.add(h.n1 == 2 ? gibbsVolume(r, h.share, 0) : 0);
  });
  EXPECT_LT(one.error(), 0.005);
  expectGibbsMean(one, apart / all, "one in each");
  expectGibbsMean(u, energy * power(2) / all, "energy");
  expectGibbsMean(firstFull, (power(4) + b * power(3)) / 2 / all, "V_1 with both");
}

}  // namespace
}  // namespace cellscope::test
