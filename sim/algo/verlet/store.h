// Arrays of the engine with Verlet lists.
#pragma once
#include "sim/algo/verlet/step_kernels.h"
#include "sim/exec/layout.h"

namespace cellscope {

struct VerletStore {
  exec::DoubleBuffer<Vec3d> position, velocity;  // the spare ones: while they are sorted
  exec::DoubleBuffer<ParticleRecord> record;     // steps write the spare one and swap
  exec::DoubleBuffer<std::uint32_t> tag, key, slot;
  exec::Array<ParticleRecord> built;
  exec::Array<Vec4> force;
  exec::Array<Vec2> terms;
  // The last valid state.
  exec::Array<Vec3d> keptPosition, keptVelocity;
  exec::Array<ParticleRecord> keptRecord, keptBuilt;
  exec::Array<std::uint32_t> keptTag;

  static exec::Layout<VerletStore> layout(std::size_t n) {
    using S = VerletStore;
    return {{"positions", &S::position, n},
            {"velocities", &S::velocity, n},
            {"tags", &S::tag, n},
            {"keys", &S::key, n},
            {"slots", &S::slot, n},
            {"records", &S::record, n},
            {"records of the list", &S::built, n},
            {"forces", &S::force, n},
            {"energies", &S::terms, n},
            {"kept positions", &S::keptPosition, n},
            {"kept velocities", &S::keptVelocity, n},
            {"kept records", &S::keptRecord, n},
            {"kept records of the list", &S::keptBuilt, n},
            {"kept tags", &S::keptTag, n}};
  }
  VerletArrays arrays() const {
    return {position.data(), velocity.data(), record.data(),
            built.data(),    force.data(),    tag.data()};
  }
};

}  // namespace cellscope
