#pragma once
#include "sim/algo/neighbours/built_list.h"

namespace cellscope {

template <class Exec>
BuiltList buildListOn(const exec::Shared& shared, ListBuilder& builder,
                      const std::vector<ParticleRecord>& particles, ListInput in, int builds,
                      bool counted) {
  auto& exec = exec::as<Exec>(shared);
  const exec::Array<ParticleRecord> records(Exec::backend, particles);
  const exec::Array<std::uint32_t> checks(Exec::backend, counted ? particles.size() : 0);
  in.particles = records.data();
  in.checks = checks.data();  // null where they are not counted
  NeighbourList list(Exec::backend);
  list.prepare(in);
  builder.prepare(in);
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
  return built;
}

}  // namespace cellscope
