// Speculative moves on the CPU, with the cells of the serial chain. Candidates are shared among
// threads where their energies take longer than waking the threads does.
#include "sim/algo/gcmc/chain.h"
#include "sim/algo/gcmc/chain_store.h"
#include "sim/algo/gcmc/speculative.h"
#include "sim/exec/cpu_exec.h"

namespace cellscope {
namespace {

using Experiment = GcmcSpeculativeExperiment;

class SpeculativeChain final : public GcmcChain<GcmcCellStore> {
 public:
  SpeculativeChain(exec::Shared exec, const GcmcSpeculating& how)
      : exec_(std::move(exec)), how_(how) {}

  void advance(std::uint64_t moves) override {
    if (moves == 0) return;
    const std::uint64_t end = move_ + moves, last = trace_.out.on() ? end - 1 : end;
    drawn_ = move_;
    const std::uint64_t first = move_;
    for (std::uint64_t next = first; move_ < last;) {
      if (move_ >= next) {
        report(static_cast<double>(move_ - first) / static_cast<double>(moves));
        next = move_ + kGcmcMovesPerReport;
      }
      const auto wanted = static_cast<std::uint64_t>(gcmcCandidates(how_, acceptance_, move_));
      round(static_cast<int>(std::min(wanted, last - move_)));
    }
    if (move_ < end) makeTracedMove();
  }

 private:
  static constexpr std::uint64_t kDraws = 2 * kGcmcMostCandidates;
  static constexpr double kWorthThreads = 50000;  // pairs of a round: some 20 us

  void round(int count) {
    drawCandidates(count);
    const bool parallel = inParallel(count);
    const auto evaluate = [&](std::size_t begin, std::size_t end) {
      for (std::size_t j = begin; j < end; ++j)
        trial_[j] = evaluated(draw_[(move_ + j) % kDraws], move_ + j);
    };
    if (parallel)
      exec::as<exec::CpuExec>(exec_).forRanges("evaluate candidates",
                                               static_cast<std::size_t>(count), 1, evaluate);
    else
      evaluate(0, static_cast<std::size_t>(count));
    decide(count);
  }

  void decide(int count) {
    bool found = false;
    int decided = 0;
    while (decided < count && !(found && how_.experiment == Experiment::none)) {
      Trial& t = trial_[decided++];
      if (found) outdated(t);
      finish<false>(t);
      ++move_;
      found = found || t.accepted;
    }
    gcmcNoteRound(counters_.speculation, count, decided);
    acceptance_ = gcmcRunningAcceptance(acceptance_, decided, found ? 1 : 0);
  }
  // Of the experiments: a move that was evaluated with a state of the past.
  void outdated(Trial& t) const {
    if (how_.experiment == Experiment::countDiscarded) t.accepted = false;
    if (!t.accepted) return;
    t.n = store_.count();
    if (t.draw.kind == GcmcKind::insertion) return;
    t.accepted = t.slot < t.n && store_.id(t.slot) == t.id;  // it may be gone
    if (t.accepted) t.from = store_.point(t.slot);
  }

  // Random numbers of the moves of this round; those that the last one has left over are there.
  void drawCandidates(int count) {
    drawn_ = std::max(drawn_, move_);
    for (const std::uint64_t end = move_ + static_cast<std::uint64_t>(count); drawn_ < end;
         ++drawn_) {
      draw_[drawn_ % kDraws] = gcmcDraw(rules_, drawn_);
      store_.expectMove(rules_, draw_[drawn_ % kDraws]);
    }
  }
  bool inParallel(int count) const {
    if (!exec_ || exec::as<exec::CpuExec>(exec_).threads() < 2 || count < 2) return false;
    const GcmcCellsView v = store_.cells();
    const double cells = static_cast<double>(v.count[0]) * v.count[1] * v.count[2];
    const double around = std::min(1.0, (box_.dimension == 3 ? 27 : 9) / cells);
    return around * store_.count() * count > kWorthThreads;
  }

  exec::Shared exec_;
  GcmcSpeculating how_;
  Trial trial_[kGcmcMostCandidates];
  GcmcDraw draw_[kDraws];    // by number of the move
  std::uint64_t drawn_ = 0;  // moves below it are drawn
};

}  // namespace

std::unique_ptr<GcmcEngine> makeGcmcSpeculativeCpu(const exec::Shared& exec,
                                                   const GcmcOptions& options) {
  return std::make_unique<SpeculativeChain>(exec, gcmcSpeculating(options));
}

}  // namespace cellscope
