// For passes that are timed with their arithmetic left out.
#pragma once
#include <bit>
#include <cstdint>

#include "sim/base/host_device.h"

namespace cellscope {

// Takes up what was read, so that no compiler leaves the reading out, with one operation for each
// number. Coordinates are not negative, and slots are less than 2^32 - 1: of either the bits are
// never all ones, which no compiler knows; of other numbers they hardly ever are.
struct ReadOnly {
  std::uint32_t bits = 0;

  HOST_DEVICE void take(std::uint32_t v) { bits |= v; }
  HOST_DEVICE void take(float x, float y, float z) { bits |= bitsOf(x) | bitsOf(y) | bitsOf(z); }
  HOST_DEVICE void end(std::uint32_t* unread) const {
    if (bits == ~0u) *unread = 1;
  }

 private:
  HOST_DEVICE static std::uint32_t bitsOf(float f) {
#ifdef __CUDA_ARCH__
    return __float_as_uint(f);
#else
    return std::bit_cast<std::uint32_t>(f);
#endif
  }
};

}  // namespace cellscope
