// Arrays of the engine with placeholder cells.
#pragma once
#include "sim/algo/placeholders/cells.h"
#include "sim/exec/double_buffer.h"
#include "sim/exec/layout.h"

namespace cellscope {

// By number of the particle.
struct PlaceholderParticles {
  exec::Array<Vec3d> position, velocity;
  exec::Array<Vec4> force;
  exec::Array<Vec2> terms;
  exec::Array<ParticleRecord> kind;  // types; positions are those of the upload
  exec::Array<Vec3d> keptPosition, keptVelocity;
  exec::Array<Vec4> keptForce;

  static exec::Layout<PlaceholderParticles> layout(std::size_t n) {
    using S = PlaceholderParticles;
    return {{"positions", &S::position, n},
            {"velocities", &S::velocity, n},
            {"forces", &S::force, n},
            {"energies", &S::terms, n},
            {"types", &S::kind, n},
            {"kept positions", &S::keptPosition, n},
            {"kept velocities", &S::keptVelocity, n},
            {"kept forces", &S::keptForce, n}};
  }
};

struct PlaceholderCells {
  exec::DoubleBuffer<SlotRecord> slot;
  exec::DoubleBuffer<std::uint32_t> filled;
  exec::Array<SlotRecord> keptSlot;
  exec::Array<std::uint32_t> keptFilled;

  static exec::Layout<PlaceholderCells> layout(const PlaceholderShape& shape) {
    using S = PlaceholderCells;
    const auto cells = static_cast<std::size_t>(shape.grid.count());
    return {{"slots", &S::slot, shape.slotsInAll()},
            {"particles in cells", &S::filled, cells},
            {"kept slots", &S::keptSlot, shape.slotsInAll()},
            {"kept particles in cells", &S::keptFilled, cells}};
  }
};

}  // namespace cellscope
