// mapping = auto: times the available thread mappings on sweeps of the run itself. The trajectory
// does not depend on the mapping, so that timing does not disturb it.
#pragma once
#include <cstdint>
#include <optional>

#include "sim/algo/race/race.h"
#include "sim/base/curve_series.h"
#include "sim/modes/hard_disks/disk_system.h"

namespace cellscope {

class MappingRace {
 public:
  MappingRace() = default;
  MappingRace(const MappingRace&) = delete;  // the candidates refer to it
  MappingRace& operator=(const MappingRace&) = delete;

  // Uses this mapping, or finds the fastest of those available for `p`.
  void begin(DiskSystem& system, const MpmcParameters& p, const MpmcMappingInfo* chosen);
  bool running() const { return race_.running(); }
  // Runs up to `most` sweeps from `first` on with the current candidate; returns their number. Only
  // while running().
  std::uint64_t advance(DiskSystem& system, const MpmcParameters& p, std::uint64_t first,
                        std::uint64_t most);
  // Trial moves per second of each mapping; empty without a choice or before the end.
  std::optional<Curve> chart() const;

 private:
  Race race_;
  DiskSystem* system_ = nullptr;  // of the current batch, as the next two
  const MpmcParameters* moves_ = nullptr;
  std::uint64_t first_ = 0;
  double sweeps_ = 0, trials_ = 0;  // in the race
};

}  // namespace cellscope
