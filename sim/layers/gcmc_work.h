// A grand-canonical move: which thread reads which cell, what its kernel recorded, and the reach of
// a particle.
#pragma once
#include <utility>

#include "sim/layers/layer.h"
#include "sim/layers/layer_of.h"
#include "sim/layers/layers.h"

namespace cellscope::layers {

class MoveWorkLayer final : public Layer {
 public:
  MoveWorkLayer()
      : Layer({kMoveWork,
               "Mapping of cells",
               "The cells that the last move looked through, by the thread block that visits them, "
               "with the threads that share each cell (b: block, t: threads, #: turn) and lines in "
               "the order in which the same threads visit cell after cell. Where one block does "
               "all: cells that hold particles, empty ones, and those skipped as they lie wholly "
               "beyond the cutoff. From the tables of cells and threads that the kernels use. On "
               "CUDA half_warps has a warp of 32 threads for each of 32 moves, speculative up to "
               "16 warps for a candidate, in_order a warp for each move in flight, which passes "
               "over empty and distant cells, and the checkerboard one for each active cell, "
               "which reads that cell first; half of a warp takes a cell. Threads are counted "
               "from the first one of the move. Of microcells those in the layer of the trial "
               "position are labelled.",
               Primitive::boxes,
               false,
               LayerGroup::cells,
               {opacityOption()},
               {{kWorkOrder, "order of visits"}, {kWorkThreads, "threads"}}},
              bit(Need::moveWork)) {}
  void draw(const Structures& from, Canvas& to) const override {
    if (!from.moveWork || !from.moveWork->reason.empty())
      return to.add(nothing(info(), from.moveWork ? from.moveWork->reason : "no move was made"));
    const Sketch& s = *from.moveWork;
    to.add(layerOf(info().key, Primitive::boxes, s.boxes, s.boxScale));
    if (!s.lines.empty()) to.add(layerOf(kWorkOrder, Primitive::lines, s.lines, s.lineScale));
  }
  void drawOver(const Structures& from, Canvas& to) const override {
    if (from.moveWork && !from.moveWork->labels.empty())
      to.add(layerOf(kWorkThreads, Primitive::labels, from.moveWork->labels,
                     labelScale("threads of the cells")));
  }
};

class MoveScopeLayer final : public Layer {
 public:
  MoveScopeLayer()
      : Layer({kMoveScope,
               "Move under the microscope",
               "Pause and press \",\": the last move of the step, phase by phase, from what its "
               "kernel recorded: the particle chosen, the position proposed, which thread reads "
               "which "
               "particle, pair energies, partial sums, the decision and the update of the cells. "
               "The card carries the numbers. With checkerboard and in_order, one of the many "
               "moves made together, in the cell of the picked particle where there is one; the "
               "others appear with the update.",
               Primitive::lines,
               true,
               LayerGroup::events,
               {opacityOption()},
               {{kScopeMarks, "places"},
                {kScopeImages, "images of particles"},
                {kScopeLabels, "numbers"}}},
              bit(Need::moveScope)) {}
  void draw(const Structures& from, Canvas& to) const override {
    if (!from.moveScope || !from.moveScope->reason.empty())
      return to.add(nothing(
          info(), from.moveScope ? from.moveScope->reason : "pause, then go phase by phase"));
    const Sketch& s = *from.moveScope;
    to.add(layerOf(info().key, Primitive::lines, s.lines, s.lineScale));
    if (!s.images.empty()) to.add(layerOf(kScopeImages, Primitive::points, s.images, s.imageScale));
    if (!s.points.empty()) to.add(layerOf(kScopeMarks, Primitive::points, s.points, s.pointScale));
  }
  void drawOver(const Structures& from, Canvas& to) const override {
    if (from.moveScope && !from.moveScope->labels.empty())
      to.add(layerOf(kScopeLabels, Primitive::labels, from.moveScope->labels,
                     from.moveScope->labelScale));
  }
};

class ReachLayer final : public Layer {
 public:
  ReachLayer()
      : Layer({kReach,
               "Cutoff and cells",
               "The cutoff sphere of the picked particle, and the cells in which the method looks "
               "for particles within it: 27 (9 in the plane), or its cube of microcells. Click a "
               "particle to pick it.",
               Primitive::lines,
               false,
               LayerGroup::picked,
               {opacityOption()},
               {{kReachCells, "cells"}}},
              bit(Need::reach)) {}
  void draw(const Structures& from, Canvas& to) const override {
    if (!from.reach || !from.reach->reason.empty())
      return to.add(
          nothing(info(), from.reach ? from.reach->reason : "no particle is picked: click one"));
    const Sketch& s = *from.reach;
    if (!s.boxes.empty()) to.add(layerOf(kReachCells, Primitive::boxes, s.boxes, s.boxScale));
    to.add(layerOf(info().key, Primitive::lines, s.lines, s.lineScale));
  }
};

}  // namespace cellscope::layers
