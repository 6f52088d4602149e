#include "sim/algo/neighbours/built_list_impl.h"
#include "sim/algo/neighbours/cells_impl.h"
#include "sim/algo/neighbours/run_search_simd.h"
#include "sim/exec/cpu_exec.h"

namespace cellscope {

CELLSCOPE_CHOICE_OF_SETS(CellSearchFunction, searchCell)

namespace {

// ListFromCells for particles of one type whose records lie in the order of the cells, cell by
// cell.
class VectorisedSearch {
 public:
  VectorisedSearch(const ListFromCells& list, CellSearchFunction& search)
      : list_(list), search_(search) {
    for (int a = 0; a < list.box.dimension; ++a) fewCells_ |= list.grid.cells[a] < kManyCells;
  }
  // Cells [begin, end).
  void operator()(std::size_t begin, std::size_t end) const {
    const OwnSlots& own = list_.out.head.own;  // where these are not all, slots are in order
    for (std::size_t c = begin; c < end; ++c) {
      const std::size_t first = std::max<std::size_t>(list_.first[c], own.begin),
                        last = std::min<std::size_t>(list_.first[c + 1], own.begin + own.count);
      if (first < last)
        searchCell(c, static_cast<std::uint32_t>(first), static_cast<std::uint32_t>(last));
    }
  }

 private:
  // With that many cells along an axis particles of neighbouring cells are closer to each other
  // than half the box, or further apart than that where the box ends between the cells.
  static constexpr std::int32_t kManyCells = 5;
  static constexpr std::uint32_t kAtATime = 256;

  struct Runs {
    SearchRun run[27];
    std::size_t count = 0;
    std::uint32_t particles = 0;
    bool wrapped = false;

    void add(std::uint32_t begin, std::uint32_t end, const float (&shift)[3]) {
      if (begin == end) return;
      run[count++] = {begin, end, {shift[0], shift[1], shift[2]}};
      particles += end - begin;
      wrapped |= shift[0] != 0 || shift[1] != 0 || shift[2] != 0;
    }
  };
  // Of a cell outside the grid: to the difference of a particle to one in it.
  float shiftOf(std::int32_t cell, int axis) const {
    const float length = list_.box.length[axis];
    return cell < 0 ? length : cell >= list_.grid.cells[axis] ? -length : 0.0f;
  }
  // Those of forRunsAround(), in the same order.
  Runs runsAround(std::size_t c) const {
    const CellGrid& g = list_.grid;
    const auto nx = static_cast<std::size_t>(g.cells[0]), ny = static_cast<std::size_t>(g.cells[1]);
    const CellSpan xs = cellSpan(static_cast<std::int32_t>(c % nx), g.cells[0]);
    const CellSpan ys = cellSpan(static_cast<std::int32_t>(c / nx % ny), g.cells[1]);
    const CellSpan zs = cellSpan(static_cast<std::int32_t>(c / (nx * ny)), g.cells[2]);
    Runs runs;
    const auto add = [&](std::int32_t row, std::int32_t lo, std::int32_t hi, float x, float y,
                         float z) {
      runs.add(list_.first[row + lo], list_.first[row + hi + 1], {x, y, z});
    };
    for (std::int32_t z = zs.first; z <= zs.last; ++z)
      for (std::int32_t y = ys.first; y <= ys.last; ++y) {
        const std::int32_t row = g.index(0, wrappedCell(y, g.cells[1]), wrappedCell(z, g.cells[2]));
        const float dy = shiftOf(y, 1), dz = shiftOf(z, 2);
        const std::int32_t last = g.cells[0] - 1;
        add(row, std::max(xs.first, 0), std::min(xs.last, last), 0, dy, dz);
        if (xs.first < 0) add(row, last, last, shiftOf(-1, 0), dy, dz);
        if (xs.last > last) add(row, 0, 0, shiftOf(last + 1, 0), dy, dz);
      }
    return runs;
  }
  // Sorted particles [begin, last) of a cell.
  void searchCell(std::size_t c, std::uint32_t begin, std::uint32_t last) const {
    const Runs runs = runsAround(c);
    const RunImages images = fewCells_      ? RunImages::each
                             : runs.wrapped ? RunImages::byRun
                                            : RunImages::none;
    const CellSearch s{list_.sorted,
                       list_.slot,
                       list_.box,
                       list_.table.reachSquaredOf[0],
                       images,
                       runs.run,
                       runs.count,
                       list_.out.items,
                       list_.out.head.even,
                       list_.out.head.own.begin};
    std::uint32_t found[kAtATime];
    for (std::uint32_t k = begin; k < last; k += kAtATime) {
      const std::uint32_t end = std::min(last, k + kAtATime);
      search_(s, k, end, found);
      for (std::uint32_t m = k; m < end; ++m) {
        const std::size_t i = list_.slotOf(m);
        list_.out.finish(i, list_.sorted[m].type, found[m - k]);
        if (list_.checks) list_.checks[i] = runs.particles - 1;  // not with itself
      }
    }
  }

  const ListFromCells& list_;
  CellSearchFunction& search_;
  bool fewCells_ = false;
};

struct OneAfterTheOther {
  static bool readsByCells(const ListInput&) { return false; }
  void run(auto& exec, const ListFromCells& list, std::size_t n) const {
    const bool inOrder = !list.gathered || list.slot == nullptr;
    if (list.table.types == 1 && list.table.reachOf[0] > 0 && inOrder)
      exec.forRanges("list from cells", static_cast<std::size_t>(list.grid.count()), 8,
                     VectorisedSearch(list, searchCellFor()));
    else
      exec.forEach("list from cells", n, list);
  }
  void walk(auto& exec, const ListFromCells& list, std::size_t n) const {
    exec.forEach("cells walked", n, WalkCells{list}, 128);
  }
};

}  // namespace

std::unique_ptr<ListBuilder> makeCellListCpu(const exec::Shared& exec, const ListOptions& options) {
  return std::make_unique<CellList<exec::CpuExec, OneAfterTheOther>>(exec, options);
}

std::size_t cellListBytes(const ListInput& input, const ListOptions&) {
  const auto cells = static_cast<std::size_t>(cellListGrid(input).count());
  return CellListArrays::layout(cells, input.n, input.ordered).bytes();
}

std::unique_ptr<NearCounter> makeNearCounterCpu(const exec::Shared& exec) {
  return std::make_unique<NearCounterOn<exec::CpuExec>>(exec);
}

BuiltList buildListCpu(const exec::Shared& exec, ListBuilder& builder,
                       const std::vector<ParticleRecord>& particles, ListInput input, int builds,
                       bool counted) {
  return buildListOn<exec::CpuExec>(exec, builder, particles, input, builds, counted);
}

BuiltList buildList(const exec::Shared& exec, const ListMethod& method,
                    const std::vector<ParticleRecord>& particles, const Box& box,
                    const PairTable& table, int builds, bool counted, const ListOptions& options) {
  ListInput in;
  in.n = particles.size();
  in.box = box;
  in.table = table;
  for (const ParticleRecord& p : particles) ++in.countOfType[p.type];
  const std::unique_ptr<ListBuilder> builder = method.make(exec, options);
  return exec::makeOn<buildListCpu, buildListCuda>(exec, std::ref(*builder), particles, in, builds,
                                                   counted);
}

}  // namespace cellscope
