// Grand-canonical Monte Carlo: particles of one chain and of many, checkerboards, and what a mode
// sketches, such as a move: which thread reads which cell, and what its kernel recorded. Above them
// the colourings; the first is the default.
#pragma once
#include "sim/base/box.h"
#include "sim/base/frame_buffer.h"
#include "sim/core/gcmc_pair.h"
#include "sim/layers/cells.h"
#include "sim/layers/colouring.h"

namespace cellscope::layers {

// What colourings of grand-canonical Monte Carlo know: the run as it is now, and one particle as
// the kernel sees it.
inline constexpr std::uint32_t kGcmcEnergies = 1;  // of ChosenColouring::needs

struct GcmcColourState {
  double density = 0;
  int dimension = 3;
  bool manyChains = false;  // of different densities, side by side: one range for all
  int domains = 1;
  bool mixed = false;
};

// How domains cut the shifted grid of the checkerboard (gcmcBoardLayers).
struct GcmcCut {
  int domains = 1;
  std::uint32_t layers = 1;  // of cells across the axis that is cut, the last one
  std::uint32_t shift = 0;   // of the grid along it

  HOST_DEVICE std::uint32_t layerOf(std::uint32_t word) const {
    return gcmcCell(word - shift, layers);
  }
  // A border belongs to the layer that contains it, which is the first of the domain after it.
  HOST_DEVICE int domainOf(std::uint32_t layer) const {
    const std::uint64_t next = ((std::uint64_t{layer % layers + 1} << 32) + layers - 1) / layers;
    const auto last = static_cast<std::uint32_t>(next - 1) + shift;
    return static_cast<int>(std::uint64_t{last} * static_cast<std::uint32_t>(domains) >> 32);
  }
};

struct GcmcSeen {
  const ParticleId* id;
  const float* energy;      // with all others; null unless the colouring needs it
  ParticleId idBase;        // particles inserted during the run have ids from this on
  std::size_t slot, drawn;  // of this particle: index into ids, and into energies
  std::uint32_t along = 0;  // its position along the last axis
  GcmcCut cut{};
  std::uint32_t type = 0;
};

struct GcmcOrigin {
  static ColouringInfo info() {
    return {"origin", "Origin", "Particles from the start, and those inserted since."};
  }
  static ColourScale scale(const GcmcColourState&) {
    return categories("particles", {"from the start", "inserted"});
  }
  HOST_DEVICE static float value(const GcmcSeen& p) {
    return p.id[p.slot] >= p.idBase ? 1.0f : 0.0f;
  }
};

struct GcmcEnergy {
  static constexpr std::uint32_t kNeeds = kGcmcEnergies;
  static ColouringInfo info() {
    return {"energy", "Energy", "Energy of each particle with all others, without the tail."};
  }
  static ColourScale scale(const GcmcColourState& s) {
    constexpr const char* kTitle = "energy with all others";
    if (s.manyChains) return sequential(kTitle, "epsilon", -14, 0);
    // In steps, so that colours do not flicker with the density.
    const double perDensity = s.dimension == 3 ? -6.75 : -3.25;
    const double mean = 2 * std::round(perDensity * std::min(s.density, 1.0));
    return sequential(kTitle, "epsilon", static_cast<float>(mean - 5),
                      static_cast<float>(std::min(mean + 5, 0.5)));
  }
  HOST_DEVICE static float value(const GcmcSeen& p) { return p.energy[p.drawn]; }
};

struct GcmcDomain {
  static ColouringInfo info() {
    return {"domain", "Domain",
            "The domain (GPU or thread) that advances the cell of each particle now, and whether "
            "the domain beside it has a copy (halo)."};
  }
  static std::string missing(const GcmcColourState& s) {
    return s.domains > 1 ? "" : "there is one domain; start with --domains 2";
  }
  static ColourScale scale(const GcmcColourState& s) { return domainScale(s.domains); }
  HOST_DEVICE static float value(const GcmcSeen& p) {
    const std::uint32_t layer = p.cut.layerOf(p.along);
    const int own = p.cut.domainOf(layer);
    const bool copied =
        p.cut.domainOf(layer + 1) != own || p.cut.domainOf(layer + p.cut.layers - 1) != own;
    return static_cast<float>(2 * (own % 3) + (copied ? 1 : 0));
  }
};

struct GcmcType {
  static ColouringInfo info() { return {"type", "Type", "The species of each particle."}; }
  static std::string missing(const GcmcColourState& s) {
    return s.mixed ? "" : "there is one type; choose system = binary";
  }
  static ColourScale scale(const GcmcColourState&) { return categories("type", {"A", "B"}); }
  HOST_DEVICE static float value(const GcmcSeen& p) { return static_cast<float>(p.type); }
};

using GcmcColourings = ColouringList<GcmcOrigin, GcmcEnergy, GcmcDomain, GcmcType, PlainParticles>;

// The particles of a grand-canonical chain, and where its box stands.
struct GcmcTile {
  const GcmcPoint* point;
  const ParticleId* id;
  ParticleId idBase;
  std::uint32_t first;  // instances before those of this tile
  float corner[3];
};

// The particles of one chain, or of many in boxes of one size side by side: instances of all tiles,
// one after the other, by slot in each. Positions are fractions of the box.
struct PackGcmcParticles {
  static constexpr const char* kName = "pack particles";
  static constexpr int kGrain = 4096;

