// The full potential of Lennard-Jones, of which forms that are cut are checked.
#pragma once

namespace cellscope {

// u_LJ(r) and f_LJ(r) = -u_LJ'(r) of the full potential (S2 eq. (2)).
inline double ljEnergy(double r) {
  const double x = 1.0 / (r * r * r * r * r * r);
  return 4.0 * x * (x - 1.0);
}
inline double ljForce(double r) {
  const double x = 1.0 / (r * r * r * r * r * r);
  return 24.0 * x * (2.0 * x - 1.0) / r;
}

}  // namespace cellscope
