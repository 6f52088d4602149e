// The parallel work of the checkerboard: turns, binning into the shifted grid, sums.
#pragma once
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <numbers>

#include "sim/algo/gcmc/board.h"

namespace cellscope {

// Before a turn, by one thread: its colour, and a normal deviate for the tail correction.
struct GcmcBoardBegin {
  GcmcBoard b;
  HOST_DEVICE void operator()(std::size_t) const {
    GcmcBoardHead& h = *b.head;
    if (b.idle()) return;
    h.colour = gcmcBoardColour(b, h.turn);
    h.y = 0;
    const double a = -b.rules.beta * b.rules.tail;
    if (!(a > 0)) return;
    const Random4 r =
        draw(b.rules.key, RngPurpose::gcmcMove, h.turn, b.rules.chain, kBoardTailBlock);
    const double radius = sqrt(-2.0 * log(uniformOpen(r.w[0], r.w[1])));
    const double deviate = radius * cos(2.0 * std::numbers::pi * uniformOpen(r.w[2], r.w[3]));
    h.y = 2.0 * a * h.n + sqrt(2.0 * a) * deviate;
  }
};

// The attempts of active cell i.
struct GcmcBoardTurn {
  GcmcBoard b;
  HOST_DEVICE void operator()(std::size_t i) const {
    if (b.idle()) return;
    const std::uint64_t turn = b.head->turn;
    GcmcBoardCell cell(b, gcmcBoardPlace(b, b.head->colour, i));
    const std::uint64_t first = turn * b.movesOfTurn() + i * b.attempts;
    int attempts = b.attempts;
    if (b.experiment == GcmcBoardExperiment::attemptsByCount && attempts > 0) {
      const auto wanted = static_cast<int>(1 + cell.count());
      attempts = wanted < attempts ? wanted : attempts;
    }
    if (b.experiment == GcmcBoardExperiment::skipEmpty && cell.count() == 0) attempts = 0;
    for (int k = 0; k < attempts; ++k) cell.attempt(first + k);
    cell.end();
  }
};

struct GcmcBoardEndTurn {
  GcmcBoard b;
  HOST_DEVICE void operator()(std::size_t) const {
    if (!b.idle()) b.head->turn++;
  }
};

// Whether the grid is to be shifted before the next turn: at the beginning of a sweep.
HOST_DEVICE bool gcmcBoardShifts(const GcmcBoard& b) {
  return !b.idle() && b.head->turn % b.colours() == 0;
}
HOST_DEVICE void gcmcBoardShift(const GcmcBoard& b, std::uint32_t* shift) {
  const std::uint64_t sweep = b.head->turn / b.colours();
  const Random4 r = draw(b.rules.key, RngPurpose::gcmcMove, sweep, b.rules.chain, kBoardShiftBlock);
  for (int k = 0; k < 3; ++k) shift[k] = k < b.rules.dimension ? r.w[k] : 0;
}

// Empties cell i of the spare buffer.
struct GcmcBoardClear {
  GcmcBoard b;
  HOST_DEVICE void operator()(std::size_t i) const {
    if (gcmcBoardShifts(b)) b.buffer[1 - b.head->current].filled[i] = 0;
    if (i == 0) b.head->most = 0;
  }
};

// Particles of cell i to their cells in the grid of the next sweep, in any order.
struct GcmcBoardBin {
  GcmcBoard b;
  HOST_DEVICE void operator()(std::size_t i) const {
    if (!gcmcBoardShifts(b)) return;
    std::uint32_t shift[3];
    gcmcBoardShift(b, shift);
    const GcmcBoardCells from = b.buffer[b.head->current], to = b.buffer[1 - b.head->current];
    const auto cell = static_cast<std::uint32_t>(i);
    for (std::uint32_t k = 0; k < from.filled[cell]; ++k) {
      const std::size_t old = b.at(cell, k);
      const GcmcPoint p{from.x[old], from.y[old], from.z[old]};
      const std::uint32_t home = b.cube.cellOf({p.x - shift[0], p.y - shift[1], p.z - shift[2]});
      const std::uint32_t place = exec::addGlobal(to.filled + home, 1);
      exec::maxGlobal(&b.head->most, place + 1);
      if (place >= b.capacity) continue;
      const std::size_t at = b.at(home, place);
      to.x[at] = p.x, to.y[at] = p.y, to.z[at] = p.z, to.id[at] = from.id[old];
    }
  }
};

// Orders the new cell i by id: the order of threads leaves no trace.
struct GcmcBoardSort {
  GcmcBoard b;
  HOST_DEVICE void operator()(std::size_t i) const {
    if (!gcmcBoardShifts(b)) return;
    const GcmcBoardCells c = b.buffer[1 - b.head->current];
    const auto cell = static_cast<std::uint32_t>(i);
    const std::uint32_t n = c.filled[cell] < b.capacity ? c.filled[cell] : b.capacity;
    for (std::uint32_t k = 1; k < n; ++k)
      for (std::uint32_t j = k; j > 0 && c.id[b.at(cell, j - 1)] > c.id[b.at(cell, j)]; --j)
        exchange(c, b.at(cell, j - 1), b.at(cell, j));
  }

