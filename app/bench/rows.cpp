// The rows that exist. A new one is a function in the file of its mode and its name in the two
// places below.
#include "app/bench/bench.h"

namespace cellscope::bench {

// Mode hard_disks.
Row sweeps(), speedup(), bytesPerDisk(), samples();
// Mode md.
Row pairs();
// From state to picture, with hard disks.
Row frames(), drawing(), window();

std::vector<Row> allRows() {
  return {sweeps(), speedup(), bytesPerDisk(), samples(), pairs(), frames(), drawing(), window()};
}

}  // namespace cellscope::bench
