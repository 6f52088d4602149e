// The colourings of grand-canonical Monte Carlo; the first is the default.
#pragma once
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>

#include "sim/base/particle_id.h"
#include "sim/core/gcmc_pair.h"
#include "sim/layers/colouring.h"

namespace cellscope::layers {

// What colourings of grand-canonical Monte Carlo know: the run as it is now, and one particle as
// the kernel sees it.

inline constexpr std::uint32_t kGcmcEnergies = 1;  // of ChosenColouring::needs

struct GcmcColourState {
  double density = 0;
  int dimension = 3;
  bool manyChains = false;  // of different densities, side by side: one range for all
  int domains = 1;
  bool mixed = false;
};

// How domains cut the shifted grid of the checkerboard (gcmcBoardLayers).
struct GcmcCut {
  int domains = 1;
  std::uint32_t layers = 1;  // of cells across the axis that is cut, the last one
  std::uint32_t shift = 0;   // of the grid along it

  HOST_DEVICE std::uint32_t layerOf(std::uint32_t word) const {
    return gcmcCell(word - shift, layers);
  }
  // A border belongs to the layer that contains it, which is the first of the domain after it.
  HOST_DEVICE int domainOf(std::uint32_t layer) const {
    const std::uint64_t next = ((std::uint64_t{layer % layers + 1} << 32) + layers - 1) / layers;
    const auto last = static_cast<std::uint32_t>(next - 1) + shift;
    return static_cast<int>(std::uint64_t{last} * static_cast<std::uint32_t>(domains) >> 32);
  }
};

struct GcmcSeen {
  const ParticleId* id;
  const float* energy;      // with all others; null unless the colouring needs it
  ParticleId idBase;        // particles inserted during the run have ids from this on
  std::size_t slot, drawn;  // of this particle: index into ids, and into energies
  std::uint32_t along = 0;  // its position along the last axis
  GcmcCut cut{};
  std::uint32_t type = 0;
};

// Whether a particle was inserted during the run.
struct GcmcOrigin {
  static ColouringInfo info() {
    return {"origin", "Origin", "Particles from the start, and those inserted since."};
  }
  static ColourScale scale(const GcmcColourState&) {
    return categories("particles", {"from the start", "inserted"});
  }
  HOST_DEVICE static float value(const GcmcSeen& p) {
    return p.id[p.slot] >= p.idBase ? 1.0f : 0.0f;
  }
};

// Energy with all other particles.
struct GcmcEnergy {
  static constexpr std::uint32_t kNeeds = kGcmcEnergies;
  static ColouringInfo info() {
    return {"energy", "Energy", "Energy of each particle with all others, without the tail."};
  }
  static ColourScale scale(const GcmcColourState& s) {
    constexpr const char* kTitle = "energy with all others";
    if (s.manyChains) return sequential(kTitle, "epsilon", -14, 0);
    // In steps, so that colours do not flicker with the density.
    const double perDensity = s.dimension == 3 ? -6.75 : -3.25;
    const double mean = 2 * std::round(perDensity * std::min(s.density, 1.0));
    return sequential(kTitle, "epsilon", static_cast<float>(mean - 5),
                      static_cast<float>(std::min(mean + 5, 0.5)));
  }
  HOST_DEVICE static float value(const GcmcSeen& p) { return p.energy[p.drawn]; }
};

// The domain that advances the cell of a particle.
struct GcmcDomain {
  static ColouringInfo info() {
    return {"domain", "Domain",
            "The domain (GPU or thread) that advances the cell of each particle now, and whether "
            "the domain beside it has a copy (halo)."};
  }
  static std::string missing(const GcmcColourState& s) {
    return s.domains > 1 ? "" : "there is one domain; start with --domains 2";
  }
  static ColourScale scale(const GcmcColourState& s) { return domainScale(s.domains); }
  HOST_DEVICE static float value(const GcmcSeen& p) {
    const std::uint32_t layer = p.cut.layerOf(p.along);
    const int own = p.cut.domainOf(layer);
    const bool copied =
        p.cut.domainOf(layer + 1) != own || p.cut.domainOf(layer + p.cut.layers - 1) != own;
    return static_cast<float>(2 * (own % 3) + (copied ? 1 : 0));
  }
};

struct GcmcType {
  static ColouringInfo info() { return {"type", "Type", "The species of each particle."}; }
  static std::string missing(const GcmcColourState& s) {
    return s.mixed ? "" : "there is one type; choose system = binary";
  }
  static ColourScale scale(const GcmcColourState&) { return categories("type", {"A", "B"}); }
  HOST_DEVICE static float value(const GcmcSeen& p) { return static_cast<float>(p.type); }
};

using GcmcColourings = ColouringList<GcmcOrigin, GcmcEnergy, GcmcDomain, GcmcType, PlainParticles>;

}  // namespace cellscope::layers
