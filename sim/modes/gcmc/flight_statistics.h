// How many rounds moves in flight took, since the averages began.
#pragma once
#include <vector>

#include "sim/algo/gcmc/flight_view.h"
#include "sim/api/observable.h"

namespace cellscope::gcmc {

void addTo(GcmcFlightCounts& sum, const GcmcFlightCounts& more);

class FlightStatistics {
 public:
  void add(const GcmcFlightCounts& more) { addTo(counts_, more); }
  void reset() { counts_ = {}; }
  // Batches by number of rounds, and the share of moves decided after each round. Empty before the
  // first batch.
  std::vector<Curve> curves() const;

  // Everything accumulated; restore() is the inverse. False: impossible numbers.
  std::vector<double> numbers() const;
  bool restore(const std::vector<double>& numbers);

 private:
  GcmcFlightCounts counts_;
};

}  // namespace cellscope::gcmc
