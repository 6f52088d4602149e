// The method, and what is timed of all of them. Included by parameters.h.
#pragma once
#include "sim/modes/md/parameters.h"

namespace cellscope::md {

template <class V>
void MdParameters::visitMethod(V& v) {
  v({.key = "method",
     .label = "Method",
     .group = "Execution",
     .choices = methodChoices(),
     .help = "How the pairs within the cutoff are found. all_pairs: every pair is looked at in "
             "every step. cells, stencils, tree: each particle has a list of its "
             "neighbours within cutoff and buffer; they differ in how they build it. clusters: "
             "four particles next to each other share one list; every list has the room that the "
             "longest cutoff of all species needs, so that where cutoffs are very unlike, as with "
             "colloids, clusters take many times the memory of the other methods and are refused "
             "where there is less. "
             "placeholder_cells: forces directly from cells with a fixed number of slots, one "
             "thread per slot, in a box of at least three cells a side. All but placeholder_cells "
             "add up all images where the cutoff is more than half the box.",
     .equation = "van Meel et al. 2008, sections 2 and 3; Verlet lists: Howard et al. 2016, "
                 "section 2",
     .touches = MdTouch::engine},
    method);
  ListParameters::visit(v);
  PlaceholderParameters::visit(v);
  v({.key = "tune",
     .label = "Tune",
     .group = "Execution",
     .choices = {"off", {"lists", "buffer and threads"}, {"all", "method, too"}},
     .help = "Times steps on a copy of the current state and sets the fastest values. lists: the "
             "buffer from 0.08 to 1.2, then the bin width of stencils or the particles per leaf of "
             "trees and, on a GPU, the threads per particle in a force pass. all: the method as "
             "well. Then it switches itself off: the values are set as if by hand, and a repeated "
             "run uses them without searching.",
     .equation = "Howard et al. 2016, section 3.1: parameters tuned at run time",
     .touches = MdTouch::tuning,
     .prepares = true},
    tune);
  v({.key = "race",
     .label = "Race of the methods",
     .group = "Execution",
     .help = "Times list build and forces of every method in turn, on copies of the state as it "
             "is: bars in the plot of the race as they come in, medians over the rounds so far; "
             "the fastest is marked once all rounds are complete. Then the race begins again at "
             "the state as it is by then, and its bars replace those of the last one when they "
             "are complete. The run continues unchanged, but more slowly, and the copies need "
             "memory.",
     .equation = "Howard et al. 2016, section 4"},
    race);
  v({.key = "race_parts",
     .label = "Race of the parts",
     .group = "Execution",
     .help =
         "Shows where the time of the chosen method goes: times list build and forces with "
         "something left out (the search; the distances; all arithmetic) beside the whole ones, "
         "on a copy of the state: bars in a plot as they come in. For timing only: nothing of it "
         "enters the "
         "run, which goes on as without it, only slower.",
     .equation = "Howard et al. 2016, section 3: search and memory access apart from each other"},
    raceParts);
  ListParameters::visitExperiment(v);
  AllPairsParameters::visit(v);
}

}  // namespace cellscope::md
