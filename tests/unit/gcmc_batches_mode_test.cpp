// Moves in order and speculative moves as methods of grand-canonical Monte Carlo: switched to while
// running, the same states whatever is made at once, files, drawing, charts, refusals; experiments
// of methods, which are flagged only where they act.
#include "sim/run/session.h"
#include "tests/support/gcmc_modes.h"

namespace cellscope::test {
namespace {

// 4 x 4 x 4 cells, 64 moves a turn.
std::unique_ptr<Mode> orderly(const std::string& more = "", int threads = 1) {
  return gcmcMode(
      "method=in_order length=12.5 temperature=1.5 density=0.4 activity=0.2 slots_per_cell=32 "
      "moves_in_flight=16 " +
          more,
      threads);
}

// 1024 draws a step, the next multiple of 64 from 1000 on; empty ones are no moves. Shares of the
// rounds add up.
TEST(GcmcInOrderMode, AStepIsWholeTurnsAndEmptyDrawsAreNoMoves) {
  auto mode = orderly();
  expectWords(detailOf(*mode, "method"),
              {"in_order", "16 in flight", "64 cells of 32 slots", "64 moves a turn"});
  mode->advance(3);
  EXPECT_LT(mode->work(), 3 * 1024);
  EXPECT_GT(mode->work(), 0.3 * 3 * 1024);
  const Curve rounds = curveOf(*mode, "rounds_per_batch"),
              decided = curveOf(*mode, "decided_after_round");
  ASSERT_EQ(rounds.series.size(), 1u);
  ASSERT_EQ(decided.series.size(), 1u);
  const std::vector<double>&share = rounds.series[0].y, &y = decided.series[0].y;
  EXPECT_NEAR(std::accumulate(share.begin(), share.end(), 0.0), 1, 1e-12);
  EXPECT_TRUE(std::ranges::is_sorted(y));
  EXPECT_EQ(y.back(), 1);
  EXPECT_LT(y.front(), 1);
  const std::vector<double> values = mode->sample();
  const double empty = values[columnOf(mode->info().observables, "empty_draws")];
  EXPECT_DOUBLE_EQ(mode->work(), std::round((1 - empty) * 3 * 1024));
  EXPECT_GT(values[columnOf(mode->info().observables, "rounds")], 1) << "none decides again";
}

// With cells that grow in between: their slots are in the file.
TEST(GcmcInOrderMode, ResumesBitForBit) {
  auto mode = orderly("slots_per_cell=8 density=0.01");
  mode->advance(30);
  auto other = orderly("dimension=2", 2);
  expectResumes(*mode, *other, 60);
  EXPECT_GT(valueIn<std::int64_t>(*mode, "slots_per_cell"), 8);
  std::string words;
  for (const SelfCheck& c : mode->selfChecks()) words += c.label + ": " + c.detail + "\n";
  EXPECT_NE(words.find("rejected by a full cell"), std::string::npos) << words;
  EXPECT_EQ(words.find("; 0 moves rejected"), std::string::npos) << words;
}

// A cell was full after some step: slots are added there, and averages begin there, however many
// steps are made at once and whenever somebody looks.
TEST(GcmcInOrderMode, AveragesBeginWhereTheSlotsHaveGrown) {
  struct End {
    std::uint64_t epoch, grown;
    std::vector<double> numbers;
    std::string state;
  };
  const auto run = [](std::uint64_t every, const std::vector<std::uint64_t>& parts, bool phases) {
    Scenario s = scenarioWith(
        "gcmc",
        "method=in_order length=12.5 temperature=1.5 density=0.05 activity=0.2 moves_per_step=64 "
        "slots_per_cell=12");
    s.sampleEvery = every;
    Session session(s, kOneThread);
    for (const std::uint64_t n : parts) {
      if (!phases) {
        session.advance(n);
        continue;
      }
      for (const std::uint64_t end = session.step() + n; session.step() < end;)
        session.advancePhase();
    }
    End e{session.history().epochStart(), 0, {}, saved(session.mode())};
    for (const auto& c : session.ownChanges())
      if (c.key == "slots_per_cell") e.grown = c.step;
    for (const CurveSeries& k : curveOf(session.mode(), "number").series) {
      e.numbers.insert(e.numbers.end(), k.x.begin(), k.x.end());
      e.numbers.insert(e.numbers.end(), k.y.begin(), k.y.end());
    }
    return e;
  };
  const End one = run(1000, std::vector<std::uint64_t>(600, 1), false);
  EXPECT_GT(one.grown, 0u);
  EXPECT_LT(one.grown, 600u);
  EXPECT_EQ(one.epoch, one.grown);
  for (const End& e : {run(1000, {600}, false), run(1000, {7, 400, 193}, false),
                       run(600, {600}, false), run(1000, {600}, true)}) {
    EXPECT_EQ(e.epoch, one.epoch);
    EXPECT_EQ(e.grown, one.grown);
    EXPECT_EQ(e.numbers, one.numbers) << "the distribution of N since then";
  }
  EXPECT_TRUE(run(1000, {600}, false).state == one.state);
}

// A ring for each move of the last batch that is no empty draw, an arrow for each that decided
// again.
TEST(GcmcInOrderMode, TheLayerShowsWhoWaitedForWhom) {
  const ViewRequest view{.layers = {"flights"}};
  for (const char* dimension : {"2", "3"}) {
    auto mode = orderly(fmt::format("dimension={} moves_in_flight=64", dimension));
    const auto before = mode->frame(view);
    ASSERT_EQ(before->layers.size(), 1u);
    expectWords(before->layers[0].reason, {"no move was made"});
    mode->advance(3);
    const auto frame = mode->frame(view);
    const auto rings = itemsIn<PointInstance>(*frame, "flights");
    const auto arrows = itemsIn<LineInstance>(*frame, "flight_waits");
    const auto labels = itemsIn<LabelInstance>(*frame, "flight_rounds");
    ASSERT_GT(rings.size(), 10u);
    ASSERT_LE(rings.size(), 64u);
    const auto later =
        std::ranges::count_if(rings, [](const PointInstance& p) { return p.level > 1; });
    EXPECT_GT(later, 0);
    EXPECT_LE(arrows.size(), static_cast<std::size_t>(later)) << "nobody corrects those of round 1";
    EXPECT_GT(arrows.size(), 0u);
    for (const LineInstance& a : arrows) EXPECT_GT(a.level, 1);
    // The ends of chains carry their rounds, what is corrected or corrects stays free, and the
    // arrows have a name.
    std::size_t named = 0;
    for (const LabelInstance& label : labels) {
      if (label.text[0] == '\0') continue;
      ++named;
      EXPECT_EQ(std::string(label.text), std::to_string(label.level));
    }
    EXPECT_GE(named, 2u) << "the first and the last of a chain";
    EXPECT_LT(named, rings.size());
    EXPECT_GE(labels.size() - named, 2 * arrows.size()) << "an arrow and a ring at its start";
    EXPECT_EQ(layerIn(*frame, "flight_waits")->scale.categories.size(), 1u);
    EXPECT_EQ(frame->layers.back().key, "flight_rounds");
    for (const PointInstance& p : rings) EXPECT_EQ(p.value, p.level);
    EXPECT_EQ(std::ranges::count_if(rings, [](const PointInstance& p) { return p.z != 0; }) == 0,
              dimension == std::string("2"));
  }
  auto other = orderly("method=auto");
  expectWords(other->frame(view)->layers[0].reason, {"in_order"});
}

std::unique_ptr<Mode> speculative(const std::string& more = "", int threads = 1) {
  return gcmcMode(
      "method=speculative length=7 density=0.4 temperature=1.5 activity=0.2 cutoff=2.5 " + more,
      threads);
}

// Of k candidates (1 - (1 - A)^k) / A count, with A the acceptance; the chart says the same.
TEST(GcmcSpeculativeMode, TheWasteIsShown) {
  auto mode = speculative("candidates=12 moves_per_step=6000");
  mode->advance(5);
  const std::vector<double> values = mode->sample();
  const auto value = [&](const char* key) {
    return values[columnOf(mode->info().observables, key)];
  };
  const double a = 0.3 * value("acceptance_displacement") +
                   0.35 * (value("acceptance_insertion") + value("acceptance_deletion"));
  const double count = (1 - std::pow(1 - a, 12)) / a;
  EXPECT_NEAR(value("candidates_per_round"), 12, 0.1);
  EXPECT_NEAR(value("wasted_evaluations"), (12 - count) / count, 0.1 * (12 - count) / count);
  const Curve c = curveOf(*mode, "speculation");
  ASSERT_EQ(c.series.size(), 1u);
  double sum = 0, mean = 0;
  for (std::size_t k = 0; k < c.series[0].x.size(); ++k)
    sum += c.series[0].y[k], mean += c.series[0].x[k] * c.series[0].y[k];
  EXPECT_NEAR(sum, 1, 1e-12);
  EXPECT_NEAR(mean, count, 0.1 * count);
  auto serial = speculative("method=serial_cells");
  serial->advance(5);
  EXPECT_EQ(sampled(*serial, "wasted_evaluations"), 0);
}

// The chart counts, as the mean beside it does, from where the averages begin.
TEST(GcmcSpeculativeMode, TheChartLeavesTheApproachToEquilibriumOut) {
  auto mode = speculative("moves_per_step=50");
  const auto chart = [&] { return curveOf(*mode, "speculation"); };
  std::vector<MeanState> means(mode->info().observables.size());
  for (int k = 0; k < 40; ++k) mode->advance(1), mode->sample();
  mode->averagesAre(0, means);
  ASSERT_EQ(chart().series.size(), 1u);
  EXPECT_TRUE(chart().series[0].provisional);
  for (MeanState& mean : means) mean.settled = true;
  mode->averagesBeginLater();
  mode->averagesAre(32, means);
  EXPECT_TRUE(chart().series.empty()) << "counted from here on";
  mode->advance(1), mode->sample();
  mode->averagesAre(32, means);
  ASSERT_EQ(chart().series.size(), 1u);
  EXPECT_FALSE(chart().series[0].provisional);
}

// The running energy drifts away from that of the particles, and only what is wrong on purpose
// fails a check.
TEST(GcmcExperiments, DriftOnPurpose) {
  for (const auto& mode : {orderly("ignore_conflicts=true moves_in_flight=64"),
                           speculative("speculative_batch=apply_all")}) {
    mode->advance(20);
    for (const SelfCheck& c : mode->selfChecks()) EXPECT_TRUE(c.ok || c.onPurpose) << c.label;
    const SelfCheck drift = checkOf(*mode, "energy drift");
    EXPECT_TRUE(!drift.ok && drift.onPurpose);
  }
}

// Red in the window, in files and pictures: only what acts, after a change of the method alone too.
TEST(GcmcExperiments, AreFlaggedWhereTheyAct) {
  const std::pair<const char*, std::string> all[] = {
      {"checkerboard_condition=skip_empty", "checkerboard"},
      {"ignore_conflicts=true", "in_order"},
      {"speculative_batch=count_discarded", "speculative"},
      {"insertion_sign_as_printed=true", ""}};
  for (const char* method : {"auto", "serial", "checkerboard", "in_order", "speculative"})
    for (const auto& [experiment, acts] : all) {
      Session session(
          scenarioWith("gcmc", fmt::format("method={} length=12.5 {}", method, experiment)),
          kOneThread);
      const bool flagged = acts.empty() || acts == method;
      EXPECT_EQ(session.experiments().size(), flagged ? 1u : 0u) << method << ", " << experiment;
      session.set("method", std::string("serial_cells"));
      EXPECT_EQ(session.experiments().size(), acts.empty() ? 1u : 0u) << method << " before";
    }
}

}  // namespace
}  // namespace cellscope::test
