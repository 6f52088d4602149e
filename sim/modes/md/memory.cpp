#include "sim/modes/md/memory.h"

#include "sim/algo/all_pairs/arrays.h"
#include "sim/algo/placeholders/engine.h"
#include "sim/algo/verlet/engine.h"
#include "sim/api/frame.h"

namespace cellscope::md {

// The arrays of the engine, and a copy of the state on the host, as it is made and as it is taken.
MemoryNeed memoryNeed(const MdParameters& p, const ExecConfig& config) {
  const auto n = static_cast<std::size_t>(p.n);
  const bool gpu = config.backend == Backend::cuda;
  const std::size_t engine = p.placeholders() ? placeholderBytes(n, p.box(), p.pair())
                             : p.lists()      ? verletBytes(n, p.box(), p.pair())
                                              : allPairsBytes(config.backend, n, p.pair().tile);
  const std::size_t host = n * 2 * 2 * sizeof(Vec3d);
  MemoryNeed need;
  need.building = engine + (gpu ? 0 : host);
  need.running = need.building;
  if (config.drawn) need.running += frameBytes(n, sizeof(PointInstance), config.backend);
  need.host = gpu ? host : 0;
  return need;
}

void checkMemory(const MdParameters& p, const ExecConfig& config) {
  requireMemory(p.n, "particles", memoryNeed(p, config), config, "");
}

}  // namespace cellscope::md
