// One move as its kernel recorded it (sim/algo/gcmc/trace.h), with the state before it.
#pragma once
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "sim/algo/gcmc/engine.h"
#include "sim/algo/gcmc/flight_view.h"
#include "sim/algo/gcmc/trace.h"
#include "sim/layers/structures.h"

namespace cellscope::gcmc {

// Phases of a move, as they are stepped through.
enum class MoveStage { choose, propose, gather, energies, sum, decide, update };
inline constexpr int kMoveStages = 7;
const std::vector<std::string>& moveStageNames();

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

// Drawings of a move and of the reach of a particle, for the layers of sim/layers/gcmc_work.h.

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

}  // namespace cellscope::gcmc
