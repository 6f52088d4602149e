// The studies of molecular dynamics. A new one is a file here and its name in the two places below.
#include "app/reproduce/md/md_study.h"

namespace cellscope::reproduce {

std::unique_ptr<Study> binaryMixture(), colloidSolution(), allPairsSteps(), cellSteps(),
    randomNumbers(), unevenDensity();

std::vector<std::unique_ptr<Study>> mdStudies() {
  std::vector<std::unique_ptr<Study>> all;
  for (const auto make :
       {binaryMixture, colloidSolution, allPairsSteps, cellSteps, randomNumbers, unevenDensity})
    all.push_back(make());
  return all;
}

}  // namespace cellscope::reproduce
