// How many others are near each particle, by cells: a colour for methods that have no lists.
#pragma once
#include <cstddef>
#include <cstdint>
#include <memory>

#include "sim/algo/neighbours/particle_record.h"
#include "sim/base/backend.h"
#include "sim/base/box.h"
#include "sim/exec/context.h"

namespace cellscope {

class NearCounter {
 public:
  virtual ~NearCounter() = default;
  // Of n positions in the box, with their types (kind; null: all of type 0): the numbers of others
  // within the reach of the pair of types, each once, by particle. All in the memory of the
  // backend. Does not wait.
  virtual const std::uint32_t* count(const Vec3d* position, const ParticleRecord* kind,
                                     std::size_t n, const Box& box, const PairTable& table) = 0;
  virtual std::size_t bytes() const = 0;
};

using MakeNearCounter = std::unique_ptr<NearCounter>(const exec::Shared& exec);
MakeNearCounter makeNearCounterCpu, makeNearCounterCuda;
inline constexpr MakeNearCounter* makeNearCounter =
    exec::makeOn<makeNearCounterCpu, makeNearCounterCuda>;

}  // namespace cellscope
