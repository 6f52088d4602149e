// The serial grand-canonical chain on the CPU (S0, Algorithm 1) over a store of particles: dense
// arrays without cells (the oracle), or cells (chain_store.h).
//
// A store has the slots of gcmc_rules.h and
//   reset(box, pair, points, ids), setPair(pair)   count(), point(slot), id(slot)
//   energy(p)       sum of pair energies of a particle at p with all that are there
//   energies(points)  energy(p) of each
//   energyOf(slot)  of a particle with the others
//   insert(p, id), erase(slot) [the last fills the hole], move(slot, p)
//   pairEnergy()    of all pairs
//   sums(), bytes(), capacity()
// and may have
//   energyFloor(p)  lower bound of energy(p), for less work
#pragma once
#include "sim/algo/gcmc/trace.h"

namespace cellscope {

// Ring of the newest events.
class GcmcEventRing {
 public:
  void resize(std::size_t largest) { largest_ = largest, clear(); }
  void clear() { ring_.clear(), next_ = 0; }
  bool on() const { return largest_ > 0; }
  void add(const GcmcEvent& e) {
    if (ring_.size() < largest_)
      ring_.push_back(e);
    else
      ring_[next_] = e;
    next_ = (next_ + 1) % largest_;
  }
  std::vector<GcmcEvent> inOrder() const {
    std::vector<GcmcEvent> all = ring_;
    if (ring_.size() == largest_ && largest_ > 0)
      std::rotate(all.begin(), all.begin() + static_cast<std::ptrdiff_t>(next_), all.end());
    return all;
  }

 private:
  std::size_t largest_ = 0, next_ = 0;
  std::vector<GcmcEvent> ring_;
};

template <class Store>
class GcmcChain : public GcmcEngine {
 public:
  Backend memory() const final { return Backend::cpu; }
  void upload(const GcmcState& s, const GcmcRules& rules) override {
    box_ = s.box;
    rules_ = rules;
    move_ = s.move;
    idBase_ = s.idBase;
    acceptance_ = s.acceptance;
    store_.reset(s.box, rules.pair, s.point, s.id);
    counters_ = {};
    energy_ = s.energy ? *s.energy : store_.pairEnergy();
    ring_.clear();
  }
  void setRules(const GcmcRules& rules) override {
    rules_ = rules;
    store_.setPair(box_, rules.pair);
    energy_ = store_.pairEnergy();
  }
  void setActivity(const GcmcRules& rules) override { rules_ = rules; }
  void advance(std::uint64_t moves) override {
    if (moves == 0) return;
    drawAhead();
    const bool traced = trace_.out.on();
    for (std::uint64_t k = traced ? 1 : 0; k < moves; ++k) {
      if (k % kGcmcMovesPerReport == 0) report(static_cast<double>(k) / static_cast<double>(moves));
      const GcmcDraw now = draws_[move_ % kAhead];
      GcmcDraw& later = draws_[move_ % kAhead];
      later = gcmcDraw(rules_, move_ + kAhead);
      if constexpr (requires(const Store& s) { s.expectMove(rules_, now); }) {
        store_.expectChoice(later);
        store_.expectPlace(draws_[(move_ + kAhead / 2) % kAhead]);
        store_.expectMove(rules_, draws_[(move_ + kAhead / 4) % kAhead]);
      }
      finish<false>(evaluated(now, move_));
      ++move_;
    }
    if (traced) makeTracedMove();
  }
  GcmcState state() const override {
    GcmcState s{box_, {}, {}, move_, idBase_, acceptance_};
    s.point.reserve(count()), s.id.reserve(count());
    for (std::uint32_t slot = 0; slot < count(); ++slot) {
      s.point.push_back(store_.point(slot));
      s.id.push_back(store_.id(slot));
    }
    return s;
  }

  std::uint32_t count() const override { return store_.count(); }
  double energy() const override { return energy_; }
  GcmcCounters counters() const override { return counters_; }
  void clearCounters() override { counters_ = {}; }
  GcmcSums sums() const override { return store_.sums(); }
  std::vector<double> energiesAt(const std::vector<GcmcPoint>& points) const override {
    return store_.energies(points);
  }
  void record(std::size_t largest) override { ring_.resize(largest); }
  std::vector<GcmcEvent> events() const override { return ring_.inOrder(); }
  GcmcCellsView cells() const override {
    if constexpr (requires(const Store& s) { s.cells(); }) return store_.cells();
    return {};
  }
  GcmcShare share() const override {
    GcmcShare s;
    s.threads = 1;
    if (cells().capacity == 0) return s;
    s.how = GcmcSharing::oneThread;
    s.cube = cube();
    s.skipBeyond = true;
    return s;
  }
  // Where the host can write.
  void setTrace(const RecordWriter& writer, ParticleId = -1) override { trace_.out = writer; }
  std::size_t bytes() const override { return store_.bytes(); }
  std::size_t capacity() const override { return store_.capacity(); }

 private:
  static constexpr std::uint64_t kAhead = 16;  // moves whose numbers are drawn ahead

  // Random numbers are a function of the number of the move: nothing to save.
  void drawAhead() {
    for (std::uint64_t m = move_; m < move_ + kAhead; ++m) draws_[m % kAhead] = gcmcDraw(rules_, m);
  }

 protected:
  // A move worked out against the present state.
  struct Trial : GcmcTrial {
    ParticleId id = -1;
    double change = 0;
    bool accepted = false;
    bool nobody() const { return !old && !fresh; }  // there is no particle to be moved
  };

