// The counter on one exec. Included by its .cpp and its .cu file.
#pragma once
#include <utility>

#include "sim/algo/neighbours/cells_impl.h"
#include "sim/algo/neighbours/near_counter.h"

namespace cellscope {

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
    exec_.forEach("neighbours: cells", n,
                  CellOfSlot{records_.data(), grid, arrays_.cell.data(), arrays_.slot.data()});
    exec_.sortByKey("neighbours: sort", arrays_.cell, arrays_.slot, n, cellBits(grid));
    exec_.forEach("neighbours: fill", n + 1,
                  FillCells{records_.data(), arrays_.cell.data(), arrays_.slot.data(),
                            arrays_.sorted.data(), arrays_.first.data(),
                            static_cast<std::uint32_t>(n), static_cast<std::uint32_t>(cells)});
    constexpr std::size_t kGrain = 128;
    exec_.forEach("neighbours: count", n,
                  CountNear{grid, arrays_.first.data(), arrays_.slot.data(), arrays_.sorted.data(),
                            RecordBox(box), table, counts_.data()},
                  kGrain);
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
