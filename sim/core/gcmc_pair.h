// Pair energies of the grand-canonical chain, with the same bits on every backend and in any order.
//
// Positions are 32-bit fractions of the box: coordinate = word * length / 2^32. Differences modulo
// 2^32 are exact and are the minimum image; the cell of a particle is an exact product of integers
// (gcmcCell). Distances and energies are floats, every operation rounded on its own. Each pair
// energy is then rounded to a multiple of kGcmcQuantum, so that sums in double are exact: they do
// not depend on the order, and running sums do not drift. Exact while |sum| < 2^33; virials
// below -4, of laws with a narrower well than Lennard-Jones, are multiples of half the quantum:
// 2^32.
//
// A mixture has two types, A and B: the lowest bit of the x word is the type, so that particles of
// a type lie on every second place along x and whatever carries positions carries types. Pairs of
// all types follow one law in units of their own sigma and epsilon.
#pragma once
#include <algorithm>
#include <cstddef>

#include "sim/core/potentials.h"
#include "sim/core/rng.h"

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

inline constexpr std::uint32_t kGcmcTypeBit = 1;  // of the x word: set: B
inline constexpr double kGcmcDeepest = 4;         // epsilon: sums of deeper wells are not exact

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
  bool mixed = false;                         // two types
  float reachSquared = 0;                     // beyond it no pair of any types interacts
  // 1 / sigma^2 and epsilon of pairs AA, AB and BB.
  float inverseSigma2[3] = {1, 1, 1}, epsilon[3] = {1, 1, 1};
};

