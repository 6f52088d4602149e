// What a strip has to do with the strips beside it on CUDA.
#pragma once
#include "sim/algo/mpmc/engine.h"
#include "sim/exec/cuda_check.h"

namespace cellscope::mpmc {

// i = cell of `a`, then of `b`.
struct CopyRows {
  RowCopy a, b;
  int slots;
  __device__ void operator()(std::size_t i) const {
    const RowCopy& rows = i < a.cells ? a : b;
    if (i >= a.cells) i -= a.cells;
    for (int k = 0; k < slots; ++k) {
      rows.to.disk[k * rows.to.stride + i] = rows.from.disk[k * rows.from.stride + i];
      rows.to.id[k * rows.to.stride + i] = rows.from.id[k * rows.from.stride + i];
    }
    rows.to.count[i] = rows.from.count[i];
  }
};

// Orders streams, those of other devices too. Belongs to the device that is current when it is
// made.
class Event {
 public:
  Event() {
    exec::checkCuda(cudaEventCreateWithFlags(&event_, cudaEventDisableTiming), "creating an event");
  }
  Event(const Event&) = delete;
  Event& operator=(const Event&) = delete;
  ~Event() { cudaEventDestroy(event_); }
  void record(cudaStream_t stream) {
    exec::checkCuda(cudaEventRecord(event_, stream), "ordering devices");
  }
  void makeWait(cudaStream_t stream) const {
    exec::checkCuda(cudaStreamWaitEvent(stream, event_, 0), "ordering devices");
  }

 private:
  cudaEvent_t event_ = nullptr;
};

}  // namespace cellscope::mpmc
