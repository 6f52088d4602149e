#include <fmt/format.h>

#include <cstdlib>

#include "sim/exec/cuda_check.h"
#include "sim/exec/machine.h"
#include "sim/exec/memory.h"
#include "sim/exec/peers.h"

namespace cellscope::exec {

static double gib(std::size_t bytes) { return static_cast<double>(bytes) / (1 << 30); }

static cudaMemcpyKind kind(Backend to, Backend from) {
  if (to == Backend::cuda)
    return from == Backend::cuda ? cudaMemcpyDeviceToDevice : cudaMemcpyHostToDevice;
  return from == Backend::cuda ? cudaMemcpyDeviceToHost : cudaMemcpyHostToHost;
}

void checkCuda(cudaError_t code, const char* operation) {
  if (code == cudaSuccess) return;
  cudaGetLastError();
  if (code == cudaErrorMemoryAllocation) {  // of the driver itself, as for a kernel or a graph
    const std::size_t free = cudaMemory().first;
    throw OutOfMemory(fmt::format("out of GPU memory in {}: {:.2f} GiB free", operation, gib(free)),
                      0, free);
  }
  throw RunError(
      "CUDA failed in {}: {} ({}); the state of the last checkpoint is kept, --backend cpu runs "
      "without the GPU",
      operation, cudaGetErrorString(code), cudaGetErrorName(code));
}

CudaStatus detectCuda() {
  CudaStatus s;
  int count = 0;
  const cudaError_t code = cudaGetDeviceCount(&count);
  cudaGetLastError();
  int driver = 0;  // stays 0 without one
  cudaDriverGetVersion(&driver);
  const char* visible = std::getenv("CUDA_VISIBLE_DEVICES");
  const auto version = [](int v) { return fmt::format("{}.{}", v / 1000, v % 1000 / 10); };
  if (code == cudaErrorInsufficientDriver && driver == 0)
    s.reason = "no NVIDIA driver was found";
  else if (code == cudaErrorInsufficientDriver)
    s.reason = fmt::format("the NVIDIA driver is for CUDA {}, this build for CUDA {}: update it",
                           version(driver), version(CUDART_VERSION));
  else if (code == cudaErrorNoDevice || (code == cudaSuccess && count == 0))
    s.reason =
        visible ? fmt::format("CUDA_VISIBLE_DEVICES='{}' hides every NVIDIA GPU, or there is none",
                              visible)
                : "no NVIDIA GPU was found";
  else if (code != cudaSuccess)
    s.reason = fmt::format("CUDA did not start: {}", cudaGetErrorString(code));
  for (int i = 0; s.reason.empty() && i < count; ++i) {
    cudaDeviceProp p{};
    if (cudaGetDeviceProperties(&p, i) != cudaSuccess) continue;
    s.devices.push_back(fmt::format("{}, {:.1f} GiB, compute {}.{}", p.name, gib(p.totalGlobalMem),
                                    p.major, p.minor));
  }
  s.usable = !s.devices.empty();
  if (!s.usable && s.reason.empty()) s.reason = "the properties of the GPU cannot be read";
  return s;
}

void chooseDevice(int device) { checkCuda(cudaSetDevice(device), "choosing the device"); }

std::pair<std::size_t, std::size_t> deviceMemory() {
  std::size_t free = 0, total = 0;
  if (cudaMemGetInfo(&free, &total) != cudaSuccess) return {0, 0};
  return {free, total};
}

void* allocateDevice(std::size_t bytes) {
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

void releaseDevice(void* p) noexcept { cudaFree(p); }

void* allocatePinned(std::size_t bytes) {
  void* p = nullptr;
  checkCuda(cudaMallocHost(&p, bytes), "allocating memory for copies");
  return p;
}
void releasePinned(void* p) noexcept { cudaFreeHost(p); }

// Complete on return. In the stream of the thread: copies of other threads do not wait for it.
void copyDevice(Backend to, void* destination, Backend from, const void* source,
                std::size_t bytes) {
  checkCuda(cudaMemcpyAsync(destination, source, bytes, kind(to, from), cudaStreamPerThread),
            "copying memory");
  checkCuda(cudaStreamSynchronize(cudaStreamPerThread), "copying memory");
  if (to == Backend::cpu) countCopyToHost(bytes);
}

void zeroDevice(void* p, std::size_t bytes) {
  checkCuda(cudaMemsetAsync(p, 0, bytes, cudaStreamPerThread), "filling memory");
  checkCuda(cudaStreamSynchronize(cudaStreamPerThread), "filling memory");
}

bool openPeerAccess(int from, int to) {
  int can = 0, before = 0;
  checkCuda(cudaDeviceCanAccessPeer(&can, from, to), "asking for peer access");
  if (!can) return false;
  checkCuda(cudaGetDevice(&before), "asking for peer access");
  checkCuda(cudaSetDevice(from), "asking for peer access");
  const cudaError_t code = cudaDeviceEnablePeerAccess(to, 0);
  cudaGetLastError();  // it may be open already
  checkCuda(cudaSetDevice(before), "asking for peer access");
  return code == cudaSuccess || code == cudaErrorPeerAccessAlreadyEnabled;
}

int deviceAttribute(cudaDeviceAttr which, int device) {
  int value = 0;
  checkCuda(cudaDeviceGetAttribute(&value, which, device), "reading a property of the GPU");
  return value;
}

DeviceLimits cudaLimits(int device) {
  useCudaDevice(device);
  cudaDeviceProp properties{};
  checkCuda(cudaGetDeviceProperties(&properties, device), "reading the properties of the GPU");
  const double multiprocessors = deviceAttribute(cudaDevAttrMultiProcessorCount, device);
  const double clock = 1e3 * deviceAttribute(cudaDevAttrClockRate, device);  // kHz
  const double memoryClock = 1e3 * deviceAttribute(cudaDevAttrMemoryClockRate, device);
  const double bits = deviceAttribute(cudaDevAttrGlobalMemoryBusWidth, device);
  DeviceLimits limits;
  limits.device = properties.name;
  limits.instructionRate = multiprocessors * 128 * clock;
  limits.bytesPerSecond = 2 * memoryClock * bits / 8;
  limits.cacheBytes = deviceAttribute(cudaDevAttrL2CacheSize, device);
  limits.source =
      fmt::format("{:.0f} multiprocessors x 128 lanes x {:.3f} GHz; {:.0f} bits x 2 x {:.3f} GHz",
                  multiprocessors, clock / 1e9, bits, memoryClock / 1e9);
  return limits;
}

}  // namespace cellscope::exec
