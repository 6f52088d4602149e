// Equation of state of the Lennard-Jones fluid truncated and shifted at 2.5 sigma, in three
// dimensions: Heier, Stephan, Liu, Chapman, Hasse and Langenbach, Mol. Phys. 116, 2083 (2018). Not
// to be used between the densities of coexisting liquid and vapour.
#pragma once
#include "sim/core/lennard_jones_eos.h"

namespace cellscope {

FluidState petsEquation(double temperature, double density);

}  // namespace cellscope
