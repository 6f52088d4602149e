#include <cstdlib>

#include "sim/algo/gcmc/flight_decide.h"
#include "sim/algo/gcmc/in_order_impl.h"
#include "sim/exec/cpu_exec.h"

namespace cellscope {

// The chain by slot on the CPU, one move after another: the oracle of moves in flight.

// Sum of pair energies of a particle at a point with all that are there, vectorised.
class GcmcSlotEnergy {
 public:
  GcmcSlotEnergy() = default;
  GcmcSlotEnergy(const GcmcSlotCells& p, const Box& box, const GcmcCellFunctions& functions)
      : pair_(p.rules.pair),
        words_(gcmcCellsInRow(p.word, p.filled, p.capacity)),
        energy_(functions.energy),
        near_(box, p.cube, pair_.reachSquared) {}
  // The cells with a point within the cutoff; the own one without a cutoff.
  const GcmcNearCells& near() const { return near_; }
  double operator()(const GcmcNearCells::Near& near, GcmcPoint at) const {
    return pair_.cutoffSquared > 0 ? energy_(pair_, words_, near.cell, near.count, at) : 0;
  }
  double operator()(GcmcPoint at) const {
    return pair_.cutoffSquared > 0 ? (*this)(near_.of(at), at) : 0;
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

// The moves of a turn, one after another. Several threads look at those of a window with the
// configuration before it; in their order, those near a change since then are looked at once more,
// and all are carried out.
class GcmcSlotTurn {
 public:
  GcmcSlotTurn(const GcmcFlights& g, const GcmcSlotEnergy& energy)
      : p_(g.p), g_(g), h_(*g.head), first_(h_.move), energy_(energy) {
    h_.factors = gcmcSlotFactors(p_, first_, h_.n);
  }

  void make(exec::CpuExec& exec) {
    if (g_.ahead && exec.threads() > 1)
      exec.phases(g_.turn / g_.most, parts_ = 2 * static_cast<std::size_t>(exec.threads()), *this);
    else
      for (std::uint64_t k = 0; k < g_.turn; ++k) look(k), carryOut(k);
    h_.move += g_.turn;
    h_.stopped = h_.fullInTurn > 0 ? 1 : 0;
    h_.fullInTurn = 0;
  }

  // A phased work (sim/exec/phases.h): a window in each phase.
  const char* name(std::size_t) const { return "moves in order"; }
  void part(std::size_t window, std::size_t part) {
    const std::uint64_t begin = window * g_.most;
    for (std::uint64_t k = part * g_.most / parts_; k < (part + 1) * g_.most / parts_; ++k)
      look(begin + k);
  }
  bool finish(std::size_t window) {
    for (std::uint64_t k = window * g_.most; k < (window + 1) * g_.most; ++k) {
      const GcmcFlight& f = g_.flight[k];
      if (disturbed(f.cell[0]) || disturbed(f.cell[1])) look(k);
      if (!carryOut(k)) continue;
      disturb(f.cell[0]);
      if (f.cell[1] != f.cell[0]) disturb(f.cell[1]);
    }
    h_.batch = h_.batch + 1 == 0 ? 1 : h_.batch + 1;
    return true;
  }

 private:
  // What becomes of a move in the present configuration.
  void look(std::uint64_t k) const {
    const GcmcSlotDraw d = gcmcSlotDraw(p_, first_ + k);
    GcmcFlight& f = g_.flight[k];
    f = gcmcDrawn(p_, d, first_ + k, k / g_.most);
    if (f.empty) return;
    const bool comes = d.kind == GcmcKind::insertion || f.cell[1] != d.cell;
    if (comes && p_.filled[f.cell[1]] == p_.slots) {
      f.full = 1;
      return;
    }
    if (d.kind == GcmcKind::insertion)
      f.change = energy_(f.to);
    else if (d.kind == GcmcKind::deletion)
      f.change = -energy_.without(f.from, f.from);
    else
      f.change = energy_.without(f.to, f.from) - energy_.without(f.from, f.from);
    f.accepted = gcmcSlotAccepts(p_, h_.factors, d.kind, d.a, f.change) ? 1 : 0;
  }
  // Whether it has changed the configuration.
  bool carryOut(std::uint64_t k) const {
    GcmcFlight& f = g_.flight[k];
    if (f.empty) {
      h_.counts.empty++;
      return false;
    }
    h_.counts.moves++;
    h_.counters.attempted[f.kind]++;
    if (f.full) h_.counts.full++, h_.fullInTurn++;
    if (!f.accepted) return false;
    h_.counters.accepted[f.kind]++;
    h_.energy += f.change;
    if (f.kind == static_cast<std::uint8_t>(GcmcKind::insertion))
      ++h_.n;
    else if (f.kind == static_cast<std::uint8_t>(GcmcKind::deletion))
      --h_.n;
    gcmcApply(p_, f.cell[0], f);
    if (f.cell[1] != f.cell[0]) gcmcApply(p_, f.cell[1], f);
    return true;
  }

  // Cells around a change of this window are marked in place of lists of its moves.
  bool disturbed(std::uint32_t cell) const {
    return g_.first[2 * std::size_t{cell}] >> 32 == h_.batch;
  }
  void disturb(std::uint32_t cell) const {
    const GcmcCube& c = p_.cube;
    const auto nx = static_cast<std::uint32_t>(c.count[0]),
               ny = static_cast<std::uint32_t>(c.count[1]);
    const int at[3] = {static_cast<int>(cell % nx), static_cast<int>(cell / nx % ny),
                       static_cast<int>(cell / nx / ny)};
    const auto wrapped = [&](int i, int axis) {
      return i < 0 ? i + c.count[axis] : i >= c.count[axis] ? i - c.count[axis] : i;
    };
    const int deep = p_.rules.dimension == 3 ? 1 : 0;
    for (int z = -deep; z <= deep; ++z)
      for (int y = -1; y <= 1; ++y)
        for (int x = -1; x <= 1; ++x)
          g_.first[2 * std::size_t{c.number(wrapped(at[0] + x, 0), wrapped(at[1] + y, 1),
                                            wrapped(at[2] + z, 2))}] =
              std::uint64_t{h_.batch} << 32 | kNoEntry;
  }

  const GcmcSlotCells& p_;
  const GcmcFlights& g_;
  GcmcFlightHead& h_;
  const std::uint64_t first_;  // number of the first move
  std::size_t parts_ = 1;
  const GcmcSlotEnergy& energy_;
};

namespace {

// One thread is the crew of a move.
struct CpuCrew {
  using Near = GcmcNearCells::Near;
  const GcmcSlotEnergy& energies;
  const GcmcFlights& flights;
  const GcmcSlotCells& places = flights.p;
  int lane() const { return 0; }
  double sum(double x) const { return x; }
  void wait() const {}
  Near near(GcmcPoint at) const { return energies.near().of(at); }
  Near near(GcmcPoint at, GcmcPoint to) const { return energies.near().of(at, to); }
  void forCells(const Near& near, const auto& f) const {
    for (int k = 0; k < near.count; ++k)
      f(near.cell[k], gcmcFirstOf(flights, near.cell[k], kKnown),
        gcmcFirstOf(flights, near.cell[k], kPossible));
  }
  int lanes() const { return 1; }
  // Cell after cell, those beyond the cutoff passed over.
  void forReads(const Near& near, GcmcPoint at, const auto& visit, const auto& pair) const {
    for (int k = 0; k < places.cube.cells(); ++k) {
      const std::uint32_t cell = gcmcCubeCell(places.cube, at, k).cell;
      const bool skipped = !near.has(cell);
      const GcmcReader who{0, 0, k, 1, true};
      visit(cell, who, skipped);
      for (std::uint32_t j = 0; !skipped && j < places.filled[cell]; ++j) pair(cell, j, who);
    }
  }
  double energy(const Near& near, GcmcPoint at) const { return energies(near, at); }
  double change(const Near& near, GcmcPoint from, GcmcPoint to) const {
    return energies(near, to) - energies(near, from);
  }
};

class CpuRounds {
 public:
  void begin(const GcmcFlights& g, const Box& box) {
    energies_ = GcmcSlotEnergy(g.p, box, functions_);
  }
  template <class Notes, class At>
  void run(exec::CpuExec& exec, const GcmcFlights& g, std::uint64_t, const Notes& notes,
           const At& at) const {
    const bool serial = (g.most == 1 || g.ahead) && !g.ignore && !Notes::kOn;
    while (g.begins()) {
      at(g.head->move);
      serial ? GcmcSlotTurn(g, energies_).make(exec) : batch(exec, g, notes);
    }
  }

 private:
  static constexpr std::size_t kMoves = 16;  // of a thread at a time

  template <class Notes>
  void batch(exec::CpuExec& exec, const GcmcFlights& g, const Notes& notes) const {
    const std::size_t size = g.sizeOfNext();
    const CpuCrew crew{energies_, g};
    orderBegin(exec, g, size);
    for (std::uint32_t round = 0; g.head->looks[round % 3] > 0; ++round) {
      const GcmcDecide<CpuCrew, Notes> decide(g, crew, round, g.head->factors, notes);
      const GcmcSpread<CpuCrew> spread(g, crew, round);
      exec.forRanges("decide moves", g.head->looks[round % 3], kMoves,
                     [&](std::size_t first, std::size_t end) {
                       for (std::size_t k = first; k < end; ++k) decide(g.looks[k]);
                     });
      for (std::uint32_t k = 0; k < g.head->moved[round % 3]; ++k) gcmcRegister(g, g.moved[k]);
      if (!g.ignore)
        exec.forRanges("spread changes", g.head->changes[round % 3], kMoves,
                       [&](std::size_t first, std::size_t end) {
                         for (std::size_t k = first; k < end; ++k) spread(g.changes[k]);
                       });
      gcmcEndRound(g, round);
    }
    orderApply(exec, g, size);
  }

  GcmcCellFunctions functions_ = gcmcCellFunctionsFor();
  GcmcSlotEnergy energies_;
};

}  // namespace

std::unique_ptr<GcmcEngine> makeGcmcInOrderCpu(const exec::Shared& exec,
                                               const GcmcOptions& options) {
  return std::make_unique<GcmcInOrder<exec::CpuExec, CpuRounds>>(exec, options);
}

// Of the chain by slot, for any backend.

// Cells between two, along the axis where they are furthest apart.
static int apart(const GcmcCube& c, std::uint32_t a, std::uint32_t b) {
  int most = 0;
  for (int k = 0; k < 3; ++k) {
    const auto count = static_cast<std::uint32_t>(c.count[k]);
    const int d = std::abs(static_cast<int>(a % count) - static_cast<int>(b % count));
    most = std::max(most, std::min(d, c.count[k] - d));
    a /= count, b /= count;
  }
  return most;
}

std::uint64_t gcmcUndisturbed(const GcmcSlotCells& p, std::uint64_t first, std::uint64_t turn,
                              const std::vector<std::uint32_t>& filled,
                              std::optional<std::uint32_t> wanted) {
  constexpr int kFar = 4;  // three cells between
  std::optional<std::uint64_t> earliest;
  bool near = false;
  for (std::uint64_t k = 0; k < turn; ++k) {
    const GcmcSlotDraw d = gcmcSlotDraw(p, first + k);
    if (d.kind != GcmcKind::insertion && d.slot >= filled[d.cell]) continue;
    if (!earliest) earliest = first + k;
    if (!wanted || near) break;
    if (d.cell == *wanted) return first + k;
    near = apart(p.cube, d.cell, *wanted) < kFar;
  }
  return earliest.value_or(first);
}

std::uint32_t gcmcInFlight(const GcmcCube& cube, int wanted, Backend backend) {
  const bool gpu = backend == Backend::cuda;
  const std::uint64_t turn = gcmcSlotTurn(cube);
  const std::uint64_t chosen = gpu ? turn : std::clamp<std::uint64_t>(turn / 32, 64, 4096);
  const std::uint64_t most = wanted > 0 ? static_cast<std::uint64_t>(wanted) : chosen;
  return static_cast<std::uint32_t>(std::clamp<std::uint64_t>(most, 1, turn));
}

}  // namespace cellscope
