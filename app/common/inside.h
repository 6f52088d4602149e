// Seeing inside a scene in space: settings of a scenario or the window's controls, and the
// renderer's view of it.
#pragma once
#include <cstddef>
#include <map>
#include <string>
#include <vector>

#include "render/renderer.h"
#include "render/view.h"
#include "sim/api/frame.h"
#include "sim/api/mode.h"
#include "sim/run/scenario.h"

namespace cellscope::common {

// Normal of a slice, towards the eye, and the range of its place along that.
struct SliceAxis {
  glm::dvec3 normal{0};
  double lo = 0, hi = 1;
};
SliceAxis sliceAxis(std::size_t plane, const render::Camera& camera, const Box& box);

// `frame`: for the box and the picked particle.
render::InsideView insideView(const InsideState& state, const render::Camera& camera,
                              const Frame& frame);
// Cells of one layer of a grid across an axis: one box, or two where it crosses the box's border.
std::vector<render::SelectedBox> layerBoxes(const CellGridPlace& grid, const Box& box, int axis,
                                            int layer);
// Why a selection acts on nothing at present, in words for the panel; "": it acts.
std::string whyNoSelection(const InsideState& state, const Frame& frame);
// Distance from which a picked particle of this diameter is looked at.
double flyDistance(double diameter, const render::Camera& camera);

// What a scenario's view emphasises, as the window and pictures without one draw it: what is
// selected, how layers look, ranges of colours.

using LayerLooks = std::map<std::string, LayerLook>;  // by key of the layer
// A selection of levels of the trees leaves out the others, within the options of their layers.
LayerLooks withSelectedLevels(LayerLooks looks, const InsideState& state, const ModeWords& mode);
// Parts of a layer fade with it. True when one changed.
bool applyLooks(render::Renderer& renderer, const LayerLooks& looks, const ModeWords& mode);

// The layer and what it shows.
inline std::string rangeKey(const LayerData& layer) { return layer.key + "/" + layer.scale.title; }
// Ranges belong to what a layer shows at present. True when one changed.
bool applyRanges(render::Renderer& renderer, const Frame& frame, const ColourRanges& wanted);
// Layers as legends tell of them: with the ranges of colours that were set by hand; types that a
// layer leaves out have no name.
std::vector<LayerData> shownLayers(const Frame& frame, const ColourRanges& ranges,
                                   const LayerLooks& looks = {}, const ModeWords& mode = {});

// Which particles a picture shows, as clicks ask for it.
class DrawnParticles {
 public:
  // look: that of the mode's first layer, the particles; quiet: Style::quiet.
  DrawnParticles(const Frame& frame, const ModeWords& mode, const LayerLook& look,
                 const render::InsideView& inside, bool quiet)
      : inside_(inside), box_(frame.box), look_(look) {
    for (const LayerData& layer : frame.layers) {
      if (layer.key != mode.layers.front().key || layer.count == 0) continue;
      isOn_ = true;
      if (quiet) size_ = render::quietDiameter(layer, frame.layers, frame.box.dimension);
    }
  }

  bool operator()(const Vec3d& at, int type) const {
    const bool ofType = type >= 32 || (look_.types >> type & 1u) != 0;
    return isOn_ && ofType && !inside_.hides({at.x, at.y, at.z}, type, box_);
  }
  double size() const { return size_; }  // of spheres, as share of their diameter

 private:
  render::InsideView inside_;
  Box box_;
  LayerLook look_;
  bool isOn_ = false;
  double size_ = 1;
};

// A click into space: through the eye, or in a picture without perspective from before the box. Of
// boxes in space, what slabs leave of the ray is drawn.
PickQuery clickAlong(const render::Camera& camera, const glm::dvec3& origin,
                     const glm::dvec3& direction, const render::InsideView& inside, const Box& box);

}  // namespace cellscope::common
