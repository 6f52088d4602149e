// What molecular dynamics computes with: the pair law and how pairs are found, and a state on the
// host.
#pragma once
#include <functional>

#include "sim/algo/md/displacements.h"
#include "sim/algo/md/species.h"
#include "sim/algo/neighbours/builder.h"

namespace cellscope {

enum class PairKernel {
  tuned,        // hand-tuned CUDA kernel, vectorised CPU loop; single precision
  teams,        // generic tiles of S2, single precision
  teamsDouble,  // the same in double precision: the oracle
  exact         // lists: the same bits on every processor and GPU (FixedForce)
};

struct PairSettings {
  int potential = 0;  // index in sim/core/potentials.h
  double cutoff = 2.5;
  int tile = 64;  // n_B of S2: 32, 64, 128 or 256
  PairKernel kernel = PairKernel::tuned;
  // Of engines with Verlet lists.
  int method = 0;  // index in sim/algo/neighbours/methods.h
  ListOptions search = {};
  double buffer = 0.3;  // by which lists reach beyond the cutoff; 0: a list for every step
  // Wrong on purpose: lists are built at a fixed interval of steps, however far particles have
  // moved. 0: whenever they must.
  std::uint64_t uncheckedSteps = 0;
  ListFault fault = ListFault::none;  // put into each list
  std::uint32_t faultParticle = 0;    // by its number in the state
  // Threads per particle in a force pass on CUDA, 1 to 32; 0: chosen by the number of particles.
  int lanes = 0;
  SpeciesTable species = {};  // of one type: its cutoff is that above
  // Of engines with placeholder cells.
  int slots = 32;     // of each cell; grown where they are too few
  double skin = 0.2;  // lambda: by which cells are at least wider than the cutoff

  // Of one species, with all pairs.
  PairOfTypes onlyPair() const {
    PairOfTypes p{.cutoff = cutoff};
    for (int k = 0; k < kMostOwn; ++k)
      p.ownA[k] = p.ownB[k] = species.own[k][0], p.whole[k] = species.whole[k];
    p.truncation = species.truncation;
    return p;
  }
};

// Neighbour lists since the start, or since the engine last began to use them: part of the state,
// since it tells when they are sorted.
struct ListHistory {
  std::uint64_t firstStep = 0;  // the first step with lists
  std::uint64_t builds = 0;
  // Builds in the step after another one: half the buffer is less than a particle moves in a step.
  // Lists are checked before their forces are computed, so that these are right all the same.
  std::uint64_t dangerous = 0;
  std::uint64_t lastStep = 0;  // of the last build
};

struct MdState {
  Box box = cubicBox(1);
  std::vector<Vec3d> position = {}, velocity = {};  // positions lie in the box
  std::vector<std::uint8_t> type = {};              // none: all 0
  // Of engines with Verlet lists: the particle in each slot of their memory, and what their list
  // was built from, by slot; none: not known, a list is built.
  std::vector<std::uint32_t> order = {};
  std::vector<ParticleRecord> built = {};
  // Of engines with placeholder cells: `order` goes through the particles cell by cell; the cell of
  // each, the slots of a cell, and forces by number, whose sums depend on the cells as they were.
  std::vector<std::uint32_t> cellOf = {};
  std::uint32_t slots = 0;
  std::vector<Vec4> force = {};
  ListHistory history = {};
  Followed followed = {};

  std::uint32_t typeOf(std::size_t i) const { return type.empty() ? 0 : type[i]; }
  ParticleRecord record(const RecordBox& rounded, std::size_t i) const {
    return rounded.record(position[i], typeOf(i));
  }
  std::vector<ParticleRecord> records() const {
    std::vector<ParticleRecord> all(position.size());
    const RecordBox rounded(box);
    for (std::size_t i = 0; i < all.size(); ++i) all[i] = record(rounded, i);
    return all;
  }

  // Forgets what engines derive from the positions, so that another engine begins without lists.
  void dropDerived() {
    order.clear(), built.clear(), cellOf.clear(), force.clear();
    history = {};
  }
};

// Called with the share of the forces that is done, several times a second where that takes long on
// a CPU, with all pairs and with placeholder cells: the plain tiles, for a million particles in
// large tiles, every few seconds; a GPU with tuned all pairs of millions of particles, otherwise
// nothing.
// What it throws gives the work up: the forces are not valid then.
using PairProgress = std::function<void(double)>;

}  // namespace cellscope
