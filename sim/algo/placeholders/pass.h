// The pass over placeholder cells (S2, section 3.1), as a team in phases: one team per cell c_0,
// one thread per slot. For c_0 itself and then each cell c_n around it the threads load one slot of
// c_n each into shared memory, and then go through all of them: forces on the particle of their own
// slot, and, fused into the same pass since the data are there, the new contents of c_0, written to
// the other buffer: what stays of c_0 first, then what came in from its neighbours. No two teams
// write to the same cell.
//
// Deviations. A thread that loaded a particle of c_0 counts those before it and writes it by
// itself; in S2 one thread alone goes through them: order and result are the same. `everySlot`:
// placeholders take part in the computation as in S2; otherwise the loops end after the particles
// of a cell, which come first, with the same sums.
#pragma once
#include "sim/algo/all_pairs/tile_forces.h"
#include "sim/algo/placeholders/cells.h"

namespace cellscope {

enum class CellWork {
  forces,          // and the update of the cells
  terms,           // energies and virials
  forcesAndTerms,  // both, and the update; the forces are the same bits
  cells            // the update alone, where some particle is too far outside its cell
};

template <class Law, CellWork work>
struct CellPass {
  Law law;
  CellGrid grid;
  std::uint32_t slots;
  RecordBox box;
  const SlotRecord* now;
  const std::uint32_t* filled;
  SlotRecord* next;  // not with `terms`
  std::uint32_t* nextFilled;
  Vec4* force;  // by number of the particle
  Vec2* terms;  // half of the energy and virial of each pair
  PlaceholderControl* control;
  std::uint64_t step;
  bool everySlot;
  int from = 0;  // cell of the first team

  template <class Known>
  CellPass<Known, work> with(const Known& known) const {
    return {known,      grid,  slots, box,     now,  filled,    next,
            nextFilled, force, terms, control, step, everySlot, from};
  }

  static constexpr bool kUpdates = work != CellWork::terms;
  static constexpr bool kPairs = work != CellWork::cells;
  static constexpr bool kForces = work == CellWork::forces || work == CellWork::forcesAndTerms;
  static constexpr bool kTerms = work == CellWork::terms || work == CellWork::forcesAndTerms;

  struct Shared {
    std::uint32_t found[2];  // particles of c_0 in c_n, of even and odd n
  };
  struct Private {
    SlotRecord own;
    RunningSums<float> sums;
    std::uint32_t placed;  // in the new c_0 so far
    bool comes;            // the particle that this thread loaded belongs to c_0
  };
  // Of `dynamic`.
  static std::size_t sharedBytes(std::uint32_t slots) {
    return slots * (sizeof(SlotRecord) + sizeof(std::uint32_t));
  }
  HOST_DEVICE SlotRecord* loaded(std::byte* dynamic) const {
    return reinterpret_cast<SlotRecord*>(dynamic);
  }
  HOST_DEVICE std::uint32_t* coming(std::byte* dynamic) const {
    return reinterpret_cast<std::uint32_t*>(dynamic + slots * sizeof(SlotRecord));
  }

  HOST_DEVICE int neighbours() const { return box.dimension == 3 ? 27 : 9; }
  HOST_DEVICE std::uint64_t moment() const {
    return work == CellWork::cells ? beforeForces(step) : withForces(step);
  }
  HOST_DEVICE bool idle() const {
    if constexpr (work == CellWork::cells) return !control->refreshDue(step);
    if constexpr (kForces) return !control->reaches(moment());
    return false;
  }
  HOST_DEVICE int phases(int) const { return idle() ? 0 : 2 * neighbours() + 2; }

  // Cell c_n of c_0 = team: c_0 first.
  HOST_DEVICE std::size_t cell(int team, int n) const {
    const int middle = neighbours() / 2;
    const int k = n == 0 ? middle : (n <= middle ? n - 1 : n);
    const int nx = grid.cells[0], ny = grid.cells[1], nz = grid.cells[2];
    const int x = wrappedCell(team % nx + k % 3 - 1, nx);
    const int y = wrappedCell(team / nx % ny + k / 3 % 3 - 1, ny);
    const int z = box.dimension == 3 ? wrappedCell(team / (nx * ny) + k / 9 - 1, nz) : 0;
    return static_cast<std::size_t>(grid.index(x, y, z));
  }

  HOST_DEVICE void phase(int p, int number, int thread, Shared& shared, Private& mine,
                         std::byte* dynamic) const {
    const auto slot = static_cast<std::uint32_t>(thread);
    const int team = from + number;
    if (p == 0) {
      mine.own = now[static_cast<std::size_t>(team) * slots + slot];
      if (thread == 0) shared.found[0] = 0;
    } else if (p == 2 * neighbours() + 1) {
      finish(team, slot, mine);
    } else if (p % 2 == 1) {
      load(team, (p - 1) / 2, slot, shared, mine, dynamic);
    } else {
      use(team, (p - 1) / 2, slot, shared, mine, dynamic);
    }
  }

