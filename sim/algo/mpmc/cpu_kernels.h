// Row kernels of the CPU engine: one set of functions per instruction set, all with the same result
// bit for bit.
#pragma once
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "sim/core/mpmc_rules.h"

namespace cellscope {

// Trial moves of some rows.
struct MpmcTally {
  std::uint64_t attempted = 0, accepted = 0, overlap = 0, leftCell = 0;
};

struct SubSweepTask {
  DiskCellsView cells;
  CellRule rule;
  int set;
};

inline constexpr std::size_t kNoCell = ~std::size_t{0};

struct ShiftTask {
  DiskCellsView from, to;
  CellShift shift;
};

struct CpuKernels {
  const char* name;  // "scalar", "sse2", "avx2", "avx512"
  // Update the active cells of rows y = 2 r + (set >> 1), r in [begin, end). Different rows may run
  // at the same time.
  void (*updateRows)(const SubSweepTask& task, std::size_t begin, std::size_t end,
                     MpmcTally& tally);
  // Gather rows y in [begin, end) after the shift; returns the first cell (GridInfo::cell) that had
  // no place for a disk, or kNoCell.
  std::size_t (*shiftRows)(const ShiftTask& task, std::size_t begin, std::size_t end);
};

// Slots that vector kernels may read behind the last slot.
inline constexpr std::size_t kPaddingSlots = 64;

// Names of the kernel sets that this processor can run, slowest first; "scalar" is always there.
std::vector<std::string> cpuKernelNames();
// Kernel set by name; "" means the environment variable CELLSCOPE_ISA, or else the fastest. Throws
// InputError naming the sets that can be had.
const CpuKernels& cpuKernels(const std::string& name = "");

extern const CpuKernels kScalarKernels;

}  // namespace cellscope
