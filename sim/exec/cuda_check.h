// Turns CUDA error codes into RunError. For .cu files and CUDA-aware .cpp files only.
#pragma once
#include <cuda_runtime.h>

namespace cellscope::exec {

// Throws RunError naming the operation, CUDA's text and the way out. Clears the error first, so
// that a fallback can carry on.
void checkCuda(cudaError_t code, const char* operation);
int deviceAttribute(cudaDeviceAttr which, int device);

// As much shared memory as a block can have. Runs of other threads need other amounts, so that it
// is never set to that of one launch.
void allowAllShared(auto kernel, const char* name) {
  int device = 0;
  cudaFuncAttributes own{};
  checkCuda(cudaGetDevice(&device), name);
  const int most = deviceAttribute(cudaDevAttrMaxSharedMemoryPerBlockOptin, device);
  checkCuda(cudaFuncGetAttributes(&own, kernel), name);
  checkCuda(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize,
                                 most - static_cast<int>(own.sharedSizeBytes)),
            name);
}

// Orders streams, those of other devices too, or times what lies between two where it is made for
// that. Belongs to the device that is current when it is made.
class Event {
 public:
  explicit Event(unsigned flags = cudaEventDisableTiming) {
    checkCuda(cudaEventCreateWithFlags(&event_, flags), "creating an event");
  }
  Event(const Event&) = delete;
  Event& operator=(const Event&) = delete;
  ~Event() { cudaEventDestroy(event_); }
  void record(cudaStream_t stream, const char* name = "ordering devices") {
    checkCuda(cudaEventRecord(event_, stream), name);
  }
  void makeWait(cudaStream_t stream) const {
    checkCuda(cudaStreamWaitEvent(stream, event_, 0), "ordering devices");
  }
  double millisecondsTo(const Event& end) const {
    float ms = 0;
    checkCuda(cudaEventElapsedTime(&ms, event_, end.event_), "timing launches");
    return ms;
  }

 private:
  cudaEvent_t event_ = nullptr;
};

}  // namespace cellscope::exec
