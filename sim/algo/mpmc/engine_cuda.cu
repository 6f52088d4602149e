// CUDA engine of massively parallel Monte Carlo: whole batches of sweeps run from CUDA graphs.
#include <map>
#include <optional>
#include <tuple>

#include "sim/algo/mpmc/disk_cells.h"
#include "sim/algo/mpmc/reference_kernels.cuh"
#include "sim/algo/mpmc/shift.cuh"
#include "sim/base/error.h"
#include "sim/exec/cuda_check.h"
#include "sim/exec/cuda_exec.cuh"

namespace cellscope {
namespace {

using namespace mpmc;

class MpmcEngineCuda final : public StripEngine {
 public:
  explicit MpmcEngineCuda(exec::Shared shared)
      : StripEngine(std::move(shared)),
        exec_(exec::as<exec::CudaExec>(shared_)),
        input_(Backend::cuda, 1),
        plan_(Backend::cuda, 1) {
    // Programmatic dependent launch came with compute capability 9.0.
    overlapLaunches_ =
        exec::deviceAttribute(cudaDevAttrComputeCapabilityMajor, shared_->config().device) >= 9;
    if (shared_->config().together > 1) beside_ = SideBySide::on(shared_->config().device);
  }

  void hold(const GridInfo& grid) override {
    if (!aside_) refuseManySlots(grid);
    GridInfo held = now_.grid;
    held.w = grid.w;
    graphs_.clear();
    apart_ = grid.halo > 0, unsure_ = 0;
    if (next_.count.size() == 0 || held != grid) return make(grid);
    // In the same memory: freeing it waits for all that the GPU does, other runs included.
    now_.grid = next_.grid = grid;
    emptyOn(exec_, now_), emptyOn(exec_, next_);
  }
  void setAside(bool aside) override {
    aside_ = aside;
    if (!aside || next_.count.size() == 0) return;
    graphs_.clear(), next_ = {};
  }

  void setMapping(const MpmcMappingInfo& mapping) override { mapping_ = &mapping; }
  bool offers(const MpmcMappingInfo& mapping, const MpmcParameters& p) const override {
    if (sharesLaunches(p)) return mapping.sideBySide;
    return fast(p) && (!mapping.tiles || tilesFit(p));
  }

  void sweeps(const MpmcParameters& p, std::uint64_t first, std::uint64_t count) override {
    prepare(p.experiments.marksMoved());
    if (!fast(p)) {
      for (std::uint64_t s = first; s < first + count; ++s) referenceSweep(p, s);
      return exec_.synchronize();
    }
    learnApart(count);
    if (!apart_) return guardedSweeps(p, first, count);
    if (mapping_->sideBySide && sharesLaunches(p) && !trace_.on())
      return sweepsBeside(p, first, count);
    if (mapping_->tiles && tilesFit(p) && (!trace_.on() || resident_.canRecord()))
      return residentSweeps(p, first, count);
    // Now and then one sweep is launched kernel by kernel and timed, for the performance panel.
    if (count > 0 && exec_.timesSoon("cell shift")) {
      runBatch(p, first++, 1), --count;
    }
    while (count > 0) {
      int batch = 1;
      for (const int length : {2, 8, kBatch})
        if (!trace_.on() && count >= static_cast<std::uint64_t>(length)) batch = length;
      runBatch(p, first, batch);
      first += batch, count -= batch;
    }
    exec_.synchronize();
  }

  void subSweep(const MpmcParameters& p, std::uint64_t sweep, int set) override {
    prepare(p.experiments.marksMoved());
    update(p, sweep, set, false);
    exec_.synchronize();
  }
  void relax(const MpmcParameters& p, std::uint64_t sweep, int set) override {
    prepare(now_.moved.size() > 0);
    update(p, sweep, set, true);
    exec_.synchronize();
  }
  void shift(const CellShift& shift) override {
    prepare(now_.moved.size() > 0);
    gather(shift, false, false, "shifting the cells");
    exec_.synchronize();
  }

  MpmcCounters counters() const override {
    MpmcCounters total = folded_;
    counters_.addTo(total, exec_, counted_);
    return total;
  }
  void resetCounters() override {
    folded_ = {};
    counters_.blocks.zero();
  }

