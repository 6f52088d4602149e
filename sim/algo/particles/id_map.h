// From ids to slots, for callers that ask by id: particles are stored in an order of their own.
#pragma once
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "sim/base/particle_id.h"

namespace cellscope {

// Built anew when particles come, go or change their slots.
class IdMap {
 public:
  IdMap() = default;
  explicit IdMap(std::span<const ParticleId> idOfSlot);  // unique; fewer than 2^32 of them

  std::optional<std::uint32_t> find(ParticleId id) const;
  std::size_t size() const { return ids_.size(); }
  // The k-th in ascending order of ids, with its slot.
  std::pair<ParticleId, std::size_t> entry(std::size_t k) const { return {ids_[k], slots_[k]}; }

 private:
  std::vector<ParticleId> ids_;  // in ascending order, each with its slot
  std::vector<std::uint32_t> slots_;
};

}  // namespace cellscope
