// What a change of a parameter of grand-canonical Monte Carlo touches. By itself, as the parameters
// of the methods say it, too.
#pragma once
#include <cstdint>

namespace cellscope::gcmc {

struct GcmcTouch {
  enum : std::uint32_t {
    rules = 1,       // other acceptance or energies
    averages = 2,    // another ensemble
    isotherm = 4,    // another isotherm
    method = 8,      // another engine
    tuning = 16,     // the search for a maximum displacement
    moveSize = 32,   // the maximum displacement
    reservoir = 64,  // mu, z and f
    race = 128,      // the race of methods
    replicas = 256   // which other chains there are
  };
};

}  // namespace cellscope::gcmc
