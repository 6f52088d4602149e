// Memory of a build without CUDA: host only.
#include <cstring>

#include "sim/base/error.h"
#include "sim/exec/memory.h"
#include "sim/exec/memory_cpu.h"

namespace cellscope::exec {
namespace {
[[noreturn]] void refuse() {
  throw RunError("the CUDA backend was asked for, but " + cudaStatus().reason +
                 "; use --backend cpu");
}
}  // namespace

void* allocate(Backend where, std::size_t bytes) {
  if (where == Backend::cuda) refuse();
  void* p = allocateHost(bytes);
  countMemory(where, static_cast<std::ptrdiff_t>(bytes));
  return p;
}
void release(Backend where, void* p, std::size_t bytes) noexcept {
  releaseHost(p);
  countMemory(where, -static_cast<std::ptrdiff_t>(bytes));
}
void copy(Backend, void* destination, Backend, const void* source, std::size_t bytes) {
  std::memcpy(destination, source, bytes);
}
void copyFromAnyThread(Backend to, void* destination, Backend from, const void* source,
                       std::size_t bytes) {
  copy(to, destination, from, source, bytes);
}
void fillBytes(Backend, void* p, int byte, std::size_t bytes) { std::memset(p, byte, bytes); }
const CudaStatus& cudaStatus() {
  static const CudaStatus status{false, "this build has no CUDA (nvcc was not found)", {}};
  return status;
}
std::pair<std::size_t, std::size_t> cudaMemory() { return {0, 0}; }
void useCudaDevice(int) { refuse(); }

}  // namespace cellscope::exec
