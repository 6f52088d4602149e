// States of the engine with Verlet lists: to and from the host, kept ones, instances to draw.
// Included by engine_impl.h.
#pragma once
#include <numeric>

#include "sim/algo/verlet/engine_impl.h"

namespace cellscope {

template <class Exec, class Pass>
void VerletEngine<Exec, Pass>::upload(const MdState& state) {
  const std::size_t n = state.position.size();
  CELLSCOPE_ASSERT(state.velocity.size() == n && builder_);
  exec_.synchronize();
  if (domains_) domains_->crew->meetOrLeave();  // nobody reads the old state any more
  if (n != n_) {
    store_ = {};
    counts_ = {};
    n_ = n;  // own() is of so many
    try {
      store_ = VerletStore::layout(n, own().of(n)).make(Exec::backend);
      from_[0] = from_[1] = own().begin;
      if (domains_ && domains_->throughHost && domain_ == domains_->first)
        domains_->host = exec::exchangeMemory(Exec::backend, 2 * stagedBytes(), true);
    } catch (...) {
      n_ = 0;  // the next upload makes the arrays again
      store_ = {};
      throw;
    }
    home_[0] = store_.record.data(), home_[1] = store_.record.spare();
  }
  wholeSteps_.forget();
  box_ = state.box;
  const RecordBox rounded(box_);
  std::vector<std::uint32_t> order = state.order;
  if (order.empty()) order.resize(n), std::iota(order.begin(), order.end(), 0u);
  std::vector<ParticleRecord> record(n);
  countOfType_ = {};
  for (std::size_t k = 0; k < n; ++k) {
    record[k] = state.record(rounded, order[k]);
    ++countOfType_[record[k].type];
  }
  const auto set = [&](exec::Array<Vec3d>& to, std::size_t from, const auto& all) {
    std::vector<Vec3d> some(to.size());
    for (std::size_t k = 0; k < some.size(); ++k) some[k] = all[order[from + k]];
    to.set(some);
  };
  set(store_.position, from_[0], state.position);
  set(store_.velocity, from_[1], state.velocity);
  store_.tag.set(order);
  store_.record.array().set(record);
  exec::fillBytes(Exec::backend, store_.force(), 0, n * sizeof(Vec4));
  System::begin(state.followed);
  history_ = state.history;
  now_ = history_.lastStep;
  stale_ = true, whole_ = termsValid_ = forcesValid_ = builtOfSome_ = false;
  unsorted_ = state.built.size() != n;
  partsDone_ = -1;
  if (state.built.size() != n) return;  // the list is made with the first forces
  store_.built.set(state.built);
  listInOrder();
}

template <class Exec, class Pass>
MdState VerletEngine<Exec, Pass>::download() const {
  exec_.synchronize();
  MdState s;
  s.box = box_;
  s.order = store_.tag.get();
  s.built = store_.built.get();
  s.history = history_;
  s.followed = displacements_.get();
  const std::vector<Vec3d> position = store_.position.get();
  const std::vector<Vec3d> velocity = store_.velocity.get();
  s.position.resize(n_), s.velocity.resize(n_), s.type.resize(n_);
  for (std::size_t k = 0; k < n_; ++k) {
    const std::size_t i = s.order[k];
    s.position[i] = position[k], s.velocity[i] = velocity[k];
    s.type[i] = static_cast<std::uint8_t>(s.built[k].type);
  }
  return s;
}

template <class Exec, class Pass>
void VerletEngine<Exec, Pass>::keep() {
  VerletStore& s = store_;
  collect(kBuilt, true);
  forOwn("keep the state",
         copyItems(positions(), keptAt(s.keptPosition), velocities(), keptAt(s.keptVelocity)));
  exec_.forEach("keep the state", n_, copyItems(s.built, s.keptBuilt, s.tag, s.keptTag));
  keptHistory_ = history_;
  keptBox_ = box_;
}

template <class Exec, class Pass>
void VerletEngine<Exec, Pass>::restore() {
  partsDone_ = -1;
  displacements_.scale(exec_, keptBox_.length[0] / box_.length[0]);
  takeBox(keptBox_);
  VerletStore& s = store_;
  forOwn("restore the state",
         copyItems(keptAt(s.keptPosition), positions(), keptAt(s.keptVelocity), velocities()));
  exec_.forEach("restore the state", n_, copyItems(s.keptBuilt, s.built, s.keptTag, s.tag));
  roundPositions(s.built);
  builtOfSome_ = false;
  collect(kRecords, true);
  exec_.synchronize();
  status_.clear(exec_);
  history_ = keptHistory_;
  listInOrder();
  orderForces(never_, 0);
}

template <class Exec, class Pass>
void VerletEngine<Exec, Pass>::roundPositions(const exec::Array<ParticleRecord>& kind) {
  forOwn("round the positions",
         RoundPositions{positions(), kind.data(), store_.record.data(), RecordBox(box_)});
}

// Rebuilds what was made for another box.
template <class Exec, class Pass>
void VerletEngine<Exec, Pass>::takeBox(const Box& box) {
  if (box == box_) return;
  box_ = box;
  stale_ = true, whole_ = termsValid_ = forcesValid_ = false;
  stepsInBox_ = 0;
  wholeSteps_.forget();
}

template <class Exec, class Pass>
void VerletEngine<Exec, Pass>::changeBox(const Box& box, Vec3d mean, std::uint64_t step) {
  System::scaleTo(box, mean);
  takeBox(box);
  roundPositions(store_.record.array());
  makeList(step);
  orderForces(never_, 0, true);
}

// Whether the list is valid at the positions as they are.
template <class Exec, class Pass>
void VerletEngine<Exec, Pass>::recheck() {
  if (pair_.uncheckedSteps > 0) return;
  exec_.forEach("check the displacements", n_,
                CheckMoved{store_.record.data(), store_.built.data(), stop_.data(), RecordBox(box_),
                           mostMovedSquared()});
}

template <class Exec, class Pass>
ParticlesLent VerletEngine<Exec, Pass>::lendParticles(bool energies) {
  if (energies) takeTerms();
  ParticlesLent lent = System::lentParticles();
  lent.terms = store_.terms.data();
  lent.built = store_.built.data();
  if (!clusters()) lent.listed = lengths().count;
  lent.box = RecordBox(box_);
  if (!domains_) return lent;
  const DomainBorders b = lent.domains = borders();
  lent.copied = NeededSlots(b);
  for (int p = 0; p < b.domains; ++p)
    for (int q = 0; q < b.domains; ++q)
      if (p != q) lent.copied.add(domains_->needed[static_cast<std::size_t>(p)], q);
  return lent;
}

template <class Exec, class Pass>
std::optional<ListedPairs> VerletEngine<Exec, Pass>::listFill() {
  if (!whole_) return std::nullopt;
  const ListInput in = input(store_.built.data());
  const ListFillOfSome some(
      {list_.reader(), store_.record.data(), RecordBox(box_),
       pairTable(pair_.potential, pair_.species, 0), static_cast<std::uint32_t>(n_), in.cluster},
      in.rows());
  exec_.reduce("pairs within the cutoff", some.parts(in.rows()), ListedPairs{}, some,
               AddListedPairs{}, fill_);
  return exec_.read(fill_);
}

}  // namespace cellscope
