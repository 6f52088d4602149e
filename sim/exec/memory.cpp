#include "sim/exec/memory.h"

#include <fmt/format.h>
#include <sys/mman.h>

#include <cstdlib>
#include <cstring>

#include "sim/base/error.h"
#include "sim/exec/host_memory.h"
#include "sim/exec/memory_cuda.h"

namespace cellscope::exec {
namespace {

constexpr std::size_t kLargePage = std::size_t{2} << 20;

// 64-byte aligned. What is much larger than a large page asks for such: random reads of an array
// beyond the caches otherwise wait for the page table as long as for the memory.
void* allocateHost(std::size_t bytes) {
  const bool large = bytes >= 2 * kLargePage;
  const std::size_t alignment = large ? kLargePage : 64;
  const std::size_t rounded = (bytes + alignment - 1) / alignment * alignment;
  void* p = std::aligned_alloc(alignment, rounded);
  // Whole pages only, so that no more memory is taken; where there are none, nothing is lost.
  if (p && large) static_cast<void>(::madvise(p, bytes / kLargePage * kLargePage, MADV_HUGEPAGE));
  if (!p) {
    const std::size_t free = hostMemory();
    constexpr double kGib = 1 << 30;
    throw OutOfMemory(
        fmt::format("out of memory: {:.2f} GiB more needed, {:.2f} GiB free",
                    static_cast<double>(bytes) / kGib, static_cast<double>(free) / kGib),
        bytes, free);
  }
  return p;
}

CudaStatus detect() {
  if constexpr (kCudaBuilt) return detectCuda();
  return {false, "this build has no CUDA (nvcc was not found)", {}};
}

bool onDevice(Backend a, Backend b) { return a == Backend::cuda || b == Backend::cuda; }

}  // namespace

const CudaStatus& cudaStatus() {
  static const CudaStatus status = detect();
  return status;
}

void requireCuda() {
  if (!cudaStatus().usable)
    throw RunError("the CUDA backend was asked for, but " + cudaStatus().reason +
                   "; use --backend cpu");
}

std::pair<std::size_t, std::size_t> cudaMemory() {
  if constexpr (kCudaBuilt)
    if (cudaStatus().usable) return deviceMemory();
  return {0, 0};
}

void useCudaDevice(int device) {
  requireCuda();
  if constexpr (kCudaBuilt) chooseDevice(device);
}

void* allocate(Backend where, std::size_t bytes) {
  void* p = nullptr;
  if (where == Backend::cpu) {
    p = allocateHost(bytes);
  } else {
    requireCuda();
    if constexpr (kCudaBuilt) p = allocateDevice(bytes);
  }
  countMemory(where, static_cast<std::ptrdiff_t>(bytes));
  return p;
}

void release(Backend where, void* p, std::size_t bytes) noexcept {
  if (where == Backend::cpu) std::free(p);
  if constexpr (kCudaBuilt)
    if (where == Backend::cuda) releaseDevice(p);
  countMemory(where, -static_cast<std::ptrdiff_t>(bytes));
}

void* allocateStaging(Backend backend, std::size_t bytes) {
  if constexpr (kCudaBuilt)
    if (backend == Backend::cuda) return allocatePinned(bytes);
  return allocateHost(bytes);
}

void releaseStaging(Backend backend, void* p) noexcept {
  if constexpr (kCudaBuilt)
    if (backend == Backend::cuda) return releasePinned(p);
  std::free(p);
}

void copy(Backend to, void* destination, Backend from, const void* source, std::size_t bytes) {
  if (bytes == 0) return;  // nothing may be at a null pointer
  if constexpr (kCudaBuilt)
    if (onDevice(to, from)) return copyDevice(to, destination, from, source, bytes);
  std::memcpy(destination, source, bytes);
}

void copyFromAnyThread(Backend to, void* destination, Backend from, const void* source,
                       std::size_t bytes) {
  if (bytes == 0) return;  // nothing may be at a null pointer
  if constexpr (kCudaBuilt)
    if (onDevice(to, from)) return copyDeviceFromAnyThread(to, destination, from, source, bytes);
  std::memcpy(destination, source, bytes);
}

void fillBytes(Backend where, void* p, int byte, std::size_t bytes) {
  if (bytes == 0) return;
  if constexpr (kCudaBuilt)
    if (where == Backend::cuda) return fillDevice(p, byte, bytes);
  std::memset(p, byte, bytes);
}

}  // namespace cellscope::exec
