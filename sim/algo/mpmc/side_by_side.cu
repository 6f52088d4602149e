#include "sim/algo/mpmc/side_by_side.cuh"

#include <algorithm>
#include <map>

#include "sim/algo/mpmc/cell_update.cuh"
#include "sim/algo/mpmc/shift.cuh"
#include "sim/exec/cuda_check.h"

namespace cellscope::mpmc {
namespace {

constexpr int kSideThreads = 64, kSideBlocks = 10;  // of a block, and of a multiprocessor
constexpr int kMostSystems = 112;  // of a launch, whose arguments have room in 32,764 B
// Sweeps of a launch. Where anybody wants few more and takes a sample then, launches are short:
// samples wait for them.
constexpr std::uint64_t kShortLaunch = 16, kLongLaunch = 64, kFewMore = 256;

struct LaunchedSystem {
  DiskCellsView cells[2];
  MpmcParameters parameters;
  RoundKeys keys;
  std::uint64_t first;
  BlockCounters* counters;
  std::int32_t counterStride, sweeps, blocks;
};

struct SideArgs {
  LaunchedSystem system[kMostSystems];
  std::uint32_t* arrivals;  // [kFlagStride * system], zero
};
static_assert(sizeof(SideArgs) <= 32764);

// All blocks of one system. What was written before arrive() is seen after wait().
struct SystemBarrier {
  std::uint32_t* arrived;
  std::uint32_t blocks, target = 0;

  __device__ void arrive() {
    __syncthreads();
    if (threadIdx.x == 0)
      asm volatile("red.release.gpu.global.add.u32 [%0], 1;" ::"l"(arrived) : "memory");
    target += blocks;
  }
  __device__ void wait() const {
    if (threadIdx.x == 0) {
      std::uint32_t seen;
      do {
        asm volatile("ld.acquire.gpu.global.u32 %0, [%1];" : "=r"(seen) : "l"(arrived) : "memory");
      } while (seen < target);
    }
    __syncthreads();
  }
};

// Cells `place`, `place` + `step` and so on; two at a time, so that they wait for memory together.
__device__ void shiftSystem(const ShiftArgs& a, const CellShift& shift, int place, int step,
                            ShiftScratch& scratch) {
  const GridInfo g = a.from.grid;
  const int cells = static_cast<int>(g.cellCount()), half = g.m / 2;
  const bool alongY = shift.direction >= 2;
  const int next = shift.direction & 1 ? -1 : 1;
  const auto cellAt = [&](int own) {
    const int y = own / g.m, at = own - y * g.m;
    const int x = at < half ? 2 * at : 2 * (at - half) + 1;
    const int beside =
        alongY ? g.wrapRow(y + next) * g.m + at : y * g.m + g.column(g.wrap(x + next));
    return ShiftedCell{static_cast<unsigned>(own), static_cast<unsigned>(beside)};
  };
  alongAxis(shift, g.w, [&](const auto& axis) {
    for (; place < cells; place += 2 * step) {
      const int second = place + step;
      ShiftedCell one = cellAt(place), two = cellAt(second < cells ? second : place);
      one.load<3>(a);
      two.load<3>(a);
      one.store<false>(a, axis, scratch, threadIdx.x);
      if (second < cells) two.store<false>(a, axis, scratch, threadIdx.x);
    }
  });
}

// One system for each blockIdx.y; a thread has the same active cell of each set in all sweeps.
__global__ void __launch_bounds__(kSideThreads, kSideBlocks)
    sideBySideKernel(const __grid_constant__ SideArgs a) {
  __shared__ union {
    WarpShared<4> warp[kSideThreads / kWarp];
    ShiftScratch shift;
  } scratch;
  __shared__ alignas(SweepSchedule) unsigned char schedules[kLongLaunch][sizeof(SweepSchedule)];
  __shared__ VisitOrders orders;
  copyVisitOrders(orders, threadIdx.x, kSideThreads);
  auto* const schedule = reinterpret_cast<SweepSchedule*>(schedules);
  const LaunchedSystem& s = a.system[blockIdx.y];
  const GridInfo g = s.cells[0].grid;
  const int cells = static_cast<int>(g.cellCount()), blocks = s.blocks;
  if (blockIdx.x >= blocks) return;
  for (int k = threadIdx.x; k < s.sweeps; k += kSideThreads)
    schedule[k] = scheduleOfSweep(s.parameters, g.w, s.first + k);
  __syncthreads();

  SystemBarrier barrier{a.arrivals + kFlagStride * blockIdx.y, static_cast<std::uint32_t>(blocks)};
  const float scale = s.parameters.d / 32768.0f;
  const bool shuffle = !s.parameters.experiments.noParticleShuffle;
  const int thread = threadIdx.x, place = blockIdx.x * kSideThreads + thread, half = g.m / 2;
  const int row = place / half, column = place - row * half;
  for (int k = 0; k < s.sweeps; ++k) {
    const DiskCellsView from = s.cells[k & 1], to = s.cells[1 - (k & 1)];
    const SubSweepArgs args{
        .cells = from,
        .keys = s.keys,
        .slot = {from.disk, from.disk + cells, from.disk + 2 * cells, from.disk + 3 * cells},
        .counters = s.counters,
        .counterStride = s.counterStride};
    for (int position = 0; position < 4; ++position) {
      const int set = schedule[k].set[position];
      updateCell<4>(args, {set, s.first + k, scale, 4, shuffle}, activeCell(g, set, column, row),
                    orders, scratch.warp[thread / kWarp], thread % kWarp, blockIdx.x,
                    [&] { barrier.wait(); });
      barrier.arrive();
    }
    barrier.wait();
    shiftSystem({from, to}, schedule[k].shift, place, blocks * kSideThreads, scratch.shift);
    barrier.arrive();
  }
}

}  // namespace

std::shared_ptr<SideBySide> SideBySide::on(int device) {
  static std::mutex mutex;
  static std::map<int, std::weak_ptr<SideBySide>> all;
  const std::lock_guard lock(mutex);
  std::shared_ptr<SideBySide> one = all[device].lock();
  if (!one) all[device] = one = std::make_shared<SideBySide>(device);
  return one;
}

SideBySide::SideBySide(int device)
    : exec_(device), arrivals_(Backend::cuda, kFlagStride * kMostSystems) {
  int blocks = 0;
  exec::checkCuda(
      cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, sideBySideKernel, kSideThreads, 0),
      "systems side by side");
  resident_ = exec::deviceAttribute(cudaDevAttrMultiProcessorCount, device) * blocks;
}