  OverlapReport check() const override {
    exec_.reduce("overlap check", now_.grid.cellCount(), OverlapReport{}, CheckCell{now_.view()},
                 AddReports{}, found_);
    const OverlapReport report = exec_.read(found_);
    apart_ = report.overlaps == 0 && report.misplaced == 0 && slotsSuffice(now_.grid);
    return report;
  }

  std::size_t bytes() const override {
    return now_.bytes() + next_.bytes() + counters_.blocks.bytes() + resident_.bytes() +
           input_.bytes() + plan_.bytes();
  }

  void orderSweep(const MpmcParameters& p, std::uint64_t first, int local) override {
    static_assert(kPlanned <= kBatch);
    if (local == 0) {
      sendInput(p, first);
      enqueuePlan();
    }
    enqueueSweep(p.nMoves == 4, local);
  }
  void orderCopies(const RowCopy& a, const RowCopy& b) override {
    exec_.forEach("halos", a.cells + b.cells, CopyRows{a, b, now_.grid.slots});
  }
  void signal() override { done_.record(exec_.stream()); }
  void waitFor(const StripEngine& other) override {
    static_cast<const MpmcEngineCuda&>(other).done_.makeWait(exec_.stream());
  }
  void synchronize() override { exec_.synchronize(); }

 private:
  void make(const GridInfo& grid) {
    DiskCells now = emptyOn(exec_, grid), next = aside_ ? DiskCells() : emptyOn(exec_, grid);
    folded_ = counters(), counters_ = {};  // before their layout changes
    now_ = std::move(now);
    next_ = std::move(next);
    resident_.prepare(now_.grid, shared_->config());
    counterStride_ = Counters::stride(now_.grid, resident_.tiles());
    counters_ = Counters::layout(now_.grid, resident_.tiles()).make(Backend::cuda);
    counters_.blocks.zero();
  }

  // Batch, n_M = 4, mapping, first buffer.
  using GraphKey = std::tuple<int, bool, const MpmcMappingInfo*, const void*>;
  static constexpr std::uint64_t kUnsureSweeps = 64;

  // Before moves and shifts of cells that may have been set aside.
  void prepare(bool marks) {
    if (next_.count.size() == 0) {
      refuseManySlots(now_.grid);
      next_ = emptyOn(exec_, now_.grid);
    }
    now_.markMoved(marks);
    next_.markMoved(marks);
  }

  // Disks that may overlap: whether they still do is asked before the first sweep and now and then.
  void learnApart(std::uint64_t sweeps) {
    if (apart_) return;
    if (unsure_ == 0) check();
    unsure_ = unsure_ + sweeps < kUnsureSweeps ? unsure_ + sweeps : 0;
  }

  // The hand-written kernels cover four slots, n_M moves that stay in their cell, exact shifts.
  bool fast(const MpmcParameters& p) const {
    return now_.grid.slots == 4 && !p.experiments.mayOverlap() && !p.experiments.moveOnce;
  }

  // overlapped: the launch may begin its preamble while the launch before it drains. The preamble
  // reads the sweep plan, so the first launch after the plan must wait in full.
  template <class Kernel, class Args>
  void start(const char* name, Kernel kernel, dim3 grid, dim3 block, const Args& args,
             bool overlapped) {
    cudaLaunchConfig_t config{};
    config.gridDim = grid;
    config.blockDim = block;
    config.stream = exec_.stream();
    cudaLaunchAttribute attribute{};
    attribute.id = cudaLaunchAttributeProgrammaticStreamSerialization;
    attribute.val.programmaticStreamSerializationAllowed = 1;
    config.attrs = &attribute;
    config.numAttrs = overlapped && overlapLaunches_ ? 1 : 0;
    exec_.launch(name, [&] { exec::checkCuda(cudaLaunchKernelEx(&config, kernel, args), name); });
  }

  // Every launch goes through the grid the other way than the one before it: what that one wrote
  // last is still in the cache.
  static bool backwards(int local, int position) { return (local * 5 + position) % 2 == 1; }

