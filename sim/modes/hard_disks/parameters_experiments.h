// Ways to break the moves of hard disks on purpose.
// Included by parameters.h.
#pragma once
#include "sim/modes/hard_disks/parameters.h"

namespace cellscope {

template <class V>
void HardDiskParameters::visitExperiments(V& v) {
  v({"no_particle_shuffle", "No particle shuffle", "Experiments"},
    {.help = "Breaks the sampling on purpose: the disks of a cell are moved in storage order, "
             "which depends on past states. Pressures near the transition are wrong.",
     .equation = "Anderson et al. 2013, section 2.4, point 2, and Table 1",
     .touches = DiskTouch::averages,
     .experiment = true},
    noParticleShuffle);
  v({"no_set_shuffle", "No set shuffle", "Experiments"},
    {.help = "The four sets are always updated in the order a, b, c, d: detailed balance is "
             "violated, but results stay correct within errors.",
     .equation = "Anderson et al. 2013, section 2.4, point 3, and Table 1",
     .touches = DiskTouch::averages,
     .experiment = true},
    noSetShuffle);
  v({"leave_cell", "Disks may leave their cell", "Experiments"},
    {.help = "Breaks the sampling on purpose: a disk may leave its cell by up to w - 1, the range "
             "of the overlap test. The reverse move is impossible until the next shift, and two "
             "cells may move disks into the same gap: this gives overlaps, bonds aligned with the "
             "cells and too low a pressure. More moves per cell increase the error.",
     .equation = "Anderson et al. 2013, section 2.4, point 1: Algorithm 2 without line 25",
     .touches = DiskTouch::leaving | DiskTouch::mapping | DiskTouch::averages,
     .experiment = true},
    leaveCell);
  v({"no_cell_shift", "No cell shift", "Experiments"},
    {.help = "Breaks the sampling on purpose: the cells are never shifted, so that no disk can "
             "ever leave its cell.",
     .equation = "Anderson et al. 2013, section 2.2; Algorithm 1, lines 15 to 17",
     .touches = DiskTouch::averages,
     .experiment = true},
    noCellShift);
  v({"move_once", "Each disk moves once", "Experiments"},
    {.help = "Breaks the sampling on purpose where disks may leave their cell: every disk is tried "
             "exactly once in a sweep, wherever it goes, instead of n_M trials in every cell. That "
             "seems to make up for leaving, but a move out of the middle of an update has no "
             "reverse: the pressure is slightly wrong, the more so the larger the moves. Where "
             "disks stay in their cells it is correct.",
     .equation = "Anderson et al. 2013, section 2.4: each particle moves exactly once per sweep",
     .touches = DiskTouch::mapping | DiskTouch::averages,
     .experiment = true},
    moveOnce);
  v({"shift_bits", "Digits of a shift", "Experiments", "", "binary digits"},
    {12, kCoordinateBits, 12, kCoordinateBits},
    {.help = "Breaks the sampling on purpose below 22, which are all digits of a coordinate: a "
             "disk that enters a cell with a shift is first translated, which keeps only this "
             "number of binary digits after the point, and then tested. Close to the edge both "
             "cells refuse it, and it is lost. Larger: fewer are lost.",
     .equation = "Anderson et al. 2013, section 3.2, on Algorithm 4, line 20: several hundred of "
                 "1024^2 disks lost in 10^6 sweeps",
     .touches = DiskTouch::leaving | DiskTouch::mapping | DiskTouch::averages,
     .experiment = true},
    shiftBits);
}

}  // namespace cellscope
