// Grand-canonical Monte Carlo of the Lennard-Jones fluid (Schwiebert et al., section 4).
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "app/bench/bench.h"
#include "sim/run/scenario.h"

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
Measurement rateWith(const Size& size, const Setup& setup,
                     const decltype(Scenario::parameters)& more,
                     double instructions = kInstructionsPerMove) {
  constexpr double kDensity = 0.67;
  constexpr std::int64_t kMovesPerStep = 20000;
  Scenario s;
  s.name = "bench";
  s.mode = "gcmc";
  s.parameters = {{"length", std::cbrt(static_cast<double>(size.n) / kDensity)},
                  {"density", kDensity},
                  {"temperature", 1.2},
                  {"chemical_potential", -3.0},
                  {"cutoff", 2.5},
                  {"moves_per_step", kMovesPerStep}};
  s.parameters.insert(s.parameters.end(), more.begin(), more.end());
  const bool replicas =
      std::any_of(more.begin(), more.end(), [](const auto& p) { return p.first == "replicas"; });
  // Ten moves per particle melt the lattice, by the checkerboard where the box has room for it:
  // one chain would take minutes for a million particles.
  const bool board = size.n >= 4096 && !replicas;
  const std::shared_ptr<Mode> mode = startScenario(s, setup.exec);
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
  Measurement m;
  m.modes = {mode};
  m.values = repeated([&] {
    const double before = mode->work();
    const double seconds = timedOnce([&] { mode->advance(5); });
    return (mode->work() - before) / seconds;
  });
  m.state = fmt::format("{} particles after {} moves from a lattice", mode->particleCount(),
                        static_cast<std::uint64_t>(mode->work()));
  m.limit = limitsOf(setup.exec).instructionRate / instructions;
  m.note = fmt::format("{:.0f} instructions per trial move", instructions);
  return m;
}

Measurement moveRate(const Size& size, const Setup& setup) { return rateWith(size, setup, {}); }

Measurement boardRate(const Size& size, const Setup& setup) {
  return rateWith(
      size, setup,
      {{"method", std::string("checkerboard")}, {"attempts_per_cell", std::int64_t{32}}});
}

// Massively parallel Monte Carlo of beads: the checkerboard at constant N, each move of two points.
Measurement beadRate(const Size& size, const Setup& setup) {
  return rateWith(size, setup,
                  {{"method", std::string("checkerboard")},
                   {"attempts_per_cell", std::int64_t{32}},
                   {"displacements", 1.0},
                   {"insertions", 0.0},
                   {"deletions", 0.0}},
                  2 * kInstructionsPerPoint);
}

Measurement speculativeRate(const Size& size, const Setup& setup) {
  return rateWith(size, setup, {{"method", std::string("speculative")}});
}

// Empty draws are no moves. One in flight: the plain serial loop.
Measurement inOrderRate(const Size& size, const Setup& setup) {
  const bool serial = size.label.find("serial") != std::string::npos;
  return rateWith(
      size, setup,
      {{"method", std::string("in_order")}, {"moves_in_flight", std::int64_t{serial ? 1 : 0}}});
}

// The optimised microcells, with those that lie wholly beyond the cutoff skipped or read.
Measurement microcellRate(const Size& size, const Setup& setup) {
  const bool skips = size.label.find("skipped") != std::string::npos;
  return rateWith(size, setup,
                  {{"method", std::string("microcells_many")}, {"skip_beyond_cutoff", skips}});
}

std::vector<Size> microcellSizes() {
  std::vector<Size> all;
  for (const char* what : {"skipped", "read"}) {
    all.push_back({fmt::format("4096 distant {}", what), Backend::cpu, 4096, 1, ""});
    for (const std::int64_t n : {4096, 262144})
      all.push_back({fmt::format("{} distant {}", n, what), Backend::cuda, n, 0, ""});
  }
  return all;
}

// As many chains as fit side by side; the one in view makes the same moves besides.
Measurement replicaRate(const Size& size, const Setup& setup) {
  const bool gpu = setup.exec.backend == Backend::cuda;
  return rateWith(
      size, setup,
      {{"replicas", std::int64_t{gpu ? 264 : 4}}, {"replica_first", -3.0}, {"replica_last", -3.0}});
}

std::vector<Size> chainSizes() {
  std::vector<Size> all;
  for (const std::int64_t n : {512, 4096, 32768, 262144, 1048576})
    all.push_back({fmt::format("{} one chain", n), Backend::cpu, n, 1, ""});
  for (const std::int64_t n : {512, 4096, 8192, 32768, 262144, 1048576})
    all.push_back({fmt::format("{} one chain", n), Backend::cuda, n, 0, ""});
  return all;
}

std::vector<Size> speculativeSizes() {
  std::vector<Size> all;
  for (const std::int64_t n : {4096, 262144})
    all.push_back({fmt::format("{} speculative", n), Backend::cpu, n, 1, ""});
  for (const std::int64_t n : {512, 4096, 8192, 32768, 262144, 1048576})
    all.push_back({fmt::format("{} speculative", n), Backend::cuda, n, 0, ""});
  return all;
}

std::vector<Size> boardSizes() {
  return {{"100000 checkerboard", Backend::cpu, 100000, 2, ""},
          {"100000 checkerboard", Backend::cuda, 100000, 0, ""},
          {"1000000 checkerboard", Backend::cuda, 1000000, 0, ""}};
}

std::vector<Size> beadSizes() {
  return {{"100000 beads", Backend::cpu, 100000, 2, ""},
          {"100000 beads", Backend::cuda, 100000, 0, ""},
          {"1000000 beads", Backend::cuda, 1000000, 0, ""}};
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

std::vector<Size> replicaSizes() {
  return {{"4 replicas of 4096", Backend::cpu, 4096, 2, ""},
          {"264 replicas of 4096", Backend::cuda, 4096, 0, ""}};
}

Row rowOf(const char* name, const char* measures, std::vector<Size> sizes,
          Measurement (*run)(const Size&, const Setup&)) {
  return {.mode = "gcmc",
          .name = name,
          .measures = measures,
          .unit = "moves/s",
          .limit = kLimit,
          .sizes = std::move(sizes),
          .run = run};
}

}  // namespace

Row gcmcBoard() {
  return rowOf("gcmc_board", "trial moves per second of the checkerboard", boardSizes(), boardRate);
}
Row gcmcBeads() {
  return rowOf("gcmc_beads", "trial moves per second of the checkerboard at constant N",
               beadSizes(), beadRate);
}
Row gcmcMicrocells() {
  return rowOf("gcmc_microcells",
               "trial moves per second with microcells beyond the cutoff skipped or read",
               microcellSizes(), microcellRate);
}
Row gcmcSpeculative() {
  return rowOf("gcmc_speculative",
               "trial moves per second of one exact chain with speculative moves",
               speculativeSizes(), speculativeRate);
}
Row gcmcInOrder() {
  return rowOf("gcmc_in_order",
               "trial moves per second of one exact chain with many moves in flight",
               inOrderSizes(), inOrderRate);
}
Row gcmcReplicas() {
  return rowOf("gcmc_replicas", "trial moves per second of independent chains together",
               replicaSizes(), replicaRate);
}
Row gcmcMoves() {
  return rowOf("gcmc", "trial moves per second of one exact chain", chainSizes(), moveRate);
}

}  // namespace cellscope::bench
