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
  Edges walls, searched;
  std::optional<Vec3d> centre;  // of the circle that was searched for
  double cutoff = 0;
  // Of a list with a skin: each particle's way since the list was built, and the circle of the
  // list. Of boxes in lower precision: those of the leaves, each with the way from its particle.
  Edges moved;
  bool isOfLeaves = false;
  Vec3d before{0, 0, 0};
  double reach = 0;
};

class MuseumLayer final : public Layer {
 public:
  enum class Of { walls, searched };
  explicit MuseumLayer(Of of)
      : Layer(of == Of::walls ? kCells : kSearched, of == Of::walls ? "Cell walls" : "Searched",
              of == Of::walls
                  ? "The walls of the cells that the list was found by."
                  : "The cells, or in a tree the leaves, that were looked through for the picked "
                    "particle, or the first one of the picked pair, and the circle of the cutoff. "
                    "With a skin: how far particles have moved since the list was built. Of boxes "
                    "in lower precision: the boxes of the leaves.",
              Primitive::lines, true, of == Of::walls ? LayerGroup::cells : LayerGroup::picked, 0,
              {opacityOption()}),
        of_(of) {}
  void draw(const Structures& from, Canvas& to) const override {
    const auto* const view = from.find<MuseumView>();
    if (!view) return;
    const bool walls = of_ == Of::walls;
    std::vector<LineInstance> lines;
    for (const auto& [a, b] : walls ? view->walls : view->searched)
      lines.push_back(lineBetween(a, b));
    for (const auto& [a, b] : walls ? MuseumView::Edges{} : view->moved) {
      lines.push_back(lineBetween(a, b));
      lines.back().value = 2;
    }
    if (!walls && view->centre) addCircle(*view->centre, view->cutoff, 1, lines);
    if (!walls && view->reach > 0) addCircle(view->before, view->reach, 3, lines);
    LayerData layer = layerOf(info().key, Primitive::lines, lines,
                              walls ? plainScale(info().label) : scaleOf(*view, info().label));
    if (walls) layer.scale.marks = {Mark::cellOutline};
    if (lines.empty()) layer.reason = "no particle is picked";
    to.add(std::move(layer));
  }

 private:
  static ColourScale scaleOf(const MuseumView& view, const std::string& label) {
    std::vector<std::string> names = {"looked through", "within the cutoff"};
    std::vector<Mark> marks = {Mark::searched, Mark::query};
    if (view.moved.empty()) return categories(label, names, marks);
    if (view.isOfLeaves) {
      names.push_back("box of the leaf"), marks.push_back(Mark::leaf);
      return categories(label, names, marks);
    }
    names.insert(names.end(), {"moved", "cutoff and skin then"});
    marks.insert(marks.end(), {Mark::accepted, Mark::inBuffer});
    return categories("since the list was built", names, marks);
  }
  static void addCircle(Vec3d about, double radius, float part, std::vector<LineInstance>& lines) {
    const int kSides = part == 3 ? 72 : 360;  // dashes need long sides
    const auto at = [&](int k) {
      const double phi = 2 * std::numbers::pi * k / kSides;
      return Vec3d{about.x + radius * std::cos(phi), about.y + radius * std::sin(phi), 0};
    };
    for (int k = 0; k < kSides; ++k) {
      lines.push_back(lineBetween(at(k), at(k + 1)));
      lines.back().value = part;
    }
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
