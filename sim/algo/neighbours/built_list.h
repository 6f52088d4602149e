// One list, built and taken to the host at once: for tests, and for looking at a list.
#pragma once
#include <cstdint>
#include <vector>

#include "sim/algo/neighbours/methods.h"

namespace cellscope {

struct BuiltList {
  std::vector<std::vector<std::uint32_t>> neighbours;  // by slot, in the order of the list
  std::vector<std::uint32_t> checks;  // distance checks made for each slot, where counted
  std::uint64_t growths = 0;          // how often room had to be made
  std::uint64_t roomOf[kMostTypes] = {};
};

// Waits. Builds `builds` times with the same builder and returns the last list. counted: with the
// numbers of distance checks, for which a builder may take another search than its fastest.
BuiltList buildList(const exec::Shared& exec, const ListMethod& method,
                    const std::vector<ParticleRecord>& particles, const Box& box,
                    const PairTable& table, int builds = 1, bool counted = true,
                    const ListOptions& options = {});

BuiltList buildListCpu(const exec::Shared& exec, ListBuilder& builder,
                       const std::vector<ParticleRecord>& particles, ListInput input, int builds,
                       bool counted);
BuiltList buildListCuda(const exec::Shared& exec, ListBuilder& builder,
                        const std::vector<ParticleRecord>& particles, ListInput input, int builds,
                        bool counted);  // builds with CUDA only

}  // namespace cellscope