  const GcmcTile* tile;    // in the memory of the packer, as what they name
  std::uint32_t tiles;     // at least 1
  const float* energy;     // by instance; null unless the colouring needs it
  std::int32_t colouring;  // index in GcmcColourings
  std::size_t n;           // instances
  double unit[3];          // length / 2^32; 0 for z in the plane
  GcmcCut cut{};
  float diameterB = 0;  // 0: one type

  std::size_t items() const { return n; }
  // The last tile that begins at or before instance i.
  HOST_DEVICE std::uint32_t tileOf(std::size_t i) const {
    std::uint32_t low = 0, high = tiles;
    while (high - low > 1) {
      const std::uint32_t middle = (low + high) / 2;
      if (tile[middle].first <= i)
        low = middle;
      else
        high = middle;
    }
    return low;
  }
  HOST_DEVICE PointInstance instance(std::size_t i) const {
    const GcmcTile& t = tile[tileOf(i)];
    const std::size_t slot = i - t.first;
    const GcmcPoint p = t.point[slot];
    const std::uint32_t type = diameterB > 0 ? gcmcTypeOf(p) : 0u;
    const GcmcSeen seen{t.id, energy, t.idBase, slot, i, unit[2] > 0 ? p.z : p.y, cut, type};
    return {t.corner[0] + static_cast<float>(p.x * unit[0]),
            t.corner[1] + static_cast<float>(p.y * unit[1]),
            t.corner[2] + static_cast<float>(p.z * unit[2]),
            type == 0u ? 1 : diameterB,
            GcmcColourings::value(colouring, seen),
            0,
            static_cast<std::uint16_t>(type)};
  }
};

// Layers of a grand-canonical checkerboard: the cells by colour, four in the plane and eight in
// space, and those that were updated last.
inline ColourScale boardScale(const std::string& title, int dimension) {
  if (dimension == 2) return setScale(title);
  return categories(title, {"a", "b", "c", "d", "e", "f", "g", "h"},
                    {Mark::setA, Mark::setB, Mark::setC, Mark::setD, Mark::setE, Mark::setF,
                     Mark::setG, Mark::setH});
}

struct BoardSetsLayer final : Layer {
  BoardSetsLayer()
      : Layer(kSets, "Checkerboard",
              "The cells of the checkerboard by colour: four colours in the plane, eight in space. "
              "Cells of one colour are at least the cutoff apart, so that moves in all of them at "
              "the same time do not affect each other. The grid is shifted at random after every "
              "sweep over the colours.",
              Primitive::boxes, false, LayerGroup::cells, bit(Need::cells) | bit(Need::activeSet),
              {opacityOption()}) {}
  void draw(const Structures& from, Canvas& to) const override {
    if (!from.cells || !from.active)
      return to.add(nothing(info(), "only the checkerboard has colours: choose it as the method"));
    to.add(cellBoxes(info(), {*from.cells, CellValue::set},
                     boardScale("colours of cells", from.cells->dimension), to));
  }
};

struct BoardActiveLayer final : Layer {
  BoardActiveLayer()
      : Layer(kActive, "Active cells",
              "The cells of the colour that was updated last; the others are faint in the plane "
              "and hidden in space. Step phase by phase to see colour after colour.",
              Primitive::boxes, false, LayerGroup::cells, bit(Need::activeSet), {opacityOption()}) {
  }
  void draw(const Structures& from, Canvas& to) const override {
    if (!from.active || from.active->set < 0)
      return to.add(
          nothing(info(), "no colour has been updated yet: only the checkerboard has colours"));
    const ActiveSetView& a = *from.active;
    ColourScale scale = boardScale("", a.grid.dimension);
    scale.title = a.title + ": " + scale.categories.at(static_cast<std::size_t>(a.set));
    LayerData boxes = cellBoxes(info(), {a.grid, CellValue::active, a.set}, std::move(scale), to);
    boxes.over = true;  // particles would hide most of the edges
    to.add(std::move(boxes));
  }
};

// What a mode has sketched of a move, a particle or many systems, primitive by primitive.
class SketchLayer final : public Layer {
 public:
  using Member = std::optional<Sketch> Structures::*;
  // A primitive under the key of the layer, or of one of its parts.
  struct Drawn {
    const char* key;
    LayerData (*of)(const Sketch& s, const std::string& key);
    bool over = false;  // LayerData::over
  };
  // title: of their legend; null: the sketch has a scale of its own.
  struct Labels {
    const char *key, *title;
  };
  // none: the reason where the mode has no sketch; one in the sketch itself comes first.
  SketchLayer(const char* key, const char* label, const char* help, Primitive primitive,
              bool onByDefault, LayerGroup group, Need need, Member sketch, const char* none,
              std::vector<Drawn> drawn, std::vector<LayerPart> parts, Labels labels = {},
              std::vector<LayerOption> options = {opacityOption()})
      : Layer(key, label, help, primitive, onByDefault, group, bit(need), std::move(options),
              std::move(parts)),
        sketch_(sketch),
        none_(none),
        drawn_(std::move(drawn)),
        labels_(labels) {}
  void draw(const Structures& from, Canvas& to) const override {
    const std::optional<Sketch>& s = from.*sketch_;
    if (!s || !s->reason.empty()) return to.add(nothing(info(), s ? s->reason : none_));
    for (const Drawn& part : drawn_) {
      LayerData data = part.of(*s, part.key);
      data.over = part.over;
      if (data.count > 0 || data.key == info().key) to.add(std::move(data));
    }
  }
  void drawOver(const Structures& from, Canvas& to) const override {
    const std::optional<Sketch>& s = from.*sketch_;
    if (!s || !labels_.key) return;
    const auto shown = labelsShown(s->labels, info(), from);
    if (!shown.empty())
      to.add(
          layerOf(labels_.key, shown, labels_.title ? labelScale(labels_.title) : s->labelScale));
  }

  static LayerData boxes(const Sketch& s, const std::string& key) {
    return layerOf(key, s.boxes, s.boxScale);
  }
  // Boxes, or lines, of steps that an option counts.
  static LayerData steps(const Sketch& s, const std::string& key) {
    return upToLast(boxes(s, key), s.boxes);
  }
  static LayerData lineSteps(const Sketch& s, const std::string& key) {
    return upToLast(lines(s, key), s.lines);
  }
  static LayerData lines(const Sketch& s, const std::string& key) {
    return layerOf(key, s.lines, s.lineScale);
  }
  static LayerData points(const Sketch& s, const std::string& key) {
    return layerOf(key, s.points, s.pointScale);
  }
  static LayerData images(const Sketch& s, const std::string& key) {
    return layerOf(key, s.images, s.imageScale);
  }

 private:
  static LayerData upToLast(LayerData data, const auto& items) {
    for (const auto& item : items)
      data.lastLevel = std::max<std::int32_t>(data.lastLevel, item.level);
    return data;
  }
  Member sketch_;
  std::string none_;
  std::vector<Drawn> drawn_;
  Labels labels_;
};

}  // namespace cellscope::layers
