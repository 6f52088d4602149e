// CUDA engine: tuned tiles, or the generic ones.

#include "sim/algo/all_pairs/engine_impl.h"
#include "sim/algo/all_pairs/tiles.cuh"
#include "sim/exec/cuda_exec.cuh"

namespace cellscope {
namespace {

class CudaTuned {
 public:
  void run(exec::CudaExec& exec, const Vec3d* position, const ParticleRecord* kind, PairSums* sums,
           std::size_t count, const Box& box, const PairSettings& settings,
           const PairProgress& progress) {
    const int n = static_cast<int>(count);
    const TileGrid grid = tileGrid(n, settings.tile);
    reserve(exec, count, grid);
    exec.forEach("lattice positions", count,
                 ToLattice{position, kind, arrays_.lattice.data(), latticeSteps(box)});
    const double longest = *std::max_element(box.length, box.length + box.dimension);
    const double reach = longestCutoff(settings) + 1e-6 * longest;
    TilePass pass{arrays_.lattice.data(), arrays_.force.data(),
                  arrays_.virial.data(),  n,
                  grid.tilesPerChunk,     halfSides(box),
                  latticeUnit(box),       static_cast<float>(reach * reach)};
    const int part = progress ? grid.columnsPerReport(settings.tile) : grid.columns;
    withAllPairsLaw<float>(settings, [&](const AnyLaw& law) {
      for (int& from = pass.column; from < grid.columns; from += part) {
        const TileGrid some{std::min(part, grid.columns - from), grid.chunks, grid.tilesPerChunk};
        exec.launch("all-pairs forces", [&] {
          runWithLaw(CudaTilePass{exec.stream(), settings.tile, some, pass}, law);
        });
        if (some.columns == grid.columns) continue;
        exec.synchronize();
        progress(static_cast<double>(from + some.columns) / grid.columns);
      }
    });
    exec.forEach("add the chunks", count,
                 AddChunks{arrays_.force.data(), arrays_.virial.data(), sums, n, grid.chunks});
  }
  // After a pass: reads its coordinates.
  bool walk(exec::CudaExec& exec, std::size_t count, const Box& box, const PairSettings& settings,
            bool records) {
    const int n = static_cast<int>(count);
    const TileGrid grid = tileGrid(n, settings.tile);
    if (arrays_.lattice.size() < count) return false;
    const TilePass pass{arrays_.lattice.data(), nullptr,        nullptr,          n,
                        grid.tilesPerChunk,     halfSides(box), latticeUnit(box), 0};
    const dim3 blocks(static_cast<unsigned>(grid.columns), static_cast<unsigned>(grid.chunks));
    exec.launch(records ? "tiles loaded and gone through" : "tiles loaded", [&] {
      tileWalkKernel<0>
          <<<blocks, static_cast<unsigned>(settings.tile), 0, exec.stream()>>>(pass, records);
    });
    return true;
  }
  std::size_t bytes() const {
    return arrays_.lattice.bytes() + arrays_.force.bytes() + arrays_.virial.bytes();
  }

 private:
  void reserve(exec::CudaExec& exec, std::size_t n, const TileGrid& grid) {
    const std::size_t sums = static_cast<std::size_t>(grid.chunks) * n;
    if (arrays_.force.size() >= sums && arrays_.lattice.size() >= n) return;
    exec.synchronize();
    arrays_ = {};  // first, so that both need not fit
    arrays_ = TileArrays::layout(n, grid).make(Backend::cuda);
  }

  TileArrays arrays_;
};

}  // namespace

std::unique_ptr<MdEngine> makeAllPairsCuda(const exec::Shared& exec) {
  return std::make_unique<AllPairs<exec::CudaExec, CudaTuned>>(exec);
}

}  // namespace cellscope
