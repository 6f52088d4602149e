#include "sim/algo/gcmc/board_cell.h"
#include "sim/algo/gcmc/board_hood.h"
#include "sim/algo/gcmc/board_sums_cpu.h"
#include "sim/algo/gcmc/checkerboard_impl.h"
#include "sim/exec/cpu_exec.h"

namespace cellscope {
namespace {

// Cell after cell, several on each thread.
class Attempts {
 public:
  template <class Notes>
  void order(exec::CpuExec& exec, const GcmcBoard& b, std::uint32_t, const Notes& notes) const {
    exec.forRanges("attempts of a colour", b.active(), kCells,
                   [&](std::size_t first, std::size_t end) { make(b, first, end, notes); });
  }
  void begin() {}
  template <class Make>
  void sweep(exec::CpuExec&, const GcmcBoard&, std::uint32_t, const Make& make) const {
    make();
  }
  GcmcSums sums(exec::CpuExec& exec, const GcmcBoard& b) const {
    return gcmcBoardSumsOnCpu(exec, b, functions_);
  }

 private:
  static constexpr std::size_t kCells = 8;

  template <class Notes>
  void make(const GcmcBoard& b, std::size_t first, std::size_t end, const Notes& notes) const {
    if (b.idle()) return;
    GcmcBoardHood hood(b, functions_);
    GcmcBoardTally tally;
    for (std::size_t i = first; i < end; ++i) {
      const GcmcBoardPlace place = gcmcBoardPlace(b, b.head->colour, i);
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
                                                    const GcmcBoardOptions& options) {
  return std::make_unique<GcmcCheckerboard<exec::CpuExec, Attempts>>(exec, options);
}

}  // namespace cellscope
