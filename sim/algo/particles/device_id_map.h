// The map of id_map.h in the memory of a backend and built there, for steps in which particles
// come, go or change their slots.
#pragma once
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>

#include "sim/algo/particles/id_map.h"
#include "sim/exec/context.h"
#include "sim/exec/double_buffer.h"
#include "sim/exec/layout.h"

namespace cellscope {

// Ids in ascending order, each with its slot: the current halves of both.
struct IdMapArrays {
  exec::DoubleBuffer<std::uint64_t> ids;
  exec::DoubleBuffer<std::uint32_t> slots;
  static exec::Layout<IdMapArrays> layout(std::size_t n) {
    return {{"sorted ids", &IdMapArrays::ids, n}, {"slots of ids", &IdMapArrays::slots, n}};
  }
};

class DeviceIdMap {
 public:
  virtual ~DeviceIdMap() = default;
  // idOfSlot: in the backend's memory, n (fewer than kNoSlot), unique, each in [0, end). Ids below
  // a smaller `end` are sorted in fewer passes. Waits and allocates only where n is larger than
  // ever before. Throws OutOfMemory, the old map being lost then.
  virtual void build(const ParticleId* idOfSlot, std::size_t n, ParticleId end) = 0;
  virtual IdMapView view() const = 0;  // valid until the next build()
  // slots[k] = slot of ids[k], or kNoSlot; both in the backend's memory, n.
  virtual void findAll(const ParticleId* ids, std::size_t n, std::uint32_t* slots) = 0;
  virtual std::optional<std::uint32_t> find(ParticleId id) = 0;  // waits
  virtual std::size_t bytes() const = 0;
};

std::unique_ptr<DeviceIdMap> makeDeviceIdMapCpu(const exec::Shared& exec);
std::unique_ptr<DeviceIdMap> makeDeviceIdMapCuda(
    const exec::Shared& exec);  // builds with CUDA only
inline std::unique_ptr<DeviceIdMap> makeDeviceIdMap(const exec::Shared& exec) {
  if constexpr (kCudaBuilt)
    if (exec->where() == Backend::cuda) return makeDeviceIdMapCuda(exec);
  return makeDeviceIdMapCpu(exec);
}

}  // namespace cellscope
