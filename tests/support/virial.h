// Equations of state of the fluid of hard disks to compare with: the virial series and its Pade
// approximant.
#pragma once
#include <cmath>

#include "sim/algo/observables/hard_disk_reference.h"
#include "sim/base/error.h"

namespace cellscope::test {

// Compressibility factor Z = P* / rho of the virial series' Pade approximant [4/5]; packing in
// [0, 0.66). The error bound grows from 2e-4 (up to 0.4) over 5e-4 at 0.5 and 3e-3 at 0.6 to 5e-2
// at 0.65.
inline double hardDiskPade(double packing) { return hardDiskData().pade(packing); }
inline double hardDiskPadeError(double packing) {
  const HardDiskData& d = hardDiskData();
  const std::size_t last = d.padePacking.size() - 1;
  for (std::size_t i = 1; i <= last; ++i) {
    if (packing > d.padePacking[i]) continue;
    const double f = (packing - d.padePacking[i - 1]) / (d.padePacking[i] - d.padePacking[i - 1]);
    return d.padeError[i - 1] + std::max(0.0, f) * (d.padeError[i] - d.padeError[i - 1]);
  }
  return d.padeError[last];
}

// Z of the virial series to B10 (Clisby and McCoy 2006), of an infinite system. packing in [0,
// 0.7].
struct VirialSum {
  double z = 0;
  double error = 0;    // one standard error of the coefficients
  double leftOut = 0;  // the terms beyond, continued as a geometric series like the last two
};
inline VirialSum hardDiskVirial(double packing) {
  CELLSCOPE_ASSERT(packing >= 0 && packing <= 0.7);
  const HardDiskData& data = hardDiskData();
  const std::vector<double> series = virialSeries(data.virial);
  const double last = series.back(), ratio = last / series[series.size() - 2] * packing;
  VirialSum sum{polynomial(series, packing)};
  sum.leftOut = last * std::pow(packing, series.size() - 1) * ratio / (1 - ratio);
  for (std::size_t k = 0; k < data.virialError.size(); ++k)  // B_n of n = k + 2
    sum.error = std::hypot(sum.error, data.virialError[k] * std::pow(2 * packing, k + 1));
  return sum;
}

}  // namespace cellscope::test
