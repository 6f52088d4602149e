// The engine as one of several domains (domain_parts.h).
//
// All domains do the same in the same order, each on a thread of its own, and meet where they
// exchange: what is decided on the way is decided alike. Sums over particles are made by the first
// one, from the parts that one domain alone would make, so that no bit depends on their number.
// Without other domains functions that concern these do nothing.
#pragma once
#include "sim/algo/verlet/engine_parts.h"

namespace cellscope {

template <class Exec, class Pass>
class VerletExchange : public VerletParts<Exec, Pass> {
 public:
  using Parts = VerletParts<Exec, Pass>;
  using System = typename Parts::System;

  void followDisplacements() override {
    withPositionsOfAll([&](const OwnSlots& some, const Vec3d* position) {
      displacements_.follow(exec_, box_, n_, position, store_.tag.data(), some);
    });
  }
  void resetDisplacements() override {
    withPositionsOfAll([&](const OwnSlots& some, const Vec3d* position) {
      displacements_.begin(exec_, n_, position, store_.tag.data(), some);
    });
  }
  // From all others, to the first domain or to every one. All call it at the same time.
  void collect(unsigned what, bool toAll = false) {
    if (!domains_) return;
    const bool here = toAll || domain_ == 0;
    if ((what & Parts::kPositions) && here) holdAll(store_.position, from_[0]);
    if ((what & Parts::kVelocities) && here) holdAll(store_.velocity, from_[1]);
    if (what & Parts::kPositions) takeOfOthers([](Parts& e) { return e.positions(); }, toAll);
    if (what & Parts::kVelocities) takeOfOthers([](Parts& e) { return e.velocities(); }, toAll);
    if (what & Parts::kForces) takeOfOthers([](Parts& e) { return e.store_.force(); }, toAll);
    if (what & Parts::kRecords)
      takeOfOthers([](Parts& e) { return e.store_.record.data(); }, toAll);
    if ((what & Parts::kBuilt) && builtOfSome_)
      takeOfOthers([](Parts& e) { return e.store_.built.data(); }, toAll);
    if (what & Parts::kTerms) {
      takeTerms();
      takeOfOthers([](Parts& e) { return e.store_.terms.data(); }, toAll);
    }
    if (what & Parts::kCounts) {
      if (counts_.size() != n_) counts_ = exec::Array<std::uint32_t>(Exec::backend, n_);
      if (whole_)
        forOwn("lengths of lists",
               CopyItems<std::uint32_t, CopyNothing>{list_.reader().count, counts_.data(), {}});
      takeOfOthers([](Parts& e) { return e.counts_.data(); }, toAll);
    }
  }

 protected:
  using Parts::borders, Parts::box_, Parts::builder_, Parts::builtOfSome_, Parts::counts_,
      Parts::clusters, Parts::currentBuffer, Parts::displacements_, Parts::domain_, Parts::domains_,
      Parts::exec_, Parts::forOwn, Parts::forcesValid_, Parts::found_, Parts::from_,
      Parts::history_, Parts::home_, Parts::hostRecords, Parts::images, Parts::input,
      Parts::lengths, Parts::list_, Parts::listedOf_, Parts::marked_, Parts::meetings_, Parts::n_,
      Parts::nearOf, Parts::never_, Parts::own, Parts::ownOrder, Parts::pair_, Parts::pass_,
      Parts::positions, Parts::sampleSums, Parts::signal_, Parts::stagedBytes, Parts::stop_,
      Parts::store_, Parts::termsValid_, Parts::whole_;
  using Parts::Parts;

