// Verlet lists from a standard cell list: cells no narrower than the longest reach, the particles
// in the order of their cells, and for each particle the 27 cells around it (nine in 2D). Written
// once over exec. Lister runs the fast search of the backend, and what it reads without its
// distances:
//   void run(Exec&, const ListFromCells&, std::size_t n) const
//   void walk(Exec&, const ListFromCells&, std::size_t n) const
#pragma once
#include "sim/algo/neighbours/cell_kernels.h"
#include "sim/algo/neighbours/methods.h"
#include "sim/exec/layout.h"

namespace cellscope {

struct CellListArrays {
  exec::Array<std::uint32_t> first;
  exec::Array<ParticleRecord> sorted;
  exec::DoubleBuffer<std::uint32_t> cell, slot;

  // ordered: slots come in the order of the cells.
  static exec::Layout<CellListArrays> layout(std::size_t cells, std::size_t n, bool ordered) {
    const std::size_t sorting = ordered ? 0 : n;
    return {{"first particles", &CellListArrays::first, cells + 1},
            {"sorted particles", &CellListArrays::sorted, sorting},
            {"cells", &CellListArrays::cell, sorting},
            {"slots", &CellListArrays::slot, sorting}};
  }
  // Puts particles into cells, or into those of each of several types (CellOfSlot::ofType): `runs`
  // in all. names: of the three launches. From the buffers that the first call began with, for
  // launches that are recorded.
  void sort(auto& exec, const char* const (&names)[3], const ParticleRecord* particles,
            std::size_t n, const CellGrid& grid, std::uint32_t runs, std::uint32_t ofType = 0) {
    cell.goHome(), slot.goHome();
    exec.forEach(names[0], n, CellOfSlot{particles, grid, ofType, cell.data(), slot.data()});
    exec.sortByKey(names[1], cell, slot, n, {0, static_cast<int>(std::bit_width(runs))});
    exec.forEach(names[2], n + 1,
                 FillCells{particles, cell.data(), slot.data(), sorted.data(), first.data(),
                           static_cast<std::uint32_t>(n), runs});
  }
};

inline CellGrid cellListGrid(const ListInput& in) {
  return gridFor(in.box, in.table.longest(), in.n);
}
// Of a key that is a cell, or one more than the last.
inline exec::BitRange cellBits(const CellGrid& grid) {
  return {0, static_cast<int>(std::bit_width(static_cast<std::uint32_t>(grid.count())))};
}

template <class Exec, class Lister>
class CellList final : public ListBuilder {
 public:
  CellList(exec::Shared shared, const ListOptions& options)
      : shared_(std::move(shared)),
        exec_(exec::as<Exec>(shared_)),
        how_(options.how),
        threads_(options.threads) {}

  void prepare(const ListInput& in) override {
    grid_ = cellListGrid(in);
    const auto cells = static_cast<std::size_t>(grid_.count());
    if (arrays_.first.size() == cells + 1 && arrays_.sorted.size() == (in.ordered ? 0 : in.n))
      return;
    arrays_ = {};
    arrays_ = CellListArrays::layout(cells, in.n, in.ordered).make(Exec::backend);
  }

  void build(const ListInput& in, const ListView& out) override {
    const ListFromCells search = putIntoCells(in, out);
    if (how_ != ListSearch::paper) return Lister{}.run(exec_, search, in.n);
    threads_.search(
        exec_, in, search,
        {"list from cells, as in the paper", "list from cells, as in the paper, 2 threads",
         "list from cells, as in the paper, 4 threads",
         "list from cells, as in the paper, 8 threads",
         "list from cells, as in the paper, 16 threads"});
  }
  bool buildWithout(LeftOut part, const ListInput& in, const ListView& out) override {
    const ListFromCells search = putIntoCells(in, out);
    if (part == LeftOut::search) return true;
    if (how_ == ListSearch::paper)
      threads_.walk(exec_, "cells walked", in.n, search);
    else
      Lister{}.walk(exec_, search, in.n);
    return true;
  }

  std::string words() const override { return how_ == ListSearch::paper ? threads_.words() : ""; }
  std::size_t bytes() const override { return CellListArrays::layout(0, 0, true).held(arrays_); }
  const CellGrid* order() const override { return &grid_; }
  std::uint32_t* firstOfCells() override { return arrays_.first.data(); }
  bool readsByCells(const ListInput& in) const override {
    return Lister::readsByCells(in) && how_ != ListSearch::paper;
  }
  std::optional<BuiltCells> cells() const override { return {{grid_, arrays_.first.data()}}; }
  std::vector<StencilCell> searched(const ListInput&, const ParticleRecord& p) const override {
    const std::int32_t own[3] = {grid_.along(p.x, 0), grid_.along(p.y, 1), grid_.along(p.z, 2)};
    CellSpan span[3];
    for (int a = 0; a < 3; ++a) span[a] = cellSpan(own[a], grid_.cells[a]);
    std::vector<StencilCell> all;
    for (std::int32_t z = span[2].first; z <= span[2].last; ++z)
      for (std::int32_t y = span[1].first; y <= span[1].last; ++y)
        for (std::int32_t x = span[0].first; x <= span[0].last; ++x)
          all.push_back({x - own[0], y - own[1], z - own[2], -1});
    return all;
  }

