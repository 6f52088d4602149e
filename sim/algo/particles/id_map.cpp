#include "sim/algo/particles/id_map.h"

#include <algorithm>
#include <limits>
#include <numeric>

#include "sim/core/assert.h"

namespace cellscope {

IdMap::IdMap(std::span<const ParticleId> idOfSlot) : slots_(idOfSlot.size()) {
  CELLSCOPE_ASSERT(idOfSlot.size() <= std::numeric_limits<std::uint32_t>::max());
  std::iota(slots_.begin(), slots_.end(), 0u);
  if (!std::is_sorted(idOfSlot.begin(), idOfSlot.end()))
    std::sort(slots_.begin(), slots_.end(),
              [&](std::uint32_t a, std::uint32_t b) { return idOfSlot[a] < idOfSlot[b]; });
  ids_.reserve(slots_.size());
  for (const std::uint32_t slot : slots_) ids_.push_back(idOfSlot[slot]);
}

std::optional<std::uint32_t> IdMap::find(ParticleId id) const {
  const auto at = std::lower_bound(ids_.begin(), ids_.end(), id);
  if (at == ids_.end() || *at != id) return std::nullopt;
  return slots_[static_cast<std::size_t>(at - ids_.begin())];
}

}  // namespace cellscope