  // Somebody asks for the positions and energies of rejected moves, too.
  bool wantsAll() const { return ring_.on() || trace_.out.on() || rules_.transitions != nullptr; }
  // By what lies close: with less energy than there can be it would be rejected, too.
  bool surelyRejected(const GcmcDraw& insertion, std::uint32_t n) const {
    if constexpr (requires(const Store& s) { s.energyFloor(insertion.point); }) {
      if (wantsAll()) return false;
      const std::optional<double> least = store_.energyFloor(insertion.point);
      return least && !gcmcAccepts(rules_, insertion, n, *least);
    }
    return false;
  }
  // move: its number. Of rejected moves only what wantsAll() asks for is known.
  Trial evaluated(const GcmcDraw& d, std::uint64_t move) const {
    const std::uint32_t n = store_.count();
    const bool insertion = d.kind == GcmcKind::insertion;
    const bool somebody = n > 0 || insertion;
    Trial t{{d, n, kGcmcNoSlot, d.point, d.point, false, somebody && !insertion,
             somebody && d.kind != GcmcKind::deletion}};
    if (!somebody) return t;
    if (insertion) {
      t.id = idBase_ + static_cast<ParticleId>(move);
      if (surelyRejected(d, n)) return t;
      t.change = store_.energy(d.point);
    } else {
      t.slot = gcmcSlot(d, n);
      t.id = store_.id(t.slot);
      const bool displaces = gcmcStays(d.kind);
      if (displaces || wantsAll()) t.from = t.to = store_.point(t.slot);
      if (displaces) {
        t.to = gcmcDisplaced(rules_, d, t.from);
        // The store holds the particle itself: its own term is taken out, exactly.
        t.change = store_.energy(t.to) - gcmcPairAt(rules_.pair, t.to, t.from);
      }
      t.change -= store_.energyOf(t.slot);
    }
    t.accepted = gcmcAccepts(rules_, d, n, t.change);
    return t;
  }
  // Counts, notes and carries out move `move_`.
  template <bool kTraced>
  void finish(const Trial& t) {
    const GcmcKind kind = t.draw.kind;
    counters_.attempted[static_cast<int>(kind)]++;
    if constexpr (kTraced) writeTrial(t);
    if (ring_.on()) ring_.add(GcmcEvent{move_, kind, t.accepted, t.id, t.from, t.to, t.change});
    if (t.nobody()) return;
    gcmcCollect(rules_, t.draw, t.n, t.change);
    if (!t.accepted) return;
    counters_.accepted[static_cast<int>(kind)]++;
    if (gcmcStays(kind))
      store_.move(t.slot, t.to);
    else if (kind == GcmcKind::insertion)
      store_.insert(t.to, t.id);
    else
      store_.erase(t.slot);
    energy_ += t.change;
    if constexpr (kTraced)
      withArrays(
          [&](const GcmcArrays& a) { trace_.update(a, t, static_cast<std::uint64_t>(t.id)); });
  }
  void makeTracedMove() {
    *trace_.out.written = 0;
    finish<true>(evaluated(gcmcDraw(rules_, move_), move_));
    ++move_;
  }

 private:
  // --- Records of a traced move (trace.h). ---

  GcmcCube cube() const {
    if constexpr (requires(const Store& s) { s.cube(); }) return store_.cube();
    return {};
  }
  // f(arrays) with what trace.h asks of a state: rules, numbers of moves and particles, cells.
  void withArrays(const auto& f) const {
    GcmcHead head;
    head.move = move_, head.n = store_.count();
    GcmcArrays a{};
    a.rules = rules_, a.head = &head, a.idBase = idBase_;
    a.grid.cube = cube();
    a.grid.capacity = static_cast<std::uint32_t>(cells().capacity);
    f(a);
  }
  void writeTrial(const Trial& t) const {
    withArrays([&](const GcmcArrays& a) {
      trace_.choose(a, t, static_cast<std::uint64_t>(t.id));
      if (t.old) writeReads(t.from, t.slot, GcmcSide::old);
      if (t.fresh) writeReads(t.to, t.slot, GcmcSide::fresh);
      trace_.partial(t, 0, 1, t.change);
      trace_.decide(a, t, t.change, t.accepted);
    });
  }
  // Particles that energy() reads for a point, in its order.
  void writeReads(GcmcPoint at, std::uint32_t self, GcmcSide side) const {
    const auto pair = [&](GcmcReader who, std::uint32_t cell, std::uint32_t slot) {
      if (slot != self)
        trace_.pair(who, cell, slot, store_.id(slot), rules_.pair, store_.point(slot), {at, at},
                    side);
    };
    if constexpr (requires(const Store& s) { s.cells(); }) {
      int turn = 0;
      store_.visit(at, [&](std::uint32_t cell, bool skipped, const std::uint32_t* slots,
                           std::uint32_t filled) {
        const GcmcReader who{0, 0, turn++, 1, true};
        trace_.visit(cell, filled, who, side, skipped);
        for (std::uint32_t k = 0; k < filled && !skipped; ++k) pair(who, cell, slots[k]);
      });
    } else {
      for (std::uint32_t slot = 0; slot < store_.count(); ++slot)
        pair({0, 0, 0, 1, false}, ~0u, slot);
    }
  }

 protected:
  Store store_;
  Box box_;
  GcmcRules rules_{};
  GcmcDraw draws_[kAhead];
  std::uint64_t move_ = 0;
  ParticleId idBase_ = 0;
  double acceptance_ = 0;  // GcmcState::acceptance
  double energy_ = 0;
  GcmcCounters counters_;
  GcmcEventRing ring_;
  GcmcTrace trace_;
};

}  // namespace cellscope
