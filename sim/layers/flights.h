// Moves of a grand-canonical chain that were in flight together, by the round in which each was
// decided, and whom each waited for.
#pragma once
#include <utility>
#include <vector>

#include "sim/layers/layer.h"
#include "sim/layers/layer_of.h"
#include "sim/layers/layers.h"

namespace cellscope::layers {

class FlightsLayer final : public Layer {
 public:
  FlightsLayer()
      : Layer({kFlights,
               "Moves in flight",
               "The trial moves of the last batch, which were computed together: a ring where each "
               "one lies, with the round in which it was decided as number and colour, and an "
               "arrow to the earlier move that it waited for last. Moves of round 1 waited for no "
               "other. Choose "
               "the levels 1 to 1, then 1 to 2, and so on to see round after round. Draws of an "
               "empty slot are not shown.",
               Primitive::points,
               false,
               LayerGroup::events,
               {opacityOption(), roundsOption()},
               {{kFlightWaits, "waited for"}, {kFlightRounds, "rounds"}}},
              bit(Need::flights)) {}
  void draw(const Structures& from, Canvas& to) const override {
    if (!from.flights || !from.flights->reason.empty())
      return to.add(nothing(info(), from.flights ? from.flights->reason
                                                 : "only the method in_order has moves in flight"));
    const Sketch& s = *from.flights;
    to.add(layerOf(info().key, Primitive::points, s.points, s.pointScale));
    if (!s.lines.empty()) {
      LayerData waits = layerOf(kFlightWaits, Primitive::lines, s.lines, s.lineScale);
      waits.over = true;
      to.add(std::move(waits));
    }
  }
  void drawOver(const Structures& from, Canvas& to) const override {
    if (!from.flights) return;
    std::vector<LabelInstance> shown;
    const auto look = from.looks.find(info().key);
    for (const LabelInstance& l : from.flights->labels)
      if (look == from.looks.end() ||
          (l.level >= look->second.lowest && l.level <= look->second.highest))
        shown.push_back(l);
    if (!shown.empty())
      to.add(layerOf(kFlightRounds, Primitive::labels, shown, labelScale("rounds")));
  }

 private:
  static LayerOption roundsOption() {
    return {
        LayerOption::Kind::levels, "Rounds", "Moves decided in these rounds are shown.", 1, 32, {}};
  }
};

}  // namespace cellscope::layers
