// What is seen of a grand-canonical chain: events of the last step, the picked particle and its
// end, cells, one move under the microscope, and the boxes of replicas side by side. Particles are
// packed where the method keeps them.
#pragma once
#include <fmt/format.h>

#include "sim/algo/gcmc/trace.h"
#include "sim/core/gcmc_pair.h"
#include "sim/layers/gcmc_work.h"
#include "sim/layers/layers.h"
#include "sim/layers/structures.h"
#include "sim/modes/gcmc/replica_run.h"

namespace cellscope::gcmc {

// Phases of a move, as they are stepped through.
enum class MoveStage { choose, propose, gather, energies, sum, decide, update };
inline constexpr int kMoveStages = 7;

// One move as its kernel recorded it (sim/algo/gcmc/trace.h), with the state before it.
struct TracedMove {
  GcmcState before;
  GcmcRules rules;
  GcmcShare share;
  Recorded records;
  // From the records, null: not written.
  const Record* choose = nullptr;
  const Record* decide = nullptr;
  const Record* update = nullptr;
  std::vector<const Record*> visits, pairs, partials;
  GcmcKind kind = GcmcKind::displacement;
  bool old = false, fresh = false;  // whether there is an old and a new position
  GcmcPoint from{}, to{};           // from: of the snapshot; to: of the draw of this move
  ParticleId id = -1;
  std::uint64_t number = 0;  // of the move
  bool ofMany = false;       // of moves made together, which `before` comes before

  bool accepted() const { return decide->outcome == 1; }
  GcmcPoint place() const { return fresh ? to : from; }  // around which it is drawn
};

class ChainTrace {
 public:
  // Before an advance() whose last move is to be recorded; of many made together, one near a
  // particle.
  void begin(GcmcEngine& engine, const GcmcRules& rules, ParticleId near = -1);
  // After it.
  void finish(GcmcEngine& engine);
  void clear() { traced_ = false; }
  // Null: none.
  const TracedMove* move() const { return traced_ ? &move_ : nullptr; }
  std::size_t bytes() const { return recorder_.bytes(); }

 private:
  void sort();
  void findSlots();
  Recorder recorder_;
  TracedMove move_;
  bool traced_ = false;
};

// The rows of the card for a move up to a stage: rows with the common heading "move N, ...".
std::vector<std::pair<std::string, std::string>> rowsOf(const TracedMove& m, MoveStage stage);

// Of an exchange: "A -> B".
std::string typesInWords(const TracedMove& m);

// Exact sum of the two parts of a number of a record.
inline double inParts(const Record& r) {
  return static_cast<double>(r.number[0]) + static_cast<double>(r.number[1]);
}

// Which threads read which cell around `at`. filled: particles by cell.
layers::Sketch sketchWork(const Box& box, const GcmcShare& share, const GcmcPair& pair,
                          GcmcPoint at, const std::vector<std::uint32_t>& filled);
// The same as recorded. blocksOnly: without threads, which another layer shows.
layers::Sketch sketchWork(const TracedMove& m, bool blocksOnly);

// A recorded move up to a stage.
layers::Sketch sketchMove(const TracedMove& m, MoveStage stage);

// Cutoff and cells around a particle.
layers::Sketch sketchReach(const Box& box, const GcmcShare& share, const GcmcPair& pair,
                           GcmcPoint at);

// The moves of the last batch but the empty draws. Level: the round; of an arrow that of the move
// that decided again.
layers::Sketch sketchFlights(const Box& box, const GcmcFlightsView& flights);

// Of the cells of an engine; none: it has no cells.
std::optional<CellGridPlace> gridPlaceOf(const GcmcCellsView& view, const Box& box);

// Chains in boxes of one size, to be drawn as one layer of particles.
struct DrawnChains {
  struct Chain {
    const GcmcEngine& engine;
    const GcmcState* state;  // null: that of the engine
    GcmcRules rules;
    Vec3d corner{};  // of its box
  };
  std::vector<Chain> chains;
  Box box;  // of each
  layers::GcmcColourState look;
  float diameterB = 0;  // 0: one type
  layers::GcmcCut cut{};
};

class ChainPacker {
 public:
  explicit ChainPacker(exec::Shared exec);
  const exec::Context& exec() const { return *exec_; }
  layers::Packer* packer() const { return packer_.get(); }
  LayerData particles(const DrawnChains& drawn, const std::string& colouring);

 private:
  exec::Shared exec_;
  std::unique_ptr<layers::Packer> packer_;
  exec::Array<layers::GcmcTile> tile_;
};

class GcmcScene {
 public:
  static constexpr std::uint64_t kMostEvents = 20000;  // kept of a step

  explicit GcmcScene(exec::Shared exec) : packer_(std::move(exec)) {}

  // A new state.
  void forget();
  // What the window wants to be recorded from now on.
  void watch(const ViewRequest& view, const GcmcEngine& engine);
  // All moves of each step are kept, whatever is shown.
  void keepMoves(bool on) {
    kept_ = on;
    recording_ = recording_ || on;
  }
  const std::vector<GcmcEvent>& lastMoves() const { return events_; }
  void beforeStep(GcmcEngine& engine, std::uint64_t moves);
  void afterStep(const GcmcEngine& engine, std::uint64_t step);