// What kernels of GPUs do with pairs is compiled for one type and, in a namespace of its own, for
// two (sim/CMakeLists.txt): asking at run time costs registers, and a third of the speed of one
// type. Code of the CPU asks.
#ifdef CELLSCOPE_GCMC_MIXTURES
#define GCMC_TYPES gcmc_mixtures
#else
#define GCMC_TYPES gcmc_default
#endif
inline namespace GCMC_TYPES {

#ifdef CELLSCOPE_GCMC_MIXTURES
inline constexpr bool kGcmcMixtures = true;
#else
inline constexpr bool kGcmcMixtures = false;
#endif

// Whether there are two types.
HOST_DEVICE bool gcmcIsMixed([[maybe_unused]] const GcmcPair& p) {
#ifdef __CUDA_ARCH__
  return kGcmcMixtures;
#else
  return p.mixed;
#endif
}
HOST_DEVICE float gcmcReachSquared(const GcmcPair& p) {
  return gcmcIsMixed(p) ? p.reachSquared : p.cutoffSquared;
}
HOST_DEVICE std::uint32_t gcmcTypeOf(GcmcPoint p) { return p.x & kGcmcTypeBit; }
HOST_DEVICE GcmcPoint gcmcWithType(GcmcPoint p, std::uint32_t type) {
  return {(p.x & ~kGcmcTypeBit) | type, p.y, p.z};
}

// Units of a pair.
struct GcmcUnits {
  float inverseSigma2, epsilon;
};
HOST_DEVICE GcmcUnits gcmcUnits(const GcmcPair& p, std::uint32_t typeA, std::uint32_t typeB) {
  const std::uint32_t k = typeA + typeB;
  return k == 0   ? GcmcUnits{p.inverseSigma2[0], p.epsilon[0]}
         : k == 1 ? GcmcUnits{p.inverseSigma2[1], p.epsilon[1]}
                  : GcmcUnits{p.inverseSigma2[2], p.epsilon[2]};
}

// A distance by r^2. N: Rounded, or lanes of floats.
template <class N>
struct RoundedDistance {
  using Number = N;
  N r2, inverse2;
  HOST_DEVICE explicit RoundedDistance(N squared) : r2(squared), inverse2(inverseOf(squared)) {}
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

// Energy and virial -r u'(r) of a form with the end of the law, times epsilon where types are
// mixed, rounded to the quantum. forceShifted: the force is; else forceAtCutoff is 0.
template <class N>
HOST_DEVICE FormTerms<N> gcmcEnded(const GcmcPair& p, FormTerms<N> t, const RoundedDistance<N>& d,
                                   bool forceShifted, N epsilon = N(1.0f)) {
  t.energy = t.energy + N(p.energyOffset);
  if (forceShifted) {
    const N shift = N(p.forceAtCutoff) * squareRoot(d.r2);
    t = {t.energy + shift, t.virial - shift};
  }
  if (gcmcIsMixed(p)) t = {t.energy * epsilon, t.virial * epsilon};
  return {gcmcRounded(t.energy), gcmcRounded(t.virial)};
}
// A form other than the first, Lennard-Jones. It is called, so that it takes no registers of that.
GCMC_CALLED FormTerms<Rounded> gcmcCalled(auto form, RoundedDistance<Rounded> d) { return form(d); }
// The law is chosen at run time. Valid for r2 < cutoffSquared; r2 in units of the pair's sigma.
HOST_DEVICE FormTerms<Rounded> gcmcTerms(const GcmcPair& p, float r2, float epsilon = 1) {
  const RoundedDistance<Rounded> d = gcmcHeld(p, Rounded(r2));
  const FormTerms<Rounded> t = p.forms.with(p.form, [&]<class Form>(const Form& form) {
    if constexpr (std::is_same_v<Form, LennardJonesForm>)
      return form(d);
    else
      return gcmcCalled(form, d);
  });
  return gcmcEnded(p, t, d, p.forceAtCutoff != 0, Rounded(epsilon));
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
HOST_DEVICE float gcmcPairEnergy(const GcmcPair& p, float r2, float epsilon = 1) {
  if (p.hard) return r2 < 1.0f ? kGcmcOverlap : 0.0f;
  return gcmcTerms(p, r2, epsilon).energy.v;
}

// r . f of a pair, -r u'(r): the pressure is (N T + sum / d) / V + tail in d dimensions. Rounded
// to the quantum like the energy. Of hard spheres: for T = 1, the contact kernel at r.
HOST_DEVICE float gcmcPairVirial(const GcmcPair& p, float r2, float epsilon = 1) {
  if (!p.hard) return gcmcTerms(p, r2, epsilon).virial.v;
  if (r2 < 1.0f) return 0.0f;
  const float s = subRn(sqrtRn(r2), 1.0f);
  float w = p.contact[kContactTerms - 1];
  for (int k = kContactTerms - 2; k >= 0; --k) w = addRn(mulRn(w, s), p.contact[k]);
  return gcmcRounded(Rounded(w)).v;
}

// Squared distance in units of the sigma of the pair, to be compared with cutoffSquared, and its
// epsilon.
struct GcmcReduced {
  float r2, epsilon;
};
HOST_DEVICE GcmcReduced gcmcReduced(const GcmcPair& p, GcmcPoint a, GcmcPoint b) {
  const float r2 = gcmcDistance2(p, a, b);
  if (!gcmcIsMixed(p)) return {r2, 1.0f};
  const GcmcUnits u = gcmcUnits(p, gcmcTypeOf(a), gcmcTypeOf(b));
  return {mulRn(r2, u.inverseSigma2), u.epsilon};
}

// Energy of one pair, 0 beyond the cutoff.
HOST_DEVICE float gcmcPairAt(const GcmcPair& p, GcmcPoint a, GcmcPoint b) {
  const GcmcReduced d = gcmcReduced(p, a, b);
  return d.r2 < p.cutoffSquared ? gcmcPairEnergy(p, d.r2, d.epsilon) : 0.0f;
}

}  // namespace GCMC_TYPES

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
double gcmcCoreOf(const auto& form) {
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
      p.cutoffSquared = p.reachSquared = static_cast<float>(end * end);
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
  p.cutoffSquared = p.reachSquared = static_cast<float>(kContactReach * kContactReach);
  const auto kernel = contactKernel(dimension);
  for (int k = 0; k < kContactTerms; ++k)
    p.contact[k] = static_cast<float>(kernel[static_cast<std::size_t>(k)]);
  return p;
}
// The same law between two types: sigma and epsilon of pairs AA, AB and BB. An epsilon is at most
// kGcmcDeepest.
inline GcmcPair mixedGcmcPair(GcmcPair p, const double sigma[3], const double epsilon[3]) {
  p.mixed = true;
  double largest = 0;
  for (int k = 0; k < 3; ++k) {
    p.inverseSigma2[k] = static_cast<float>(1 / (sigma[k] * sigma[k]));
    p.epsilon[k] = static_cast<float>(epsilon[k]);
    largest = std::max(largest, sigma[k]);
  }
  // A little more than the farthest that interacts, whose distance is rounded once more.
  p.reachSquared = static_cast<float>(p.cutoffSquared * largest * largest * (1 + 1e-6));
  return p;
}

}  // namespace cellscope
