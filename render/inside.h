// Which part of a scene is shown, so that one sees inside: slabs that leave out what lies beyond
// them, and a selection beside which other particles are quiet or absent.
#pragma once
#include <glm/glm.hpp>

#include <array>
#include <cmath>
#include <cstdint>
#include <vector>

#include "sim/api/frame.h"
#include "sim/base/box.h"

namespace cellscope::render {

// Shows positions whose distance from a plane is at most `half`; lengths in sigma.
struct Slab {
  glm::dvec3 normal{0, 0, 1};  // of unit length
  double middle = 0;           // normal . x in the plane
  double half = -1;            // negative: no slab
  bool operator==(const Slab&) const = default;
};

// A part of the simulation box, in sigma.
struct SelectedBox {
  glm::dvec3 lo{0}, hi{0};
  bool operator==(const SelectedBox&) const = default;
};
inline constexpr std::size_t kMostSelectedBoxes = 64;

enum class Rest { shown, dimmed, hidden };

struct InsideView {
  std::array<Slab, 4> slabs{};
  // Particles that are not selected. Selected are those of these types, with radius >= 0 only where
  // the nearest image lies within it of the place, and where there are boxes only in one of them
  // (the first kMostSelectedBoxes).
  Rest rest = Rest::shown;
  std::uint32_t types = ~0u;  // bit i: type i; types from 32 on always are
  glm::dvec3 place{0};
  double radius = -1;
  std::vector<SelectedBox> boxes = {};
  double depthCue = 0.75;  // share of the background in the farthest corner of the box
  bool operator==(const InsideView&) const = default;

  bool cutsAway(const glm::dvec3& at) const {
    for (const Slab& s : slabs)
      if (s.half >= 0 && std::abs(glm::dot(s.normal, at) - s.middle) > s.half) return true;
    return false;
  }
  // Of a particle in the simulation box: not selected; not drawn.
  bool isRest(const glm::dvec3& at, int type, const Box& box) const;
  bool hides(const glm::dvec3& at, int type, const Box& box) const {
    return cutsAway(at) || (rest == Rest::hidden && isRest(at, type, box));
  }
};

// Particles whose colours would hide cells, blocks, trees, slots or the neighbours of a picked one
// that are shown with them, whatever the colours mean.
bool isQuiet(const LayerData& layer, const std::vector<LayerData>& all);

// With which share of its diameter a layer is drawn where Style::quiet is set: quiet spheres among
// boxes that explain are smaller, as in a dense liquid nothing would be seen between them.
float quietDiameter(const LayerData& layer, const std::vector<LayerData>& all, int dimension);

}  // namespace cellscope::render
