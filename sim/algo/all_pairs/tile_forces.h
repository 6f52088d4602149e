// All-pairs forces in tiles through shared memory (S2, section 2.1, figure 2), as a team in phases:
// n_B threads own one particle each, load n_B partners together, then each goes through them.
// The same source runs on both backends; it is the oracle of the tuned kernels.
#pragma once
#include <cmath>

#include "sim/algo/all_pairs/images.h"
#include "sim/algo/md/forces.h"
#include "sim/algo/md/pair_law.h"
#include "sim/algo/neighbours/particle_record.h"
#include "sim/exec/team.h"

namespace cellscope {

// x, of which the compiler knows nothing: what is computed from it shares nothing with what is
// computed from x itself. So neither changes how products and sums of the other are contracted to
// fused multiply-adds, and the other has the same bits as without it.
template <class Real>
HOST_DEVICE Real opaque(Real x) {
#ifdef __CUDA_ARCH__
  if constexpr (sizeof(Real) == 4)
    asm volatile("" : "+f"(x));
  else
    asm volatile("" : "+d"(x));
#elif defined(__FMA__) || !defined(__x86_64__)
  asm volatile("" : "+m"(x));
#endif  // elsewhere nothing is contracted
  return x;
}

inline constexpr int kLargestTile = 256;  // n_B

HOST_DEVICE float inverseRoot(float r2) {
#ifdef __CUDA_ARCH__
  return rsqrtf(r2);
#else
  return 1.0f / std::sqrt(r2);
#endif
}
HOST_DEVICE double inverseRoot(double r2) { return 1.0 / sqrt(r2); }

// Sums of one particle in the precision of the pair terms. Energy and virial count each pair whole.
template <class Real>
struct RunningSums {
  Real fx = 0, fy = 0, fz = 0, energy = 0, virial = 0;

  // Partner at r_i - r_j = (dx, dy, dz), nearest image, r2 < r_c^2.
  template <class Pair>
  HOST_DEVICE void add(const Pair& pair, Real dx, Real dy, Real dz, Real r2) {
    const Real held = r2 > Real(kCoreSquared) ? r2 : Real(kCoreSquared);
    const PairTerms<Real> t = pair.terms(held, inverseRoot(held));
    fx += t.forceOverR * dx;
    fy += t.forceOverR * dy;
    fz += t.forceOverR * dz;
    energy += t.energy;
    virial += t.forceOverR * r2;
  }
  // The same; the force has the bits that it has where nobody asks for the energy.
  HOST_DEVICE void addApart(const auto& pair, Real dx, Real dy, Real dz, Real r2) {
    const Real held = r2 > Real(kCoreSquared) ? r2 : Real(kCoreSquared), same = opaque(held);
    const Real f = pair.terms(held, inverseRoot(held)).forceOverR;
    fx += f * dx;
    fy += f * dy;
    fz += f * dz;
    energy += pair.terms(same, inverseRoot(same)).energy;
    virial += opaque(f) * r2;
  }
};

// Lengths of the box in the precision of the pair terms.
template <class Real>
struct TileBox {
  Real x, y, z;
  explicit TileBox(const Box& box)
      : x(static_cast<Real>(box.length[0])),
        y(static_cast<Real>(box.length[1])),
        z(static_cast<Real>(box.length[2])) {}
};

// Team t owns particles [t n_B, (t + 1) n_B), counted from the first team's. Phases: load tile, use
// tile, for every tile in turn; the last phase writes. Sums run in Real within a tile and in double
// over the tiles. A particle counts half of the energy with each of its own images.
// kind: types, where the law is one of types.
template <class Real, class Law>
struct TileForces {
  const Vec3d* position;
  const ParticleRecord* kind;
  PairSums* sums;
  std::int32_t n, tile;
  TileBox<Real> box;
  Law law;
  PairImages images;
  std::int32_t firstTeam = 0;

  struct Shared {
    Real x[kLargestTile], y[kLargestTile], z[kLargestTile];
    std::uint32_t type[Law::kByTypes ? kLargestTile : 1];
  };
  struct Private {
    Real x, y, z;
    std::uint32_t type;
    PairSums total;
  };

  template <class Known>
  TileForces<Real, Known> with(const Known& known) const {
    return {position, kind, sums, n, tile, box, known, images, firstTeam};
  }
  HOST_DEVICE int tiles() const { return (n + tile - 1) / tile; }
  HOST_DEVICE int phases(int) const { return 2 * tiles() + 1; }

  HOST_DEVICE void phase(int p, int team, int thread, Shared& shared, Private& mine) const {
    const int i = (firstTeam + team) * tile + thread;
    if (p == 0 && i < n) {
      const Vec3d r = position[i];
      mine.x = static_cast<Real>(r.x), mine.y = static_cast<Real>(r.y);
      mine.z = static_cast<Real>(r.z);
      if constexpr (Law::kByTypes) mine.type = kind[i].type;
    }
    if (p == 2 * tiles()) {
      const PairSums t = mine.total;
      if (i < n) sums[i] = {t.fx, t.fy, t.fz, 0.5 * t.energy, 0.5 * t.virial};
    } else if (p % 2 == 0) {
      load(p / 2 * tile + thread, thread, shared);
    } else if (i < n) {
      use(p / 2 * tile, i, shared, mine);
    }
  }

  HOST_DEVICE void load(int j, int thread, Shared& shared) const {
    if (j >= n) return;
    const Vec3d r = position[j];
    shared.x[thread] = static_cast<Real>(r.x);
    shared.y[thread] = static_cast<Real>(r.y);
    shared.z[thread] = static_cast<Real>(r.z);
    if constexpr (Law::kByTypes) shared.type[thread] = kind[j].type;
  }

  HOST_DEVICE const auto& pairOf(const Private& mine, const Shared& shared, int k) const {
    if constexpr (Law::kByTypes)
      return law.of(mine.type, shared.type[k]);
    else
      return law.of(0, 0);
  }
  HOST_DEVICE static void addWithin(const auto& pair, RunningSums<Real>& s, Real dx, Real dy,
                                    Real dz) {
    const Real r2 = dx * dx + dy * dy + dz * dz;
    if (r2 < pair.cutoffSquared) s.add(pair, dx, dy, dz, r2);
  }
  HOST_DEVICE void use(int first, int i, const Shared& shared, Private& mine) const {
    const int count = n - first < tile ? n - first : tile;
    RunningSums<Real> s;
    for (int k = 0; k < count; ++k) {
      const Real dx = minimumImage(mine.x - shared.x[k], box.x);
      const Real dy = minimumImage(mine.y - shared.y[k], box.y);
      const Real dz = minimumImage(mine.z - shared.z[k], box.z);
      const bool self = first + k == i;
      const auto& pair = pairOf(mine, shared, k);
      if (images.several()) {
        images.forEach(dx, dy, dz, box.x, box.y, box.z, self,
                       [&](Real x, Real y, Real z) { addWithin(pair, s, x, y, z); });
      } else if (!self) {
        addWithin(pair, s, dx, dy, dz);
      }
    }
    PairSums& t = mine.total;
    t = {t.fx + s.fx, t.fy + s.fy, t.fz + s.fz, t.energy + s.energy, t.virial + s.virial};
  }
};

// A pass by teams, in the files of laws (sim/algo/md/pair_law.h).
template <class Launcher, class Pass, class Number = float>
struct TeamsWithLaw {
  using Real = Number;
  Launcher& on;
  const char* name;
  exec::TeamShape shape;
  const Pass& pass;
  void operator()(const auto& law) const { on.teams(name, shape, pass.with(law)); }
};

}  // namespace cellscope
