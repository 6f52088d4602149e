// What this process may use of the machine: threads, memory, instruction sets, and their limits.
#pragma once
#include <cstddef>
#include <string>
#include <vector>

#include "sim/base/backend.h"

namespace cellscope::exec {

// Processors that the process may run on (taskset, batch systems), less where its control group
// gives less time. At least one. More threads than this wait for each other.
int availableThreads();

// `asked`, or all that are available when it is 0.
int threadsFor(int asked);

// The same, and lets oneTBB have that many: by itself it starts no more threads than there are
// processors. Call before the arena is made. What was reserved stays until the process ends.
int reserveThreads(int asked);

// The calling thread, and threads that it starts from now on, leave the processor to others first:
// to those that draw a window, which need little but need it at once. No effect where the system
// refuses.
void lowerThreadPriority();

// What Linux allows the control group of this process (version 2): a container, or a job of a batch
// system. The limits of all groups above apply as well.

// Bytes: what the system has free, less where a container, a batch system or `ulimit -v` allows
// less. A very large number where nothing is known.
std::size_t hostMemory();

// Number after a word that begins a line; 0 where there is none.
std::size_t numberBehind(const std::string& file, const std::string& wanted);

// Folders of the group of this process and of all above it, the nearest first. The arguments are
// for tests.
std::vector<std::string> controlGroups(const std::string& membership = "/proc/self/cgroup",
                                       const std::string& root = "/sys/fs/cgroup");

// Bytes that the groups still allow; a very large number where there is no limit.
std::size_t memoryLeft(const std::vector<std::string>& groups);

// Processor time that the groups allow, in processors, rounded up; 0 where there is no limit.
int processorQuota(const std::vector<std::string>& groups);

// Which of the instruction sets that *_simd.cpp files are compiled for (sim/CMakeLists.txt) this
// processor has, and which one is used.

// "scalar", "sse2", "avx2", "avx512": those that this processor has, slowest first. Every 64-bit
// x86 processor has the first two.
std::vector<std::string> instructionSets();

// `name`; where that is empty the environment variable CELLSCOPE_ISA, or else the fastest. Throws
// InputError naming the available sets.
std::string instructionSet(const std::string& name = "");

// What the hardware can do at best: the limits that benchmarks are compared with.
struct DeviceLimits {
  std::string device;          // "NVIDIA H200", or the name of the processor
  double instructionRate = 0;  // single-precision instructions (lanes) per second
  double bytesPerSecond = 0;   // of memory; 0 = not known
  double cacheBytes = 0;       // largest cache that all processors share; 0 = not known
  std::string source;          // how the numbers were found
};

// CPU: measured add and multiply throughput of `threads` threads. CUDA: multiprocessors times 128
// lanes times the highest clock, and the memory's clock times its width, as the driver states them.
DeviceLimits deviceLimits(const ExecConfig& config);

DeviceLimits cudaLimits(int device);  // builds with CUDA only

}  // namespace cellscope::exec

// What *_simd.cpp files define once for each instruction set (sim/CMakeLists.txt): declares a
// function or a constant of this type in the namespace of each set, and nameFor(), which gives that
// of a set (exec::instructionSet()); "scalar" has the one of SSE2.
#define CELLSCOPE_FOR_SETS(Type, name) \
  namespace simd_sse2 {                \
  extern Type name;                    \
  }                                    \
  namespace simd_avx2 {                \
  extern Type name;                    \
  }                                    \
  namespace simd_avx512 {              \
  extern Type name;                    \
  }                                    \
  Type& name##For(const std::string& instructions = "")

// Defines nameFor() in a file that is compiled once.
#define CELLSCOPE_CHOICE_OF_SETS(Type, name)                    \
  Type& name##For(const std::string& instructions) {            \
    const std::string set = exec::instructionSet(instructions); \
    return set == "avx512" ? simd_avx512::name                  \
           : set == "avx2" ? simd_avx2::name                    \
                           : simd_sse2::name;                   \
  }
