#include <cstdlib>
#include <tuple>

#include "sim/algo/stencil/builder_impl.h"
#include "sim/exec/cpu_exec.h"

namespace cellscope {
namespace {

// Rounding may put a particle into the next cell.
double roundingSlack(const Box& box) {
  double longest = 0;
  for (int a = 0; a < box.dimension; ++a) longest = std::max(longest, box.length[a]);
  return 4e-6 * longest;
}

// Offsets along an axis: those within reach, or each cell of the axis once.
struct Offsets {
  std::int32_t first = 0, last = 0;
};

Offsets offsetsAlong(std::int32_t cells, double width, double reach) {
  const double far = std::floor(reach / width) + 1;
  if (2 * far + 1 >= cells) return {-(cells - 1) / 2, cells / 2};
  const auto o = static_cast<std::int32_t>(far);
  return {-o, o};
}

struct EachInTurn {
  static constexpr std::size_t kGrain = 128;  // searches are long

  static void run(auto& exec, const ListFromStencils& list, std::size_t n) {
    exec.forEach("list from stencils", n, list, kGrain);
  }
  static void walk(auto& exec, const ListFromStencils& list, std::size_t n) {
    exec.forEach("stencils walked", n, WalkStencilRuns{list}, kGrain);
  }
  static void sort(auto& exec, CellListArrays& to, const ListInput& in, const TypedCells& cells) {
    to.sort(exec, {"stencils: index", "stencils: sort", "stencils: fill"}, in.particles, in.n,
            cells.grid, cells.count(),
            cells.types > 1 ? static_cast<std::uint32_t>(cells.grid.count()) : 0);
  }
};

}  // namespace

std::vector<StencilCell> stencilWithin(const Box& box, const CellGrid& grid, double reach) {
  std::vector<StencilCell> found;
  if (!(reach > 0)) return found;
  Offsets range[3];
  double width[3] = {1, 1, 1};
  for (int a = 0; a < box.dimension; ++a) {
    width[a] = box.length[a] / grid.cells[a];
    range[a] = offsetsAlong(grid.cells[a], width[a], reach);
  }
  const double slack = roundingSlack(box);
  const auto gap = [&](std::int32_t o, int a) { return std::max(0, std::abs(o) - 1) * width[a]; };
  for (std::int32_t z = range[2].first; z <= range[2].last; ++z)
    for (std::int32_t y = range[1].first; y <= range[1].last; ++y)
      for (std::int32_t x = range[0].first; x <= range[0].last; ++x) {
        const double d = std::max(0.0, std::hypot(gap(x, 0), gap(y, 1), gap(z, 2)) - slack);
        if (d <= reach) found.push_back({x, y, z, static_cast<float>(d)});
      }
  std::sort(found.begin(), found.end(), [](const StencilCell& a, const StencilCell& b) {
    return std::tie(a.distance, a.z, a.y, a.x) < std::tie(b.distance, b.z, b.y, b.x);
  });
  return found;
}

std::vector<float> longestDistances(const Box& box, const CellGrid& grid,
                                    const std::vector<StencilCell>& cells) {
  std::vector<float> all;
  all.reserve(cells.size());
  for (const StencilCell& c : cells) {
    const std::int32_t offset[3] = {c.x, c.y, c.z};
    double squared = 0;
    for (int a = 0; a < box.dimension; ++a) {
      const double width = box.length[a] / grid.cells[a];
      const double far = std::min((std::abs(offset[a]) + 1) * width, 0.5 * box.length[a]);
      squared += far * far;
    }
    all.push_back(static_cast<float>(std::sqrt(squared) + 2 * roundingSlack(box)));
  }
  return all;
}

Stencils stencilsOf(const Box& box, const CellGrid& grid, const PairTable& table) {
  Stencils all;
  for (int t = 0; t < kMostTypes; ++t) {
    if (t < table.types) {
      const float reach = table.longest(static_cast<std::uint32_t>(t));
      const std::vector<StencilCell> own = stencilWithin(box, grid, reach);
      all.cells.insert(all.cells.end(), own.begin(), own.end());
    }
    all.first[t + 1] = static_cast<std::uint32_t>(all.cells.size());
  }
  return all;
}

std::vector<StencilCell> stencilAndCorners(const Stencils& all, std::uint32_t type, const Box& box,
                                           const CellGrid& grid) {
  const StencilCell* const begin = all.cells.data() + all.first[type];
  const StencilCell* const end = all.cells.data() + all.first[type + 1];
  std::int32_t most = 0;
  double corner = 0;
  for (const StencilCell* c = begin; c != end; ++c)
    most = std::max({most, std::abs(c->x), std::abs(c->y), std::abs(c->z)});
  for (int a = 0; a < box.dimension; ++a)
    corner = std::hypot(corner, most * box.length[a] / grid.cells[a]);
  std::vector<StencilCell> cells = stencilWithin(box, grid, corner);
  std::erase_if(cells, [&](const StencilCell& c) {
    return std::max({std::abs(c.x), std::abs(c.y), std::abs(c.z)}) > most;
  });
  return cells;
}

std::unique_ptr<ListBuilder> makeStencilBuilderCpu(const exec::Shared& exec,
                                                   const ListOptions& options) {
  return std::make_unique<StencilBuilderOn<exec::CpuExec, EachInTurn>>(exec, options);
}

std::size_t stencilBytes(const ListInput& input, const ListOptions& options) {
  const CellGrid grid = stencilGrid(input, options);
  return StencilArrays::layout(input, options, grid, stencilsOf(input.box, grid, input.table))
      .bytes();
}

}  // namespace cellscope
