// Layers of the museum of bugs: those of lists of files, but for the walls of cells and for what
// was looked through for the picked particle; and the edges that these are drawn from.
#pragma once
#include <cmath>
#include <numbers>
#include <string>
#include <utility>
#include <vector>

#include "sim/layers/list.h"

namespace cellscope::layers {

using Edges = std::vector<std::pair<Vec3d, Vec3d>>;

inline Edges circle(Vec3d about, double radius, int sides) {
  Edges all;
  const auto at = [&](int k) {
    const double phi = 2 * std::numbers::pi * k / sides;
    return Vec3d{about.x + radius * std::cos(phi), about.y + radius * std::sin(phi), 0};
  };
  for (int k = 0; k < sides; ++k) all.emplace_back(at(k), at(k + 1));
  return all;
}

// Lines of each kind, with its name in the legend: those that are there alone.
inline void addEdges(const Edges& edges, const char* name, Mark mark, Sketch& to) {
  if (edges.empty()) return;
  const auto kind = static_cast<float>(to.lineScale.categories.size());
  for (const auto& [a, b] : edges) to.lines.push_back(lineBetween(a, b, kind));
  to.lineScale.categories.emplace_back(name), to.lineScale.marks.push_back(mark);
}

inline const LayerList& museumLayers() {
  using S = SketchLayer;
  static const S walls(kCells, "Cell walls", "The walls of the cells that the list was found by.",
                       Primitive::lines, true, LayerGroup::cells, Need::cells, &Structures::walls,
                       "", {{kCells, S::lines}}, {});
  static const S searched(kSearched, "Searched",
                          "The cells, or in a tree the leaves, that were looked through for the "
                          "picked particle, or the first one of the picked pair, and the circle of "
                          "the cutoff. With a skin: where particles were when the list was built. "
                          "And what is wrong with cells or with the tree.",
                          Primitive::lines, true, LayerGroup::picked, Need::searched,
                          &Structures::searched, "", {{kSearched, S::lines}},
                          {{kSearchedLabels, "what is wrong"}}, {kSearchedLabels, "what is wrong"});
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
