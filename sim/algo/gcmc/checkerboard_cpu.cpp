#include "sim/algo/gcmc/board_cell.h"
#include "sim/algo/gcmc/checkerboard_impl.h"
#include "sim/exec/cpu_exec.h"

namespace cellscope {

// Whether a particle interacts with no point of the cell, by the arithmetic of the pair law
// (gcmcBeyond): it need not be looked at in any attempt.
static bool gcmcBoardBeyond(const GcmcBoard& b, const GcmcBoardSpan& s, GcmcPoint p) {
  const std::uint32_t* const shift = b.head->shift;
  const std::uint32_t word[3] = {p.x - shift[0], p.y - shift[1], p.z - shift[2]};
  float square[3] = {0, 0, 0};
  for (int k = 0; k < b.rules.dimension; ++k) {
    const std::uint32_t gap = gcmcGap(word[k], s.first[k], s.first[k] + s.width[k] - 1);
    const float d = gcmcImage(gap, 0, b.rules.pair.unit[k]);
    square[k] = mulRn(d, d);
  }
  return addRn(addRn(square[0], square[1]), square[2]) >= gcmcReachSquared(b.rules.pair);
}

// What is around an active cell of the checkerboard, on the CPU: the particles within reach of the
// cell and those in it, gathered once for all attempts of a turn, so that energies are sums over
// two contiguous arrays.

class GcmcBoardHood {
 public:
  GcmcBoardHood(const GcmcBoard& b, const GcmcCellFunctions& functions)
      : b_(b), functions_(functions) {}

  void gather(const GcmcBoardPlace& place, const GcmcBoardSpan& span) {
    cell_ = place.cell, place_ = place;
    makeRoom(place);
    filled_[kOwn] = b_.held.filled[cell_], filled_[kOthers] = 0;
    for (std::uint32_t k = 0; k < filled_[kOwn]; ++k) set(kOwn, k, b_.held.point(cell_, k));
    for (int j = 0; j < gcmcBoardNeighbours(b_); ++j) {
      const std::uint32_t cell = gcmcBoardNeighbour(b_, place, j);
      if (cell == cell_) continue;
      for (std::uint32_t k = 0; k < b_.held.filled[cell]; ++k) {
        const GcmcPoint p = b_.held.point(cell, k);
        if (!gcmcBoardBeyond(b_, span, p)) set(kOthers, filled_[kOthers]++, p);
      }
    }
  }

  std::uint32_t lane() const { return 0; }
  std::uint32_t count() const { return filled_[kOwn]; }
  GcmcPoint own(std::uint32_t k) const {
    return {word_[k], word_[capacity_ + k], word_[2 * std::size_t{capacity_} + k]};
  }
  void put(std::uint32_t k, GcmcPoint p) {
    set(kOwn, k, p);
    b_.held.put(cell_, k, p);
  }
  void insert(GcmcPoint p, ParticleId id) {
    const std::uint32_t k = filled_[kOwn]++;
    put(k, p);
    b_.held.idOf(cell_, k) = id;
    b_.held.filled[cell_] = filled_[kOwn];
  }
  void erase(std::uint32_t k) {
    const std::uint32_t last = --filled_[kOwn];
    put(k, own(last));
    b_.held.idOf(cell_, k) = b_.held.idOf(cell_, last);
    b_.held.filled[cell_] = last;
  }

  // Of recording instances: cell after cell, as gathered.
  void forReads(const GcmcBoardSpan& span, const auto& visit, const auto& pair) const {
    for (int j = 0; j < gcmcBoardNeighbours(b_); ++j) {
      const std::uint32_t cell = gcmcBoardNeighbour(b_, place_, j);
      visit(cell, GcmcReader{0, 0, j, 1, true});
      for (std::uint32_t k = 0; k < b_.held.filled[cell]; ++k)
        if (cell == cell_ || !gcmcBoardBeyond(b_, span, b_.held.point(cell, k))) pair(cell, k, 0u);
    }
  }
  double energy(GcmcPoint p, std::uint32_t self) const {
    static constexpr std::uint32_t kBoth[] = {kOwn, kOthers};
    const double u = functions_.energy(b_.rules.pair, words(), kBoth, 2, p);
    return self == kGcmcBoardNobody ? u : u - gcmcPairAt(b_.rules.pair, p, own(self));
  }
  double change(GcmcPoint from, GcmcPoint to, std::uint32_t self) const {
    return energy(to, self) - energy(from, self);
  }
  // No pair of one type has less than -1: the own cell may be enough.
  double least(GcmcPoint p) const {
    if (b_.rules.pair.mixed) return -INFINITY;
    static constexpr std::uint32_t kFirst[] = {kOwn};
    return functions_.energy(b_.rules.pair, words(), kFirst, 1, p) - 1.001 * filled_[kOthers];
  }

