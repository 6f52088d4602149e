// What an engine of molecular dynamics lends for drawing: arrays in the memory
// of its backend, valid until the engine is used again.
#pragma once
#include "sim/algo/md/forces.h"
#include "sim/algo/neighbours/list.h"

namespace cellscope {

// One particle: its number in the arrays, and the item of the engine's order of work that it is.
struct LentParticle {
  std::size_t number, item;
  std::uint32_t type;
};

struct ParticlesLent {
  std::size_t n = 0;
  // By number.
  const Vec3d *position = nullptr, *velocity = nullptr;
  // Potential energy, half of each pair: one of these, valid where it was asked for.
  const PairSums* sums = nullptr;
  const Vec2* terms = nullptr;
  const ParticleRecord* record = nullptr;  // types, with lists positions too; null: all of type 0
  // Of engines with lists: where the particles were when these were built, and their lengths; of
  // others: neighbours within the cutoff, where they were counted.
  const ParticleRecord* built = nullptr;
  const std::uint32_t* listed = nullptr;
  RecordBox box;
  // Number of items of a block of work: particles, or the slots of a cell.
  std::int32_t block = 1;
  const SlotRecord* slot = nullptr;  // of engines with placeholder cells
  std::size_t slots = 0;             // of all cells
  // Of several domains: which has each item, and of which others have copies.
  DomainBorders domains;
  NeededSlots copied{DomainBorders{}};
  float diameter[kMostTypes] = {1, 1, 1, 1, 1, 1, 1, 1};

  std::size_t items() const { return slot ? slots : n; }
  // False where there is no particle.
  HOST_DEVICE bool at(std::size_t item, LentParticle& p) const {
    if (slot) {
      const SlotRecord s = slot[item];
      p = {s.number(), item, s.type()};
      return s.real();
    }
    p = {item, item, record ? record[item].type : 0u};
    return true;
  }
  HOST_DEVICE float energyOf(std::size_t number) const {
    return sums ? static_cast<float>(sums[number].energy) : terms[number].x;
  }
};

}  // namespace cellscope
