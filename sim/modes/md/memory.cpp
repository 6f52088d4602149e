#include "sim/modes/md/memory.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "sim/algo/all_pairs/arrays.h"
#include "sim/algo/md/engines.h"
#include "sim/algo/placeholders/cells.h"
#include "sim/api/frame.h"

namespace cellscope::md {
namespace {

// Particles of each type.
std::array<std::size_t, kMostTypes> countsOf(const MdParameters& p) {
  const auto n = static_cast<double>(p.n);
  const double second = p.what() == System::binary     ? p.fractionB * n
                        : p.what() == System::colloids ? static_cast<double>(p.colloids)
                                                       : 0;
  const auto ofB = static_cast<std::size_t>(std::llround(std::min(second, n)));
  return {static_cast<std::size_t>(p.n) - ofB, ofB};
}

}  // namespace

std::size_t engineNeed(const MdParameters& p, const ExecConfig& config) {
  const auto n = static_cast<std::size_t>(p.n);
  if (p.placeholders()) return placeholderBytes(n, p.box(), p.pair());
  if (!p.lists()) return allPairsBytes(config.backend, n, p.pair().tile, p.species().types);
  const auto count = countsOf(p);
  if (p.what() != System::colloids) return verletBytes(n, p.box(), p.pair(), count);
  // Between colloids the solvent has its own density, not the mean of the box. Lists overflow at
  // first, and then have a quarter more.
  const double room = static_cast<double>(count[0]) / p.density;
  const Box solvent = cubicBox(std::cbrt(std::min(room, p.box().volume())));
  return verletBytes(n, solvent, p.pair(), count) * 5 / 4;
}

MemoryNeed memoryNeed(const MdParameters& p, const ExecConfig& config) {
  const auto n = static_cast<std::size_t>(p.n);
  const std::size_t host = n * 2 * 2 * sizeof(Vec3d);
  return engineMemory(n, engineNeed(p, config), host, sizeof(PointInstance), config);
}

void checkMemory(const MdParameters& p, const ExecConfig& config) {
  requireMemory(p.n, "particles", memoryNeed(p, config), config,
                p.what() == System::colloids
                    ? "; 'n' follows from 'colloids', 'colloid_fraction' and 'density'"
                    : "");
}

}  // namespace cellscope::md
