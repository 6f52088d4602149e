#include "sim/algo/neighbours/built_list_impl.h"
#include "sim/exec/cpu_exec.h"

namespace cellscope {

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
  if constexpr (kCudaBuilt)
    if (exec->where() == Backend::cuda)
      return buildListCuda(exec, *builder, particles, in, builds, counted);
  return buildListCpu(exec, *builder, particles, in, builds, counted);
}

}  // namespace cellscope
