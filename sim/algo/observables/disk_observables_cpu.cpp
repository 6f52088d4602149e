#include <fmt/format.h>

#include "sim/algo/observables/disk_observables_impl.h"
#include "sim/base/error.h"
#include "sim/exec/cpu_exec.h"

namespace cellscope {

static void addTo(std::vector<std::uint64_t>& sum, const std::vector<std::uint64_t>& values) {
  if (sum.empty()) sum.resize(values.size());
  CELLSCOPE_ASSERT(values.empty() || sum.size() == values.size());
  for (std::size_t i = 0; i < values.size(); ++i) sum[i] += values[i];
}

std::string NeighbourChoice::label() const {
  return rule == NeighbourRule::voronoi ? "Voronoi neighbours"
                                        : fmt::format("neighbours within {} sigma", radius);
}

void ContactCounts::clear() {
  pairs.assign(static_cast<std::size_t>(pairBins.count), 0);
  scale.assign(static_cast<std::size_t>(scaleBins.count), 0);
  disks = samples = 0;
}

void ContactCounts::add(const ContactCounts& other) {
  addTo(pairs, other.pairs);
  addTo(scale, other.scale);
  disks += other.disks;
  samples += other.samples;
}

void PairCounts::clear() {
  pairs.assign(static_cast<std::size_t>(bins.count), 0);
  disks = samples = 0;
}

void PairCounts::add(const PairCounts& other) {
  addTo(pairs, other.pairs);
  disks += other.disks;
  samples += other.samples;
}

std::unique_ptr<DiskObservables> makeDiskObservablesCpu(const exec::Shared& exec) {
  return std::make_unique<DiskObservablesOn<exec::CpuExec>>(exec);
}

}  // namespace cellscope
