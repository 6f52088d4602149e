// The rows that exist. A new one is a function in the file of its mode and its name in the two
// places below.
#include "app/bench/bench.h"

namespace cellscope::bench {

// Mode hard_disks; the last four are about the way from state to picture.
Row sweeps(), domainSweeps(), speedup(), bytesPerDisk(), samples(), frames(), layerFrames(),
    drawing(), window();
// Mode md.
Row pairs(), placeholderCells(), lists(), mixtureSteps(), listBuilds(), noise(), treeFrames(),
    mdSamples();
// Mode gcmc.
Row gcmcMoves(), gcmcSpeculative(), gcmcBoard(), gcmcBeads(), gcmcInOrder(), gcmcReplicas(),
    gcmcMicrocells();

std::vector<Row> allRows() {
  return {sweeps(),          domainSweeps(),   speedup(),     bytesPerDisk(),
          samples(),         frames(),         layerFrames(), drawing(),
          window(),          pairs(),          lists(),       mixtureSteps(),
          listBuilds(),      noise(),          treeFrames(),  placeholderCells(),
          gcmcMoves(),       gcmcBoard(),      gcmcInOrder(), gcmcReplicas(),
          gcmcSpeculative(), gcmcMicrocells(), gcmcBeads(),   mdSamples()};
}

}  // namespace cellscope::bench
