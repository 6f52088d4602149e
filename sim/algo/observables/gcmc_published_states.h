// Published states of the Lennard-Jones fluid at given chemical potential: vapour isotherms,
// supercritical states, and vapour and liquid along coexistence. From
// assets/reference/grand_canonical.toml.
#pragma once
#include <limits>
#include <string>
#include <vector>

#include "sim/core/lennard_jones.h"

namespace cellscope {

// A published number; NaN: not published. error: one standard error or half of the last digit,
// whichever is larger; 0: nothing is known.
struct PublishedNumber {
  double value = std::numeric_limits<double>::quiet_NaN(), error = 0;
};

struct PublishedState {
  std::string name;  // "liquid, T = 0.85"
  double temperature = 1, lnActivity = 0, cutoff = 2.5, length = 8;
  Truncation truncation = Truncation::plain;
  bool tail = false;
  double lnActivityError = 0;                 // half of its last digit
  PublishedNumber density, energy, pressure;  // energy per particle
  std::string source;
};

// All of them. Coexistence only where the two phases are far enough from the critical point that
// neither turns into the other in the cube. Throws InputError naming what is wrong in the file.
std::vector<PublishedState> publishedGcmcStates();

}  // namespace cellscope
