// The walk of one query through the trees of a neighbour-list builder, as its kernel recorded it.
#pragma once
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>

#include "sim/algo/lbvh/built_trees.h"
#include "sim/algo/lbvh/hierarchy.h"
#include "sim/algo/neighbours/builder.h"
#include "sim/layers/layers.h"

namespace cellscope::layers {

// The space-filling curve that neighbour lists were built along.

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
            kCurve, "Curve",
            "From particle to particle in the order in which they were sorted for the last list: "
            "along the Z-order (Morton) curve, so that neighbours in space are mostly neighbours "
            "in memory (Howard et al. 2016, section 3.2 and figure 4); for clusters along columns, "
            "to and fro. With trees the order of their leaves, otherwise that of the particles in "
            "memory. Step phase by phase: when the codes are made the particles are joined in the "
            "order of memory and coloured by code, and when they are sorted in their new order.",
            Primitive::lines, false, LayerGroup::trees, 0, {opacityOption()}) {}
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

inline constexpr int kMostWalkSteps = 4000;

struct TreeWalkLayer final : Layer {
  static constexpr const char* kOfLists =
      "The walk of the picked particle's query through the tree at the last list build (Howard et "
      "al. 2016, Algorithm 2), from the kernel's own record: nodes that its box overlaps are "
      "opened, or are leaves whose particles are checked; the others are pruned and skipped along "
      "their rope. It begins once more for each periodic image that reaches into the box. (With "
      "the fast search of a GPU 32 queries together make the lists, through boxes of 32 children; "
      "shown is the walk that search = paper makes with the same result.) Right-click: from which "
      "step to which; move the upper end to follow the walk.";
  explicit TreeWalkLayer(const char* help = kOfLists)
      : Layer(
            kWalk, "Tree walk", help, Primitive::boxes, true, LayerGroup::picked, bit(Need::walk),
            {opacityOption(),
             levelsOption(
                 "Steps",
                 "Steps of the walk that are shown, one per node. The slider ends at the last step "
                 "that there is; at its upper end all that follow are shown as well.",
                 0, kMostWalkSteps)},
            {{kWalkLabels, "numbers of the steps"}}) {}
  void draw(const Structures& from, Canvas& to) const override {
    if (!from.walk) return to.add(nothing(info(), from.noWalk));
    LayerData walk =
        layerOf(info().key, Primitive::boxes, from.walk->boxes,
                categories("query, in order of the numbers",
                           {"node opened", "node pruned", "leaf checked", "box of the query"},
                           {Mark::opened, Mark::pruned, Mark::leaf, Mark::query}));
    for (const BoxInstance& b : from.walk->boxes)
      walk.lastLevel = std::max<std::int32_t>(walk.lastLevel, b.level);
    to.add(std::move(walk));
  }
  void drawOver(const Structures& from, Canvas& to) const override {
    if (!from.walk || from.walk->labels.empty()) return;
    const auto shown = labelsShown(from.walk->labels, info(), from);
    if (!shown.empty())
      to.add(layerOf(kWalkLabels, Primitive::labels, shown, labelScale("steps of the walk")));
  }
};

struct WalkChecksLayer final : Layer {
  WalkChecksLayer()
      : Layer(kWalkChecks, "Distance checks",
              "From the picked particle, or its periodic image, to every particle whose distance "
              "was checked when its list was built last: those within cutoff and buffer are in its "
              "list, the others were checked without result. With trees these are the particles of "
              "the leaves that its box overlaps.",
              Primitive::lines, false, LayerGroup::picked, bit(Need::walk), {opacityOption()}) {}
  void draw(const Structures& from, Canvas& to) const override {
    if (!from.walk) return to.add(nothing(info(), from.noWalk));
    to.add(layerOf(
        info().key, Primitive::lines, from.walk->checks,
        categories("distance checks",
                   {"within the cutoff", "within the buffer", "too far: checked for nothing"},
                   {Mark::inCutoff, Mark::inBuffer, Mark::tooFar})));
  }
};

// The cells that the list of the picked particle was searched in.
struct SearchedLayer final : Layer {
  SearchedLayer()
      : Layer(kSearched, "Searched cells",
              "The cells in which the neighbours of the picked particle were searched when its "
              "list was built last, or, with placeholder cells, those whose slots it interacts "
              "with, with the number of particles in them: the 27 around it, or, with stencils, "
              "those of the stencil of its type. A cell whose least distance is more than cutoff "
              "and buffer is skipped without a check, for some types of particles in it or for all "
              "(Howard et al. 2016, Algorithm 1); the labels compare the two.",
              Primitive::boxes, false, LayerGroup::picked, bit(Need::searched), {opacityOption()},
              {{kSearchedLabels, "why a cell is skipped, or how many of its slots are real"}}) {}
  void draw(const Structures& from, Canvas& to) const override {
    if (!from.searched) return to.add(nothing(info(), from.noSearched));
    to.add(layerOf(info().key, Primitive::boxes, from.searched->boxes, searchedScale()));
  }
  void drawOver(const Structures& from, Canvas& to) const override {
    if (from.searched && !from.searched->labels.empty())
      to.add(layerOf(kSearchedLabels, Primitive::labels, from.searched->labels,
                     labelScale("skipped cells")));
  }
};

}  // namespace cellscope::layers