int SideBySide::blocksOf(const GridInfo& grid) {
  return divideUp(static_cast<int>(grid.cellCount()) / 4, kSideThreads);
}

void SideBySide::run(const SystemSweeps& sweeps) {
  Request mine{sweeps, {}};
  std::unique_lock lock(mutex_);
  waiting_.push_back(&mine);
  while (mine.sweeps.count > 0 && !mine.error) {
    if (launching_) {
      changed_.wait(lock);
      continue;
    }
    launching_ = true;
    const std::vector<Request*> some = take();
    lock.unlock();
    std::exception_ptr error;
    std::uint64_t length = 0;
    try {
      length = launch(some);
    } catch (...) {
      error = std::current_exception();
    }
    lock.lock();
    launching_ = false;
    bool ended = false;
    for (Request* r : some) {
      r->error = error;
      const bool goesOn = r->advance(length) && !error;
      if (goesOn) waiting_.push_back(r);
      ended |= !goesOn;
    }
    if (ended) changed_.notify_all();
  }
  if (mine.error) std::rethrow_exception(mine.error);
}

bool SideBySide::Request::advance(std::uint64_t done) {
  done = std::min(done, sweeps.count);
  sweeps.first += done, sweeps.count -= done;
  if (done % 2 == 1) std::swap(sweeps.cells[0], sweeps.cells[1]);
  return sweeps.count > 0;
}

// Those that have waited longest, as many as can be resident.
std::vector<SideBySide::Request*> SideBySide::take() {
  std::vector<Request*> some;
  int widest = 0;
  while (!waiting_.empty() && some.size() < kMostSystems) {
    const int blocks = std::max(widest, blocksOf(waiting_.front()->sweeps.cells[0].grid));
    if (blocks * (static_cast<int>(some.size()) + 1) > resident_) break;
    widest = blocks;
    some.push_back(waiting_.front());
    waiting_.pop_front();
  }
  return some;
}

std::uint64_t SideBySide::launch(const std::vector<Request*>& some) {
  SideArgs args;
  args.arrivals = arrivals_.data();
  const bool anyEndsSoon = std::any_of(some.begin(), some.end(),
                                       [](const Request* r) { return r->sweeps.count < kFewMore; });
  const std::uint64_t length = anyEndsSoon ? kShortLaunch : kLongLaunch;
  int widest = 0;
  for (std::size_t k = 0; k < some.size(); ++k) {
    const SystemSweeps& s = some[k]->sweeps;
    const auto count = static_cast<std::int32_t>(std::min(s.count, length));
    const int blocks = blocksOf(s.cells[0].grid);
    args.system[k] = {{s.cells[0], s.cells[1]},
                      s.parameters,
                      roundKeys(hashSeed(s.parameters.seed)),
                      s.first,
                      s.counters,
                      s.counterStride,
                      count,
                      blocks};
    widest = std::max(widest, blocks);
  }
  exec::useCudaDevice(exec_.config().device);
  exec::checkCuda(cudaMemsetAsync(arrivals_.data(), 0, arrivals_.bytes(), exec_.stream()),
                  "systems side by side");
  exec_.launchResident("sweeps side by side", dim3(widest, static_cast<unsigned>(some.size())),
                       kSideThreads, 0, 1, sideBySideKernel, args);
  exec_.synchronize();
  return length;
}

}  // namespace cellscope::mpmc
