// The studies of grand-canonical chains. A new one is a file here and its name in the two places
// below.
#include "app/reproduce/gcmc/gcmc_study.h"

namespace cellscope::reproduce {

std::unique_ptr<Study> chainSerial(), chainMappings(), chainSizes(), chainCutoffs(), chainStates();

std::vector<std::unique_ptr<Study>> chainStudies() {
  std::vector<std::unique_ptr<Study>> all;
  for (const auto make : {chainSerial, chainMappings, chainSizes, chainCutoffs, chainStates})
    all.push_back(make());
  return all;
}

}  // namespace cellscope::reproduce
