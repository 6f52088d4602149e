// A grand-canonical chain as an engine: it holds the particles and makes moves. All engines that
// follow gcmc_rules.h give the same states from the same state, bit for bit.
#pragma once
#include <bit>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "sim/algo/gcmc/grid.h"
#include "sim/algo/recorder/recorder.h"
#include "sim/core/gcmc_rules.h"
#include "sim/exec/context.h"
#include "sim/exec/peers.h"

namespace cellscope {

// --- What became of the moves of a turn of the chain by slot, and how many rounds they took: for
// drawings, charts and tests. ---

// A move of a turn. An empty draw has no positions.
struct GcmcFlight {
  GcmcPoint from, to;     // of an insertion both are its point, of a deletion its position
  std::uint32_t cell[2];  // drawn or inserted into; of `to`
  std::uint32_t slot;     // drawn; of an accepted insertion the one it took
  std::uint32_t round;    // in which it was decided the last time, from 1 on; 0: not yet
  std::uint32_t because;  // 1 + index in the turn of the move that made it decide again; 0: none
  std::uint32_t batch;    // of the turn
  std::uint8_t kind;      // GcmcKind
  std::uint8_t empty, full, accepted;
  std::uint8_t priced;      // `before` is known
  std::uint8_t registered;  // bits of the cells that have it in their list `possible`
  double change;            // of the pair energy by the trial
  double before;            // in the configuration before the batch, its own terms included
  double a;                 // random number of the decision
  ParticleId id;            // -1: none
};

inline constexpr int kFlightRounds = 64;  // counted one by one; the last one and all beyond as one

// Since the state was set or the counters were cleared.
struct GcmcFlightCounts {
  std::uint64_t batches = 0, rounds = 0;
  std::uint64_t moves = 0;                          // not empty draws
  std::uint64_t empty = 0;                          // draws of an empty slot
  std::uint64_t full = 0;                           // moves rejected as a cell was full
  std::uint64_t batchesOf[kFlightRounds + 1] = {};  // by number of rounds
  std::uint64_t waiting[kFlightRounds + 1] = {};    // decided again after k rounds, all batches;
                                                  // after 0: some draws that turn out empty as well
};

// The last turn that was made.
struct GcmcFlightsView {
  std::uint64_t first = 0;  // number of its first move
  std::vector<GcmcFlight> moves;
  std::uint32_t batches = 0;  // in the turn
};

// --- The state of a chain and what is asked of it. ---

// Slots are dense: 0 .. N - 1, in the order that the chain gives them (gcmc_rules.h). The state and
// the rules determine every later decision.
struct GcmcState {
  Box box;
  std::vector<GcmcPoint> point;  // by slot
  std::vector<ParticleId> id;    // by slot
  std::uint64_t move = 0;        // number of the next move
  ParticleId idBase = 0;         // above the ids of all particles of move 0
  // Running share of accepted moves, from which speculative moves choose how many to evaluate at
  // once; 0: not known yet. Decisions do not depend on it.
  double acceptance = 0;
  // Pair energy with the rules that it is uploaded with, where it is known: a method without cells
  // needs N^2 / 2 pairs to find it.
  std::optional<double> energy = {};
  // Slots per cell of the chain by slot; an engine that had other ones takes them over again. 0: as
  // its options say.
  std::uint32_t slots = 0;

