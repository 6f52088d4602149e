// Per-particle parts of a step with Verlet lists, and what belongs to a rebuilding.
//
// Positions and velocities are kept in double; lists and forces see positions rounded to floats.
// Several steps are ordered at once. `stop` holds the first step at whose positions the list is no
// longer valid: parts after that point do nothing, so that the host can build a new list and go on
// from there.
#pragma once
#include "sim/algo/lbvh/tree.h"
#include "sim/algo/md/integrator.h"
#include "sim/algo/neighbours/builder.h"
#include "sim/algo/verlet/step_control.h"
#include "sim/exec/status.h"

namespace cellscope {

struct Stopping {
  std::uint64_t step;  // of the first list that is no longer valid
};
inline constexpr std::uint64_t kNoStop = ~std::uint64_t{0};

// By slot.
struct VerletDrift {
  Drift drift;
  ParticleRecord* record;       // positions rounded
  const ParticleRecord* built;  // as they were when the list was built
  const Vec4* force;            // w: 0
  Stopping* stop;
  RecordBox rounded;
  InverseMasses inverseMass;
  float mostMoved2;  // (buffer / 2)^2, less what rounding may hide; negative: always too far
  std::uint64_t step;

  HOST_DEVICE void operator()(std::size_t i) const {
    if (stop->step < step) return;
    const ParticleRecord p = record[i];
    const double perMass = inverseMass.of[p.type];
    move(i, p, kicked(drift.velocity[i], force[i], perMass), perMass, step, record);
  }
  // Half a time step later.
  HOST_DEVICE Vec3d kicked(Vec3d v, const auto& f, double perMass) const {
    return halfKicked(v, {f.x, f.y, f.z}, drift.dt, perMass);
  }
  // To the positions of step `to`. Of particle i: record, velocity after the kick. `out`: records.
  // Whether the list is not valid there.
  HOST_DEVICE bool move(std::size_t i, ParticleRecord p, Vec3d v, double perMass, std::uint64_t to,
                        ParticleRecord* out) const {
    if (!drift(i, v, perMass, to)) {
      out[i] = p;
      return false;
    }
    const ParticleRecord now = rounded.record(drift.position[i], p.type);
    out[i] = now;
    const bool ended = rounded.distanceSquared(now, built[i]) > mostMoved2;
    if (ended) exec::minGlobal(&stop->step, to);
    return ended;
  }
};

// The list is still valid behind this step.
struct BeforeStop {
  const Stopping* stop;
  std::uint64_t step;
  HOST_DEVICE bool operator()() const { return stop->step > step; }
};
using VerletKick = HalfKick<SplitSums, BeforeStop>;
// The end of a step and the beginning of the next one.
struct KickAndDrift {
  VerletKick kick;
  VerletDrift drift;
  HOST_DEVICE void operator()(std::size_t i) const { kick(i), drift(i); }
};

// By slot, as lists see them. kind: types.
struct RoundPositions {
  const Vec3d* position;
  const ParticleRecord* kind;
  ParticleRecord* record;
  RecordBox box;
  HOST_DEVICE void operator()(std::size_t k) const {
    record[k] = box.record(position[k], kind[k].type);
  }
};

// A Z-order curve through 2^10 bins along each axis (2^15 in 2D), x last.
struct CurveGrid {
  RecordBox box;
  HOST_DEVICE static std::uint32_t bin(float x, float perLength, std::uint32_t bins) {
    const auto b = static_cast<std::uint32_t>(x * perLength * static_cast<float>(bins));
    return b < bins ? b : bins - 1;
  }
  HOST_DEVICE std::uint32_t indexOf(const ParticleRecord& p) const {
    const std::uint32_t bins = box.dimension == 3 ? 1024 : 32768;
    const std::uint32_t x = bin(p.x, box.inverse[0], bins), y = bin(p.y, box.inverse[1], bins);
    return box.dimension == 3 ? mortonCode(bin(p.z, box.inverse[2], bins), y, x) : mortonCode(y, x);
  }
};

// By what slots are sorted: places along the curve, the cells of a builder that wants them in the
// order of its cells, or bins of columns, for one whose clusters are slots that follow each other.
template <class Grid>
struct GridKey {
  CurrentRecords record;
  Grid grid;
  std::uint32_t *key, *slot;
  HOST_DEVICE void operator()(std::size_t i) const {
    key[i] = static_cast<std::uint32_t>(grid.indexOf(record.now()[i]));
    slot[i] = static_cast<std::uint32_t>(i);
  }
};

// Whether the state is sorted before a list that is read in an order of its own; before others it
// always is. It follows from the number of lists alone, so that runs which are taken up again go on
// alike.
struct SortDue {
  const StepControl* control = nullptr;  // has that number; null: it is `builds`
  std::uint64_t builds = 0;
  static constexpr std::uint64_t kListsPerSort = 8;
  HOST_DEVICE bool operator()() const {
    return (control ? control->builds : builds) % kListsPerSort == 0;
  }
};

// Of several domains each moves its own: the others' positions and velocities stay behind. Where no
// sort is due particles stay where they are, and the list is built from their records.
struct TakeInOrder {
  SortDue due;
  const std::uint32_t* slot;
  const Vec3d *position, *velocity;
  CurrentRecords record;
  const std::uint32_t* tag;
  Vec3d *newPosition, *newVelocity;
  ParticleRecord* newRecord;
  std::uint32_t* newTag;
  OwnSlots own;
  HOST_DEVICE void operator()(std::size_t k) const {
    const bool moves = due();
    const std::uint32_t i = moves ? slot[k] : static_cast<std::uint32_t>(k);
    newRecord[k] = record.now()[i];
    if (!moves) return;
    if (own.has(k)) newPosition[k] = position[i], newVelocity[k] = velocity[i];
    newTag[k] = tag[i];
  }
};

// Back to where they were, so that recorded launches find everything in its place.
struct PutBack {
  SortDue due;
  const Vec3d *position, *velocity;
  const ParticleRecord* record;
  const std::uint32_t* tag;
  Vec3d *toPosition, *toVelocity;
  ParticleRecord* toRecord[2];  // the second: null where it is known which one is read next
  std::uint32_t* toTag;
  std::uint32_t* slot;  // of an order of the list's own; null: there is none
  OwnSlots own;
  HOST_DEVICE void operator()(std::size_t i) const {
    if (!due()) return;
    if (own.has(i)) toPosition[i] = position[i], toVelocity[i] = velocity[i];
    toTag[i] = tag[i];
    toRecord[0][i] = record[i];
    if (toRecord[1]) toRecord[1][i] = record[i];
    if (slot) slot[i] = static_cast<std::uint32_t>(i);
  }
};

// Says with step 0 that the list is no longer valid at these positions.
struct CheckMoved {
  const ParticleRecord *record, *built;
  Stopping* stop;
  RecordBox box;
  float mostMoved2;
  HOST_DEVICE void operator()(std::size_t i) const {
    if (box.distanceSquared(record[i], built[i]) > mostMoved2) exec::minGlobal(&stop->step, 0);
  }
};

// Where the list of a step had too little room, it is not valid.
struct StopWithoutRoom {
  const ListOverflow* overflow;
  Stopping* stop;
  std::uint64_t step;
  HOST_DEVICE void operator()(std::size_t) const {
    if (overflow->any != 0 && step < stop->step) stop->step = step;
  }
};

// Whether slot[i] is i.
struct NotInPlace {
  const std::uint32_t* slot;
  HOST_DEVICE std::uint64_t operator()(std::size_t i) const { return slot[i] != i; }
};

// Faults that are put into neighbour lists on purpose: a finished list loses what a search with
// that mistake would not have found. The search itself, its cells and its trees stay as they are.
// Rows, each by itself. Cells are those of gridFor(), no narrower than the reach.
struct SpoilList {
  ListView list;
  const ParticleRecord* particles;  // by slot, that the list was built from
  const std::uint32_t* tag;
  CellGrid grid;
  RecordBox box;
  ListFault fault;
  std::uint32_t particle;  // by its tag

