// How far the neighbours of a particle of each type may be: a symmetric table over pairs of types.
#pragma once
#include <cstdint>

#include "sim/base/host_device.h"
#include "sim/core/assert.h"

namespace cellscope {

inline constexpr int kMostTypes = 8;

// reach = r_cut + buffer. Passed by value to kernels. A pair of types with reach 0 is never listed.
struct PairTable {
  std::int32_t types = 1;
  float reachOf[kMostTypes * kMostTypes] = {};
  float reachSquaredOf[kMostTypes * kMostTypes] = {};
  float longestOf[kMostTypes] = {};  // over all partners of a type

  void set(int a, int b, double cutoff, double buffer) {
    CELLSCOPE_ASSERT(a >= 0 && b >= 0 && a < types && b < types);
    const double reach = cutoff > 0 ? cutoff + buffer : 0;
    for (const int at : {a * kMostTypes + b, b * kMostTypes + a}) {
      reachOf[at] = static_cast<float>(reach);
      reachSquaredOf[at] = static_cast<float>(reach * reach);
    }
    for (int t = 0; t < types; ++t) {
      longestOf[t] = 0;
      for (int u = 0; u < types; ++u)
        longestOf[t] = larger(longestOf[t], reachOf[t * kMostTypes + u]);
    }
  }

  HOST_DEVICE static int at(std::uint32_t a, std::uint32_t b) {
    return static_cast<int>(a) * kMostTypes + static_cast<int>(b);
  }
  HOST_DEVICE float reach(std::uint32_t a, std::uint32_t b) const { return reachOf[at(a, b)]; }
  HOST_DEVICE float reachSquared(std::uint32_t a, std::uint32_t b) const {
    return reachSquaredOf[at(a, b)];
  }
  HOST_DEVICE float longest(std::uint32_t a) const { return longestOf[a]; }
  float longest() const {
    float all = 0;
    for (int t = 0; t < types; ++t) all = larger(all, longestOf[t]);
    return all;
  }
  // Shortest reach of any pair of types that has one: the bin width of S1, Algorithm 1.
  float shortest() const {
    float all = longest();
    for (int t = 0; t < types; ++t)
      for (int u = 0; u < types; ++u)
        if (reach(static_cast<std::uint32_t>(t), static_cast<std::uint32_t>(u)) > 0)
          all = all < reachOf[t * kMostTypes + u] ? all : reachOf[t * kMostTypes + u];
    return all;
  }

 private:
  static float larger(float a, float b) { return a > b ? a : b; }
};

}  // namespace cellscope
