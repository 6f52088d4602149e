// The colourings of hard disks; the first is the default.
#pragma once
#include "sim/layers/colourings/disks/cell.h"
#include "sim/layers/colourings/disks/checkerboard_set.h"
#include "sim/layers/colourings/disks/local_order.h"
#include "sim/layers/colourings/disks/local_packing.h"
#include "sim/layers/colourings/disks/neighbours.h"
#include "sim/layers/colourings/disks/orientation.h"
#include "sim/layers/colourings/plain.h"

namespace cellscope::layers {

using DiskColourings = ColouringList<DiskOrientation,   //
                                     DiskLocalOrder,    //
                                     DiskLocalPacking,  //
                                     DiskNeighbours,    //
                                     DiskCell,          //
                                     DiskSet,           //
                                     PlainDisks>;

}  // namespace cellscope::layers