  void enqueueSubSweep(bool fourMoves, int local, int position) {
    const std::size_t cells = now_.grid.cellCount();
    Vec2* disk = now_.disk.data();
    const SubSweepArgs args{now_.view(),
                            keys_,
                            {disk, disk + cells, disk + 2 * cells, disk + 3 * cells},
                            plan_.data(),
                            local,
                            position,
                            counters_.blocks.data(),
                            counterStride_,
                            backwards(local, position)};
    const bool overlapped = position > 0 || (local > 0 && now_.grid.halo == 0);
    const SubSweepLaunch how = mapping_->subSweep(now_.grid, fourMoves);
    if (trace_.on())
      start("trial moves", how.kernels.recorded, how.grid, how.block,
            RecordedSubSweepArgs{args, trace_}, overlapped);
    else
      start("trial moves", how.kernels.fast, how.grid, how.block, args, overlapped);
  }

  // One at a time, of disks that may overlap: the state before a shift that finds no room is kept.
  void guardedSweeps(const MpmcParameters& p, std::uint64_t first, std::uint64_t count) {
    for (std::uint64_t s = first; s < first + count; ++s) {
      runBatch(p, s, 1);
      refuseOverflow("shifting the cells");
    }
  }

  void residentSweeps(const MpmcParameters& p, std::uint64_t first, std::uint64_t count) {
    for (int some = 0; count > 0; first += some, count -= some) {
      some = static_cast<int>(std::min(count, ResidentSweeps::kMost));
      resident_.start(exec_,
                      {.cells = {now_.view(), next_.view()},
                       .parameters = p,
                       .keys = roundKeys(hashSeed(p.seed)),
                       .firstSweep = first,
                       .sweeps = some,
                       .counters = counters_.blocks.data(),
                       .counterStride = counterStride_},
                      trace_);
      if (some % 2 == 1) std::swap(now_, next_);
    }
    exec_.synchronize();
  }

  bool tilesFit(const MpmcParameters& p) const {
    return resident_.possible() && p.nMoves == kTileMoves;
  }
  // With other runs on the same device.
  bool sharesLaunches(const MpmcParameters& p) const {
    return beside_ && fast(p) && p.nMoves == kTileMoves &&
           beside_->pays(now_.grid, shared_->config().together);
  }
  void sweepsBeside(const MpmcParameters& p, std::uint64_t first, std::uint64_t count) {
    exec_.synchronize();
    beside_->run(
        {{now_.view(), next_.view()}, p, first, count, counters_.blocks.data(), counterStride_});
    if (count % 2 == 1) std::swap(now_, next_);
  }

  void enqueueShift(int local) {
    const ShiftArgs args{now_.view(), next_.view(),        plan_.data(),
                         local,       backwards(local, 4), status_.data()};
    const dim3 block(2 * kShiftPairs, kShiftRows);
    const GridInfo& g = now_.grid;
    const dim3 grid(divideUp(g.m / 2, kShiftPairs), divideUp(g.rows() - 2 * g.halo, kShiftRows));
    start("cell shift", apart_ ? shiftKernel<false> : shiftKernel<true>, grid, block, args, true);
  }

  void enqueueSweep(bool fourMoves, int local) {
    for (int position = 0; position < 4; ++position) enqueueSubSweep(fourMoves, local, position);
    enqueueShift(local);
    std::swap(now_, next_);
  }

  void enqueuePlan() {
    exec_.launch("sweep plan", [&] {
      planKernel<<<1, kBatch, 0, exec_.stream()>>>(input_.data(), now_.grid.w, plan_.data());
    });
  }

  void enqueueBatch(bool fourMoves, int batch) {
    enqueuePlan();
    for (int local = 0; local < batch; ++local) enqueueSweep(fourMoves, local);
  }

  void sendInput(const MpmcParameters& p, std::uint64_t first) {
    if (p.seed != seed_) {
      graphs_.clear();  // they hold the keys of the seed that they were recorded with
      seed_ = p.seed;
      keys_ = roundKeys(hashSeed(seed_));
    }
    const BatchInput input{p, first};
    exec::checkCuda(cudaMemcpyAsync(input_.data(), &input, sizeof(input), cudaMemcpyHostToDevice,
                                    exec_.stream()),
                    "sending sweep parameters");
  }

