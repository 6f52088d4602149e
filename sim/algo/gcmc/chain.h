// The serial grand-canonical chain on the CPU (S0, Algorithm 1) over a store of particles: dense
// arrays without cells (the oracle), or cells (chain_cells.h).
//
// A store has the slots of gcmc_rules.h and
//   reset(box, pair, points, ids), setPair(pair)   count(), point(slot), id(slot)
//   energy(p)     sum of pair energies of a particle at p with all that are there
//   insert(p, id), erase(slot) [the last fills the hole], move(slot, p)
//   sums(), bytes(), capacity()
#pragma once
#include <algorithm>
#include <vector>

#include "sim/algo/gcmc/engine.h"
#include "sim/algo/gcmc/state.h"

namespace cellscope {

// Ring of the newest events.
class GcmcEventRing {
 public:
  void resize(std::size_t largest) {
    largest_ = largest;
    ring_.clear();
    next_ = 0;
  }
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
class GcmcChain final : public GcmcEngine {
 public:
  void upload(const GcmcState& s, const GcmcRules& rules) override {
    box_ = s.box;
    rules_ = rules;
    move_ = s.move;
    idBase_ = s.idBase;
    store_.reset(s.box, rules.pair, s.point, s.id);
    counters_ = {};
    energy_ = store_.sums().energy;
    ring_.resize(recorded_);
  }
  void setRules(const GcmcRules& rules) override {
    rules_ = rules;
    store_.setPair(box_, rules.pair);
    energy_ = store_.sums().energy;
  }
  void advance(std::uint64_t moves) override {
    drawAhead();
    for (std::uint64_t k = 0; k < moves; ++k) {
      const GcmcDraw now = draws_[move_ % kAhead];
      GcmcDraw& later = draws_[move_ % kAhead];
      later = gcmcDraw(rules_, move_ + kAhead);
      if constexpr (requires(const Store& s) { s.expectMove(now); }) {
        store_.expectChoice(later);
        store_.expectMove(draws_[(move_ + kAhead / 2) % kAhead]);
      }
      makeMove(now);
      ++move_;
    }
  }
  GcmcState state() const override {
    GcmcState s{box_, {}, {}, move_, idBase_};
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
    std::vector<double> all;
    all.reserve(points.size());
    for (const GcmcPoint& p : points) all.push_back(store_.energy(p));
    return all;
  }
  void record(std::size_t largest) override {
    recorded_ = largest;
    ring_.resize(largest);
  }
  std::vector<GcmcEvent> events() const override { return ring_.inOrder(); }
  GcmcCellsView cells() const override {
    if constexpr (requires(const Store& s) { s.cells(); }) return store_.cells();
    return {};
  }
  std::size_t bytes() const override { return store_.bytes(); }
  std::size_t capacity() const override { return store_.capacity(); }

 private:
  static constexpr std::uint64_t kAhead = 8;  // moves whose numbers are drawn ahead

  // Random numbers are a function of the number of the move: nothing to save.
  void drawAhead() {
    for (std::uint64_t m = move_; m < move_ + kAhead; ++m) draws_[m % kAhead] = gcmcDraw(rules_, m);
  }

  void makeMove(const GcmcDraw& d) {
    counters_.attempted[static_cast<int>(d.kind)]++;
    const std::uint32_t n = store_.count();
    if (n == 0 && d.kind != GcmcKind::insertion) {
      if (ring_.on()) ring_.add({move_, d.kind, false, -1, d.point, d.point, 0});
      return;
    }
    const bool accepted = d.kind == GcmcKind::displacement ? displacement(d, n)
                          : d.kind == GcmcKind::insertion  ? insertion(d, n)
                                                           : deletion(d, n);
    counters_.accepted[static_cast<int>(d.kind)] += accepted ? 1 : 0;
  }

  // The store holds the particle itself: its own term is taken out, exactly.
  double without(GcmcPoint at, GcmcPoint self) const {
    return store_.energy(at) - gcmcPairAt(rules_.pair, at, self);
  }

  bool displacement(const GcmcDraw& d, std::uint32_t n) {
    const std::uint32_t slot = gcmcSlot(d, n);
    const GcmcPoint from = store_.point(slot), to = gcmcDisplaced(rules_, d, from);
    const double dU = without(to, from) - without(from, from);
    const bool yes = gcmcAccepts(rules_, d, n, dU);
    if (ring_.on()) ring_.add({move_, d.kind, yes, store_.id(slot), from, to, dU});
    if (yes) {
      store_.move(slot, to);
      energy_ += dU;
    }
    return yes;
  }
  bool insertion(const GcmcDraw& d, std::uint32_t n) {
    const double dU = store_.energy(d.point);
    const bool yes = gcmcAccepts(rules_, d, n, dU);
    const ParticleId id = idBase_ + static_cast<ParticleId>(move_);
    if (ring_.on()) ring_.add({move_, d.kind, yes, id, d.point, d.point, dU});
    if (yes) {
      store_.insert(d.point, id);
      energy_ += dU;
    }
    return yes;
  }
  bool deletion(const GcmcDraw& d, std::uint32_t n) {
    const std::uint32_t slot = gcmcSlot(d, n);
    const GcmcPoint at = store_.point(slot);
    const double dU = -without(at, at);
    const bool yes = gcmcAccepts(rules_, d, n, dU);
    if (ring_.on()) ring_.add({move_, d.kind, yes, store_.id(slot), at, at, dU});
    if (yes) {
      store_.erase(slot);
      energy_ += dU;
    }
    return yes;
  }

  Store store_;
  Box box_;
  GcmcRules rules_{};
  GcmcDraw draws_[kAhead];
  std::uint64_t move_ = 0;
  ParticleId idBase_ = 0;
  double energy_ = 0;
  GcmcCounters counters_;
  std::size_t recorded_ = 0;
  GcmcEventRing ring_;
};

}  // namespace cellscope