  std::uint32_t count() const { return static_cast<std::uint32_t>(point.size()); }
  std::optional<std::size_t> slotOf(ParticleId particle) const {
    const auto found = std::find(id.begin(), id.end(), particle);
    if (found == id.end()) return std::nullopt;
    return static_cast<std::size_t>(found - id.begin());
  }
};

inline constexpr int kGcmcMostCandidates = 32;

// Of speculative moves (speculative.h): rounds, moves evaluated in them, moves that counted, and
// rounds by the number of moves that counted. What was evaluated beyond that was discarded.
struct GcmcSpeculation {
  std::uint64_t rounds = 0, evaluated = 0, decided = 0;
  std::uint64_t roundsOf[kGcmcMostCandidates + 1] = {};
};

// Attempts and acceptances by kind, since the state was set or the counters were cleared.
struct GcmcCounters {
  std::uint64_t attempted[kGcmcKinds] = {}, accepted[kGcmcKinds] = {};
  GcmcSpeculation speculation;
};

// Structs of counts as their numbers, one after another.
template <class Counts>
using GcmcNumbers = std::array<std::uint64_t, sizeof(Counts) / sizeof(std::uint64_t)>;
template <class Counts>
void gcmcAddCounts(Counts& sum, const Counts& more) {
  auto all = std::bit_cast<GcmcNumbers<Counts>>(sum);
  const auto added = std::bit_cast<GcmcNumbers<Counts>>(more);
  for (std::size_t k = 0; k < all.size(); ++k) all[k] += added[k];
  sum = std::bit_cast<Counts>(all);
}

// What a chain is asked to sample.
struct GcmcSettings {
  std::uint64_t seed = 1;
  std::uint32_t chain = 0;
  double temperature = 1;
  double activity = 0.1;          // z, 1 / volume, Lambda = 1
  double ratio[kGcmcKinds] = {};  // by GcmcKind: sum 1
  double maxDisplacement = 0.1;   // sigma, along each axis, at most half the box
  bool anywhere = false;          // displacements to any point of the box (S0, 3.1.2)
  int potential = lennardJones(Truncation::plain);  // index in sim/core/potentials.h, an exact one
  PairOfTypes like = {};  // what the law depends on beside the cutoff; sigma = epsilon = 1
  double cutoff = 2.5;    // 0: ideal gas
  bool hard = false;      // spheres of diameter 1 without other potential; cutoff kContactReach
  bool tail = false;
  // A mixture of two types: the part of B in the activity, and sigma and epsilon of pairs AA, AB
  // and BB; without tail.
  bool mixed = false;
  double shareB = 0, sigma[3] = {1, 1, 1}, epsilon[3] = {1, 1, 1};
  // Wrong on purpose: the sign of mu in the acceptance of insertions as S0 eq. (4) prints it, and
  // z V / N in place of z V / (N + 1).
  bool signAsPrinted = false, oldNumber = false;

