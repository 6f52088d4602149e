// Grand-canonical Monte Carlo of the Lennard-Jones fluid (Schwiebert et al., section 4).
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "app/bench/bench.h"

namespace cellscope::bench {
namespace {

// Fewest instructions of a trial move at this density and cutoff, as if no move waited for another:
// 20 of the 27 cells around a point are within reach and hold 240 particles, each 14 instructions
// of differences, scaling, squares and comparison; 44 are neighbours, 12 more for the pair energy;
// a displacement has two points, so that a move has 1.3 on the average. One chain is bound by
// latency besides: a limit of the task, not of its order.
constexpr double kInstructionsPerPoint = 240 * 14 + 44 * 12;
constexpr double kInstructionsPerMove = 1.3 * kInstructionsPerPoint;
constexpr const char* kLimit =
    "instructions of the pair distances and energies of a trial move, as if no move waited for "
    "another";

// The liquid of density 0.67: T = 1.2, ln z = -2.5, r_c = 2.5 with tail correction, 30/35/35 %
// displacements, insertions and deletions; `more`: what makes it other than one exact chain.
Measurement rateWith(const Size& size, const Setup& setup, const Settings& more,
                     double instructions) {
  constexpr double kDensity = 0.67;
  constexpr std::int64_t kMovesPerStep = 20000;
  Settings all = {{"length", std::cbrt(static_cast<double>(size.n) / kDensity)},
                  {"density", kDensity},
                  {"temperature", 1.2},
                  {"chemical_potential", -3.0},
                  {"cutoff", 2.5},
                  {"moves_per_step", kMovesPerStep}};
  all.insert(all.end(), more.begin(), more.end());
  const bool replicas =
      std::any_of(more.begin(), more.end(), [](const auto& p) { return p.first == "replicas"; });
  // Ten moves per particle melt the lattice, by the checkerboard where the box has room for it:
  // one chain would take minutes for a million particles.
  const bool board = size.n >= 4096 && !replicas;
  const std::shared_ptr<Mode> mode = modeWith("gcmc", all, setup.exec);
  Parameter& method = mode->parameters().at("method");
  const ParameterValue wanted = method.get();
  const auto use = [&](const ParameterValue& m) {
    method.set(m);
    mode->applyParameters();
  };
  if (board) use(std::string("checkerboard"));
  while (mode->work() < 10.0 * static_cast<double>(size.n)) mode->advance(1);
  if (board) use(wanted);
  mode->advance(8);  // method = auto has made its choice
  Measurement m = workPerSecond(mode, 5);
  m.state = fmt::format("{} particles after {} moves from a lattice", mode->particleCount(),
                        static_cast<std::uint64_t>(mode->work()));
  limitByInstructions(m, instructions, "trial move", setup.exec);
  return m;
}

std::vector<Size> inOrderSizes() {
  std::vector<Size> all;
  for (const std::int64_t n : {32768, 262144, 1048576}) {
    all.push_back({fmt::format("{} serial", n), Backend::cpu, n, 1, ""});
    all.push_back({fmt::format("{} one thread", n), Backend::cpu, n, 1, ""});
    all.push_back({fmt::format("{} two threads", n), Backend::cpu, n, 2, ""});
  }
  for (const std::int64_t n : {32768, 262144, 1048576})
    all.push_back({fmt::format("{}", n), Backend::cuda, n, 0, ""});
  return all;
}

Row rowOf(const char* name, const std::string& measures, std::vector<Size> sizes,
          Settings (*settings)(const Size&), double instructions = kInstructionsPerMove) {
  return Row("gcmc", name, "trial moves per second " + measures, "moves/s", kLimit,
             std::move(sizes), [=](const Size& size, const Setup& setup) {
               return rateWith(size, setup, settings(size), instructions);
             });
}

// Pairs of boxes of 512 particles at T = 0.9, 484 of them in the liquid: displacements, transfers
// and exchanges of volume are 0.598, 0.4 and 0.002 of the moves. A displaced particle has 459 in
// its box on the average, at two places; a transfer looks at 256 in either box; an exchange at
// 117,000 pairs: 990 distances a move at 14 instructions, and 174 pair energies at 12.
Measurement gibbsRate(const Size& size, const Setup& setup) {
  constexpr double kInstructions = 990 * 14 + 174 * 12;
  const std::shared_ptr<Mode> mode = modeWith(
      "gibbs",
      {{"pairs", size.n}, {"first_particles", 0.945}, {"first_volume", 0.25}, {"tune", true}},
      setup.exec);
  mode->advance(400);  // tuned
  Measurement m = workPerSecond(mode, setup.exec.backend == Backend::cuda ? 50 : 5);
  m.state = fmt::format("{} pairs of boxes of {} particles", size.n, mode->particleCount());
  limitByInstructions(m, kInstructions, "trial move", setup.exec);
  return m;
}

bool has(const Size& size, const char* word) { return size.label.find(word) != std::string::npos; }

}  // namespace

std::vector<Row> gcmcRows() {
  return {
      rowOf("gcmc", "of one exact chain",
            onBoth("one chain", "", {512, 4096, 32768, 262144, 1048576},
                   {512, 4096, 8192, 32768, 262144, 1048576}, 1),
            [](const Size&) -> Settings { return {}; }),
      rowOf("gcmc_board", "of the checkerboard",
            onBoth("checkerboard", "", {100000}, {100000, 1000000}),
            [](const Size&) -> Settings {
              return {{"method", std::string("checkerboard")},
                      {"attempts_per_cell", std::int64_t{32}}};
            }),
      rowOf("gcmc_mixture", "of two types that are alike",
            joined({onBoth("one chain", "", {4096}, {4096, 32768}, 1),
                    onBoth("checkerboard", "", {100000}, {100000, 1000000})}),
            [](const Size& size) -> Settings {
              const bool board = has(size, "checkerboard");
              return {{"system", std::string("binary")},
                      {"sigma_b", 1.0},
                      {"epsilon_b", 1.0},
                      {"tail", false},
                      {"chemical_potential", -2.28},  // the same density, without tail
                      {"method", std::string(board ? "checkerboard" : "auto")},
                      {"attempts_per_cell", std::int64_t{32}}};
            }),
      // Empty draws are no moves. One in flight: the plain serial loop.
      rowOf("gcmc_in_order", "of one exact chain with many moves in flight", inOrderSizes(),
            [](const Size& size) -> Settings {
              return {{"method", std::string("in_order")},
                      {"moves_in_flight", std::int64_t{has(size, "serial")}}};
            }),
      // As many chains as fit side by side on 132 multiprocessors; the one in view makes the
      // same moves besides.
      rowOf("gcmc_replicas", "of independent chains together",
            {{"4 replicas of 4096", Backend::cpu, 4096, 2, ""},
             {"264 replicas of 4096", Backend::cuda, 4096, 0, ""},
             {"1848 replicas of 512", Backend::cuda, 512, 0, ""}},
            [](const Size& size) -> Settings {
              return {{"replicas", std::int64_t{std::stoi(size.label)}},
                      {"replica_first", -3.0},
                      {"replica_last", -3.0}};
            }),
      rowOf("gcmc_speculative", "of one exact chain with speculative moves",
            onBoth("speculative", "", {4096, 262144}, {512, 4096, 8192, 32768, 262144, 1048576}, 1),
            [](const Size&) -> Settings {
              return {{"method", std::string("speculative")}};
            }),
      Row("gibbs", "gibbs", "trial moves per second of pairs of boxes (Gibbs ensemble)", "moves/s",
          kLimit,
          {{"2 pairs", Backend::cpu, 2, 2, ""},
           {"1 pair", Backend::cuda, 1, 0, ""},
           {"132 pairs", Backend::cuda, 132, 0, ""},
           {"264 pairs", Backend::cuda, 264, 0, ""}},
          gibbsRate),
      // The optimised microcells, with those that lie wholly beyond the cutoff skipped or read.
      rowOf("gcmc_microcells", "with microcells beyond the cutoff skipped or read",
            joined({onBoth("distant skipped", "", {4096}, {4096, 262144}, 1),
                    onBoth("distant read", "", {4096}, {4096, 262144}, 1)}),
            [](const Size& size) -> Settings {
              return {{"method", std::string("microcells_many")},
                      {"skip_beyond_cutoff", has(size, "skipped")}};
            }),
      // Massively parallel Monte Carlo of beads: each move of two points.
      rowOf(
          "gcmc_beads", "of the checkerboard at constant N",
          onBoth("beads", "", {100000}, {100000, 1000000}),
          [](const Size&) -> Settings {
            return {{"method", std::string("checkerboard")},
                    {"attempts_per_cell", std::int64_t{32}},
                    {"displacements", 1.0},
                    {"insertions", 0.0},
                    {"deletions", 0.0}};
          },
          2 * kInstructionsPerPoint)};
}

}  // namespace cellscope::bench
