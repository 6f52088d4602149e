// The checkerboard as a method of grand-canonical Monte Carlo: switched to while running, phase by
// phase, files, drawing, refusals, experiments.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <sstream>

#include "tests/support/gcmc_modes.h"
#include "tests/support/message_of.h"

namespace cellscope::test {
namespace {

std::unique_ptr<Mode> board(const Assignments& more, int threads = 1) {
  return gcmcMode({{"method", std::string("checkerboard")},
                   {"length", 12.5},
                   {"temperature", 1.5},
                   {"density", 0.4},
                   {"activity", 0.2},
                   {"attempts_per_cell", std::int64_t{8}}},
                  more, threads);
}

void set(Mode& mode, const char* key, const ParameterValue& value) {
  mode.parameters().at(key).set(value);
  mode.applyParameters();
}

// Box of 12.5, cutoff 3: 4 x 4 x 4 cells of 8 attempts.
TEST(GcmcBoardMode, AStepIsWholeSweeps) {
  auto mode = board({});
  mode->advance(3);
  EXPECT_EQ(mode->work(), 3 * 1024) << "at least 1000 moves, in sweeps of 512";
  set(*mode, "moves_per_step", std::int64_t{1});
  mode->advance(1);
  EXPECT_EQ(mode->work(), 3 * 1024 + 512);
  EXPECT_EQ(mode->info().phases.size(), 7u + 7u) << "of the first colour, and the other colours";
  set(*mode, "moves_per_step", std::int64_t{1000});
  EXPECT_EQ(mode->info().phases.size(), 1u + 7u + 7u);
  EXPECT_EQ(mode->info().phases[0], "sweeps but the last");
}

TEST(GcmcBoardMode, GoesOnFromTheStateOfTheChainAndBack) {
  auto mode = board({{"method", std::string("auto")}});
  mode->advance(2);
  for (const char* method : {"checkerboard", "auto", "checkerboard", "serial"}) {
    const Configuration before = mode->configuration();
    set(*mode, "method", std::string(method));
    Configuration after = mode->configuration();
    EXPECT_EQ(after.size(), before.size());
    // The order of slots is the method's own.
    std::set<ParticleId> a(before.ids.begin(), before.ids.end()),
        b(after.ids.begin(), after.ids.end());
    EXPECT_EQ(a, b);
    const double energy = sampled(*mode, "total_energy");
    mode->advance(2);
    EXPECT_NE(sampled(*mode, "total_energy"), energy);
    for (const SelfCheck& c : mode->selfChecks()) EXPECT_TRUE(c.ok) << c.label << c.detail;
  }
}

// The steps of phases are those of whole steps, and colours follow each other in the drawing.
TEST(GcmcBoardMode, ColourAfterColour) {
  for (const char* dimension : {"2", "3"}) {
    const Assignments few = {{"dimension", std::string(dimension)},
                             {"moves_per_step", std::int64_t{1}}};
    auto whole = board(few), steps = board(few);
    ViewRequest view;
    view.layers = {"sets", "active", "cells"};
    for (int step = 0; step < 3; ++step) {
      std::set<std::string> colours;
      for (std::size_t phase = 0; phase < steps->info().phases.size(); ++phase) {
        steps->advancePhase();
        const auto frame = steps->frame(view);
        for (const LayerData& l : frame->layers)
          if (l.key == "active") {
            EXPECT_GT(l.count, 0u);
            std::string bytes(l.buffer ? l.buffer->bytes() : 0, '\0');
            if (l.buffer) l.buffer->copyTo(bytes.data(), MemorySpace::host);
            if (l.lattice) bytes = std::to_string(l.lattice->activeSet);
            colours.insert(bytes);
          }
      }
      EXPECT_EQ(colours.size(), std::size_t{1} << std::stoi(dimension)) << "each once";
      whole->advance(1);
      EXPECT_EQ(whole->configuration().positions, steps->configuration().positions);
      EXPECT_EQ(whole->configuration().ids, steps->configuration().ids);
      EXPECT_EQ(whole->work(), steps->work());
    }
  }
}

// Events are marked, and after each colour the card tells of an attempt near the picked particle.
TEST(GcmcBoardMode, EventsAndAnAttemptOfEachColourAreShown) {
  const Assignments few = {{"moves_per_step", std::int64_t{1}}};
  auto mode = board(few), plain = board(few);
  ViewRequest view;
  view.layers = {"particles", "moves", "microscope", "mapping"};
  view.still = true;
  view.picked = mode->configuration().ids[7];
  static_cast<void>(mode->frame(view));
  std::size_t marks = 0, decisions = 0, boxes = 0, lines = 0;
  for (int step = 0; step < 2; ++step) {
    for (std::size_t phase = 0; phase < mode->info().phases.size(); ++phase) {
      mode->advancePhase();
      const auto frame = mode->frame(view);
      for (const LayerData& l : frame->layers) {
        if (l.key == "moves") marks += l.count;
        if (l.key == "mapping") boxes += l.count;
        if (l.primitive == Primitive::lines) lines += l.count;
      }
      for (const auto& [label, value] : frame->picked.rows)
        decisions += label.rfind("move ", 0) == 0 && label.find("decision") != std::string::npos;
    }
    plain->advance(1);
  }
  EXPECT_GT(marks, 0u);
  EXPECT_GT(boxes, 26u);
  EXPECT_GT(lines, 0u);
  EXPECT_GT(decisions, 8u);
  EXPECT_EQ(mode->configuration().positions, plain->configuration().positions);
}

// From any phase of a sweep.
TEST(GcmcBoardMode, ResumesBitForBit) {
  for (const int phases : {3, 10}) {
    auto mode = board({{"moves_per_step", std::int64_t{1}}});
    mode->advance(3);
    for (int phase = 0; phase < phases; ++phase) mode->advancePhase();
    auto other = board({{"moves_per_step", std::int64_t{1}}}, 2);
    std::istringstream in(saved(*mode));
    other->load(in);
    for (Mode* m : {mode.get(), other.get()}) {
      while (m->nextPhase() != 0) m->advancePhase();
      m->advance(20);
    }
    EXPECT_EQ(saved(*mode), saved(*other)) << phases;
  }
}

TEST(GcmcBoardMode, AnInsertedParticleHasAnIdOfItsOwn) {
  auto mode = board({{"density", 0.0}});
  std::set<ParticleId> seen;
  for (int k = 0; k < 30; ++k) {
    mode->advance(1);
    const auto ids = mode->configuration().ids;
    EXPECT_EQ(std::set<ParticleId>(ids.begin(), ids.end()).size(), ids.size());
    set(*mode, "method", std::string(k % 2 ? "checkerboard" : "serial_cells"));
  }
  EXPECT_GT(mode->particleCount(), 100u);
}

TEST(GcmcBoardMode, SmallBoxesAndTailsAreRefusedWithTheWayOut) {
  const auto refusal = [](const Assignments& more) {
    return messageOf<InputError>([&] { board(more); });
  };
  const std::string small = refusal({{"length", 11.0}});
  for (const char* word : {"checkerboard", "four cells", "11", "cutoff of 3", "12"})
    EXPECT_NE(small.find(word), std::string::npos) << word << " in: " << small;
  const std::string tail = refusal({{"dimension", std::string("3")}, {"cutoff", 1.0}});
  EXPECT_EQ(tail, "") << "negative there too";
  auto mode = board({});
  mode->advance(1);
  const std::string before = saved(*mode);
  EXPECT_THROW(set(*mode, "cutoff", 4.0), InputError);
  EXPECT_EQ(saved(*mode), before);
}

double meanNumber(Mode& mode, int steps) {
  mode.advance(200);
  double sum = 0;
  for (int k = 0; k < steps; ++k) {
    mode.advance(1);
    sum += static_cast<double>(mode.particleCount());
  }
  return sum / steps;
}

// T = 2, ln z = -2, cut at 2.5 without tail, V = 1000: 177.67(7) from serial chains. 512 moves a
// sweep; 1500 sweeps have an error of 1.3, so that five of them are 6.5.
Assignments fluid(const char* condition) {
  return {{"length", 10.0},
          {"cutoff", 2.5},
          {"tail", false},
          {"temperature", 2.0},
          {"activity", std::exp(-2.0)},
          {"density", 0.18},
          {"max_displacement", 0.4},
          {"moves_per_step", std::int64_t{512}},
          {"checkerboard_condition", std::string(condition)}};
}

TEST(GcmcBoardMode, ExperimentsAreBiasedAsPredicted) {
  EXPECT_NEAR(meanNumber(*board(fluid("none"), 2), 1500), 177.67, 6.5);
  Assignments dense = fluid("attempts_by_count");
  dense.push_back({"attempts_per_cell", std::int64_t{16}});
  EXPECT_LT(meanNumber(*board(dense, 2), 500), 150);
  Assignments empty = fluid("skip_empty");
  empty.push_back({"density", 0.0});
  EXPECT_EQ(meanNumber(*board(empty), 10), 0);
  // Pairs beyond half the cutoff are partly missed: less attraction, fewer particles.
  EXPECT_LT(meanNumber(*board(fluid("narrow_cells"), 2), 500), 173);
}

// Without a shift no displaced particle ever leaves its cell.
TEST(GcmcBoardMode, AFixedGridHoldsParticles) {
  for (const bool fixed : {true, false}) {
    Assignments a = fluid(fixed ? "fixed_grid" : "none");
    a.push_back({"insertions", 0.0});
    a.push_back({"deletions", 0.0});
    a.push_back({"displacements", 1.0});
    auto mode = board(a);
    const Configuration before = mode->configuration();
    mode->advance(100);
    const Configuration after = mode->configuration();
    std::size_t left = 0;
    for (std::size_t i = 0; i < after.size(); ++i) {
      const auto was = static_cast<std::size_t>(
          std::find(before.ids.begin(), before.ids.end(), after.ids[i]) - before.ids.begin());
      for (std::size_t k = 0; k < 3; ++k)
        left += std::floor(after.positions[3 * i + k] / 2.5) !=
                std::floor(before.positions[3 * was + k] / 2.5);
    }
    EXPECT_EQ(left == 0, fixed) << left;
  }
}

TEST(GcmcBoardMode, TheStatusSaysWhatRuns) {
  auto mode = board({});
  std::string words;
  for (const SelfCheck& c : mode->selfChecks())
    if (c.label == "method") words = c.detail;
  for (const char* word : {"checkerboard", "4 x 4 x 4 cells", "8 attempts", "512 moves a sweep"})
    EXPECT_NE(words.find(word), std::string::npos) << word << " in: " << words;
}

}  // namespace
}  // namespace cellscope::test
