#include "sim/algo/mpmc/engine_cpu.h"

#include <algorithm>
#include <mutex>

#include "sim/algo/mpmc/cpu_kernels.h"
#include "sim/algo/mpmc/disk_cells.h"
#include "sim/algo/mpmc/overlap_check.h"
#include "sim/api/error.h"
#include "sim/exec/cpu_exec.h"

namespace cellscope {
namespace {

// Cells with room behind the last slot for kernels that read whole vectors.
DiskCells paddedCells(const GridInfo& grid) {
  DiskCells cells;
  cells.grid = grid;
  cells.disk = exec::Array<Vec2>(Backend::cpu, grid.slotCount() + kPaddingSlots);
  cells.id = exec::Array<std::uint32_t>(Backend::cpu, grid.slotCount() + kPaddingSlots);
  cells.count = exec::Array<std::uint8_t>(Backend::cpu, grid.cellCount() + kPaddingSlots);
  std::fill_n(cells.disk.data(), cells.disk.size(), Vec2{kEmptySlot, kEmptySlot});
  std::fill_n(cells.id.data(), cells.id.size(), kNoId);
  cells.count.zero();
  return cells;
}

class MpmcEngineCpu final : public MpmcEngine {
 public:
  MpmcEngineCpu(int threads, const CpuKernels& kernels) : exec_(threads), kernels_(kernels) {}

  Backend backend() const override { return Backend::cpu; }

  void upload(const DiskCells& host) override {
    DiskCells now = paddedCells(host.grid), next = paddedCells(host.grid);
    std::copy_n(host.disk.data(), host.grid.slotCount(), now.disk.data());
    std::copy_n(host.id.data(), host.grid.slotCount(), now.id.data());
    std::copy_n(host.count.data(), host.grid.cellCount(), now.count.data());
    now_ = std::move(now);
    next_ = std::move(next);
  }
  DiskCells download() const override {
    DiskCells host(Backend::cpu, now_.grid);
    std::copy_n(now_.disk.data(), now_.grid.slotCount(), host.disk.data());
    std::copy_n(now_.id.data(), now_.grid.slotCount(), host.id.data());
    std::copy_n(now_.count.data(), now_.grid.cellCount(), host.count.data());
    return host;
  }
  DiskCellsView view() const override { return now_.view(); }
  void setMapping(MpmcMapping) override {}

  void sweeps(const MpmcParameters& p, std::uint64_t first, std::uint64_t count) override {
    for (std::uint64_t sweep = first; sweep < first + count; ++sweep) {
      const SweepSchedule s = scheduleOfSweep(p, now_.grid.w, sweep);
      for (const std::uint8_t set : s.set) subSweep(p, sweep, set);
      shift(s.shift);
    }
  }
  void subSweep(const MpmcParameters& p, std::uint64_t sweep, int set) override {
    const CellRule rule = cellRule(p, now_.grid.w, sweep, false);
    update(rule, set, "trial moves");
    if (rule.margin > 0.0f) rebin();
  }
  void relax(const MpmcParameters& p, std::uint64_t sweep, int set) override {
    update(cellRule(p, now_.grid.w, sweep, true), set, "relaxing moves");
  }
  void shift(const CellShift& shift) override {
    const ShiftTask task{now_.view(), next_.view(), shift};
    gather("cell shift", "shifting the cells", [&](std::size_t begin, std::size_t end) {
      return kernels_.shiftRows(task, begin, end);
    });
  }

  MpmcCounters counters() const override { return counters_; }
  void resetCounters() override { counters_ = {}; }

  OverlapReport check() const override {
    const DiskCellsView cells = now_.view();
    OverlapReport none;
    none.smallestSquared = kFarSquared;
    return exec_.reduce(
        "overlap check", static_cast<std::size_t>(cells.grid.m), none,
        [&](std::size_t y) { return checkRow(cells, static_cast<int>(y)); }, combine, kRows);
  }

  std::size_t bytes() const override { return now_.bytes() + next_.bytes(); }
  std::vector<KernelTime> kernelTimes() const override { return exec_.profile().read(); }

 private:
  static constexpr std::size_t kRows = 8;  // rows handed to a thread at a time

  void update(const CellRule& rule, int set, const char* name) {
    const SubSweepTask task{now_.view(), rule, set};
    std::mutex mutex;
    exec_.forRanges(name, static_cast<std::size_t>(now_.grid.m) / 2, kRows,
                    [&](std::size_t begin, std::size_t end) {
                      MpmcTally tally;
                      kernels_.updateRows(task, begin, end, tally);
                      std::lock_guard lock(mutex);
                      add(set, tally);
                    });
  }
  void add(int set, const MpmcTally& t) {
    counters_.attempted[set] += t.attempted;
    counters_.accepted[set] += t.accepted;
    counters_.overlap[set] += t.overlap;
    counters_.leftCell[set] += t.leftCell;
  }

  void rebin() {
    const DiskCellsView from = now_.view(), to = next_.view();
    gather("sorting disks into cells", "sorting disks into cells",
           [&](std::size_t begin, std::size_t end) { return rebinRows(from, to, begin, end); });
  }
  static std::size_t rebinRows(const DiskCellsView& from, const DiskCellsView& to,
                               std::size_t begin, std::size_t end) {
    std::size_t overflow = kNoCell;
    for (std::size_t y = begin; y < end; ++y)
      for (int x = 0; x < from.grid.m; ++x) {
        const CellContents c = gatherRebinned(from, x, static_cast<int>(y));
        if (c.overflow) overflow = std::min(overflow, from.grid.cell(x, static_cast<int>(y)));
        writeContents(to, x, static_cast<int>(y), c);
      }
    return overflow;
  }

  // Fill next_ by rows with f(begin, end), which returns an overflowing cell or kNoCell, and swap.
  // On overflow the present state is kept.
  template <class F>
  void gather(const char* name, const char* action, const F& f) {
    std::mutex mutex;
    std::size_t overflow = kNoCell;
    exec_.forRanges(name, static_cast<std::size_t>(now_.grid.m), kRows,
                    [&](std::size_t begin, std::size_t end) {
                      const std::size_t cell = f(begin, end);
                      std::lock_guard lock(mutex);
                      overflow = std::min(overflow, cell);
                    });
    if (overflow != kNoCell) throw RunError(overflowMessage(now_.grid, overflow, action));
    std::swap(now_, next_);
  }

  mutable exec::CpuExec exec_;
  const CpuKernels& kernels_;
  DiskCells now_, next_;
  MpmcCounters counters_;
};

}  // namespace

std::unique_ptr<MpmcEngine> makeMpmcEngineCpu(int threads, const std::string& kernels) {
  return std::make_unique<MpmcEngineCpu>(threads, cpuKernels(kernels));
}

std::unique_ptr<MpmcEngine> makeMpmcEngineCpu(int threads) {
  return makeMpmcEngineCpu(threads, "");
}

}  // namespace cellscope
