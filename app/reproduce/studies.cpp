#include "app/reproduce/reproduce.h"

namespace cellscope::reproduce {

const std::vector<Study>& studies() {
  static const std::vector<Study> all = {
      {"table1",
       "what leaving out the shuffles does to the pressure (S3, Table 1)",
       table1,
       {{"--sides", false},
        {"--packings"},
        {"--seeds"},
        {"--first-seed"},
        {"--start"},
        {"--together"},
        {"--moves-per-cell"}}},
      {"table2",
       "pressure at six packing fractions and three sizes (S3, Table 2)",
       table2,
       {{"--sides"},
        {"--packings"},
        {"--seeds"},
        {"--first-seed"},
        {"--start"},
        {"--together"},
        {"--grow"}}},
      {"exact",
       "pressure and pair distances of two, three and four disks, solved exactly; a copy of them "
       "on "
       "every CPU thread, on a GPU driven by it",
       exact,
       {{"--seeds"}}},
      {"virial",
       "low densities: compressibility factor against the virial series, packing 0.05 to 0.5",
       virial,
       {{"--sides"}, {"--packings"}, {"--seeds"}, {"--first-seed"}, {"--start"}, {"--together"}}},
      {"fluid",
       "pressure of the fluid, where nothing is slow, by three estimators (Kolafa and Rottner "
       "2006)",
       fluid,
       {{"--sides"}, {"--packings"}, {"--seeds"}, {"--first-seed"}, {"--start"}, {"--together"}}},
      {"leave-cell",
       "what happens when disks may leave their cell (S3, section 2.4)",
       leaveCell,
       {{"--sides", false}, {"--packings", false}, {"--seeds"}}},
      {"n870",
       "the sharpest published pressure: 870 disks, on all CPU cores (Li et al. 2022)",
       smallSystem,
       {{"--packings"}, {"--seeds"}},
       true},
      {"tuning",
       "autocorrelation time against move size and moves per cell (S3, section 3.3)",
       tuning,
       {{"--sides", false}, {"--packings", false}, {"--seeds"}}},
      {"lost-disks",
       "a million sweeps without a lost disk or an overlap",
       lostDisks,
       {{"--sides"}, {"--seeds"}, {"--sweeps"}}},
  };
  return all;
}

}  // namespace cellscope::reproduce
