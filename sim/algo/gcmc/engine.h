// A grand-canonical chain as an engine: it holds the particles and makes moves. All engines that
// follow gcmc_rules.h give the same states from the same state, bit for bit.
#pragma once
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "sim/algo/gcmc/flight_view.h"
#include "sim/algo/gcmc/work.h"
#include "sim/algo/recorder/recorder.h"
#include "sim/base/particle_id.h"
#include "sim/exec/context.h"
#include "sim/exec/peers.h"

namespace cellscope {

struct Box;        // sim/base/box.h
struct GcmcPair;   // sim/core/gcmc_pair.h
struct GcmcPoint;  // the same
struct GcmcRules;  // sim/core/gcmc_rules.h

struct GcmcCounters;
struct GcmcSums;
struct GcmcEvent;

// How a method does its work. Results do not depend on it, but for those of the checkerboard, and
// of the slots per cell.
struct GcmcOptions {
  int mapping = 0;                // of `cells`: row of gcmcMappings() (mapping.h)
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

// --- The list of methods. A new one is its file and a line in methods.cpp. ---

using GcmcMaker = std::unique_ptr<GcmcEngine>(const exec::Shared& exec, const GcmcOptions& options);

struct GcmcMethod {
  const char* key;
  const char* label;
  GcmcMaker *cpu, *cuda;  // of each backend; null: it does not run there
  // bytes() for n particles evenly in a box, before there is an engine.
  std::size_t (*bytes)(Backend where, const GcmcOptions& options, std::size_t n, const Box& box,
                       const GcmcPair& pair);
  bool exact = true;    // it makes the decisions of the serial chain: the same states, bit for bit
  bool blocks = false;  // of blocks and threads of a GPU, which a CPU goes through one by one
  bool inDomains = false;  // several domains at once (board_domains.h)
  bool onHost = false;     // one core of the host makes the moves, whatever the backend
  struct {
    bool onCpu = false, onCuda = false;
  } fastest;  // of the exact ones, or it may be; no measurement has found it elsewhere
  const char* formerly = "";  // key of a method of earlier versions that it took the place of

  bool runsOn(Backend where) const { return (where == Backend::cuda ? cuda : cpu) != nullptr; }
  bool emulatedOn(Backend where) const { return blocks && where == Backend::cpu; }
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

}  // namespace cellscope
