// DeviceIdMap over one exec: included by id_map_cpu.cpp and id_map_cuda.cu only.
#pragma once
#include <bit>
#include <utility>

#include "sim/algo/particles/device_id_map.h"
#include "sim/core/assert.h"
#include "sim/exec/device_value.h"

namespace cellscope {

struct ListIds {
  const ParticleId* idOfSlot;
  std::uint64_t* ids;
  std::uint32_t* slots;
  HOST_DEVICE void operator()(std::size_t slot) const {
    ids[slot] = static_cast<std::uint64_t>(idOfSlot[slot]);
    slots[slot] = static_cast<std::uint32_t>(slot);
  }
};

struct FindIds {
  IdMapView map;
  const ParticleId* ids;
  std::uint32_t* slots;
  HOST_DEVICE void operator()(std::size_t k) const { slots[k] = map.find(ids[k]); }
};

struct FindOneId {
  IdMapView map;
  ParticleId id;
  std::uint32_t* slot;
  HOST_DEVICE void operator()(std::size_t) const { *slot = map.find(id); }
};

template <class Exec>
class DeviceIdMapOn final : public DeviceIdMap {
 public:
  explicit DeviceIdMapOn(exec::Shared shared)
      : shared_(std::move(shared)), exec_(exec::as<Exec>(shared_)) {}

  void build(const ParticleId* idOfSlot, std::size_t n, ParticleId end) override {
    CELLSCOPE_ASSERT(n < kNoSlot);
    reserve(n);
    n_ = n;
    exec_.forEach("list ids", n, ListIds{idOfSlot, arrays_.ids.data(), arrays_.slots.data()});
    const int bits =
        end > 1 ? static_cast<int>(std::bit_width(static_cast<std::uint64_t>(end - 1))) : 1;
    exec_.sortByKey("sort ids", arrays_.ids, arrays_.slots, n, {0, bits});
  }
  IdMapView view() const override {
    return {reinterpret_cast<const ParticleId*>(arrays_.ids.data()), arrays_.slots.data(), n_};
  }
  void findAll(const ParticleId* ids, std::size_t n, std::uint32_t* slots) override {
    exec_.forEach("find ids", n, FindIds{view(), ids, slots});
  }
  std::optional<std::uint32_t> find(ParticleId id) override {
    exec_.forEach("find id", 1, FindOneId{view(), id, found_.data()});
    const std::uint32_t slot = exec_.read(found_);
    if (slot == kNoSlot) return std::nullopt;
    return slot;
  }
  std::size_t bytes() const override { return IdMapArrays::layout(0).held(arrays_); }

 private:
  void reserve(std::size_t n) {
    const std::size_t room = exec::grownRoom(arrays_.ids.size(), n);
    if (room == arrays_.ids.size()) return;
    exec_.synchronize();
    n_ = 0;
    arrays_ = {};  // first, so that both need not fit
    arrays_ = IdMapArrays::layout(room).make(Exec::backend);
  }

  exec::Shared shared_;
  Exec& exec_;
  IdMapArrays arrays_;
  std::size_t n_ = 0;
  exec::DeviceValue<std::uint32_t> found_{Exec::backend};
};

}  // namespace cellscope
