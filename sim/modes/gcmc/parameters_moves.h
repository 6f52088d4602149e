// The moves of a grand-canonical chain, and the ways to break them on purpose.
// Included by parameters.h.
#pragma once
#include "sim/modes/gcmc/parameters.h"

namespace cellscope::gcmc {

template <class V>
void GcmcParameters::visitMoves(V& v) {
  using T = GcmcTouch;
  const auto share = [](const char* key, const char* label, const char* help) {
    return ParameterInfo{
        .key = key,
        .label = label,
        .group = "Moves",
        .min = 0,
        .max = 1,
        .interestingMin = 0,
        .interestingMax = 0.8,
        .help = help,
        .equation = "Schwiebert et al. 2014, section 4: 30, 35 and 35 %; the three sum to 1",
        .touches = GcmcTouch::rules};
  };
  v(share("displacements", "Share of displacements",
          "Share of moves that displace a particle. Larger: fewer insertions and deletions; "
          "these two shrink in proportion when only this one is set."),
    displacement);
  v(share("insertions", "Share of insertions",
          "Share of moves that insert a particle. Larger: fewer of the other two. A share that "
          "differs from that of deletions is compensated in the acceptance rule."),
    insertion);
  v(share("deletions", "Share of deletions",
          "Share of moves that delete a particle. Larger: fewer of the other two. A share that "
          "differs from that of insertions is compensated in the acceptance rule."),
    deletion);
  v({.key = "displacement_range",
     .label = "Range of displacements",
     .group = "Moves",
     .choices = {{"maximum", "within the maximum displacement"}, {"box", "anywhere in the box"}},
     .help = "Where the trial position of a displacement is drawn. maximum: in a cube around the "
             "particle, of which more are accepted. box: anywhere in the box, as published; in a "
             "liquid hardly any is accepted. Every method of one chain can do it; the checkerboard "
             "rejects what leaves a cell and refuses it.",
     .equation = "box: r' = L xi (Schwiebert et al. 2014, section 3.1.2)",
     .touches = T::rules},
    displacementRange);
  v({.key = "max_displacement",
     .label = "Maximum displacement",
     .symbol = "d",
     .unit = "sigma",
     .group = "Moves",
     .min = 0.001,
     .max = 10,
     .interestingMin = 0.05,
     .interestingMax = 2,
     .logScale = true,
     .help = "Largest displacement along each axis, at most half the box. Larger: bolder trial "
             "moves of which fewer are accepted.",
     .equation = "r' = r + d (2 xi - 1)",
     .touches = T::rules | T::moveSize,
     .actsWith = {"displacement_range", {"maximum"}}},
    maxDisplacement);
  v({.key = "tune",
     .label = "Tune the maximum displacement",
     .group = "Moves",
     .help = "Searches for the maximum displacement at which the target acceptance is reached, "
             "then switches itself off: nothing is tuned while sampling.",
     .equation = "accepted / attempted displacements = target",
     .touches = T::tuning,
     .prepares = true,
     .actsWith = {"displacement_range", {"maximum"}}},
    tune);
  v({.key = "target_acceptance",
     .label = "Target acceptance",
     .group = "Moves",
     .min = 0.05,
     .max = 0.95,
     .interestingMin = 0.2,
     .interestingMax = 0.6,
     .help = "Share of displacements to be accepted, for the search. Larger: a smaller maximum "
             "displacement.",
     .equation = "accepted / attempted displacements",
     .touches = T::tuning,
     .actsWith = {"displacement_range", {"maximum"}}},
    targetAcceptance);
  v({.key = "moves_per_step",
     .label = "Moves per step",
     .group = "Moves",
     .min = 1,
     .max = 1000000,
     .interestingMin = 1,
     .interestingMax = 10000,
     .logScale = true,
     .help = "Trial moves between two samples, whatever N is at the time: a number that followed "
             "N would sample some states more often than others. Larger: fewer, less correlated "
             "steps.",
     .equation = "Schwiebert et al. 2014, Algorithm 1: moves of the chain"},
    movesPerStep);
}

template <class V>
void GcmcParameters::visitExperiments(V& v) {
  using T = GcmcTouch;
  v({.key = "insertion_sign_as_printed",
     .label = "Sign of mu as printed",
     .group = "Experiments",
     .help = "Breaks the sampling on purpose: the chemical potential enters the acceptance of "
             "insertions with the sign that stands in the paper, while deletions are right. "
             "Detailed balance is lost.",
     .equation = "Schwiebert et al. 2014, eq. (4) as printed",
     .touches = T::rules | T::averages | T::isotherm,
     .experiment = true},
    wrongSign);
  v({.key = "insertion_counts_old_number",
     .label = "Insertion divides by the old N",
     .group = "Experiments",
     .help = "Breaks the sampling on purpose: an insertion is accepted with z V / N in place of "
             "z V / (N + 1), a common mistake. A gas holds half a particle too many on average, "
             "which shows in small boxes.",
     .equation = "acc = min(1, z V / N exp(-dU / T))",
     .touches = T::rules | T::averages | T::isotherm,
     .experiment = true},
    oldNumber);
  v({.key = "checkerboard_condition",
     .label = "Broken checkerboard condition",
     .group = "Experiments",
     .choices = {{"none", "none"},
                 {"attempts_by_count", "attempts 1 + n"},
                 {"skip_empty", "empty cells skipped"},
                 {"retry", "leaving moves drawn again"},
                 {"fixed_grid", "grid never shifted"},
                 {"narrow_cells", "cells narrower than the cutoff"},
                 {"frozen_number", "tail with a stale N"},
                 {"array_order", "particles in array order"},
                 {"stale_count", "stale number in the cell"},
                 {"reject_full", "full cells reject"},
                 {"inexact_cells", "cells decided by two roundings"}},
     .help = "Breaks one condition of the checkerboard on purpose. attempts_by_count: fuller cells "
             "try more. skip_empty: an empty box stays empty. retry: a move out of the cell is "
             "drawn again in place of rejected. fixed_grid: no particle ever crosses a wall. "
             "narrow_cells: cells of half the cutoff miss pairs. frozen_number: the fluctuations "
             "of N come out too small. array_order: a cell goes through its particles in the order "
             "in which they are stored, which the proof forbids and averages hardly show. "
             "stale_count: the acceptance divides by the number before "
             "the attempts of the turn. reject_full: a cell of density 0.3 takes no more. "
             "inexact_cells: a particle at a wall, in one cell by one rounding and in another by "
             "the other, is lost.",
     .equation = "same attempts for each cell; leaving is rejection; width >= r_c; random shift",
     .touches = T::method | T::averages | T::isotherm,
     .experiment = true,
     .actsWith = {"method", {"checkerboard"}}},
    boardExperiment);
  v({.key = "ignore_conflicts",
     .label = "Moves in flight ignore each other",
     .group = "Experiments",
     .help = "Breaks the sampling on purpose, with in_order: all moves that are in flight together "
             "decide at once, with the configuration before them. Two particles may be inserted on "
             "top of each other, or a particle may move to where another has just been inserted.",
     .equation = "a move must see all earlier moves within its reach",
     .touches = T::method | T::averages | T::isotherm,
     .experiment = true,
     .actsWith = {"method", {"in_order"}}},
    ignoreConflicts);
  v({.key = "speculative_batch",
     .label = "Wrong batch of candidates",
     .group = "Experiments",
     .choices = {{"none", "none"},
                 {"apply_all", "all accepted are carried out"},
                 {"count_discarded", "discarded ones count"}},
     .help = "Breaks the sampling on purpose, with speculative moves, whose candidates are rounds "
             "of their own then (16 where their number is left open). apply_all: all candidates "
             "that are accepted are carried out, though none has seen the others. count_discarded: "
             "those after the accepted one are not evaluated again and count as attempts; states "
             "in which moves are often accepted are sampled too often.",
     .equation = "P(state) is off by k A / (1 - (1 - A)^k), A: share of moves that it accepts",
     .touches = T::method | T::averages | T::isotherm,
     .experiment = true,
     .actsWith = {"method", {"speculative"}}},
    speculativeBatch);
}

}  // namespace cellscope::gcmc
