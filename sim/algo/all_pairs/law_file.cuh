// What files of laws have of the tuned tiles (sim/algo/md/pair_law.h).
#pragma once
#include "sim/algo/all_pairs/law_file.h"
#include "sim/algo/all_pairs/tiles.cuh"

namespace cellscope {

template <int potential>
void CudaTileLaw<potential>::launch(cudaStream_t stream, int tile, TileGrid g, const TilePass& pass,
                                    const AnyLaw& any) {
  const dim3 blocks(static_cast<unsigned>(g.columns), static_cast<unsigned>(g.chunks));
  const auto threads = static_cast<unsigned>(tile);
  withLawOfFile<potential>(any, [&](const auto& law) {
    if constexpr (std::decay_t<decltype(law)>::kByTypes) {
      tilePassOfTypes<<<blocks, threads, 0, stream>>>(pass, law);
    } else {
      const auto with = [&](auto n) {
        if (decltype(n)::value == tile)
          tilePassKernel<decltype(n)::value><<<blocks, threads, 0, stream>>>(pass, law);
      };
      with(std::integral_constant<int, 32>{}), with(std::integral_constant<int, 64>{});
      with(std::integral_constant<int, 128>{}), with(std::integral_constant<int, 256>{});
    }
  });
}

}  // namespace cellscope
