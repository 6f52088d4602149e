#include <algorithm>

#include "sim/algo/mpmc/cpu_kernels.h"
#include "sim/algo/mpmc/disk_cells.h"
#include "sim/base/error.h"
#include "sim/exec/cpu_exec.h"
#include "sim/exec/machine.h"
#include "sim/exec/memory.h"

namespace cellscope {
namespace {

// --- The parts of a sweep as phases: sub-sweeps, sorting of disks that left their cell, and the
// cell shift, each over bands of rows. ---

struct Phase {
  enum class Kind { update, rebin, room, keep, shift };
  Kind kind;
  const char* name;  // in the profile
  CellRule rule{};   // update: of the active cells of `set`
  int set = 0;
  std::uint32_t stage = 0;  // update: of its records
  bool last = false;        // rebin: of the sweep; marks of moves end
  CellShift shift{};
  // A shift along y comes next: every part keeps a copy of the row that another part will ask for,
  // its first (1) or last (-1).
  int keep = 0;
};

Phase updatePhase(const char* name, const CellRule& rule, int set, std::uint32_t stage) {
  return {.kind = Phase::Kind::update, .name = name, .rule = rule, .set = set, .stage = stage};
}
// Append a shift. `ask`: see first whether every cell has room; if not, nothing is changed.
void addShift(std::vector<Phase>& phases, const CellShift& shift, bool ask) {
  if (ask)
    phases.push_back({.kind = Phase::Kind::room, .name = "room in the cells", .shift = shift});
  if (const int keep = shiftStepY(shift.direction)) {
    // Once its own work is done, no other part changes the rows of a part.
    const bool inPlace = !phases.empty() && phases.back().kind != Phase::Kind::rebin;
    if (!inPlace) phases.push_back({.kind = Phase::Kind::keep, .name = "rows for the shift"});
    phases.back().keep = keep;
  }
  phases.push_back({.kind = Phase::Kind::shift, .name = "cell shift", .shift = shift});
}

// Rows are handed out in pairs 2 r, 2 r + 1: one of them is active in a sub-sweep. Of a strip those
// that are its own.
std::size_t haloPairs(const GridInfo& grid) { return static_cast<std::size_t>(grid.halo) / 2; }
std::size_t rowPairs(const GridInfo& grid) {
  return static_cast<std::size_t>(grid.rows()) / 2 - 2 * haloPairs(grid);
}

// Of rows as they were before a shift, one per part.
GridInfo keptRows(const GridInfo& grid, std::size_t parts) {
  GridInfo kept{grid.m, grid.slots, grid.w};
  kept.taller = static_cast<std::int32_t>(parts) - grid.m;
  return kept;
}

std::size_t rebinRows(const DiskCellsView& from, const DiskCellsView& to, std::size_t begin,
                      std::size_t end, bool last) {
  std::size_t overflow = kNoCell;
  for (std::size_t y = begin; y < end; ++y)
    for (int x = 0; x < from.grid.m; ++x) {
      CellContents c = gatherRebinned(from, x, static_cast<int>(y));
      if (last) c.moved = 0;
      if (c.overflow) overflow = std::min(overflow, from.grid.cell(x, static_cast<int>(y)));
      writeContents(to, x, static_cast<int>(y), c);
    }
  return overflow;
}

// A phased work (sim/exec/phases.h). A part is the same band of rows in every phase. The shift is
// done in place. Sorting of disks into cells writes to `next` and swaps, and only for it `next`
// needs memory. When a disk finds no free slot, `now` is kept and no more phases are done.
class SweepWork {
 public:
  SweepWork(const CpuKernels& kernels, const std::vector<Phase>& phases, DiskCells& now,
            DiskCells& next, const DiskCells& kept, const MpmcTrace& trace)
      : kernels_(kernels),
        phases_(phases),
        now_(now),
        next_(next),
        kept_(kept),
        trace_(trace),
        results_(static_cast<std::size_t>(kept.grid.rows())) {}

