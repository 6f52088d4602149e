// Exhaustive check of disk cells in host memory, by the rule of the trial moves: squared distances
// of exact coordinates, rounded to single precision. Disks nearer than their diameter by less than
// 6e-8 of it may therefore pass for touching, here as in the moves: the diameter is defined to
// that, and a pressure to less than a millionth of its value.
#pragma once
#include "sim/algo/mpmc/engine.h"

namespace cellscope {

using OverlapReport = MpmcEngine::OverlapReport;

// Report over the cells of row y: pairs inside the row's cells and with the cells to the east,
// north-west, north and north-east, so that each pair counts once.
OverlapReport checkRow(const DiskCellsView& cells, int y);
OverlapReport combine(const OverlapReport& a, const OverlapReport& b);

}  // namespace cellscope
