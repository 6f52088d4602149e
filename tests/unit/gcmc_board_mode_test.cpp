// The checkerboard as a method of grand-canonical Monte Carlo: switched to while running, phase by
// phase, files, drawing, refusals, experiments.
#include <cmath>
#include <set>

#include "tests/support/gcmc_modes.h"
#include "tests/support/message_of.h"

namespace cellscope::test {
namespace {

std::unique_ptr<Mode> board(const std::string& more = "", int threads = 1) {
  return gcmcMode(
      "method=checkerboard length=12.5 temperature=1.5 density=0.4 activity=0.2 "
      "attempts_per_cell=8 " +
          more,
      threads);
}

// Box of 12.5, cutoff 3: 4 x 4 x 4 cells of 8 attempts.
TEST(GcmcBoardMode, AStepIsWholeSweeps) {
  auto mode = board();
  expectWords(detailOf(*mode, "method"),
              {"checkerboard", "4 x 4 x 4 cells", "8 attempts", "512 moves a sweep"});
  mode->advance(3);
  EXPECT_EQ(mode->work(), 3 * 1024) << "at least 1000 moves, in sweeps of 512";
  change(*mode, "moves_per_step=1");
  mode->advance(1);
  EXPECT_EQ(mode->work(), 3 * 1024 + 512);
  EXPECT_EQ(mode->info().phases.size(), 7u + 7u) << "of the first colour, and the other colours";
  change(*mode, "moves_per_step=1000");
  EXPECT_EQ(mode->info().phases.size(), 1u + 7u + 7u);
  EXPECT_EQ(mode->info().phases[0], "sweeps but the last");
}

// So do moves in order.
TEST(GcmcBoardMode, GoesOnFromTheStateOfTheChainAndBack) {
  auto mode = board("method=auto slots_per_cell=32 moves_in_flight=16");
  mode->advance(2);
  for (const char* method : {"checkerboard", "auto", "checkerboard", "serial", "in_order",
                             "checkerboard", "in_order", "auto", "in_order"}) {
    SCOPED_TRACE(method);
    const std::vector<ParticleId> before = sortedIds(*mode);
    change(*mode, fmt::format("method={}", method));
    EXPECT_EQ(sortedIds(*mode), before);
    const double energy = sampled(*mode, "total_energy");
    mode->advance(2);
    EXPECT_NE(sampled(*mode, "total_energy"), energy);
    expectHealthy(*mode);
    const std::vector<ParticleId> after = sortedIds(*mode);
    EXPECT_EQ(std::adjacent_find(after.begin(), after.end()), after.end()) << "no id twice";
  }
}

// The steps of phases are those of whole steps, and colours follow each other in the drawing.
TEST(GcmcBoardMode, ColourAfterColour) {
  for (const char* dimension : {"2", "3"}) {
    const std::string few = fmt::format("dimension={} moves_per_step=1", dimension);
    auto whole = board(few), steps = board(few);
    const ViewRequest view{.layers = {"sets", "active", "cells"}};
    for (int step = 0; step < 3; ++step) {
      std::set<std::string> colours;
      for (std::size_t phase = 0; phase < steps->info().phases.size(); ++phase) {
        steps->advancePhase();
        const auto frame = steps->frame(view);
        const LayerData* l = layerIn(*frame, "active");
        if (!l) continue;
        EXPECT_GT(l->count, 0u);
        std::string bytes(l->buffer ? l->buffer->bytes() : 0, '\0');
        if (l->buffer) l->buffer->copyTo(bytes.data(), MemorySpace::host);
        if (l->lattice) bytes = std::to_string(l->lattice->activeSet);
        colours.insert(bytes);
      }
      EXPECT_EQ(colours.size(), std::size_t{1} << std::stoi(dimension)) << "each once";
      whole->advance(1);
      expectSameParticles(*whole, *steps);
      EXPECT_EQ(whole->work(), steps->work());
    }
  }
}

// Events are marked, and after each colour the card tells of an attempt near the picked particle.
TEST(GcmcBoardMode, EventsAndAnAttemptOfEachColourAreShown) {
  const std::string few = "moves_per_step=1";
  auto mode = board(few), plain = board(few);
  const ViewRequest view =
      viewOf({"particles", "moves", "microscope", "mapping"}, mode->configuration().ids[7]);
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

TEST(GcmcBoardMode, ARefusedEditKeepsTheState) {
  auto mode = board();
  mode->advance(1);
  const std::string before = saved(*mode);
  EXPECT_THROW(change(*mode, "cutoff=4"), InputError);
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

// T = 2, ln z = -2, cut at 2.5 without tail, V = 1000: 177.67(7) from serial chains and, without an
// experiment, from the checkerboard (gcmc_checkerboard_test.cpp). 512 moves a sweep.
std::string fluid(const char* condition) {
  return fmt::format(
      "length=10 cutoff=2.5 tail=false temperature=2 activity={} density=0.18 max_displacement=0.4 "
      "moves_per_step=512 checkerboard_condition={}",
      std::exp(-2.0), condition);
}

TEST(GcmcBoardMode, ExperimentsAreBiasedAsPredicted) {
  EXPECT_LT(meanNumber(*board(fluid("attempts_by_count") + " attempts_per_cell=16", 2), 500), 150);
  EXPECT_EQ(meanNumber(*board(fluid("skip_empty") + " density=0"), 10), 0);
  // Pairs beyond half the cutoff are partly missed: less attraction, fewer particles.
  EXPECT_LT(meanNumber(*board(fluid("narrow_cells"), 2), 500), 173);
}

// Without a shift no displaced particle ever leaves its cell.
TEST(GcmcBoardMode, AFixedGridHoldsParticles) {
  for (const bool fixed : {true, false}) {
    auto mode =
        board(fluid(fixed ? "fixed_grid" : "none") + " insertions=0 deletions=0 displacements=1");
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

}  // namespace
}  // namespace cellscope::test
