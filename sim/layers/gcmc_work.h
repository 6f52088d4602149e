// A grand-canonical move: which thread reads which cell, what its kernel recorded, and the reach of
// a particle.
#pragma once
#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>

#include "sim/base/frame_buffer.h"
#include "sim/base/particle_id.h"
#include "sim/core/gcmc_pair.h"
#include "sim/layers/cells.h"
#include "sim/layers/colourings/gcmc.h"
#include "sim/layers/layers.h"

namespace cellscope::layers {

// Many systems of one size side by side: a frame and a label for each, and the kernel of their
// particles.

// Particles of a grand-canonical chain, and where its box stands.
struct ReplicaTile {
  const GcmcPoint* point;
  const ParticleId* id;
  ParticleId idBase;
  std::uint32_t first;  // instances before those of this tile
  float corner[3];
};

// Instances of all tiles, one after the other, by slot in each.
struct PackReplicaParticles {
  using Instance = PointInstance;
  static constexpr const char* kName = "pack particles of replicas";
  static constexpr int kGrain = 4096;

  const ReplicaTile* tile;  // in the memory of the packer, as what they name
  std::uint32_t tiles;      // at least 1
  const float* energy;      // by instance; null unless the colouring needs it
  std::int32_t colouring;   // index in GcmcColourings
  std::size_t n;            // instances
  double unit[3];           // length / 2^32; 0 for z in the plane
  float diameterB = 0;      // 0: one type
  PointInstance* out = nullptr;

  std::size_t items() const { return n; }
  std::size_t capacity() const { return n; }
  // The last tile that begins at or before instance i.
  HOST_DEVICE std::uint32_t tileOf(std::size_t i) const {
    std::uint32_t low = 0, high = tiles;
    while (high - low > 1) {
      const std::uint32_t middle = (low + high) / 2;
      if (tile[middle].first <= i)
        low = middle;
      else
        high = middle;
    }
    return low;
  }
  HOST_DEVICE void operator()(std::size_t i) const {
    const ReplicaTile& t = tile[tileOf(i)];
    const std::size_t slot = i - t.first;
    const GcmcPoint p = t.point[slot];
    const std::uint32_t type = diameterB > 0 ? gcmcTypeOf(p) : 0u;
    const GcmcSeen seen{t.id, energy, t.idBase, slot, i, 0, {}, type};
    out[i] = {t.corner[0] + static_cast<float>(p.x * unit[0]),
              t.corner[1] + static_cast<float>(p.y * unit[1]),
              t.corner[2] + static_cast<float>(p.z * unit[2]),
              type == 0u ? 1 : diameterB,
              GcmcColourings::value(colouring, seen),
              0,
              static_cast<std::uint16_t>(type)};
  }
};

struct ReplicasLayer final : Layer {
  ReplicasLayer()
      : Layer(kReplicas, "Replicas",
              "The boxes of all replicas side by side in place of the chain, each with its "
              "chemical potential, temperature, seed or window of N, and the number of particles "
              "that it has now. At most 64, evenly along their range. Click a box or a particle to "
              "read more of that replica.",
              Primitive::boxes, false, LayerGroup::particles, bit(Need::replicas),
              {opacityOption()}, {{kReplicaLabels, "names"}}) {}
  void draw(const Structures& from, Canvas& to) const override {
    if (!from.replicas)
      return to.add(nothing(info(), "there are no replicas: set their number above 0"));
    const Sketch& s = *from.replicas;
    to.add(layerOf(info().key, Primitive::boxes, s.boxes, s.boxScale));
  }
  void drawOver(const Structures& from, Canvas& to) const override {
    if (from.replicas)
      to.add(layerOf(kReplicaLabels, Primitive::labels, from.replicas->labels,
                     labelScale("replicas")));
  }
};

// Kernel of the particles of a grand-canonical chain, whose positions are fractions of the box.
struct PackGcmcParticles {
  using Instance = PointInstance;
  static constexpr const char* kName = "pack particles";
  static constexpr int kGrain = 4096;

  // By slot, in the memory of the packer.
  const GcmcPoint* point;
  const ParticleId* id;
  const float* energy;  // null unless the colouring needs it
  ParticleId idBase;
  std::int32_t colouring;  // index in GcmcColourings
  std::size_t n;
  double unit[3];  // length / 2^32; 0 for z in the plane
  GcmcCut cut{};
  float diameterB = 0;  // 0: one type
  PointInstance* out = nullptr;

