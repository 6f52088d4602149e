// Other chains of the same fluid beside the one that is seen.
// Included by parameters.h.
#pragma once
#include "sim/modes/gcmc/parameters.h"

namespace cellscope::gcmc {

enum class ReplicaKind { potential, window };

template <class V>
void GcmcParameters::visitReplicas(V& v) {
  v({.key = "replicas",
     .label = "Replicas",
     .group = "Replicas",
     .min = 0,
     .max = 1024,
     .help =
         "Independent chains of the same fluid and box that run beside the one that is seen, as "
         "many moves each: one per core on the CPU, a block of threads each on CUDA. 0: none. "
         "Larger: more points of the isotherm, more work per step.",
     .equation = "each its own chemical potential or window of N, and its own random numbers",
     .touches = GcmcTouch::replicas},
    replicas);
  v({.key = "replicas_differ_by",
     .label = "Replicas differ by",
     .group = "Replicas",
     .choices = {{"potential", "chemical potential"}, {"window", "window of N"}},
     .help = "potential: chemical potentials evenly from the first to the last, which make an "
             "isotherm. window: each may hold only its own few numbers of particles, so that those "
             "between vapour and liquid are visited too, which makes ln P(N) whole. Its chemical "
             "potential is tuned for the first 300 steps, so that it visits all of them.",
     .equation = "window k: N from k N_most / K to (k + 1) N_most / K, ends shared",
     .touches = GcmcTouch::replicas},
    replicaKind);
  v({.key = "replica_first",
     .label = "First chemical potential",
     .symbol = "mu_1",
     .unit = "epsilon",
     .group = "Replicas",
     .min = -100,
     .max = 100,
     .help = "Chemical potential of the first replica. Larger: the isotherm begins at a denser "
             "fluid; smaller, at a more dilute one.",
     .equation = "mu_k = mu_1 + (mu_K - mu_1) (k - 1) / (K - 1)",
     .touches = GcmcTouch::replicas},
    replicaFrom);
  v({.key = "replica_last",
     .label = "Last chemical potential",
     .symbol = "mu_K",
     .unit = "epsilon",
     .group = "Replicas",
     .min = -100,
     .max = 100,
     .help = "Chemical potential of the last replica. Larger: the isotherm ends at a denser fluid.",
     .equation = "mu_k = mu_1 + (mu_K - mu_1) (k - 1) / (K - 1)",
     .touches = GcmcTouch::replicas},
    replicaTo);
  v({.key = "replica_most",
     .label = "Largest N of the windows",
     .symbol = "N_most",
     .group = "Replicas",
     .min = 1,
     .max = 100000,
     .logScale = true,
     .help = "Particles in the fullest window. Larger: ln P(N) goes further into the liquid, and "
             "each window is wider.",
     .equation = "windows cover N = 0 to N_most",
     .touches = GcmcTouch::replicas},
    replicaMost);
}

}  // namespace cellscope::gcmc
