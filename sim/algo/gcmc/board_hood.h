// What is around an active cell of the checkerboard, on the CPU: the particles within reach of the
// cell and those in it, gathered once for all attempts of a turn, so that energies are sums over
// two contiguous arrays.
#pragma once
#include <cstdint>
#include <vector>

#include "sim/algo/gcmc/board.h"
#include "sim/algo/gcmc/chain_simd.h"
#include "sim/algo/gcmc/trace.h"

namespace cellscope {

class GcmcBoardHood {
 public:
  GcmcBoardHood(const GcmcBoard& b, const GcmcCellFunctions& functions)
      : b_(b), functions_(functions) {}

  void gather(const GcmcBoardPlace& place, const GcmcBoardSpan& span) {
    cell_ = place.cell, place_ = place;
    makeRoom(place);
    filled_[kOwn] = b_.held.filled[cell_], filled_[kOthers] = 0;
    for (std::uint32_t k = 0; k < filled_[kOwn]; ++k) set(kOwn, k, b_.point(b_.held, cell_, k));
    for (int j = 0; j < gcmcBoardNeighbours(b_); ++j) {
      const std::uint32_t cell = gcmcBoardNeighbour(b_, place, j);
      if (cell == cell_) continue;
      for (std::uint32_t k = 0; k < b_.held.filled[cell]; ++k) {
        const GcmcPoint p = b_.point(b_.held, cell, k);
        if (!gcmcBoardBeyond(b_, span, p)) set(kOthers, filled_[kOthers]++, p);
      }
    }
  }

  std::uint32_t lane() const { return 0; }
  std::uint32_t count() const { return filled_[kOwn]; }
  GcmcPoint own(std::uint32_t k) const {
    return {word_[k], word_[capacity_ + k], word_[2 * std::size_t{capacity_} + k]};
  }
  void put(std::uint32_t k, GcmcPoint p) {
    set(kOwn, k, p);
    b_.put(b_.held, cell_, k, p);
  }
  void insert(GcmcPoint p, ParticleId id) {
    const std::uint32_t k = filled_[kOwn]++;
    put(k, p);
    b_.held.id[b_.idAt(cell_, k)] = id;
    b_.held.filled[cell_] = filled_[kOwn];
  }
  void erase(std::uint32_t k) {
    const std::uint32_t last = --filled_[kOwn];
    put(k, own(last));
    b_.held.id[b_.idAt(cell_, k)] = b_.held.id[b_.idAt(cell_, last)];
    b_.held.filled[cell_] = last;
  }

  // Of recording instances: cell after cell, as gathered.
  template <class Visit, class Pair>
  void forReads(const GcmcBoardSpan& span, const Visit& visit, const Pair& pair) const {
    for (int j = 0; j < gcmcBoardNeighbours(b_); ++j) {
      const std::uint32_t cell = gcmcBoardNeighbour(b_, place_, j);
      visit(cell, GcmcReader{0, 0, j, 1, true});
      for (std::uint32_t k = 0; k < b_.held.filled[cell]; ++k)
        if (cell == cell_ || !gcmcBoardBeyond(b_, span, b_.point(b_.held, cell, k)))
          pair(cell, k, 0u);
    }
  }
  double energy(GcmcPoint p, std::uint32_t self) const {
    static constexpr std::uint32_t kBoth[] = {kOwn, kOthers};
    const double u = functions_.energy(b_.rules.pair, words(), kBoth, 2, p);
    return self == kGcmcBoardNobody ? u : u - gcmcPairAt(b_.rules.pair, p, own(self));
  }
  double change(GcmcPoint from, GcmcPoint to, std::uint32_t self) const {
    return energy(to, self) - energy(from, self);
  }
  // No pair has less than -1: the own cell may be enough.
  bool tooHigh(GcmcPoint p, float limit) const {
    static constexpr std::uint32_t kFirst[] = {kOwn};
    const double u = functions_.energy(b_.rules.pair, words(), kFirst, 1, p);
    return u - 1.001 * filled_[kOthers] > limit;
  }

 private:
  static constexpr std::uint32_t kOwn = 0, kOthers = 1;
  GcmcCellWords words() const { return gcmcCellsInRow(word_.data(), filled_, capacity_); }
  void set(std::uint32_t part, std::uint32_t k, GcmcPoint p) {
    std::uint32_t* w = &word_[3 * std::size_t{part} * capacity_ + k];
    w[0] = p.x, w[capacity_] = p.y, w[2 * std::size_t{capacity_}] = p.z;
  }
  void makeRoom(const GcmcBoardPlace& place) {
    std::uint32_t most = b_.capacity;
    for (int j = 0; j < gcmcBoardNeighbours(b_); ++j)
      most += b_.held.filled[gcmcBoardNeighbour(b_, place, j)];
    most = (most + 15) / 16 * 16;
    if (most <= capacity_) return;
    capacity_ = most;
    word_.assign(6 * std::size_t{most}, 0);
  }

  const GcmcBoard& b_;
  const GcmcCellFunctions functions_;
  std::uint32_t cell_ = 0, capacity_ = 0;
  GcmcBoardPlace place_{};
  std::uint32_t filled_[2] = {0, 0};
  std::vector<std::uint32_t> word_;  // two cells as of gcmcCellsInRow(): own, others
};

}  // namespace cellscope
