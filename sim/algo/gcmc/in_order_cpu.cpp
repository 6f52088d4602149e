#include <algorithm>

#include "sim/algo/gcmc/flight_decide.h"
#include "sim/algo/gcmc/in_order_impl.h"
#include "sim/algo/gcmc/slot_chain_serial.h"
#include "sim/exec/cpu_exec.h"

namespace cellscope {
namespace {

// One thread is the crew of a move.
struct CpuCrew {
  using Near = GcmcSlotEnergy::Near;
  const GcmcSlotEnergy& energies;
  const GcmcSlotCells& places;
  int lane() const { return 0; }
  std::uint32_t latest(std::uint32_t w) const { return w; }
  Near near(GcmcPoint at) const { return energies.near(at); }
  Near near(GcmcPoint at, GcmcPoint to) const { return energies.near(at, to); }
  template <class F>
  void forCells(const GcmcFlights& g, const Near& near, const F& f) const {
    for (int k = 0; k < near.count; ++k)
      f(near.cell[k], gcmcFirstOf(g, near.cell[k], kKnown),
        gcmcFirstOf(g, near.cell[k], kPossible));
  }
  int lanes() const { return 1; }
  // Cell after cell, those beyond the cutoff passed over.
  template <class Visit, class Pair>
  void forReads(const Near& near, GcmcPoint at, const Visit& visit, const Pair& pair) const {
    for (int k = 0; k < places.cube.cells(); ++k) {
      const std::uint32_t cell = gcmcCubeCell(places.cube, at, k).cell;
      const bool skipped =
          std::find(near.cell, near.cell + near.count, cell) == near.cell + near.count;
      const GcmcReader who{0, 0, k, 1, true};
      visit(cell, who, skipped);
      for (std::uint32_t j = 0; !skipped && j < places.filled[cell]; ++j) pair(cell, j, who);
    }
  }
  double energy(const Near& near, GcmcPoint at) const { return energies(near, at); }
  double change(const Near& near, GcmcPoint from, GcmcPoint to) const {
    return energies(near, to) - energies(near, from);
  }
};

class CpuRounds {
 public:
  void begin(const GcmcFlights& g, const Box& box) {
    energies_ = GcmcSlotEnergy(g.p, box, functions_);
  }
  template <class Notes, class At>
  void run(exec::CpuExec& exec, const GcmcFlights& g, std::uint64_t, const Notes& notes,
           const At& at) const {
    const bool serial = g.most == 1 && !g.ignore && !Notes::kOn;
    while (g.begins()) {
      at(g.head->move);
      serial ? GcmcSlotSerial(g, energies_).turn() : batch(exec, g, notes);
    }
  }

 private:
  static constexpr std::size_t kMoves = 16;  // of a thread at a time

  template <class Notes>
  void batch(exec::CpuExec& exec, const GcmcFlights& g, const Notes& notes) const {
    orderBegin(exec, g, g.sizeOfNext());
    while (g.head->stage == GcmcFlightStage::inFlight) {
      const std::uint32_t round = g.head->round, left = g.head->waiting[round % 3];
      const std::uint32_t* const list = g.list[round % 2];
      exec.forRanges("decide moves", left, kMoves, [&](std::size_t first, std::size_t end) {
        const CpuCrew crew{energies_, g.p};
        const GcmcDecide<CpuCrew, Notes> decide(g, crew, notes);
        for (std::size_t k = first; k < end; ++k) decide(list[k]);
      });
      orderApply(exec, g, left);
    }
  }

  GcmcCellFunctions functions_ = gcmcCellFunctionsFor();
  GcmcSlotEnergy energies_;
};

}  // namespace

std::unique_ptr<GcmcEngine> makeGcmcInOrderCpu(const exec::Shared& exec,
                                               const GcmcOptions& options) {
  return std::make_unique<GcmcInOrder<exec::CpuExec, CpuRounds>>(exec, options);
}

}  // namespace cellscope
