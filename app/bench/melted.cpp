#include "app/bench/melted.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <vector>

namespace cellscope::bench {
namespace {

constexpr std::uint64_t kBlock = 500;
constexpr double kSettled = 0.01, kSeconds = 5;

}  // namespace

Scenario statePoint(std::int64_t n, const std::string& mapping) {
  Scenario s;
  s.name = "bench";
  s.mode = "hard_disks";
  s.parameters = {{"n", n},
                  {"packing", 0.698},
                  {"d", 0.16},
                  {"n_M", std::int64_t{4}},
                  {"mapping", mapping},
                  {"start", std::string("square")}};
  return s;
}

Melted meltedDisks(std::int64_t n, const ExecConfig& config, const std::string& mapping) {
  Melted m{startScenario(statePoint(n, mapping), config), ""};
  while (m.mode->preparation()) m.mode->advance(1);
  using Clock = std::chrono::steady_clock;
  const Clock::time_point end = Clock::now() + std::chrono::duration_cast<Clock::duration>(
                                                   std::chrono::duration<double>(kSeconds));
  double before = 0, acceptance = 0;  // of the last two blocks
  std::vector<double> sample;
  const auto observed = [&](const char* id) {
    return sample.at(columnOf(m.mode->info().observables, id));
  };
  bool settled = false;
  while (!settled && Clock::now() < end) {
    for (std::uint64_t k = 0; k < kBlock && (k == 0 || Clock::now() < end); k += kBlock / 10)
      m.mode->advance(kBlock / 10);
    sample = m.mode->sample();
    before = std::exchange(acceptance, observed("acceptance"));
    settled = std::abs(acceptance - before) < kSettled * acceptance;
  }
  m.state = fmt::format("{} sweeps after a square lattice: acceptance {:.3f}{}, local order {:.3f}",
                        m.mode->step(), acceptance, settled ? "" : " and still changing",
                        observed("psi6_local"));
  return m;
}

namespace {

// Instructions that one trial move needs at least. Cells are as wide as they may be, w = sqrt 2.
// Only disks less than one diameter outside the cell can be reached: rho (4 w + pi) of them, for
// each two fused multiply-adds and half a three-way minimum; six operations for each other disk of
// the cell. Random numbers: 1 + 4/pi n_M words, four of them from ten rounds of four instructions.
// About 20 for displacement, bounds and acceptance.
double instructionsPerMove() {
  const double rho = 0.698 * 4 / M_PI, w = M_SQRT2, nMoves = 4;
  const double words = (1 + 4 / M_PI * nMoves) / nMoves;
  return 2.5 * rho * (4 * w + M_PI) + 6 * (rho * w * w - 1) + words / 4 * 40 + 20;
}

// Bytes per disk that a sweep moves at least: both coordinates, read once and written once, when
// all five steps of a sweep are made with one part of the system after the other. Some 2.2 trial
// moves per disk, 0.29 of them accepted, leave half of the disks where they are; but memory is
// written in sectors of 32 bytes, and of four disks at least one has moved in about 95 % of them.
// An identity can stay where it is as long as its disk stays in its cell.
constexpr double kBytesPerDisk = 16;

}  // namespace

std::pair<double, std::string> sweepLimit(double disks, double movesPerDisk,
                                          const exec::DeviceLimits& device) {
  const double byArithmetic = device.instructionRate / instructionsPerMove();
  const std::string counts =
      fmt::format("{:.0f} instructions per trial move ({:.3g}/s); {:.0f} B per disk and sweep",
                  instructionsPerMove(), byArithmetic, kBytesPerDisk);
  if (device.bytesPerSecond <= 0)
    return {byArithmetic, counts + " (speed of the memory not known)"};
  if (kStoredPerDisk * disks <= device.cacheBytes)
    return {byArithmetic, counts + " (no limit: the state fits the cache)"};
  const double byMemory = movesPerDisk * device.bytesPerSecond / kBytesPerDisk;
  return {std::min(byArithmetic, byMemory), counts + fmt::format(" ({:.3g}/s)", byMemory)};
}

}  // namespace cellscope::bench
