// Equation of state of the full Lennard-Jones fluid in three dimensions: Thol, Rutkai, Koester,
// Lustig, Span and Vrabec, J. Phys. Chem. Ref. Data 45, 023101 (2016). Not to be used between the
// densities of coexisting liquid and vapour.
#pragma once

namespace cellscope {

struct FluidState {
  double pressure;
  double energy;           // per particle, without the kinetic part
  double excessPotential;  // mu - T ln rho, Lambda = 1
};

FluidState tholEquation(double temperature, double density);

// Equation of state of the Lennard-Jones fluid truncated and shifted at 2.5 sigma, in three
// dimensions: Heier, Stephan, Liu, Chapman, Hasse and Langenbach, Mol. Phys. 116, 2083 (2018). Not
// to be used between the densities of coexisting liquid and vapour.

FluidState petsEquation(double temperature, double density);

}  // namespace cellscope
