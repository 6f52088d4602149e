
#include <algorithm>

#include "sim/layers/layers.h"

namespace cellscope::layers {

std::vector<LayerInfo> infosOf(const LayerList& layers) {
  std::vector<LayerInfo> infos;
  for (const Layer* layer : layers) infos.push_back(layer->info());
  return infos;
}

LayerList shown(const LayerList& layers, const std::vector<std::string>& on) {
  LayerList some;
  for (const Layer* layer : layers)
    if (std::find(on.begin(), on.end(), layer->info().key) != on.end()) some.push_back(layer);
  return some;
}

std::uint32_t needsOf(const LayerList& layers) {
  std::uint32_t needs = 0;
  for (const Layer* layer : layers) needs |= layer->needs();
  return needs;
}

namespace {

CellGridPlace placeOf(const CellGridView& grid) {
  CellGridPlace place;
  for (int k = 0; k < grid.dimension; ++k) {
    place.cells[k] = grid.cells[k];
    place.width[k] = grid.width[k];
    place.origin[k] = grid.origin[k];
  }
  return place;
}

std::vector<BlockCell> blockCellsOf(const Sketch& work) {
  std::vector<BlockCell> cells;
  for (std::size_t i = 0; i < work.blocks.size() && i < work.boxes.size(); ++i) {
    const BoxInstance& b = work.boxes[i];
    cells.push_back({work.blocks[i], {b.lo[0], b.lo[1], b.lo[2]}, {b.hi[0], b.hi[1], b.hi[2]}});
  }
  return cells;
}

// The box of the simulation alone explains nothing. Wrong pairs that are shown without a picked
// particle come and go: colours would flicker.
bool explains(const LayerInfo& layer, const Structures& from) {
  const LayerGroup g = layer.group;
  return (g == LayerGroup::cells || g == LayerGroup::picked || g == LayerGroup::pairs ||
          g == LayerGroup::trees) &&
         layer.key != kBox && (layer.key != kNeighbours || !from.picked.empty());
}

// Cells in colours that mean something else than how many particles are in each.
bool coloursCells(const LayerInfo& layer, const LayerData& drawn) {
  const LayerGroup g = layer.group;
  const bool cells = drawn.primitive == Primitive::boxes || drawn.primitive == Primitive::cells;
  return (g == LayerGroup::cells || g == LayerGroup::picked) && cells && drawn.count > 0 &&
         layer.key != kBox && layer.key != kCells;
}

// Two colours of one cell would mix to a third: the grid keeps its outlines alone.
void leaveOutlines(LayerData& grid) {
  grid.scale = plainScale("cells");
  grid.scale.marks = {Mark::cellOutline};
  if (grid.primitive == Primitive::cells) grid.buffer.reset();
}

}  // namespace

void drawAll(const LayerList& layers, const Structures& from, Canvas& to) {
  if (from.cells) to.frame.grid = placeOf(*from.cells);
  if (from.moveWork) to.frame.blockCells = blockCellsOf(*from.moveWork);
  std::vector<LayerData>& all = to.frame.layers;
  bool coloured = false;
  for (const Layer* layer : layers) {
    const std::size_t first = all.size();
    layer->draw(from, to);
    for (std::size_t i = first; i < all.size(); ++i) {
      all[i].explains = explains(layer->info(), from);
      all[i].coming = all[i].count == 0 && (layer->needs() & from.coming) != 0;
      coloured = coloured || coloursCells(layer->info(), all[i]);
    }
  }
  for (LayerData& layer : all)
    if (coloured && layer.key == kCells && layer.count > 0) leaveOutlines(layer);
  for (const Layer* layer : layers) layer->drawOver(from, to);
  if (!from.picked.empty())
    to.add(pickedRings(from.picked, from.pickedWithTested
                                        ? testedScale()
                                        : pickedScale("picked " + from.particles)));
}

LayerOption opacityOption() {
  return {LayerOption::Kind::opacity,
          "Opacity",
          "How much of what lies below is covered.",
          0.05,
          1,
          {}};
}

LayerOption setOption() {
  return {LayerOption::Kind::levels,
          "Sets",
          "Cells of these checkerboard sets are shown.",
          0,
          3,
          setNames()};
}

LayerOption typesOption(std::vector<std::string> names) {
  const double last = static_cast<double>(names.size()) - 1;
  return {LayerOption::Kind::types, "Types", "Particles of these species are shown.", 0, last,
          std::move(names)};
}

// A layer that shows nothing always gives a reason, also if the mode has none.
LayerData nothing(const LayerInfo& info, const std::string& reason) {
  LayerData layer;
  layer.key = info.key;
  layer.primitive = info.primitive;
  layer.reason = reason.empty() ? "this run has nothing that this layer shows" : reason;
  return layer;
}

}  // namespace cellscope::layers