  std::size_t parts() const { return results_.size(); }
  const char* name(std::size_t phase) const { return phases_[phase].name; }
  void part(std::size_t phase, std::size_t part) {
    const Phase& p = phases_[phase];
    Result& result = results_[part];
    const std::size_t pairs = rowPairs(now_.grid), halo = haloPairs(now_.grid);
    const std::size_t begin = halo + pairs * part / parts(),
                      end = halo + pairs * (part + 1) / parts();
    switch (p.kind) {
      case Phase::Kind::update: {
        MpmcTally tally = result.tally[p.set];
        const SubSweepTask task{now_.view(), p.rule, p.set};
        if (halo > 0) updateHalos(task, part);
        if (trace_.on() && !p.rule.relax)
          updateRecorded(kernels_, task, trace_, p.stage, begin, end, tally);
        else
          kernels_.updateRows(task, begin, end, tally);
        result.tally[p.set] = tally;
        break;
      }
      case Phase::Kind::rebin:
        result.overflow = rebinRows(now_.view(), next_.view(), 2 * begin, 2 * end, p.last);
        break;
      case Phase::Kind::room:
      case Phase::Kind::shift:
        result.overflow = shiftPart(p, part, 2 * begin, 2 * end);
        break;
      case Phase::Kind::keep:
        break;
    }
    if (p.keep == 0) return;
    const auto row = static_cast<int>(p.keep > 0 ? 2 * begin : 2 * end - 1);
    copyRows({rowOf(now_.view(), row), keptRow(part), static_cast<std::size_t>(now_.grid.m)},
             Backend::cpu, Backend::cpu, static_cast<std::size_t>(now_.grid.slots));
  }
  bool finish(std::size_t phase) {
    const Phase::Kind kind = phases_[phase].kind;
    if (kind == Phase::Kind::update || kind == Phase::Kind::keep) return true;
    for (const Result& r : results_) overflow_ = std::min(overflow_, r.overflow);
    if (overflow_ != kNoCell) {
      action_ = kind == Phase::Kind::rebin ? "sorting disks into cells" : "shifting the cells";
      return false;
    }
    if (kind == Phase::Kind::rebin) std::swap(now_, next_);
    return true;
  }

  void addTo(MpmcCounters& counters) const {
    for (const Result& r : results_)
      for (int set = 0; set < 4; ++set) {
        const MpmcTally& t = r.tally[set];
        counters.attempted[set] += t.attempted;
        counters.accepted[set] += t.accepted;
        counters.overlap[set] += t.overlap;
        counters.leftCell[set] += t.leftCell;
      }
  }
  // Throws RunError when a disk found no free slot.
  void refuseOverflow() const {
    if (overflow_ != kNoCell) throw RunError(overflowMessage(now_.grid, overflow_, action_));
  }

 private:
  // Of one part, over all phases.
  struct alignas(64) Result {
    MpmcTally tally[4];  // by set
    std::size_t overflow = kNoCell;
  };

  CellRow keptRow(std::size_t part) const { return rowOf(kept_.view(), static_cast<int>(part)); }
  // What the neighbours do with their rows near this strip; they count those moves.
  void updateHalos(const SubSweepTask& task, std::size_t part) const {
    const std::size_t halo = haloPairs(now_.grid), end = halo + rowPairs(now_.grid);
    const auto first = static_cast<std::size_t>(now_.grid.firstPair());
    MpmcTally notCounted;
    if (part == 0) kernels_.updateRows(task, first, halo, notCounted);
    if (part + 1 == parts()) kernels_.updateRows(task, end, end + halo - first, notCounted);
  }
  std::size_t shiftPart(const Phase& phase, std::size_t part, std::size_t begin, std::size_t end) {
    ShiftTask task{now_.view(), phase.shift, {}, phase.kind == Phase::Kind::shift};
    const int step = shiftStepY(phase.shift.direction);
    const bool toHalo = now_.grid.halo > 0 && part == (step > 0 ? parts() - 1 : 0);
    if (step != 0 && task.store && !toHalo)
      task.beyond = keptRow((step > 0 ? part + 1 : part + parts() - 1) % parts());
    else if (step != 0)  // nobody changes it meanwhile
      task.beyond = rowOf(task.cells,
                          now_.grid.wrapRow(static_cast<int>(step > 0 ? end : begin) - (step < 0)));
    const CpuKernels& kernels = phase.shift.rounding > 0 ? kScalarKernels : kernels_;
    return kernels.shiftRows(task, begin, end);
  }

  const CpuKernels& kernels_;
  const std::vector<Phase>& phases_;
  DiskCells &now_, &next_;
  const DiskCells& kept_;   // of keptRows()
  const MpmcTrace& trace_;  // of the updates that do not relax
  std::vector<Result> results_;
  std::size_t overflow_ = kNoCell;
  const char* action_ = "";  // what the overflow interrupted
};

// --- The engine. ---

constexpr std::size_t kRowPairs = 2;  // least size of a part of a phase

class MpmcEngineCpu final : public StripEngine {
 public:
  MpmcEngineCpu(exec::Shared shared, const CpuKernels& kernels)
      : StripEngine(std::move(shared)),
        exec_(exec::as<exec::CpuExec>(shared_)),
        kernels_(kernels) {}

  void hold(const GridInfo& grid) override {
    DiskCells now = emptyCells(grid, kPaddingSlots);
    DiskCells kept(Backend::cpu, keptRows(grid, exec_.partsOf(rowPairs(grid), kRowPairs)));
    now_ = std::move(now);
    kept_ = std::move(kept);
    next_ = {};
    apart_ = grid.halo > 0;
    unsure_ = 0;
  }
  void setMapping(const MpmcMappingInfo&) override {}
  bool offers(const MpmcMappingInfo&, const MpmcParameters&) const override { return false; }

