// How long the system remembers its orientation, against the move size d and the number of moves
// per cell n_M (S3, section 3.3): the autocorrelation time of the global bond order Psi6, in sweeps
// and in seconds of wall-clock time. The best setting has the smallest time in seconds.
#pragma once
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "sim/api/backend.h"
#include "sim/modes/hard_disks/parameters.h"

namespace cellscope {

struct TuningSetting {
  double d = 0.16;
  std::int64_t nMoves = 4;
};

struct TuningStudy {
  std::int64_t n = 4096;
  double packing = 0.7;
  DiskStart start = DiskStart::random;
  std::int64_t seed = 1;
  std::uint64_t equilibration = 2000;  // sweeps before the first setting
  std::uint64_t sweeps = 20000;        // measured per setting
  std::uint64_t sampleEvery = 20;      // sweeps between samples of Psi6
  std::vector<TuningSetting> settings;
};

// Every d with every n_M.
std::vector<TuningSetting> allSettings(const std::vector<double>& d,
                                       const std::vector<std::int64_t>& nMoves);
// The settings of S3: d = 0.06, 0.08, ..., 0.20 at n_M = 4, and n_M = 1, ..., 8 at d = 0.16.
std::vector<TuningSetting> paperSettings();

struct TuningResult {
  TuningSetting setting;
  double acceptance = 0;
  double tauSweeps = 0, tauSweepsError = 0;  // integrated autocorrelation time, one sigma
  double secondsPerSweep = 0;                // of the sweeps alone, without the measurement
  double tauSeconds = 0, tauSecondsError = 0;
  bool converged = false;  // false: the series is too short for the time found (a lower bound)
};

// Runs the study; every setting starts from the same equilibrated state. `progress` (optional) is
// called before each setting with its number and the count of all. Throws InputError for settings
// out of range and RunError.
std::vector<TuningResult> runTuningStudy(
    const TuningStudy& study, const ExecConfig& config,
    const std::function<void(std::size_t, std::size_t)>& progress = {});

// One line per result, with a heading; columns separated by blanks, best time marked.
std::string tuningTable(const std::vector<TuningResult>& results);

}  // namespace cellscope
