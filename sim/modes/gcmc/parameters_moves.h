// The moves of a grand-canonical chain, the ways to break them on purpose, how it is computed, and
// other chains of the same fluid beside it.
// Included by parameters.h.
#pragma once
#include "sim/modes/gcmc/parameters.h"

namespace cellscope::gcmc {

void GcmcParameters::visitMoves(auto& v) {
  using T = GcmcTouch;
  const auto share = [&v](const char* key, const char* label, const char* help, double& field) {
    v({key, label, "Moves"}, {0, 1, 0, 0.8},
      {.help = help,
       .equation = "Schwiebert et al. 2014, section 4: 30, 35 and 35 %; the three sum to 1",
       .touches = GcmcTouch::rules},
      field);
  };
  share("displacements", "Share of displacements",
        "Share of moves that displace a particle. Larger: fewer insertions and deletions; these "
        "two shrink in proportion when only this one is set.",
        displacement);
  share("insertions", "Share of insertions",
        "Share of moves that insert a particle. Larger: fewer of the other two. A share that "
        "differs from that of deletions is compensated in the acceptance rule.",
        insertion);
  share("deletions", "Share of deletions",
        "Share of moves that delete a particle. Larger: fewer of the other two. A share that "
        "differs from that of insertions is compensated in the acceptance rule.",
        deletion);
  v({"exchanges", "Exchanges among displacements", "Moves"}, {0, 1, 0, 0.8},
    {.help = "In a mixture: the part of displacements that, instead, give a particle a new type, "
             "drawn as for insertions. Larger: the composition follows the reservoir faster, while "
             "particles move less. 0: none, which is right as well. Without insertions: the "
             "semi-grand ensemble, in which only the composition changes.",
     .equation = "acc = min(1, exp(-dU / T)), dU of the same particle with the other type",
     .touches = T::rules,
     .later = true,
     .actsWith = {"system", {"binary"}}},
    exchange);
  auto m = v.with({.actsWith = {"displacement_range", {"maximum"}}});
  v({"displacement_range", "Range of displacements", "Moves"},
    {.choices = {{"maximum", "within the maximum displacement"}, {"box", "anywhere in the box"}},
     .help = "Where the trial position of a displacement is drawn. maximum: in a cube around the "
             "particle; more are accepted. box: anywhere in the box, as published; in a liquid "
             "almost none is accepted. Every method of one chain can do it; the checkerboard "
             "rejects what leaves a cell and refuses it.",
     .equation = "box: r' = L xi (Schwiebert et al. 2014, section 3.1.2)",
     .touches = T::rules},
    displacementRange);
  m({"max_displacement", "Maximum displacement", "Moves", "d", "sigma"},
    {0.001, 10, 0.05, 2, kLogScale},
    {.help = "Largest displacement along each axis, at most half the box. Larger: bolder trial "
             "moves; fewer are accepted.",
     .equation = "r' = r + d (2 xi - 1)",
     .touches = T::rules | T::moveSize},
    maxDisplacement);
  m({"tune", "Tune the maximum displacement", "Moves"},
    {.help = "Searches for the maximum displacement at which the target acceptance is reached, "
             "then switches itself off: nothing is tuned while sampling.",
     .equation = "accepted / attempted displacements = target",
     .touches = T::tuning,
     .prepares = true},
    tune);
  m({"target_acceptance", "Target acceptance", "Moves"}, {0.05, 0.95, 0.2, 0.6},
    {.help = "Share of displacements to be accepted, for the search. Larger: a smaller maximum "
             "displacement.",
     .equation = "accepted / attempted displacements",
     .touches = T::tuning},
    targetAcceptance);
  v({"moves_per_step", "Moves per step", "Moves"}, {1, 1e12, 1, 10000, kLogScale},
    {.help =
         "Trial moves between two samples, whatever N is at the time: a number that followed N "
         "would sample some states more often than others. Larger: fewer, less correlated steps.",
     .equation = "Schwiebert et al. 2014, Algorithm 1: moves of the chain"},
    movesPerStep);
}

void GcmcParameters::visitExperiments(auto v) {
  using T = GcmcTouch;
  v({"insertion_sign_as_printed", "Sign of mu as printed", "Experiments"},
    {.help = "Breaks the sampling on purpose: the chemical potential enters the acceptance of "
             "insertions with the sign that stands in the paper, while deletions are right. "
             "Detailed balance is lost.",
     .equation = "Schwiebert et al. 2014, eq. (4) as printed",
     .touches = T::rules},
    wrongSign);
  v({"insertion_counts_old_number", "Insertion divides by the old N", "Experiments"},
    {.help = "Breaks the sampling on purpose: an insertion is accepted with z V / N in place of z "
             "V / (N + 1), a common mistake. A gas holds half a particle too many on average, "
             "which shows in small boxes.",
     .equation = "acc = min(1, z V / N exp(-dU / T))",
     .touches = T::rules},
    oldNumber);
  BoardParameters::visitExperiment(v);
  InOrderParameters::visitExperiment(v);
  SpeculativeParameters::visitExperiment(v);
}

void GcmcParameters::visitExecution(auto& u) {
  auto v = u.with({.touches = GcmcTouch::method});
  v({"method", "Method", "Execution"},
    {.choices = methodChoices(),
     .help =
         "How the chain is computed; it may be changed at any time. All but checkerboard and "
         "in_order make the same decisions for the same seed, one move after another: results do "
         "not depend on which of them runs. auto: a run that starts with 8,000 particles or more, "
         "six to a cell, takes in_order, on a GPU the fastest by far and on two cores at most a "
         "third slower than serial_cells; another one takes the fastest of those with the same "
         "decisions, and the columns wasted_evaluations and candidates_per_round are 0 with it. On "
         "the CPU that is serial_cells: no other was faster where they were measured. On CUDA "
         "speculative and serial_cells, on one core of the host, make the first six steps in turn; "
         "the faster one goes on, again so where N has doubled or halved since, and the status "
         "states the rates of both. all_particles, cells and microcells are the blocks and threads "
         "of a GPU; a CPU goes through them one after another, to be looked at and not for speed. "
         "speculative evaluates several moves at once and discards, or on CUDA corrects, those "
         "that an accepted one has made obsolete; half_warps of earlier versions, slower with the "
         "same decisions, is read as it. The checkerboard makes moves in all cells of one colour "
         "at once, with the same equilibrium: for large boxes, of four cutoffs at least. in_order "
         "draws particles by cell and slot, so that N does not appear in the acceptance: one exact "
         "chain of which many moves are computed at the same time, and decided as in serial order.",
     .equation = "Schwiebert et al. 2014, Algorithms 1 to 7 and section 3.3; checkerboard: acc = "
                 "min(1, z v / (n + 1) exp(-dU / T)) with volume v and number n of the cell; in "
                 "order: acc = min(1, z V / C exp(-dU / T)) with C slots in all"},
    method);
  BlocksParameters::visitOptions(v);
  u({"race", "Race of methods", "Execution"},
    {.help =
         "Times the methods in turn on copies of the current state, on a GPU every mapping of "
         "cells and some block sizes, too, shows the moves per second as bars beside the published "
         "ones, then switches itself off. On a CPU the serial chain, cells, speculative moves, the "
         "checkerboard and in_order compete; the blocks of a GPU, which it emulates, are timed "
         "beside them. The run waits in the meantime and is not changed.",
     .equation = "Schwiebert et al., Tables 1 and 3 (r_c = 2.5)",
     .touches = GcmcTouch::race,
     .prepares = true},
    race);
  u({"keep_fastest", "Keep the fastest", "Execution"},
    {.help = "After a race the run continues with the winner: method, mapping and block size are "
             "set to it; on a CPU never an emulated one. Switched on after a race, that of the "
             "last one is taken.",
     .equation = "smallest median time per move",
     .touches = GcmcTouch::race},
    keepFastest);
  BoardParameters::visitOptions(v);
  InOrderParameters::visitOptions(v);
  SpeculativeParameters::visitOptions(v);
  u({"widom_points", "Test points", "Execution"}, {1, 100000, 8, 1024, kLogScale},
    {.help = "Points per sample at which the energy of a further particle is measured, which gives "
             "the excess chemical potential. Larger: less noise, more work per sample.",
     .equation = "Widom 1963: mu_ex = -T ln <exp(-dU / T)>; here <N> = z V <exp(-dU / T)>"},
    widomPoints);
}

enum class ReplicaKind { potential, window, temperature, seed };
enum class ReplicaSpacing { even, inverse };

void GcmcParameters::visitReplicas(auto v) {
  v({"replicas", "Replicas", "Replicas"}, {0, 4096, 0, 64},
    {.smallest = "none",
     .help = "Independent chains of the same fluid and box that run beside the one that is seen, "
             "as many moves each: one per core on the CPU, one to sixteen warps each on CUDA. The "
             "point of each leaves the approach to equilibrium out, by its own test, and is hollow "
             "until that passes. 0: none. Larger: more points of the isotherm, more work per step.",
     .equation = "each its own chemical potential, temperature, seed or window of N"},
    replicas);
  v({"replicas_differ_by", "Replicas differ by", "Replicas"},
    {.choices = {{"potential", "chemical potential"},
                 {"window", "window of N"},
                 {"temperature", "temperature"},
                 {"seed", "seed"}},
     .help = "potential: chemical potentials evenly from the first to the last, which make an "
             "isotherm. window: each may hold only its own few numbers of particles, so that those "
             "between vapour and liquid are visited too, which makes ln P(N) whole. Its chemical "
             "potential is tuned for the first 300 steps, so that it visits all of them; averages "
             "begin after that, and are a result 300 steps later. temperature: temperatures from "
             "the first to the last, with the reservoir as it is given. seed: all run at the state "
             "of the chain that is seen; what they differ by is the statistical error.",
     .equation =
         "window k: N from k N_most / W to (k + 1) N_most / W, ends shared; seed k: seed + k",
     .actsWith = {"replicas", {}}},
    replicaKind);
  v({"replica_first", "First chemical potential", "Replicas", "mu_1", "epsilon"},
    {-100, 100, -8, 0},
    {.help = "Chemical potential of the first replica. Larger: the isotherm begins at a denser "
             "fluid; smaller, at a more dilute one. With replicas_differ_by = potential.",
     .equation = "mu_k = mu_1 + (mu_K - mu_1) (k - 1) / (K - 1)",
     .actsWith = {"replicas_differ_by", {"potential"}}},
    replicaFrom);
  v({"replica_last", "Last chemical potential", "Replicas", "mu_K", "epsilon"}, {-100, 100, -8, 0},
    {.help = "Chemical potential of the last replica, not below the first. Larger: the isotherm "
             "ends at a denser fluid. With replicas_differ_by = potential.",
     .equation = "mu_k = mu_1 + (mu_K - mu_1) (k - 1) / (K - 1)",
     .actsWith = {"replicas_differ_by", {"potential"}}},
    replicaTo);
  auto t = v.with({.actsWith = {"replicas_differ_by", {"temperature"}}});
  t({"replica_coldest", "Lowest temperature", "Replicas", "T_1", "epsilon/k_B"},
    {0.1, 100, 0.7, 3, kLogScale},
    {.help = "Temperature of the first replica. Larger: the series begins at a hotter fluid. With "
             "replicas_differ_by = temperature.",
     .equation = "T_k = T_1 + (T_K - T_1) (k - 1) / (K - 1), or the same of 1 / T"},
    replicaColdest);
  t({"replica_hottest", "Highest temperature", "Replicas", "T_K", "epsilon/k_B"},
    {0.1, 100, 0.7, 5, kLogScale},
    {.help = "Temperature of the last replica, not below the first. Larger: the series ends at a "
             "hotter fluid. With replicas_differ_by = temperature.",
     .equation = "T_k = T_1 + (T_K - T_1) (k - 1) / (K - 1), or the same of 1 / T"},
    replicaHottest);
  t({"replica_temperatures", "Temperatures", "Replicas"},
    {.choices = {{"even", "evenly in T"}, {"inverse", "evenly in 1/T"}},
     .help =
         "even: the same step of T from replica to replica. inverse: the same step of 1 / T, "
         "closer at low temperatures, where more happens. With replicas_differ_by = temperature.",
     .equation = "inverse: 1 / T_k = 1 / T_1 + (1 / T_K - 1 / T_1) (k - 1) / (K - 1)"},
    replicaSpacing);
  auto w = v.with({.actsWith = {"replicas_differ_by", {"window"}}});
  w({"replica_most", "Largest N of the windows", "Replicas", "N_most"},
    {1, 100000, 50, 1000, kLogScale},
    {.help = "Particles in the fullest window. Larger: ln P(N) goes further into the liquid, and "
             "each window is wider.",
     .equation = "windows cover N = 0 to N_most"},
    replicaMost);
  w({"replica_windows", "Windows", "Replicas", "W"}, {0, 1024, 0, 64},
    {.smallest = "one each",
     .help = "Number of windows of N; the replicas are shared out among them, as many for each. 0: "
             "a window for each replica. Larger: narrower windows with fewer independent chains in "
             "each. With eight chains or more the error of ln P(N) is the scatter among them, "
             "otherwise among blocks of time.",
     .equation = "replica k belongs to window k mod W"},
    replicaWindows);
}

}  // namespace cellscope::gcmc
