// Exhaustive check of disk cells in host memory.
#pragma once
#include "sim/algo/mpmc/engine.h"

namespace cellscope {

using OverlapReport = MpmcEngine::OverlapReport;

// Report over the cells of row y: pairs inside the row's cells and with the cells to the east,
// north-west, north and north-east, so that each pair counts once.
OverlapReport checkRow(const DiskCellsView& cells, int y);
OverlapReport combine(const OverlapReport& a, const OverlapReport& b);

}  // namespace cellscope
