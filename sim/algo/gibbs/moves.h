// Many moves of many pairs of boxes in one launch, a team for each pair: its threads share the
// particles of a trial, then one of them decides. Positions are in `dynamic` (CUDA: shared memory)
// from the first phase to the last. Decisions are the same for any number of threads, as sums of
// energies are exact; a CPU has teams of one thread, whose sums are vectorised.
#pragma once
#include "sim/algo/gcmc/chain_simd.h"
#include "sim/base/host_device.h"
#include "sim/core/gibbs_rules.h"

namespace cellscope {

// Words of the positions of `stride` slots: all x, then y, then z.
struct GibbsPoints {
  std::uint32_t* word;
  std::uint32_t stride;

  HOST_DEVICE GcmcPoint operator[](std::uint32_t slot) const {
    return {word[slot], word[stride + slot], word[2 * stride + slot]};
  }
  HOST_DEVICE void set(std::uint32_t slot, GcmcPoint p) const {
    word[slot] = p.x, word[stride + slot] = p.y, word[2 * stride + slot] = p.z;
  }
};

// All pairs of boxes, one after the other, in the memory of the backend.
struct GibbsArrays {
  std::uint32_t n = 0, stride = 0;
  std::uint32_t* word = nullptr;  // 3 stride of each
  std::uint32_t* id = nullptr;    // n of each, by slot
  GibbsHead* head = nullptr;
  const GibbsRules* rules = nullptr;
  GcmcCellFunctions functions{};  // of the CPU
};

// In memory that is shared without being initialised.
template <class T>
struct InShared {
  alignas(T) std::byte room[sizeof(T)];
  HOST_DEVICE T& value() { return reinterpret_cast<T&>(room); }
};

// Sums of the threads of a team. A thread hands in each sum once a phase.
struct GibbsSums {
  static constexpr int kMostWarps = 32;
  double part[2][kMostWarps];

  HOST_DEVICE void add(int which, int thread, double value) {
#ifdef __CUDA_ARCH__
    for (int step = 16; step > 0; step /= 2) value += __shfl_xor_sync(0xffffffffu, value, step);
    if (thread % 32 == 0) part[which][thread / 32] = value;
#else
    double& sum = part[which][thread / 32];
    sum = thread % 32 == 0 ? value : sum + value;
#endif
  }
  HOST_DEVICE double total(int which, int threads) const {
    double sum = 0;
    for (int w = 0; 32 * w < threads; ++w) sum += part[which][w];
    return sum;
  }
};

// This thread's share of sums over slots.
struct GibbsShare {
  const GibbsArrays& a;
  GibbsPoints points;
  int thread, threads;

  // Of the CPU: what the function sums over these slots.
  template <class Function>
  auto sumOf(Function f, const GcmcPair& law, GcmcPoint p, std::uint32_t first,
             std::uint32_t end) const {
    const std::uint32_t count = end - first, cell = 0;
    return f(law, {points.word + first, &count, 0, 16, points.stride}, &cell, 1, p);
  }
  // Pair energies of p with the slots from `first` to `end`, all but `self`.
  HOST_DEVICE double energy(const GcmcPair& law, GcmcPoint p, std::uint32_t first,
                            std::uint32_t end, std::uint32_t self) const {
#ifndef __CUDA_ARCH__
    if (threads == 1 && a.functions.energy) {
      double u = sumOf(a.functions.energy, law, p, first, end);
      if (self >= first && self < end) u -= gcmcPairAt(law, p, points[self]);  // exactly
      return u;
    }
#endif
    double u = 0;
    for (std::uint32_t j = first + thread; j < end; j += threads)
      if (j != self) u += gcmcPairAt(law, p, points[j]);
    return u;
  }

  // The same of two places of a particle, which is `self`.
  HOST_DEVICE void energies(const GcmcPair& law, GcmcPoint p, GcmcPoint q, std::uint32_t first,
                            std::uint32_t end, std::uint32_t self, double& ofP, double& ofQ) const {
#ifdef __CUDA_ARCH__
    for (std::uint32_t j = first + thread; j < end; j += threads) {
      if (j == self) continue;
      const GcmcPoint other = points[j];
      ofP += gcmcPairAt(law, p, other), ofQ += gcmcPairAt(law, q, other);
    }
#else
    ofP = energy(law, p, first, end, self), ofQ = energy(law, q, first, end, self);
#endif
  }

