// CUDA engine: tuned tiles, or the generic ones.
#include "sim/algo/all_pairs/engine_impl.h"
#include "sim/algo/all_pairs/tile_grid.h"
#include "sim/algo/all_pairs/tiles.cuh"
#include "sim/exec/cuda_exec.cuh"

namespace cellscope {
namespace {

class CudaTuned {
 public:
  template <class Exec>
  void run(Exec& exec, const Vec3d* position, PairSums* sums, std::size_t count, const Box& box,
           const PairSettings& settings) {
    const int n = static_cast<int>(count);
    const double length = sideOfCube(box);
    const TileGrid grid = tileGrid(n, settings.tile);
    reserve(exec, count, static_cast<std::size_t>(grid.chunks) * count);
    exec.forEach("place", count, ToPlaces{position, place_.data(), kPlacesAcross / length});
    const double reach = settings.cutoff + 1e-6 * length;
    const TilePass pass{place_.data(),
                        force_.data(),
                        virial_.data(),
                        n,
                        grid.tilesPerChunk,
                        static_cast<float>(length),
                        static_cast<float>(length / kPlacesAcross),
                        static_cast<float>(reach * reach)};
    withPotential<float>(settings.potential, settings.cutoff, [&](auto pair) {
      exec.launch("all-pairs forces",
                  [&] { launch(exec.stream(), settings.tile, grid, pass, pair); });
    });
    exec.forEach("add the chunks", count,
                 AddChunks{force_.data(), virial_.data(), sums, n, grid.chunks});
  }
  std::size_t bytes() const { return place_.bytes() + force_.bytes() + virial_.bytes(); }

 private:
  template <class Exec>
  void reserve(Exec& exec, std::size_t particles, std::size_t items) {
    if (force_.size() >= items && place_.size() >= particles) return;
    exec.synchronize();
    place_ = exec::Array<Place>(Backend::cuda, particles);
    force_ = exec::Array<Vec4>(Backend::cuda, items);
    virial_ = exec::Array<float>(Backend::cuda, items);
  }

  template <class Pair>
  static void launch(cudaStream_t stream, int tile, TileGrid g, const TilePass& pass,
                     const Pair& pair) {
    const dim3 blocks(static_cast<unsigned>(g.columns), static_cast<unsigned>(g.chunks));
    switch (tile) {
      case 32:
        tilePassKernel<32><<<blocks, 32, 0, stream>>>(pass, pair);
        break;
      case 64:
        tilePassKernel<64><<<blocks, 64, 0, stream>>>(pass, pair);
        break;
      case 128:
        tilePassKernel<128><<<blocks, 128, 0, stream>>>(pass, pair);
        break;
      default:
        tilePassKernel<256><<<blocks, 256, 0, stream>>>(pass, pair);
        break;
    }
  }

  exec::Array<Place> place_;
  exec::Array<Vec4> force_;
  exec::Array<float> virial_;
};

}  // namespace

std::unique_ptr<AllPairsEngine> makeAllPairsCuda(int device) {
  return std::make_unique<AllPairs<exec::CudaExec, CudaTuned>>(device);
}

}  // namespace cellscope
