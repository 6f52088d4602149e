#include "app/bench/sweep_limit.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace cellscope::bench {
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
