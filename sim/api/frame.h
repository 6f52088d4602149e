// What a mode publishes to be drawn: plain primitives per layer, in host or device memory.
#pragma once
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "sim/api/marks.h"
#include "sim/base/box.h"
#include "sim/base/frame_buffer.h"

namespace cellscope {

// How values become colours.
enum class ColourKind {
  plain,       // one colour
  sequential,  // lightness rises from lo to hi
  diverging,   // about zero
  hueWheel,    // phase in (-pi, pi], constant lightness and chroma (OKLCH)
  categorical  // value = index into categories
};

struct ColourScale {
  ColourKind kind = ColourKind::plain;
  std::string title, unit;
  float lo = 0, hi = 1;
  std::vector<std::string> categories;  // plain: at most one, what the colour stands for
  // categorical: how each category looks, none: plain marks in a fixed order of colours;
  // otherwise at most one, how every instance looks.
  std::vector<Mark> marks;
  bool whole = false;  // values are counts: ticks at whole numbers only
  // categorical, of marks without a colour: tones of one hue that no event has, from first to last.
  bool tones = false;
};
// Of an instance of this value (where categories have marks, they come around again).
inline Mark markOf(const ColourScale& scale, float value) {
  if (scale.marks.empty()) return Mark::plain;
  if (scale.kind != ColourKind::categorical || !(value > 0)) return scale.marks.front();
  const float last = 65535;
  return scale
      .marks[static_cast<std::size_t>((value < last ? value : last) + 0.5f) % scale.marks.size()];
}

// Equal cells over a periodic plane, which need no instance each. The value of a cell is its byte
// in the layer's buffer (x fastest), or, without a buffer, its checkerboard set
// (x & 1) | (y & 1) << 1, which is its level in any case.
struct CellLattice {
  std::int32_t cells[2] = {1, 1};  // along each axis
  double width[2] = {1, 1};        // of a cell
  double origin[2] = {0, 0};       // of cell (0, 0), in [0, length)
  bool evenFirst = false;          // bytes of even x come first in every row
  std::int32_t activeSet = -1;     // cells of other sets are inactive; -1: all are active
  friend bool operator==(const CellLattice&, const CellLattice&) = default;
};

// A bit of the type of a box: others of its layer lie within, so that nothing but its outline is
// drawn. Fills of boxes in boxes would add up.
inline constexpr std::uint16_t kHoldsBoxes = 0x8000;

struct LayerData {
  std::string key;  // LayerInfo::key
  Primitive primitive = Primitive::points;
  std::size_t count = 0;                      // where `drawn` is set: capacity
  std::shared_ptr<const FrameBuffer> buffer;  // null when count == 0
  ColourScale scale;
  // Points: of a typical one, as in its instance. Where that is small on the screen, summed
  // coverage is drawn instead.
  float diameter = 1;
  bool events = false;  // what the last step or phase did: flashes and fades
  bool over = false;    // lines, edges of boxes: in space no particle hides them
  // Shows cells, boxes, a tree or the picked particle: the colours of other particles give way.
  bool explains = false;
  bool explaining() const { return explains && (count > 0 || coming); }
  // How many instances are there, one 32-bit integer, where a kernel left out some and only the
  // device knows; null: all of them.
  std::shared_ptr<const FrameBuffer> drawn;
  std::string reason;  // count == 0: why there is nothing to show; "": not known
  // count == 0: the next phases of the step bring what it shows. Others look as they did meanwhile.
  bool coming = false;
  // Largest level there is, whatever the look of the layer hides; negative: not known.
  std::int32_t lastLevel = -1;
  std::optional<CellLattice> lattice = {};  // Primitive::cells; count: of its cells
};

// A line of the status bar's self-checks.
struct SelfCheck {
  std::string label;  // "disks", "overlaps", "cell width"
  bool ok = true;
  std::string detail;       // "4096 of 4096", "0", "w = 1.33 in [1, 1.414)"
  bool onPurpose = false;   // not ok, as an experiment that is on explains: no failure
  std::uint64_t since = 0;  // of a Runner, not ok: the step in which it was noticed
};

// The end of a particle.
struct Deletion {
  std::uint64_t step = 0;  // step of the deletion, counted from 1
  std::string reason;      // completes "deleted in step 1234 ...": "by a trial deletion"
};

// The particle a person clicked on: rows of the card; a first one without label is its heading.
struct PickedParticle {
  ParticleId id = -1;
  float position[3] = {};  // where it is, or last was
  void place(const Vec3d& r) {
    position[0] = static_cast<float>(r.x), position[1] = static_cast<float>(r.y);
    position[2] = static_cast<float>(r.z);
  }
  std::vector<std::pair<std::string, std::string>> rows;
  // There is no such particle, or not yet: a position that a move tries, with a heading in its
  // rows.
  bool trial = false;
  // Set when the particle is gone: it is no longer marked and followed, and the card shows
  // so as long as its id is requested.
  std::optional<Deletion> deleted;
};

// Equal cells over the box, as the layers of cells show them.
struct CellGridPlace {
  std::int32_t cells[3] = {1, 1, 1};  // along each axis
  double width[3] = {1, 1, 1};        // of a cell, sigma
  double origin[3] = {0, 0, 0};       // of cell (0, 0, 0), in [0, length)
};

// A cell that the last move looked through, and the thread block that visited it.
struct BlockCell {
  std::int32_t block = 0;
  float lo[3] = {}, hi[3] = {};
};

// A complete picture of one step.
struct Frame {
  std::uint64_t step = 0;
  int phase = -1;  // index into ModeInfo::phases of the last phase done; -1 between steps
  Box box;
  bool outlined = true;  // edges of `box` are drawn; false: a layer draws those of another shape
  std::vector<LayerData> layers;
  std::vector<SelfCheck> checks;
  PickedParticle picked;                   // id < 0: none
  std::optional<CellGridPlace> grid = {};  // of the layers of cells that are shown
  std::vector<BlockCell> blockCells = {};  // of the mapping, where that layer is shown
};

// A self-check that passes but reports a suspicious result, such as a box without particles: amber
// in the window, a line at the end of a batch run and a note in its CSV file.
inline constexpr const char* kWarningLabel = "warning";

inline SelfCheck warningCheck(std::string what) { return {kWarningLabel, true, std::move(what)}; }
inline bool isWarning(const SelfCheck& c) { return c.ok && c.label == kWarningLabel; }

// How a layer is shown. Acts on what is drawn, without a new frame of the simulation.
struct LayerLook {
  float opacity = 1;
  // Instances with 0 <= level < lowest or level > highest are hidden; inactive ones always show.
  std::int32_t lowest = 0, highest = 32767;
  std::uint32_t types = ~0u;  // bit i: type i is shown; types from 32 on always are

