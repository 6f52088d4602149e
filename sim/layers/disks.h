// Disks in the cells of a checkerboard.
#pragma once
#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "sim/core/checkerboard.h"
#include "sim/layers/colourings/disks.h"
#include "sim/layers/layers.h"

namespace cellscope::layers {

// What happened to the picked particle: the cells searched for overlaps, the particles it was
// tested against, and its trial moves.

inline constexpr const char* kNothingPicked = "no particle is picked: click one";

struct StencilLayer final : Layer {
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

struct TestedLayer final : Layer {
  TestedLayer()
      : Layer(kTested, "Tested disks",
              "From the picked disk to every disk against which its last trial moves were tested, "
              "ringed where it was then; those that blocked a move are highlighted. None when all "
              "moves would have left the cell: these are rejected before. Click a disk to pick it.",
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
  // Around the disk, in the direction of each move, which they leave free.
  void drawOver(const Structures& from, Canvas& to) const override {
    if (!from.pickedMoves || from.pickedMoves->trials.empty()) return;
    constexpr float kRadius = 0.5f, kBeside = 0.6f, kArrow = 0.04f;
    const LineInstance& end = from.pickedMoves->trials.back();
    const float* disk = end.value == 0 ? end.b : end.a;  // accepted or not
    std::vector<LabelInstance> labels = {labelOfBall(disk, kRadius, "")};
    bool taken[4] = {};
    for (std::size_t i = 0; i < from.pickedMoves->trials.size(); ++i) {
      const LineInstance& move = from.pickedMoves->trials[i];
      keepFree(move, kArrow, labels);
      const bool ends = std::hypot(move.b[0] - disk[0], move.b[1] - disk[1]) < kArrow;
      const float* away = ends ? move.a : disk;
      const float way[2] = {move.b[0] - away[0], move.b[1] - away[1]};
      const int side = sideOf(way, taken);
      const float x[] = {1, 0, -1, 0}, y[] = {0, 1, 0, -1};
      const float place[3] = {disk[0] + kBeside * x[side], disk[1] + kBeside * y[side], 0};
      std::string text = std::to_string(i + 1);
      if (i < from.pickedMoves->outcomes.size()) text += " " + from.pickedMoves->outcomes[i];
      labels.push_back(labelOf(place, text, move.value));
    }
    to.add(layerOf(kTrialLabels, Primitive::labels, labels, labelScale("trial moves")));
  }

 private:
  // Right, above, left or below, as a way goes, or else the nearest side that is not taken.
  static int sideOf(const float (&way)[2], bool (&taken)[4]) {
    const bool along = std::fabs(way[0]) >= std::fabs(way[1]);
    const int own = along ? (way[0] < 0 ? 2 : 0) : (way[1] < 0 ? 3 : 1);
    const int next = along ? (way[1] < 0 ? 3 : 1) : (way[0] < 0 ? 2 : 0);
    for (const int side : {own, next, (next + 2) % 4, (own + 2) % 4})
      if (!std::exchange(taken[side], true)) return side;
    return own;
  }
};

// Number of particles of each cell, to be summed up to where each cell's particles are packed.
struct WidenCount {
  const std::uint8_t* count;
  std::uint32_t* out;
  HOST_DEVICE void operator()(std::size_t cell) const { out[cell] = count[cell]; }
};

// One cell: writes the instances of its disks to out[first[cell]] and after it.
struct PackDisks {
  using Instance = PointInstance;
  static constexpr const char* kName = "pack disks";
  static constexpr int kGrain = 1024;

  DiskCellsView cells;
  GridPlacement placement;
  std::int32_t colouring;  // index in DiskColourings
  const Vec2* psi6;
  const std::uint8_t* neighbours;
  const float* density;
  std::size_t disks;
  std::int32_t domains, halo;
  const std::uint32_t* first = nullptr;  // of each cell: disks in the cells before it
  PointInstance* out = nullptr;

  std::size_t items() const { return cells.grid.cellCount(); }
  std::size_t capacity() const { return disks; }

  HOST_DEVICE void operator()(std::size_t cell) const {
    const CellIndex at = cellIndex(cells.grid, cell);
    const std::size_t count = cells.count[cell], begin = first[cell];
    for (std::size_t i = 0; i < count && begin + i < disks; ++i) {
      const std::size_t slot = i * cells.grid.cellCount() + cell;
      const Vec2 d = cells.disk[slot];
      const DiskSeen seen{at, slot, psi6, neighbours, density, cells.grid.allRows(), domains, halo};
      PointInstance instance;
      instance.x = static_cast<float>(placement.globalX(at.x, d.x));
      instance.y = static_cast<float>(placement.globalY(at.y, d.y));
      instance.z = 0.0f;
      instance.diameter = 1.0f;
      instance.value = DiskColourings::value(colouring, seen);
      instance.level = static_cast<std::int16_t>(checkerboardSet(at.x, at.y));
      instance.type = 0;
      out[begin + i] = instance;
    }
  }
};

struct DisksLayer final : Layer {
  DisksLayer()
      : Layer(kDisks, "Disks",
              "The disks, coloured by the chosen quantity. Faint at the border: periodic images. "
              "Disks that overlap, which only happens in experiments, are marked with a red ring "
              "(up to 200,000 disks).",
              Primitive::points, true, LayerGroup::particles,
              bit(Need::particles) | bit(Need::overlaps), {opacityOption(), setOption()},
              {{kOverlaps, "overlapping disks"}, {kPicked, "picked disk"}}) {}
  void draw(const Structures& from, Canvas& to) const override {
    if (!from.disks) return to.add(nothing(info(), "there are no disks"));
    const DisksInCellsView& d = *from.disks;
    const Packed points =
        to.packer->pack(PackDisks{d.cells, d.placement, d.colouring, d.psi6, d.neighbours,
                                  d.density, d.disks, d.domains, d.halo});
    LayerData layer = nothing(info(), "");
    layer.buffer = points.buffer;
    layer.count = points.count;
    layer.scale = d.scale;
    to.add(std::move(layer));
  }
  void drawOver(const Structures& from, Canvas& to) const override {
    if (!from.overlaps.empty()) to.add(overlapRings(from.overlaps));
  }
};

}  // namespace cellscope::layers
