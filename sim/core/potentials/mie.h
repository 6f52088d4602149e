// Mie's potential of two powers (G. Mie, Ann. Phys. 316, 657, 1903), of depth epsilon and zero at
// sigma:
//   u = C epsilon ((sigma / r)^n - (sigma / r)^m),  C = n / (n - m) (n / m)^(m / (n - m))
// n = 12, m = 6: Lennard-Jones. Exponents are whole, so that + - * / and square roots are enough.
#pragma once
#include <cmath>

#include "sim/core/equations_of_state.h"
#include "sim/core/potentials/entry.h"
#include "sim/core/rounded.h"

namespace cellscope {

template <class Real>
struct MieForm {
  Real scale;    // C
  Real largest;  // r^-2 that counts: the powers stay within a float
  std::int32_t n, m;

  template <class D, class N = typename D::Number>
  HOST_DEVICE FormTerms<N> operator()(const D& d) const {
    const N inverse2 = smaller(d.inverseSquared(), N(largest));
    const N attraction = N(scale) * power(inverse2, m), ratio = power(inverse2, n - m);
    return {attraction * (ratio - N(1.0f)),
            attraction * (N(static_cast<float>(n)) * ratio - N(static_cast<float>(m)))};
  }

 private:
  // r^-k.
  template <class N>
  HOST_DEVICE static N power(N inverse2, std::int32_t k) {
    N result = k & 1 ? squareRoot(inverse2) : N(1.0f);
    for (std::int32_t rest = k >> 1; rest != 0; rest >>= 1) {
      if (rest & 1) result = result * inverse2;
      inverse2 = inverse2 * inverse2;
    }
    return result;
  }
};

struct MieEntry : ScaledEntry<MieEntry> {
  static constexpr const char* kKey = "mie";
  static constexpr const char* kHelp =
      "two powers, r^-n and r^-m, of the same depth; it ends as truncation says";
  static constexpr bool kOpenEnd = true;
  static constexpr Truncation kTruncation = Truncation::force;
  static constexpr WholeParameter kNumbers[] = {
      {"mie_n", "Exponent of the repulsion", "n", 5, 50, 12,
       "Exponent of the repulsion, for potential = mie; larger than mie_m. Larger: harder "
       "particles, and a narrower well.",
       "u = C epsilon ((sigma/r)^n - (sigma/r)^m), C = n/(n - m) (n/m)^(m/(n - m)) (Mie 1903)"},
      {"mie_m", "Exponent of the attraction", "m", 4, 49, 6,
       "Exponent of the attraction, for potential = mie; smaller than mie_n. Larger: an attraction "
       "of shorter range. 6: dispersion.",
       "u = C epsilon ((sigma/r)^n - (sigma/r)^m) (Mie 1903)"}};
  static constexpr std::span<const WholeParameter> kWhole = kNumbers;

  static Truncation truncation(const PairOfTypes& p) { return p.truncation; }
  static double prefactor(const PairOfTypes& p) {
    const auto n = static_cast<double>(p.whole[0]), m = static_cast<double>(p.whole[1]);
    return n / (n - m) * std::pow(n / m, m / (n - m));
  }
  template <class Real>
  static MieForm<Real> form(const PairOfTypes& p) {
    constexpr double kLargest = 1e26;  // of r . f: a float holds 3e38
    const double c = prefactor(p);
    const auto n = static_cast<double>(p.whole[0]);
    return {static_cast<Real>(c), static_cast<Real>(std::pow(kLargest / (n * c), 2 / n)),
            static_cast<std::int32_t>(p.whole[0]), static_cast<std::int32_t>(p.whole[1])};
  }
  static std::string refused(const PairOfTypes& p) {
    if (p.whole[0] > p.whole[1]) return "";
    return "mie_n = " + std::to_string(p.whole[0]) +
           " must be larger than mie_m = " + std::to_string(p.whole[1]) +
           ": the repulsion falls off faster than the attraction";
  }
  static std::optional<TailConstants> tail(const PairOfTypes& p, int dimension) {
    if (p.truncation != Truncation::plain) return std::nullopt;
    const double c = prefactor(p), n = powerTail(dimension, p.whole[0], p.cutoff),
                 m = powerTail(dimension, p.whole[1], p.cutoff);
    return TailConstants{
        c * (n - m),
        c * (static_cast<double>(p.whole[0]) * n - static_cast<double>(p.whole[1]) * m) /
            dimension};
  }
};

}  // namespace cellscope
