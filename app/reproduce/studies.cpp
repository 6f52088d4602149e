#include "app/reproduce/studies.h"

#include <utility>

#include "app/reproduce/hard_disks/disk_study.h"

namespace cellscope::reproduce {

std::vector<ModeStudies> allStudies() {
  std::vector<ModeStudies> all;
  auto& disks = all.emplace_back(ModeStudies{"hard_disks", {}}).studies;
  for (auto& study : diskStudies()) disks.push_back(std::move(study));
  return all;
}

}  // namespace cellscope::reproduce
