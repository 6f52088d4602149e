// Order between streams.
#pragma once
#include "sim/exec/cuda_check.h"

namespace cellscope::exec {

// Orders streams, those of other devices too. Belongs to the device that is current when it is
// made.
class Event {
 public:
  Event() {
    checkCuda(cudaEventCreateWithFlags(&event_, cudaEventDisableTiming), "creating an event");
  }
  Event(const Event&) = delete;
  Event& operator=(const Event&) = delete;
  ~Event() { cudaEventDestroy(event_); }
  void record(cudaStream_t stream) {
    checkCuda(cudaEventRecord(event_, stream), "ordering devices");
  }
  void makeWait(cudaStream_t stream) const {
    checkCuda(cudaStreamWaitEvent(stream, event_, 0), "ordering devices");
  }

 private:
  cudaEvent_t event_ = nullptr;
};

}  // namespace cellscope::exec
