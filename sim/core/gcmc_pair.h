// Pair energies of the grand-canonical chain, with the same bits on every backend and in any order.
//
// Positions are 32-bit fractions of the box: coordinate = word * length / 2^32. Differences modulo
// 2^32 are exact and are the minimum image; the cell of a particle is an exact product of integers
// (gcmcCell). Distances and energies are floats, every operation rounded on its own. Each pair
// energy is then rounded to a multiple of kGcmcQuantum, so that sums in double are exact: they do
// not depend on the order, and running sums do not drift. Exact while |sum| < 2^33.
#pragma once
#include <cstddef>
#include <cstdint>

#include "sim/base/host_device.h"
#include "sim/core/hard_spheres.h"
#include "sim/core/lennard_jones.h"
#include "sim/core/rng.h"
#include "sim/core/rounded.h"

namespace cellscope {

// Position as fractions of the box; z = 0 in 2D.
struct GcmcPoint {
  std::uint32_t x, y, z;
  friend bool operator==(const GcmcPoint&, const GcmcPoint&) = default;
};

inline constexpr double kGcmcQuantum = 1.0 / (1 << 20);  // epsilon
inline constexpr float kGcmcRounder = 12.0f;             // its float spacing is the quantum
// Distances are held at 0.25 sigma: u = 6.7e7 there, never accepted below T = 1e5.
inline constexpr float kGcmcCoreSquared = 0.0625f;

// Energy of two hard spheres that overlap: never accepted below T = 1e4, and a multiple of the
// quantum.
inline constexpr float kGcmcOverlap = 1048576.0f;

// Coefficients of the pair law, rounded once. cutoffSquared = 0: ideal gas.
struct GcmcPair {
  Truncation truncation;
  float cutoffSquared;
  float energyOffset, forceAtCutoff;  // as in LennardJones
  float unit[3];                      // length / 2^32; 0 for z in 2D
  bool hard = false;                  // spheres of diameter 1; `truncation` is not used
  float contact[kContactTerms] = {};  // of hard spheres (contactKernel())
};

// u + kGcmcRounder - kGcmcRounder: a multiple of the quantum (a coarser one for large u).
HOST_DEVICE float gcmcRounded(float u) { return subRn(addRn(u, kGcmcRounder), kGcmcRounder); }

HOST_DEVICE float gcmcImage(std::uint32_t a, std::uint32_t b, float unit) {
  return mulRn(static_cast<float>(static_cast<std::int32_t>(a - b)), unit);
}

// Squared distance to the nearest image, (dx^2 + dy^2) + dz^2.
HOST_DEVICE float gcmcDistance2(const GcmcPair& p, GcmcPoint a, GcmcPoint b) {
  const float dx = gcmcImage(a.x, b.x, p.unit[0]);
  const float dy = gcmcImage(a.y, b.y, p.unit[1]);
  const float dz = gcmcImage(a.z, b.z, p.unit[2]);
  return addRn(addRn(mulRn(dx, dx), mulRn(dy, dy)), mulRn(dz, dz));
}

// u(r) of one truncation, rounded to the quantum. Valid for r2 < cutoffSquared.
template <Truncation truncation>
HOST_DEVICE float gcmcPairEnergyOf(const GcmcPair& p, float r2) {
  const float held = r2 > kGcmcCoreSquared ? r2 : kGcmcCoreSquared;
  const float inverse = divRn(1.0f, held);
  const float x = mulRn(mulRn(inverse, inverse), inverse);
  float u = mulRn(mulRn(4.0f, x), subRn(x, 1.0f));
  if (truncation != Truncation::plain) u = addRn(u, p.energyOffset);
  if (truncation == Truncation::force) u = addRn(u, mulRn(p.forceAtCutoff, sqrtRn(held)));
  return gcmcRounded(u);
}

// The same with the law chosen at run time.
HOST_DEVICE float gcmcPairEnergy(const GcmcPair& p, float r2) {
  if (p.hard) return r2 < 1.0f ? kGcmcOverlap : 0.0f;
  if (p.truncation == Truncation::plain) return gcmcPairEnergyOf<Truncation::plain>(p, r2);
  if (p.truncation == Truncation::energy) return gcmcPairEnergyOf<Truncation::energy>(p, r2);
  return gcmcPairEnergyOf<Truncation::force>(p, r2);
}

// r . f of a pair, -r u'(r): the pressure is (N T + sum / d) / V + tail in d dimensions. Rounded
// to the quantum like the energy. Of hard spheres: for T = 1, the contact kernel at r.
HOST_DEVICE float gcmcPairVirial(const GcmcPair& p, float r2) {
  if (p.hard) {
    if (r2 < 1.0f) return 0.0f;
    const float s = subRn(sqrtRn(r2), 1.0f);
    float w = p.contact[kContactTerms - 1];
    for (int k = kContactTerms - 2; k >= 0; --k) w = addRn(mulRn(w, s), p.contact[k]);
    return gcmcRounded(w);
  }
  const float held = r2 > kGcmcCoreSquared ? r2 : kGcmcCoreSquared;
  const float inverse = divRn(1.0f, held);
  const float x = mulRn(mulRn(inverse, inverse), inverse);
  float w = mulRn(mulRn(24.0f, x), subRn(addRn(x, x), 1.0f));
  if (p.truncation == Truncation::force) w = subRn(w, mulRn(p.forceAtCutoff, sqrtRn(held)));
  return gcmcRounded(w);
}

// Energy of one pair, 0 beyond the cutoff.
HOST_DEVICE float gcmcPairAt(const GcmcPair& p, GcmcPoint a, GcmcPoint b) {
  const float r2 = gcmcDistance2(p, a, b);
  return r2 < p.cutoffSquared ? gcmcPairEnergy(p, r2) : 0.0f;
}

// Index of the cell along one axis of `count` equal cells: floor(word count / 2^32), exact.
HOST_DEVICE std::uint32_t gcmcCell(std::uint32_t word, std::uint32_t count) {
  return scaleWord(word, count);
}

// cutoff 0: ideal gas, no pair interacts. hard: of the spheres the cutoff is kContactReach.
inline GcmcPair makeGcmcPair(Truncation truncation, double cutoff, int dimension,
                             const double length[3], bool hard = false) {
  GcmcPair p{truncation, 0, 0, 0, {0, 0, 0}};
  if (hard) {
    p.hard = true;
    p.cutoffSquared = static_cast<float>(kContactReach * kContactReach);
    const auto kernel = contactKernel(dimension);
    for (int k = 0; k < kContactTerms; ++k)
      p.contact[k] = static_cast<float>(kernel[static_cast<std::size_t>(k)]);
  } else if (cutoff > 0) {
    const double force = truncation == Truncation::force ? ljForce(cutoff) : 0.0;
    const double offset =
        truncation == Truncation::plain ? 0.0 : -ljEnergy(cutoff) - cutoff * force;
    p.cutoffSquared = static_cast<float>(cutoff * cutoff);
    p.energyOffset = static_cast<float>(offset);
    p.forceAtCutoff = static_cast<float>(force);
  }
  for (int k = 0; k < dimension; ++k)
    p.unit[k] = static_cast<float>(length[k] * (1.0 / 4294967296.0));
  return p;
}

}  // namespace cellscope
