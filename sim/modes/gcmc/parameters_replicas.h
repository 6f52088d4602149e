// Other chains of the same fluid beside the one that is seen.
// Included by parameters.h.
#pragma once
#include "sim/modes/gcmc/parameters.h"

namespace cellscope::gcmc {

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
  visitReplicaTemperatures(v.with({.actsWith = {"replicas_differ_by", {"temperature"}}}));
  visitReplicaWindows(v.with({.actsWith = {"replicas_differ_by", {"window"}}}));
}

void GcmcParameters::visitReplicaTemperatures(auto v) {
  v({"replica_coldest", "Lowest temperature", "Replicas", "T_1", "epsilon/k_B"},
    {0.1, 100, 0.7, 3, kLogScale},
    {.help = "Temperature of the first replica. Larger: the series begins at a hotter fluid. With "
             "replicas_differ_by = temperature.",
     .equation = "T_k = T_1 + (T_K - T_1) (k - 1) / (K - 1), or the same of 1 / T"},
    replicaColdest);
  v({"replica_hottest", "Highest temperature", "Replicas", "T_K", "epsilon/k_B"},
    {0.1, 100, 0.7, 5, kLogScale},
    {.help = "Temperature of the last replica, not below the first. Larger: the series ends at a "
             "hotter fluid. With replicas_differ_by = temperature.",
     .equation = "T_k = T_1 + (T_K - T_1) (k - 1) / (K - 1), or the same of 1 / T"},
    replicaHottest);
  v({"replica_temperatures", "Temperatures", "Replicas"},
    {.choices = {{"even", "evenly in T"}, {"inverse", "evenly in 1/T"}},
     .help =
         "even: the same step of T from replica to replica. inverse: the same step of 1 / T, "
         "closer at low temperatures, where more happens. With replicas_differ_by = temperature.",
     .equation = "inverse: 1 / T_k = 1 / T_1 + (1 / T_K - 1 / T_1) (k - 1) / (K - 1)"},
    replicaSpacing);
}

void GcmcParameters::visitReplicaWindows(auto v) {
  v({"replica_most", "Largest N of the windows", "Replicas", "N_most"},
    {1, 100000, 50, 1000, kLogScale},
    {.help = "Particles in the fullest window. Larger: ln P(N) goes further into the liquid, and "
             "each window is wider.",
     .equation = "windows cover N = 0 to N_most"},
    replicaMost);
  v({"replica_windows", "Windows", "Replicas", "W"}, {0, 1024, 0, 64},
    {.smallest = "one each",
     .help = "Number of windows of N; the replicas are shared out among them, as many for each. 0: "
             "a window for each replica. Larger: narrower windows with fewer independent chains in "
             "each. With eight chains or more the error of ln P(N) is the scatter among them, "
             "otherwise among blocks of time.",
     .equation = "replica k belongs to window k mod W"},
    replicaWindows);
}

}  // namespace cellscope::gcmc
