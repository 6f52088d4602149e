// What is seen of a grand-canonical chain: events of the last step, the picked particle and its
// end, cells.
#pragma once
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "sim/algo/gcmc/engine.h"
#include "sim/algo/gcmc/state.h"
#include "sim/api/mode.h"
#include "sim/layers/layer.h"

namespace cellscope::gcmc {

class GcmcScene {
 public:
  GcmcScene();
  ~GcmcScene();

  // A new state.
  void forget();
  // What the window wants to be recorded from now on.
  void watch(const ViewRequest& view, const GcmcState& state);
  void beforeStep(GcmcEngine& engine, std::uint64_t moves);
  void afterStep(const GcmcEngine& engine, std::uint64_t step);

  void fill(Frame& frame, const ViewRequest& view, const GcmcEngine& engine, const GcmcState& state,
            const GcmcRules& rules);
  std::size_t bytes() const;

 private:
  LayerData particles(const std::string& colouring, const GcmcEngine& engine,
                      const GcmcState& state, const GcmcRules& rules) const;
  std::optional<layers::CellGridView> cells(const GcmcEngine& engine, const GcmcState& state);
  layers::MovesView moves(const Box& box) const;
  PickedParticle card(std::size_t slot, const GcmcEngine& engine, const GcmcState& state,
                      const GcmcRules& rules) const;

  struct End {
    ParticleId id = -1;
    Deletion deletion;
    GcmcPoint at{};
  };
  struct HostPacker;

  bool recording_ = false, recorded_ = false;
  ParticleId followed_ = -1;
  std::uint64_t eventStep_ = 0;       // after which the events were made
  std::vector<GcmcEvent> events_;     // of the last step, when recorded
  End end_;                           // of the last followed particle that went
  std::vector<std::uint32_t> first_;  // of the cells drawn last
  std::unique_ptr<HostPacker> packer_;
};

}  // namespace cellscope::gcmc
