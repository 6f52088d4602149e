// The space-filling curve that neighbour lists were built along.
#pragma once
#include <cstddef>

#include "sim/algo/lbvh/built_trees.h"
#include "sim/algo/lbvh/morton.h"
#include "sim/algo/verlet/lists_lent.h"
#include "sim/layers/layer.h"
#include "sim/layers/layers.h"

namespace cellscope::layers {

inline constexpr const char* kCurve = "curve";

// From each particle of an order to the next. Value: how far along, 0 to 1, or, before particles
// are sorted by it, the code of the first of the two over the largest.
struct PackCurve {
  using Instance = LineInstance;
  static constexpr const char* kName = "pack curve";
  static constexpr int kGrain = 4096;

  const float* x = nullptr;  // followed by y and z, `stride` bytes apart
  std::size_t stride = 0, particles = 0;
  bool coded = false;
  MortonGrid grid = {};
  LineInstance* out = nullptr;

  std::size_t items() const { return particles > 0 ? particles - 1 : 0; }
  std::size_t capacity() const { return items(); }
  HOST_DEVICE Vec3 position(std::size_t i) const {
    const auto* const at =
        reinterpret_cast<const float*>(reinterpret_cast<const std::byte*>(x) + i * stride);
    return {at[0], at[1], at[2]};
  }
  HOST_DEVICE float value(std::size_t i, Vec3 r) const {
    if (!coded) return static_cast<float>(i) / static_cast<float>(particles - 1);
    return static_cast<float>(grid.code(r)) * 9.313225746154785e-10f;  // 2^-30
  }
  HOST_DEVICE void operator()(std::size_t i) const {
    const Vec3 a = position(i), b = position(i + 1);
    out[i] = {{a.x, a.y, a.z}, {b.x, b.y, b.z}, value(i, a), 0, 0};
  }
};

class CurveLayer final : public Layer {
 public:
  CurveLayer()
      : Layer(
            {kCurve,
             "Curve",
             "From particle to particle in the order in which they were sorted for the last "
             "list: along the Z-order (Morton) curve, so that neighbours in space are mostly "
             "neighbours in memory (Howard et al. 2016, section 3.2 and figure 4); for clusters "
             "along columns, to and fro. With trees "
             "the order of their leaves, otherwise that of the particles in memory. Step phase by "
             "phase: when the codes are made the particles are joined in the order of memory and "
             "coloured by code, and when they are sorted in their new order.",
             Primitive::lines,
             false,
             LayerGroup::trees,
             {opacityOption()},
             {}},
            0) {}
  void draw(const Structures& from, Canvas& to) const override {
    const auto* lists = from.find<ListsLent>();
    if (!lists) return to.add(nothing(info(), from.noTrees));
    const PackCurve curve = along(*lists);
    to.add(packedLayer(
        info(), to.packer->pack(curve),
        sequential(curve.coded ? "code of the particle" : "position along the curve", "", 0, 1)));
  }

 private:
  static PackCurve along(const ListsLent& lists) {
    if (const BuiltTrees* const built = lists.builder->trees()) {
      if (lists.partsDone == static_cast<int>(TreeBuildPart::codes) + 1) {
        const ParticleRecord* p = lists.input.particles;
        return {&p->x, sizeof *p, lists.input.n, true, mortonGrid(lists.input.box)};
      }
      const TreesView trees = built->view();
      const TreeParticle* p = trees.particle;
      return {&p->x, sizeof *p, static_cast<std::size_t>(trees.particles)};
    }
    const ParticleRecord* p = lists.input.particles;
    return {&p->x, sizeof *p, lists.input.n};
  }
};

}  // namespace cellscope::layers