  // f(i, first, end) for rows of the pairs of the slots from `first` to `end`: each pair once. Row
  // i has the half of the others that follows it around a ring, in up to two ranges.
  template <class F>
  HOST_DEVICE void rows(std::uint32_t first, std::uint32_t end, const F& f) const {
    const std::uint32_t n = end - first;
    for (std::uint32_t i = thread; i < n; i += threads) {
      const std::uint32_t partners = n % 2 == 1 || i < n / 2 ? n / 2 : n / 2 - 1;
      const std::uint32_t last = i + 1 + partners;
      f(first + i, first + i + 1, first + (last < n ? last : n));
      if (last > n) f(first + i, first, first + last - n);
    }
  }
  HOST_DEVICE double pairEnergy(const GcmcPair& law, std::uint32_t first, std::uint32_t end) const {
    double u = 0;
    const GibbsShare whole{a, points, 0, 1};
    rows(first, end, [&](std::uint32_t i, std::uint32_t from, std::uint32_t to) {
      u += whole.energy(law, points[i], from, to, ~0u);
    });
    return u;
  }
  HOST_DEVICE GcmcEnergyVirial pairSums(const GcmcPair& law, std::uint32_t first,
                                        std::uint32_t end) const {
    GcmcEnergyVirial s{0, 0};
    rows(first, end, [&](std::uint32_t i, std::uint32_t from, std::uint32_t to) {
#ifndef __CUDA_ARCH__
      if (a.functions.both) {
        const GcmcEnergyVirial more = sumOf(a.functions.both, law, points[i], from, to);
        s = {s.energy + more.energy, s.virial + more.virial};
        return;
      }
#endif
      for (std::uint32_t j = from; j < to; ++j) {
        const float r2 = gcmcDistance2(law, points[i], points[j]);
        if (!(r2 < law.cutoffSquared)) continue;
        s.energy += gcmcPairEnergy(law, r2);
        s.virial += gcmcPairVirial(law, r2);
      }
    });
    return s;
  }
};

// `moves` moves of each pair.
struct GibbsMoves {
  static constexpr int kAhead = 64;             // moves whose numbers are drawn at once
  static constexpr int kTurn = 1 + 2 * kAhead;  // phases: draw, then evaluate and decide each

  struct Shared {
    GibbsHead head;
    InShared<GibbsRules> rulesHeld;
    InShared<GibbsBox> boxHeld[2];
    GibbsDraw draw[kAhead];
    GibbsSums sums;
    HOST_DEVICE GibbsRules& rules() { return rulesHeld.value(); }
    HOST_DEVICE GibbsBox& box(int k) { return boxHeld[k].value(); }
  };
  struct Private {};

  GibbsArrays a;
  int moves, threads;

  // One that loads, those of the moves, one that stores.
  HOST_DEVICE int phases(int) const { return 2 + 2 * moves + (moves + kAhead - 1) / kAhead; }
  HOST_DEVICE void phase(int p, int team, int thread, Shared& s, Private&,
                         std::byte* dynamic) const {
    const GibbsPoints points{reinterpret_cast<std::uint32_t*>(dynamic), a.stride};
    if (p == 0) return load(team, thread, s, points);
    if (p == phases(team) - 1) return store(team, thread, s, points);
    const int turn = (p - 1) / kTurn, at = (p - 1) % kTurn;
    if (at == 0) return drawAhead(turn * kAhead, thread, s);
    const GibbsDraw& d = s.draw[(at - 1) / 2];
    if (at % 2 == 1)
      evaluate(d, thread, s, points);
    else if (thread == 0)
      decide(d, team, s, points);
  }

 private:
  HOST_DEVICE void load(int team, int thread, Shared& s, GibbsPoints points) const {
    const std::size_t words = std::size_t{3} * a.stride;
    for (std::size_t k = thread; k < words; k += threads) points.word[k] = a.word[team * words + k];
    if (thread != 0) return;
    s.head = a.head[team], s.rules() = a.rules[team];
    setBoxes(s);
  }
  HOST_DEVICE void store(int team, int thread, Shared& s, GibbsPoints points) const {
    const std::size_t words = std::size_t{3} * a.stride;
    for (std::size_t k = thread; k < words; k += threads) a.word[team * words + k] = points.word[k];
    if (thread == 0) a.head[team] = s.head;
  }
  HOST_DEVICE static void setBoxes(Shared& s) {
    for (int k = 0; k < 2; ++k) s.box(k) = gibbsBox(s.rules(), s.head.share, k);
  }
  HOST_DEVICE void drawAhead(int done, int thread, Shared& s) const {
    for (int k = thread; k < kAhead && done + k < moves; k += threads)
      s.draw[k] = gibbsDraw(s.rules(), s.head.move + static_cast<std::uint64_t>(k));
  }

  // Of a displacement: its box, slot and new place. Of a transfer: slot of the particle that
  // leaves; ~0: its box is empty.
  HOST_DEVICE static int boxOf(const Shared& s, std::uint32_t slot) {
    return slot < s.head.n1 ? 0 : 1;
  }
  HOST_DEVICE static std::uint32_t leaving(Shared& s, const GibbsDraw& d) {
    const std::uint32_t n = s.head.count(s.rules(), d.from);
    return n == 0 ? ~0u : s.head.first(d.from) + scaleWord(d.choice, n);
  }

