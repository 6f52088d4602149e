// Hard spheres of diameter 1 in d dimensions (hard disks where d = 2): their pressure from pairs
// near contact, and equations of state in three dimensions. T = 1; pressures are proportional to T.
#pragma once
#include <array>

#include "sim/core/lennard_jones_eos.h"

namespace cellscope {

// The force of hard spheres is an impulse at contact: sum over pairs r . f = T sum of
// delta(r - 1), and P = rho (1 + S_d rho g(1+) / (2 d)) with S_3 = 4 pi, S_2 = 2 pi (S3 eq. (4)
// for d = 2). In place of delta(r - 1) stands a polynomial k(r - 1) for 1 <= r < 1 + c, with
//   integral of k(s) (1 + s)^(d - 1) s^j ds from 0 to c = 1 for j = 0, 0 for j = 1 to 4:
// the sum over pairs is exact where g(r) is a polynomial of degree 4 over that range, and needs
// no histogram. For g proportional to exp(-20 (r - 1)) it is off by 3e-5.
inline constexpr int kContactTerms = 5;
inline constexpr double kContactReach = 1.05;  // 1 + c

// Coefficients of k, constant first. dimension: 2 or 3.
std::array<double, kContactTerms> contactKernel(int dimension);

// Carnahan and Starling, J. Chem. Phys. 51, 635 (1969): the fluid. In units of T.
FluidState hardSphereFluid(double density);

// Speedy, J. Phys.: Condens. Matter 10, 4387 (1998), eq. (2): pressure of the face-centred cubic
// crystal. In units of T.
double hardSphereCrystalPressure(double density);

// Densities of fluid and crystal in coexistence, and where each equation is used.
inline constexpr double kHardSphereFreezing = 0.939, kHardSphereMelting = 1.0376;

}  // namespace cellscope
