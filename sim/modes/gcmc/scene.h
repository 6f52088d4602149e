// What is seen of a grand-canonical chain: events of the last step, the picked particle and its
// end, cells, and one move under the microscope. Particles are packed where the method keeps them.
#pragma once
#include <fmt/format.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "sim/algo/gcmc/engine.h"
#include "sim/api/mode.h"
#include "sim/core/gcmc_pair.h"
#include "sim/exec/memory.h"
#include "sim/layers/gcmc_work.h"
#include "sim/layers/layers.h"
#include "sim/modes/gcmc/move_trace.h"

namespace cellscope::gcmc {

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

}  // namespace cellscope::gcmc
