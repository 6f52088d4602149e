// Integrated Lennard-Jones potentials: spheres filled with Lennard-Jones particles of sigma =
// epsilon = 1 at density 1, with each other and with single ones (Everaers and Ejtehadi, Phys. Rev.
// E 67, 041710, 2003, eqs. 16 and 17; in 't Veld, Plimpton and Grest, Comput. Phys. Commun. 179,
// 320, 2008; S1, section 4.2). Hamaker constants: 4 pi^2 of two spheres, 24 pi of a sphere and a
// particle, 144 of two particles, which is Lennard-Jones itself.
#pragma once
#include <type_traits>

#include "sim/core/potentials/lennard_jones.h"
#include "sim/core/rounded.h"

namespace cellscope {

enum class ColloidKind : int { points, sphereAndPoint, spheres };

// Truncated at the cutoff, and shifted there: the energy is continuous, the force jumps. Spheres
// that overlap are treated as at a gap of kSmallestGap: forces are finite and repulsive.
template <class Real>
struct ColloidPair {
  static constexpr double kSmallestGap = 0.05;
  ColloidKind kind;
  Real cutoffSquared;
  Real energyOffset;
  Real radius;           // of the one sphere
  Real sum, difference;  // a_1 + a_2, a_1 - a_2
  Real product;          // a_1 a_2
  Real closestSquared;   // of the distance of the centres

  template <class N>
  requires(!std::is_same_v<N, Rounded>)  // no logarithm is rounded alike everywhere
      HOST_DEVICE PairTerms<N> terms(N r2, N rInverse)
  const {
    if (kind == ColloidKind::points) return points(rInverse);
    const N held = larger(r2, N(closestSquared));
    return kind == ColloidKind::spheres ? spheres(held) : sphereAndPoint(held);
  }