  ChainTrace& trace() { return trace_; }
  bool scoped() const { return scoped_; }            // the traced move is looked at
  ParticleId followed() const { return followed_; }  // -1: none

  // stage: what of the traced move, if there is one, has happened.
  void fill(Frame& frame, const ViewRequest& view, const GcmcEngine& engine, const GcmcRules& rules,
            MoveStage stage);
  std::size_t bytes() const { return packer_.packer()->bytes() + trace_.bytes(); }

 private:
  struct Seen;
  LayerData particles(const std::string& colouring, const Seen& seen);
  std::optional<layers::CellGridView> cells(const GcmcEngine& engine, const Box& box);
  std::vector<std::uint32_t> filled(const GcmcEngine& engine) const;
  layers::Sketch work(const Seen& seen, bool blocksOnly) const;
  layers::MovesView moves(const Box& box) const;
  PickedParticle card(std::size_t slot, Seen& seen) const;
  void pick(Frame& frame, ParticleId picked, Seen& seen, layers::Structures& s);
  void addMove(Frame& frame, MoveStage stage, ParticleId picked);

  struct End {
    ParticleId id = -1;
    Deletion deletion;
    GcmcPoint at{};
  };

  bool kept_ = false, shown_ = false, recording_ = false, lastOnly_ = false, recorded_ = false;
  bool scoped_ = false;
  ParticleId followed_ = -1;
  ParticleId shownByItself_ = -1;  // of the traced move, while no other was picked
  std::vector<GcmcEvent> events_;  // of the last step, when recorded
  std::optional<GcmcEvent> last_;  // the last of them
  End end_;                        // of the last followed particle that went
  ChainTrace trace_;
  ChainPacker packer_;
  exec::Array<std::uint32_t> filled_;  // of cells that lie elsewhere
};

// Of a card: where a particle is stored, and since when.
inline std::pair<std::string, std::string> slotRow(const GcmcState& s, std::size_t slot) {
  return {"slot", fmt::format("{} of {}", slot, s.point.size())};
}
inline std::pair<std::string, std::string> originRow(const GcmcState& s, ParticleId id) {
  return {"came", id >= s.idBase ? fmt::format("inserted by move {}", id - s.idBase)
                                 : "there from the start"};
}

// Energy of each of these particles, which are in the engine's state, with all others; without
// tail.
inline std::vector<double> energiesWithOthers(const GcmcEngine& engine,
                                              const std::vector<GcmcPoint>& points,
                                              const GcmcRules& rules) {
  std::vector<double> energy = engine.energiesAt(points);
  for (std::size_t i = 0; i < points.size(); ++i)
    energy[i] -= gcmcPairAt(rules.pair, points[i], points[i]);
  return energy;
}

// The boxes of replicas: in the plane rows run along x from the top; in space the wall stands in y
// and z and faces +x. At most 64 boxes and some 400,000 particles are shown, evenly along the range
// of the replicas; of windows, the first chain of each.
inline constexpr std::size_t kMostTiles = 64;

// Which replicas are shown, and where their boxes stand.
struct ReplicaTiles {
  std::vector<std::size_t> replica;  // of each tile
  std::size_t columns = 1, rows = 1;
  Box one;  // each tile
  double gap = 0;

  static ReplicaTiles of(const GcmcParameters& p);
  Box box() const;  // of the whole wall
  Vec3d corner(std::size_t tile) const;
  BoxInstance labelRoom(std::size_t tile) const;  // above a tile
};

class ReplicaWall {
 public:
  explicit ReplicaWall(exec::Shared exec) : packer_(std::move(exec)) {}

  // Whether a view shows the wall in place of the chain.
  static bool asked(const ViewRequest& view, const ReplicaRun& replicas) {
    return replicas.on() && view.shows(layers::kReplicas);
  }
  // frame.box becomes that of the wall.
  void fill(Frame& frame, const ViewRequest& view, const ReplicaRun& replicas,
            const GcmcParameters& p);
  // A particle, or else the box whose front the click hits; -1: none.
  static ParticleId pick(const PickQuery& query, const ReplicaRun& replicas,
                         const GcmcParameters& p);
  std::size_t bytes() const { return packer_.packer()->bytes(); }

 private:
  LayerData particles(const std::string& colouring, const ReplicaTiles& tiles,
                      const ReplicaRun& replicas, const GcmcParameters& p);
  ChainPacker packer_;
};

// A particle of a replica, or the replica itself, as one id.
struct ReplicaPick {
  std::size_t replica = 0;
  ParticleId own = -1;  // -1: the replica itself

  ParticleId id() const;
  // False: of neither.
  static bool from(ParticleId id, ReplicaPick& pick);
};

// "mu -3.25" and "N 123", which goes where there is no room; of windows, which follow each other, N
// alone where there are many.
std::string labelOfReplica(const GcmcParameters& p, std::size_t k, std::uint32_t n,
                           std::size_t boxes);

}  // namespace cellscope::gcmc
