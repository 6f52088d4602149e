// Frame copies of a build with CUDA: on the calling thread's own stream.
#include <cstring>

#include "sim/exec/cuda_check.h"
#include "sim/layers/pooled_buffer.h"

namespace cellscope {
namespace {
cudaMemcpyKind direction(Backend to, Backend from) {
  if (from == Backend::cpu) return cudaMemcpyHostToDevice;
  return to == Backend::cpu ? cudaMemcpyDeviceToHost : cudaMemcpyDeviceToDevice;
}
}  // namespace

void copyFrame(Backend to, void* destination, Backend from, const void* source, std::size_t bytes) {
  if (to == Backend::cpu && from == Backend::cpu) {
    std::memcpy(destination, source, bytes);
    return;
  }
  exec::checkCuda(
      cudaMemcpyAsync(destination, source, bytes, direction(to, from), cudaStreamPerThread),
      "copying a frame");
  exec::checkCuda(cudaStreamSynchronize(cudaStreamPerThread), "copying a frame");
}

}  // namespace cellscope
