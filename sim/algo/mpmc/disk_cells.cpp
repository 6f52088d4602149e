#include "sim/algo/mpmc/disk_cells.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "sim/base/error.h"

namespace cellscope {

// Coordinate in quanta, wrapped into [0, total).
static std::int64_t quantaOf(double x, std::int64_t total, std::uint32_t id) {
  const double length = static_cast<double>(total) / kQuantaPerLength;
  if (!(x >= 0 && x <= length))
    throw InputError("disk {}: coordinate {} lies outside the box; allowed: 0 to {}", id, x,
                     length);
  const std::int64_t k = std::llround(x * kQuantaPerLength);
  return k >= total ? k - total : k;
}

DiskCells emptyCells(const GridInfo& grid, std::size_t padding) {
  DiskCells cells(Backend::cpu, grid, padding);
  std::fill_n(cells.disk.data(), cells.disk.size(), Vec2{kEmptySlot, kEmptySlot});
  std::fill_n(cells.id.data(), cells.id.size(), kNoId);
  cells.count.zero();
  return cells;
}

DiskCells fillCells(const GridInfo& grid, std::span<const double> xy,
                    std::span<const std::uint32_t> ids) {
  CELLSCOPE_ASSERT(xy.size() == 2 * ids.size());
  DiskCells cells = emptyCells(grid);
  const auto width = static_cast<std::int64_t>(grid.w * kQuantaPerLength);
  const std::int64_t totalX = width * grid.m, totalY = width * grid.rows();
  for (std::size_t k = 0; k < ids.size(); ++k) {
    const std::int64_t qx = quantaOf(xy[2 * k], totalX, ids[k]);
    const std::int64_t qy = quantaOf(xy[2 * k + 1], totalY, ids[k]);
    const int x = static_cast<int>(qx / width), y = static_cast<int>(qy / width);
    std::uint8_t& count = cells.count.data()[grid.cell(x, y)];
    if (count == grid.slots)
      throw RunError("disk {}: {}", ids[k],
                     overflowMessage(grid, grid.cell(x, y), "sorting disks into cells"));
    const std::size_t slot = grid.slot(x, y, count);
    cells.disk.data()[slot] = {
        static_cast<float>(static_cast<double>(qx % width) / kQuantaPerLength),
        static_cast<float>(static_cast<double>(qy % width) / kQuantaPerLength)};
    cells.id.data()[slot] = ids[k];
    ++count;
  }
  return cells;
}

DiskPositions positionsOf(const DiskCells& host) {
  const GridInfo& g = host.grid;
  std::vector<std::pair<std::uint32_t, std::pair<double, double>>> found;
  std::size_t disks = 0;
  for (std::size_t c = 0; c < g.cellCount(); ++c) disks += host.count.data()[c];
  found.reserve(disks);
  for (int y = 0; y < g.rows(); ++y)
    for (int x = 0; x < g.m; ++x)
      for (int i = 0; i < host.count.data()[g.cell(x, y)]; ++i) {
        const std::size_t slot = g.slot(x, y, i);
        const Vec2 p = host.disk.data()[slot];
        found.push_back({host.id.data()[slot],
                         {static_cast<double>(x) * g.w + p.x, static_cast<double>(y) * g.w + p.y}});
      }
  std::sort(found.begin(), found.end());
  DiskPositions out;
  out.xy.reserve(2 * found.size());
  out.ids.reserve(found.size());
  for (const auto& [id, p] : found) {
    out.xy.push_back(p.first);
    out.xy.push_back(p.second);
    out.ids.push_back(id);
  }
  return out;
}

DiskCells copyOfCells(const DiskCellsView& view, Backend from, Backend to) {
  DiskCells out(to, view.grid);
  exec::copy(to, out.disk.data(), from, view.disk, out.disk.bytes());
  exec::copy(to, out.id.data(), from, view.id, out.id.bytes());
  exec::copy(to, out.count.data(), from, view.count, out.count.bytes());
  out.markMoved(view.moved != nullptr);
  if (view.moved) exec::copy(to, out.moved.data(), from, view.moved, out.moved.bytes());
  return out;
}

void copyRows(const RowCopy& rows, Backend from, Backend to, std::size_t slots) {
  const CellRow &a = rows.from, &b = rows.to;
  for (std::size_t i = 0; i < slots; ++i) {
    exec::copy(to, b.disk + i * b.stride, from, a.disk + i * a.stride, rows.cells * sizeof(Vec2));
    exec::copy(to, b.id + i * b.stride, from, a.id + i * a.stride,
               rows.cells * sizeof(std::uint32_t));
  }
  exec::copy(to, b.count, from, a.count, rows.cells);
}

void StripEngine::upload(const DiskCells& host) {
  hold(host.grid);
  copyRows({rowOf(host.view(), 0), rowOf(now_.view(), 0), host.grid.cellCount()}, Backend::cpu,
           backend(), static_cast<std::size_t>(host.grid.slots));
  now_.markMoved(host.moved.size() > 0);
  exec::copy(backend(), now_.moved.data(), Backend::cpu, host.moved.data(), host.moved.bytes());
}

DiskCells StripEngine::download() const { return copyOfCells(view(), backend(), Backend::cpu); }

void refuseManySlots(const GridInfo& grid) {
  constexpr std::size_t kMost = std::numeric_limits<std::uint32_t>::max();
  const auto slots = static_cast<std::size_t>(grid.slots);
  if (grid.slotCount() > kMost)
    throw InputError(
        "{} cells with {} slots each are more than one GPU can move, which numbers slots with 32 "
        "bits: at most {} cells; cut the system into more parts with --gpus or --domains",
        grid.cellCount(), slots, kMost / slots);
}

std::string overflowMessage(const GridInfo& grid, std::size_t cell, const char* action) {
  const CellIndex at = cellIndex(grid, cell);
  return fmt::format(
      "cell ({}, {}) overflowed while {}: {} slots are enough for any configuration without "
      "overlap at cell width {}, so disks overlap; compress more slowly or restart",
      at.x, at.y, action, grid.slots, grid.w);
}

namespace {

constexpr double kQuantum = kCoordinateQuantum;

// Nearest multiple of q.
double onGrid(double w) { return std::round(w / kQuantum) * kQuantum; }

[[noreturn]] void refuseManyCells(std::int64_t disks, double packing, const GridInfo& g) {
  // The box, and with it m, grows as the square root of disks / packing; rows are rounded up to
  // blocks of at most 64 cells.
  const double most = kLargestM - 64.0, length = most * (widestCell(4) - 4 * kQuantum);
  const double aspect = shapeOf(g).aspect(), narrow = std::min(aspect, 1 / aspect);
  const double room = narrow * length * length * 4.0 / std::numbers::pi;  // disks / packing
  const double least = std::ceil(1e6 * static_cast<double>(disks) / room) / 1e6;
  const std::string denser =
      least < kClosePacked ? fmt::format("a packing fraction of at least {:.6f}, or ", least) : "";
  throw InputError(
      "{} disks at packing fraction {} need {} x {} cells; at most {} per side: use {}at most "
      "{:.0f} disks at this packing",
      disks, packing, g.m, g.allRows(), kLargestM, denser, std::floor(packing * room));
}

// Of so many columns none are 1 wide.
[[noreturn]] void refuseSmallBox(std::int64_t disks, double packing, double length, double columns,
                                 GridShape shape) {
  const double cells = columns * columns * shape.aspect(), each = 4.0 / std::numbers::pi;
  const std::string box =
      shape == GridShape{}
          ? fmt::format("box of side {:.4f} sigma, smaller than four cells of width 1", length)
          : fmt::format("box of {:.4f} x {:.4f} sigma, smaller than {} x {} cells of width 1",
                        length, length * shape.aspect(), columns, columns * shape.aspect());
  throw InputError(
      "{} disks at packing fraction {} give a {}; use at least {:.0f} disks at this packing, or a "
      "packing of at most {:.6f}",
      disks, packing, box, std::ceil(each * cells * packing),
      static_cast<double>(disks) / (each * cells));
}

}  // namespace

GridShape shapeOfAspect(double aspect, double within, const std::string& what) {
  GridShape best, next;
  double nearest = 1e9, second = 1e9;
  for (std::int32_t x = 1; x <= kLargestShape; ++x)
    for (std::int32_t y = 1; y <= kLargestShape; ++y) {
      if (std::gcd(x, y) > 1) continue;
      const double off = std::abs(std::log(aspect * x / y));
      if (off < nearest)
        second = nearest, next = best, nearest = off, best = {x, y};
      else if (off < second)
        second = off, next = {x, y};
    }
  if (nearest <= within) return best;
  throw InputError(
      "{} is {:.6g}: cells of hard disks are squares, so that the sides of the box are to each "
      "other as whole numbers up to {}; the nearest are {}/{} = {:.6g} and {}/{} = {:.6g}",
      what, aspect, kLargestShape, best.y, best.x, best.aspect(), next.y, next.x, next.aspect());
}

bool possibleGrid(const GridInfo& g) {
  const auto possible = [](std::int32_t cells) {
    return cells >= 4 && cells <= kLargestM && cells % 2 == 0;
  };
  return possible(g.m) && possible(g.allRows()) && g.slots >= 4 && g.slots <= kMaxSlots &&
         g.w >= 1.0f && static_cast<double>(g.w) < widestCell(g.slots) && onCoordinateGrid(g.w);
}

GridChoice chooseGrid(std::int64_t disks, double packing, GridShape shape) {
  if (disks < 1) throw InputError("number of disks {} must be at least 1", disks);
  if (!(packing > 0 && packing < kClosePacked))
    throw InputError("packing fraction {} must be above 0 and below {:.4f} (close packing)",
                     packing, kClosePacked);
  const double length = lengthOf(disks, packing, shape);
  const double widest = widestCell(4) - 4 * kQuantum;
  const double step = columnStep(shape), fewest = fewestColumns(shape);
  double m = std::max(fewest, step * std::floor(length / widest / step));
  while (onGrid(length / m) >= widest) m += step;
  // Large grids: rows of one checkerboard set begin on whole memory sectors (32 bytes). At most 6 %
  // more cells per side; small grids keep the widest cells.
  const double block = m >= 2048 ? 64 : m >= 256 ? 16 : step;
  if (std::fmod(block, step) == 0) m = block * std::ceil(m / block);
  int slots = 4;
  if (onGrid(length / m) < 1.0 && m > fewest) {
    m -= step;
    slots = 5;
  }
  const double w = onGrid(length / m);
  if (w < 1.0) refuseSmallBox(disks, packing, length, fewest, shape);
  GridChoice choice;
  choice.grid = gridOf(static_cast<std::int32_t>(m), slots, static_cast<float>(w), shape);
  if (std::max(choice.grid.m, choice.grid.allRows()) > kLargestM)
    refuseManyCells(disks, packing, choice.grid);
  choice.packing = packingOf(choice.grid, disks);
  return choice;
}

}  // namespace cellscope
