// Data shared by the parts of a step with placeholder cells and the host, in the memory
// of the backend. Several steps are ordered at once; parts after the moment `stop` do nothing, so
// that the host can make room and go on from there.
#pragma once
#include <cstdint>

#include "sim/base/host_device.h"

namespace cellscope {

// Moments of step s: 2 s with its drift and, before its forces, the refresh of the cells; 2 s + 1
// with its forces, the update of the cells and the last kick.
HOST_DEVICE std::uint64_t beforeForces(std::uint64_t step) { return 2 * step; }
HOST_DEVICE std::uint64_t withForces(std::uint64_t step) { return 2 * step + 1; }
inline constexpr std::uint64_t kNeverStop = ~std::uint64_t{0};

struct PlaceholderControl {
  std::uint64_t stop = kNeverStop;  // moment at which some cell had too few slots
  std::uint64_t left = 0;           // 1 + the last step that took a particle too far from its cell
  std::uint64_t refreshes = 0;      // of the cells, beside the updates with the forces
  std::uint32_t needed = 0;         // particles of the cell with too few slots

  HOST_DEVICE bool reaches(std::uint64_t moment) const { return moment <= stop; }
  HOST_DEVICE bool refreshDue(std::uint64_t step) const {
    return left == step + 1 && reaches(beforeForces(step));
  }
};

// The last kick of a step is due.
struct ForcesAreThere {
  const PlaceholderControl* control;
  std::uint64_t step;
  HOST_DEVICE bool operator()() const { return control->reaches(withForces(step)); }
};

// For samples (sim/algo/md/samples.h).
struct RefreshesOf {
  const PlaceholderControl* control;
  HOST_DEVICE std::uint64_t builds() const { return control->refreshes; }
  HOST_DEVICE std::uint64_t dangerous() const { return 0; }
};

}  // namespace cellscope
