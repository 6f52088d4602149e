#include "sim/algo/mpmc/engine.h"

#include <algorithm>

#include "sim/algo/mpmc/cpu_kernels.h"
#include "sim/algo/mpmc/disk_cells.h"
#include "sim/algo/mpmc/phases_cpu.h"
#include "sim/exec/cpu_exec.h"
#include "sim/exec/machine.h"
#include "sim/exec/memory.h"

namespace cellscope {
namespace {

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
    if (rule.margin > 0.0f) phases.push_back(rebinPhase(position == 3));
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
