#include "sim/modes/hard_disks/mapping_race.h"

#include <utility>
#include <vector>

#include "sim/algo/mpmc/mappings.h"

namespace cellscope {

void MappingRace::begin(DiskSystem& system, const MpmcParameters& p,
                        const MpmcMappingInfo* chosen) {
  system_ = &system;
  sweeps_ = trials_ = 0;
  system.engine().setMapping(chosen ? *chosen : kMpmcMappings[0]);
  std::vector<RaceCandidate> candidates;
  for (const MpmcMappingInfo& m : kMpmcMappings)
    if (!chosen && system.engine().offers(m, p))
      candidates.push_back(
          {m.key, [this, &m] { system_->engine().setMapping(m); },
           [this](std::uint64_t sweeps) { system_->sweeps(*moves_, first_, sweeps); }});
  race_.begin(std::move(candidates));
}

std::uint64_t MappingRace::advance(DiskSystem& system, const MpmcParameters& p, std::uint64_t first,
                                   std::uint64_t most) {
  system_ = &system;
  moves_ = &p;
  first_ = first;
  const std::uint64_t before = sumOf(system.engine().counters().attempted);
  const std::uint64_t done = race_.advance(most);
  trials_ += static_cast<double>(sumOf(system.engine().counters().attempted) - before);
  sweeps_ += static_cast<double>(done);
  return done;
}

std::optional<Curve> MappingRace::chart() const {
  if (race_.results().empty()) return {};
  return raceCurve(race_,
                   {"mapping_race", "Mapping race", "thread mapping", "trial moves per second",
                    "median of the batches of sweeps; error: median absolute deviation"},
                   trials_ / sweeps_);
}

}  // namespace cellscope
