// Position and type of a particle in one 16-byte record: what neighbour lists and pair forces read.
#pragma once
#include <algorithm>
#include <bit>
#include <cstdint>
#include <iterator>
#include <limits>

#include "sim/base/box.h"
#include "sim/base/error.h"

namespace cellscope {

struct alignas(16) ParticleRecord {
  float x, y, z;       // in [0, float(length)) along each axis; z = 0 in 2D
  std::uint32_t type;  // index into the table of species
};

// Lengths of a box in the precision of the records, and the nearest image of a difference.
struct RecordBox {
  float length[3];
  float inverse[3];  // 0 where there is no axis
  std::int32_t dimension;

  explicit RecordBox(const Box& box = cubicBox(1)) : dimension(box.dimension) {
    for (int a = 0; a < 3; ++a) {
      const bool axis = a < box.dimension;
      length[a] = axis ? static_cast<float>(box.length[a]) : 1.0f;
      inverse[a] = axis ? 1.0f / length[a] : 0.0f;
    }
  }

  // Difference a - b along an axis to the nearest image; odd in (a, b), bit for bit.
  HOST_DEVICE float difference(float a, float b, int axis) const {
    const float d = a - b;
    const float half = 0.5f * length[axis];
    return d > half ? d - length[axis] : (d < -half ? d + length[axis] : d);
  }
  // Squared distance to the nearest image. The same bits for (a, b) and (b, a).
  HOST_DEVICE float distanceSquared(const ParticleRecord& a, const ParticleRecord& b) const {
    const float dx = difference(a.x, b.x, 0), dy = difference(a.y, b.y, 1);
    const float dz = dimension == 3 ? difference(a.z, b.z, 2) : 0.0f;
    return dx * dx + dy * dy + dz * dz;
  }
  // A coordinate in [0, length) of the box in double, rounded: what rounds to the length is 0.
  HOST_DEVICE float rounded(double x, int axis) const {
    const auto f = static_cast<float>(x);
    return f < length[axis] ? f : 0.0f;
  }
  HOST_DEVICE ParticleRecord record(Vec3d r, std::uint32_t type) const {
    return {rounded(r.x, 0), rounded(r.y, 1), dimension == 3 ? rounded(r.z, 2) : 0.0f, type};
  }
};

// How far the neighbours of a particle of each type may be: a symmetric table over pairs of types.
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

  bool sameReaches(const PairTable& o) const {
    return types == o.types && std::equal(std::begin(reachOf), std::end(reachOf), o.reachOf);
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

inline constexpr std::uint32_t kPlaceholder = 0xffffffffu;
inline constexpr std::uint32_t kTypeShift = 28, kNumberMask = (1u << kTypeShift) - 1;
// Comparisons with the cutoff are false there.
inline constexpr float kNoPlace = std::numeric_limits<float>::quiet_NaN();

// A slot of a placeholder cell: position, number and type of its particle.
struct alignas(16) SlotRecord {
  float x, y, z;
  std::uint32_t tag;  // number | type << 28, or kPlaceholder

  HOST_DEVICE bool real() const { return tag != kPlaceholder; }
  HOST_DEVICE std::uint32_t number() const { return tag & kNumberMask; }
  HOST_DEVICE std::uint32_t type() const { return tag >> kTypeShift & (kMostTypes - 1); }
};
HOST_DEVICE SlotRecord placeholder() { return {kNoPlace, kNoPlace, kNoPlace, kPlaceholder}; }

// For passes that are timed with their arithmetic left out.

// Takes up what was read, so that no compiler leaves the reading out, with one operation for each
// number. Coordinates are not negative, and slots are less than 2^32 - 1: of either the bits are
// never all ones, which no compiler knows; of other numbers they hardly ever are. An event that
// nobody counts is triggered then: code for a GPU is compiled twice, and an empty `asm` is not seen
// by the second compiler.
struct ReadOnly {
  std::uint32_t bits = 0;

  HOST_DEVICE void take(std::uint32_t v) { bits |= v; }
  HOST_DEVICE void take(float x, float y, float z) { bits |= bitsOf(x) | bitsOf(y) | bitsOf(z); }
  HOST_DEVICE void end() const {
#ifdef __CUDA_ARCH__
    if (bits == ~0u) __prof_trigger(0);
#else
    asm volatile("" ::"r"(bits));
#endif
  }

 private:
  HOST_DEVICE static std::uint32_t bitsOf(float f) {
#ifdef __CUDA_ARCH__
    return __float_as_uint(f);
#else
    return std::bit_cast<std::uint32_t>(f);
#endif
  }
};

}  // namespace cellscope
