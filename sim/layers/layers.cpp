#include "sim/layers/layers.h"

#include <fmt/format.h>

#include "sim/exec/cpu_exec.h"
#include "sim/layers/messages.h"
#include "sim/layers/packer_on.h"

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

}  // namespace

void drawAll(const LayerList& layers, const Structures& from, Canvas& to) {
  if (from.cells) to.frame.grid = CellGridPlace(*from.cells);
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
  // Two colours of one cell would mix to a third: the grid keeps its outlines alone.
  for (LayerData& layer : all)
    if (coloured && layer.key == kCells && layer.count > 0) {
      layer.scale = plainScale("cells", {Mark::cellOutline});
      if (layer.primitive == Primitive::cells) layer.buffer.reset();
    }
  for (const Layer* layer : layers) layer->drawOver(from, to);
  if (!from.picked.empty())
    to.add(layerOf(kPicked, from.picked,
                   from.pickedWithTested ? testedScale() : labelScale("picked " + from.particles)));
}

LayerOption opacityOption() {
  return {.label = "Opacity", .help = "How much of what lies below is covered.", .lo = 0.05};
}

LayerOption levelsOption(const char* label, const char* help, int lo, int hi,
                         std::vector<std::string> names, int few) {
  using Kind = LayerOption::Kind;
  return {Kind::levels, label, help, 1.0 * lo, 1.0 * hi, std::move(names), few};
}

LayerOption setOption() {
  return levelsOption("Sets", "Cells of these checkerboard sets are shown.", 0, 3, setNames());
}

std::vector<LabelInstance> labelsShown(const std::vector<LabelInstance>& all, const LayerInfo& info,
                                       const Structures& from) {
  std::vector<LabelInstance> shown = all;
  if (const auto look = from.looks.find(info.key); look != from.looks.end())
    std::erase_if(shown, [&](const LabelInstance& l) {
      return l.level < look->second.lowest || l.level > look->second.highest;
    });
  return shown;
}

// A layer that shows nothing always gives a reason, also if the mode has none.
LayerData nothing(const LayerInfo& info, const std::string& reason) {
  LayerData layer;
  layer.key = info.key;
  layer.primitive = info.primitive;
  layer.reason = reason.empty() ? "this run has nothing that this layer shows" : reason;
  return layer;
}

const std::vector<std::string>& setNames() {
  static const std::vector<std::string> names = {"a", "b", "c", "d"};
  return names;
}

ColourScale categories(const std::string& title, std::vector<std::string> names,
                       std::vector<Mark> marks) {
  const auto last = static_cast<float>(names.size() - 1);
  return {.kind = ColourKind::categorical,
          .title = title,
          .hi = last,
          .categories = std::move(names),
          .marks = std::move(marks)};
}

ColourScale domainScale(int domains, bool copiesOnly) {
  std::vector<std::string> names;
  for (int k = 0; k < std::min(domains, 3); ++k) {
    std::string name = fmt::format("domain {}", k);
    if (k + 3 < domains) name += fmt::format(", {}{}", k + 3, k + 6 < domains ? " ..." : "");
    names.push_back(copiesOnly ? "" : name);
    names.push_back(name + ": copied beside");
  }
  return categories("domains", std::move(names));
}

ColourScale setScale(const std::string& title) {
  return categories(title, setNames(), {Mark::setA, Mark::setB, Mark::setC, Mark::setD});
}

ColourScale labelScale(const std::string& title) { return plainScale(title, {Mark::picked}); }

ColourScale plainScale(const std::string& title, std::vector<Mark> marks,
                       std::vector<std::string> names) {
  return {.title = title, .categories = std::move(names), .marks = std::move(marks)};
}

ColourScale sequential(const std::string& title, const std::string& unit, float lo, float hi) {
  return {ColourKind::sequential, title, unit, lo, hi, {}, {}};
}

ColourScale counting(const std::string& title, const std::string& unit, float lo, float hi,
                     std::vector<Mark> marks) {
  return {ColourKind::sequential, title, unit, lo, hi, {}, std::move(marks), true};
}

// One title, one legend: together they show what happened to the picked disk.
ColourScale testedScale() {
  return categories("picked disk", {"tested then", "blocking", "picked"},
                    {Mark::tested, Mark::blocking, Mark::picked});
}
Sketch testedSketch(std::vector<BoxInstance> stencil, std::vector<LineInstance> tested) {
  return {.boxes = std::move(stencil),
          .lines = std::move(tested),
          .boxScale = categories("picked disk", {"its cell in the last sweep", "searched then"},
                                 {Mark::ownCell, Mark::searchedThen}),
          .lineScale = testedScale()};
}
ColourScale searchedScale() {
  return categories("search", {"own cell", "cell searched", "cell skipped"},
                    {Mark::ownCell, Mark::searched, Mark::skipped});
}
Sketch walkSketch() {
  return {.boxScale = categories("query, in order of the numbers",
                                 {"node opened", "node pruned", "leaf checked", "box of the query"},
                                 {Mark::opened, Mark::pruned, Mark::leaf, Mark::query}),
          .lineScale =
              categories("distance checks",
                         {"within the cutoff", "within the buffer", "too far: checked for nothing"},
                         {Mark::inCutoff, Mark::inBuffer, Mark::tooFar})};
}

std::vector<MessageView> messageViews(const std::vector<HaloMessage>& messages, const Box& box,
                                      int axis, double origin, double width) {
  std::vector<MessageView> all;
  for (const HaloMessage& m : messages) {
    MessageView& to = all.emplace_back();
    for (int k = 0; k < box.dimension; ++k) to.cells.hi[k] = static_cast<float>(box.length[k]);
    const double first = std::fmod(origin + m.row * width, box.length[axis]);
    to.cells.lo[axis] = static_cast<float>(first);
    to.cells.hi[axis] = static_cast<float>(first + m.rows * width);
    to.cells.value = static_cast<float>(2 * (m.from % 3) + 1);
    to.axis = axis;
    to.ahead = m.ahead;
    to.words = fmt::format("{} cells, {:.0f} KiB", m.cells, static_cast<double>(m.bytes) / 1024);
  }
  return all;
}

std::unique_ptr<Packer> makePackerCpu(const exec::Shared& exec) {
  return std::make_unique<PackerOn<exec::CpuExec>>(exec);
}

}  // namespace cellscope::layers
