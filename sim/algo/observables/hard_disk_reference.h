// Published numbers for hard disks, from assets/reference/*.toml (sim/api/assets.h).
#pragma once
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "sim/api/observable.h"

namespace cellscope {

// P*(packing) curves and points to draw beside our own: Pade and Henderson curves, scaled particle
// theory, and the published simulations per method and size. Throws InputError when a data file is
// missing or damaged.
std::vector<CurveSeries> hardDiskEquationOfState();

// Published P* that hold for `disks` disks in a square box at `packing`: ReferenceValue::observable
// is `observable`. Only simulations whose packing agrees within 1e-6; per method the published size
// nearest to `disks` in ratio, named in the source together with its size, and only when the ratio
// is at most 4. Exact values where they are known. Below packing 0.66 and from 100 disks the Pade
// value with its stated error and that of the finite system.
std::vector<ReferenceValue> hardDiskReferences(std::uint64_t disks, double packing,
                                               const std::string& observable = "pressure");

// Compressibility factor Z = P* / rho of the virial series' Pade approximant [4/5]; packing in
// [0, 0.66). The error bound grows from 2e-4 (up to 0.4) over 5e-4 at 0.5 and 3e-3 at 0.6 to 5e-2
// at 0.65.
double hardDiskPade(double packing);
double hardDiskPadeError(double packing);

// Packing fraction above which hardDiskPade is not used.
inline constexpr double kPadeLimit = 0.66;

}  // namespace cellscope
