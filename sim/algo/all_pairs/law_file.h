// What files of laws have of the tiles of S2 (sim/algo/md/pair_law.h).
#pragma once
#include "sim/algo/all_pairs/tile_forces.h"

namespace cellscope {

template <class Launcher, int potential>
void TileLaw<Launcher, potential>::run(Launcher& exec, exec::TeamShape shape,
                                       const TileForces<float, NoLaw>& tiles, const AnyLaw& any) {
  withLawOfFile<potential>(any, [&](const auto& law) {
    exec.teams("all-pairs forces (teams)", shape, tiles.with(law));
  });
}
template <class Launcher, int potential>
void TileLaw<Launcher, potential>::run(Launcher& exec, exec::TeamShape shape,
                                       const TileForces<double, NoLaw>& tiles, const AnyLaw& any) {
  withLawOfFile<potential, double>(any, [&](const auto& law) {
    exec.teams("all-pairs forces (teams)", shape, tiles.with(law));
  });
}

}  // namespace cellscope