  // What any domain orders from now on comes after what all of them have ordered before.
  void meetDomains() {
    if (!domains_) return;
    const int turn = meetings_++ % 2;  // others may still have to wait for the last one
    signal_[turn].record(exec_);
    domains_->crew->meetOrLeave();
    for (Parts* other : domains_->all)
      if (other != this) other->signal_[turn].makeWait(exec_);
  }
  // The same among processes, where exchange() of one domain passes on what lies in host memory.
  void meetProcesses(const auto& exchange) {
    if (!domains_ || domains_->processes == 1) return meetDomains();
    exec_.synchronize();
    domains_->crew->meetOrLeave();
    if (domain_ == domains_->first) exchange();
    domains_->crew->meetOrLeave();
  }
  // f(domain, first, items, array) with the items of an array that each other domain has, each for
  // this number of slots: `first` and its number in the array, in memory that this one reaches.
  void fromOthers(const auto& arrayOf, bool toAll, std::size_t slotsOfItem, const auto& f) {
    auto* const mine = arrayOf(*this);
    using Item = std::remove_pointer_t<decltype(mine)>;
    const DomainBorders b = borders();
    const auto itemOf = [&](int q) { return (b.at[q] + slotsOfItem - 1) / slotsOfItem; };
    Item* host = nullptr;
    if (domains_->throughHost) {
      meetDomains();  // others have read what lies there
      host = static_cast<Item*>(domains_->host.get());
      const std::size_t first = itemOf(domain_);
      Pass::copy(exec_, "to other domains", host + first, mine + first,
                 (itemOf(domain_ + 1) - first) * sizeof(Item));
    }
    meetProcesses([&] {
      const int each = static_cast<int>(domains_->all.size()), here = domains_->first / each;
      std::vector<exec::RankPart> out, in;
      const auto add = [&](std::vector<exec::RankPart>& to, int with, int of) {
        const std::size_t begin = itemOf(of * each);
        to.push_back({with, host + begin, (itemOf((of + 1) * each) - begin) * sizeof(Item)});
      };
      for (int r = 0; r < domains_->processes; ++r) {
        if (r == here) continue;
        if (toAll || r == 0) add(out, r, here);
        if (toAll || here == 0) add(in, r, r);
      }
      exec::exchangeParts(out, in);
    });
    for (int q = 0; q < b.domains && (toAll || domain_ == 0); ++q)
      if (q != domain_)
        f(q, itemOf(q), itemOf(q + 1) - itemOf(q),
          static_cast<const Item*>(domains_->throughHost ? host : arrayOf(domains_->at(q))));
    meetDomains();
  }
  void takeOfOthers(const auto& arrayOf, bool toAll, std::size_t slotsOfItem = 1) {
    if (!domains_) return;
    auto* const mine = arrayOf(*this);
    fromOthers(arrayOf, toAll, slotsOfItem,
               [&](int, std::size_t first, std::size_t items, const auto* from) {
                 Pass::copy(exec_, "from other domains", mine + first, from + first,
                            items * sizeof(*from));
               });
  }
  // From now on an array has room for all slots; others are taken when they are needed.
  void holdAll(exec::Array<Vec3d>& array, std::size_t& from) {
    if (array.size() == n_) return;
    exec::Array<Vec3d> all(Exec::backend, n_);
    Pass::copy(exec_, "room for all", all.data() + from, array.data(), array.bytes());
    exec_.synchronize();
    array = std::move(all);
    from = 0;
  }
  // Before slots are sorted: positions and velocities of all, in the memory of the list.
  void gatherTo(const SortedParticles& sorted) {
    const auto gather = [&](const auto& arrayOf, Vec3d* to) {
      const auto copy = [&](int, std::size_t first, std::size_t items, const Vec3d* from) {
        Pass::copy(exec_, "from other domains", to + first, from + first, items * sizeof(Vec3d));
      };
      copy(domain_, own().begin, own().of(n_), arrayOf(*this));
      fromOthers(arrayOf, true, 1, copy);
    };
    gather([](const Parts& e) { return e.positions(); }, sorted.allPositions);
    gather([](const Parts& e) { return e.velocities(); }, sorted.allVelocities);
  }
  // f(slots, positions by slot), for the slots of each domain.
  void withPositionsOfAll(const auto& f) {
    f(own(), positions());
    if (!domains_) return;
    fromOthers([](const Parts& e) { return e.positions(); }, true, 1,
               [&](int, std::size_t first, std::size_t items, const Vec3d* from) {
                 f(OwnSlots{first, items}, from);
               });
  }
  void takeTerms() override {
    if (!whole_) return;  // there is no list that could be read
    if (!termsValid_)
      this->template orderPass<PassKind::terms>("energies from the list", never_.data(), 0);
    termsValid_ = true;
  }
  void orderSample(RunSample* to, double dt) override {
    if constexpr (Pass::kWholeSteps)
      if (whole_ && pass_.sumsItself(pair_, images())) return orderSumsAtOnce(to, dt);
    collect(Parts::kPositions | Parts::kVelocities | Parts::kForces | Parts::kTerms |
            Parts::kCounts);
    if (domain_ > 0) return;
    System::orderSums(to, dt, whole_ ? lengths() : ListReader{},
                      KnownBuilds{history_.builds, history_.dangerous});
  }
  // In one pass of the backend's own.
  void orderSumsAtOnce(RunSample* to, double dt) {
    termsValid_ = false;  // the sums of thread blocks lie there
    const SampleSums sums = sampleSums(to, nullptr, dt);
    const VerletKick none{nullptr, {}, {nullptr, InverseMasses()}, 0, {}};
    pass_.template sum<false>(exec_,
                              this->template passOf<PassKind::both>(nullptr, never_.data(), 0),
                              none, sums, n_, own(), pair_);
    addUpOfAll(sums);
  }
  // What thread blocks of all domains have left.
  void addUpOfAll(const SampleSums& sums) {
    if (!domains_) return;
    takeOfOthers([](Parts& e) { return e.store_.sums(); }, false, pass_.slotsOfBlock(n_, pair_));
    if (domain_ == 0) pass_.addUpAll(exec_, sums, n_, pair_);
  }
  // --- Records after a drift ---

