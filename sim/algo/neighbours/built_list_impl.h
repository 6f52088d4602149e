#pragma once
#include <numeric>

#include "sim/algo/neighbours/methods.h"

namespace cellscope {

// Particles in the order that a builder of lists of clusters wants, and what it makes of them as
// lists of each particle.
struct InColumns {
  std::vector<std::uint32_t> order, cell;
  std::vector<ParticleRecord> particles;

  InColumns(const ColumnGrid& grid, const std::vector<ParticleRecord>& unsorted) {
    const auto cellOf = [&](std::size_t i) {
      return static_cast<std::uint32_t>(grid.indexOf(unsorted[i]));
    };
    order.resize(unsorted.size());
    std::iota(order.begin(), order.end(), 0u);
    std::stable_sort(order.begin(), order.end(),
                     [&](std::uint32_t a, std::uint32_t b) { return cellOf(a) < cellOf(b); });
    for (const std::uint32_t i : order) particles.push_back(unsorted[i]), cell.push_back(cellOf(i));
  }
  // Of a list that clusters share: what each particle has within its own reach, as often as it is
  // listed.
  void spread(BuiltList& built, const ListInput& in) const {
    const std::vector<std::vector<std::uint32_t>> rows = std::move(built.neighbours);
    const std::vector<std::uint32_t> checks = std::move(built.checks);
    const RecordBox box(in.box);
    built.neighbours.assign(in.n, {});
    built.checks.assign(checks.size(), 0);
    for (std::uint32_t k = 0; k < in.n; ++k) {
      const ParticleRecord& p = particles[k];
      for (const std::uint32_t j : rows[k / in.cluster]) {
        const ParticleRecord& q = particles[j];
        if (j == k || !(in.table.reach(p.type, q.type) > 0) ||
            !(box.distanceSquared(p, q) <= in.table.reachSquared(p.type, q.type)))
          continue;
        built.neighbours[order[k]].push_back(order[j]);
      }
      if (!checks.empty()) built.checks[order[k]] = checks[k];
    }
  }
};

template <class Exec>
BuiltList buildListOn(const exec::Shared& shared, ListBuilder& builder,
                      const std::vector<ParticleRecord>& unsorted, ListInput in, int builds,
                      bool counted) {
  auto& exec = exec::as<Exec>(shared);
  in.cluster = builder.cluster();
  in.ordered = in.cluster > 1;
  builder.prepare(in);
  std::optional<InColumns> columns;
  if (in.cluster > 1) columns.emplace(*builder.columns(), unsorted);
  const std::vector<ParticleRecord>& particles = columns ? columns->particles : unsorted;
  const exec::Array<std::uint32_t> cells(Exec::backend,
                                         columns ? columns->cell : std::vector<std::uint32_t>{});
  if (columns) in.cellOf = cells.data();
  const exec::Array<ParticleRecord> records(Exec::backend, particles);
  const exec::Array<std::uint32_t> checks(Exec::backend, counted ? particles.size() : 0);
  in.particles = records.data();
  in.checks = checks.data();  // null where they are not counted
  NeighbourList list(Exec::backend);
  list.prepare(in);
  for (int b = 0; b < builds; ++b)
    for (;;) {
      builder.build(in, list.begin(exec, in));
      const ListOverflow seen = exec.read(list.overflow());
      if (seen.any == 0) break;
      list.grow(seen);
    }
  exec.synchronize();
  BuiltList built;
  built.growths = list.growths();
  for (int t = 0; t < kMostTypes; ++t) built.roomOf[t] = list.roomOf(t);
  built.checks = checks.get();
  list.download(built.neighbours);
  if (columns) columns->spread(built, in);
  return built;
}

}  // namespace cellscope