  // Sums: energies of a particle in its new and in its old place, or of both boxes.
  HOST_DEVICE void evaluate(const GibbsDraw& d, int thread, Shared& s, GibbsPoints points) const {
    const GibbsShare share{a, points, thread, threads};
    const auto end = [&](int box) { return box == 0 ? s.head.n1 : a.n; };
    double now = 0, before = 0;
    if (d.kind == GibbsKind::displacement1) {
      const std::uint32_t slot = scaleWord(d.choice, a.n);
      const int k = boxOf(s, slot);
      const GcmcPoint from = points[slot], to = gibbsDisplaced(s.rules(), d, from, s.box(k));
      share.energies(s.box(k).law, to, from, s.head.first(k), end(k), slot, now, before);
    } else if (d.kind == GibbsKind::transfer) {
      const int to = 1 - d.from;
      const std::uint32_t slot = leaving(s, d);
      now = share.energy(s.box(to).law, d.point, s.head.first(to), end(to), ~0u);
      if (slot != ~0u)
        before =
            share.energy(s.box(d.from).law, points[slot], s.head.first(d.from), end(d.from), slot);
    } else if (const std::uint32_t next = gibbsExchanged(s.rules(), d, s.head.share); next != 0) {
      now = share.pairEnergy(gibbsBox(s.rules(), next, 0).law, 0, s.head.n1);
      before = share.pairEnergy(gibbsBox(s.rules(), next, 1).law, s.head.n1, a.n);
    }
    s.sums.add(0, thread, now);
    s.sums.add(1, thread, before);
  }

  HOST_DEVICE void decide(const GibbsDraw& d, int team, Shared& s, GibbsPoints points) const {
    const double now = s.sums.total(0, threads), before = s.sums.total(1, threads);
    ++s.head.move;
    if (d.kind == GibbsKind::displacement1) return decideDisplacement(d, s, points, now - before);
    if (d.kind == GibbsKind::transfer) return decideTransfer(d, team, s, points, now, before);
    const std::uint32_t next = gibbsExchanged(s.rules(), d, s.head.share);
    const double energy[2] = {now, before};
    if (next == 0) ++s.head.walls;
    if (!count(s, GibbsKind::volume,
               next != 0 && d.a < gibbsExchange(s.rules(), s.head, next, energy)))
      return;
    s.head.share = next;
    s.head.energy[0] = now, s.head.energy[1] = before;
    setBoxes(s);
  }
  HOST_DEVICE static bool count(Shared& s, GibbsKind kind, bool accepted) {
    ++s.head.attempted[static_cast<int>(kind)];
    if (accepted) ++s.head.accepted[static_cast<int>(kind)];
    return accepted;
  }
  HOST_DEVICE void decideDisplacement(const GibbsDraw& d, Shared& s, GibbsPoints points,
                                      double change) const {
    const std::uint32_t slot = scaleWord(d.choice, a.n);
    const int box = boxOf(s, slot);
    if (!count(s, box == 0 ? GibbsKind::displacement1 : GibbsKind::displacement2,
               d.a < exp(-s.rules().beta * change)))
      return;
    points.set(slot, gibbsDisplaced(s.rules(), d, points[slot], s.box(box)));
    s.head.energy[box] += change;
  }
  HOST_DEVICE void decideTransfer(const GibbsDraw& d, int team, Shared& s, GibbsPoints points,
                                  double entering, double leavingEnergy) const {
    const int to = 1 - d.from;
    const std::uint32_t slot = leaving(s, d);
    const GibbsTransfer t =
        gibbsTransfer(s.rules(), s.box(d.from), s.box(to), s.head.count(s.rules(), d.from),
                      s.head.count(s.rules(), to), entering, leavingEnergy);
    ++s.head.insertions[to];
    s.head.inserted[to] += t.inserted;
    if (!count(s, GibbsKind::transfer, slot != ~0u && d.a < t.probability)) return;
    const std::uint32_t border = d.from == 0 ? s.head.n1 - 1 : s.head.n1;
    std::uint32_t* const id = a.id + static_cast<std::size_t>(team) * a.n;
    const std::uint32_t moved = id[slot];
    id[slot] = id[border], id[border] = moved;
    points.set(slot, points[border]);
    points.set(border, d.point);
    s.head.n1 = d.from == 0 ? border : border + 1;
    s.head.energy[to] += entering, s.head.energy[d.from] -= leavingEnergy;
  }
};

// Sums over the pairs of each box, from the positions.
struct GibbsMeasure {
  struct Shared {
    GibbsSums energy, virial;
  };
  struct Private {};

  GibbsArrays a;
  GcmcEnergyVirial* out;  // two of each pair of boxes
  int threads;

  HOST_DEVICE int phases(int) const { return 2; }
  HOST_DEVICE void phase(int p, int team, int thread, Shared& s, Private&) const {
    const GibbsRules& r = a.rules[team];
    const GibbsHead& h = a.head[team];
    for (int box = 0; box < 2; ++box) {
      if (p == 0) {
        const GibbsShare share{
            a, {a.word + std::size_t{3} * a.stride * team, a.stride}, thread, threads};
        const GcmcEnergyVirial sums = share.pairSums(gibbsBox(r, h.share, box).law, h.first(box),
                                                     h.first(box) + h.count(r, box));
        s.energy.add(box, thread, sums.energy);
        s.virial.add(box, thread, sums.virial);
      } else if (thread == 0) {
        out[2 * team + box] = {s.energy.total(box, threads), s.virial.total(box, threads)};
      }
    }
  }
};

}  // namespace cellscope
