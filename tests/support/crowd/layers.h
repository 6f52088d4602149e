// Layers of a crowd: its own, and those of the house that draw a cell grid and the box.
#pragma once
#include <string>
#include <utility>
#include <vector>

#include "sim/layers/box.h"
#include "sim/layers/cells.h"
#include "sim/layers/label_of.h"
#include "sim/layers/layer_of.h"
#include "sim/layers/layers.h"
#include "tests/support/crowd/structures.h"

namespace cellscope::test {

inline const CrowdStructures& crowdOf(const layers::Structures& s) {
  return *s.find<CrowdStructures>();
}

inline LayerData packedLayer(const LayerInfo& info, const layers::Packed& packed, ColourScale scale,
                             const char* reason) {
  LayerData layer = layers::nothing(info, packed.buffer ? "" : reason);
  layer.buffer = packed.buffer;
  layer.drawn = packed.drawn;
  layer.count = packed.count;
  layer.scale = std::move(scale);
  return layer;
}

inline LayerOption generationOption() {
  return {LayerOption::Kind::levels,
          "Generations",
          "Walkers of these ages are shown, in tens of steps.",
          0,
          kGenerations - 1,
          {}};
}
inline LayerOption speciesOption() {
  return {LayerOption::Kind::types,
          "Species",
          "Walkers of these species are shown.",
          0,
          1,
          {kSpeciesNames[0], kSpeciesNames[1]}};
}

class WalkersLayer final : public layers::Layer {
 public:
  WalkersLayer()
      : Layer({"walkers",
               "Walkers",
               "All walkers at their true size.",
               Primitive::points,
               true,
               LayerGroup::particles,
               {layers::opacityOption(), generationOption(), speciesOption()},
               {{layers::kPicked, "picked walker"}}},
              bit(layers::Need::particles)) {}
  void draw(const layers::Structures& from, layers::Canvas& to) const override {
    const CrowdStructures& s = crowdOf(from);
    to.add(packedLayer(info(), to.packer->pack(PackWalkers{s.walkers, s.colouring.index}),
                       s.colouring.scale, "the crowd is empty"));
  }
};

class NewbornLayer final : public layers::Layer {
 public:
  NewbornLayer()
      : Layer({"newborn",
               "Newborn",
               "Rings around walkers that came in the last ten steps.",
               Primitive::points,
               false,
               LayerGroup::events,
               {layers::opacityOption(), speciesOption()},
               {}},
              bit(layers::Need::particles)) {}
  void draw(const layers::Structures& from, layers::Canvas& to) const override {
    ColourScale scale = layers::plainScale("newborn");
    scale.marks = {Mark::tested};
    to.add(packedLayer(info(), to.packer->pack(PackNewborn{crowdOf(from).walkers}),
                       std::move(scale), "nobody came in the last ten steps"));
  }
};

class AgesLayer final : public layers::Layer {
 public:
  AgesLayer()
      : Layer({"ages",
               "Ages",
               "The age of each large walker, in steps.",
               Primitive::labels,
               false,
               LayerGroup::particles,
               {layers::opacityOption(), generationOption()},
               {}},
              bit(layers::Need::particles)) {}
  void draw(const layers::Structures& from, layers::Canvas& to) const override {
    ColourScale scale = layers::plainScale("age of large walkers");
    scale.marks = {Mark::text};
    to.add(packedLayer(info(), to.packer->pack(PackAges{crowdOf(from).walkers}), std::move(scale),
                       "there are no large walkers"));
  }
};

class TrailLayer final : public layers::Layer {
 public:
  TrailLayer()
      : Layer({"trail",
               "Trail",
               "The last moves of the picked walker, with the step at every eighth.",
               Primitive::lines,
               true,
               LayerGroup::picked,
               {layers::opacityOption()},
               {{"trail_steps", "steps"}}},
              bit(layers::Need::moves)) {}
  void draw(const layers::Structures& from, layers::Canvas& to) const override {
    const CrowdStructures& s = crowdOf(from);
    if (!s.watching) return to.add(layers::nothing(info(), "no walker is picked: click one"));
    std::vector<LineInstance> lines;
    for (const TrailPart& part : s.trail) {
      LineInstance line{};
      const Vec3d d = from.box.minimumImage(
          {part.to.x - part.from.x, part.to.y - part.from.y, part.to.z - part.from.z});
      fill(line.a, part.from);
      fill(line.b, {part.from.x + d.x, part.from.y + d.y, part.from.z + d.z});
      line.value = static_cast<float>(part.step);
      lines.push_back(line);
    }
    const float last = s.trail.empty() ? 1 : static_cast<float>(s.trail.back().step);
    LayerData layer = cellscope::layerOf(info().key, Primitive::lines, lines,
                                         layers::sequential("step", "", last - 32, last));
    layer.scale.marks = {Mark::arrow};
    if (lines.empty()) layer.reason = "no step was made since the walker was picked";
    to.add(std::move(layer));
  }
  void drawOver(const layers::Structures& from, layers::Canvas& to) const override {
    std::vector<LabelInstance> labels;
    for (const TrailPart& part : crowdOf(from).trail) {
      if (part.step % 8 != 0) continue;
      float at[3];
      fill(at, part.from);
      labels.push_back(labelOf(at, std::to_string(part.step)));
    }
    if (!labels.empty())
      to.add(cellscope::layerOf("trail_steps", Primitive::labels, labels,
                                layers::labelScale("steps of the trail")));
  }

 private:
  static void fill(float* to, Vec3d r) {
    to[0] = static_cast<float>(r.x);
    to[1] = static_cast<float>(r.y);
    to[2] = static_cast<float>(r.z);
  }
};

inline const layers::LayerList& crowdLayers() {
  static const WalkersLayer walkers;
  static const NewbornLayer newborn;
  static const AgesLayer ages;
  static const TrailLayer trail;
  static const layers::CellsLayer cells("Cells, coloured by the number of walkers in each.");
  static const layers::BoxLayer box;
  static const layers::LayerList all = {&walkers, &newborn, &ages, &trail, &cells, &box};
  return all;
}

}  // namespace cellscope::test
