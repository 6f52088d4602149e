// Per-particle parts of a step with placeholder cells, and the arrays of their engine. Positions,
// velocities and forces are kept by the number of the particle, positions and velocities in double;
// slots see positions rounded to floats.
#pragma once
#include "sim/algo/md/integrator.h"
#include "sim/algo/placeholders/cells.h"
#include "sim/exec/layout.h"

namespace cellscope {

// How far a particle may be outside its cell: two that are in cells which do not touch are no
// closer than the cutoff then.
struct CellBounds {
  CellGrid grid;
  RecordBox box;
  float width[3] = {0, 0, 0};
  float reach[3] = {0, 0, 0};  // from the middle of the cell

  CellBounds() = default;
  CellBounds(const PlaceholderShape& shape, const Box& of) : grid(shape.grid), box(of) {
    for (int a = 0; a < of.dimension; ++a) {
      const double w = of.length[a] / grid.cells[a];
      width[a] = static_cast<float>(w);
      // Less what rounding of positions and differences may hide.
      reach[a] = static_cast<float>(0.5 * w + 0.5 * (w - shape.cutoff) - 4e-7 * of.length[a]);
    }
  }
  HOST_DEVICE bool outside(float x, int axis, int cell) const {
    const float middle = (static_cast<float>(cell) + 0.5f) * width[axis];
    const float d = box.difference(x, middle, axis);
    return d > reach[axis] || -d > reach[axis];
  }
  HOST_DEVICE bool left(std::size_t cell, const ParticleRecord& p) const {
    const int c = static_cast<int>(cell), nx = grid.cells[0], ny = grid.cells[1];
    return outside(p.x, 0, c % nx) || outside(p.y, 1, c / nx % ny) ||
           (box.dimension == 3 && outside(p.z, 2, c / (nx * ny)));
  }
};

struct PlaceholderDrift {
  Drift drift;  // of particles by number
  SlotRecord* slot;
  const Vec4* force;
  PlaceholderControl* control;
  CellBounds bounds;
  std::uint32_t slots;
  InverseMasses inverseMass;
  std::uint64_t step;

  HOST_DEVICE void operator()(std::size_t k) const {
    if (!control->reaches(beforeForces(step))) return;
    const SlotRecord p = slot[k];
    if (!p.real()) return;
    const std::uint32_t i = p.number();
    const double perMass = inverseMass.of[p.type()];
    const Vec4 f = force[i];
    const Vec3d v = halfKicked(drift.velocity[i], {f.x, f.y, f.z}, drift.dt, perMass);
    if (!drift(i, v, perMass, step)) return;
    const ParticleRecord now = bounds.box.record(drift.position[i], 0);
    slot[k] = {now.x, now.y, now.z, p.tag};
    if (bounds.left(k / slots, now)) exec::maxGlobal(&control->left, step + 1);
  }
};

// The same check of particles that have not moved.
struct CheckLeft {
  const SlotRecord* slot;
  PlaceholderControl* control;
  CellBounds bounds;
  std::uint32_t slots;
  std::uint64_t step;
  HOST_DEVICE void operator()(std::size_t k) const {
    const SlotRecord p = slot[k];
    if (p.real() && bounds.left(k / slots, {p.x, p.y, p.z, 0}))
      exec::maxGlobal(&control->left, step + 1);
  }
};

// Refreshed cells back to where the others were.
struct TakeRefreshed {
  const SlotRecord* from;
  const std::uint32_t* fromFilled;
  SlotRecord* slot;
  std::uint32_t* filled;
  PlaceholderControl* control;
  std::uint64_t step;
  std::uint32_t cells;
  HOST_DEVICE void operator()(std::size_t k) const {
    if (!control->refreshDue(step)) return;
    slot[k] = from[k];
    if (k < cells) filled[k] = fromFilled[k];
    if (k == 0) ++control->refreshes;
  }
};

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
