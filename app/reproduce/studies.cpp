#include "app/reproduce/studies.h"

#include <utility>

#include "app/reproduce/gcmc/gcmc_study.h"
#include "app/reproduce/hard_disks/disk_study.h"
#include "app/reproduce/md/md_study.h"

namespace cellscope::reproduce {

std::vector<ModeStudies> allStudies() {
  std::vector<ModeStudies> all;
  auto& disks = all.emplace_back(ModeStudies{"hard_disks", {}}).studies;
  for (auto& study : diskStudies()) disks.push_back(std::move(study));
  all.push_back({"md", mdStudies()});
  all.push_back({"gcmc", chainStudies()});
  return all;
}

}  // namespace cellscope::reproduce
