// The description of a layer, its words, its parts and the options of how it is shown, and of a
// colouring.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "sim/base/frame_buffer.h"

namespace cellscope {

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
