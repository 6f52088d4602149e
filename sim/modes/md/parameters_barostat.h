// The pressure. Included by parameters.h.
#pragma once
#include "sim/modes/md/parameters.h"

namespace cellscope::md {

template <class V>
void MdParameters::visitBarostat(V& v) {
  v({.key = "barostat",
     .label = "Barostat",
     .group = "Pressure",
     .choices = {{"none", "none"}, {"cell_rescaling", "stochastic cell rescaling"}},
     .help = "none: the volume is constant. cell_rescaling: the box, and with it all positions, is "
             "scaled every few steps by a random factor such that the volume fluctuates as at the "
             "target pressure; velocities are scaled by the inverse. Needs a thermostat. A change "
             "of the box costs new lists or cells, two passes for the pressure, and forces; a GPU "
             "waits for the processor meanwhile.",
     .equation = "Bernetti and Bussi, J. Chem. Phys. 153, 114107 (2020), for lambda = sqrt(V): "
                 "lambda' = lambda - beta lambda h / (2 tau_p) (P_0 - P - T / (2 V)) + sqrt(T beta "
                 "h / (2 tau_p)) xi; weight of V: Z_N(V) exp(-P_0 V / T) dV / V"},
    barostat);
  v({.key = "target_pressure",
     .label = "Target pressure",
     .symbol = "P_0",
     .unit = "epsilon/sigma^d",
     .group = "Pressure",
     .min = -1,
     .max = 100,
     .interestingMin = 0.02,
     .interestingMax = 12,
     .help = "Pressure that the barostat holds, with the tail correction where it is on. Larger: a "
             "smaller box. At or below zero a liquid is stretched, and boils sooner or later: then "
             "the box grows until the run ends.",
     .equation = "<P> = P_0"},
    targetPressure);
  v({.key = "barostat_time",
     .label = "Relaxation time",
     .symbol = "tau_p",
     .unit = "tau",
     .group = "Pressure",
     .min = 0.01,
     .max = 10000,
     .interestingMin = 0.2,
     .interestingMax = 50,
     .logScale = true,
     .help = "Time in which the pressure comes to its target, if the compressibility is that of "
             "the fluid. Larger: a gentler barostat. Averages do not depend on it.",
     .equation = "d ln V = -(beta / tau_p) (P_0 - P) dt + noise"},
    barostatTime);
  v({.key = "compressibility",
     .label = "Compressibility",
     .symbol = "beta",
     .unit = "sigma^d/epsilon",
     .group = "Pressure",
     .min = 0.0001,
     .max = 10000,
     .interestingMin = 0.01,
     .interestingMax = 10,
     .logScale = true,
     .help = "About that of the fluid: 0.05 of a dense liquid, 1 / P of a gas. Larger than it is: "
             "the volume relaxes sooner than in the relaxation time. Averages do not depend on "
             "it, only on the fluid.",
     .equation = "beta = -(dV / dP) / V; only beta / tau_p enters"},
    compressibility);
  v({.key = "barostat_interval",
     .label = "Barostat interval",
     .symbol = "n_p",
     .unit = "steps",
     .group = "Pressure",
     .min = 1,
     .max = 10000,
     .interestingMin = 5,
     .interestingMax = 200,
     .logScale = true,
     .help = "Steps from one change of the box to the next. Larger: less work, but the volume "
             "fluctuates too much where the time between comes near the relaxation time.",
     .equation = "h = n_p dt; var(V) too large by 1 / (1 - h / (2 tau_p))"},
    barostatInterval);
}

}  // namespace cellscope::md