  // Through host memory: the step where the list ends, by domain, and what others need. Twice, as
  // the buffers of records: what is written now while others may still read the last.
  Stopping* staged(std::uint32_t buffer) const {
    return reinterpret_cast<Stopping*>(static_cast<std::byte*>(domains_->host.get()) +
                                       buffer * stagedBytes());
  }
  void stageRecords(std::uint32_t buffer) {
    Stopping* const stop = staged(buffer);
    const DomainBorders b = borders();
    NeededSlots byOthers(b);
    for (int p = 0; p < b.domains; ++p)
      if (p != domain_) byOthers.add(domains_->needed[static_cast<std::size_t>(p)], domain_);
    exec_.forEach("to other domains", 1,
                  CopyItems<Stopping, CopyNothing>{stop_.data(), stop + domain_, {}});
    TakeRecords part;
    part.to = reinterpret_cast<ParticleRecord*>(stop + kMostDomains);
    part.add(home_[buffer], b, byOthers, domain_);
    exec_.forEach("to other domains", part.size(), part);
  }
  // What domains of other processes need of those here, and the reverse.
  void passRecords(std::uint32_t buffer) const {
    Stopping* const stop = staged(buffer);
    auto* const records = reinterpret_cast<ParticleRecord*>(stop + kMostDomains);
    const DomainBorders b = borders();
    const int each = static_cast<int>(domains_->all.size());
    exec::exchangeAll(stop, domains_->all.size() * sizeof(Stopping));
    std::vector<exec::RankPart> out, in;
    // What the domains of process `by` need of those of process `of`.
    const auto list = [&](int by, int of, int with, std::vector<exec::RankPart>& to) {
      NeededSlots all(b);
      for (int q = of * each; q < (of + 1) * each; ++q) {
        for (int p = by * each; p < (by + 1) * each; ++p)
          all.add(domains_->needed[static_cast<std::size_t>(p)], q);
        SlotRanges part;
        part.add(b, all, q);
        for (int r = 0; r < part.ranges; ++r)
          to.push_back({with, records + part.begin[r],
                        (part.end(r) - part.begin[r]) * sizeof(ParticleRecord)});
      }
    };
    const int here = domains_->first / each;
    for (int r = 0; r < domains_->processes; ++r) {
      if (r == here) continue;
      list(r, here, r, out);
      list(here, r, r, in);
    }
    exec::exchangeParts(out, in);
  }
  void takeRecordsOfOthers(std::uint32_t buffer) {
    if (!domains_) return;
    if (domains_->throughHost) stageRecords(buffer);
    meetProcesses([&] { passRecords(buffer); });
    const DomainBorders b = borders();
    TakeRecords take;
    take.to = home_[buffer], take.stop = stop_.data();
    for (int q = 0; q < b.domains; ++q) {
      if (q == domain_) continue;
      const ParticleRecord* from = nullptr;
      if (domains_->throughHost) {
        take.others[take.stops++] = staged(buffer) + q;
        from = reinterpret_cast<const ParticleRecord*>(staged(buffer) + kMostDomains);
      } else {
        take.others[take.stops++] = domains_->at(q).stop_.data();
        from = domains_->at(q).home_[buffer];
      }
      take.add(from, b, domains_->needed[static_cast<std::size_t>(domain_)], q);
    }
    exec_.forEach("from other domains", take.size(), take);
  }
  // Cells with particles of this domain, at these positions, and those around them: not 0.
  const std::uint32_t* markNear(const ParticleRecord* records, const CellGrid& grid) {
    const auto cells = static_cast<std::size_t>(grid.count());
    const std::size_t room = cells * static_cast<std::size_t>(1 + domains_->count);
    if (marked_.size() < room) marked_ = exec::Array<std::uint32_t>(Exec::backend, room);
    std::uint32_t* const near = nearOf(domain_, cells);
    exec_.fill("needed of others", marked_.data(), cells, 0u);
    forOwn("needed of others", MarkOwnCells{records, grid, marked_.data()});
    exec_.forEach("needed of others", cells, MarkCellsAround{grid, marked_.data(), near});
    return near;
  }
  // Whether lists are built from some particles alone: where those of cells are found cell by cell,
  // and domains reach what others mark.
  bool listsOfSome() const {
    return domains_ && !domains_->throughHost && ownOrder() &&
           builder_->readsByCells(input(store_.built.data()));
  }
  // First particles of the builder's cells, and slots in their order. In the memory of the list as
  // well, which is lost.
  void sortByCells(const CurrentRecords& records) {
    whole_ = false;
    if constexpr (Pass::kOwnOrder) {
      const auto sort = [&]<class Grid>(const Grid& grid) {
        pass_.sortByCells(
            exec_,
            CellOrder<Grid, CurrentRecords>{
                records, grid, builder_->firstOfCells(), store_.slot.data(), store_.key.data(),
                reinterpret_cast<std::uint64_t*>(list_.itemMemory().data()), listedOf_},
            n_);
      };
      if (clusters())
        sort(*builder_->columns());
      else
        sort(*builder_->order());
    }
  }
  // Before a list for which particles keep their slots: the records that it may need of others,
  // which these find; then those and the domain's own in the order of cells.
  void takeNear() {
    const DomainBorders b = borders();
    const ParticleRecord* const records = store_.record.data();
    const CellGrid grid = gridFor(box_, input(records).table.longest(), n_);
    markNear(records, grid);
    NeededSlots none(b);
    for (int p = 0; p < b.domains; ++p)
      none.end[p] = b.at[domain_], none.begin[p] = b.at[domain_ + 1];
    exec_.fill("needed of others", found_.data(), 1, none);
    meetDomains();
    FindGiven find{records, grid, {}, b, domain_, found_.data()};
    const auto cells = static_cast<std::size_t>(grid.count());
    for (int p = 0; p < b.domains; ++p) {
      find.near[p] = nearOf(p, cells);
      if (p != domain_)
        Pass::copy(exec_, "from other domains", nearOf(p, cells), domains_->at(p).nearOf(p, cells),
                   cells * sizeof(std::uint32_t));
    }
    forOwn("needed of others", find);
    const NeededSlots given = exec_.read(found_);
    const auto mine = static_cast<std::size_t>(domain_);
    for (int p = 0; p < b.domains; ++p) {
      if (p == domain_) continue;
      NeededSlots& needed = domains_->needed[static_cast<std::size_t>(p)];
      needed.end[domain_] = given.end[p], needed.begin[domain_] = given.begin[p];
    }
    domains_->crew->meetOrLeave();
    listedOf_.add(b.at[domain_], b.at[domain_ + 1]);
    const std::uint32_t buffer = currentBuffer();
    for (int q = 0; q < b.domains; ++q) {
      if (q == domain_) continue;
      const int before = listedOf_.ranges;
      listedOf_.add(b, domains_->needed[mine], q);
      for (int r = before; r < listedOf_.ranges; ++r)
        Pass::copy(exec_, "from other domains", home_[buffer] + listedOf_.begin[r],
                   domains_->at(q).home_[buffer] + listedOf_.begin[r],
                   (listedOf_.end(r) - listedOf_.begin[r]) * sizeof(ParticleRecord));
    }
    sortByCells(hostRecords());
    termsValid_ = forcesValid_ = false;
    builtOfSome_ = true;
    exec_.forEach("keep the records", listedOf_.n,
                  KeepRecords{listedOf_, records, store_.built.data()});
  }
  // After a build from all: what this domain's lists need of others. All know it then.
  void findNeeded() {
    if (!domains_) return;
    const DomainBorders b = borders();
    const ParticleRecord* const built = store_.built.data();
    const CellGrid grid = gridFor(box_, input(built).table.longest(), n_);
    exec_.fill("needed of others", found_.data(), 1, NeededSlots(b));
    const std::uint32_t* const near = markNear(built, grid);
    exec_.forEach("needed of others", n_, FindNeeded{built, grid, near, b, own(), found_.data()});
    domains_->needed[static_cast<std::size_t>(domain_)] = exec_.read(found_);
    meetProcesses([&] {
      exec::exchangeAll(domains_->needed.data(), domains_->all.size() * sizeof(NeededSlots));
    });
  }
  OtherDomains others() const {
    OtherDomains all;
    if (!domains_ || domains_->throughHost) return all;
    for (int q = 0; q < domains_->count; ++q) {
      const Parts& e = domains_->at(q);
      const NeededSlots& needed = domains_->needed[static_cast<std::size_t>(q)];
      if (q != domain_)
        all.of[all.count++] = {
            {e.home_[0], e.home_[1]}, e.stop_.data(), needed.end[domain_], needed.begin[domain_]};
    }
    return all;
  }
};

}  // namespace cellscope
