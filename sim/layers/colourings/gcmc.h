// The colourings of grand-canonical Monte Carlo; the first is the default.
#pragma once
#include "sim/layers/colourings/gcmc/energy.h"
#include "sim/layers/colourings/gcmc/origin.h"
#include "sim/layers/colourings/plain.h"

namespace cellscope::layers {

using GcmcColourings = ColouringList<GcmcOrigin, GcmcEnergy, PlainParticles>;

}  // namespace cellscope::layers
