// Equations of state of hard disks in closed form, and Pade approximants. eta: packing fraction;
// Z = P* / rho = 1 + 2 eta g(1+).
#pragma once
#include <span>
#include <vector>

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

// Quotient of polynomials with the same Taylor series as `series` up to degree L + M.
struct Pade {
  std::vector<double> numerator, denominator;  // degrees L and M, constants first, 1 in the latter
  double operator()(double x) const {
    return polynomial(numerator, x) / polynomial(denominator, x);
  }
};
// series: L + M + 1 coefficients or more. Linear equations by Gauss with row pivots.
Pade padeApproximant(std::span<const double> series, int L, int M);

}  // namespace cellscope
