// Speculative moves: several candidates at once; and many moves in flight, decided in the order of
// a serial chain.
#include <fmt/format.h>

#include "sim/algo/gcmc/slot_chain.h"
#include "sim/modes/gcmc/methods/method.h"

namespace cellscope::gcmc {
namespace {

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
  // Rounds by the number of moves that counted; empty before the first round.
  std::vector<Curve> curves(const MethodCounts& counts) const override {
    const GcmcSpeculation& s = counts.speculation;
    Curve c{
        "speculation",
        "Moves that count per round",
        {"moves"},
        {"share of rounds", AxisScale::logarithmic},
        "moves up to and including the accepted one, of all that were evaluated at once; on CUDA "
        "beyond it, up to one that had to be evaluated again"};
    if (s.rounds == 0) return {c};
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
    return {c};
  }
};

GcmcCube inOrderCells(const GcmcParameters& p) {
  const Box box = p.box();
  return gcmcCells(box, makeGcmcPair(p.settings(), box));
}

struct InOrderMethod final : Method {
  using Method::Method;

  std::string words(const GcmcParameters& p, Backend where) const override {
    const GcmcCube cube = inOrderCells(p);
    return fmt::format(", {} {}, {} cells of {} slots, {} moves a turn",
                       gcmcInFlight(cube, static_cast<int>(p.movesInFlight), where),
                       where == Backend::cpu && p.movesInFlight == 0 ? "ahead" : "in flight",
                       cube.allCells(), p.slotsPerCell, gcmcSlotTurn(cube));
  }
  void check(const GcmcParameters& p) const override {
    if (p.oldNumber)
      throw InputError(
          "insertion_counts_old_number = true: with method = in_order N does not appear in the "
          "acceptance of insertions, there is nothing to break; set it to false or choose another "
          "method");
  }
  Turn turn(const GcmcParameters& p) const override {
    return {gcmcSlotTurn(inOrderCells(p)), {}, "turns but the last"};
  }
  bool broken(const GcmcParameters& p) const override { return p.ignoreConflicts; }
  std::vector<GcmcObservable> observables() const override {
    return {
        {{"rounds", "Rounds per batch", "rounds", "",
          "rounds until no decision of the moves that are in flight together changes any more, "
          "mean since the last sample; 0 with other methods than in_order",
          "rounds"},
         [](const GcmcSample& s) { return shareOf(s.flights.rounds, s.flights.batches); }},
        {{"empty_draws", "Empty draws", "empty / all", "",
          "draws of a slot that holds no particle, of all draws since the last sample: no trial "
          "moves, and not counted as such; 0 with other methods than in_order",
          "empty draws"},
         [](const GcmcSample& s) {
           return shareOf(s.flights.empty, s.flights.empty + s.flights.moves);
         }},
    };
  }
  // Batches by number of rounds, and the share of final decisions after each round. Empty before
  // the first batch.
  std::vector<Curve> curves(const MethodCounts& all) const override {
    const GcmcFlightCounts& counts = all.flights;
    Curve rounds{"rounds_per_batch",
                 "Rounds per batch",
                 {"rounds"},
                 {"share of batches"},
                 "rounds until no decision of a batch changes any more; 64: 64 and more"};
    Curve decided{
        "decided_after_round",
        "Final decisions after each round",
        {"round"},
        {"share of moves"},
        "share of the moves of a batch that do not decide again after this number of rounds"};
    if (counts.batches > 0 && counts.waiting[0] > 0) {
      int last = kFlightRounds;
      while (last > 1 && counts.batchesOf[last] == 0) --last;
      CurveSeries of{"this run", "", {}, {}}, share{"this run", "", {}, {}};
      of.kind = share.kind = SeriesKind::bars;
      const auto batches = static_cast<double>(counts.batches);
      const auto moves = static_cast<double>(counts.waiting[0]);
      for (int k = 1; k <= last; ++k) {
        of.add(k, static_cast<double>(counts.batchesOf[k]) / batches);
        share.add(k, 1 - static_cast<double>(k < kFlightRounds ? counts.waiting[k] : 0) / moves);
      }
      rounds.series.push_back(std::move(of));
      decided.series.push_back(std::move(share));
    }
    return {rounds, decided};
  }
  void addChecks(std::vector<SelfCheck>& all, const GcmcParameters& p,
                 const MethodCounts& counts) const override {
    all.push_back(
        {"slots", true,
         fmt::format(
             "{} slots per cell; {} moves rejected by a full cell, after which slots were added",
             p.slotsPerCell, counts.full)});
  }
};

}  // namespace

std::unique_ptr<const Method> makeSpeculativeMethod(const GcmcMethod& made) {
  return std::make_unique<SpeculativeMethod>(made);
}

std::unique_ptr<const Method> makeInOrderMethod(const GcmcMethod& made) {
  return std::make_unique<InOrderMethod>(made);
}

}  // namespace cellscope::gcmc