  void sweeps(const MpmcParameters& p, std::uint64_t first, std::uint64_t count) override {
    prepare(p.experiments);
    for (std::uint64_t done = 0; done < count; done += kSweepsAtATime) {
      std::vector<Phase> phases;
      const std::uint64_t end = std::min(count, done + kSweepsAtATime);
      for (std::uint64_t sweep = first + done; sweep < first + end; ++sweep) {
        const SweepSchedule s = scheduleOfSweep(p, now_.grid.w, sweep);
        for (int position = 0; position < 4; ++position)
          addSubSweep(phases, p, now_.grid.w, sweep, s.set[position], position);
        addShift(phases, s.shift, !apart_);
      }
      run(phases);
      if (!apart_ && !p.experiments.mayOverlap()) learnApart(end - done);
    }
  }
  void subSweep(const MpmcParameters& p, std::uint64_t sweep, int set) override {
    prepare(p.experiments);
    std::vector<Phase> phases;
    addSubSweep(phases, p, now_.grid.w, sweep, set, positionOfSet(p, now_.grid.w, sweep, set));
    run(phases);
  }
  void relax(const MpmcParameters& p, std::uint64_t sweep, int set) override {
    run({updatePhase("relaxing moves", cellRule(p, now_.grid.w, sweep, true), set, 0)});
  }
  void shift(const CellShift& shift) override {
    apart_ = apart_ && !(shift.rounding > 0);
    std::vector<Phase> phases;
    addShift(phases, shift, !apart_);
    run(phases);
  }

  MpmcCounters counters() const override { return counters_; }
  void resetCounters() override { counters_ = {}; }

  OverlapReport check() const override {
    const GridInfo& g = now_.grid;
    exec_.reduce("overlap check", g.cellCount(), OverlapReport{}, CheckCell{now_.view()},
                 AddReports{}, found_, kRows * static_cast<std::size_t>(g.m));
    const OverlapReport report = exec_.read(found_);
    apart_ = report.overlaps == 0 && report.misplaced == 0 && slotsSuffice(g);
    return report;
  }

  std::size_t bytes() const override { return now_.bytes() + next_.bytes() + kept_.bytes(); }

  void orderSweep(const MpmcParameters& p, std::uint64_t first, int local) override {
    sweeps(p, first + static_cast<std::uint64_t>(local), 1);
  }
  void orderCopies(const RowCopy& a, const RowCopy& b) override {
    for (const RowCopy& c : {a, b})
      copyRows(c, Backend::cpu, Backend::cpu, static_cast<std::size_t>(now_.grid.slots));
  }

 private:
  static constexpr std::size_t kRows = 8;              // rows of a part of the overlap check
  static constexpr std::uint64_t kSweepsAtATime = 64;  // in one parallel region

  static void addSubSweep(std::vector<Phase>& phases, const MpmcParameters& p, float w,
                          std::uint64_t sweep, int set, int position) {
    const CellRule rule = cellRule(p, w, sweep, false);
    phases.push_back(updatePhase("trial moves", rule, set, traceStage(sweep, position)));
    if (rule.margin > 0.0f)
      phases.push_back(
          {.kind = Phase::Kind::rebin, .name = "sorting disks into cells", .last = position == 3});
  }
  // Sorting of disks that left their cell needs other cells to write to; nothing else does.
  void prepare(const MpmcExperiments& e) {
    if (e.mayOverlap()) apart_ = false;
    if (e.leaveCell && next_.count.size() == 0) next_ = emptyCells(now_.grid, kPaddingSlots);
    if (!e.leaveCell) next_ = {};
    now_.markMoved(e.marksMoved());
    if (e.leaveCell) next_.markMoved(e.marksMoved());
  }
  // After some sweeps of disks that may overlap: now and then see whether they still do.
  void learnApart(std::uint64_t sweeps) {
    unsure_ += sweeps;
    if (unsure_ < kSweepsAtATime) return;
    unsure_ = 0;
    check();
  }
  void run(const std::vector<Phase>& phases) {
    SweepWork work(kernels_, phases, now_, next_, kept_, trace_);
    exec_.phases(phases.size(), work.parts(), work);
    work.addTo(counters_);
    work.refuseOverflow();
  }

  exec::CpuExec& exec_;
  const CpuKernels kernels_;
  DiskCells kept_;
  mutable exec::DeviceValue<OverlapReport> found_{Backend::cpu};
  MpmcCounters counters_;
};

}  // namespace

std::unique_ptr<MpmcEngine> makeMpmcEngineCpu(int threads, const std::string& kernels) {
  return std::make_unique<MpmcEngineCpu>(exec::makeExec({Backend::cpu, threads}),
                                         cpuKernels(kernels));
}

std::size_t mpmcBytesCpu(const GridInfo& grid, int threads) {
  const std::size_t parts =
      exec::CpuPool::partsOf(rowPairs(grid), kRowPairs, exec::threadsFor(threads));
  return DiskCells::layout(grid, kPaddingSlots).bytes() +
         DiskCells::layout(keptRows(grid, parts)).bytes();
}

std::unique_ptr<StripEngine> makeMpmcEngineCpu(const exec::Shared& exec) {
  return std::make_unique<MpmcEngineCpu>(exec, cpuKernels(""));
}

}  // namespace cellscope
