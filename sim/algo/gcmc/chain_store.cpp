#include "sim/algo/gcmc/chain_store.h"

#include <algorithm>
#include <cmath>

#include "sim/exec/instruction_sets.h"

namespace cellscope {

GcmcCellFunctions gcmcCellFunctionsFor(const std::string& instructions) {
  const std::string set = exec::instructionSet(instructions);
  return set == "avx512" ? simd_avx512::gcmcCellFunctions()
         : set == "avx2" ? simd_avx2::gcmcCellFunctions()
                         : simd_sse2::gcmcCellFunctions();
}

namespace {
constexpr std::uint32_t kLanesAtMost = 16;  // entries per cell come in this many
constexpr std::size_t kFewest = 4096;       // particles for which cells are made at least
constexpr std::size_t kCacheBytes = 1 << 19;
}  // namespace

// Cells at least as wide as the cutoff, but not many more of them than particles; three along an
// axis at least, which cover a box of less than three cutoffs.
void GcmcCellStore::chooseCells() {
  const double cutoff = std::sqrt(static_cast<double>(pair_.cutoffSquared));
  const std::size_t most = std::max(kFewest, 2 * place_.size());
  const double narrowest =
      std::pow(box_.volume() / static_cast<double>(most), 1.0 / box_.dimension);
  const double width = std::max({cutoff * (1 + 1e-5), narrowest, 1.0});
  rebuildAt_ = narrowest > cutoff ? 8 * most : ~std::size_t{0};
  double widths[3];
  for (int k = 0; k < 3; ++k) {
    side_[k] = k < box_.dimension
                   ? static_cast<std::uint32_t>(std::max(3.0, std::floor(box_.length[k] / width)))
                   : 1u;
    widths[k] = box_.length[k] / side_[k];
  }
  near_ = GcmcNearCells(box_.dimension, side_, widths, pair_.cutoffSquared);
}

void GcmcCellStore::reset(const Box& box, const GcmcPair& pair, std::vector<GcmcPoint> points,
                          std::vector<ParticleId> ids) {
  box_ = box;
  pair_ = pair;
  id_ = std::move(ids);
  place_.assign(points.size(), {});
  build(std::move(points));
}

void GcmcCellStore::setPair(const Box& box, const GcmcPair& pair) {
  std::vector<GcmcPoint> points;
  for (std::uint32_t slot = 0; slot < count(); ++slot) points.push_back(point(slot));
  box_ = box;
  pair_ = pair;
  build(std::move(points));
}

void GcmcCellStore::build(std::vector<GcmcPoint> points) {
  chooseCells();
  const std::size_t cells = std::size_t{side_[0]} * side_[1] * side_[2];
  filled_.assign(cells, 0);
  for (const GcmcPoint& p : points) filled_[cellOf(p)]++;
  const std::uint32_t fullest = *std::max_element(filled_.begin(), filled_.end());
  capacity_ = (fullest + 3 + kLanesAtMost - 1) / kLanesAtMost * kLanesAtMost;
  std::fill(filled_.begin(), filled_.end(), 0);
  word_.assign(3 * cells * capacity_, 0);
  slotOf_.assign(cells * capacity_, 0);
  large_ = word_.size() * sizeof(std::uint32_t) > kCacheBytes;
  for (std::uint32_t slot = 0; slot < points.size(); ++slot)
    put(cellOf(points[slot]), points[slot], slot);
}

// Room for more in every cell; entries keep their places.
void GcmcCellStore::grow() {
  const std::uint32_t more = capacity_ + kLanesAtMost;
  std::vector<std::uint32_t> word(3 * filled_.size() * more, 0), slotOf(filled_.size() * more, 0);
  for (std::size_t cell = 0; cell < filled_.size(); ++cell) {
    for (std::size_t axis = 0; axis < 3; ++axis)
      std::copy_n(&word_[(3 * cell + axis) * capacity_], filled_[cell],
                  &word[(3 * cell + axis) * more]);
    std::copy_n(&slotOf_[cell * capacity_], filled_[cell], &slotOf[cell * more]);
  }
  word_ = std::move(word);
  slotOf_ = std::move(slotOf);
  capacity_ = more;
}

std::uint32_t GcmcCellStore::cellOf(GcmcPoint p) const {
  return (gcmcCell(p.z, side_[2]) * side_[1] + gcmcCell(p.y, side_[1])) * side_[0] +
         gcmcCell(p.x, side_[0]);
}

GcmcCellStore::Near GcmcCellStore::near(GcmcPoint p) const {
  Near found;
  found.count = near_.find(p, found.cell);
  return found;
}

double GcmcCellStore::energy(GcmcPoint p) const {
  if (!(pair_.cutoffSquared > 0)) return 0;
  const Near n = near(p);
  return functions_.energy(pair_, {word_.data(), filled_.data(), capacity_}, n.cell, n.count, p);
}

void GcmcCellStore::put(std::uint32_t cell, GcmcPoint p, std::uint32_t slot) {
  if (filled_[cell] == capacity_) grow();
  const Place place{cell, filled_[cell]++};
  std::uint32_t* w = &word_[first(place)];
  w[0] = p.x, w[capacity_] = p.y, w[2 * capacity_] = p.z;
  slotOf_[std::size_t{cell} * capacity_ + place.entry] = slot;
  place_[slot] = place;
}

// The last entry of the cell fills the hole.
void GcmcCellStore::take(Place p) {
  const Place last{p.cell, --filled_[p.cell]};
  const GcmcPoint moved = at(last);
  std::uint32_t* w = &word_[first(p)];
  w[0] = moved.x, w[capacity_] = moved.y, w[2 * capacity_] = moved.z;
  const std::uint32_t slot = slotOf_[std::size_t{p.cell} * capacity_ + last.entry];
  slotOf_[std::size_t{p.cell} * capacity_ + p.entry] = slot;
  place_[slot] = p;
}

void GcmcCellStore::insert(GcmcPoint p, ParticleId id) {
  place_.push_back({});
  id_.push_back(id);
  put(cellOf(p), p, count() - 1);
  if (count() < rebuildAt_) return;
  std::vector<GcmcPoint> points;
  for (std::uint32_t slot = 0; slot < count(); ++slot) points.push_back(point(slot));
  build(std::move(points));
}

void GcmcCellStore::erase(std::uint32_t slot) {
  take(place_[slot]);
  const std::uint32_t last = count() - 1;
  if (slot != last) {
    place_[slot] = place_[last], id_[slot] = id_[last];
    slotOf_[std::size_t{place_[slot].cell} * capacity_ + place_[slot].entry] = slot;
  }
  place_.pop_back(), id_.pop_back();
}

void GcmcCellStore::move(std::uint32_t slot, GcmcPoint p) {
  const std::uint32_t cell = cellOf(p);
  if (cell == place_[slot].cell) {
    std::uint32_t* w = &word_[first(place_[slot])];
    w[0] = p.x, w[capacity_] = p.y, w[2 * capacity_] = p.z;
    return;
  }
  take(place_[slot]);
  put(cell, p, slot);
}

GcmcSums GcmcCellStore::sums() const {
  GcmcSums total;
  if (!(pair_.cutoffSquared > 0)) return total;
  const double own = gcmcPairEnergy(pair_, 0), ownVirial = gcmcPairVirial(pair_, 0);
  const GcmcCellWords words{word_.data(), filled_.data(), capacity_};
  for (std::uint32_t slot = 0; slot < count(); ++slot) {
    const GcmcPoint p = point(slot);
    const Near n = near(p);
    const GcmcEnergyVirial e = functions_.both(pair_, words, n.cell, n.count, p);
    total.energy += e.energy - own;
    total.virial += e.virial - ownVirial;
  }
  return {0.5 * total.energy, 0.5 * total.virial};
}

std::size_t GcmcCellStore::bytes() const {
  return (word_.capacity() + filled_.capacity() + slotOf_.capacity()) * sizeof(std::uint32_t) +
         place_.capacity() * sizeof(Place) + id_.capacity() * sizeof(ParticleId);
}

GcmcCellsView GcmcCellStore::cells() const {
  GcmcCellsView v;
  for (int k = 0; k < 3; ++k) v.count[k] = static_cast<int>(side_[k]);
  v.capacity = static_cast<int>(capacity_);
  v.filled = filled_.data();
  v.entry = slotOf_.data();
  v.cellStride = capacity_;
  v.entryStride = 1;
  return v;
}

void GcmcCellStore::expectChoice(const GcmcDraw& d) const {
  if (!large_ || place_.empty() || d.kind == GcmcKind::insertion) return;
  __builtin_prefetch(&place_[gcmcSlot(d, count())]);
}

void GcmcCellStore::expectMove(const GcmcDraw& d) const {
  if (!large_ || place_.empty()) return;
  std::uint32_t cell[3];
  if (d.kind == GcmcKind::insertion) {
    const std::uint32_t word[3] = {d.point.x, d.point.y, d.point.z};
    for (int k = 0; k < 3; ++k) cell[k] = gcmcCell(word[k], side_[k]);
  } else {
    const std::uint32_t c = place_[gcmcSlot(d, count())].cell;
    cell[0] = c % side_[0], cell[1] = c / side_[0] % side_[1], cell[2] = c / side_[0] / side_[1];
  }
  const std::uint32_t left = cell[0] == 0 ? 0 : cell[0] - 1;
  for (std::uint32_t z = cell[2] == 0 ? 0 : cell[2] - 1; z <= cell[2] + 1 && z < side_[2]; ++z)
    for (std::uint32_t y = cell[1] == 0 ? 0 : cell[1] - 1; y <= cell[1] + 1 && y < side_[1]; ++y) {
      const std::size_t begin = std::size_t{3} * ((z * side_[1] + y) * side_[0] + left) * capacity_;
      const std::size_t end = std::min(begin + std::size_t{9} * capacity_, word_.size());
      for (std::size_t w = begin; w < end; w += 16) __builtin_prefetch(&word_[w]);
      __builtin_prefetch(&filled_[(z * side_[1] + y) * side_[0] + left]);
    }
}

}  // namespace cellscope
