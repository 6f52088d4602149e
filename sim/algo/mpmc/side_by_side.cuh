// Whole sweeps of many small systems in one launch (S3, Algorithms 1, 2 and 4), for grids of four
// slots and n_M = 4. Threads of the host, one for each system, ask for sweeps; one of them launches
// for all that wait. A single small system is bound by latency and launches; many fill the GPU.
#pragma once
#include <condition_variable>
#include <deque>
#include <exception>
#include <memory>
#include <mutex>
#include <vector>

#include "sim/algo/mpmc/sweep_plan.cuh"
#include "sim/exec/cuda_exec.cuh"

namespace cellscope::mpmc {

// Sweeps [first, first + count) of one system without overlaps.
struct SystemSweeps {
  DiskCellsView cells[2];  // the first sweep reads cells[0] and writes cells[1], and so on in turn
  MpmcParameters parameters;
  std::uint64_t first, count;
  BlockCounters* counters;  // [set * counterStride + block of this system]
  std::int32_t counterStride;
};

// The launches of one device.
class SideBySide {
 public:
  // One for all engines of the device, as long as any of them holds it.
  static std::shared_ptr<SideBySide> on(int device);
  explicit SideBySide(int device);

  static int blocksOf(const GridInfo& grid);  // thread blocks of a system
  // Whether so many systems of this grid run faster in common launches than in tiles of their own:
  // where they fill a quarter of the device or more.
  bool pays(const GridInfo& grid, int together) const {
    const int blocks = blocksOf(grid);
    return grid.halo == 0 && kFewest * blocks <= resident_ && 4 * together * blocks >= resident_;
  }
  // Waits. The device has done what was ordered for these cells before.
  void run(const SystemSweeps& sweeps);

 private:
  static constexpr int kFewest = 4;  // systems of a launch
  struct Request {
    SystemSweeps sweeps;
    std::exception_ptr error;
    // Whether sweeps are left after as many.
    bool advance(std::uint64_t done);
  };

  std::vector<Request*> take();
  std::uint64_t launch(const std::vector<Request*>& some);  // returns its sweeps; waits

  exec::CudaExec exec_;
  int resident_ = 0;  // thread blocks at the same time
  exec::Array<std::uint32_t> arrivals_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<Request*> waiting_;
  bool launching_ = false;  // one of the callers is at it
};

}  // namespace cellscope::mpmc