  std::size_t items() const { return n; }
  std::size_t capacity() const { return n; }
  HOST_DEVICE void operator()(std::size_t slot) const {
    const GcmcPoint p = point[slot];
    const std::uint32_t type = diameterB > 0 ? gcmcTypeOf(p) : 0u;
    const GcmcSeen seen{id, energy, idBase, slot, slot, unit[2] > 0 ? p.z : p.y, cut, type};
    out[slot] = {static_cast<float>(p.x * unit[0]),      static_cast<float>(p.y * unit[1]),
                 static_cast<float>(p.z * unit[2]),      type == 0u ? 1 : diameterB,
                 GcmcColourings::value(colouring, seen), 0,
                 static_cast<std::uint16_t>(type)};
  }
};

// Layers of a grand-canonical checkerboard: the cells by colour, four in the plane and eight in
// space, and those that were updated last.

inline ColourScale boardScale(const std::string& title, int dimension) {
  if (dimension == 2) return setScale(title);
  return categories(title, {"a", "b", "c", "d", "e", "f", "g", "h"},
                    {Mark::setA, Mark::setB, Mark::setC, Mark::setD, Mark::setE, Mark::setF,
                     Mark::setG, Mark::setH});
}

struct BoardSetsLayer final : Layer {
  BoardSetsLayer()
      : Layer(kSets, "Checkerboard",
              "The cells of the checkerboard by colour: four colours in the plane, eight in space. "
              "Cells of one colour are at least the cutoff apart, so that moves in all of them at "
              "the same time do not affect each other. The grid is shifted at random after every "
              "sweep over the colours.",
              Primitive::boxes, false, LayerGroup::cells, bit(Need::cells) | bit(Need::activeSet),
              {opacityOption()}) {}
  void draw(const Structures& from, Canvas& to) const override {
    if (!from.cells || !from.active)
      return to.add(nothing(info(), "only the checkerboard has colours: choose it as the method"));
    PackCellBoxes kernel{*from.cells, CellValue::set, -1, nullptr};
    to.add(cellBoxes(info(), kernel, boardScale("colours of cells", from.cells->dimension), to));
  }
};

struct BoardActiveLayer final : Layer {
  BoardActiveLayer()
      : Layer(kActive, "Active cells",
              "The cells of the colour that was updated last; the others are faint in the plane "
              "and hidden in space. Step phase by phase to see colour after colour.",
              Primitive::boxes, false, LayerGroup::cells, bit(Need::activeSet), {opacityOption()}) {
  }
  void draw(const Structures& from, Canvas& to) const override {
    if (!from.active || from.active->set < 0)
      return to.add(
          nothing(info(), "no colour has been updated yet: only the checkerboard has colours"));
    const ActiveSetView& a = *from.active;
    PackCellBoxes kernel{a.grid, CellValue::active, a.set, nullptr};
    ColourScale scale = boardScale("", a.grid.dimension);
    scale.title = a.title + ": " + scale.categories.at(static_cast<std::size_t>(a.set));
    LayerData boxes = cellBoxes(info(), kernel, std::move(scale), to);
    boxes.over = true;  // particles would hide most of the edges
    to.add(std::move(boxes));
  }
};

// Moves of a grand-canonical chain that were in flight together, by the round in which each was
// decided, and whom each waited for.
class FlightsLayer final : public Layer {
 public:
  FlightsLayer()
      : Layer(kFlights, "Moves in flight",
              "The trial moves of the last batch, which were computed together: a ring where each "
              "one lies, with the round in which it was decided as number and colour, and an arrow "
              "to the earlier move that it waited for last. Moves of round 1 waited for no other. "
              "Choose the levels 1 to 1, then 1 to 2, and so on to see round after round. Draws of "
              "an empty slot are not shown.",
              Primitive::points, false, LayerGroup::events, bit(Need::flights),
              {opacityOption(), roundsOption()},
              {{kFlightWaits, "waited for"}, {kFlightRounds, "rounds"}}) {}
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
    const auto shown = labelsShown(from.flights->labels, info(), from);
    if (!shown.empty())
      to.add(layerOf(kFlightRounds, Primitive::labels, shown, labelScale("rounds")));
  }

 private:
  static LayerOption roundsOption() {
    return {
        LayerOption::Kind::levels, "Rounds", "Moves decided in these rounds are shown.", 1, 32, {}};
  }
};

struct MoveWorkLayer final : Layer {
  MoveWorkLayer()
      : Layer(kMoveWork, "Mapping of cells",
              "The cells that the last move looked through, by the thread block that visits them, "
              "with the threads that share each cell (b: block, t: threads, #: turn) and lines in "
              "the order in which the same threads visit cell after cell. Where one block does "
              "all: cells that hold particles, empty ones, and those skipped as they lie wholly "
              "beyond the cutoff. From the tables of cells and threads that the kernels use. On "
              "CUDA speculative has up to 16 warps for a candidate, in_order a warp for each move "
              "in flight, which passes over empty and distant cells, and the checkerboard one for "
              "each active cell, which reads that cell first; half of a warp takes a cell. Threads "
              "are counted from the first one of the move. Of microcells those in the layer of the "
              "trial position are labelled.",
              Primitive::boxes, false, LayerGroup::cells, bit(Need::moveWork), {opacityOption()},
              {{kWorkOrder, "order of visits"}, {kWorkThreads, "threads"}}) {}
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

struct MoveScopeLayer final : Layer {
  MoveScopeLayer()
      : Layer(kMoveScope, "Move under the microscope",
              "Pause and press \",\": the last move of the step, phase by phase, from what its "
              "kernel recorded: the particle chosen, the position proposed, which thread reads "
              "which particle, pair energies, partial sums, the decision and the update of the "
              "cells. The card carries the numbers. With checkerboard and in_order, one of the "
              "many moves made together, in the cell of the picked particle where there is one; "
              "the others appear with the update.",
              Primitive::lines, true, LayerGroup::events, bit(Need::moveScope), {opacityOption()},
              {{kScopeMarks, "places"},
               {kScopeImages, "images of particles"},
               {kScopeLabels, "numbers"}}) {}
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

struct ReachLayer final : Layer {
  ReachLayer()
      : Layer(kReach, "Cutoff and cells",
              "The cutoff sphere of the picked particle, and the cells in which the method looks "
              "for particles within it: 27 (9 in the plane), or its cube of microcells. Click a "
              "particle to pick it.",
              Primitive::lines, false, LayerGroup::picked, bit(Need::reach), {opacityOption()},
              {{kReachCells, "cells"}}) {}
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
