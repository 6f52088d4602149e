// Builds the state of a new run, and the memory it needs.
#pragma once
#include <cstdint>

#include "sim/api/mode.h"
#include "sim/base/backend.h"
#include "sim/core/checkerboard.h"
#include "sim/modes/hard_disks/disk_system.h"
#include "sim/modes/hard_disks/parameters.h"
#include "sim/modes/mode_core.h"

namespace cellscope {

struct NewState {
  DiskSystem system;
  CompressionState compression;  // inactive; its sweeps are used up
};

// The initial state given by the parameters, compressed to the target packing; `report` is the
// progress callback. Throws InputError (impossible or unreachable states), RunError (memory), or
// what `report` throws.
NewState newState(const HardDiskParameters& p, const exec::Shared& exec,
                  const WorkReport& report = {});

// The state of a loaded configuration, which determines the number of disks and the packing. Throws
// InputError naming the offending disk or pair.
NewState adoptedState(const Configuration& c, const exec::Shared& exec,
                      const WorkReport& report = {});

// How a state is built: directly, or through boxes of other sizes, where old and new cells exist
// together.
enum class BoxHistory { constant, changing };

// For n disks in cells of this grid.
MemoryNeed diskMemory(std::int64_t n, const GridInfo& grid, const ExecConfig& config,
                      BoxHistory history);

// Throws RunError when they do not fit.
void checkMemory(std::int64_t n, const GridInfo& grid, const ExecConfig& config,
                 BoxHistory history);

}  // namespace cellscope
