// Low densities, where theory is practically exact: compressibility factor Z = P* / rho against the
// virial series.
#pragma once
#include <cmath>
#include <cstdint>
#include <vector>

#include "app/reproduce/hard_disks/equilibrium.h"
#include "sim/algo/observables/hard_disk_reference.h"

namespace cellscope::reproduce {

// What is asked of Z up to packing 0.4; the series is worth comparing where it leaves out less.
constexpr double kVirialBound = 2e-4;

// Largest packing at which the series to B10 leaves out less than `bound` of Z.
double reachOfVirialSeries(double bound);

// A measured state against three references, each with the 1/N term of N disks.
struct VirialComparison {
  Mean z;                  // free paths
  double series = 0;       // Z of the series
  double seriesError = 0;  // of its coefficients and of what it leaves out, together
  // Measured minus series in combined errors; NaN beyond the reach of the series.
  double paths = 0, contact = 0, sdf = 0;
  double fluid = 0;                // free paths minus Kolafa and Rottner, in combined errors
  double pade = 0, padeBound = 0;  // free paths minus Pade approximant, and how far that may be off

  bool sharp() const { return kAllowed * z.error <= padeBound; }  // enough to test the bound
  bool within() const { return sharp() && !(std::abs(pade) > padeBound); }
  // Not outside the bound by more than the error allows.
  bool bounded() const { return !(std::abs(pade) > padeBound + kAllowed * z.error); }
};
// Throws InputError for packings where the Pade approximant has no bound.
void checkVirialPackings(const std::vector<double>& packings);
VirialComparison compareVirial(const StateResult& r, double packing, std::uint64_t disks);

}  // namespace cellscope::reproduce
