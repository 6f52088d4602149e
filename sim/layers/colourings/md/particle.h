// What colourings of molecular dynamics know: the run as it is now, and one particle as the kernel
// sees it.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "sim/algo/md/particles_lent.h"
#include "sim/layers/colouring.h"

namespace cellscope::layers {

// Of ChosenColouring::needs.
inline constexpr std::uint32_t kMdEnergies = 1, kMdNeighbours = 2;

struct MdColourState {
  // Neighbour lists: not used by the method, due but not begun, being built phase by phase,
  // complete.
  enum class Lists { unused, due, beingBuilt, complete };
  std::int64_t n = 0;
  int dimension = 3;
  double temperature = 1, density = 1;
  double cutoff = 2.5, buffer = 0;  // cutoff: where the law of the first species ends
  Lists lists = Lists::unused;
  std::int32_t tile = 64;          // n_B of S2
  std::int64_t cells = 0;          // placeholder cells; 0: none
  std::vector<std::string> types;  // their names
};

struct MdSeen {
  const ParticlesLent& from;
  LentParticle at;
};

}  // namespace cellscope::layers