  // How many cells b is after a along x, modulo their number.
  HOST_DEVICE std::int32_t after(std::uint32_t a, std::uint32_t b) const {
    const std::int32_t n = grid.cells[0];
    return (grid.along(particles[b].x, 0) - grid.along(particles[a].x, 0) + n) % n;
  }
  // Of a particle that is taken for one in the next cell.
  HOST_DEVICE bool tooFar(std::uint32_t misplaced, std::uint32_t other) const {
    const std::int32_t n = grid.cells[0], apart = (after(misplaced, other) - 1 + n) % n;
    return apart > 1 && apart < n - 1;
  }
  HOST_DEVICE bool lost(std::uint32_t i, std::uint32_t j, std::uint32_t nearest) const {
    if (fault == ListFault::dropPair) return j == nearest;
    if (fault == ListFault::shortStencil) return grid.cells[0] > 2 && after(i, j) == 1;
    return (tag[i] == particle && tooFar(i, j)) || (tag[j] == particle && tooFar(j, i));
  }
  HOST_DEVICE void operator()(std::size_t row) const {
    const auto i = static_cast<std::uint32_t>(row);
    if (!list.own(i)) return;
    std::uint32_t* const items = list.items + list.head[i];
    const std::uint32_t count = list.count[i];
    std::uint32_t nearest = ~0u, kept = 0;
    if (fault == ListFault::dropPair && tag[i] == particle) {
      float least = 0;
      for (std::uint32_t k = 0; k < count; ++k) {
        const float r2 = box.distanceSquared(particles[i], particles[items[k]]);
        if (k == 0 || r2 < least) least = r2, nearest = items[k];
      }
    }
    for (std::uint32_t k = 0; k < count; ++k)
      if (!lost(i, items[k], nearest)) items[kept++] = items[k];
    list.count[i] = kept;
  }
};

}  // namespace cellscope
