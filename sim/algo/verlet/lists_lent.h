// What an engine with neighbour lists lends to its readers: the arrays themselves, in
// the memory of its backend, valid until the engine is used again.
#pragma once
#include <cstdint>

#include "sim/algo/neighbours/builder.h"

namespace cellscope {

// Arrays are by slot. Of lists that clusters share (list.clustered()) row r belongs to slots
// r * list.cluster and those after it, the last row to fewer where n ends; its entries are all
// slots within reach of one of these, themselves included. Particles of a cluster are close to each
// other, but may lie across an edge of the box.
struct ListsLent {
  ListBuilder* builder = nullptr;  // with the structures of the last build
  ListInput input;                 // of that build
  ListReader list;
  const Vec3d *position = nullptr, *velocity = nullptr;  // now
  const ParticleRecord* record = nullptr;                // positions, rounded
  const Vec4* force = nullptr;  // null between a new list and the forces from it
  const Vec2* terms = nullptr;  // half of the energy and virial of each pair
  // number of the particle in the state
  const std::uint32_t* tag = nullptr;
  // Parts that a build under way has done: list and structures are not one then. -1: complete.
  int partsDone = -1;
  PairTable cutoffs = {};  // reaches without the buffer
};

}  // namespace cellscope
