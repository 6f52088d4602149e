// How a list of the museum of bugs was found: its cells, as wide as they are, and what was looked
// through for the picked particle.
#pragma once
#include <cmath>
#include <numbers>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "sim/layers/list.h"

namespace cellscope::layers {

// What the mode lends: edges in the picture.
struct MuseumView {
  using Edges = std::vector<std::pair<Vec3d, Vec3d>>;
  struct Shape {
    Edges edges;
    const char* name;
    Mark mark;
  };
  Edges walls;
  std::vector<Shape> shapes;    // what was looked through, and what is wrong
  std::optional<Vec3d> centre;  // of the circle that was searched for
  double cutoff = 0;
  double shorter = 0;  // the one that was mistaken for it, of particles of its type; 0: none
  // Of a list with a skin: where each particle was when the list was built, and is, and the circle
  // of the list.
  Edges moved;
  Vec3d before{0, 0, 0};
  double reach = 0, diameter = 1;
  std::vector<LabelInstance> signs;  // what is wrong, and where
};

class MuseumLayer final : public Layer {
 public:
  enum class Of { walls, searched };
  explicit MuseumLayer(Of of)
      : Layer(of == Of::walls ? kCells : kSearched, of == Of::walls ? "Cell walls" : "Searched",
              of == Of::walls ? "The walls of the cells that the list was found by."
                              : "The cells, or in a tree the leaves, that were looked through for "
                                "the picked particle, or the first one of the picked pair, and the "
                                "circle of the cutoff. With a skin: where particles were when the "
                                "list was built. And what is wrong with cells or with the tree.",
              Primitive::lines, true, of == Of::walls ? LayerGroup::cells : LayerGroup::picked, 0,
              {opacityOption()}, partsOf(of)),
        of_(of) {}
  void draw(const Structures& from, Canvas& to) const override {
    const auto* const view = from.find<MuseumView>();
    if (!view) return;
    Drawn all;
    if (of_ == Of::walls)
      all.add(view->walls, "cell walls", Mark::cellOutline);
    else
      addSearched(*view, all);
    LayerData layer = layerOf(
        info().key, Primitive::lines, all.lines,
        of_ == Of::walls
            ? plainScale("cell walls")
            : categories(view->reach > 0 ? "since the list was built" : "searched", all.names));
    layer.scale.marks = all.marks;
    if (all.lines.empty()) layer.reason = "no particle is picked";
    to.add(std::move(layer));
  }
  void drawOver(const Structures& from, Canvas& to) const override {
    const auto* const view = from.find<MuseumView>();
    if (of_ == Of::searched && view && !view->signs.empty())
      to.add(layerOf(kSearchedLabels, Primitive::labels, view->signs, labelScale("what is wrong")));
  }

 private:
  using Edges = MuseumView::Edges;
  // Lines of each kind, with its name in the legend: those that are there alone.
  struct Drawn {
    std::vector<LineInstance> lines;
    std::vector<std::string> names;
    std::vector<Mark> marks;
    void add(const Edges& edges, const char* name, Mark mark) {
      if (edges.empty()) return;
      for (const auto& [a, b] : edges) {
        lines.push_back(lineBetween(a, b));
        lines.back().value = static_cast<float>(names.size());
      }
      names.emplace_back(name), marks.push_back(mark);
    }
  };
  static std::vector<LayerPart> partsOf(Of of) {
    if (of == Of::walls) return {};
    return {{kSearchedLabels, "what is wrong"}};
  }
  static void addSearched(const MuseumView& view, Drawn& to) {
    constexpr int kSmooth = 360, kDashes = 72;  // dashes need long sides
    for (const MuseumView::Shape& s : view.shapes) to.add(s.edges, s.name, s.mark);
    if (view.centre) to.add(circle(*view.centre, view.cutoff, kSmooth), "the cutoff", Mark::query);
    if (view.centre && view.shorter > 0)
      to.add(circle(*view.centre, view.shorter, kDashes * 2 / 3), "taken for the cutoff",
             Mark::tooFar);
    to.add(ringsOf(view), "place then", Mark::before);
    if (view.reach > 0)
      to.add(circle(view.before, view.reach, kDashes), "cutoff and skin then", Mark::inBuffer);
  }
  // A ring about where a particle was, and a line from there to the rim of the particle.
  static Edges ringsOf(const MuseumView& view) {
    Edges all;
    const double radius = view.diameter / 2;
    for (const auto& [then, now] : view.moved) {
      const Edges ring = circle(then, radius, 20);
      all.insert(all.end(), ring.begin(), ring.end());
      const double way = std::hypot(now.x - then.x, now.y - then.y), part = 1 - radius / way;
      if (way > radius)
        all.emplace_back(
            then, Vec3d{then.x + part * (now.x - then.x), then.y + part * (now.y - then.y), 0});
    }
    return all;
  }
  static Edges circle(Vec3d about, double radius, int sides) {
    Edges all;
    const auto at = [&](int k) {
      const double phi = 2 * std::numbers::pi * k / sides;
      return Vec3d{about.x + radius * std::cos(phi), about.y + radius * std::sin(phi), 0};
    };
    for (int k = 0; k < sides; ++k) all.emplace_back(at(k), at(k + 1));
    return all;
  }

  Of of_;
};

// Those of lists of files, with these walls.
inline const LayerList& museumLayers() {
  static const MuseumLayer walls(MuseumLayer::Of::walls), searched(MuseumLayer::Of::searched);
  static const LayerList all = [] {
    LayerList list = pairListLayers();
    std::erase_if(list, [](const Layer* l) { return l->info().key == kWalk; });
    for (const Layer*& layer : list) {
      if (layer->info().key == kCells) layer = &walls;
      if (layer->info().key == kSearched) layer = &searched;
    }
    return list;
  }();
  return all;
}

}  // namespace cellscope::layers
