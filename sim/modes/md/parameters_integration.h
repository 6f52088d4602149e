// Time step and thermostats. Included by parameters.h.
#pragma once
#include "sim/modes/md/parameters.h"

namespace cellscope::md {

template <class V>
void MdParameters::visitIntegration(V& v) {
  v({.key = "dt",
     .label = "Time step",
     .symbol = "dt",
     .unit = "tau",
     .group = "Integration",
     .min = 0.00001,
     .max = 0.03,
     .interestingMin = 0.001,
     .interestingMax = 0.03,
     .logScale = true,
     .help = "Time step of velocity Verlet. Larger: faster, but the energy error grows as dt^2. A "
             "liquid drifts visibly above 0.02 and blows up at about 0.03.",
     .equation = "van Meel et al. 2008, section 2: velocity Verlet, r' = r + v dt + f dt^2 / 2, "
                 "v' = v + (f + f') "
                 "dt / 2 (Swope et al., J. Chem. Phys. 76, 637, 1982)"},
    dt);
  v({.key = "thermostat",
     .label = "Thermostat",
     .group = "Integration",
     .choices = {{"none", "none"}, {"langevin", "Langevin"}, {"bussi", "velocity rescaling"}},
     .help = "none: the energy is conserved. langevin: every particle feels friction and random "
             "kicks, which hold the temperature; momentum is not conserved. bussi: every ten "
             "steps all velocities are multiplied by one random number that makes the kinetic "
             "energy that of a canonical ensemble; momentum stays, and particles diffuse nearly "
             "as without a thermostat.",
     .equation = "BAOAB: v' = a v + b xi between two half drifts, a = exp(-gamma dt), b = "
                 "sqrt(T (1 - a^2) / m) (Leimkuhler and Matthews, Appl. Math. Res. Express 2013, "
                 "34); stochastic velocity rescaling: Bussi, Donadio and Parrinello, J. Chem. "
                 "Phys. 126, 014101 (2007), eq. (A7)",
     .touches = MdTouch::bath},
    thermostat);
  v({.key = "bath_temperature",
     .label = "Bath temperature",
     .symbol = "T_bath",
     .unit = "epsilon/k_B",
     .group = "Integration",
     .min = 0.001,
     .max = 20,
     .interestingMin = 0.1,
     .interestingMax = 3,
     .help = "Temperature that the thermostat holds, or where its ramp begins. Larger: stronger "
             "random kicks.",
     .equation = "b = sqrt(T (1 - exp(-2 gamma dt)) / m)",
     .touches = MdTouch::bath},
    bathTemperature);
  v({.key = "friction",
     .label = "Friction",
     .symbol = "gamma",
     .unit = "1/tau",
     .group = "Integration",
     .min = 0.0001,
     .max = 100,
     .interestingMin = 0.01,
     .interestingMax = 20,
     .logScale = true,
     .help = "Friction of the Langevin thermostat. Larger: the temperature is reached sooner, and "
             "particles diffuse more slowly.",
     .equation = "a = exp(-gamma dt)",
     .touches = MdTouch::bath},
    friction);
  v({.key = "noise",
     .label = "Noise",
     .group = "Integration",
     .choices = {{"philox", "Philox"}, {"rand48", "rand48"}},
     .help = "Where the Langevin thermostat draws its random numbers. philox: a function of seed, "
             "step and particle. rand48: the one sequence of the C library's generator, four "
             "numbers for each particle and step, as in 2008; slower, and its numbers are "
             "correlated: for comparison only.",
     .equation = "van Meel et al. 2008, section 4, eq. (7): x(n + m) = A x(n) + C mod 2^48",
     .touches = MdTouch::bath},
    noise);
  v({.key = "coupling_time",
     .label = "Coupling time",
     .symbol = "tau_T",
     .unit = "tau",
     .group = "Integration",
     .min = 0.001,
     .max = 1000,
     .interestingMin = 0.05,
     .interestingMax = 20,
     .logScale = true,
     .help = "Time in which velocity rescaling brings the kinetic energy to its mean. Larger: a "
             "gentler thermostat.",
     .equation = "Bussi et al. 2007, eq. (A7): c = exp(-dt / tau_T)",
     .touches = MdTouch::bath},
    couplingTime);
  v({.key = "ramp_steps",
     .label = "Ramp",
     .symbol = "n_ramp",
     .unit = "steps",
     .group = "Integration",
     .min = 0,
     .max = 1000000000,
     .interestingMin = 0,
     .interestingMax = 100000,
     .smallest = "none",
     .help = "Steps, from the start of the run, over which the temperature of the bath goes evenly "
             "to the end temperature. Larger: slower heating or cooling. 0: no ramp.",
     .equation = "T(s) = T_bath + (T_end - T_bath) min(1, s / n_ramp)",
     .touches = MdTouch::bath},
    rampSteps);
  v({.key = "end_temperature",
     .label = "End temperature",
     .symbol = "T_end",
     .unit = "epsilon/k_B",
     .group = "Integration",
     .min = 0.001,
     .max = 20,
     .interestingMin = 0.1,
     .interestingMax = 3,
     .help = "Temperature of the bath after the ramp. Larger than that of the bath: heating; "
             "smaller: cooling.",
     .equation = "T(s) = T_bath + (T_end - T_bath) min(1, s / n_ramp)",
     .touches = MdTouch::bath},
    endTemperature);
}

}  // namespace cellscope::md