  bool operator==(const LayerLook&) const = default;
};

// A part of the look that makes sense for a layer, declared once, with it: sliders in the window
// and keys in scenario files are made from it.
struct LayerOption {
  enum class Kind { opacity, levels, types };
  Kind kind = Kind::opacity;
  std::string label, help;
  double lo = 0, hi = 1;           // range; of levels and types whole numbers
  std::vector<std::string> names;  // of the levels or types from `lo` on; may be empty
  // Levels: the highest that is shown when the window switches the layer on in space, where more
  // hide each other; -1: all.
  std::int32_t few = -1;

  const char* key() const {
    return kind == Kind::opacity ? "opacity" : kind == Kind::levels ? "levels" : "types";
  }
  bool operator==(const LayerOption&) const = default;
};

// What comes with a layer and is listed with it: rings around overlapping particles, paths.
struct LayerPart {
  std::string key, label;
  bool operator==(const LayerPart&) const = default;
};

enum class LayerGroup { particles, cells, picked, events, pairs, trees };
inline const char* nameOf(LayerGroup group) {
  static constexpr const char* kNames[] = {"Particles", "Cells",       "Picked particle",
                                           "Events",    "Wrong pairs", "Trees"};
  return kNames[static_cast<int>(group)];
}

struct LayerInfo {
  std::string key, label, help;
  Primitive primitive = Primitive::points;
  bool onByDefault = false;
  LayerGroup group = LayerGroup::particles;
  std::vector<LayerOption> options = {};
  std::vector<LayerPart> parts = {};
  bool operator==(const LayerInfo&) const = default;
};

struct ColouringInfo {
  std::string key, label, help;
  bool operator==(const ColouringInfo&) const = default;
};

}  // namespace cellscope