 private:
  ListFromCells putIntoCells(const ListInput& in, const ListView& out) {
    ListFromCells search{grid_,    arrays_.first.data(), in.particles, in.slotOf,
                         true,     RecordBox(in.box),    in.table,     out,
                         in.checks};
    const auto cells = static_cast<std::uint32_t>(grid_.count());
    if (!in.ordered) {
      arrays_.sort(exec_, {"cells: index", "cells: sort", "cells: fill"}, in.particles, in.n, grid_,
                   cells);
      search.sorted = arrays_.sorted.data(), search.slot = arrays_.slot.data();
      search.gathered = false;
    } else if (in.cellOf) {  // otherwise they are filled
      exec_.forEach("cells: fill", in.n + 1,
                    FillCells{in.particles, in.cellOf, nullptr, nullptr, arrays_.first.data(),
                              static_cast<std::uint32_t>(in.n), cells});
    }
    return search;
  }

  exec::Shared shared_;
  Exec& exec_;
  ListSearch how_;
  SearchThreads threads_;
  CellGrid grid_;
  CellListArrays arrays_;
};

// The counter on one exec. Included by its .cpp and its .cu file.
struct RecordOfPosition {
  const Vec3d* position;
  const ParticleRecord* kind;
  RecordBox box;
  ParticleRecord* record;
  HOST_DEVICE void operator()(std::size_t i) const {
    record[i] = box.record(position[i], kind ? kind[i].type : 0);
  }
};

// Of sorted particle k.
struct CountNear {
  CellGrid grid;
  const std::uint32_t *first, *slot;
  const ParticleRecord* sorted;
  RecordBox box;
  PairTable table;
  std::uint32_t* counts;  // by particle
  HOST_DEVICE void operator()(std::size_t k) const {
    const ParticleRecord p = sorted[k];
    std::uint32_t near = 0;
    forRunsAround(grid, first, p, [&](std::uint32_t begin, std::uint32_t end) {
      for (std::uint32_t m = begin; m < end; ++m) {
        const ParticleRecord q = sorted[m];
        const bool within = box.distanceSquared(p, q) <= table.reachSquared(p.type, q.type);
        if (m != k && within && table.reach(p.type, q.type) > 0) ++near;
      }
    });
    counts[slot[k]] = near;
  }
};

template <class Exec>
class NearCounterOn final : public NearCounter {
 public:
  explicit NearCounterOn(exec::Shared shared)
      : shared_(std::move(shared)), exec_(exec::as<Exec>(shared_)) {}

  const std::uint32_t* count(const Vec3d* position, const ParticleRecord* kind, std::size_t n,
                             const Box& box, const PairTable& table) override {
    const CellGrid grid = gridFor(box, table.longest(), n);
    const auto cells = static_cast<std::size_t>(grid.count());
    if (arrays_.first.size() != cells + 1 || records_.size() != n) {
      arrays_ = {}, records_ = {}, counts_ = {};
      arrays_ = CellListArrays::layout(cells, n, false).make(Exec::backend);
      records_ = exec::Array<ParticleRecord>(Exec::backend, n);
      counts_ = exec::Array<std::uint32_t>(Exec::backend, n);
    }
    exec_.forEach("neighbours: records", n,
                  RecordOfPosition{position, kind, RecordBox(box), records_.data()});
    arrays_.sort(exec_, {"neighbours: cells", "neighbours: sort", "neighbours: fill"},
                 records_.data(), n, grid, static_cast<std::uint32_t>(cells));
    exec_.forEach("neighbours: count", n,
                  CountNear{grid, arrays_.first.data(), arrays_.slot.data(), arrays_.sorted.data(),
                            RecordBox(box), table, counts_.data()},
                  kSearchGrain);
    return counts_.data();
  }
  std::size_t bytes() const override {
    return CellListArrays::layout(0, 0, false).held(arrays_) + records_.bytes() + counts_.bytes();
  }

 private:
  exec::Shared shared_;
  Exec& exec_;
  CellListArrays arrays_;
  exec::Array<ParticleRecord> records_;
  exec::Array<std::uint32_t> counts_;
};

}  // namespace cellscope
