// The colourings of molecular dynamics; the first is the default.
#pragma once
#include "sim/layers/colourings/md/displacement.h"
#include "sim/layers/colourings/md/energy.h"
#include "sim/layers/colourings/md/listed.h"
#include "sim/layers/colourings/md/speed.h"
#include "sim/layers/colourings/md/tile.h"
#include "sim/layers/colourings/md/type.h"
#include "sim/layers/colourings/plain.h"

namespace cellscope::layers {

using MdColourings = ColouringList<MdSpeed,         //
                                   MdEnergy,        //
                                   MdTile,          //
                                   MdType,          //
                                   MdListed,        //
                                   MdDisplacement,  //
                                   PlainParticles>;

}  // namespace cellscope::layers
