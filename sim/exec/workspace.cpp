#include "sim/exec/workspace.h"

#include <cstdint>

#include "sim/base/error.h"
#include "sim/exec/cpu_verbs.h"
#include "sim/exec/machine.h"

namespace cellscope::exec {

std::byte* Workspace::get(const char* verb, std::size_t bytes) {
  if (bytes > block_.size()) {
    if (recording_)
      throw RunError(
          "{}: the workspace has {} bytes and needs {}, but cannot grow while launches are "
          "recorded; run the same work once before recording it, or reserve the workspace",
          verb, block_.size(), bytes);
    reserve(roomFor(bytes));
  }
  recorded_ |= recording_;
  return block_.data();
}

void Workspace::reserve(std::size_t bytes) {
  if (bytes <= block_.size()) return;
  if (recorded_) kept_.push_back(std::move(block_));
  recorded_ = false;
  block_ = {};  // first, so that both need not fit
  block_ = Array<std::byte>(where_, bytes);
}

std::size_t Workspace::bytes() const {
  std::size_t sum = block_.bytes();
  for (const Array<std::byte>& b : kept_) sum += b.bytes();
  return sum;
}

std::size_t scanScratch(std::size_t n, const ExecConfig& config) {
  if constexpr (kCudaBuilt)
    if (config.backend == Backend::cuda)
      return Workspace::roomFor(scanScratchCuda(n, config.device));
  const std::size_t parts = scanParts(n, threadsFor(config.threads));
  return Workspace::roomFor(Carver::room<std::uint32_t>(parts));
}

}  // namespace cellscope::exec
