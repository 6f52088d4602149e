// Published values for hard disks, from assets/reference/*.toml (sim/base/assets.h).
#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "sim/base/curve_series.h"

namespace cellscope {

// P*(packing) curves and points for plots: Pade and Henderson curves, scaled particle
// theory, and the published simulations per method and size. Throws InputError if a data file is
// missing or damaged.
std::vector<CurveSeries> hardDiskEquationOfState();

// Which values are wanted: those that a result can be compared with, or also such as show only
// where a result will lie.
enum class Published { comparable, nearest };

// Published P* for `disks` disks in a square box at `packing`: ReferenceValue::observable is
// `observable`. Simulations at this packing within 1e-6 and of this size within 10 %, one per
// method. Exact values where they are known. In the fluid, from 100 disks, the equation of state of
// Kolafa and Rottner with its 1/N term, where its error, finite size included, is known and at most
// 1e-4 of P* (870 disks: up to packing 0.677). `nearest` adds the other values of the source: other
// sizes, per method the nearest when the ratio is at most 4; values linear between two neighbouring
// packings of one table, their errors with how far the curve may bend; and where no size is near,
// the nearest smaller and larger one.
std::vector<ReferenceValue> hardDiskReferences(std::uint64_t disks, double packing,
                                               Published which = Published::comparable,
                                               const std::string& observable = "pressure");

// Table 2 of the MPMC paper for exactly this state: "MPMC", "ECMC", or their "difference" as it is
// printed, without sign. One standard error; NaN where the table has no value.
ReferenceValue hardDiskTable2(const std::string& method, std::uint64_t disks, double packing);

// The most precise published equation of state of the fluid: P*, for an infinite system and for N
// disks in the canonical ensemble.
struct FluidPressure {
  double bulk = 0, finite = 0;  // P* at N -> infinity and at N
  double error = 0;             // of bulk: one standard error of the fitted simulations
  double finiteError = 0;       // of finite: with what the 1/N term may leave out
};
// Kolafa and Rottner 2006. packing in (0, kFluidLimit]. With Q_N from the grand canonical partition
// function by the saddle point, Z_N = Z - (eta / (2 N)) d ln(Z + eta Z') / d eta + O(1/N^2); at low
// density that is -2 eta / N. Near the transition O(1/N^2) matters: at packing 0.688 it is
// 0.08 % of P* for 870 disks.
FluidPressure hardDiskFluid(double packing, std::uint64_t disks);
const std::string& hardDiskFluidSource();

// The fit holds up to density 0.88. Beyond 0.87 its error and the 1/N term grow fast.
inline constexpr double kFluidLimit = 0.88 * 0.78539816339744831;

}  // namespace cellscope
