#include "sim/algo/neighbours/built_list_impl.h"
#include "sim/exec/cuda_exec.cuh"

namespace cellscope {

BuiltList buildListCuda(const exec::Shared& exec, ListBuilder& builder,
                        const std::vector<ParticleRecord>& particles, ListInput input, int builds,
                        bool counted) {
  return buildListOn<exec::CudaExec>(exec, builder, particles, input, builds, counted);
}

}  // namespace cellscope
