// From ids to slots, for callers that ask by id: particles are stored in an order of their own.
#pragma once
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "sim/base/host_device.h"
#include "sim/base/particle_id.h"

namespace cellscope {

inline constexpr std::uint32_t kNoSlot = ~0u;

// Ids in ascending order, each with its slot; in the memory of the backend that looks up.
struct IdMapView {
  const ParticleId* ids = nullptr;       // n
  const std::uint32_t* slots = nullptr;  // n
  std::size_t n = 0;

  // kNoSlot when there is no such particle. Bisection: log2(n) reads.
  HOST_DEVICE std::uint32_t find(ParticleId id) const {
    std::size_t first = 0;
    for (std::size_t left = n; left > 0;) {
      const std::size_t half = left / 2;
      if (ids[first + half] < id) {
        first += half + 1;
        left -= half + 1;
      } else {
        left = half;
      }
    }
    return first < n && ids[first] == id ? slots[first] : kNoSlot;
  }
};

// The map in host memory. Built anew when particles come, go or change their slots.
class IdMap {
 public:
  IdMap() = default;
  explicit IdMap(std::span<const ParticleId> idOfSlot);  // unique; fewer than kNoSlot of them

  std::optional<std::uint32_t> find(ParticleId id) const;
  IdMapView view() const { return {ids_.data(), slots_.data(), ids_.size()}; }
  std::size_t size() const { return ids_.size(); }

 private:
  std::vector<ParticleId> ids_;
  std::vector<std::uint32_t> slots_;
};

}  // namespace cellscope
