// What is around an active cell of the checkerboard, on CUDA: by the warps that make its attempts.
#pragma once
#include <cuda_fp16.h>

#include <cmath>

#include "sim/algo/gcmc/board_gather.cuh"
#include "sim/algo/gcmc/warp_energies.cuh"

namespace cellscope {
inline namespace GCMC_TYPES {

// Lennard-Jones, cut or shifted in energy.
__device__ inline bool isPlain(const GcmcPair& p) {
  return !p.hard && p.form == ExactForms::numberOf<LennardJonesForm>() && p.forceAtCutoff == 0;
}
// Called: the loops around it are to fit the instruction cache.
__device__ __noinline__ inline float boardPairOfAnyForm(const GcmcPair& p, GcmcReduced d) {
  return gcmcPairEnergy(p, d.r2, d.epsilon);
}
// Energy of a pair, 0 beyond the cutoff or where it does not count. Of a plain one without any
// branch, so that several are worked out at once.
__device__ inline float boardPlainPair(const GcmcPair& p, GcmcReduced d, bool counts = true) {
  const RoundedDistance<Rounded> r = gcmcHeld(p, Rounded(d.r2));
  const LennardJonesForm& form = p.forms;
  const float energy = gcmcEnded(p, form(r), r, false, Rounded(d.epsilon)).energy.v;
  return counts & (d.r2 < p.cutoffSquared) ? energy : 0.0f;
}
__device__ inline float boardPair(const GcmcPair& p, bool plain, GcmcReduced d) {
  if (plain) return boardPlainPair(p, d);
  return d.r2 < p.cutoffSquared ? boardPairOfAnyForm(p, d) : 0.0f;
}

// The hood of a cell (board_cell.h), by a block of few warps. All of them have the entries of the
// cell and do the same with them; each has the particles of some of the cells around, and works out
// its part of energies.
//
// Particles are measured twice: whether one may be near is found out for two at a time in half
// precision, with a margin that covers all rounding, and lanes put those aside; then their exact
// energies are worked out together.
//
// The margin: in units of the reach coordinates are below M, half a cell plus 1, so that the
// distance of two along an axis is wrong by less than 2.5 x 2^-11 for M up to 2 and than 2 M x
// 2^-11 beyond, and squares and sums by 3 x 2^-11. Of points closer than 1, whose distances along
// the axes add up to sqrt(3) at most, r^2 is then wrong by less than 0.006, or, for M up to 1000
// and with the square of the error, by less than 0.006 M. M / 128 is more than either.
template <int kWarps>
class GcmcBoardWarpHood {
 public:
  // Words in shared memory: of the block, and of a warp that has room for this number of particles.
  static constexpr std::uint32_t kWordsOfBlock = kWarps > 1 ? 2 * 2 * 32 * kWarps : 0;
  __host__ __device__ static std::uint32_t wordsOfWarp(std::uint32_t room) {
    return 4 * room + 12 * (room / 8 + 1) + 16 * kKept;
  }

  // words: of this warp; sums: of the block.
  __device__ GcmcBoardWarpHood(const GcmcBoard& b, std::uint32_t* words, std::uint32_t room,
                               double* sums)
      : b_(b),
        room_(room),
        lane_(threadIdx.x % 32),
        warp_(kWarps == 1 ? 0 : threadIdx.x / 32),
        sums_(sums),
        point_(reinterpret_cast<uint4*>(words)),
        half_(reinterpret_cast<__half*>(words + 4 * room_)),
        kept_(reinterpret_cast<std::uint16_t*>(half_ + 3 * room_ + 24) + lane_),
        plain_(isPlain(b.rules.pair)) {
    // Nothing is left out where cells are wider than 1000 times the reach.
    const float reach = sqrtf(gcmcReachSquared(b.rules.pair));
    bool narrow = reach > 0;
    for (int k = 0; k < 3; ++k)
      narrow &= k >= b.rules.dimension ||
                4294967296.0f * b.rules.pair.unit[k] < 1000 * reach * b.cube.count[k];
    for (int k = 0; k < 3; ++k) scale_[k] = narrow ? b.rules.pair.unit[k] / reach : 0.0f;
    if (lane_ < 8) setNone(room_ + lane_);
    for (int k = 0; k < kKept; ++k) kept_[32 * k] = 0;  // read beyond what a lane has put aside
  }

  __device__ void gather(const GcmcBoardPlace& place, const GcmcBoardSpan& span) {
    place_ = place;
    n_ = b_.held.filled[place.cell];
    others_ = end_ = roundedUp(n_);
    const std::uint32_t* const shift = b_.head->shift;
    float widest = 0;
    for (int k = 0; k < 3; ++k) {
      middle_[k] = shift[k] + span.first[k] + span.width[k] / 2;
      edge_[k] = static_cast<float>(span.width[k] / 2 + 1) * scale_[k];
      widest = fmaxf(widest, edge_[k]);
    }
    limit_ =
        gcmcReachSquared(b_.rules.pair) > 0 ? 1 + (1 + widest) / 128 : 0;  // 0: nothing is near
    for (std::uint32_t k = lane_; k < others_; k += 32) {
      setNone(k);
      if (k < n_) setOwn(k, b_.held.point(place.cell, k));
    }
    forOthers([](std::uint32_t, GcmcReader) {},
              [&](std::uint32_t j, std::uint32_t, std::uint32_t, GcmcPoint p) {
                if (j < room_) set(j, p);
              });
    direct_ = end_ > room_;
    if (direct_) end_ = others_;
    if (lane_ < roundedUp(end_) - end_) setNone(end_ + lane_);
    const std::uint32_t mine = direct_ ? 27 * b_.held.capacity : end_ - others_;
    mostOthers_ = static_cast<float>(overWarps(mine));
    __syncwarp();
  }

  __device__ std::uint32_t lane() const { return threadIdx.x; }
  __device__ std::uint32_t count() const { return n_; }
  __device__ GcmcPoint own(std::uint32_t k) const {
    const uint4 p = point_[k];
    return {p.x, p.y, p.z};
  }
  __device__ void put(std::uint32_t k, GcmcPoint p) {
    __syncwarp();
    if (lane_ == 0) setOwn(k, p);
    if (threadIdx.x == 0) b_.held.put(place_.cell, k, p);
    __syncwarp();
  }
  __device__ void insert(GcmcPoint p, ParticleId id) {
    if (n_ == others_) makeRoom();
    const std::uint32_t k = n_++;
    put(k, p);
    if (threadIdx.x != 0) return;
    b_.held.idOf(place_.cell, k) = id;
    b_.held.filled[place_.cell] = n_;
  }
  __device__ void erase(std::uint32_t k) {
    const std::uint32_t last = --n_;
    put(k, own(last));
    if (lane_ == 0) setNone(last);
    if (threadIdx.x == 0) {
      b_.held.idOf(place_.cell, k) = b_.held.idOf(place_.cell, last);
      b_.held.filled[place_.cell] = last;
    }
    __syncwarp();
  }

  // The sum of what the same lanes of all warps have. Two rows take turns, so that one barrier is
  // enough.
  __device__ double overWarps(double mine) {
    if (kWarps == 1) return mine;
    double* const row = sums_ + 32 * kWarps * row_ + lane_;
    row_ = 1 - row_;
    row[32 * warp_] = mine;
    __syncthreads();
    double all = 0;
    for (int k = 0; k < kWarps; ++k) all += row[32 * k];
    return all;
  }
  // Energy of a point with this part, of 32 >> two, of this warp's particles, but entry `self` of
  // the cell; by all lanes.
  __device__ double energyOfPart(GcmcPoint p, std::uint32_t self, std::uint32_t part,
                                 int two) const {
    const __half2 x = twice(p.x, 0), y = twice(p.y, 1), z = twice(p.z, 2);
    const std::uint32_t parts = 32u >> two, octets = roundedUp(end_) / 8;
    double u = direct_ ? directly(b_, place_, p, part, parts) : 0.0;
    const auto begin = static_cast<unsigned>(__cvta_generic_to_shared(kept_));
    const unsigned full = begin + 64 * (kKept - 8);
    std::uint32_t octet = part, turns = (octets + parts - 1) >> (5 - two);
    do {
      unsigned end = begin;  // of those put aside
#pragma unroll 1
      for (; turns > 0 && !__any_sync(kAll, end > full); --turns, octet += parts) {
        // After the last octet comes one of nobody.
        const std::uint32_t j = 8 * (octet < octets ? octet : room_ / 8);
        const uint4 xs = eight(j, 0), ys = eight(j, 1), zs = eight(j, 2);
        const auto test = [&](std::uint32_t first, unsigned wx, unsigned wy, unsigned wz) {
          const __half2 dx = __hsub2(x, halves(wx)), dy = __hsub2(y, halves(wy)),
                        dz = __hsub2(z, halves(wz));
          const __half2 beyond =
              __hfma2(dz, dz, __hfma2(dy, dy, __hfma2(dx, dx, __float2half2_rn(-limit_))));
          putAside(end, beyond, j + first);
        };
        test(0, xs.x, ys.x, zs.x);
        test(2, xs.y, ys.y, zs.y);
        test(4, xs.z, ys.z, zs.z);
        test(6, xs.w, ys.w, zs.w);
      }
      u += energyOfKept(p, self, static_cast<int>(end - begin) / 64);
    } while (turns > 0);
    return u;
  }
  __device__ double energy(GcmcPoint p, std::uint32_t self) {
    return overWarps(sumOverWarp(energyOfPart(p, self, lane_, 0)));
  }
  __device__ double change(GcmcPoint from, GcmcPoint to, std::uint32_t self) {
    return energy(to, self) - energy(from, self);
  }
  // No pair of one type has less than -1. nearest: entry of the cell that this depends on. Lanes
  // may have points of their own.
  __device__ double least(GcmcPoint p, std::uint32_t* nearest = nullptr) const {
    const GcmcPair& pair = b_.rules.pair;
    if (gcmcIsMixed(pair)) return -INFINITY;
    float r2 = pair.cutoffSquared;
#pragma unroll 1
    for (std::uint32_t k = 0; k < n_; k += 2) {
      const std::uint32_t j = k + 1 < n_ ? k + 1 : k;
      const float d = gcmcDistance2(pair, p, own(k)), e = gcmcDistance2(pair, p, own(j));
      const std::uint32_t nearer = e < d ? j : k;
      if (!(fminf(d, e) < r2)) continue;
      r2 = fminf(d, e);
      if (nearest != nullptr) *nearest = nearer;
    }
    return boardPair(pair, plain_, {r2, 1.0f}) - 1.001 * (n_ + mostOthers_);
  }
  // By how much `done` changes the change of the energy of a later trial.
  __device__ double changeBy(const GcmcTrial& done, const GcmcTrial& t) const {
    double u = 0;
    const auto add = [&](int k, bool plain) {
      const bool from = (k & 1) != 0, was = (k & 2) != 0;
      const GcmcReduced d =
          gcmcReduced(b_.rules.pair, from ? t.from : t.to, was ? done.from : done.to);
      const bool counts = (from ? t.old : t.fresh) & (was ? done.old : done.fresh);
      float e = 0;
      if (plain)
        e = boardPlainPair(b_.rules.pair, d, counts);
      else if (counts)
        e = boardPair(b_.rules.pair, false, d);
      u += from == was ? e : -e;
    };
    if (plain_) {
#pragma unroll
      for (int k = 0; k < 4; ++k) add(k, true);
    } else {
#pragma unroll 1
      for (int k = 0; k < 4; ++k) add(k, false);
    }
    return u;
  }

  // Of recording instances: which half of the warp gathered a cell, and which thread then reads a
  // particle: the lane of the first of 16 points in the half that it belongs to.
  template <class Visit, class Pair>
  __device__ void forReads(const GcmcBoardSpan&, const Visit& visit, const Pair& pair) {
    if (threadIdx.x == 0) visit(place_.cell, GcmcReader{0, 0, 0, 32, true});
    if (warp_ == 0)
      for (std::uint32_t k = lane_; k < n_; k += 32) pair(place_.cell, k, k / 8 % 2 * 16);
    const std::uint32_t gathered = end_;
    end_ = others_;
    forOthers(visit, [&](std::uint32_t j, std::uint32_t of, std::uint32_t k, GcmcPoint) {
      pair(of, k, 32 * warp_ + (direct_ ? k % 2 : j / 8 % 2) * 16);
    });
    end_ = gathered;
  }

 private:
  static constexpr unsigned kAll = 0xffffffffu;
  static constexpr int kKept = 40;             // places of particles that a lane puts aside
  static constexpr float kNowhere = 60000.0f;  // a coordinate that nothing is near to

  // The places of those of two particles that are not beyond the reach.
  __device__ static void putAside(unsigned& end, __half2 beyond, std::uint32_t place) {
    asm volatile(
        "{.reg .pred a, b;\n"
        ".reg .u32 next, last;\n"
        "setp.lt.f16x2 a|b, %1, %2;\n"
        "add.u32 next, %0, 64;\n"
        "@a st.shared.u16 [%0], %3;\n"
        "selp.u32 next, next, %0, a;\n"
        "add.u32 last, next, 64;\n"
        "@b st.shared.u16 [next], %4;\n"
        "selp.u32 %0, last, next, b;}"
        : "+r"(end)
        : "r"(*reinterpret_cast<const unsigned*>(&beyond)), "r"(0),
          "h"(static_cast<std::uint16_t>(place)), "h"(static_cast<std::uint16_t>(place + 1))
        : "memory");
  }
  // Of a point with those that its lane has put aside: two at a time, so that neither waits.
  __device__ double energyOfKept(GcmcPoint p, std::uint32_t self, int count) const {
    const auto most = static_cast<int>(exec::maxOverWarp(static_cast<std::uint32_t>(count)));
    const GcmcPair& pair = b_.rules.pair;
    double u = 0;
    if (plain_) {
#pragma unroll 1
      for (int k = 0; k < most; k += 2) {
        const std::uint32_t i = kept_[32 * k], j = kept_[32 * k + 32];
        const uint4 q = point_[i], r = point_[j];
        const GcmcReduced d = gcmcReduced(pair, p, {q.x, q.y, q.z}),
                          e = gcmcReduced(pair, p, {r.x, r.y, r.z});
        const float first = boardPlainPair(pair, d, (k < count) & (i != self)),
                    second = boardPlainPair(pair, e, (k + 1 < count) & (j != self));
        u += first;
        u += second;
      }
      return u;
    }
#pragma unroll 1
    for (int k = 0; k < count; ++k) {
      const std::uint32_t j = kept_[32 * k];
      if (j != self) u += boardPair(pair, false, gcmcReduced(pair, p, own(j)));
    }
    return u;
  }
  // keep(j, cell, k, p): what a lane does with entry k of a cell around, the particle at place j,
  // if it is within reach of the cell; visit(cell, reader): with a cell.
  __device__ void forOthers(const auto& visit, const auto& keep) {
    boardOthers<kWarps>(b_, place_, visit,
                        [&](std::uint32_t of, std::uint32_t k, bool there, GcmcPoint p) {
                          const bool near = there & nearCell(p);
                          const unsigned those = __ballot_sync(kAll, near);
                          if (near) keep(end_ + __popc(those & ((1u << lane_) - 1)), of, k, p);
                          end_ += __popc(those);
                        });
  }
  // Whether a particle may interact with a point of the cell; the margin covers the rounding.
  __device__ bool nearCell(GcmcPoint p) const {
    const auto gap = [&](std::uint32_t word, int axis) {
      return fmaxf(fabsf(coordinate(word, axis)) - edge_[axis], 0.0f);
    };
    const float x = gap(p.x, 0), y = gap(p.y, 1), z = gap(p.z, 2);
    return x * x + y * y + z * z < limit_;
  }
  // Where the entries of the cell need the places of others: eight of these go to the end.
  __device__ void makeRoom() {
    const std::uint32_t to = roundedUp(end_);
    if (others_ < end_ && to + 8 > room_) direct_ = true;
    __syncwarp();
    if (others_ < end_ && !direct_ && lane_ < 8) {
      point_[to + lane_] = point_[others_ + lane_];
      for (int k = 0; k < 3; ++k) half(to + lane_, k) = half(others_ + lane_, k);
    }
    __syncwarp();
    if (lane_ < 8) setNone(others_ + lane_);
    end_ = direct_ || others_ == end_ ? others_ + 8 : to + 8;
    others_ += 8;
    __syncwarp();
  }
  // In global memory: for more particles than there is shared memory for.
  __device__ __noinline__ static double directly(const GcmcBoard& b, GcmcBoardPlace place,
                                                 GcmcPoint p, int part, int parts) {
    double u = 0;
    for (int j = 0; j < gcmcBoardNeighbours(b); ++j) {
      const std::uint32_t cell = gcmcBoardNeighbour(b, place, j);
      if (cell == place.cell || j / 2 % kWarps != static_cast<int>(threadIdx.x / 32)) continue;
      for (std::uint32_t k = part; k < b.held.filled[cell]; k += parts)
        u += boardPair(b.rules.pair, false, gcmcReduced(b.rules.pair, p, b.held.point(cell, k)));
    }
    return u;
  }

  __device__ static std::uint32_t roundedUp(std::uint32_t count) { return (count + 7) / 8 * 8; }
  __device__ static __half2 halves(unsigned word) { return *reinterpret_cast<__half2*>(&word); }
  __device__ uint4 eight(std::uint32_t k, int axis) const {
    return *reinterpret_cast<const uint4*>(half_ + 3 * k + 8 * axis);
  }
  // Octets of x, y and z in turn.
  __device__ __half& half(std::uint32_t k, int axis) const {
    return half_[24 * (k / 8) + 8 * axis + k % 8];
  }
  // Coordinate from the middle of the cell in units of the reach.
  __device__ float coordinate(std::uint32_t word, int axis) const {
    return static_cast<float>(static_cast<std::int32_t>(word - middle_[axis])) * scale_[axis];
  }
  __device__ __half2 twice(std::uint32_t word, int axis) const {
    return __float2half2_rn(coordinate(word, axis));
  }
  // The first warp's count.
  __device__ void setOwn(std::uint32_t k, GcmcPoint p) {
    set(k, p);
    if (warp_ != 0) setNone(k);
  }
  __device__ void set(std::uint32_t k, GcmcPoint p) {
    point_[k] = {p.x, p.y, p.z, 0};
    half(k, 0) = __float2half_rn(coordinate(p.x, 0));
    half(k, 1) = __float2half_rn(coordinate(p.y, 1));
    half(k, 2) = __float2half_rn(coordinate(p.z, 2));
  }
  __device__ void setNone(std::uint32_t k) {
    for (int axis = 0; axis < 3; ++axis) half(k, axis) = __float2half_rn(kNowhere);
  }

  const GcmcBoard& b_;
  const std::uint32_t room_, lane_, warp_;
  double* const sums_;
  int row_ = 0;
  uint4* const point_;  // the last word is not used
  __half* const half_;
  std::uint16_t* const kept_;  // of this lane: every 32nd
  const bool plain_;
  float scale_[3], edge_[3] = {}, limit_ = 1;
  std::uint32_t middle_[3] = {};
  GcmcBoardPlace place_{};
  std::uint32_t n_ = 0;
  std::uint32_t others_ = 0, end_ = 0;  // places of the first of the others, and after the last
  bool direct_ = false;                 // there is no room for the others
  float mostOthers_ = 0;                // of all warps, at most
};

}  // namespace GCMC_TYPES
}  // namespace cellscope
