#include "sim/algo/mpmc/grid_choice.h"

#include <fmt/format.h>

#include <cmath>
#include <numbers>

#include "sim/base/error.h"

namespace cellscope {
namespace {

constexpr double kQuantum = kCoordinateQuantum;

// Nearest multiple of q.
double onGrid(double w) { return std::round(w / kQuantum) * kQuantum; }

void checkInput(std::int64_t disks, double packing) {
  if (disks < 1) throw InputError(fmt::format("number of disks {} must be at least 1", disks));
  if (!(packing > 0 && packing < kClosePacked))
    throw InputError(
        fmt::format("packing fraction {} must be above 0 and below {:.4f} (close packing)", packing,
                    kClosePacked));
}

// `m`: cells per side.
[[noreturn]] void refuseManyCells(std::int64_t disks, double packing, double m) {
  // The box, and with it m, grows as the square root of disks / packing; rows are rounded up to
  // blocks of at most 64 cells.
  const double most = kLargestM - 64.0, length = most * (widestCell(4) - 4 * kQuantum);
  const double room = length * length * 4.0 / std::numbers::pi;  // disks / packing that fit
  const double least = std::ceil(1e6 * static_cast<double>(disks) / room) / 1e6;
  const std::string denser =
      least < kClosePacked ? fmt::format("a packing fraction of at least {:.6f}, or ", least) : "";
  throw InputError(fmt::format(
      "{} disks at packing fraction {} need {:.0f} x {:.0f} cells; at most {} per side: "
      "use {}at most {:.0f} disks at this packing",
      disks, packing, m, m, kLargestM, denser, std::floor(packing * room)));
}

[[noreturn]] void refuseSmallBox(std::int64_t disks, double packing, double length) {
  const double smallest = std::ceil(64.0 * packing / std::numbers::pi);
  throw InputError(fmt::format(
      "{} disks at packing fraction {} give a box of side {:.4f} sigma, smaller than four cells of "
      "width 1; use at least {:.0f} disks at this packing, or a packing of at most {:.6f}",
      disks, packing, length, smallest, static_cast<double>(disks) * std::numbers::pi / 64.0));
}

}  // namespace

double packingOf(std::int64_t disks, double length) {
  return static_cast<double>(disks) * std::numbers::pi / 4.0 / (length * length);
}

double lengthOf(std::int64_t disks, double packing) {
  return std::sqrt(static_cast<double>(disks) * std::numbers::pi / 4.0 / packing);
}

double widestCell(int slots) { return slots == 4 ? std::numbers::sqrt2 : 6.0 / std::sqrt(13.0); }

bool onCoordinateGrid(float v) {
  const double quanta = static_cast<double>(v) * kQuantaPerLength;
  return quanta == std::floor(quanta);
}

bool possibleGrid(const GridInfo& g) {
  return g.m >= 4 && g.m <= kLargestM && g.m % 2 == 0 && g.slots >= 4 && g.slots <= kMaxSlots &&
         g.w >= 1.0f && static_cast<double>(g.w) < widestCell(g.slots) && onCoordinateGrid(g.w);
}

GridChoice chooseGrid(std::int64_t disks, double packing) {
  checkInput(disks, packing);
  const double length = lengthOf(disks, packing);
  const double widest = widestCell(4) - 4 * kQuantum;
  double m = std::max(4.0, 2.0 * std::floor(length / widest / 2.0));
  while (onGrid(length / m) >= widest) m += 2;
  // Large grids: rows of one checkerboard set begin on whole memory sectors (32 bytes). At most 6 %
  // more cells per side; small grids keep the widest cells.
  const double step = m >= 2048 ? 64 : m >= 256 ? 16 : 2;
  m = step * std::ceil(m / step);
  int slots = 4;
  if (onGrid(length / m) < 1.0 && m > 4) {
    m -= 2;
    slots = 5;
  }
  const double w = onGrid(length / m);
  if (w < 1.0) refuseSmallBox(disks, packing, length);
  if (m > kLargestM) refuseManyCells(disks, packing, m);
  GridChoice choice;
  choice.grid = {static_cast<std::int32_t>(m), slots, static_cast<float>(w)};
  choice.packing = packingOf(choice.grid, disks);
  return choice;
}

}  // namespace cellscope
