// The two types of a mixture, and what a pair of unlike ones has. Included by parameters.h.
#pragma once
#include "sim/modes/gcmc/parameters.h"

namespace cellscope::gcmc {

template <class V>
void GcmcParameters::visitSpecies(V& v) {
  using T = GcmcTouch;
  constexpr std::uint32_t all = T::rules | T::averages | T::isotherm;
  const auto binary = [&](const char* key, const char* label, const char* symbol, const char* unit,
                          ParameterRange range, const char* help, const char* equation,
                          ChoicesOf with, double& field) {
    v({key, label, "Species", symbol, unit}, range,
      {.help = help,
       .equation = equation,
       .touches = all,
       .later = true,
       .actsWith = std::move(with)},
      field);
  };
  const ChoicesOf mixture{"system", {"binary"}}, given{"mixing", {"given"}};
  binary(
      "share_b", "Activity fraction of B", "y", "", {0, 1, 0, 1},
      "Share of B in the activity of the reservoir: the fraction of B in an ideal gas. Larger: "
      "more B in the box, though seldom the same fraction. Particles of the start, and those added "
      "by hand, are B with the same probability.",
      "y = z_B / (z_A + z_B); mu_A = T ln((1 - y) z), mu_B = T ln(y z)", mixture, shareB);
  binary("sigma_b", "Diameter of B", "sigma_B", "sigma", {0.5, 2, 0.8, 1.5},
         "Diameter of B; between A and B see mixing. The cutoff is in units of the sigma of each "
         "pair. Larger: B takes more room, and less of it is taken up.",
         "sigma_AB = (sigma_A + sigma_B) / 2", mixture, sigmaB);
  binary("epsilon_b", "Depth of B", "epsilon_B", "epsilon", {0.05, kGcmcDeepest, 0.2, 2},
         "Depth of the potential between two particles of B; between A and B see mixing. Larger: "
         "particles of B attract each other more, and a liquid takes up more of them.",
         "epsilon_BB = epsilon_B", mixture, epsilonB);
  v({"mixing", "Mixing", "Species"},
    {.choices = {{"arithmetic", "arithmetic"},
                 {"lorentz_berthelot", "Lorentz-Berthelot"},
                 {"given", "given values"}},
     .help = "Diameter and depth between A and B. arithmetic: means of those of A and B. "
             "lorentz_berthelot: the same, but the geometric mean of the depths. given: sigma_ab "
             "and epsilon_ab as they are set.",
     .equation = "Lorentz-Berthelot: epsilon_AB = sqrt(epsilon_A epsilon_B)",
     .touches = all,
     .later = true,
     .actsWith = mixture},
    mixing);
  binary("sigma_ab", "Diameter of A with B", "sigma_AB", "sigma", {0, 2, 0, 1.5},
         "With mixing = given: at least 0.5; 0 stands for no value, which is refused. Larger: "
         "unlike particles keep further apart than like ones.",
         "mixing = given: sigma_AB as it is set", given, sigmaAB);
  binary("epsilon_ab", "Depth of A with B", "epsilon_AB", "epsilon", {0, kGcmcDeepest, 0, 2},
         "With mixing = given: at least 0.05; 0 stands for no value, which is refused. Larger: "
         "unlike particles attract each other more, and mix; much less than between like ones: "
         "they separate.",
         "mixing = given: epsilon_AB as it is set", given, epsilonAB);
}

}  // namespace cellscope::gcmc
