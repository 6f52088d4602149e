// Samples of all observables: a history of bounded length, averages since the last epoch began, and
// the same without the approach to equilibrium.
#pragma once
#include <cstdint>
#include <iosfwd>
#include <vector>

#include "sim/algo/observables/block_average.h"
#include "sim/algo/observables/equilibrated_average.h"
#include "sim/run/observable_series.h"

namespace cellscope {

class SampleHistory {
 public:
  static constexpr std::size_t kPoints = 2048;  // kept per observable; an even number

  explicit SampleHistory(const std::vector<ObservableInfo>& infos = {});

  // One value per observable; NaN means undefined and is left out.
  void add(std::uint64_t step, const std::vector<double>& values);
  // Averages start over at `step`; the history stays.
  void startEpoch(std::uint64_t step);
  // History and averages start over (the step counter did).
  void clear();

  // Go back to an earlier state of the same history; version() still rises.
  void goBackTo(const SampleHistory& earlier);

  // The newest sample is always the last point, whatever the decimation. Shares the memory of the
  // history, which goes on without changing it.
  std::vector<ObservableSeries> series() const;
  std::uint64_t version() const { return version_; }  // rises with every change
  std::uint64_t epochStart() const { return epochStart_; }
  bool equilibrated() const { return equilibrated_.equilibrated(); }
  // For each observable, whether its equilibrated mean is a result.
  std::vector<bool> settled() const;
  std::uint64_t leftOut() const { return equilibrated_.leftOut(); }  // samples since epochStart()
  bool tooFewToTest() const { return equilibrated_.tooFewToTest(); }
  std::uint64_t newestStep() const;  // of a sample in which anything was defined; 0: none yet

  // Memory that a copy does not share with the original.
  std::size_t ownBytes() const;

  // Everything, bit for bit. load() throws InputError when it is of other observables.
  void save(std::ostream& out) const;
  void load(std::istream& in);

 private:
  struct Track {
    ObservableInfo info;
    BlockAverage average;
    // Every stride-th defined sample; the stride doubles when kPoints are reached.
    SharedColumn step, value, mean, error;
    std::uint64_t seen = 0, stride = 1;
    double last[4] = {};  // newest point: step, value, mean, error
  };
  static void record(Track& t);
  bool isSettled(std::size_t observable) const;

  std::vector<Track> tracks_;
  EquilibratedAverages equilibrated_;
  std::uint64_t epochStart_ = 0, version_ = 0;
};

}  // namespace cellscope
