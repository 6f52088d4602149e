#include "sim/algo/gcmc/chain_store.h"

#include "sim/exec/machine.h"

namespace cellscope {

CELLSCOPE_CHOICE_OF_SETS(const GcmcCellFunctions, gcmcCellFunctions)

constexpr std::size_t kFewest = 4096;  // particles for which cells are made at least
constexpr std::size_t kCacheBytes = 1 << 19;
constexpr float kCloseSquared = 0.55f;  // where a pair has more energy than 100 others can lack
constexpr double kCrowded = 0.2;        // particles per volume

// Cells at least as wide as the cutoff, but not many more of them than particles; three along an
// axis at least, which cover a box of less than three cutoffs.
double GcmcCellStore::chooseSides(std::size_t n, const Box& box, const GcmcPair& pair,
                                  GcmcCube& cube) {
  const double cutoff = std::sqrt(static_cast<double>(pair.reachSquared));
  const auto most = static_cast<double>(std::max(kFewest, 2 * n));
  const double narrowest = std::pow(box.volume() / most, 1.0 / box.dimension);
  const double width = std::max({cutoff * (1 + 1e-5), narrowest, 1.0});
  cube = {};
  for (int k = 0; k < box.dimension; ++k) {
    cube.count[k] = static_cast<int>(std::max(3.0, std::floor(box.length[k] / width)));
    cube.span[k] = 3;
  }
  return narrowest;
}

void GcmcCellStore::chooseCells() {
  const double narrowest = chooseSides(place_.size(), box_, pair_, cube_);
  const bool wide = narrowest * narrowest > static_cast<double>(pair_.reachSquared);
  rebuildAt_ = wide ? 8 * std::max(kFewest, 2 * place_.size()) : ~std::size_t{0};
  near_ = GcmcNearCells(box_, cube_, pair_.reachSquared);
  close_ = GcmcNearCells(box_, cube_, kCloseSquared);
  crowdedFrom_ = kCrowded * box_.volume();
}

void GcmcCellStore::reset(const Box& box, const GcmcPair& pair,
                          const std::vector<GcmcPoint>& points,
                          const std::vector<ParticleId>& ids) {
  box_ = box, pair_ = pair;
  reserve(points.size());
  id_.assign(ids.begin(), ids.end());
  place_.assign(points.size(), {});
  build(points);
}

void GcmcCellStore::build(const std::vector<GcmcPoint>& points) {
  chooseCells();
  const std::size_t cells = cube_.allCells();
  filled_.assign(cells, 0);
  for (const GcmcPoint& p : points) filled_[cube_.cellOf(p)]++;
  const std::uint32_t fullest = *std::max_element(filled_.begin(), filled_.end());
  capacity_ = capacityFor(fullest);
  std::fill(filled_.begin(), filled_.end(), 0);
  slotOf_.assign(cells * capacity_, 0);
  word_.clear(), energy_.clear();
  resizeBlocks();
  for (std::uint32_t slot = 0; slot < points.size(); ++slot)
    put(cube_.cellOf(points[slot]), points[slot], slot, 0);
  for (std::uint32_t slot = 0; slot < points.size(); ++slot)
    energy_[energyPlace(place_[slot])] =
        energy(points[slot]) - gcmcPairAt(pair_, points[slot], points[slot]);
}

void GcmcCellStore::resizeBlocks() {
  word_.resize(capacity_ / kBlock * filled_.size() * kBlockWords, 0);
  energy_.resize(word_.size() / 3, 0.0);
  large_ = word_.size() * sizeof(std::uint32_t) > kCacheBytes;
}

// A block more in every cell; entries keep their places.
void GcmcCellStore::grow() {
  const std::uint32_t more = capacity_ + kBlock;
  exec::HostVector<std::uint32_t> slotOf(filled_.size() * more, 0);
  for (std::size_t cell = 0; cell < filled_.size(); ++cell)
    std::copy_n(&slotOf_[cell * capacity_], filled_[cell], &slotOf[cell * more]);
  slotOf_ = std::move(slotOf);
  capacity_ = more;
  resizeBlocks();
}

// No pair of one type lacks more than the depth of the well, 1; a little more for what is rounded.
std::optional<double> GcmcCellStore::energyFloor(GcmcPoint p) const {
  constexpr double kDepth = 1.001;
  if (pair_.mixed || !crowded() || !(pair_.cutoffSquared > kCloseSquared)) return std::nullopt;
  std::uint32_t most = 0;
  const GcmcNearCells::Near all = near_.of(p), some = close_.of(p);
  for (int k = 0; k < all.count; ++k) most += filled_[all.cell[k]];
  return functions_.energy(pair_, words(), some.cell, some.count, p) - kDepth * most;
}

double GcmcCellStore::energy(GcmcPoint p) const {
  if (!(pair_.cutoffSquared > 0)) return 0;
  const GcmcNearCells::Near n = near_.of(p);
  return functions_.energy(pair_, words(), n.cell, n.count, p);
}

std::vector<double> GcmcCellStore::energies(const std::vector<GcmcPoint>& at) const {
  std::vector<double> all;
  all.reserve(at.size());
  for (const GcmcPoint& p : at) all.push_back(energy(p));
  return all;
}

// To the energies of those within reach of p; the energy of a particle there.
double GcmcCellStore::spread(GcmcPoint p, float sign) {
  if (!(pair_.cutoffSquared > 0)) return 0;
  const GcmcNearCells::Near n = near_.of(p);
  return functions_.spread(pair_, words(), {energy_.data(), kBlock, kBlock * filled_.size()},
                           n.cell, n.count, p, sign);
}

void GcmcCellStore::put(std::uint32_t cell, GcmcPoint p, std::uint32_t slot, double energy) {
  if (filled_[cell] == capacity_) grow();
  const Place place{cell, filled_[cell]++};
  set(place, p);
  energy_[energyPlace(place)] = energy;
  slotOf_[std::size_t{cell} * capacity_ + place.entry] = slot;
  place_[slot] = place;
}

// The last entry of the cell fills the hole.
void GcmcCellStore::take(Place p) {
  const Place last{p.cell, --filled_[p.cell]};
  set(p, at(last));
  energy_[energyPlace(p)] = energy_[energyPlace(last)];
  const std::uint32_t slot = slotOf_[std::size_t{p.cell} * capacity_ + last.entry];
  slotOf_[std::size_t{p.cell} * capacity_ + p.entry] = slot;
  place_[slot] = p;
}

void GcmcCellStore::insert(GcmcPoint p, ParticleId id) {
  const double energy = spread(p, 1);
  reserve(id_.size() + 1);
  place_.push_back({});
  id_.push_back(id);
  put(cube_.cellOf(p), p, count() - 1, energy);
  if (count() >= rebuildAt_) build(points());
}

void GcmcCellStore::erase(std::uint32_t slot) {
  const GcmcPoint p = point(slot);
  take(place_[slot]);
  spread(p, -1);
  const std::uint32_t last = count() - 1;
  if (slot != last) {
    place_[slot] = place_[last], id_[slot] = id_[last];
    slotOf_[std::size_t{place_[slot].cell} * capacity_ + place_[slot].entry] = slot;
  }
  place_.pop_back(), id_.pop_back();
}

void GcmcCellStore::move(std::uint32_t slot, GcmcPoint p) {
  const GcmcPoint from = point(slot);
  take(place_[slot]);
  spread(from, -1);
  const double energy = spread(p, 1);
  put(cube_.cellOf(p), p, slot, energy);
}

double GcmcCellStore::pairEnergy() const {
  double total = 0;
  for (const Place& p : place_) total += energy_[energyPlace(p)];
  return 0.5 * total;
}

GcmcSums GcmcCellStore::sums() const {
  GcmcSums total;
  if (!(pair_.cutoffSquared > 0)) return total;
  const GcmcSums own[2] = {gcmcOwnPair(pair_, 0), gcmcOwnPair(pair_, 1)};
  for (std::uint32_t slot = 0; slot < count(); ++slot) {
    const GcmcPoint p = point(slot);
    const GcmcNearCells::Near n = near_.of(p);
    const GcmcEnergyVirial e = functions_.both(pair_, words(), n.cell, n.count, p);
    total.energy += e.energy - own[gcmcTypeOf(p)].energy;
    total.virial += e.virial - own[gcmcTypeOf(p)].virial;
  }
  return {0.5 * total.energy, 0.5 * total.virial};
}

std::size_t GcmcCellStore::bytes() const {
  return (word_.capacity() + filled_.capacity() + slotOf_.capacity()) * sizeof(std::uint32_t) +
         energy_.capacity() * sizeof(double) + place_.capacity() * sizeof(Place) +
         id_.capacity() * sizeof(ParticleId);
}

std::size_t GcmcCellStore::bytesFor(std::size_t n, const Box& box, const GcmcPair& pair) {
  GcmcCube cube;
  chooseSides(n, box, pair, cube);
  const std::size_t cells = cube.allCells();
  const std::size_t entries =
      cells * capacityFor(gcmcFullest(static_cast<double>(n) / static_cast<double>(cells)));
  // Words, energy and slot of an entry.
  return entries * (4 * sizeof(std::uint32_t) + sizeof(double)) + cells * sizeof(std::uint32_t) +
         gcmcRoom(n) * (sizeof(Place) + sizeof(ParticleId));
}

GcmcCellsView GcmcCellStore::cells() const {
  GcmcCellsView v;
  std::copy_n(cube_.count, 3, v.count);
  v.capacity = static_cast<int>(capacity_);
  v.filled = filled_.data();
  v.entry = slotOf_.data();
  v.cellStride = capacity_;
  v.entryStride = 1;
  return v;
}

void GcmcCellStore::expectChoice(const GcmcDraw& d) const {
  if (!large_ || place_.empty() || d.kind == GcmcKind::insertion) return;
  const std::uint32_t slot = gcmcSlot(d, count());
  __builtin_prefetch(&place_[slot]);
  __builtin_prefetch(&id_[slot]);
}

void GcmcCellStore::expectPlace(const GcmcDraw& d) const {
  if (!large_ || place_.empty() || d.kind == GcmcKind::insertion) return;
  const Place place = place_[gcmcSlot(d, count())];
  __builtin_prefetch(&energy_[energyPlace(place)]);
  if (d.kind == GcmcKind::deletion) return;
  const std::uint32_t* const w = &word_[first(place)];
  __builtin_prefetch(w), __builtin_prefetch(w + kBlock), __builtin_prefetch(w + 2 * kBlock);
}

// The first blocks of the cells that energy() and energyFloor() will read.
void GcmcCellStore::expectMove(const GcmcRules& rules, const GcmcDraw& d) const {
  if (!large_ || place_.empty() || d.kind == GcmcKind::deletion) return;
  const GcmcNearCells::Near n = gcmcStays(d.kind)
                                    ? near_.of(gcmcDisplaced(rules, d, point(gcmcSlot(d, count()))))
                                : crowded() ? close_.of(d.point)
                                            : near_.of(d.point);
  for (int k = 0; k < n.count; ++k) {
    const std::uint32_t* const w = &word_[std::size_t{n.cell[k]} * kBlockWords];
    __builtin_prefetch(w), __builtin_prefetch(w + kBlock), __builtin_prefetch(w + 2 * kBlock);
    __builtin_prefetch(&filled_[n.cell[k]]);
  }
}

GcmcCellStore gcmcInCells(const Box& box, const GcmcPair& pair,
                          const std::vector<GcmcPoint>& points) {
  GcmcCellStore cells;
  cells.reset(box, pair, points, std::vector<ParticleId>(points.size()));
  return cells;
}

}  // namespace cellscope
