// mapping = auto: the thread mappings that the engine offers race on sweeps that are wanted anyway.
// The configuration does not depend on the mapping, so that timing them is harmless.
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

  // Uses this mapping, or finds out which of those that are offered for `p` is fastest.
  void begin(DiskSystem& system, const MpmcParameters& p, std::optional<MpmcMapping> chosen);
  bool running() const { return race_.running(); }
  // At most `most` sweeps from `first` on by the mapping whose turn it is; returns how many. Only
  // while running().
  std::uint64_t advance(DiskSystem& system, const MpmcParameters& p, std::uint64_t first,
                        std::uint64_t most);
  // Trial moves per second of each mapping; nothing where there was no choice or no end yet.
  std::optional<Curve> chart() const;

 private:
  Race race_;
  DiskSystem* system_ = nullptr;  // of the batch in hand, as the next two
  const MpmcParameters* moves_ = nullptr;
  std::uint64_t first_ = 0;
  double sweeps_ = 0, trials_ = 0;  // in the race
};

}  // namespace cellscope
