// The checkerboard engine, written once over exec.
#pragma once
#include "sim/algo/gcmc/board_domains.h"
#include "sim/algo/gcmc/device_chain.h"
#include "sim/base/error.h"

namespace cellscope {
inline namespace GCMC_TYPES {

// Attempts makes those of a turn, order(exec, board, n, notes, at), where at(share) is called with
// the share of the turn that is done where that takes long, repeats what makes a sweep, sweep(exec,
// board, n, make); begin() before the first; signal() and makeWait() order those of domains.
template <class Exec, class Attempts>
class GcmcCheckerboard final : public CellStoredChain<Exec, GcmcBoardHead> {
  using Base = CellStoredChain<Exec, GcmcBoardHead>;
  using Base::box_, Base::event_, Base::exec_, Base::head_, Base::seen_, Base::setHead, Base::sums_;

 public:
  GcmcCheckerboard(exec::Shared shared, const GcmcOptions& options) : Base(std::move(shared)) {
    board_.attempts = std::max(1, options.attempts);
    board_.experiment = static_cast<GcmcBoardExperiment>(options.experiment);
  }

  void upload(const GcmcState& s, const GcmcRules& rules) override {
    this->requireTypes(rules);
    counters_ = {};
    this->forgetEvents();
    place(s, rules, 0);
  }
  void setRules(const GcmcRules& rules) override {
    const GcmcState s = state();
    counters_ = counters();
    place(s, rules, board_.held.capacity);
  }

  // Whole colours, or whole sweeps where one tail correction holds for all colours of a sweep: at
  // least this number of moves.
  void advance(std::uint64_t moves) override {
    sums_.reset();
    GcmcBoardHead head = this->head();
    const std::uint64_t each = board_.movesOfTurn();
    std::uint64_t end = head.turn + (moves + each - 1) / each;
    if (board_.experiment == GcmcBoardExperiment::frozenNumber) {
      const auto colours = static_cast<std::uint64_t>(board_.colours());
      end = (end + colours - 1) / colours * colours;
    }
    first_ = head.turn, end_ = end;
    while (head.turn < end) {
      tell(head.turn, 0);
      const std::uint64_t now = std::min<std::uint64_t>(kTurns, end - head.turn);
      const GcmcBoardNotes notes = notesUntil(end);
      if (inDomains()) {
        head.end = head.turn + now, head.stopped = 0;
        using Told = typename GcmcBoardDomains<Exec, Attempts>::Told;
        head = domains_->turns(
            head, now,
            this->watched() ? Told([&](std::uint64_t turn, double share) { tell(turn, share); })
                            : Told());
        setHead(head);
        behind_ = true;
      } else {
        upToDate();
        makeSpare();
        exec_.forEach("ask for moves", 1, GcmcAsk{head_.data(), head.turn + now});
        order(head.turn, now, head.n, notes);
        seen_.reset();
        head = this->head();
      }
      if (head.stopped != 0) {
        grow(head);
        head = this->head();
      }
    }
  }

  GcmcState state() const override {
    GcmcState s = this->stateInRow();
    s.move = this->head().turn * board_.movesOfTurn();
    return s;
  }

  double energy() const override { return this->sums().energy; }
  std::optional<double> knownEnergy() const override {
    return sums_ ? std::optional(sums_->energy) : std::nullopt;
  }
  GcmcCounters counters() const override {
    GcmcCounters c = this->head().counters;
    gcmcAddCounts(c, counters_);
    return c;
  }
  void clearCounters() override {
    counters_ = {};
    Base::clearCounters();
  }

  GcmcCellsView cells() const override {
    upToDate();
    const GcmcBoardHead head = this->head();
    GcmcCellsView v;
    for (int k = 0; k < 3; ++k) {
      v.count[k] = board_.cube.count[k];
      v.shift[k] = head.shift[k];
    }
    v.capacity = static_cast<int>(board_.held.capacity);
    v.filled = board_.held.filled;
    v.coloured = true;
    if (head.any != 0) v.active = head.colour;
    return v;
  }
  std::vector<HaloMessage> messages() const override {
    return spread_ ? domains_->messages(this->head()) : std::vector<HaloMessage>();
  }
  GcmcShare share() const override {
    GcmcShare s{GcmcSharing::oneThread, board_.cube};
    if (Exec::backend == Backend::cuda)
      s.how = GcmcSharing::blockOfCell, s.threads = attempts_.threadsOfCell(exec_, board_);
    const GcmcBoardHead head = this->head();
    std::copy(head.shift, head.shift + 3, s.shift);
    return s;
  }
  // The first attempt of one active cell in the last colour: of the cell nearest to a particle in
  // the order of cells, or in the middle of them.
  void setTrace(const RecordWriter& writer, ParticleId near = -1) override {
    trace_ = writer;
    traced_ = static_cast<std::uint32_t>(writer.on() ? activeNear(near) : 0);
  }
  bool tracesOneOfMany() const override { return true; }
  std::uint64_t numberOfTraced() const override { return tracedMove_; }

  std::size_t bytes() const override {
    const auto cells = GcmcBoardArrays::layout(0, 0);
    return cells.held(buffer_[0]) + cells.held(buffer_[1]) + edge_.bytes() + event_.bytes() +
           this->rowBytes() + (domains_ ? domains_->bytes() : 0);
  }
  std::size_t capacity() const override { return board_.cube.allCells() * board_.held.capacity; }

 private:
  GcmcBoard board() const override {
    upToDate();
    return board_;
  }
  // What is measured, recorded or saved, and wrong on purpose, is of the whole board; the domains
  // have it while they advance it.
  void upToDate() const {
    if (behind_) domains_->gather(board_, this->head());
    behind_ = false;
  }
  // Whether the next turns are those of the domains, which have the cells then.
  bool inDomains() {
    if (exec_.config().allDomains() == 1) return false;
    if (event_.size() > 0 || trace_.on() || board_.experiment != GcmcBoardExperiment::none)
      return spread_ = false;
    if (spread_) return true;
    if (!domains_) domains_.emplace(exec_.config());
    exec_.synchronize();
    buffer_[1] = {}, board_.spare = {};
    domains_->scatter(board_, this->head());
    return spread_ = true;
  }

  static constexpr std::uint64_t kTurns = 64;  // ordered before the host looks again

  // Whole sweeps at once where nothing is noted.
  void order(std::uint64_t first, std::uint64_t turns, std::uint32_t n,
             const GcmcBoardNotes& notes) {
    const auto colours = static_cast<std::uint64_t>(board_.colours());
    const bool noted = notes.event != nullptr || notes.out.on();
    for (std::uint64_t k = 0; k < turns;) {
      if (noted || (first + k) % colours != 0 || turns - k < colours) {
        turnsFrom(first + k++, 1, n, notes);
        continue;
      }
      attempts_.sweep(exec_, board_, n, [&] { turnsFrom(0, colours, n, notes); });
      k += colours;
    }
  }
  // What is to be noted in the turns up to `end`.
  GcmcBoardNotes notesUntil(std::uint64_t end) {
    GcmcBoardNotes n;
    const std::uint64_t last = end * board_.movesOfTurn();
    if (event_.size() > 0) {
      n.event = event_.data(), n.room = event_.size();
      n.from = this->eventsFrom_ = last > n.room ? last - n.room : 0;
    }
    if (trace_.on()) {
      n.out = trace_, n.tracedTurn = end - 1, n.tracedCell = traced_;
      tracedMove_ = n.tracedTurn * board_.movesOfTurn() +
                    std::uint64_t{traced_} * static_cast<std::uint64_t>(board_.attempts);
      exec_.fill("no records", trace_.written, 1, std::uint64_t{0});
    }
    return n;
  }
  // Index of the active cell that shares a block of two cells along each axis with that of a
  // particle: the same for all colours.
  std::size_t activeNear(ParticleId near) const {
    const std::size_t middle = board_.active() / 2;
    if (near < 0) return middle;
    const GcmcState s = state();
    const auto slot = s.slotOf(near);
    if (!slot) return middle;
    GcmcBoardHead head = this->head();
    head.stopped = 0, head.end = head.turn + 1;
    GcmcBoard b = board_;
    b.head = &head;
    if (gcmcBoardShifts(b)) gcmcBoardShift(b, head.shift);
    const GcmcPoint p = b.fromGrid(s.point[*slot]);
    const std::uint32_t word[3] = {p.x, p.y, p.z};
    std::size_t index = 0;
    for (int k = box_.dimension - 1; k >= 0; --k)
      index = index * static_cast<std::size_t>(b.cube.count[k] / 2) +
              static_cast<std::size_t>(b.cube.along(word[k], k) / 2);
    return index;
  }

  void tell(std::uint64_t turn, double share) const {
    this->report((static_cast<double>(turn - first_) + share) / static_cast<double>(end_ - first_));
  }
  // One turn, or those of a sweep.
  void turnsFrom(std::uint64_t first, std::uint64_t count, std::uint32_t n,
                 const GcmcBoardNotes& notes) {
    if (first % static_cast<std::uint64_t>(board_.colours()) == 0) {
      gcmcBoardBinAll(exec_, board_);
      gcmcBoardTakeAll(exec_, board_);
    }
    const auto at = [&](double share) { tell(board_.head->turn, share); };
    GcmcProgress told;  // on the CPU: the head is in memory of the host
    if (Exec::backend == Backend::cpu && this->watched()) told = at;
    for (std::uint64_t k = 0; k < count; ++k) {
      exec_.forEach("turn", 1, GcmcBoardBegin{board_, k > 0});
      if (notes.event != nullptr || notes.out.on())
        attempts_.order(exec_, board_, n, notes, told);
      else
        attempts_.order(exec_, board_, n, NoGcmcTrace{}, told);
    }
    exec_.forEach("turn", 1, GcmcBoardEndTurn{board_});
  }

  void grow(const GcmcBoardHead& head) {
    const GcmcState s = state();
    counters_ = counters();
    const std::uint32_t need = head.most + static_cast<std::uint32_t>(board_.attempts);
    place(s, board_.rules, need + need / 4);
  }

  // Puts a state into the grid of its sweep, in the order of its slots; at least this number of
  // entries per cell, and room for a turn of insertions.
  void place(const GcmcState& s, const GcmcRules& rules, std::uint32_t entries) {
    exec_.synchronize();
    sums_.reset();
    box_ = s.box;
    board_.rules = rules, board_.idBase = s.idBase;
    board_.cube =
        gcmcBoardCells(box_, rules.pair,
                       board_.experiment == GcmcBoardExperiment::narrowCells ? kGcmcNarrow : 1.0);
    board_.typeBit = rules.pair.mixed ? kGcmcTypeBit : 0;
    gcmcBoardCutInto(exec_.config().allDomains(), board_.cube.count[board_.axis()]);
    spread_ = behind_ = false;
    if (rules.tail > 0)
      throw InputError(
          "tail = true: the correction of this cutoff is positive, and the checkerboard needs a "
          "negative one; choose a larger cutoff or tail = false");
    GcmcBoardHead head;
    head.turn = head.end = (s.move + board_.movesOfTurn() - 1) / board_.movesOfTurn();
    head.n = s.count();
    board_.head = &head;  // on the host, for what follows
    gcmcBoardShift(board_, head.shift);
    fill(s, entries);
    board_.head = head_.data();
    setHead(head);
    exec_.synchronize();
    attempts_.begin();
  }
  void fill(const GcmcState& s, std::uint32_t entries) {
    const std::size_t cells = board_.cube.allCells();
    const GcmcPlaced placed(
        s, cells, [&](GcmcPoint p) { return board_.cube.cellOf(board_.fromGrid(p)); },
        [&](std::uint32_t most) {
          return std::max(gcmcWholeVectors(entries),
                          gcmcBoardEntries(most, static_cast<std::uint32_t>(board_.attempts)));
        });
    buffer_[0] = GcmcBoardArrays::layout(cells, placed.id.size()).make(Exec::backend);
    buffer_[1] = {};
    board_.held = buffer_[0].view(placed.capacity);
    if (exec_.config().allDomains() == 1) makeSpare();
    buffer_[0].set(placed);
    edge_ = exec::Array<std::uint32_t>(Exec::backend, gcmcEdges(board_.cube, board_.typeBit));
    board_.edge = edge_.data();
  }

  // Room to order the cells in, where the whole board does so.
  void makeSpare() {
    if (buffer_[1].filled.size() > 0) return;
    const std::size_t cells = board_.cube.allCells();
    buffer_[1] = GcmcBoardArrays::layout(cells, cells * board_.held.capacity).make(Exec::backend);
    board_.spare = buffer_[1].view(board_.held.capacity);
    attempts_.begin();
  }

  GcmcBoard board_{};
  Attempts attempts_;
  GcmcCounters counters_;  // of what was done before the last placing
  GcmcBoardArrays buffer_[2];
  exec::Array<std::uint32_t> edge_;
  mutable std::optional<GcmcBoardDomains<Exec, Attempts>> domains_;
  bool spread_ = false;          // the domains have the cells
  mutable bool behind_ = false;  // the whole board, which they have changed
  RecordWriter trace_;
  std::uint32_t traced_ = 0;           // active cell, by index
  std::uint64_t tracedMove_ = 0;       // recorded last
  std::uint64_t first_ = 0, end_ = 0;  // turns of the present advance()
};

}  // namespace GCMC_TYPES
}  // namespace cellscope
