// Turns CUDA error codes into RunError. For .cu files and CUDA-aware .cpp files only.
#pragma once
#include <cuda_runtime.h>

namespace cellscope::exec {

// Throws RunError naming the operation, CUDA's text and the way out. Clears the error first, so
// that a fallback can carry on.
void checkCuda(cudaError_t code, const char* operation);

// As much shared memory as a block can have. Runs of other threads need other amounts, so that it
// is never set to that of one launch.
void allowAllShared(auto kernel, const char* name) {
  int device = 0, most = 0;
  cudaFuncAttributes own{};
  checkCuda(cudaGetDevice(&device), name);
  checkCuda(cudaDeviceGetAttribute(&most, cudaDevAttrMaxSharedMemoryPerBlockOptin, device), name);
  checkCuda(cudaFuncGetAttributes(&own, kernel), name);
  checkCuda(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize,
                                 most - static_cast<int>(own.sharedSizeBytes)),
            name);
}

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
