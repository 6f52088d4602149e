// Pair energies of the grand-canonical chain, with the same bits on every backend and in any order.
//
// Positions are 32-bit fractions of the box: coordinate = word * length / 2^32. Differences modulo
// 2^32 are exact and are the minimum image; the cell of a particle is an exact product of integers
// (gcmcCell). Distances and energies are floats, every operation rounded on its own. Each pair
// energy is then rounded to a multiple of kGcmcQuantum, so that sums in double are exact: they do
// not depend on the order, and running sums do not drift. Exact while |sum| < 2^33; virials
// below -4, of laws with a narrower well than Lennard-Jones, are multiples of half the quantum:
// 2^32.
#pragma once
#include <cstddef>
#include <cstdint>

#include "sim/base/host_device.h"
#include "sim/core/hard_disk_eos.h"
#include "sim/core/potentials.h"
#include "sim/core/rng.h"
#include "sim/core/rounded.h"

#ifdef __CUDACC__
#define GCMC_CALLED __host__ __device__ __noinline__
#else
#define GCMC_CALLED inline
#endif

namespace cellscope {

// Position as fractions of the box; z = 0 in 2D.
struct GcmcPoint {
  std::uint32_t x, y, z;
  friend bool operator==(const GcmcPoint&, const GcmcPoint&) = default;
};

inline constexpr double kGcmcQuantum = 1.0 / (1 << 20);  // epsilon
inline constexpr float kGcmcRounder = 12.0f;             // its float spacing is the quantum
// Distances are held at 0.25 sigma, or where the virial of a steeper law is so large that sums
// would not be exact: u = 6.7e7 of Lennard-Jones there, never accepted below T = 1e5.
inline constexpr double kGcmcCore = 0.25, kGcmcLargestVirial = 8.1e8;

// Energy of two hard spheres that overlap: never accepted below T = 1e4, and a multiple of the
// quantum.
inline constexpr float kGcmcOverlap = 1048576.0f;

// Coefficients of the pair law, rounded once. cutoffSquared = 0: ideal gas.
struct GcmcPair {
  std::int32_t form = 0;  // number in ExactForms
  bool hard = false;      // spheres of diameter 1, without form
  float cutoffSquared = 0, coreSquared = 0;
  float energyOffset = 0, forceAtCutoff = 0;  // as in CutPair
  float unit[3] = {};                         // length / 2^32; 0 for z in 2D
  ExactForms forms = {};                      // with the coefficients of the one
  float contact[kContactTerms] = {};          // of hard spheres (contactKernel())
};

// A distance by r^2. N: Rounded, or lanes of floats.
template <class N>
struct RoundedDistance {
  using Number = N;
  N r2, inverse2;
  HOST_DEVICE explicit RoundedDistance(N squared) : r2(squared), inverse2(N(1.0f) / squared) {}
  HOST_DEVICE N inverseSquared() const { return inverse2; }
};

// u + kGcmcRounder - kGcmcRounder: a multiple of the quantum (a coarser one for large u).
template <class N>
HOST_DEVICE N gcmcRounded(N u) {
  return (u + N(kGcmcRounder)) - N(kGcmcRounder);
}

template <class N>
HOST_DEVICE RoundedDistance<N> gcmcHeld(const GcmcPair& p, N r2) {
  return RoundedDistance<N>(larger(r2, N(p.coreSquared)));
}

// Energy and virial -r u'(r) of a form with the end of the law, rounded to the quantum.
// forceShifted: the force is; else forceAtCutoff is 0.
template <class N>
HOST_DEVICE FormTerms<N> gcmcEnded(const GcmcPair& p, FormTerms<N> t, const RoundedDistance<N>& d,
                                   bool forceShifted) {
  t.energy = t.energy + N(p.energyOffset);
  if (forceShifted) {
    const N shift = N(p.forceAtCutoff) * squareRoot(d.r2);
    t = {t.energy + shift, t.virial - shift};
  }
  return {gcmcRounded(t.energy), gcmcRounded(t.virial)};
}
// A form other than the first, Lennard-Jones. It is called, so that it takes no registers of that.
template <class Form>
GCMC_CALLED FormTerms<Rounded> gcmcCalled(Form form, RoundedDistance<Rounded> d) {
  return form(d);
}
// The law is chosen at run time. Valid for r2 < cutoffSquared.
HOST_DEVICE FormTerms<Rounded> gcmcTerms(const GcmcPair& p, float r2) {
  const RoundedDistance<Rounded> d = gcmcHeld(p, Rounded(r2));
  const FormTerms<Rounded> t = p.forms.with(p.form, [&]<class Form>(const Form& form) {
    if constexpr (std::is_same_v<Form, LennardJonesForm>)
      return form(d);
    else
      return gcmcCalled(form, d);
  });
  return gcmcEnded(p, t, d, p.forceAtCutoff != 0);
}

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

// u(r), rounded to the quantum. Valid for r2 < cutoffSquared.
HOST_DEVICE float gcmcPairEnergy(const GcmcPair& p, float r2) {
  if (p.hard) return r2 < 1.0f ? kGcmcOverlap : 0.0f;
  return gcmcTerms(p, r2).energy.v;
}

// r . f of a pair, -r u'(r): the pressure is (N T + sum / d) / V + tail in d dimensions. Rounded
// to the quantum like the energy. Of hard spheres: for T = 1, the contact kernel at r.
HOST_DEVICE float gcmcPairVirial(const GcmcPair& p, float r2) {
  if (!p.hard) return gcmcTerms(p, r2).virial.v;
  if (r2 < 1.0f) return 0.0f;
  const float s = subRn(sqrtRn(r2), 1.0f);
  float w = p.contact[kContactTerms - 1];
  for (int k = kContactTerms - 2; k >= 0; --k) w = addRn(mulRn(w, s), p.contact[k]);
  return gcmcRounded(Rounded(w)).v;
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

// No pair interacts.
inline GcmcPair idealGasPair(int dimension, const double length[3]) {
  GcmcPair p;
  for (int k = 0; k < dimension; ++k)
    p.unit[k] = static_cast<float>(length[k] * (1.0 / 4294967296.0));
  return p;
}
// Where distances are held.
template <class Form>
double gcmcCoreOf(const Form& form) {
  double near = kGcmcCore, far = 1;
  const auto high = [&](double r) {
    return form(Distance<double>{r * r, 1 / r}).virial > kGcmcLargestVirial;
  };
  if (!high(near)) return near;
  for (int k = 0; k < 50; ++k) {
    const double middle = 0.5 * (near + far);
    (high(middle) ? near : far) = middle;
  }
  return far;
}
// With the potential number `potential`, for sigma = epsilon = 1.
inline GcmcPair makeGcmcPair(int potential, const PairOfTypes& pair, int dimension,
                             const double length[3]) {
  GcmcPair p = idealGasPair(dimension, length);
  withPotentialEntry(potential, [&](auto entry) {
    using Entry = decltype(entry);
    if constexpr (Entry::kExact) {
      using Form = decltype(Entry::template form<float>(pair));
      const double end = Entry::end(pair);
      const auto exact = Entry::template form<double>(pair);
      const Ending ending = endingAt(end, Entry::truncation(pair), exact);
      const double core = gcmcCoreOf(exact);
      p.form = ExactForms::numberOf<Form>();
      static_cast<Form&>(p.forms) = Entry::template form<float>(pair);
      p.cutoffSquared = static_cast<float>(end * end);
      p.coreSquared = static_cast<float>(core * core);
      p.energyOffset = static_cast<float>(ending.energyOffset);
      p.forceAtCutoff = static_cast<float>(ending.forceAtCutoff);
    }
  });
  return p;
}
// Pairs of hard spheres are counted up to kContactReach.
inline GcmcPair hardSpherePair(int dimension, const double length[3]) {
  GcmcPair p = idealGasPair(dimension, length);
  p.hard = true;
  p.cutoffSquared = static_cast<float>(kContactReach * kContactReach);
  const auto kernel = contactKernel(dimension);
  for (int k = 0; k < kContactTerms; ++k)
    p.contact[k] = static_cast<float>(kernel[static_cast<std::size_t>(k)]);
  return p;
}

}  // namespace cellscope
