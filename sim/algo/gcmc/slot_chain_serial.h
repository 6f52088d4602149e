// The chain by slot on one CPU thread, one move after another: the oracle of moves in flight.
#pragma once
#include <cstdint>

#include "sim/algo/gcmc/chain_simd.h"
#include "sim/algo/gcmc/flight.h"
#include "sim/algo/gcmc/near_cells.h"

namespace cellscope {

// Sum of pair energies of a particle at a point with all that are there, vectorised.
class GcmcSlotEnergy {
 public:
  GcmcSlotEnergy() = default;
  GcmcSlotEnergy(const GcmcSlotCells& p, const Box& box, const GcmcCellFunctions& functions)
      : pair_(p.rules.pair),
        words_(gcmcCellsInRow(p.word, p.filled, p.capacity)),
        energy_(functions.energy) {
    std::uint32_t count[3];
    double width[3];
    for (int k = 0; k < 3; ++k) {
      count[k] = static_cast<std::uint32_t>(p.cube.count[k]);
      width[k] = box.length[k] / p.cube.count[k];
    }
    near_ = GcmcNearCells(box.dimension, count, width, pair_.cutoffSquared);
  }
  // The cells with a point within the cutoff; the own one without a cutoff.
  struct Near {
    std::uint32_t cell[27];
    int count;
  };
  Near near(GcmcPoint at) const {
    Near n;
    n.count = near_.find(at, n.cell);
    return n;
  }
  // Of two points in one cell.
  Near near(GcmcPoint at, GcmcPoint other) const {
    Near n;
    n.count = near_.find(at, other, n.cell);
    return n;
  }
  double operator()(const Near& near, GcmcPoint at) const {
    return pair_.cutoffSquared > 0 ? energy_(pair_, words_, near.cell, near.count, at) : 0;
  }
  double operator()(GcmcPoint at) const {
    return pair_.cutoffSquared > 0 ? (*this)(near(at), at) : 0;
  }
  double without(GcmcPoint at, GcmcPoint self) const {
    return (*this)(at)-gcmcPairAt(pair_, at, self);
  }

 private:
  GcmcPair pair_{};
  GcmcCellWords words_{};
  GcmcEnergyFunction energy_ = nullptr;
  GcmcNearCells near_;
};

class GcmcSlotSerial {
 public:
  GcmcSlotSerial(const GcmcFlights& g, const GcmcSlotEnergy& energy)
      : p_(g.p), g_(g), h_(*g.head), energy_(energy) {}

  // The moves of one turn.
  void turn() {
    h_.factors = gcmcSlotFactors(p_, h_.move, h_.n);
    for (std::uint64_t k = 0; k < g_.turn; ++k, ++h_.move) {
      const GcmcSlotDraw d = gcmcSlotDraw(p_, h_.move);
      GcmcFlight& f = g_.flight[k];
      f = {};
      f.kind = static_cast<std::uint8_t>(d.kind);
      f.cell[0] = f.cell[1] = d.cell, f.slot = d.slot;
      f.round = 1, f.settled = 1, f.id = -1;
      f.batch = static_cast<std::uint32_t>(k);
      if (d.kind != GcmcKind::insertion && d.slot >= p_.filled[d.cell]) {
        f.empty = 1;
        h_.counts.empty++;
        continue;
      }
      h_.counts.moves++;
      h_.counters.attempted[f.kind]++;
      const bool yes = d.kind == GcmcKind::insertion  ? insertion(d, f)
                       : d.kind == GcmcKind::deletion ? deletion(d, f)
                                                      : displacement(d, f);
      if (!yes) continue;
      f.accepted = 1;
      h_.counters.accepted[f.kind]++;
      h_.energy += f.change;
    }
    h_.stopped = h_.fullInTurn > 0 ? 1 : 0;
    h_.fullInTurn = 0;
  }

 private:
  bool full(std::uint32_t cell, GcmcFlight& f) {
    if (p_.filled[cell] < p_.slots) return false;
    f.full = 1;
    h_.counts.full++, h_.fullInTurn++;
    return true;
  }
  bool accepts(const GcmcSlotDraw& d, const GcmcFlight& f) const {
    return gcmcSlotAccepts(p_, h_.factors, d.kind, d.a, f.change);
  }
  bool insertion(const GcmcSlotDraw& d, GcmcFlight& f) {
    f.from = f.to = d.point;
    f.id = p_.idBase + static_cast<ParticleId>(h_.move);
    if (full(d.cell, f)) return false;
    f.change = energy_(d.point);
    if (!accepts(d, f)) return false;
    f.slot = p_.filled[d.cell];
    p_.add(d.cell, d.point, f.id);
    h_.n++;
    return true;
  }
  void find(const GcmcSlotDraw& d, GcmcFlight& f) const {
    f.from = f.to = p_.point(d.cell, d.slot);
    f.id = p_.id[p_.idAt(d.cell, d.slot)];
  }
  bool deletion(const GcmcSlotDraw& d, GcmcFlight& f) {
    find(d, f);
    f.change = -energy_.without(f.from, f.from);
    if (!accepts(d, f)) return false;
    p_.remove(d.cell, d.slot);
    h_.n--;
    return true;
  }
  bool displacement(const GcmcSlotDraw& d, GcmcFlight& f) {
    find(d, f);
    f.to = gcmcSlotDisplaced(p_, d.point, f.from);
    f.cell[1] = p_.cube.cellOf(f.to);
    const bool leaves = f.cell[1] != d.cell;
    if (leaves && full(f.cell[1], f)) return false;
    f.change = energy_.without(f.to, f.from) - energy_.without(f.from, f.from);
    if (!accepts(d, f)) return false;
    if (leaves) {
      p_.remove(d.cell, d.slot);
      p_.add(f.cell[1], f.to, f.id);
    } else {
      p_.put(d.cell, d.slot, f.to);
    }
    return true;
  }

  const GcmcSlotCells& p_;
  const GcmcFlights& g_;
  GcmcFlightHead& h_;
  const GcmcSlotEnergy& energy_;
};

}  // namespace cellscope
