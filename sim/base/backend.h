// Where the parallel work runs.
#pragma once
#include <cstdint>
#include <string>

namespace cellscope {

enum class Backend { cpu, cuda };

inline const char* toString(Backend b) { return b == Backend::cpu ? "cpu" : "cuda"; }

// Whether this build has the CUDA backend. Code inside `if constexpr (kCudaBuilt)` may call
// functions that only such a build defines.
#ifdef CELLSCOPE_HAS_CUDA
inline constexpr bool kCudaBuilt = true;
#else
inline constexpr bool kCudaBuilt = false;
#endif

// Choice of hardware for a mode. threads: CPU worker threads, 0 = all cores. device: CUDA ordinal.
// drawn: frames will be asked for, so that memory for them is counted as needed. domains: parts
// that one system is cut into, each with its threads, or with its device of `devices` from `device`
// on; as many in each of `ranks` processes (sim/exec/ranks.h). throughHost: they exchange by host
// memory, even where devices reach each other. together: runs that share the device side by side.
struct ExecConfig {
  Backend backend = Backend::cpu;
  int threads = 0;
  int device = 0;
  bool drawn = false;
  int domains = 1, devices = 1, ranks = 1, together = 1;
  bool throughHost = false;

  int allDomains() const { return domains * ranks; }
};

// Launches of one kernel and the time that they took, for the performance panel.
struct KernelTime {
  std::string name;
  std::uint64_t launches = 0;  // all; a kernel that does many sweeps in one launch counts each
  std::uint64_t timed = 0;     // of these
  double milliseconds = 0;     // of all, estimated from the timed ones
};

}  // namespace cellscope
