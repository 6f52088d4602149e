#include "sim/algo/gcmc/board_hood.h"
#include "sim/algo/gcmc/checkerboard_impl.h"
#include "sim/exec/cpu_exec.h"

namespace cellscope {
namespace {

// Twice the sums of the particles of cell i with all around them, vectorised: cells lie as in
// GcmcCellWords.
struct TwiceSums {
  const GcmcBoard& b;
  const GcmcCellFunctions& functions;

  GcmcSums operator()(std::size_t i) const {
    GcmcSums sums;
    const auto cell = static_cast<std::uint32_t>(i);
    if (b.held.filled[i] == 0 || !(b.rules.pair.cutoffSquared > 0)) return sums;
    std::vector<std::uint32_t> around;
    for (int j = 0; j < b.cube.cells(); ++j)
      around.push_back(gcmcCubeCell(b.cube, b.fromGrid(b.point(b.held, cell, 0)), j).cell);
    const GcmcCellWords words{b.held.word, b.held.filled, b.capacity};
    const double self = gcmcPairEnergy(b.rules.pair, 0),
                 ownVirial = gcmcPairVirial(b.rules.pair, 0);
    for (std::uint32_t k = 0; k < b.held.filled[i]; ++k) {
      const GcmcEnergyVirial e =
          functions.both(b.rules.pair, words, around.data(), static_cast<int>(around.size()),
                         b.point(b.held, cell, k));
      sums.energy += e.energy - self, sums.virial += e.virial - ownVirial;
    }
    return sums;
  }
};

// Cell after cell, several on each thread.
class Attempts {
 public:
  void order(exec::CpuExec& exec, const GcmcBoard& b, std::uint32_t) const {
    exec.forRanges("attempts of a colour", b.active(), kCells,
                   [&](std::size_t first, std::size_t end) { make(b, first, end); });
  }
  GcmcSums sums(exec::CpuExec& exec, const GcmcBoard& b) const {
    exec::DeviceValue<GcmcSums> out(Backend::cpu);
    exec.reduce("energy of all pairs", b.cube.allCells(), GcmcSums{}, TwiceSums{b, functions_},
                GcmcAddSums{}, out, 64);
    const GcmcSums twice = exec.read(out);
    return {0.5 * twice.energy, 0.5 * twice.virial};
  }

 private:
  static constexpr std::size_t kCells = 8;

  void make(const GcmcBoard& b, std::size_t first, std::size_t end) const {
    if (b.idle()) return;
    GcmcBoardHood hood(b, functions_);
    GcmcBoardTally tally;
    for (std::size_t i = first; i < end; ++i) {
      const GcmcBoardPlace place = gcmcBoardPlace(b, b.head->colour, i);
      const GcmcBoardSpan span = gcmcBoardSpan(b, place);
      hood.gather(place, span);
      GcmcBoardCell cell(b, place, span, hood, tally);
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
