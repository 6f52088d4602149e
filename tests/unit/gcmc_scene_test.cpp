// Grand-canonical Monte Carlo as it is seen: moves phase by phase, the mapping of cells, the reach
// of a particle, and the race of methods.
#include <set>

#include "sim/algo/gcmc/engine.h"
#include "sim/algo/observables/fluid_reference.h"
#include "sim/algo/race/race.h"
#include "tests/support/gcmc_modes.h"

namespace cellscope::test {
namespace {

const std::string kSmall = "length=8 cutoff=2.5 moves_per_step=50";

// Phase by phase is the same as whole steps, looked at or not.
TEST(GcmcPhases, MakeTheMovesOfAStep) {
  for (const std::int64_t moves : {std::int64_t{1}, std::int64_t{50}}) {
    const std::string values = kSmall + fmt::format(" moves_per_step={}", moves);
    auto whole = gcmcMode(values), phases = gcmcMode(values);
    const std::size_t count = phases->info().phases.size();
    EXPECT_EQ(count, moves == 1 ? 7u : 8u);
    for (int step = 0; step < 20; ++step) {
      whole->advance(1);
      for (std::size_t k = 0; k < count; ++k) {
        phases->advancePhase();
        static_cast<void>(phases->frame(viewOf({"particles", "microscope", "mapping", "moves"})));
      }
      ASSERT_EQ(phases->step(), whole->step());
      expectSameParticles(*phases, *whole);
    }
    EXPECT_EQ(bitsOf(phases->sample()), bitsOf(whole->sample()));
  }
}

// Of moves one by one, and of a sweep of colours, looked at or not.
TEST(GcmcPhases, GoOnFromACheckpointInTheMiddle) {
  const std::string board =
      "method=checkerboard length=12.5 density=0.4 attempts_per_cell=8 moves_per_step=1";
  const std::pair<std::string, int> cases[] = {{kSmall, 5}, {board, 3}, {board, 10}};
  for (const auto& [settings, phases] : cases) {
    SCOPED_TRACE(phases);
    auto a = gcmcMode(settings), b = gcmcMode(settings, 2);
    a->advance(3);
    for (int k = 0; k < phases; ++k) a->advancePhase();
    load(*b, saved(*a));
    EXPECT_EQ(b->nextPhase(), phases);
    static_cast<void>(b->frame(viewOf({"particles", "microscope"})));
    for (Mode* m : {a.get(), b.get()}) {
      while (m->nextPhase() != 0) m->advancePhase();
      m->advance(3);
    }
    expectSameParticles(*a, *b);
  }
}

// The card tells of the move phase by phase, and goes when the move is over.
TEST(GcmcMicroscope, ShowsWhatTheKernelRecorded) {
  for (const char* method :
       {"serial", "serial_cells", "all_particles", "cells", "microcells_many"}) {
    SCOPED_TRACE(method);
    auto mode = gcmcMode(kSmall + " method=" + method);
    int accepted = 0, drawn = 0;
    for (int step = 0; step < 12; ++step) {
      mode->advancePhase();  // all moves but the last
      EXPECT_LT(mode->frame(viewOf({"particles", "microscope"}))->picked.id, 0);
      const std::size_t before = mode->particleCount();
      std::size_t rows = 0;
      ParticleId id = -1;
      for (int stage = 0; stage < 7; ++stage) {
        mode->advancePhase();
        const auto frame = mode->frame(viewOf({"particles", "microscope"}, id));
        id = frame->picked.id;  // the window sends back what it got
        ASSERT_GE(id, 0);
        ASSERT_GE(frame->picked.rows.size(), rows);
        rows = frame->picked.rows.size();
        // A particle that is not there yet has no number: the move is the heading. One that is
        // there no more is no longer gone to.
        const bool inserts = frame->picked.rows[0].first.empty();
        EXPECT_EQ(frame->picked.trial, inserts);
        if (inserts) {
          EXPECT_TRUE(frame->picked.rows[0].second.ends_with(
              frame->picked.rows[1].second == "deletion" ? ", deleted" : ": insertion"));
        }
        EXPECT_EQ(frame->picked.rows[inserts].first.rfind("move ", 0), 0u);
        EXPECT_EQ(layerIn(*frame, "particles")->count, stage < 6 ? before : mode->particleCount())
            << "as it was before the move, until its end";
        if (stage == 2) drawn += static_cast<int>(layerIn(*frame, "microscope")->count);
        if (stage == 5)
          for (const auto& [label, value] : frame->picked.rows)
            accepted += value == "accepted" ? 1 : 0;
      }
    }
    EXPECT_GT(accepted, 0);
    EXPECT_LT(accepted, 12);
    EXPECT_GT(drawn, 12);
  }
}

// One of many moves, stage by stage: the picture is that before them until the last one, what is
// drawn and said grows, and the run is that of whole steps.
TEST(GcmcMicroscope, ShowsOneOfTheMovesMadeTogether) {
  for (const char* method : {"checkerboard", "in_order"})
    for (const char* dimension : {"2", "3"}) {
      SCOPED_TRACE(std::string(method) + " " + dimension);
      const std::string values =
          kSmall +
          fmt::format(" method={} dimension={} length=12.5 moves_per_step=1", method, dimension);
      auto mode = gcmcMode(values), plain = gcmcMode(values);
      int decided = 0, drawn = 0, sums = 0;
      for (int step = 0; step < 6; ++step) {
        const std::size_t before = mode->particleCount();
        ParticleId id = -1;
        std::size_t rows = 0;
        for (int stage = 0; stage < 7; ++stage) {
          mode->advancePhase();
          const auto frame = mode->frame(viewOf({"particles", "microscope"}, id));
          id = frame->picked.id;
          if (id < 0) continue;  // an empty cell
          EXPECT_GE(frame->picked.rows.size(), rows);
          rows = frame->picked.rows.size();
          EXPECT_EQ(layerIn(*frame, "particles")->count,
                    stage < 6 ? before : mode->particleCount());
          const auto lines = layerIn(*frame, "microscope")->count;
          if (stage == 0) {
            EXPECT_EQ(lines, 0u) << "nobody is read yet";
          }
          if (stage == 2 || stage == 3) drawn += static_cast<int>(lines);
          for (const auto& [label, value] : frame->picked.rows) {
            const bool decision = label.find("decision") != std::string::npos;
            EXPECT_FALSE(decision && stage < 5);
            decided += decision && stage == 5;
            sums += stage == 4 && label.find("partial sums") != std::string::npos;
          }
        }
        while (mode->nextPhase() != 0) mode->advancePhase();
        plain->advance(1);
        EXPECT_EQ(mode->configuration().positions, plain->configuration().positions);
      }
      EXPECT_GT(decided, 3);
      EXPECT_EQ(sums, decided);
      EXPECT_GT(drawn, 20);
    }
}

// Threads at the particles that they read, in the colour of their block, and blocks in their cells,
// inside; a place that is kept free; lines that leave the box end at images.
TEST(GcmcMicroscope, WritesThreadsAtParticlesAndBlocksInCells) {
  auto mode = gcmcMode(
      "dimension=2 length=16 cutoff=2.5 density=0.45 method=cells mapping=9x3 moves_per_step=1");
  std::size_t images = 0, outside = 0;
  for (int step = 0; step < 8; ++step) {
    for (int stage = 0; stage < 3; ++stage) mode->advancePhase();
    const auto frame = mode->frame(viewOf({"particles", "microscope", "mapping"}));
    const auto threads = itemsIn<LabelInstance>(*frame, "scope_labels");
    const auto lines = itemsIn<LineInstance>(*frame, "microscope");
    // Nothing is written over the particle and the position that it may take.
    std::size_t kept = 0;
    while (kept < threads.size() && threads[kept].text[0] == '\0') ++kept;
    EXPECT_TRUE(kept == 1 || kept == 2) << kept;
    ASSERT_EQ(threads.size(), lines.size() + kept);
    for (std::size_t k = kept; k < threads.size(); ++k) {
      EXPECT_EQ(threads[k].of, LabelOf::ball);
      EXPECT_EQ(threads[k].text[0], 't') << threads[k].text;
    }
    EXPECT_TRUE(layerIn(*frame, "scope_labels")->scale.tones);
    for (const LabelInstance& l : itemsIn<LabelInstance>(*frame, "work_threads")) {
      EXPECT_EQ(l.of, LabelOf::box);
      EXPECT_EQ(std::string(l.text).find('t'), std::string::npos) << l.text;
      EXPECT_GT(l.half[0], 2.4f / 2);
    }
    images += itemsIn<PointInstance>(*frame, "scope_images").size();
    for (const LineInstance& l : lines)
      outside += l.b[0] < 0 || l.b[1] < 0 || l.b[0] >= 16 || l.b[1] >= 16;
    while (mode->nextPhase() != 0) mode->advancePhase();
  }
  EXPECT_GT(images, 0u);
  EXPECT_EQ(images, outside);
}

TEST(GcmcMicroscope, LeavesThePickedParticleAlone) {
  auto mode = gcmcMode(kSmall);
  const ParticleId picked = mode->configuration().ids[5];
  mode->advancePhase();
  mode->advancePhase();
  const auto frame = mode->frame(viewOf({"particles", "microscope"}, picked));
  EXPECT_EQ(frame->picked.id, picked);
  EXPECT_EQ(frame->picked.rows.back().first.rfind("move ", 0), 0u);
}

// Boxes and labels are those of the mapping: as many blocks, each cell once.
TEST(GcmcMappingLayer, DrawsWhoVisitsWhichCell) {
  ParameterSet defaults = describeMode("gcmc").parameters();
  for (const char* dimension : {"3", "2"})
    for (const ChoiceInfo& mapping : defaults.at("mapping").info.choices) {
      auto mode = gcmcMode(
          kSmall + fmt::format(" dimension={} method=cells mapping={}", dimension, mapping.key));
      const auto view = viewOf({"particles", "mapping"});
      EXPECT_EQ(layerIn(*mode->frame(view), "mapping")->count, 0u);
      EXPECT_FALSE(layerIn(*mode->frame(view), "mapping")->reason.empty());
      mode->advance(1);
      const auto frame = mode->frame(view);
      const auto boxes = itemsIn<BoxInstance>(*frame, "mapping");
      const auto labels = itemsIn<LabelInstance>(*frame, "work_threads");
      const std::size_t cells = dimension[0] == '3' ? 27 : 9;
      ASSERT_EQ(boxes.size(), cells) << mapping.key;
      EXPECT_EQ(labels.size(), cells);
      std::set<std::tuple<float, float, float>> places;
      std::set<float> values;
      for (const BoxInstance& b : boxes)
        places.insert({b.lo[0], b.lo[1], b.lo[2]}), values.insert(b.value);
      EXPECT_EQ(places.size(), cells);
      if (dimension[0] == '2') continue;
      for (const GcmcMapping& m : gcmcMappings(3)) {
        if (m.key != mapping.key) continue;
        if (m.blocks > 1) {
          EXPECT_EQ(values.size(), static_cast<std::size_t>(m.blocks));
        }
        // A line from each visit to the next one of the same threads, but across the faces.
        const auto order = itemsIn<LineInstance>(*frame, "work_order");
        EXPECT_LE(order.size(), static_cast<std::size_t>(m.blocks * m.across * (m.inTurn - 1)));
        EXPECT_EQ(order.empty(), m.inTurn == 1);
      }
    }
}

TEST(GcmcMappingLayer, TellsMicrocellsApart) {
  for (const bool skip : {true, false}) {
    auto mode = gcmcMode(
        kSmall + fmt::format(" method=microcells_many density=0.3 skip_beyond_cutoff={}", skip));
    const auto view = viewOf({"particles", "mapping"});
    static_cast<void>(mode->frame(view));
    mode->advance(1);
    const auto boxes = itemsIn<BoxInstance>(*mode->frame(view), "mapping");
    EXPECT_EQ(boxes.size(), 343u);
    std::size_t of[3] = {0, 0, 0};
    for (const BoxInstance& b : boxes) of[static_cast<int>(b.value)]++;
    EXPECT_GT(of[0], 0u);
    EXPECT_GT(of[1], 0u);
    EXPECT_EQ(of[2] > 0, skip);
  }
}

// All that a particle interacts with lies in the cells drawn around it.
TEST(GcmcReach, OfThePickedParticle) {
  for (const char* method : {"serial_cells", "cells", "microcells"}) {
    auto mode = gcmcMode(kSmall + " method=" + method);
    const ParticleId picked = mode->configuration().ids[3];
    const auto frame = mode->frame(viewOf({"particles", "reach"}, picked));
    const auto circles = itemsIn<LineInstance>(*frame, "reach");
    const auto boxes = itemsIn<BoxInstance>(*frame, "reach_cells");
    EXPECT_EQ(boxes.size(), std::string(method) == "microcells" ? 343u : 27u);
    ASSERT_EQ(circles.size(), 3u * 64u);
    for (const LineInstance& l : circles) {
      double r2 = 0;
      for (int k = 0; k < 3; ++k)
        r2 += std::pow(static_cast<double>(l.a[k] - frame->picked.position[k]), 2);
      EXPECT_NEAR(std::sqrt(r2), 2.5, 1e-4);
    }
  }
  auto mode = gcmcMode(kSmall);
  EXPECT_FALSE(layerIn(*mode->frame(viewOf({"particles", "reach"})), "reach")->reason.empty());
}

// --- The race. ---

TEST(GcmcRace, TimesEveryMethodAndLeavesTheRunAlone) {
  const std::string values = kSmall + " density=0.9";
  auto mode = gcmcMode(values), other = gcmcMode(values);
  change(*mode, "race=true");
  ASSERT_TRUE(mode->preparation());
  bool live = false;
  for (int k = 0; k < 1000 && mode->preparation(); ++k) {
    mode->advance(1);
    const Curve now = curveOf(*mode, "method_race");
    live = live || (!now.series.empty() && mode->preparation() && !now.series[0].highlight);
  }
  EXPECT_TRUE(live) << "bars while it runs";
  ASSERT_FALSE(mode->preparation());
  EXPECT_EQ(toText(mode->parameters().at("race").get()), "false");
  EXPECT_EQ(mode->step(), 0u);
  const Curve chart = curveOf(*mode, "method_race");
  ASSERT_FALSE(chart.series.empty());
  // What a CPU can choose competes; the blocks of a GPU come last, are named, and never win: seven
  // mappings of cells and three others, no checkerboard, for which there is no room.
  const auto& bars = chart.series[0].y;
  const auto& names = chart.x.names;
  const std::vector<std::string> own = {"serial", "serial cells", "speculative", "in order"};
  ASSERT_EQ(names.size(), own.size() + 7u + 3u);
  ASSERT_EQ(bars.size(), names.size());
  EXPECT_TRUE(std::equal(own.begin(), own.end(), names.begin()));
  EXPECT_TRUE(std::all_of(
      names.begin() + std::ssize(own), names.end(),
      [](const std::string& name) { return name.find(" (emulated)") != std::string::npos; }));
  const auto fastest = static_cast<std::size_t>(
      std::max_element(bars.begin(), bars.begin() + std::ssize(own)) - bars.begin());
  std::vector<double> times, spreads;  // of what competes
  for (std::size_t k = 0; k < own.size(); ++k)
    times.push_back(1 / bars[k]), spreads.push_back(chart.series[0].error[k] / bars[k] / bars[k]);
  EXPECT_EQ(chart.series[0].highlight, clearWinner(times, spreads)) << "where it is clear";
  // N = 461 at r_c = 2.5: published for 512, and for microcells as a lead over two other codes.
  ASSERT_EQ(chart.series.size(), 4u);
  for (std::size_t k = 1; k < chart.series.size(); ++k) {
    EXPECT_TRUE(chart.series[k].reference);
    EXPECT_FALSE(chart.series[k].source.empty());
  }
  EXPECT_TRUE(chart.series[1].label.starts_with("published")) << "from the first bar on";
  mode->advance(5), other->advance(5);
  EXPECT_EQ(mode->configuration().positions, other->configuration().positions);
  // On request the run goes on with the winner.
  change(*mode, "keep_fastest=true");
  std::string kept = toText(mode->parameters().at("method").get());
  std::replace(kept.begin(), kept.end(), '_', ' ');
  EXPECT_EQ(chart.x.names[fastest], kept);
  mode->advance(5), other->advance(5);
  if (kept != "in order") {
    EXPECT_EQ(mode->configuration().positions, other->configuration().positions);
  }
}

TEST(GcmcSpeedReference, IsThatOfThePaper) {
  EXPECT_NEAR(publishedGcmcSpeed("serial", 512)->movesPerSecond, 1e6 / 2.8, 1e-6);
  EXPECT_NEAR(publishedGcmcSpeed("27x1", 262144)->movesPerSecond, 8.31 * 1e6 / 287, 1e-6);
  EXPECT_EQ(publishedGcmcSpeed("3x1x9", 5000)->particles, 4096);
  EXPECT_FALSE(publishedGcmcSpeed("1x1x27", 4096)) << "not in Table 3";
  EXPECT_FALSE(publishedGcmcSpeed("serial", 300));
  EXPECT_FALSE(publishedGcmcSpeed("27x1", 1e6));
  const GcmcSpeedData& d = gcmcSpeedData();
  EXPECT_TRUE(std::isnan(d.k40OverNoCells.least)) << "up to almost 19 times";
  EXPECT_EQ(d.k40OverNoCells.most, 19);
  EXPECT_EQ(d.gtxOverCells.least, 4) << "more than four times";
  EXPECT_TRUE(std::isnan(d.gtxOverCells.most));
  EXPECT_EQ(d.k40OverMicrocells(1e6).least, 1.2);
  EXPECT_EQ(d.k40OverMicrocells(1048576).most, 1.07) << "over one million particles";
  EXPECT_EQ(d.cutoffs.most, 4.25);
  EXPECT_TRUE(std::isnan(d.overOthers.most)) << "the text gives no number";
}

}  // namespace
}  // namespace cellscope::test
