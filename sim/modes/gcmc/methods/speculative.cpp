// Speculative moves: several candidates at once.
#include <fmt/format.h>

#include "sim/modes/gcmc/methods/method.h"

namespace cellscope::gcmc {
namespace {

// Rounds by the number of moves that counted; empty before the first round.
Curve speculationChart(const GcmcSpeculation& s) {
  Curve c{"speculation",
          "Moves that count per round",
          {"moves"},
          {"share of rounds", AxisScale::logarithmic},
          "moves up to and including the accepted one, of all that were evaluated at once; on CUDA "
          "beyond it, up to one that had to be evaluated again"};
  if (s.rounds == 0) return c;
  CurveSeries run{.label = "rounds", .kind = SeriesKind::bars};
  int last = kGcmcMostCandidates;
  while (last > 1 && s.roundsOf[last] == 0) --last;
  const auto rounds = static_cast<double>(s.rounds);
  for (int k = 1; k <= last; ++k) {
    if (s.roundsOf[k] == 0) continue;
    run.add(k, static_cast<double>(s.roundsOf[k]) / rounds);
  }
  if (last == kGcmcMostCandidates) c.x.label = fmt::format("moves ({}: all candidates)", last);
  c.series.push_back(std::move(run));
  return c;
}

struct SpeculativeMethod final : Method {
  using Method::Method;

  std::string words(const GcmcParameters& p, Backend where) const override {
    return (p.candidates > 0 ? fmt::format(", {} candidates at once", p.candidates)
                             : ", candidates by the acceptance") +
           (where == Backend::cuda ? launchesInWords(p) : "");
  }
  bool broken(const GcmcParameters& p) const override { return p.speculativeBatch.index != 0; }
  std::vector<GcmcObservable> observables() const override {
    return {
        {{"wasted_evaluations", "Evaluations discarded", "waste", "per move",
          "candidates evaluated that did not count: on the CPU those beyond the accepted one, on "
          "CUDA those that it made choose another particle, and what follows them; per move that "
          "counts, since the last sample; 0 with other methods than speculative",
          "waste"},
         [](const GcmcSample& s) {
           const GcmcSpeculation& c = s.moves.speculation;
           return shareOf(c.evaluated - c.decided, c.decided);
         }},
        {{"candidates_per_round", "Candidates per round", "k", "",
          "moves evaluated at once, mean since the last sample; 0 with other methods than "
          "speculative",
          "candidates"},
         [](const GcmcSample& s) {
           return shareOf(s.moves.speculation.evaluated, s.moves.speculation.rounds);
         }},
    };
  }
  std::vector<Curve> curves(const MethodCounts& counts) const override {
    return {speculationChart(counts.speculation)};
  }
};

}  // namespace

std::unique_ptr<const Method> makeSpeculativeMethod(const GcmcMethod& made) {
  return std::make_unique<SpeculativeMethod>(made);
}

}  // namespace cellscope::gcmc
