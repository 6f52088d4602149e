#include "sim/algo/mpmc/disk_cells.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "sim/base/error.h"

namespace cellscope {
namespace {

// Coordinate in quanta, wrapped into [0, total).
std::int64_t quantaOf(double x, std::int64_t total, std::uint32_t id) {
  const double length = static_cast<double>(total) / kQuantaPerLength;
  if (!(x >= 0 && x <= length))
    throw InputError(fmt::format("disk {}: coordinate {} lies outside the box; allowed: 0 to {}",
                                 id, x, length));
  const std::int64_t k = std::llround(x * kQuantaPerLength);
  return k >= total ? k - total : k;
}

}  // namespace

DiskCells emptyCells(const GridInfo& grid) {
  DiskCells cells(Backend::cpu, grid);
  std::fill_n(cells.disk.data(), grid.slotCount(), Vec2{kEmptySlot, kEmptySlot});
  std::fill_n(cells.id.data(), grid.slotCount(), kNoId);
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
      throw RunError(
          fmt::format("disk {}: {}", ids[k],
                      overflowMessage(grid, grid.cell(x, y), "sorting disks into cells")));
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

bool slotsSuffice(const GridInfo& grid) {
  const double widest = grid.slots < 5 ? std::numbers::sqrt2 - 4 * kCoordinateQuantum : 1.5;
  return static_cast<double>(grid.w) <= widest;
}

void refuseManySlots(const GridInfo& grid) {
  constexpr std::size_t kMost = std::numeric_limits<std::uint32_t>::max();
  const auto slots = static_cast<std::size_t>(grid.slots);
  if (grid.slotCount() > kMost)
    throw InputError(fmt::format(
        "{} cells with {} slots each are more than one GPU can move, which numbers slots with 32 "
        "bits: at most {} cells; cut the system into more parts with --gpus or --domains",
        grid.cellCount(), slots, kMost / slots));
}

std::string overflowMessage(const GridInfo& grid, std::size_t cell, const char* action) {
  const CellIndex at = cellIndex(grid, cell);
  return fmt::format(
      "cell ({}, {}) overflowed while {}: {} slots are enough for any configuration without "
      "overlap at cell width {}, so disks overlap; compress more slowly or restart",
      at.x, at.y, action, grid.slots, grid.w);
}

}  // namespace cellscope
