// Colourings of a crowd.
#pragma once
#include <cstdint>

#include "sim/layers/colourings/plain.h"
#include "tests/support/crowd/walkers.h"

namespace cellscope::test {

struct CrowdColourState {};
struct WalkerSeen {
  const Walker& walker;
  std::uint64_t step;
};

struct WalkerSpecies {
  static ColouringInfo info() { return {"species", "Species", "Small and large walkers."}; }
  static ColourScale scale(const CrowdColourState&) {
    return layers::categories("species", {kSpeciesNames[0], kSpeciesNames[1]});
  }
  HOST_DEVICE static float value(const WalkerSeen& w) { return static_cast<float>(w.walker.type); }
};

struct WalkerAge {
  static ColouringInfo info() { return {"age", "Age", "Steps since a walker came."}; }
  static ColourScale scale(const CrowdColourState&) {
    return layers::sequential("age", "steps", 0, 80);
  }
  HOST_DEVICE static float value(const WalkerSeen& w) {
    return static_cast<float>(w.step - w.walker.born);
  }
};

struct PlainWalkers : layers::PlainParticles {
  static ColouringInfo info() { return {"plain", "Plain", "One colour for all walkers."}; }
  static ColourScale scale(const CrowdColourState&) { return layers::plainScale("walkers"); }
};

using CrowdColourings = layers::ColouringList<WalkerSpecies, WalkerAge, PlainWalkers>;

}  // namespace cellscope::test
