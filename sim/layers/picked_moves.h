// What happened to the picked particle: the cells searched for overlaps, the particles it was
// tested against, and its trial moves.
#pragma once
#include <string>
#include <vector>

#include "sim/layers/layer.h"
#include "sim/layers/layers.h"

namespace cellscope::layers {

inline constexpr const char* kNothingPicked = "no particle is picked: click one";

class StencilLayer final : public Layer {
 public:
  StencilLayer()
      : Layer(kStencil, "Picked cell",
              "The cell that held the picked disk during the last sweep, and the eight cells "
              "around it in which overlaps are searched. Click a disk to pick it.",
              Primitive::boxes, true, LayerGroup::picked, bit(Need::pickedMoves),
              {opacityOption()}) {}
  void draw(const Structures& from, Canvas& to) const override {
    if (!from.pickedMoves) return to.add(nothing(info(), kNothingPicked));
    to.add(layerOf(info().key, Primitive::boxes, from.pickedMoves->stencil, stencilScale()));
  }
};

class TestedLayer final : public Layer {
 public:
  TestedLayer()
      : Layer(kTested, "Tested disks",
              "From the picked disk to every disk against which its last trial moves were tested; "
              "those that blocked a move are highlighted. None when all moves would have left the "
              "cell: these are rejected before. Click a disk to pick it.",
              Primitive::lines, true, LayerGroup::picked, bit(Need::pickedMoves),
              {opacityOption()}) {}
  void draw(const Structures& from, Canvas& to) const override {
    if (!from.pickedMoves) return to.add(nothing(info(), kNothingPicked));
    to.add(layerOf(info().key, Primitive::lines, from.pickedMoves->tested, testedScale()));
  }
};

class TrialsLayer final : public Layer {
 public:
  TrialsLayer()
      : Layer(kTrials, "Trial moves",
              "The trial moves of the picked disk in the last sweep, with their numbers: accepted, "
              "rejected by an overlap, or rejected for leaving the cell. Click a disk to pick it.",
              Primitive::lines, true, LayerGroup::picked, bit(Need::pickedMoves), {opacityOption()},
              {{kTrialLabels, "number and outcome"}}) {}
  void draw(const Structures& from, Canvas& to) const override {
    if (!from.pickedMoves) return to.add(nothing(info(), kNothingPicked));
    to.add(layerOf(info().key, Primitive::lines, from.pickedMoves->trials, trialScale()));
  }
  // At the end of each move.
  void drawOver(const Structures& from, Canvas& to) const override {
    if (!from.pickedMoves) return;
    std::vector<LabelInstance> labels;
    for (std::size_t i = 0; i < from.pickedMoves->trials.size(); ++i) {
      const LineInstance& move = from.pickedMoves->trials[i];
      std::string text = std::to_string(i + 1);
      if (i < from.pickedMoves->outcomes.size()) text += " " + from.pickedMoves->outcomes[i];
      labels.push_back(labelOf(move.b, text, move.value));
    }
    to.add(layerOf(kTrialLabels, Primitive::labels, labels, labelScale("trial moves")));
  }
};

}  // namespace cellscope::layers
