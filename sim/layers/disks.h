// Disks in the cells of a checkerboard.
#pragma once
#include <cstddef>
#include <cstdint>

#include "sim/core/checkerboard.h"
#include "sim/layers/colourings/disks.h"
#include "sim/layers/layer.h"
#include "sim/layers/layers.h"

namespace cellscope::layers {

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
  std::int32_t domains;
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
      const DiskSeen seen{at, slot, psi6, neighbours, density, cells.grid.allRows(), domains};
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

class DisksLayer final : public Layer {
 public:
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
    const Packed points = to.packer->pack(PackDisks{d.cells, d.placement, d.colouring, d.psi6,
                                                    d.neighbours, d.density, d.disks, d.domains});
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
