// Memory of a build with CUDA.
#include <fmt/format.h>

#include <cstring>

#include "sim/base/error.h"
#include "sim/exec/cuda_check.h"
#include "sim/exec/memory.h"
#include "sim/exec/memory_cpu.h"

namespace cellscope::exec {
namespace {

double gib(std::size_t bytes) { return static_cast<double>(bytes) / (1 << 30); }

CudaStatus detect() {
  CudaStatus s;
  int count = 0;
  const cudaError_t code = cudaGetDeviceCount(&count);
  cudaGetLastError();
  if (code == cudaErrorInsufficientDriver)
    s.reason = fmt::format("no NVIDIA driver was found, or it is older than CUDA {}.{}",
                           CUDART_VERSION / 1000, CUDART_VERSION % 1000 / 10);
  else if (code == cudaErrorNoDevice || (code == cudaSuccess && count == 0))
    s.reason = "no NVIDIA GPU was found";
  else if (code != cudaSuccess)
    s.reason = fmt::format("CUDA did not start: {}", cudaGetErrorString(code));
  for (int i = 0; s.reason.empty() && i < count; ++i) {
    cudaDeviceProp p{};
    if (cudaGetDeviceProperties(&p, i) != cudaSuccess) continue;
    s.devices.push_back(fmt::format("{}, {:.1f} GiB, compute {}.{}", p.name, gib(p.totalGlobalMem),
                                    p.major, p.minor));
  }
  s.usable = !s.devices.empty();
  if (!s.usable && s.reason.empty()) s.reason = "no GPU tells its properties";
  return s;
}

void* allocateDevice(std::size_t bytes) {
  if (!cudaStatus().usable) useCudaDevice(0);
  void* p = nullptr;
  const cudaError_t code = cudaMalloc(&p, bytes);
  if (code == cudaErrorMemoryAllocation) {
    cudaGetLastError();
    const std::size_t free = cudaMemory().first;
    throw OutOfMemory(fmt::format("out of GPU memory: {:.2f} GiB more needed, {:.2f} GiB free",
                                  gib(bytes), gib(free)),
                      bytes, free);
  }
  checkCuda(code, "allocating memory");
  return p;
}

cudaMemcpyKind kind(Backend to, Backend from) {
  if (to == Backend::cuda)
    return from == Backend::cuda ? cudaMemcpyDeviceToDevice : cudaMemcpyHostToDevice;
  return from == Backend::cuda ? cudaMemcpyDeviceToHost : cudaMemcpyHostToHost;
}

}  // namespace

void checkCuda(cudaError_t code, const char* operation) {
  if (code == cudaSuccess) return;
  cudaGetLastError();
  if (code == cudaErrorMemoryAllocation) {  // of the driver itself: for a kernel or a graph, say
    const std::size_t free = cudaMemory().first;
    throw OutOfMemory(fmt::format("out of GPU memory in {}: {:.2f} GiB free", operation, gib(free)),
                      0, free);
  }
  throw RunError(fmt::format(
      "CUDA failed in {}: {} ({}); the state of the last checkpoint is kept, --backend cpu runs "
      "without the GPU",
      operation, cudaGetErrorString(code), cudaGetErrorName(code)));
}

const CudaStatus& cudaStatus() {
  static const CudaStatus status = detect();
  return status;
}

std::pair<std::size_t, std::size_t> cudaMemory() {
  std::size_t free = 0, total = 0;
  if (!cudaStatus().usable || cudaMemGetInfo(&free, &total) != cudaSuccess) return {0, 0};
  return {free, total};
}

void useCudaDevice(int device) {
  if (!cudaStatus().usable)
    throw RunError("the CUDA backend was asked for, but " + cudaStatus().reason +
                   "; use --backend cpu");
  checkCuda(cudaSetDevice(device), "choosing the device");
}

void* allocate(Backend where, std::size_t bytes) {
  void* p = where == Backend::cpu ? allocateHost(bytes) : allocateDevice(bytes);
  countMemory(where, static_cast<std::ptrdiff_t>(bytes));
  return p;
}

void release(Backend where, void* p, std::size_t bytes) noexcept {
  if (where == Backend::cpu)
    releaseHost(p);
  else
    cudaFree(p);
  countMemory(where, -static_cast<std::ptrdiff_t>(bytes));
}

// cudaMemcpy to the device and cudaMemset may return before the bytes have arrived, and kernels on
// a non-blocking stream do not wait for them: wait here.
void copy(Backend to, void* destination, Backend from, const void* source, std::size_t bytes) {
  if (to == Backend::cpu && from == Backend::cpu) {
    std::memcpy(destination, source, bytes);
    return;
  }
  checkCuda(cudaMemcpy(destination, source, bytes, kind(to, from)), "copying memory");
  if (to == Backend::cuda) checkCuda(cudaStreamSynchronize(cudaStreamLegacy), "copying memory");
}

void copyFromAnyThread(Backend to, void* destination, Backend from, const void* source,
                       std::size_t bytes) {
  if (to == Backend::cpu && from == Backend::cpu) {
    std::memcpy(destination, source, bytes);
    return;
  }
  checkCuda(cudaMemcpyAsync(destination, source, bytes, kind(to, from), cudaStreamPerThread),
            "copying a frame");
  checkCuda(cudaStreamSynchronize(cudaStreamPerThread), "copying a frame");
}

void fillBytes(Backend where, void* p, int byte, std::size_t bytes) {
  if (where == Backend::cpu)
    std::memset(p, byte, bytes);
  else {
    checkCuda(cudaMemset(p, byte, bytes), "filling memory");
    checkCuda(cudaStreamSynchronize(cudaStreamLegacy), "filling memory");
  }
}

}  // namespace cellscope::exec
