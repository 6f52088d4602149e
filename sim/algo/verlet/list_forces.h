// Pair forces over a neighbour list: one particle after the other. The same source runs on both
// backends; on CUDA it is the oracle of list_forces.cuh.
#pragma once
#include "sim/algo/all_pairs/tile_forces.h"
#include "sim/algo/md/pair_law.h"
#include "sim/algo/verlet/step_kernels.h"

namespace cellscope {

// What one pass computes: forces, or energies and virials. Energies are left out of the steps;
// a pass of their own leaves the forces as they are, so that sampling changes nothing.
// `both`, of the steps that are sampled: the forces are the same bits as without energies.
enum class PassKind { forces, terms, both };

// Forces of a particle that do not depend on the order of its partners: every operation of a pair
// is rounded on its own, and multiples of 2^-24 are added up as integers. A component of a pair is
// 2^30 at most, which no particle survives.
struct FixedForce {
  static constexpr float kUnit = 16777216.0f, kMost = 1073741824.0f;
  std::int64_t x = 0, y = 0, z = 0;

  template <class Pair>
  HOST_DEVICE void add(const Pair& pair, float dx, float dy, float dz) {
    const float r2 = addRn(addRn(mulRn(dx, dx), mulRn(dy, dy)), mulRn(dz, dz));
    if (!(r2 < pair.cutoffSquared)) return;
    const Rounded held(larger(r2, static_cast<float>(kCoreSquared)));
    const float f = pair.terms(held, Rounded(1.0f) / squareRoot(held)).forceOverR.v;
    x += fixed(mulRn(f, dx)), y += fixed(mulRn(f, dy)), z += fixed(mulRn(f, dz));
  }
  HOST_DEVICE Vec4 force() const { return {rounded(x), rounded(y), rounded(z), 0}; }

 private:
  HOST_DEVICE static std::int64_t fixed(float f) {
    return static_cast<std::int64_t>(smaller(larger(f, -kMost), kMost) * kUnit);
  }
  HOST_DEVICE static float rounded(std::int64_t sum) {
    return static_cast<float>(sum) * (1 / kUnit);
  }
};
// Whether the law has no more than + - * / and square roots.
template <class Law>
concept ExactLaw = requires(const Law& law, Rounded x) {
  law.of(0u, 0u).terms(x, x);
};

// A list names a pair once, however many of its images are within reach: where the cutoff is more
// than half the box, the pass goes through the images of each pair, and through those of the
// particle itself. The nearest is the first to come within reach, so that no pair is missed.
template <class Law, PassKind kind>
struct ListPass {
  Law law;
  ListReader list;
  const ParticleRecord* record;
  RecordBox box;
  Vec4* force;
  Vec2* terms;  // half of the energy and virial of each pair
  const Stopping* stop;
  std::uint64_t step;
  PairImages images = {};
  std::uint32_t begin = 0;  // first slot of those that are asked for
  bool exact = false;       // forces as FixedForce has them

  template <class Known>
  ListPass<Known, kind> with(const Known& known) const {
    return {known, list, record, box, force, terms, stop, step, images, begin, exact};
  }
  template <class Pair>
  HOST_DEVICE static void add(FixedForce& s, const Pair& pair, float dx, float dy, float dz) {
    s.add(pair, dx, dy, dz);
  }
  template <class Pair>
  HOST_DEVICE static void add(RunningSums<float>& s, const Pair& pair, float dx, float dy,
                              float dz) {
    const float r2 = dx * dx + dy * dy + dz * dz;
    if (r2 >= pair.cutoffSquared) return;
    if constexpr (kind == PassKind::both)
      s.addApart(pair, dx, dy, dz, r2);
    else
      s.add(pair, dx, dy, dz, r2);
  }
  // Of particle i, the partners `first`, first + stride, ...
  template <class Sums = RunningSums<float>>
  HOST_DEVICE Sums sumsOf(std::size_t i, std::uint32_t first, std::uint32_t stride) const {
    Sums s;
    const ParticleRecord p = record[i];
    const std::size_t row = list.rowOf(i);
    const std::uint32_t count = list.count[row];
    const std::uint32_t* const items = list.items + list.head[row];
    for (std::uint32_t k = first; k < count; k += stride) {
      if (items[k] == i) continue;  // in lists of clusters
      const ParticleRecord q = record[items[k]];
      const float dx = box.difference(p.x, q.x, 0), dy = box.difference(p.y, q.y, 1);
      const float dz = box.dimension == 3 ? box.difference(p.z, q.z, 2) : 0.0f;
      add(s, law.of(p.type, q.type), dx, dy, dz);
    }
    return s;
  }
  // The same for all images.
  template <class Sums = RunningSums<float>>
  HOST_DEVICE Sums imageSumsOf(std::size_t i) const {
    Sums s;
    const ParticleRecord p = record[i];
    const std::size_t row = list.rowOf(i);
    const std::uint32_t count = list.count[row];
    const std::uint32_t* const items = list.items + list.head[row];
    for (std::uint32_t k = 0; k <= count; ++k) {
      const bool self = k == count;
      if (!self && items[k] == i) continue;
      const ParticleRecord q = self ? p : record[items[k]];
      const auto& pair = law.of(p.type, q.type);
      images.forEach(box.difference(p.x, q.x, 0), box.difference(p.y, q.y, 1),
                     box.dimension == 3 ? box.difference(p.z, q.z, 2) : 0.0f, box.length[0],
                     box.length[1], box.length[2], self,
                     [&](float dx, float dy, float dz) { add(s, pair, dx, dy, dz); });
    }
    return s;
  }
  HOST_DEVICE void store(std::size_t i, const RunningSums<float>& s) const {
    if constexpr (kind != PassKind::terms) force[i] = {s.fx, s.fy, s.fz, 0};
    if constexpr (kind != PassKind::forces) terms[i] = {0.5f * s.energy, 0.5f * s.virial};
  }
  HOST_DEVICE bool stopped() const { return stop->step <= step; }
  HOST_DEVICE void operator()(std::size_t k) const {
    const std::size_t i = begin + k;
    if (stopped()) return;
    if (!exact || kind != PassKind::forces)
      store(i, images.several() ? imageSumsOf(i) : sumsOf(i, 0, 1));
    if constexpr (kind != PassKind::terms && ExactLaw<Law>)
      if (exact)
        force[i] =
            (images.several() ? imageSumsOf<FixedForce>(i) : sumsOf<FixedForce>(i, 0, 1)).force();
  }
};

// Without the law, which is added in the files of laws (sim/algo/md/pair_law.h).
using ForcesPass = ListPass<NoLaw, PassKind::forces>;
using TermsPass = ListPass<NoLaw, PassKind::terms>;
using BothPass = ListPass<NoLaw, PassKind::both>;

// A pass with a part left out, to be timed: nothing comes of it. Reads the list of a particle and,
// with records, where its neighbours are.
template <bool records>
struct ListWalk {
  ListReader list;
  const ParticleRecord* record;

  HOST_DEVICE void operator()(std::size_t i) const {
    const std::uint32_t count = list.count[i];
    const std::uint32_t* const items = list.items + list.head[i];
    ReadOnly read;
    for (std::uint32_t k = 0; k < count; ++k) {
      if constexpr (records) {
        const ParticleRecord q = record[items[k]];
        read.take(q.x, q.y, q.z);
      } else {
        read.take(items[k]);
      }
    }
    read.end();
  }
};

}  // namespace cellscope
