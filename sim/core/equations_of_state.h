// Equations of state of hard disks in closed form, and Pade approximants, of hard spheres and of
// Lennard-Jones fluids, with what a cutoff leaves out. eta: packing fraction; Z = P* / rho = 1 + 2
// eta g(1+).
#pragma once
#include <array>
#include <cmath>
#include <cstdint>
#include <numbers>
#include <span>
#include <vector>

#include "sim/base/host_device.h"

namespace cellscope {

// Scaled particle theory (Helfand, Frisch and Lebowitz 1961).
inline double scaledParticleZ(double eta) { return 1.0 / ((1.0 - eta) * (1.0 - eta)); }

// Henderson, Mol. Phys. 30, 971 (1975).
inline double hendersonZ(double eta) {
  return (1.0 + eta * eta / 8.0) / ((1.0 - eta) * (1.0 - eta));
}

// Virial series from reduced coefficients b[n-2] = B_n / B_2^(n-1), n = 2, 3, ...; B_2 rho = 2 eta.
// Returns the coefficients of Z in powers of eta, the constant 1 first.
std::vector<double> virialSeries(std::span<const double> reduced);

// Value of a polynomial, constant first.
double polynomial(std::span<const double> c, double x);

// x with a x = b (Gauss, row pivots).
std::vector<double> solved(std::vector<std::vector<double>> a, std::vector<double> b);

// Quotient of polynomials with the same Taylor series as `series` up to degree L + M.
struct Pade {
  std::vector<double> numerator, denominator;  // degrees L and M, constants first, 1 in the latter
  double operator()(double x) const {
    return polynomial(numerator, x) / polynomial(denominator, x);
  }
};
// series: L + M + 1 coefficients or more.
Pade padeApproximant(std::span<const double> series, int L, int M);

// Pressure of hard disks (sigma = 1 is the diameter, k_B T = 1) from contact statistics.

inline constexpr double kPi = 3.14159265358979323846;

// Number density from packing fraction, phi = rho pi sigma^2 / 4.
HOST_DEVICE double densityOfPacking(double packing) { return packing * (4.0 / kPi); }

// Where in the bin [a, b) a count linear in r is represented, S3 eq. (6).
HOST_DEVICE double binRadius(double a, double b) {
  // (2/3) (b^3 - a^3) / (b^2 - a^2), with the common factor b - a divided out.
  return (2.0 / 3.0) * (a * a + a * b + b * b) / (a + b);
}

// P* = rho (1 + (pi/2) rho g(1+)), S3 eq. (4).
HOST_DEVICE double pressureOfContact(double density, double contact) {
  return density * (1.0 + 0.5 * kPi * density * contact);
}

// P* = rho (1 + s(0+) / (2 d)) with d = 2 dimensions; s is the distribution of the relative
// compression at which a disk first touches another one (Eppenga and Frenkel, Mol. Phys. 52, 1303
// (1984); Anderson et al., Comput. Phys. Commun. 204, 21 (2016)); s(0+) = 2 pi rho g(1+).
HOST_DEVICE double pressureOfScale(double density, double scaleDensityAtZero) {
  return density * (1.0 + 0.25 * scaleDensityAtZero);
}

// Hard spheres of diameter 1 in d dimensions (hard disks where d = 2): their pressure from pairs
// near contact, and equations of state in three dimensions. T = 1; pressures are proportional to T.

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

struct FluidState {
  double pressure;
  double energy;           // per particle, without the kinetic part
  double excessPotential;  // mu - T ln rho, Lambda = 1
};

// Carnahan and Starling, J. Chem. Phys. 51, 635 (1969): the fluid. In units of T.
FluidState hardSphereFluid(double density);

// Speedy, J. Phys.: Condens. Matter 10, 4387 (1998), eq. (2): pressure of the face-centred cubic
// crystal. In units of T.
double hardSphereCrystalPressure(double density);

// Densities of fluid and crystal in coexistence, and where each equation is used.
inline constexpr double kHardSphereFreezing = 0.939, kHardSphereMelting = 1.0376;

// Equation of state of the full Lennard-Jones fluid in three dimensions: Thol, Rutkai, Koester,
// Lustig, Span and Vrabec, J. Phys. Chem. Ref. Data 45, 023101 (2016). Not to be used between the
// densities of coexisting liquid and vapour.
FluidState tholEquation(double temperature, double density);

// Equation of state of the Lennard-Jones fluid truncated and shifted at 2.5 sigma, in three
// dimensions: Heier, Stephan, Liu, Chapman, Hasse and Langenbach, Mol. Phys. 116, 2083 (2018). Not
// to be used between the densities of coexisting liquid and vapour.
FluidState petsEquation(double temperature, double density);

// Long-range corrections of the truncated Lennard-Jones fluid, and the three ways to state the
// reservoir. Reduced units; the thermal de Broglie length is 1 (Lambda = 1).

// c in U_tail = c N^2 / V (self term included), g = 1 beyond the cutoff:
//   3D  c = (8 pi / 3) (r_c^-9 / 3 - r_c^-3)       2D  c = pi (2 r_c^-10 / 5 - r_c^-4)
inline double tailEnergy(int dimension, double cutoff) {
  if (dimension == 3)
    return 8.0 / 3.0 * std::numbers::pi * (std::pow(cutoff, -9) / 3.0 - std::pow(cutoff, -3));
  return std::numbers::pi * (0.4 * std::pow(cutoff, -10) - std::pow(cutoff, -4));
}

// p_tail / rho^2:
//   3D  (16 pi / 3) (2 r_c^-9 / 3 - r_c^-3)        2D  pi (12 r_c^-10 / 5 - 3 r_c^-4)
inline double tailPressure(int dimension, double cutoff) {
  if (dimension == 3)
    return 16.0 / 3.0 * std::numbers::pi *
           (2.0 / 3.0 * std::pow(cutoff, -9) - std::pow(cutoff, -3));
  return std::numbers::pi * (2.4 * std::pow(cutoff, -10) - 3.0 * std::pow(cutoff, -4));
}

// The integral (S_d / 2) r^(d - 1 - k) dr beyond the cutoff, S_3 = 4 pi, S_2 = 2 pi: c of u = r^-k.
inline double powerTail(int dimension, std::int64_t k, double cutoff) {
  const auto more = static_cast<double>(k - dimension);
  return (dimension == 3 ? 2 : 1) * std::numbers::pi * std::pow(cutoff, -more) / more;
}

// Reservoir: z = exp(mu / T) (activity, 1 / volume); fugacity f = z T.
inline double activityOfPotential(double mu, double temperature) {
  return std::exp(mu / temperature);
}
inline double potentialOfActivity(double z, double temperature) {
  return temperature * std::log(z);
}
inline double fugacityOfActivity(double z, double temperature) { return z * temperature; }
inline double activityOfFugacity(double f, double temperature) { return f / temperature; }

}  // namespace cellscope
