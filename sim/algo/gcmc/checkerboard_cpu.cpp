#include <algorithm>

#include "sim/algo/gcmc/board_cell.h"
#include "sim/algo/gcmc/board_hood.h"
#include "sim/algo/gcmc/checkerboard_impl.h"
#include "sim/exec/cpu_exec.h"

namespace cellscope {
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
  void signal(exec::CpuExec&, std::size_t) {}
  void makeWait(exec::CpuExec&, std::size_t) const {}
  template <class Make>
  void sweep(exec::CpuExec&, const GcmcBoard&, std::uint32_t, const Make& make) const {
    make();
  }

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
      GcmcBoardCell<GcmcBoardHood, Notes> cell(b, place, span, hood, tally, notes, traces);
      const std::uint64_t move =
          b.head->turn * b.movesOfTurn() + i * static_cast<std::uint64_t>(b.attempts);
      const auto attempts = static_cast<std::uint64_t>(cell.attempts());
      for (std::uint64_t k = 0; k < attempts; ++k)
        cell.attempt(move + k, gcmcDraw(b.rules, move + k));
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

}  // namespace cellscope
