// The contents of assets/reference/hard_disks.toml.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "sim/core/hard_disk_eos.h"

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

}  // namespace cellscope