  PairOfTypes pair() const {
    PairOfTypes p = like;
    p.cutoff = cutoff;
    return p;
  }
};

GcmcPair makeGcmcPair(const GcmcSettings& settings, const Box& box);
// What lies beyond the cutoff; 0 without correction.
TailConstants tailOf(const GcmcSettings& settings, int dimension);

// Ratios are rounded to 2^-32 and the acceptance rule uses the rounded ones.
GcmcRules makeGcmcRules(const GcmcSettings& settings, const Box& box);

// Coordinates in [0, length), and the nearest word of a coordinate of the box.
Vec3d gcmcPosition(const Box& box, GcmcPoint point);
GcmcPoint gcmcPointAt(const Box& box, Vec3d position);

// What one move did.
struct GcmcEvent {
  std::uint64_t move;
  GcmcKind kind;
  bool accepted;
  ParticleId id;     // -1: none (N = 0)
  GcmcPoint before;  // position before; of an insertion the trial point
  GcmcPoint after;   // trial position; of a deletion the position before
  double change;     // of the pair energy by the trial
};

// Sums over unique pairs, by brute force: O(N^2).
struct GcmcSums {
  double energy = 0, virial = 0;  // without tail
};
HOST_DEVICE GcmcSums operator+(const GcmcSums& a, const GcmcSums& b) {
  return {a.energy + b.energy, a.virial + b.virial};
}
GcmcSums gcmcOwnPair(const GcmcPair& pair, std::uint32_t type);  // of two of a type at one place
GcmcSums gcmcBruteForce(const GcmcPair& pair, const std::vector<GcmcPoint>& points);

// What a block of threads goes through in a method of blocks.
enum class GcmcBlocks { none, allParticles, cells, microcells, microcellsMany };

// How a method does its work. Results do not depend on it, but for those of the checkerboard, and
// of the slots per cell.
struct GcmcOptions {
  int mapping = 0;                // of `cells`: row of gcmcMappings() (grid.h)
  int blockSize = 0;              // of `cells`, all particles, microcells: 0: as published
  bool skipBeyond = true;         // of microcells: not those wholly beyond the cutoff
  int movesPerLaunch = 10000;     // moves ordered before the host looks again
  int cellCapacity = 48;          // particles per cell of `cells` to begin with; it grows
  int attempts = 16;              // of the checkerboard: in a cell while its colour is active
  int experiment = 0;             // of the checkerboard: a GcmcBoardExperiment
  int movesInFlight = 0;          // of moves in order: 0: chosen by the number of cells
  int slotsPerCell = 24;          // of the chain by slot, to begin with; it grows
  bool ignoreConflicts = false;   // of moves in order: wrong on purpose
  int candidates = 0;             // of speculative moves: evaluated at once; 0: by the acceptance
  int speculativeExperiment = 0;  // of speculative moves: a GcmcSpeculativeExperiment
  bool mixed = false;             // two types: kernels of GPUs are compiled for either number
  GcmcBlocks blocks = GcmcBlocks::none;  // those of the method, which sets it
};

// The particles in the memory of the backend, by slot.
struct GcmcParticlesView {
  const GcmcPoint* point = nullptr;  // null: ask state()
  const ParticleId* id = nullptr;
  std::uint32_t n = 0;
  ParticleId idBase = 0;  // GcmcState::idBase
};

// The cells in the memory of the backend: cell (x, y, z) is number (z count[1] + y) count[0] + x;
// its entry k is the slot entry[cell * cellStride + k * entryStride], k < filled[cell].
struct GcmcCellsView {
  int count[3] = {0, 0, 0};  // 0: the method has no cells; count[2] = 1 in 2D
  int capacity = 0;          // entries per cell
  const std::uint32_t* filled = nullptr;
  const std::uint32_t* entry = nullptr;
  std::size_t cellStride = 0, entryStride = 0;
  std::uint32_t shift[3] = {0, 0, 0};  // cell 0 begins at this word of the box
  bool coloured = false;               // the cells of a checkerboard
  int active = -1;  // of a checkerboard: colour updated last, bit k: cells odd along axis k
};

// Called with the share of the work that is done, several times a second where that takes long on a
// CPU, a GPU now and then. What it throws gives the work up.
using GcmcProgress = std::function<void(double done)>;
inline constexpr std::uint64_t kGcmcMovesPerReport = 64;  // of a chain, on a CPU

class GcmcEngine {
 public:
  virtual ~GcmcEngine() = default;
  // Progress callback of advance(); may be empty. Once it was cancelled the state is
  // undefined until the next upload().
  void watch(GcmcProgress progress) { progress_ = std::move(progress); }
  // Whose memory the views lie in, and recorders and writers of records have to: that of the host
  // where one core of it makes the moves, whatever the backend.
  virtual Backend memory() const = 0;
  // Takes over the state; clears the counters. Energies are computed anew. Throws RunError when
  // memory runs out, InputError when the method cannot run this box.
  virtual void upload(const GcmcState& state, const GcmcRules& rules) = 0;
  // Other rules for the same state and box; energies are recomputed, counters are kept.
  virtual void setRules(const GcmcRules& rules) = 0;
  // Rules that differ from those before in the activity alone: cells and energies stay.
  virtual void setActivity(const GcmcRules& rules) { setRules(rules); }
  // Makes moves; done on return. Storage grows by itself: no insertion is ever rejected for lack of
  // slots.
  virtual void advance(std::uint64_t moves) = 0;
  virtual GcmcState state() const = 0;

  virtual std::uint32_t count() const = 0;
  virtual double energy() const = 0;  // of pairs, the running sum; without tail
  // The same where it need not be computed first.
  virtual std::optional<double> knownEnergy() const { return energy(); }
  virtual GcmcCounters counters() const = 0;
  virtual void clearCounters() = 0;
  // Energy and virial over unique pairs, computed now from the positions.
  virtual GcmcSums sums() const = 0;
  // Energy that a particle at each point would have with all particles present.
  virtual std::vector<double> energiesAt(const std::vector<GcmcPoint>& points) const = 0;

  // Events of the moves made from now on, at most `largest`, oldest dropped first; 0: none.
  virtual void record(std::size_t largest) = 0;
  virtual std::vector<GcmcEvent> events() const = 0;

  // In the memory of the backend, for drawing; valid until the next call that changes the state.
  virtual GcmcParticlesView particles() const { return {}; }
  virtual GcmcCellsView cells() const { return {}; }
  // Of the last exchange, of the domains of this process.
  virtual std::vector<HaloMessage> messages() const { return {}; }
  // How the reading of a move is shared among blocks and threads.
  virtual GcmcShare share() const { return {}; }
  // The last move of every advance() from now on writes what its threads do (trace.h) over the
  // records of the one before, until a writer that is off is set. With the checkerboard it is the
  // first attempt of the last colour in an active cell near a particle.
  virtual void setTrace(const RecordWriter& writer, ParticleId near = -1) = 0;
  // Whether the traced move is one of many that are made together, not the last one, and its number
  // then: that of the checkerboard, as said, and one of the last turn of moves in flight, of which
  // near a particle, too.
  virtual bool tracesOneOfMany() const { return false; }
  virtual std::uint64_t numberOfTraced() const { return 0; }

