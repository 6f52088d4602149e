// Vectorised search of runs of cells. Compiled once per instruction set, in its own namespace.
#include "sim/algo/neighbours/run_search_simd.h"

#include "sim/algo/neighbours/record_lanes.h"

namespace cellscope::CELLSCOPE_SIMD {
namespace {

constexpr unsigned kAllLanes = (1u << kLanes) - 1;

}  // namespace

// Squared distances have the bits of RecordBox::distanceSquared().
void searchRun(const RunSearch& s, std::uint32_t begin, std::uint32_t end, RunTally& t) {
  const ParticleRecord& p = s.sorted[t.k];
  const Axes at{Floats(p.x), Floats(p.y), Floats(p.z)};
  const Floats most(s.reachSquared);
  const Floats lx(s.box.length[0]), ly(s.box.length[1]), lz(s.box.length[2]);
  const Floats hx(0.5f * s.box.length[0]), hy(0.5f * s.box.length[1]), hz(0.5f * s.box.length[2]);
  for (std::uint32_t m = begin; m < end; m += kLanes) {
    const std::uint32_t last = end - 1 - m;
    const Axes q = axesOf([&](int k) {
      const auto lane = static_cast<std::uint32_t>(k);
      return s.sorted + m + (lane < last ? lane : last);
    });
    const Floats dx = nearestImage(at.x - q.x, lx, hx), dy = nearestImage(at.y - q.y, ly, hy);
    const Floats dz = nearestImage(at.z - q.z, lz, hz);
    const Floats r2 = dx * dx + dy * dy + dz * dz;
    unsigned hits = ~below(most, r2) & kAllLanes;  // r2 <= reach^2
    if (last + 1 < kLanes) hits &= (1u << (last + 1)) - 1;
    for (; hits != 0; hits &= hits - 1) {
      const std::uint32_t j = m + static_cast<std::uint32_t>(__builtin_ctz(hits));
      if (j == t.k) continue;
      if (t.found < t.room) t.items[t.found] = s.slot ? s.slot[j] : j;
      ++t.found;
    }
  }
}

}  // namespace cellscope::CELLSCOPE_SIMD
