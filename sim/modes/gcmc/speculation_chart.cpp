#include "sim/modes/gcmc/speculation_chart.h"

#include <fmt/format.h>

namespace cellscope::gcmc {

void addTo(GcmcSpeculation& sum, const GcmcSpeculation& more) {
  sum.rounds += more.rounds;
  sum.evaluated += more.evaluated;
  sum.decided += more.decided;
  for (int k = 0; k <= kGcmcMostCandidates; ++k) sum.roundsOf[k] += more.roundsOf[k];
}

Curve speculationChart(const GcmcSpeculation& s) {
  Curve c{"speculation",
          "Moves that count per round",
          {"moves"},
          {"share of rounds"},
          "moves up to and including the accepted one, of all that were evaluated at once; on CUDA "
          "beyond it, up to one that had to be evaluated again"};
  if (s.rounds == 0) return c;
  CurveSeries run{"", "", {}, {}};
  run.kind = SeriesKind::bars;
  int last = kGcmcMostCandidates;
  while (last > 1 && s.roundsOf[last] == 0) --last;
  const auto rounds = static_cast<double>(s.rounds);
  for (int k = 1; k <= last; ++k) {
    run.x.push_back(k);
    run.y.push_back(static_cast<double>(s.roundsOf[k]) / rounds);
  }
  const auto evaluated = static_cast<double>(s.evaluated);
  run.label = fmt::format("{:.0f} % of the evaluations discarded",
                          100 * (evaluated - static_cast<double>(s.decided)) / evaluated);
  c.series.push_back(std::move(run));
  return c;
}

}  // namespace cellscope::gcmc
