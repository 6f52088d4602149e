// The methods of blocks and threads, written once over exec: the engine, and how each method orders
// its kernels.
#pragma once
#include "sim/algo/gcmc/block_moves.h"
#include "sim/algo/gcmc/device_chain.h"
#include "sim/base/error.h"

namespace cellscope {
inline namespace GCMC_TYPES {

// How a method orders moves. `Method` has
//   GcmcCube cube(const Box&, const GcmcPair&) const;   only where kCells
//   void order(Exec&, const GcmcArrays&, std::uint32_t n, std::uint64_t moves, const Trace&);
//     up to so many moves, from n particles; Trace: NoGcmcTrace or GcmcTrace
//   GcmcShare share(const GcmcCube&) const;
// and kCells, kSlotMajor and entries() (of a cell, to begin with).
template <class Exec, class Method>
class GcmcParallel final : public DeviceChain<Exec, GcmcHead> {
  using Base = DeviceChain<Exec, GcmcHead>;
  using Base::box_, Base::event_, Base::exec_, Base::head_, Base::setHead;

 public:
  GcmcParallel(exec::Shared shared, Method method, const GcmcOptions& options)
      : Base(std::move(shared)),
        method_(std::move(method)),
        batch_(static_cast<std::uint64_t>(std::max(1, options.movesPerLaunch))) {
    if (Exec::backend == Backend::cpu) batch_ = std::min(batch_, kGcmcMovesPerReport);
  }

  void upload(const GcmcState& s, const GcmcRules& rules) override {
    this->requireTypes(rules);
    exec_.synchronize();
    box_ = s.box, rules_ = rules, idBase_ = s.idBase;
    this->forgetEvents();
    reserve(std::max<std::size_t>(s.point.size(), 1));
    exec::copy(Exec::backend, held_.point.data(), Backend::cpu, s.point.data(),
               s.point.size() * sizeof(GcmcPoint));
    exec::copy(Exec::backend, held_.id.data(), Backend::cpu, s.id.data(),
               s.id.size() * sizeof(ParticleId));
    GcmcHead head;
    head.move = head.end = s.move, head.n = s.count(), head.acceptance = s.acceptance;
    setHead(head);
    entries_ = method_.entries();
    bin();
    head.energy = s.energy ? *s.energy : sums().energy;
    setHead(head);
  }
  void setRules(const GcmcRules& rules) override {
    rules_ = rules;
    bin();
    GcmcHead head = this->head();
    head.energy = sums().energy;
    setHead(head);
  }
  void setActivity(const GcmcRules& rules) override { rules_ = rules; }

  void advance(std::uint64_t moves) override {
    if (moves == 0) return;
    GcmcHead head = this->head();
    const std::uint64_t end = head.move + moves, last = trace_.out.on() ? end - 1 : end;
    while (head.move < last) {
      const std::uint64_t now = std::min(batch_, last - head.move);
      ask(head.move + now);
      method_.order(exec_, arrays(), head.n, now, NoGcmcTrace{});
      head = settled();
      this->report(1.0 - static_cast<double>(end - head.move) / static_cast<double>(moves));
    }
    while (head.move < end) head = tracedMove(head);
  }

  // The parts of advance(), for callers that order the moves of many chains at once: ask for moves
  // below `end`, order them for arrays(), and read what became of the chain; one that stopped for
  // want of room has room then and is to be asked again.
  void ask(std::uint64_t end) { exec_.forEach("ask for moves", 1, GcmcAsk{head_.data(), end}); }
  GcmcHead settled() {
    const GcmcHead head = this->head();
    if (head.stopped != 0) grow(head);
    return head;
  }
  GcmcArrays arrays() const {
    return {rules_,
            this->changingHead(),
            held_.point.data(),
            held_.id.data(),
            static_cast<std::uint32_t>(held_.point.size()),
            idBase_,
            grid_,
            event_.data(),
            event_.size()};
  }

  GcmcState state() const override {
    const GcmcHead head = this->head();
    GcmcState s;
    s.move = head.move, s.idBase = idBase_, s.acceptance = head.acceptance;
    this->copyTo(s, held_, head.n);
    return s;
  }

  double energy() const override { return this->head().energy; }
  GcmcSums sums() const override {
    const std::uint32_t n = this->head().n;
    if constexpr (kBruteForce)
      if (n > kGcmcMostBruteForce) return inCells().sums();
    exec_.reduce("energy of all pairs", n, GcmcSums{}, GcmcPairsOf{arrays()}, std::plus<GcmcSums>{},
                 this->sum_);
    return exec_.read(this->sum_);
  }
  std::vector<double> energiesAt(const std::vector<GcmcPoint>& points) const override {
    if constexpr (kBruteForce)
      if (this->head().n > kGcmcMostBruteForce) return inCells().energies(points);
    return this->atPoints(points, [&](const GcmcPoint* at, double* energy) {
      return GcmcEnergyAt{arrays(), at, energy};
    });
  }

  GcmcParticlesView particles() const override {
    return {held_.point.data(), held_.id.data(), this->head().n, idBase_};
  }
  GcmcCellsView cells() const override {
    if (grid_.capacity == 0) return {};
    const GcmcCube& c = grid_.cube;
    return {{c.count[0], c.count[1], c.count[2]},
            static_cast<int>(grid_.capacity),
            grid_.filled,
            grid_.entry,
            grid_.cellStride,
            grid_.entryStride};
  }

  GcmcShare share() const override { return method_.share(grid_.cube); }
  void setTrace(const RecordWriter& writer, ParticleId = -1) override { trace_.out = writer; }

  std::size_t bytes() const override {
    return GcmcParticleArrays::layout(0).held(held_) + GcmcCellArrays::layout({}, 0).held(cells_) +
           event_.bytes() + this->testBytes();
  }
  std::size_t capacity() const override { return held_.point.size(); }

 private:
  static constexpr bool kBruteForce = !Method::kCells && Exec::backend == Backend::cpu;
  GcmcCellStore inCells() const {
    return gcmcInCells(box_, rules_.pair,
                       {held_.point.data(), held_.point.data() + this->head().n});
  }
  // Over the records of the move before, or of this one when it had no room.
  GcmcHead tracedMove(const GcmcHead& head) {
    ask(head.move + 1);
    exec_.fill("no records", trace_.out.written, 1, std::uint64_t{0});
    method_.order(exec_, arrays(), head.n, 1, trace_);
    return settled();
  }

  // Room for n particles and more; what is there is kept.
  void reserve(std::size_t n) {
    const std::size_t kept = held_.point.size();
    if (n <= kept) return;
    GcmcParticleArrays more = GcmcParticleArrays::layout(gcmcRoom(n)).make(Exec::backend);
    exec::copy(Exec::backend, more.point.data(), Exec::backend, held_.point.data(),
               kept * sizeof(GcmcPoint));
    exec::copy(Exec::backend, more.id.data(), Exec::backend, held_.id.data(),
               kept * sizeof(ParticleId));
    held_ = std::move(more);
  }

  void grow(const GcmcHead& head) {
    if (head.fullCell == kGcmcNoCell) {  // of the array, or of a method's own copy of it
      if (head.n + kGcmcMostCandidates > held_.point.size()) reserve(held_.point.size() + 1);
      return;
    }
    entries_ += entries_ / 4 + 1;
    bin();
  }

  // Cells for the present rules, with all particles; more entries where a cell has no room.
  void bin() {
    if constexpr (Method::kCells) {
      grid_.cube = method_.cube(box_, rules_.pair);
      while (!binWith(grid_.cube.allCells())) {
      }
    }
  }
  bool binWith(std::size_t cells) {
    const std::vector<std::uint32_t> edge = gcmcEdges(grid_.cube);
    if (cells_.filled.size() != cells || cells_.entry.size() != cells * entries_ ||
        cells_.edge.size() != edge.size())
      cells_ = GcmcCellArrays::layout(grid_.cube, entries_).make(Exec::backend);
    cells_.edge.set(edge);
    grid_.capacity = entries_;
    grid_.cellStride = Method::kSlotMajor ? 1 : entries_;
    grid_.entryStride = Method::kSlotMajor ? cells : 1;
    grid_.filled = cells_.filled.data(), grid_.entry = cells_.entry.data();
    grid_.edge = cells_.edge.data();
    exec::DeviceValue<std::uint32_t> most(Exec::backend, 0);
    exec_.fill("empty cells", cells_.filled.data(), cells, 0u);
    exec_.forEach("bin particles", this->head().n, GcmcBin{grid_, held_.point.data(), most.data()});
    const std::uint32_t found = exec_.read(most);
    if (found <= entries_) return true;
    entries_ = gcmcEntries(entries_, found);
    return false;
  }

  Method method_;
  std::uint64_t batch_;
  GcmcRules rules_{};
  ParticleId idBase_ = 0;
  GcmcParticleArrays held_;
  GcmcGrid grid_;
  std::uint32_t entries_ = 0;
  GcmcCellArrays cells_;
  GcmcTrace trace_;
};

// --- How each method orders its kernels. ---

// One kernel per move.
void orderBlockMoves(auto& exec, const char* name, exec::TeamShape shape, const auto& kernel,
                     std::uint64_t moves) {
  for (std::uint64_t k = 0; k < moves; ++k) exec.teams(name, shape, kernel);
}
inline exec::TeamShape gcmcShape(int teams, int threads) {
  return {teams, threads, sizeof(double) * static_cast<std::size_t>(threads)};
}

template <class Exec>
class GcmcAllParticlesMethod {
 public:
  static constexpr bool kCells = false, kSlotMajor = false;
  explicit GcmcAllParticlesMethod(const GcmcOptions& o)
      : threads_(o.blockSize > 0 ? o.blockSize : kThreads) {}
  std::uint32_t entries() const { return 0; }

  GcmcShare share(const GcmcCube&) const { return {GcmcSharing::particles, {}, {}, 1, threads_}; }

  template <class Trace>
  void order(Exec& exec, const GcmcArrays& a, std::uint32_t n, std::uint64_t moves,
             const Trace& trace) {
    const auto most = static_cast<std::uint32_t>(std::min<std::uint64_t>(n + moves, a.capacity));
    const auto each = static_cast<std::uint32_t>(threads_);
    const int teams = std::clamp(static_cast<int>((most + each - 1) / each), 1, kMostTeams);
    const GcmcAllParticles share{static_cast<std::uint32_t>(teams) * each, threads_};
    orderBlockMoves(
        exec, Trace::kOn ? "move (all particles), recorded" : "move (all particles)",
        gcmcShape(teams, threads_),
        GcmcBlockMove<GcmcAllParticles, Trace>{a, share, teams, threads_, ofTeam_.data(), trace},
        moves);
  }

 private:
  static constexpr int kThreads = 256, kMostTeams = 4096;
  int threads_;  // of a block
  exec::Array<double> ofTeam_{Exec::backend, kMostTeams};
};

template <class Exec>
class GcmcCellsMethod {
 public:
  static constexpr bool kCells = true, kSlotMajor = false;
  explicit GcmcCellsMethod(const GcmcOptions& o)
      : row_(o.mapping),
        blockSize_(o.blockSize),
        entries_(static_cast<std::uint32_t>(std::max(1, o.cellCapacity))) {}
  std::uint32_t entries() const { return entries_; }
  GcmcCube cube(const Box& box, const GcmcPair& pair) {
    const auto rows = gcmcMappings(box.dimension);
    if (row_ < 0 || row_ >= static_cast<int>(rows.size()))
      throw InputError("mapping = " + std::to_string(row_) + " is not a row of the list of " +
                       std::to_string(rows.size()) + " mappings; choose 0 to " +
                       std::to_string(rows.size() - 1));
    mapping_ = gcmcWithBlockSize(rows[static_cast<std::size_t>(row_)], blockSize_);
    if (mapping_.lanes < 1 || mapping_.threads() > kGcmcMostThreads)
      throw InputError("block_size = " + std::to_string(blockSize_) + ": mapping " + mapping_.key +
                       " needs " + std::to_string(mapping_.across) + " to " +
                       std::to_string(kGcmcMostThreads) + " threads in a block");
    return gcmcCells(box, pair);
  }

  GcmcShare share(const GcmcCube& cube) const {
    return {GcmcSharing::mapping, cube, mapping_, mapping_.lanes, mapping_.threads()};
  }

  template <class Trace>
  void order(Exec& exec, const GcmcArrays& a, std::uint32_t, std::uint64_t moves,
             const Trace& trace) {
    const int teams = mapping_.blocks, threads = mapping_.threads();
    orderBlockMoves(exec, Trace::kOn ? "move (cells), recorded" : "move (cells)",
                    gcmcShape(teams, threads),
                    GcmcBlockMove<GcmcNeighbourCells, Trace>{
                        a, {mapping_}, teams, threads, ofTeam_.data(), trace},
                    moves);
  }

 private:
  int row_, blockSize_;
  std::uint32_t entries_;
  GcmcMapping mapping_{};
  exec::Array<double> ofTeam_{Exec::backend, 27};
};

// many: all moves of a launch in one kernel (S0, 3.3.4).
template <class Exec, bool many>
class GcmcMicrocellsMethod {
 public:
  static constexpr bool kCells = true, kSlotMajor = true;
  explicit GcmcMicrocellsMethod(const GcmcOptions& o)
      : skipBeyond_(o.skipBeyond), blockSize_(o.blockSize) {}
  std::uint32_t entries() const { return kGcmcMicrocellEntries; }
  GcmcCube cube(const Box& box, const GcmcPair& pair) const { return gcmcMicrocells(box, pair); }

  GcmcShare share(const GcmcCube& cube) const {
    return {
        GcmcSharing::oneBlock, cube, {}, 1, gcmcMicrocellThreads(cube, blockSize_), skipBeyond_};
  }

  template <class Trace>
  void order(Exec& exec, const GcmcArrays& a, std::uint32_t, std::uint64_t moves,
             const Trace& trace) {
    const int threads = gcmcMicrocellThreads(a.grid.cube, blockSize_);
    const std::uint64_t each = many ? moves : 1;
    const GcmcMicrocellMoves<Trace> kernel{a, static_cast<int>(each), threads, skipBeyond_, trace};
    const char* const name = Trace::kOn ? "move (microcells), recorded"
                             : many     ? "moves (microcells)"
                                        : "move (microcells)";
    for (std::uint64_t k = 0; k < moves; k += each) exec.teams(name, gcmcShape(1, threads), kernel);
  }

 private:
  bool skipBeyond_;
  int blockSize_;
};

template <class Exec>
std::unique_ptr<GcmcEngine> makeGcmcBlocksOn(const exec::Shared& exec, const GcmcOptions& o) {
  const auto made = [&](auto method) -> std::unique_ptr<GcmcEngine> {
    return std::make_unique<GcmcParallel<Exec, decltype(method)>>(exec, std::move(method), o);
  };
  if (o.blocks == GcmcBlocks::allParticles) return made(GcmcAllParticlesMethod<Exec>(o));
  if (o.blocks == GcmcBlocks::cells) return made(GcmcCellsMethod<Exec>(o));
  if (o.blocks == GcmcBlocks::microcells) return made(GcmcMicrocellsMethod<Exec, false>(o));
  return made(GcmcMicrocellsMethod<Exec, true>(o));
}

}  // namespace GCMC_TYPES

}  // namespace cellscope
