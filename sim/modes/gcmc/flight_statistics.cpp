#include "sim/modes/gcmc/flight_statistics.h"

#include <cmath>

namespace cellscope::gcmc {

void addTo(GcmcFlightCounts& sum, const GcmcFlightCounts& more) {
  sum.batches += more.batches, sum.rounds += more.rounds;
  sum.moves += more.moves, sum.empty += more.empty, sum.full += more.full;
  for (int k = 0; k <= kFlightRounds; ++k)
    sum.batchesOf[k] += more.batchesOf[k], sum.waiting[k] += more.waiting[k];
}

std::vector<Curve> FlightStatistics::curves() const {
  Curve rounds{"rounds_per_batch",
               "Rounds per batch",
               {"rounds"},
               {"share of batches"},
               "rounds until all moves of a batch are decided; 64: 64 and more"};
  Curve decided{"decided_after_round",
                "Moves decided after each round",
                {"round"},
                {"share of moves"},
                "share of the moves of a batch that are decided after so many rounds"};
  if (counts_.batches > 0 && counts_.waiting[0] > 0) {
    int last = kFlightRounds;
    while (last > 1 && counts_.batchesOf[last] == 0) --last;
    CurveSeries of{"this run", "", {}, {}}, share{"this run", "", {}, {}};
    of.kind = share.kind = SeriesKind::bars;
    const auto batches = static_cast<double>(counts_.batches);
    const auto moves = static_cast<double>(counts_.waiting[0]);
    for (int k = 1; k <= last; ++k) {
      of.x.push_back(k), share.x.push_back(k);
      of.y.push_back(static_cast<double>(counts_.batchesOf[k]) / batches);
      share.y.push_back(1 -
                        static_cast<double>(k < kFlightRounds ? counts_.waiting[k] : 0) / moves);
    }
    rounds.series.push_back(std::move(of));
    decided.series.push_back(std::move(share));
  }
  return {rounds, decided};
}

std::vector<double> FlightStatistics::numbers() const {
  std::vector<double> all;
  for (const std::uint64_t v :
       {counts_.batches, counts_.rounds, counts_.moves, counts_.empty, counts_.full})
    all.push_back(static_cast<double>(v));
  for (const std::uint64_t v : counts_.batchesOf) all.push_back(static_cast<double>(v));
  for (const std::uint64_t v : counts_.waiting) all.push_back(static_cast<double>(v));
  return all;
}

bool FlightStatistics::restore(const std::vector<double>& numbers) {
  constexpr std::size_t kHead = 5, kRounds = kFlightRounds + 1;
  if (numbers.size() != kHead + 2 * kRounds) return false;
  std::vector<std::uint64_t> all;
  for (const double v : numbers) {
    if (!(v >= 0 && v < 0x1p53 && v == std::floor(v))) return false;
    all.push_back(static_cast<std::uint64_t>(v));
  }
  counts_.batches = all[0], counts_.rounds = all[1], counts_.moves = all[2];
  counts_.empty = all[3], counts_.full = all[4];
  for (std::size_t k = 0; k < kRounds; ++k)
    counts_.batchesOf[k] = all[kHead + k], counts_.waiting[k] = all[kHead + kRounds + k];
  return true;
}

}  // namespace cellscope::gcmc
