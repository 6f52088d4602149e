// A colouring is a type with its words, the scale of its legend, and the value of one
// particle,
//   static ColouringInfo info();
//   static ColourScale scale(const State&);            // title and range, as the run is now
//   HOST_DEVICE static float value(const Particle&);
// and, where it needs them,
//   static constexpr std::uint32_t kNeeds;             // bits of what must be computed for it
//   static std::string missing(const State&);          // why there are no values now, or ""
// State is what a mode provides of its run, Particle what a packing kernel sees of one particle.
// The colourings of a mode are a list (particles.h and others), of which kernels get an index.
#pragma once
#include "sim/api/frame.h"
#include "sim/base/error.h"
#include "sim/base/host_device.h"
#include "sim/layers/layers.h"

namespace cellscope::layers {

// What a frame is coloured by.
struct ChosenColouring {
  std::int32_t index = -1;  // in the list; -1: all values are 0
  std::uint32_t needs = 0;
  ColourScale scale;
};

template <class... Colourings>
struct ColouringList {
  static std::vector<ColouringInfo> infos() { return {Colourings::info()...}; }

  // The colouring of this key, "" for the first, or one colour for all where it has no values now.
  // Throws InputError for a key that is not in the list.
  static ChosenColouring choose(const std::string& key, const auto& state) {
    const std::int32_t wanted = indexOf(key);
    ChosenColouring chosen;
    std::int32_t k = 0;
    ((k++ == wanted ? take<Colourings>(wanted, state, chosen) : void()), ...);
    return chosen;
  }

  template <class Particle>
  HOST_DEVICE static float value(std::int32_t index, const Particle& particle) {
    float result = 0;
    std::int32_t k = 0;
    (void)((index == k++ && ((result = Colourings::value(particle)), true)) || ...);
    return result;
  }

 private:
  static std::int32_t indexOf(const std::string& key) {
    if (key.empty()) return 0;
    std::string known;
    std::int32_t k = 0;
    for (const ColouringInfo& c : infos()) {
      if (c.key == key) return k;
      known += (k++ > 0 ? ", " : "") + c.key;
    }
    throw InputError("unknown colouring '" + key + "'; one of " + known);
  }
  template <class Colouring, class State>
  static void take(std::int32_t index, const State& state, ChosenColouring& chosen) {
    if constexpr (requires { Colouring::missing(state); }) {
      const std::string why = Colouring::missing(state);
      if (!why.empty()) {
        chosen.scale = plainScale(why);
        return;
      }
    }
    chosen.index = index;
    chosen.scale = Colouring::scale(state);
    if constexpr (requires { Colouring::kNeeds; }) chosen.needs = Colouring::kNeeds;
  }
};

// One colour for all.
struct PlainParticles {
  static ColouringInfo info() { return {"plain", "Plain", "One colour for all particles."}; }
  static ColourScale scale(const auto&) { return plainScale("Particles"); }
  template <class Particle>
  HOST_DEVICE static float value(const Particle&) {
    return 0.0f;
  }
};

struct PlainDisks : PlainParticles {
  static ColouringInfo info() { return {"plain", "Plain", "One colour for all disks."}; }
  static ColourScale scale(const auto&) { return plainScale("disks"); }
};

}  // namespace cellscope::layers