  void runBatch(const MpmcParameters& p, std::uint64_t first, int batch) {
    sendInput(p, first);
    const bool fourMoves = p.nMoves == 4;
    if (batch == 1) return enqueueBatch(fourMoves, 1);
    const GraphKey key{batch, fourMoves, mapping_, now_.disk.data()};
    // An even number of sweeps ends in the buffer where it began, so a graph can be replayed.
    auto found = graphs_.find(key);
    if (found == graphs_.end())
      found = graphs_.emplace(key, exec_.record([&] { enqueueBatch(fourMoves, batch); })).first;
    exec_.replay("sweeps", found->second);
  }

  void referenceSweep(const MpmcParameters& p, std::uint64_t sweep) {
    const SweepSchedule s = scheduleOfSweep(p, now_.grid.w, sweep);
    for (const std::uint8_t set : s.set) update(p, sweep, set, false);
    gather(s.shift, false, false, "shifting the cells");
  }

  void update(const MpmcParameters& p, std::uint64_t sweep, int set, bool relax) {
    const CellRule rule = cellRule(p, now_.grid.w, sweep, relax);
    const GridInfo& g = now_.grid;
    const auto active = static_cast<std::size_t>((g.endPair() - g.firstPair()) * (g.m / 2));
    unsigned long long* total =
        counters_.blocks.data()[set * counterStride_].total;  // address only
    const SubSweepTask task{now_.view(), rule, set};
    const CountTrials count{total + 1, total + 2, total};
    const int position = positionOfSet(p, g.w, sweep, set);
    if (trace_.on() && !relax)
      exec_.forEach("trial moves", active,
                    UpdateCells<true>{task, count, trace_, traceStage(sweep, position)});
    else
      exec_.forEach(relax ? "relaxing moves" : "trial moves", active,
                    UpdateCells<false>{task, count});
    if (rule.margin > 0.0f) {
      apart_ = false;
      gather({}, true, position == 3, "sorting disks into cells");
    }
  }

  void gather(const CellShift& shift, bool rebin, bool last, const char* action) {
    apart_ = apart_ && !(shift.rounding > 0.0f);
    exec_.forEach(rebin ? "sorting into cells" : "cell shift", now_.grid.cellCount(),
                  GatherCells{now_.view(), next_.view(), shift, rebin, last, status_.data()});
    std::swap(now_, next_);
    refuseOverflow(action);
  }

  // After a shift: back to the state before it when it found no room.
  void refuseOverflow(const char* action) {
    const std::optional<exec::StatusReport> overflow = status_.read(exec_);
    if (!overflow) return;
    status_.clear(exec_);
    std::swap(now_, next_);
    throw RunError(overflowMessage(now_.grid, overflow->where, action));
  }

  exec::CudaExec& exec_;
  mutable exec::DeviceValue<OverlapReport> found_{Backend::cuda};
  mutable exec::DeviceValue<SetTotals> counted_{Backend::cuda};
  bool overlapLaunches_ = false, aside_ = false;
  const MpmcMappingInfo* mapping_ = &kMpmcMappings[0];
  exec::Array<BatchInput> input_;
  exec::Array<SweepPlan> plan_;
  exec::Status status_{Backend::cuda};  // of cells without room
  Counters counters_;
  MpmcCounters folded_;
  int counterStride_ = 0;
  std::uint64_t seed_ = 0;
  RoundKeys keys_ = roundKeys(hashSeed(0));
  ResidentSweeps resident_;
  std::shared_ptr<SideBySide> beside_;  // of runs that share the device
  std::map<GraphKey, exec::LaunchGraph> graphs_;
  exec::Event done_;
};

}  // namespace

std::size_t mpmcBytesCuda(const GridInfo& grid, const ExecConfig& config) {
  const TileCount tiles = ResidentSweeps::tilesFor(grid, config);
  return 2 * DiskCells::layout(grid).bytes() + Counters::layout(grid, tiles).bytes() +
         ResidentSweeps::Flags::layout(tiles).bytes() + sizeof(BatchInput) + sizeof(SweepPlan);
}

std::unique_ptr<StripEngine> makeMpmcEngineCuda(const exec::Shared& exec) {
  return std::make_unique<MpmcEngineCuda>(exec);
}

}  // namespace cellscope
