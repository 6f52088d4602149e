// What all parallel work of a mode shares, whichever backend does it: one CUDA stream or one arena
// of CPU threads, one profile, one workspace. A mode makes one and hands it to its engine,
// observables and layers, whose work is then done in the order of the calls.
#pragma once
#include <memory>

#include "sim/base/error.h"
#include "sim/exec/profile.h"

namespace cellscope::exec {

// Base of CpuExec (sim/exec/cpu_exec.h) and CudaExec (sim/exec/cuda_exec.cuh), which have the
// verbs. One host thread at a time may use it; the profile may be read by any.
class Context {
 public:
  explicit Context(const ExecConfig& config) : config_(config) {}
  virtual ~Context() = default;

  Backend where() const { return config_.backend; }
  const ExecConfig& config() const { return config_; }
  Profile& profile() { return profile_; }
  // Waits for all work ordered so far. Copies that the verbs do not order need it: they may
  // overtake a stream.
  virtual void synchronize() = 0;

 private:
  ExecConfig config_;
  Profile profile_;
};

using Shared = std::shared_ptr<Context>;

// Throws RunError when the backend cannot be used.
Shared makeExec(const ExecConfig& config);
Shared makeCudaExec(const ExecConfig& config);  // builds with CUDA only

// What the maker of the backend of `exec` makes. `cuda` is defined in builds with CUDA only.
template <auto* cpu, auto* cuda>
auto makeOn(const Shared& exec, const auto&... options) {
  if constexpr (kCudaBuilt)
    if (exec->where() == Backend::cuda) return cuda(exec, options...);
  return cpu(exec, options...);
}

// The exec of one backend.
template <class Exec>
Exec& as(const Shared& shared) {
  CELLSCOPE_ASSERT(shared->where() == Exec::backend);
  return static_cast<Exec&>(*shared);
}

}  // namespace cellscope::exec
