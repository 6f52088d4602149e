#include "sim/exec/cuda_exec.cuh"
//

#include "sim/algo/neighbours/cell_order.cuh"
#include "sim/algo/neighbours/team_search.cuh"
#include "sim/algo/stencil/builder_impl.h"
#include "sim/algo/stencil/list_by_rows.cuh"

namespace cellscope {

// What the search of the stencilled cell list by rows reads (list_by_rows.cuh), without distances,
// to be timed: rows of cells are looked up, and their particles read, once for all that search
// together.

// Particles of one type within reach of the box around those that reach equally far to it.
__device__ __forceinline__ void readRows(const ListFromStencils& l, std::uint32_t type,
                                         const EqualReach& reach, const float (&slack)[3],
                                         SearchLane& s, ReadOnly& read) {
  const CellRange r = cellsWithin(l.cells.grid, reach, slack, s);
  forRuns(l, type, r, slack, s, [&](PackedRuns runs) {
    for (std::uint32_t base = 0; base < runs.all; base += 32) {
      const ParticleRecord q = l.cells.sorted[runs.placeOf(base)];
      read.take(q.x, q.y, q.z);
    }
  });
}

__global__ void __launch_bounds__(32)
    walkByRows(__grid_constant__ const ListFromStencils l, std::int32_t together) {
  const CellGroup group = groupOf(l.cells, static_cast<std::int32_t>(blockIdx.x), together);
  const std::uint32_t particles = group.particles(l.cells.types);
  const RoundingSlack slack(l.box);
  ReadOnly read;
  for (std::uint32_t from = 0; from < particles; from += 32) {
    const std::uint32_t targets = min(particles - from, 32u);
    SearchLane s;
    s.p = l.cells.sorted[group.particle(from + min(threadIdx.x, targets - 1))];
    forEqualReaches(l, targets, s, [&](std::uint32_t type, const EqualReach& reach) {
      readRows(l, type, reach, slack.along, s, read);
    });
  }
  read.end();
}

namespace {

struct ByRows {
  static void run(exec::CudaExec& exec, const ListFromStencils& list, std::size_t n) {
    if (list.checks) return exec.forEach("list from stencils, checks counted", n, list);
    const Groups g(list.cells.grid, n);
    exec.launch("list from stencils",
                [&] { listByRows<<<g.groups, 32, 0, exec.stream()>>>(list, g.together); });
  }
  static void walk(exec::CudaExec& exec, const ListFromStencils& list, std::size_t n) {
    const Groups g(list.cells.grid, n);
    exec.launch("stencils walked",
                [&] { walkByRows<<<g.groups, 32, 0, exec.stream()>>>(list, g.together); });
  }
  static void sort(exec::CudaExec& exec, CellListArrays& to, const ListInput& in,
                   const TypedCells& cells) {
    sortByCells(exec,
                CellOrder<TypedCells, RecordsBySlot, std::uint32_t>{{in.particles},
                                                                    cells,
                                                                    to.first.data(),
                                                                    to.slot.data(),
                                                                    to.cell.data(),
                                                                    to.slot.spare(),
                                                                    {},
                                                                    to.sorted.data()},
                in.n);
  }

 private:
  // Cells next to each other that a warp has.
  struct Groups {
    std::int32_t together;
    unsigned groups;
    Groups(const CellGrid& grid, std::size_t n) {
      constexpr double kMostLanes = 29;  // on the average, so that few groups have more than 32
      const double perCell = static_cast<double>(n) / grid.count();
      together = static_cast<std::int32_t>(
          std::clamp(kMostLanes / perCell, 1.0, static_cast<double>(grid.cells[0])));
      groups = static_cast<unsigned>(groupsOf(grid, together));
    }
  };
};

}  // namespace

std::unique_ptr<ListBuilder> makeStencilBuilderCuda(const exec::Shared& exec,
                                                    const ListOptions& options) {
  return std::make_unique<StencilBuilderOn<exec::CudaExec, ByRows>>(exec, options);
}

}  // namespace cellscope
