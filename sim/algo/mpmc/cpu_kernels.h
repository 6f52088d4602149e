// Row kernels of the CPU engine: one set of functions per instruction set, all with bitwise
// identical results.
#pragma once
#include <string>

#include "sim/algo/mpmc/stored_cells.h"
#include "sim/exec/machine.h"

namespace cellscope {

// Trial moves of a range of rows.
struct MpmcTally {
  std::uint64_t attempted = 0, accepted = 0, overlap = 0, leftCell = 0;
};

inline void addTrial(MpmcTally& tally, const TrialRecord& t) {
  tally.attempted += 1;
  tally.accepted += t.outcome == TrialOutcome::accepted;
  tally.overlap += t.outcome == TrialOutcome::overlap;
  tally.leftCell += t.outcome == TrialOutcome::leftCell;
}

inline constexpr std::size_t kNoCell = ~std::size_t{0};

// Cell shift in place. A new cell depends on the old cell and its neighbour along the shift: rows,
// and cells within a row, are processed in an order in which that neighbour is still unmodified.
struct ShiftTask {
  DiskCellsView cells;
  CellShift shift;
  CellRow beyond;  // shift along y: the old row adjacent to the block in the direction of the shift
  bool store;      // false: only search for cells that would overflow
};

// Update the active cells of rows y = 2 r + (set >> 1), r in [begin, end). Different rows may be
// processed concurrently.
using UpdateRows = void(const SubSweepTask& task, std::size_t begin, std::size_t end,
                        MpmcTally& tally);
// Rows y in [begin, end) after the shift; returns the first cell (GridInfo::cell) that overflows,
// or kNoCell. The stored cells have then lost that disk. Different blocks may be processed
// concurrently.
using ShiftRows = std::size_t(const ShiftTask& task, std::size_t begin, std::size_t end);
CELLSCOPE_FOR_SETS(UpdateRows, updateRows);
CELLSCOPE_FOR_SETS(ShiftRows, shiftRows);

struct CpuKernels {
  UpdateRows* updateRows;
  ShiftRows* shiftRows;
};
extern const CpuKernels kScalarKernels;
// Those of an instruction set (exec::instructionSet).
CpuKernels cpuKernels(const std::string& name = "");

// updateRows() by recording instances where something is recorded; the same result bit for bit.
void updateRecorded(const CpuKernels& fast, const SubSweepTask& task, const MpmcTrace& trace,
                    std::uint32_t stage, std::size_t begin, std::size_t end, MpmcTally& tally);

// Number of slots that vector kernels may read beyond the last slot.
inline constexpr std::size_t kPaddingSlots = 64;

}  // namespace cellscope