 private:
  template <class T>
  HOST_DEVICE static void exchange(T* a, std::size_t i, std::size_t j) {
    const T kept = a[i];
    a[i] = a[j], a[j] = kept;
  }
  HOST_DEVICE static void exchange(const GcmcBoardCells& c, std::size_t i, std::size_t j) {
    exchange(c.x, i, j), exchange(c.y, i, j), exchange(c.z, i, j), exchange(c.id, i, j);
  }
};

// Takes the new grid over when every cell has room for a turn of insertions; else stops.
struct GcmcBoardTake {
  GcmcBoard b;
  HOST_DEVICE void operator()(std::size_t) const {
    if (!gcmcBoardShifts(b)) return;
    GcmcBoardHead& h = *b.head;
    if (h.most + static_cast<std::uint32_t>(b.attempts) > b.capacity) {
      h.stopped = 1;
      return;
    }
    gcmcBoardShift(b, h.shift);
    h.current = 1 - h.current;
  }
};

// Energy and virial of cell i: pairs of its particles with those of lower (cell, entry) around it.
struct GcmcBoardSums {
  GcmcBoard b;
  HOST_DEVICE GcmcSums operator()(std::size_t i) const {
    GcmcSums sums;
    const GcmcBoardCells c = b.buffer[b.head->current];
    const auto own = static_cast<std::uint32_t>(i);
    for (std::uint32_t k = 0; k < c.filled[own]; ++k) {
      const GcmcPoint p = point(c, own, k);
      const GcmcPoint inGrid = b.fromGrid(p);
      for (int j = 0; j < b.cube.cells(); ++j) {
        const std::uint32_t cell = gcmcCubeCell(b.cube, inGrid, j).cell;
        if (cell > own) continue;
        const std::uint32_t end = cell == own ? k : c.filled[cell];
        for (std::uint32_t e = 0; e < end; ++e) add(p, point(c, cell, e), sums);
      }
    }
    return sums;
  }
  // Of one more particle.
  HOST_DEVICE double at(GcmcPoint p) const {
    double u = 0;
    const GcmcBoardCells c = b.buffer[b.head->current];
    for (int j = 0; j < b.cube.cells(); ++j) {
      const std::uint32_t cell = gcmcCubeCell(b.cube, b.fromGrid(p), j).cell;
      for (std::uint32_t e = 0; e < c.filled[cell]; ++e)
        u += gcmcPairAt(b.rules.pair, p, point(c, cell, e));
    }
    return u;
  }

 private:
  HOST_DEVICE GcmcPoint point(const GcmcBoardCells& c, std::uint32_t cell, std::uint32_t k) const {
    const std::size_t i = b.at(cell, k);
    return {c.x[i], c.y[i], c.z[i]};
  }
  HOST_DEVICE void add(GcmcPoint p, GcmcPoint q, GcmcSums& sums) const {
    const float r2 = gcmcDistance2(b.rules.pair, p, q);
    if (!(r2 < b.rules.pair.cutoffSquared)) return;
    sums.energy += gcmcPairEnergy(b.rules.pair, r2);
    sums.virial += gcmcPairVirial(b.rules.pair, r2);
  }
};

struct GcmcBoardEnergyAt {
  GcmcBoardSums sums;
  const GcmcPoint* point;
  double* energy;
  HOST_DEVICE void operator()(std::size_t i) const { energy[i] = sums.at(point[i]); }
};

// Changes of the head by the host, in the order of the other work.
struct GcmcBoardAsk {
  GcmcBoardHead* head;
  std::uint64_t end;
  HOST_DEVICE void operator()(std::size_t) const {
    head->end = end;
    head->stopped = 0;
  }
};

}  // namespace cellscope