 private:
  static constexpr std::uint32_t kOwn = 0, kOthers = 1;
  GcmcCellWords words() const { return gcmcCellsInRow(word_.data(), filled_, capacity_); }
  void set(std::uint32_t part, std::uint32_t k, GcmcPoint p) {
    std::uint32_t* w = &word_[3 * std::size_t{part} * capacity_ + k];
    w[0] = p.x, w[capacity_] = p.y, w[2 * std::size_t{capacity_}] = p.z;
  }
  void makeRoom(const GcmcBoardPlace& place) {
    std::uint32_t most = b_.held.capacity;
    for (int j = 0; j < gcmcBoardNeighbours(b_); ++j)
      most += b_.held.filled[gcmcBoardNeighbour(b_, place, j)];
    most = (most + 15) / 16 * 16;
    if (most <= capacity_) return;
    capacity_ = most;
    word_.assign(6 * std::size_t{most}, 0);
  }

  const GcmcBoard& b_;
  const GcmcCellFunctions functions_;
  std::uint32_t cell_ = 0, capacity_ = 0;
  GcmcBoardPlace place_{};
  std::uint32_t filled_[2] = {0, 0};
  std::vector<std::uint32_t> word_;  // two cells as of gcmcCellsInRow(): own, others
};

namespace {

// Cell after cell, several on each thread.
class Attempts {
 public:
  template <class Notes>
  void order(exec::CpuExec& exec, const GcmcBoard& b, std::uint32_t, const Notes& notes,
             const GcmcProgress& at) const {
    const GcmcBoardShare share = gcmcBoardShare(b);
    const std::size_t all = share.count;
    const std::size_t part =
        at ? std::max(kCells, kAttempts / static_cast<std::size_t>(b.attempts)) : all;
    for (std::size_t from = 0; from < all; from += part) {
      if (from > 0) at(static_cast<double>(from) / static_cast<double>(all));
      exec.forRanges("attempts of a colour", std::min(part, all - from), kCells,
                     [&](std::size_t first, std::size_t end) {
                       make(b, share, from + first, from + end, notes);
                     });
    }
  }
  void begin() {}
  int threadsOfCell(const exec::CpuExec&, const GcmcBoard&) const { return 1; }
  void signal(exec::CpuExec&, std::size_t) {}
  void makeWait(exec::CpuExec&, std::size_t) const {}
  void sweep(exec::CpuExec&, const GcmcBoard&, std::uint32_t, const auto& make) const { make(); }

 private:
  static constexpr std::size_t kCells = 8;
  static constexpr std::size_t kAttempts = 65536;  // between two reports

  template <class Notes>
  void make(const GcmcBoard& b, const GcmcBoardShare& share, std::size_t first, std::size_t end,
            const Notes& notes) const {
    if (b.idle()) return;
    GcmcBoardHood hood(b, functions_);
    GcmcBoardTally tally;
    for (std::size_t own = first; own < end; ++own) {
      const std::size_t i = share.at(own);
      const GcmcBoardPlace place = gcmcBoardPlace(b, b.head->colour, i);
      if constexpr (!Notes::kOn)
        if (gcmcBoardRests(b, place)) {
          tally.attempted[0] += static_cast<std::uint32_t>(b.attempts);
          continue;
        }
      const GcmcBoardSpan span = gcmcBoardSpan(b, place);
      hood.gather(place, span);
      bool traces = false;
      if constexpr (Notes::kOn) traces = notes.traces(b, i);
      GcmcBoardCell<GcmcBoardHood, Notes> cell(b, place, span, hood, notes, traces);
      const std::uint64_t move =
          b.head->turn * b.movesOfTurn() + i * static_cast<std::uint64_t>(b.attempts);
      const auto attempts = static_cast<std::uint64_t>(cell.attempts());
      for (std::uint64_t k = 0; k < attempts; ++k)
        cell.attempt(move + k, gcmcDraw(b.rules, move + k), tally);
    }
    tally.addTo(*b.head);
  }

  GcmcCellFunctions functions_ = gcmcCellFunctionsFor();
};

}  // namespace

std::unique_ptr<GcmcEngine> makeGcmcCheckerboardCpu(const exec::Shared& exec,
                                                    const GcmcOptions& options) {
  return std::make_unique<GcmcCheckerboard<exec::CpuExec, Attempts>>(exec, options);
}

std::unique_ptr<GcmcBoardPart> makeGcmcBoardPartCpu(const ExecConfig& config) {
  return std::make_unique<GcmcBoardDomains<exec::CpuExec, Attempts>>(config);
}

}  // namespace cellscope
