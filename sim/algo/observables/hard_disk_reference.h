// Published values for hard disks, from assets/reference/*.toml (sim/base/build.h).
#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "sim/base/curve_series.h"
#include "sim/core/equations_of_state.h"

namespace cellscope {

struct PublishedSimulation {
  std::string method, source;
  std::uint64_t disks = 0;
  std::vector<double> packing, pressure, error;
};

// Equation of state of the fluid: Z = sum of coefficient x^power, x = eta / (1 - eta), and the
// simulated points it was fitted to.
struct FluidFit {
  std::string source;
  std::vector<double> power, coefficient;
  std::vector<double> density, z, zError;
};

// Table 1 of the MPMC paper: pressure with and without the shuffles of particles and of sets.
struct ShufflePressure {
  double packing = 0;
  bool particles = false, sets = false;
  double pressure = 0, error = 0;  // one standard error
};

// Table 4 of the MPMC paper: trial moves per second on some hardware, by the size of the system.
struct DiskSpeed {
  std::string key, hardware, source;
  std::vector<double> sides, moves;
  std::vector<double> ofLargest, overCore;  // of all its sizes; over one core at this size
};

// The contents of assets/reference/hard_disks.toml.
struct HardDiskData {
  std::vector<double> virial, virialError;  // reduced coefficients from n = 2; standard errors
  std::string virialSource;
  std::string padeSource;
  Pade pade;                                   // of Z in powers of eta
  std::vector<double> padePacking, padeError;  // bound of |Z - Pade|, linear in between
  FluidFit fluid;
  std::vector<PublishedSimulation> simulations;
  std::vector<PublishedSimulation> exact;  // small systems
  // Rows of Table 2 of the MPMC paper: "MPMC", "ECMC", and "difference" without sign.
  std::vector<PublishedSimulation> printed;
  std::vector<ShufflePressure> shuffles;
  std::vector<DiskSpeed> speeds;
};

// Throws InputError naming the file and the error.
HardDiskData loadHardDiskData(const std::string& path);

// Data of the current asset folder; read once.
const HardDiskData& hardDiskData();

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

// The fit holds up to density 0.88. Beyond 0.87 its error and the 1/N term grow fast.
inline constexpr double kFluidLimit = 0.88 * 0.78539816339744831;

}  // namespace cellscope