  HOST_DEVICE void load(int team, int n, std::uint32_t slot, Shared& shared, Private& mine,
                        std::byte* dynamic) const {
    const SlotRecord r = now[cell(team, n) * slots + slot];
    loaded(dynamic)[slot] = r;
    if constexpr (kUpdates) {
      mine.comes = r.real() && grid.indexOf({r.x, r.y, r.z, 0}) == team;
      coming(dynamic)[slot] = mine.comes ? 1 : 0;
      if (mine.comes) exec::addShared(&shared.found[n % 2], 1u);
    }
  }

  HOST_DEVICE void use(int team, int n, std::uint32_t slot, Shared& shared, Private& mine,
                       std::byte* dynamic) const {
    if constexpr (kUpdates) {
      if (mine.comes) {
        std::uint32_t place = mine.placed;
        for (std::uint32_t k = 0; k < slot; ++k) place += coming(dynamic)[k];
        if (place < slots)
          next[static_cast<std::size_t>(team) * slots + place] = loaded(dynamic)[slot];
      }
      mine.placed += shared.found[n % 2];
      if (slot == 0) shared.found[(n + 1) % 2] = 0;
    }
    if constexpr (kPairs) {
      if (!everySlot && !mine.own.real()) return;
      const std::uint32_t last = everySlot ? slots : filled[cell(team, n)];
      addPairs(loaded(dynamic), last, n == 0 ? slot : slots, mine);
    }
  }

  // With the first `last` slots of a cell but for slot `self`.
  HOST_DEVICE void addPairs(const SlotRecord* with, std::uint32_t last, std::uint32_t self,
                            Private& mine) const {
    const SlotRecord p = mine.own;
    RunningSums<float> s = mine.sums;
    for (std::uint32_t k = 0; k < last; ++k) {
      const SlotRecord q = with[k];
      const float dx = box.difference(p.x, q.x, 0), dy = box.difference(p.y, q.y, 1);
      const float dz = box.dimension == 3 ? box.difference(p.z, q.z, 2) : 0.0f;
      const float r2 = dx * dx + dy * dy + dz * dz;
      const auto& pair = law.of(p.type(), q.type());
      if (r2 < pair.cutoffSquared && k != self) {
        if constexpr (kForces && kTerms)
          s.addApart(pair, dx, dy, dz, r2);
        else
          s.add(pair, dx, dy, dz, r2);
      }
    }
    mine.sums = s;
  }

  HOST_DEVICE void finish(int team, std::uint32_t slot, const Private& mine) const {
    if constexpr (kUpdates) {
      if (slot >= mine.placed) next[static_cast<std::size_t>(team) * slots + slot] = placeholder();
      if (slot == 0) {
        nextFilled[team] = mine.placed < slots ? mine.placed : slots;
        if (mine.placed > slots) {
          exec::maxGlobal(&control->needed, mine.placed);
          exec::minGlobal(&control->stop, moment());
        }
      }
    }
    if (!mine.own.real()) return;
    const RunningSums<float>& s = mine.sums;
    if constexpr (kForces) force[mine.own.number()] = {s.fx, s.fy, s.fz, 0};
    if constexpr (kTerms) terms[mine.own.number()] = {0.5f * s.energy, 0.5f * s.virial};
  }
};

// The pass over placeholder cells with a part left out, to be timed: nothing comes of it.

// Loads the cells around each and, with records, goes through their slots without arithmetic.
template <bool records>
struct CellWalk {
  CellPass<NoLaw, CellWork::terms> cells;

  struct Shared {};
  struct Private {
    SlotRecord own;
    ReadOnly read;
  };

  HOST_DEVICE int phases(int) const { return 2 * cells.neighbours() + 2; }
  HOST_DEVICE void phase(int p, int team, int thread, Shared&, Private& mine,
                         std::byte* dynamic) const {
    SlotRecord* const loaded = cells.loaded(dynamic);
    const int n = (p - 1) / 2;
    if (p == 0) {
      mine.own =
          cells
              .now[static_cast<std::size_t>(team) * cells.slots + static_cast<std::size_t>(thread)];
    } else if (p == 2 * cells.neighbours() + 1) {
      mine.read.end();
    } else if (p % 2 == 1) {
      loaded[thread] =
          cells.now[cells.cell(team, n) * cells.slots + static_cast<std::size_t>(thread)];
    } else if (records && (cells.everySlot || mine.own.real())) {
      const std::uint32_t last = cells.everySlot ? cells.slots : cells.filled[cells.cell(team, n)];
      for (std::uint32_t k = 0; k < last; ++k)
        mine.read.take(loaded[k].x, loaded[k].y, loaded[k].z);
    } else {
      mine.read.take(loaded[thread].x, 0, 0);
    }
  }
};

}  // namespace cellscope
