// The engine as one of several domains (domain_parts.h). Included by engine_impl.h.
//
// All domains do the same in the same order, each on a thread of its own, and meet where they
// exchange: what is decided on the way is decided alike. Sums over particles are made by the first
// one, from the parts that one domain alone would make, so that no bit depends on their number.
#pragma once
#include "sim/algo/verlet/engine_impl.h"

namespace cellscope {

// Whole thread blocks of the passes, as many to each.
template <class Exec, class Pass>
DomainBorders VerletEngine<Exec, Pass>::borders() const {
  DomainBorders b;
  b.domains = static_cast<int>(domains_->all.size());
  const std::size_t block = pass_.slotsOfBlock(n_, pair_), blocks = (n_ + block - 1) / block;
  for (int q = 0; q <= b.domains; ++q)
    b.at[q] = static_cast<std::uint32_t>(std::min(
        n_, block * (blocks * static_cast<std::size_t>(q) / static_cast<std::size_t>(b.domains))));
  return b;
}

// What any domain orders from now on comes after what all of them have ordered before.
template <class Exec, class Pass>
void VerletEngine<Exec, Pass>::meetDomains() {
  if (!domains_) return;
  const int turn = meetings_++ % 2;  // others may still have to wait for the last one
  signal_[turn].record(exec_);
  domains_->crew->meetOrLeave();
  for (VerletEngine* other : domains_->all)
    if (other != this) other->signal_[turn].makeWait(exec_);
}

// Items of an array of all domains, each for this number of slots.
template <class Exec, class Pass>
template <class Of>
void VerletEngine<Exec, Pass>::takeOfOthers(const Of& arrayOf, bool toAll,
                                            std::size_t slotsOfItem) {
  if (!domains_) return;
  auto* const mine = arrayOf(*this);
  using Item = std::remove_pointer_t<decltype(mine)>;
  const DomainBorders b = borders();
  // The items of domain q.
  const auto take = [&](const char* name, std::size_t q, const Item* from, Item* to) {
    const std::size_t begin = b.at[q] / slotsOfItem,
                      end = (b.at[q + 1] + slotsOfItem - 1) / slotsOfItem;
    Pass::copy(exec_, name, to + begin, from + begin, (end - begin) * sizeof(Item));
  };
  if (domains_->throughHost) {
    meetDomains();  // others have read what lies there
    take("to other domains", domain_, mine, static_cast<Item*>(staging_.get()));
  }
  meetDomains();
  for (std::size_t q = 0; q < domains_->all.size() && (toAll || domain_ == 0); ++q) {
    VerletEngine& other = *domains_->all[q];
    if (q != domain_)
      take("from other domains", q,
           domains_->throughHost ? static_cast<Item*>(other.staging_.get()) : arrayOf(other), mine);
  }
  meetDomains();
}

template <class Exec, class Pass>
void VerletEngine<Exec, Pass>::collect(unsigned what, bool toAll) {
  if (!domains_) return;
  if (what & kPositions)
    takeOfOthers([](VerletEngine& e) { return e.store_.position.data(); }, toAll);
  if (what & kVelocities)
    takeOfOthers([](VerletEngine& e) { return e.store_.velocity.data(); }, toAll);
  if (what & kForces) takeOfOthers([](VerletEngine& e) { return e.store_.force(); }, toAll);
  if (what & kRecords) takeOfOthers([](VerletEngine& e) { return e.store_.record.data(); }, toAll);
  if (what & kTerms) {
    takeTerms();
    takeOfOthers([](VerletEngine& e) { return e.store_.terms.data(); }, toAll);
  }
  if (what & kCounts) {
    if (whole_)
      forOwn("lengths of lists",
             CopyItems<std::uint32_t, CopyNothing>{list_.reader().count, counts_.data(), {}});
    takeOfOthers([](VerletEngine& e) { return e.counts_.data(); }, toAll);
  }
}

// --- Records after a drift ---

// Where devices do not reach each other: the step where the list ends, and what others need. Twice,
// as the buffers of records: what is written now while others may still read the last.
template <class Exec, class Pass>
Stopping* VerletEngine<Exec, Pass>::staged(std::uint32_t buffer) const {
  return reinterpret_cast<Stopping*>(static_cast<std::byte*>(staging_.get()) +
                                     buffer * stagedBytes());
}
template <class Exec, class Pass>
void VerletEngine<Exec, Pass>::stageRecords(std::uint32_t buffer) {
  Stopping* const stop = staged(buffer);
  auto* const records = reinterpret_cast<ParticleRecord*>(stop + 2);
  const auto own = static_cast<int>(domain_);
  const DomainBorders b = borders();
  exec_.forEach("to other domains", 1, CopyItems<Stopping, CopyNothing>{stop_.data(), stop, {}});
  for (const VerletEngine* other : domains_->all) {
    if (other == this) continue;
    TakeRecords part;
    part.to = records;
    part.add(home_[buffer], b.at[own], other->needed_.end[own]);
    part.add(home_[buffer], std::max(other->needed_.begin[own], other->needed_.end[own]),
             b.at[own + 1]);
    exec_.forEach("to other domains", part.size(), part);
  }
}

template <class Exec, class Pass>
void VerletEngine<Exec, Pass>::takeRecordsOfOthers(std::uint32_t buffer) {
  if (!domains_) return;
  if (domains_->throughHost) stageRecords(buffer);
  meetDomains();
  const DomainBorders b = borders();
  TakeRecords take;
  take.to = home_[buffer], take.stop = stop_.data();
  for (int q = 0; q < b.domains; ++q) {
    const VerletEngine& other = *domains_->all[static_cast<std::size_t>(q)];
    if (&other == this) continue;
    const ParticleRecord* from = other.home_[buffer];
    take.others[take.stops] = other.stop_.data();
    if (domains_->throughHost) {
      const Stopping* const stop = other.staged(buffer);
      take.others[take.stops] = stop;
      from = reinterpret_cast<const ParticleRecord*>(stop + 2);
    }
    ++take.stops;
    take.add(from, b.at[q], needed_.end[q]);
    take.add(from, std::max(needed_.begin[q], needed_.end[q]), b.at[q + 1]);
  }
  exec_.forEach("from other domains", take.size(), take);
}

// After a build: what this domain's lists need of others. All know it then.
template <class Exec, class Pass>
void VerletEngine<Exec, Pass>::findNeeded() {
  if (!domains_) return;
  const DomainBorders b = borders();
  const ParticleRecord* const built = store_.built.data();
  const CellGrid grid = gridFor(box_, input(built).table.longest(), n_);
  const auto cells = static_cast<std::size_t>(grid.count());
  if (marked_.size() < 2 * cells) marked_ = exec::Array<std::uint32_t>(Exec::backend, 2 * cells);
  std::uint32_t* const near = marked_.data() + cells;
  exec_.fill("needed of others", found_.data(), 1, NeededSlots(b));
  exec_.fill("needed of others", marked_.data(), cells, 0u);
  forOwn("needed of others", MarkOwnCells{built, grid, marked_.data()});
  exec_.forEach("needed of others", cells, MarkCellsAround{grid, marked_.data(), near});
  exec_.forEach("needed of others", n_, FindNeeded{built, grid, near, b, own(), found_.data()});
  needed_ = exec_.read(found_);
  domains_->crew->meetOrLeave();
}

template <class Exec, class Pass>
OtherDomains VerletEngine<Exec, Pass>::others() const {
  OtherDomains all;
  if (!domains_ || domains_->throughHost) return all;
  for (const VerletEngine* e : domains_->all)
    if (e != this)
      all.of[all.count++] = {{e->home_[0], e->home_[1]},
                             e->stop_.data(),
                             e->needed_.end[domain_],
                             e->needed_.begin[domain_]};
  return all;
}

template <class Exec, class Pass>
void VerletEngine<Exec, Pass>::listAll() {
  if (listed_.of(n_) == n_ || !whole_) return;
  const bool terms = termsValid_, forces = forcesValid_;
  listInOrder(true);
  termsValid_ = terms, forcesValid_ = forces;
}

}  // namespace cellscope
