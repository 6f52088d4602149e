// The studies of hard disks. A new one is a file here and its name in the two places below.
#include "app/reproduce/hard_disks/disk_study.h"

namespace cellscope::reproduce {

std::unique_ptr<DiskStudy> exact(), virial(), fluid(), table1(), table2(), table4(), leaveCell(),
    n870(), tuning(), lostDisks();

std::vector<std::unique_ptr<DiskStudy>> diskStudies() {
  std::vector<std::unique_ptr<DiskStudy>> all;
  for (const auto make :
       {exact, virial, fluid, table1, table2, table4, leaveCell, n870, tuning, lostDisks})
    all.push_back(make());
  return all;
}

}  // namespace cellscope::reproduce
