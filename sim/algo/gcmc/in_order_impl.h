// The engine of moves in flight, written once over exec.
#pragma once
#include "sim/algo/gcmc/chain.h"
#include "sim/algo/gcmc/device_chain.h"
#include "sim/algo/gcmc/flight_work.h"
#include "sim/algo/gcmc/notes.h"
#include "sim/base/error.h"

namespace cellscope {
inline namespace GCMC_TYPES {

// The parts of a batch that are the same on both backends. most: moves of it at most.
void orderBegin(auto& exec, const GcmcFlights& g, std::size_t most) {
  constexpr int kThreads = GcmcFlightDraw::kThreads;
  exec.teams("draw and register moves",
             {static_cast<int>((most + kThreads - 1) / kThreads), kThreads, 0}, GcmcFlightDraw{g});
}
void orderApply(auto& exec, const GcmcFlights& g, std::size_t most) {
  if (g.ignore) exec.forEach("apply moves", 1, GcmcFlightApplyAll{g});
  constexpr int kThreads = GcmcFlightApply::kThreads;
  exec.teams("apply moves", {static_cast<int>((most + kThreads - 1) / kThreads), kThreads, 0},
             GcmcFlightApply{g});
}

// Rounds makes the moves asked for, of whole turns, or those until a cell was full, run(exec,
// flights, turns, notes, at), where at(move) is called with the number of the next move now and
// then; begin(flights, box) before the first.
template <class Exec, class Rounds>
class GcmcInOrder final : public CellStoredChain<Exec, GcmcFlightHead> {
  using Base = CellStoredChain<Exec, GcmcFlightHead>;
  using Base::box_, Base::exec_, Base::head_, Base::seen_, Base::setHead, Base::sums_;

 public:
  GcmcInOrder(exec::Shared shared, const GcmcOptions& options)
      : Base(std::move(shared)), options_(options) {}

  void upload(const GcmcState& s, const GcmcRules& rules) override {
    this->requireTypes(rules);
    const auto given = static_cast<std::uint32_t>(std::max(1, options_.slotsPerCell));
    const bool back = g_.p.slots > 0 && s.slots > 0;  // to an earlier state of its own
    place(s, rules, back ? s.slots : std::max(g_.p.slots, given), {});
    ring_.clear();
  }
  void setRules(const GcmcRules& rules) override {
    const GcmcState s = state();
    place(s, rules, g_.p.slots, this->head());
  }

  // Whole turns: at least this number of moves.
  void advance(std::uint64_t moves) override {
    const std::uint64_t turns = (moves + g_.turn - 1) / g_.turn, first = this->head().move;
    const auto at = [&](std::uint64_t move) {
      this->report(static_cast<double>(move - first) / static_cast<double>(turns * g_.turn));
    };
    for (std::uint64_t made = 0; made < turns;) {
      const std::uint64_t left = turns - made, more = trace_.on() && left > 1 ? left - 1 : left;
      const std::uint64_t now = ring_.on() ? 1 : more;
      if (trace_.on() && left == 1)
        make(now, notesOfTurn(), at);
      else
        make(now, NoGcmcTrace{}, at);
      made += now;
      if (ring_.on()) note();
    }
  }

  GcmcState state() const override {
    GcmcState s = this->stateInRow();
    s.move = this->head().move, s.slots = g_.p.slots;
    return s;
  }

  double energy() const override { return this->head().energy; }
  void clearCounters() override {
    GcmcFlightHead head = this->head();
    head.counters = {}, head.counts = {};
    setHead(head);
  }

  void record(std::size_t largest) override { ring_.resize(largest); }
  std::vector<GcmcEvent> events() const override { return ring_.inOrder(); }

  GcmcCellsView cells() const override {
    GcmcCellsView v;
    for (int k = 0; k < 3; ++k) v.count[k] = g_.p.cube.count[k];
    v.capacity = static_cast<int>(g_.p.slots);
    v.filled = g_.p.filled;
    return v;
  }
  GcmcShare share() const override {
    if (Exec::backend == Backend::cuda) return {GcmcSharing::warpOfMove, g_.p.cube, {}, 16, 32};
    return {GcmcSharing::oneThread, g_.p.cube, {}, 1, 1, true};
  }
  // A move of the last turn that no earlier one of it can have changed: one that draws or inserts
  // into the cell of a particle, or the first that is no empty draw.
  void setTrace(const RecordWriter& writer, ParticleId near = -1) override {
    trace_ = writer, near_ = near;
  }
  bool tracesOneOfMany() const override { return true; }
  std::uint64_t numberOfTraced() const override { return traced_; }

  std::size_t bytes() const override {
    return GcmcFlightCells::layout(0, 0, 0).held(cells_) +
           GcmcFlightArrays::layout(0, 0).held(batch_) + this->rowBytes();
  }
  std::size_t capacity() const override { return g_.p.cube.allCells() * g_.p.slots; }

  GcmcFlightCounts flightCounts() const override { return this->head().counts; }
  std::uint32_t slotsPerCell() const override { return g_.p.slots; }
  GcmcFlightsView flights() const override {
    const GcmcFlightHead head = this->head();
    if (!flown_) return {};
    return {head.move - g_.turn, batch_.flight.get(),
            static_cast<std::uint32_t>((g_.turn + g_.most - 1) / g_.most)};
  }

 private:
  GcmcFlightNotes notesOfTurn() {
    const std::uint64_t first = this->head().move;
    const auto filled =
        exec::onHost<std::uint32_t>(Exec::backend, g_.p.filled, g_.p.cube.allCells());
    std::optional<std::uint32_t> wanted;  // cell
    if (near_ >= 0) {
      const GcmcState s = state();
      if (const auto slot = s.slotOf(near_)) wanted = g_.p.cube.cellOf(s.point[*slot]);
    }
    traced_ = gcmcUndisturbed(g_.p, first, g_.turn, filled, wanted);
    exec_.fill("no records", trace_.written, 1, std::uint64_t{0});
    return {trace_, traced_};
  }
  template <class Notes, class At>
  void make(std::uint64_t turns, const Notes& notes, const At& at) {
    const std::uint64_t end = this->head().move + turns * g_.turn;
    for (;;) {
      const GcmcFlightHead now = this->head();
      if (now.stopped != 0) grow(now);
      if (now.move == end) break;
      exec_.forEach("ask for moves", 1, GcmcAsk{head_.data(), end});
      rounds_.run(exec_, g_, (end - now.move) / g_.turn, notes, at);
      seen_.reset();
    }
    flown_ = true;
    sums_.reset();  // requested by growing
  }

  // The moves of the last turn in their order.
  void note() {
    const std::uint64_t first = this->head().move - g_.turn;
    const std::vector<GcmcFlight> all = batch_.flight.get();
    for (std::size_t k = 0; k < all.size(); ++k) {
      const GcmcFlight& f = all[k];
      if (f.empty) continue;
      ring_.add({first + k, static_cast<GcmcKind>(f.kind), f.accepted != 0, f.id, f.from, f.to,
                 f.change});
    }
  }

  GcmcBoard board() const override {
    GcmcBoard b{};
    b.rules = g_.p.rules, b.cube = g_.p.cube;
    b.idBase = g_.p.idBase, b.edge = g_.p.edge;
    b.head = still_.data();
    b.held = g_.p;
    return b;
  }
  void grow(const GcmcFlightHead& head) {
    const std::uint32_t s = g_.p.slots;
    place(state(), g_.p.rules, s + std::max(2u, s / 8), head);
  }

  // Puts a state into its cells, in the order of its slots; at least this number of slots per cell,
  // more where a cell of the state holds more. Counters go on from `old`.
  void place(const GcmcState& s, const GcmcRules& rules, std::uint32_t slots,
             const GcmcFlightHead& old) {
    exec_.synchronize();
    if (rules.tail > 0)
      throw InputError(
          "tail = true: the correction of this cutoff is positive, and moves in flight need a "
          "negative one; choose a larger cutoff or tail = false");
    GcmcFlights g{};
    g.p.rules = rules, g.p.idBase = s.idBase;
    g.p.cube = gcmcCells(s.box, rules.pair);
    g.turn = gcmcSlotTurn(g.p.cube);
    g.most = gcmcInFlight(g.p.cube, options_.movesInFlight, Exec::backend);
    g.ahead = Exec::backend == Backend::cpu && options_.movesInFlight == 0;
    g.ignore = options_.ignoreConflicts;
    for (const std::uint32_t type : {0u, 1u}) {
      const GcmcPoint at{type, 0, 0};
      g.self[type] = gcmcPairAt(rules.pair, at, at);
    }
    fill(g, s, slots);
    g.head = head_.data();
    box_ = s.box, g_ = g;
    flown_ = false;
    sums_.reset();
    GcmcFlightHead head;
    head.move = head.end = (s.move + g.turn - 1) / g.turn * g.turn;
    head.n = s.count();
    head.counters = old.counters, head.counts = old.counts;
    rounds_.begin(g_, box_);
    head.energy = this->sums().energy;
    setHead(head);
  }
  void fill(GcmcFlights& g, const GcmcState& s, std::uint32_t slots) {
    const std::size_t cells = g.p.cube.allCells();
    const GcmcPlaced placed(
        s, cells, [&](GcmcPoint p) { return g.p.cube.cellOf(p); },
        [&](std::uint32_t most) { return gcmcWholeVectors(g.p.slots = std::max(most, slots)); });
    const std::vector<std::uint32_t> edge = gcmcEdges(g.p.cube);
    GcmcFlightCells made =
        GcmcFlightCells::layout(cells, placed.id.size(), edge.size()).make(Exec::backend);
    GcmcFlightArrays batch = GcmcFlightArrays::layout(g.turn, g.most).make(Exec::backend);
    made.cells.set(placed), made.edge.set(edge);
    made.first.zero(), batch.flight.zero();
    cells_ = std::move(made), batch_ = std::move(batch);
    static_cast<GcmcStoredCells&>(g.p) = cells_.cells.view(placed.capacity);
    g.p.edge = cells_.edge.data();
    g.first = cells_.first.data();
    g.flight = batch_.flight.data(), g.taken = batch_.taken.data();
    g.accepted = batch_.accepted.data(), g.mark = batch_.mark.data();
    g.nextKnown = batch_.nextKnown.data(), g.nextPossible = batch_.nextPossible.data();
    g.looks = batch_.looks.data(), g.changes = batch_.changes.data();
    g.moved = batch_.moved.data();
  }

  GcmcOptions options_;
  GcmcFlights g_{};
  Rounds rounds_;
  GcmcFlightCells cells_;
  GcmcFlightArrays batch_;
  bool flown_ = false;  // the moves of a turn have been made
  GcmcEventRing ring_;
  RecordWriter trace_;
  ParticleId near_ = -1;
  std::uint64_t traced_ = 0;                               // number of the move recorded last
  exec::DeviceValue<GcmcBoardHead> still_{Exec::backend};  // of a grid that is not shifted
};

}  // namespace GCMC_TYPES
}  // namespace cellscope
