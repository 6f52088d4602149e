// Slots of cells that have a fixed number of them: those of particles, and those of placeholders
// (S2, section 3.1: virtual particles).
#pragma once
#include <cstddef>
#include <cstdint>
#include <utility>

#include "sim/layers/layer.h"
#include "sim/layers/layers.h"

namespace cellscope::layers {

enum class SlotPart : std::int32_t { particle, placeholder };

// A point for each slot, in rows, columns and sheets within its cell; slots are not positions.
// Level and value: SlotPart.
struct PackCellSlots {
  using Instance = PointInstance;
  static constexpr const char* kName = "pack slots";
  static constexpr int kGrain = 4096;

  CellGridView grid;
  PointInstance* out = nullptr;

  std::size_t items() const {
    std::size_t n = static_cast<std::size_t>(grid.slots);
    for (int a = 0; a < grid.dimension; ++a) n *= static_cast<std::size_t>(grid.cells[a]);
    return n;
  }
  std::size_t capacity() const { return items(); }

  // Slots along each axis of a cell.
  HOST_DEVICE int side() const {
    int q = 1;
    while ((grid.dimension == 3 ? q * q * q : q * q) < grid.slots) ++q;
    return q;
  }
  HOST_DEVICE float diameter() const {
    double narrowest = grid.width[0];
    for (int a = 1; a < grid.dimension; ++a)
      narrowest = grid.width[a] < narrowest ? grid.width[a] : narrowest;
    return static_cast<float>(0.35 * narrowest / side());
  }
  HOST_DEVICE float along(int axis, int cell, int place, int q) const {
    if (axis >= grid.dimension) return 0;
    const double x = grid.origin[axis] + (cell + (place + 0.5) / q) * grid.width[axis];
    return static_cast<float>(x < grid.length[axis] ? x : x - grid.length[axis]);
  }
  HOST_DEVICE void operator()(std::size_t k) const {
    const auto slots = static_cast<std::size_t>(grid.slots);
    const std::size_t cell = k / slots;
    const int slot = static_cast<int>(k % slots), q = side();
    const auto nx = static_cast<std::size_t>(grid.cells[0]);
    const auto ny = static_cast<std::size_t>(grid.cells[1]);
    const bool real = static_cast<std::uint32_t>(slot) < grid.filled[cell];
    const auto part = static_cast<std::int16_t>(real ? SlotPart::particle : SlotPart::placeholder);
    PointInstance p;
    p.x = along(0, static_cast<int>(cell % nx), slot % q, q);
    p.y = along(1, static_cast<int>(cell / nx % ny), slot / q % q, q);
    p.z = along(2, static_cast<int>(cell / (nx * ny)), slot / (q * q), q);
    p.diameter = diameter();
    p.value = static_cast<float>(part);
    p.level = part;
    p.type = 0;
    out[k] = p;
  }
};

class CellSlotsLayer final : public Layer {
 public:
  CellSlotsLayer()
      : Layer(kSlots, "Slots",
              "The slots of placeholder cells, each a small point in rows within its cell, not "
              "where a particle is: a slot holds a particle, or a placeholder, which the paper's "
              "kernel treats like a particle that exerts no force (van Meel et al. 2008, section "
              "3.1). Right-click: particles or placeholders only.",
              Primitive::points, false, LayerGroup::cells, bit(Need::cells),
              {opacityOption(),
               {LayerOption::Kind::levels,
                "Slots",
                "Which slots are shown: those of particles, of placeholders, or both.",
                0,
                1,
                {"particle", "placeholder"}}}) {}
  void draw(const Structures& from, Canvas& to) const override {
    if (!from.cells || from.cells->slots == 0)
      return to.add(nothing(info(), "only method = placeholder_cells has slots"));
    const PackCellSlots kernel{*from.cells, nullptr};
    LayerData layer = nothing(info(), "");
    const Packed points = to.packer->pack(kernel);
    layer.buffer = points.buffer;
    layer.count = points.count;
    layer.diameter = kernel.diameter();
    layer.scale = categories("slot of a cell", {"particle", "placeholder"});
    to.add(std::move(layer));
  }
};

}  // namespace cellscope::layers
