#include "sim/algo/observables/disk_observables.h"
#include "sim/exec/memory.h"

namespace cellscope {

std::unique_ptr<DiskObservables> makeDiskObservablesCuda(int device) {
  exec::useCudaDevice(device);  // throws
  return nullptr;
}

}  // namespace cellscope
