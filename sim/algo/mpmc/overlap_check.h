// Exhaustive check of disk cells in host memory, by the rule of the trial moves: squared distances
// of exact coordinates, rounded to single precision. Disks closer than their diameter by less than
// a fraction 6e-8 may therefore count as touching, here as in the moves: the diameter is defined to
// that precision, the pressure to better than 1e-6.
#pragma once
#include "sim/algo/mpmc/engine.h"

namespace cellscope {

using OverlapReport = MpmcEngine::OverlapReport;

// Report over the cells of row y: pairs inside the row's cells and with the cells to the east,
// north-west, north and north-east, so that each pair counts once.
OverlapReport checkRow(const DiskCellsView& cells, int y);
OverlapReport combine(const OverlapReport& a, const OverlapReport& b);

}  // namespace cellscope
