// States of the engine with placeholder cells: to and from the host, growth, kept ones. Included by
// engine_impl.h.
#pragma once
#include <numeric>

#include "sim/algo/placeholders/engine_impl.h"

namespace cellscope {

template <class Exec>
PlaceholderShape PlaceholderEngine<Exec>::wanted() const {
  if (const auto why = placeholdersRefused(n_, box_, pair_)) throw InputError(*why);
  return placeholderShape(n_, box_, pair_);
}

template <class Exec>
void PlaceholderEngine<Exec>::allocate(const PlaceholderShape& shape) {
  const bool same = cells_.slot.size() == shape.slotsInAll() &&
                    cells_.filled.size() == static_cast<std::size_t>(shape.grid.count());
  if (!same) {
    PlaceholderCells made = PlaceholderCells::layout(shape).make(Exec::backend);
    if (kept_) {
      made.keptSlot.swap(cells_.keptSlot);
      made.keptFilled.swap(cells_.keptFilled);
    }
    cells_ = std::move(made);
  }
  shape_ = shape;
}

// New contents of the cells.
template <class Exec>
void PlaceholderEngine<Exec>::take(PlaceholderShape shape,
                                   const std::vector<ParticleRecord>& records,
                                   const std::vector<std::uint32_t>& order,
                                   const std::vector<std::uint32_t>& cellOf) {
  const PlaceholderContents contents = placeInCells(shape, records, order, cellOf);
  growths_ += contents.grown ? 1 : 0;
  allocate(shape);
  cells_.slot.array().set(contents.slot);
  cells_.filled.array().set(contents.filled);
  stale_ = false;
}

// The cells of the settings, or of more slots, from the positions as they are; then in the order of
// the numbers.
template <class Exec>
void PlaceholderEngine<Exec>::renew() {
  exec_.synchronize();
  const std::vector<Vec3d> position = p_.position.get();
  std::vector<ParticleRecord> record = p_.kind.get();
  const RecordBox rounded(box_);
  for (std::size_t i = 0; i < n_; ++i) record[i] = rounded.record(position[i], record[i].type);
  std::vector<std::uint32_t> order(n_);
  std::iota(order.begin(), order.end(), 0u);
  take(stale_ ? wanted() : shape_, record, order, {});
}

// The cells are refilled from the positions, on the host, and have as many slots as before where
// they have grown.
template <class Exec>
void PlaceholderEngine<Exec>::changeBox(const Box& box, Vec3d mean, std::uint64_t step) {
  System::scaleTo(box, mean);
  box_ = box;
  PlaceholderShape shape = wanted();
  if (growths_ > 0) shape.slots = std::max(shape.slots, shape_.slots);
  shape_ = shape;
  stale_ = false;
  now_ = step;
  renew();
  resetControl(exec_.read(control_).refreshes);
  forces({});
}

// Waits. Where a cell had too few slots: more of them, and all particles in their cells.
template <class Exec>
typename PlaceholderEngine<Exec>::Room PlaceholderEngine<Exec>::makeRoom() {
  const PlaceholderControl seen = exec_.read(control_);
  if (seen.stop == kNeverStop) return Room::enough;
  now_ = seen.stop / 2;
  renew();
  resetControl(seen.refreshes);
  return seen.stop == beforeForces(now_) ? Room::madeBeforeForces : Room::madeAfterForces;
}

// Steps ordered before the host looks whether there is room. The trajectory does not depend on it.
template <class Exec>
void PlaceholderEngine<Exec>::run(double dt, std::uint64_t first, std::uint64_t count,
                                  const PairProgress& progress) {
  if (stale_) renew();
  for (std::uint64_t done = 0; done < count;) {
    const std::uint64_t most = Exec::backend == Backend::cpu ? 1 : 64;
    const std::uint64_t now = std::min(count - done, most);
    for (std::uint64_t s = first + done; s < first + done + now; ++s) {
      halfKickDrift(dt, s);
      orderForces(samples_.due(s), progress);
      halfKick(dt);
      if (samples_.due(s)) System::takeSample(dt);
    }
    const Room room = makeRoom();
    if (room == Room::enough) {
      done += now;
      continue;
    }
    dropSamples(now_, first + done + now);
    if (room == Room::madeBeforeForces) {
      forces();
      halfKick(dt);
    }
    termsValid_ = false;
    if (samples_.due(now_)) System::takeSample(dt);
    done = now_ - first + 1;
  }
}

// Those of steps [from, end).
template <class Exec>
void PlaceholderEngine<Exec>::dropSamples(std::uint64_t from, std::uint64_t end) {
  std::ptrdiff_t count = 0;
  for (std::uint64_t s = from; s < end; ++s) count += samples_.due(s);
  samples_.took(-count);
}

template <class Exec>
void PlaceholderEngine<Exec>::setPair(const PairSettings& settings) {
  pair_ = settings;
  termsValid_ = false;
  if (n_ > 0) compareShape();
}

// Whether the cells are those of the settings. Cells that have grown do not shrink.
template <class Exec>
void PlaceholderEngine<Exec>::compareShape() {
  const PlaceholderShape next = wanted();
  const auto differs = [&](int a) { return next.grid.cells[a] != shape_.grid.cells[a]; };
  stale_ = differs(0) || differs(1) || differs(2) || next.slots > shape_.slots ||
           (next.slots < shape_.slots && growths_ == 0);
  if (stale_) return;
  shape_.cutoff = next.cutoff;
  recheck();
}

template <class Exec>
void PlaceholderEngine<Exec>::upload(const MdState& state) {
  const std::size_t n = state.position.size();
  CELLSCOPE_ASSERT(state.velocity.size() == n && n > 0 && n <= kNumberMask);
  exec_.synchronize();
  if (n != n_) {
    p_ = {};
    n_ = 0;
    p_ = PlaceholderParticles::layout(n).make(Exec::backend);
    n_ = n;
  }
  box_ = state.box;
  const RecordBox rounded(box_);
  std::vector<ParticleRecord> record(n);
  for (std::size_t i = 0; i < n; ++i)
    record[i] = rounded.record(state.position[i], state.type.empty() ? 0u : state.type[i]);
  p_.position.set(state.position);
  p_.velocity.set(state.velocity);
  p_.kind.set(record);
  if (state.force.size() == n)
    p_.force.set(state.force);
  else
    p_.force.zero();
  PlaceholderShape shape = wanted();
  const bool known = state.cellOf.size() == n && state.order.size() == n;
  growths_ = known && state.slots > shape.slots ? 1 : 0;
  if (known) shape.slots = std::max(shape.slots, state.slots);
  std::vector<std::uint32_t> order = state.order;
  if (!known) order.resize(n), std::iota(order.begin(), order.end(), 0u);
  kept_ = false;
  take(shape, record, order, known ? state.cellOf : std::vector<std::uint32_t>{});
  System::begin(state.followed);
  history_ = state.history;
  resetControl(history_.builds);
  now_ = 0;
  recheck();
  termsValid_ = false;
}

template <class Exec>
MdState PlaceholderEngine<Exec>::download() const {
  exec_.synchronize();
  MdState s;
  s.box = box_;
  s.position = p_.position.get(), s.velocity = p_.velocity.get();
  s.history = history();
  s.followed = displacements_.get();
  s.slots = shape_.slots;
  s.force = p_.force.get();
  s.type.resize(n_);
  const std::vector<SlotRecord> slot = cells_.slot.array().get();
  for (std::size_t k = 0; k < slot.size(); ++k) {
    if (!slot[k].real()) continue;
    s.order.push_back(slot[k].number());
    s.cellOf.push_back(static_cast<std::uint32_t>(k / shape_.slots));
    s.type[slot[k].number()] = static_cast<std::uint8_t>(slot[k].type());
  }
  return s;
}

template <class Exec>
void PlaceholderEngine<Exec>::keep() {
  exec_.forEach("keep the state", n_,
                copyItems(p_.position, p_.keptPosition, p_.velocity, p_.keptVelocity, p_.force,
                          p_.keptForce));
  if (cells_.keptSlot.size() != shape_.slotsInAll() || cells_.keptFilled.size() != cells()) {
    exec_.synchronize();
    cells_.keptSlot = exec::Array<SlotRecord>(Exec::backend, shape_.slotsInAll());
    cells_.keptFilled = exec::Array<std::uint32_t>(Exec::backend, cells());
  }
  exec_.forEach("keep the cells", cells(), copyItems(cells_.filled.array(), cells_.keptFilled));
  exec_.forEach("keep the slots", shape_.slotsInAll(),
                copyItems(cells_.slot.array(), cells_.keptSlot));
  kept_ = true;
  keptShape_ = shape_;
  keptBox_ = box_;
  keptGrowths_ = growths_;
  keptRefreshes_ = exec_.read(control_).refreshes;
}

template <class Exec>
void PlaceholderEngine<Exec>::restore() {
  exec_.forEach("restore the state", n_,
                copyItems(p_.keptPosition, p_.position, p_.keptVelocity, p_.velocity, p_.keptForce,
                          p_.force));
  displacements_.scale(exec_, keptBox_.length[0] / box_.length[0]);
  box_ = keptBox_;
  exec_.synchronize();
  allocate(keptShape_);
  exec_.forEach("restore the cells", cells(), copyItems(cells_.keptFilled, cells_.filled.array()));
  exec_.forEach("restore the slots", shape_.slotsInAll(),
                copyItems(cells_.keptSlot, cells_.slot.array()));
  exec_.synchronize();
  status_.clear(exec_);
  growths_ = keptGrowths_;
  resetControl(keptRefreshes_);
  termsValid_ = false;
  compareShape();
}

template <class Exec>
ParticlesLent PlaceholderEngine<Exec>::lendParticles(bool energies) {
  if (energies) takeTerms();
  ParticlesLent lent = System::lentParticles();
  lent.terms = p_.terms.data();
  lent.slot = cells_.slot.data(), lent.slots = shape_.slotsInAll();
  lent.block = static_cast<std::int32_t>(shape_.slots);  // a cell is the work of one
  return lent;
}

}  // namespace cellscope