  // Of the chain by slot (slot_chain.h), which counts as moves those that draw no empty slot: how
  // many rounds moves took, what the moves of the last turn did, and the slots per cell, as grown.
  virtual GcmcFlightCounts flightCounts() const { return {}; }
  virtual GcmcFlightsView flights() const { return {}; }
  virtual std::uint32_t slotsPerCell() const { return 0; }

  virtual std::size_t bytes() const = 0;
  virtual std::size_t capacity() const = 0;  // particles for which there is storage

 protected:
  void report(double done) const {
    if (progress_) progress_(done);
  }
  bool watched() const { return static_cast<bool>(progress_); }

 private:
  GcmcProgress progress_;
};

// --- The list of methods. A new one is its file and a line in engine.cpp. ---

using GcmcMaker = std::unique_ptr<GcmcEngine>(const exec::Shared& exec, const GcmcOptions& options);

struct GcmcMethod {
  const char* key;
  const char* label;
  GcmcMaker *cpu, *cuda;  // of each backend; null: it does not run there
  // bytes() for n particles evenly in a box, before there is an engine.
  std::size_t (*bytes)(Backend where, const GcmcOptions& options, std::size_t n, const Box& box,
                       const GcmcPair& pair);
  bool exact = true;  // it makes the decisions of the serial chain: the same states, bit for bit
  GcmcBlocks blocks = GcmcBlocks::none;  // of a GPU, which a CPU goes through one by one
  bool inDomains = false;                // several domains at once (board_domains.h)
  bool onHost = false;  // one core of the host makes the moves, whatever the backend
  struct {
    bool onCpu = false, onCuda = false;
  } fastest;  // of the exact ones, or it may be; no measurement has found it elsewhere
  const char* formerly = "";  // key of a method of earlier versions that it took the place of

  bool runsOn(Backend where) const { return (where == Backend::cuda ? cuda : cpu) != nullptr; }
  bool emulatedOn(Backend where) const {
    return blocks != GcmcBlocks::none && where == Backend::cpu;
  }
  // exec null: the CPU. Throws InputError where it does not run on the backend.
  std::unique_ptr<GcmcEngine> make(const exec::Shared& exec, const GcmcOptions& options = {}) const;
};

const std::vector<GcmcMethod>& gcmcMethods();
// Throws InputError with the keys there are.
const GcmcMethod& gcmcMethod(const std::string& key);
inline std::unique_ptr<GcmcEngine> makeGcmcEngine(const std::string& key, const exec::Shared& exec,
                                                  const GcmcOptions& options = {}) {
  return gcmcMethod(key).make(exec, options);
}
// RankWork::board of processes other than 0 (sim/exec/ranks.h).
std::function<void(const void*)> gcmcBoardService();

// Who makes the engine of each method, by backend. Those of CUDA are there in builds with CUDA
// only.

// On one core of the host: the serial chain without cells, the oracle, and with cells, at a cost
// that does not depend on N.
GcmcMaker makeGcmcSerial, makeGcmcCellChain;

GcmcMaker makeGcmcBlocksCpu;       // parallel_engine.h
GcmcMaker makeGcmcSpeculativeCpu;  // speculative.h

// The checkerboard (board.h). It is not the serial chain: its moves have another order, the same
// equilibrium.
GcmcMaker makeGcmcCheckerboardCpu;
class GcmcBoardPart;  // board_domains.h
std::unique_ptr<GcmcBoardPart> makeGcmcBoardPartCpu(const ExecConfig& config);

// The chain by slot (slot_chain.h) with many moves in flight (flight.h), whatever their number or
// that of threads. One move in flight on the CPU is the plain serial loop over moves: the oracle of
// the others.
GcmcMaker makeGcmcInOrderCpu;

class GcmcReplicas;  // replicas.h

// Those of CUDA, for chains of one type or of two (GCMC_TYPES in sim/core/gcmc_pair.h).
template <bool mixtures>
struct GcmcOnCuda {
  static GcmcMaker blocks, speculative, checkerboard, inOrder;
  static std::unique_ptr<GcmcBoardPart> boardPart(const ExecConfig& config);
  static std::unique_ptr<GcmcReplicas> replicas(const exec::Shared& exec,
                                                const GcmcOptions& options);
};

}  // namespace cellscope
