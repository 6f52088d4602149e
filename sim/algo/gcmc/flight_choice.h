// Which move of a turn of the chain by slot is looked at closely.
#pragma once
#include <cstdint>
#include <optional>
#include <vector>

#include "sim/algo/gcmc/slot_chain.h"

namespace cellscope {

// Number of a move of the turn that begins with move `first`, which sees what was there before the
// turn: the first that is no empty draw, before which nothing happens. Or, where there is one, the
// first that draws or inserts into the cell `wanted`, if all moves before it are at home at least
// three cells away from it: displacements reach no further than the next cell.
std::uint64_t gcmcUndisturbed(const GcmcSlotCells& p, std::uint64_t first, std::uint64_t turn,
                              const std::vector<std::uint32_t>& filled,
                              std::optional<std::uint32_t> wanted);

}  // namespace cellscope