 private:
  template <class N>
  HOST_DEVICE PairTerms<N> points(N rInverse) const {
    const N inverse2 = rInverse * rInverse, x = inverse2 * inverse2 * inverse2;
    return {N(4) * x * (x - N(1)) + N(energyOffset), N(24) * x * (N(2) * x - N(1)) * inverse2};
  }
  // With w = a^2 - r^2 and B = 5 a^6 + 45 a^4 r^2 + 63 a^2 r^4 + 15 r^6:
  //   u = (2 a^3 A / 9) (w^-3 - B w^-9 / 15)
  template <class N>
  HOST_DEVICE PairTerms<N> sphereAndPoint(N r2) const {
    constexpr Real kHamaker = Real(24 * std::numbers::pi);
    const N a2 = N(radius * radius), a4 = a2 * a2, r4 = r2 * r2;
    const N v = N(1) / (a2 - r2), v3 = v * v * v, v9 = v3 * v3 * v3;
    const N b = N(5) * a4 * a2 + N(45) * a4 * r2 + N(63) * a2 * r4 + N(15) * r4 * r2;
    const N slope = N(45) * a4 + N(126) * a2 * r2 + N(45) * r4;  // dB / d(r^2)
    const N scale = N(2) * a2 * N(radius) * N(kHamaker) / N(9);
    const N bySquare = scale * (N(3) * v3 * v - (slope * v9 + N(9) * b * v9 * v) / N(15));
    return {scale * (v3 - b * v9 / N(15)) + N(energyOffset), N(-2) * bySquare};
  }
  // s = a_1 + a_2, d = a_1 - a_2, P = r^2 - s^2, Q = r^2 - d^2, Q - P = 4 a_1 a_2:
  //   attraction -(A / 6) (2 a_1 a_2 / P + 2 a_1 a_2 / Q + ln(P / Q)), whose force over r is
  //   -(A / 6) (4 a_1 a_2)^3 / (P Q)^2; repulsion (A / 37800 r) times four terms N / D^7.
  template <class N>
  HOST_DEVICE PairTerms<N> spheres(N r2) const {
    constexpr Real kHamaker = Real(4 * std::numbers::pi * std::numbers::pi);
    const N r = squareRoot(r2), rInverse = N(1) / r;
    const N s = N(sum), c = N(difference);
    const N q = r2 - c * c, p = (r - s) * (r + s);
    const N four = N(Real(4) * product);
    N energy =
        N(-kHamaker / Real(6)) * (N(0.5f) * four * (N(1) / p + N(1) / q) + log1p(N(-1) * four / q));
    N forceOverR = N(-kHamaker / Real(6)) * four * four * four / (p * p * q * q);
    const N scale = N(kHamaker / Real(37800)) * rInverse;
    const N even = N(Real(6) * (sum * sum + Real(5) * product));  // 6 (a_1^2 + 7 a_1 a_2 + a_2^2)
    const N odd = N(Real(6) * (difference * difference - Real(5) * product));
    N terms = N(0), slopes = N(0);
    addTerm(r, N(-sum), even, N(1), terms, slopes);
    addTerm(r, s, even, N(1), terms, slopes);
    addTerm(r, c, odd, N(-1), terms, slopes);
    addTerm(r, N(-difference), odd, N(-1), terms, slopes);
    energy = energy + scale * terms;
    forceOverR = forceOverR + scale * rInverse * (terms * rInverse - slopes);
    return {energy + N(energyOffset), forceOverR};
  }
  // N / D^7 with D = r + c, N = r^2 + 7 r c + e, and its derivative by r.
  template <class N>
  HOST_DEVICE static void addTerm(N r, N c, N e, N sign, N& terms, N& slopes) {
    const N v = N(1) / (r + c), v2 = v * v, v7 = v2 * v2 * v2 * v;
    const N n = r * r + N(7) * r * c + e;
    terms = terms + sign * n * v7;
    slopes = slopes + sign * (N(2) * r + N(7) * c - N(7) * n * v) * v7;
  }
};

// Radii 0: points. Coefficients are computed in double, then rounded once.
template <class Real>
ColloidPair<Real> makeColloidPair(double radius1, double radius2, double cutoff) {
  const auto raw = [&]<class R>(R) {
    ColloidPair<R> p{};
    const double sum = radius1 + radius2;
    p.kind = radius1 > 0 && radius2 > 0
                 ? ColloidKind::spheres
                 : (sum > 0 ? ColloidKind::sphereAndPoint : ColloidKind::points);
    p.cutoffSquared = static_cast<R>(cutoff * cutoff);
    p.radius = static_cast<R>(sum);
    p.sum = static_cast<R>(sum), p.difference = static_cast<R>(radius1 - radius2);
    p.product = static_cast<R>(radius1 * radius2);
    const double closest = sum + ColloidPair<R>::kSmallestGap;
    p.closestSquared = static_cast<R>(closest * closest);
    return p;
  };
  ColloidPair<Real> pair = raw(Real{});
  pair.energyOffset = static_cast<Real>(-raw(double{}).terms(cutoff * cutoff, 1.0 / cutoff).energy);
  return pair;
}

struct ColloidEntry : PairEntry {
  static constexpr const char* kKey = "colloid";
  static constexpr const char* kHelp =
      "integrated over the volume of spheres and shifted at the cutoff, where the force jumps; "
      "between points it is shifted";
  static constexpr bool kScales = false;
  template <class Real>
  static auto make(const PairOfTypes& p) {
    return makeLennardJones<Real, Truncation::energy>(p.cutoff);
  }
  static double end(const PairOfTypes& p) { return p.cutoff; }
  static bool smooth(const PairOfTypes&) { return false; }
  static bool continuous(const PairOfTypes&) { return true; }
  template <class Real>
  static auto ofTypes(const PairOfTypes& p) {
    return makeColloidPair<Real>(p.radiusA, p.radiusB, p.cutoff);
  }
};

}  // namespace cellscope
