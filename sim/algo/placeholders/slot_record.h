// A slot of a placeholder cell.
#pragma once
#include <cstdint>
#include <limits>

#include "sim/algo/neighbours/particle_record.h"
#include "sim/base/host_device.h"

namespace cellscope {

inline constexpr std::uint32_t kPlaceholder = 0xffffffffu;
inline constexpr std::uint32_t kTypeShift = 28, kNumberMask = (1u << kTypeShift) - 1;
// Comparisons with the cutoff are false there.
inline constexpr float kNowhere = std::numeric_limits<float>::quiet_NaN();

// Position, number and type of its particle.
struct alignas(16) SlotRecord {
  float x, y, z;
  std::uint32_t tag;  // number | type << 28, or kPlaceholder

  HOST_DEVICE bool real() const { return tag != kPlaceholder; }
  HOST_DEVICE std::uint32_t number() const { return tag & kNumberMask; }
  HOST_DEVICE std::uint32_t type() const { return tag >> kTypeShift & (kMostTypes - 1); }
};
HOST_DEVICE SlotRecord placeholder() { return {kNowhere, kNowhere, kNowhere, kPlaceholder}; }

}  // namespace cellscope
