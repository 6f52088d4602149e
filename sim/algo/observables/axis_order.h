// Alignment of bonds with the axes of the cell grid, absent in a correct fluid simulation.
#pragma once
#include "sim/core/checkerboard.h"

namespace cellscope {

// Mean of cos(4 theta) over all pairs nearer than `radius` (at most 2), theta: angle between the
// bond and the x axis. 1 for bonds along the axes, 0 for no preference, -1 for diagonal bonds.
// cells: host memory, at least 6 cells per side. NaN without such a pair.
double axisOrder(const DiskCellsView& cells, double radius = 1.5);

}  // namespace cellscope
