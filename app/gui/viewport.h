// The picture: camera moves, picking, and a framebuffer that is drawn only when something changed.
#pragma once
#include "app/gui/widgets.h"
#include "render/gl.h"
#include "render/legend.h"
#include "render/renderer.h"
#include "render/view.h"

namespace cellscope::gui {

constexpr double kFadeSeconds = 0.3;
constexpr float kFadeTrace = 0.3f;  // opacity after the fade

// Opacity of the marks. While the run plays: 1 right after a step or phase, falling linearly to
// kFadeTrace. At rest, when one looks at them, they stay.
class EventFade {
 public:
  // `time` in seconds; a new (step, phase) starts a new flash.
  float opacity(std::uint64_t step, int phase, double time, bool playing);

 private:
  std::uint64_t step_ = ~0ull;
  int phase_ = -1;
  double began_ = 0;
};

class ViewportArea {
 public:
  // Rectangle in ImGui units; `pixelRatio` framebuffer pixels per unit.
  void place(ImVec2 lo, ImVec2 hi, float pixelRatio);
  // Space taken by overlays (ImGui units), avoided when fitting: at the upper edge, at the
  // lower edge, and `cornerHeight` at the lower edge when the picture reaches into the corners;
  // what stands in the corners as the picture was fitted last: it does not move when a legend
  // grows, but once with the first data of a scenario.
  void reserve(float top, float bottom, float cornerHeight, float cornerWidth);
  void settle();  // the corners are looked at again, as after a change of the window or scenario
  // Fits the whole box, or, without animation, the view of the open scenario.
  void fit(const Publication& now, bool scenarioView);
  void keepFitting(const Publication& now);  // after the box or the window has changed
  void input(Shell& shell);  // handles the mouse and following; sends picks to the Runner
  // A click there; of pixels of the picture.
  PickQuery queryAt(const Shell& shell, glm::dvec2 pixel) const;
  bool holds(ImVec2 at) const {
    return at.x >= lo_.x && at.x < hi_.x && at.y >= lo_.y && at.y < hi_.y;
  }
  glm::dvec2 pixelAt(ImVec2 mouse) const {
    return {(mouse.x - lo_.x) * ratio_, (mouse.y - lo_.y) * ratio_};
  }
  // Upload a new frame, draw into the framebuffer if anything changed. True when something has.
  bool draw(Shell& shell, render::Renderer& renderer);
  void show(int windowHeight) const;  // copy to the window's framebuffer, which is so high

  const render::Camera& camera() const { return shown_; }
  void describe(Scenario& scenario) const;  // the view in the form of a scenario
  float freeBeside() const;                 // free width to the left of the fitted box
  // ImGui units per sigma, 2D or at the target
  double unitsPerSigma() const { return shown_.pixelsPerUnit(view_) / ratio_; }
  ImVec2 onScreen(glm::dvec3 place) const;  // ImGui units
  // The place there; in space at the depth of another one.
  glm::dvec3 placeAt(ImVec2 screen, const glm::dvec3& depth) const;
  void look(const ViewportArea& other);  // with its camera
  std::uint64_t pictureHash() const;     // of its pixels
  bool moving() const { return moving_; }
  // Of the picture in pixels; how it was drawn last, and whether that was this frame.
  int width() const { return view_.width; }
  int height() const { return view_.height; }
  const render::Style& style() const { return style_; }
  bool shows(const std::shared_ptr<const Frame>& frame) const { return uploaded_ == frame; }
  ImVec2 lo() const { return lo_; }
  ImVec2 hi() const { return hi_; }

 private:
  void resizeTarget(int width, int height);
  void upload(Shell& shell, render::Renderer& renderer, const std::shared_ptr<const Frame>& frame);
  void ease(float seconds);
  void pick(Shell& shell, glm::dvec2 pixel);
  void drag(Shell& shell);
  void flyTo(Shell& shell, const glm::dvec3& at, double diameter, bool cut);
  void flyToPicked(Shell& shell);
  void flyToTarget(Shell& shell);
  render::Camera wholeBox(const render::Camera& seen) const;
  render::Camera boxAbove(float bottom, const render::Camera& seen) const;
  double widthOf(const render::Camera& camera) const;  // pixels that the box spans

  render::Camera wanted_, shown_;
  render::Camera declared_;  // as the scenario has it, where that is not the whole box
  render::Camera home_;      // its angles set the distance, which turning the box keeps
  render::Viewport view_;
  Box box_;
  double rim_ = 0;  // radius of the particles, as they were drawn last
  bool fitted_ = true, moving_ = false, pressed_ = false, dragged_ = false;
  int button_ = 0;
  int settling_ = 0;                    // frames until the corners are as they will be
  bool fresh_ = false, grows_ = false;  // the legend may grow with the first data; may do so now
  std::vector<std::string> layers_;     // shown in the last frame
  std::string colouring_;
  ImVec2 lo_, hi_, pressedAt_;
  float ratio_ = 1, top_ = 0, bottom_ = 0, cornerHeight_ = 0, cornerWidth_ = 0;
  render::GlFramebuffer framebuffer_ = render::makeFramebuffer();
  render::GlTexture colour_, depth_;
  int width_ = 0, height_ = 0;
  std::shared_ptr<const Frame> uploaded_;
  std::string trouble_;  // error of the last upload
  render::Camera drawn_;
  render::Style style_;
  EventFade fade_;
  bool everDrawn_ = false;
};

// In the lower left corner, with the scale bar; the width and height it takes there.
ImVec2 legend(Shell& shell, const ViewportArea& area);
// Over a colour bar: a click opens fields for its range.
void rangeMenu(Shell& shell, const LayerData& layer, ImVec2 at, ImVec2 size);
// Width at scale 1 below which chips are smaller and tools have a row of their own.
inline constexpr float kNarrowPicture = 760;
// At the upper edge of this rectangle; the height they take there.
float layerChips(Shell& shell, ImVec2 lo, ImVec2 hi);
// What a layer that is on has to show; parts count as content.
struct LayerShown {
  bool anything = true;
  std::string reason;  // why not; "": not known
  std::string words() const;
};
LayerShown shownOf(const Shell& shell, const LayerInfo& layer);
// Where the right column is not open: beside the picked particle; `top`: height of the chips,
// `legends` what the legend takes.
void pickedCard(Shell& shell, const ViewportArea& area, float top, ImVec2 legends);

// Outlines and handles of slices; Shift and the wheel, true when they moved one.
void sliceOverlay(Shell& shell, const ViewportArea& area);
bool wheelMovesSlice(Shell& shell);

// The line to the second picked particle, and the cell that was gone to.
void inspectorOverlay(Shell& shell, const ViewportArea& area);

// Chooses the corner of the picture for a card, so that it does not cover its subject.
enum class Corner { upperRight, upperLeft, lowerRight, lowerLeft };

// Upper left corner of a card of `size` in a corner of the rectangle [lo, hi].
ImVec2 placeIn(Corner corner, ImVec2 lo, ImVec2 hi, ImVec2 size);

// `now`, unless the card would be closer than `margin` to `subject` there: then the first corner
// where it is not, or else the farthest one.
Corner freeCorner(Corner now, ImVec2 lo, ImVec2 hi, ImVec2 size, ImVec2 subject, float margin);

// Elements of a legend with their upper left corner at `at`.
void colourBar(Shell& shell, const LayerData& layer, ImVec2 at, float width);
void orientationWheel(Shell& shell, const LayerData& layer, ImVec2 at, ImDrawList* list);
// Of the wheel of orientations, at scale 1: radii of the ring of hexagons and of each of them.
inline constexpr float kHexagonRing = 29, kHexagon = 7;
ImVec2 wheelSize(Shell& shell);
void drawSwatch(Shell& shell, const render::LegendEntry& entry, ImVec2 at);

// Strips from top to bottom, each with columns from left to right, in which low parts stack.
struct LegendLayout {
  std::vector<ImVec2> at;     // upper left corner of each part, from that of the block
  std::vector<bool> isShown;  // false: no strip has room
  ImVec2 size;
  std::size_t hidden = 0;
};

struct LegendLimits {
  float width = 0, stripHeight = 0;  // of the block, of a strip
  float gapX = 0, gapY = 0;
  int strips = 2;  // maximum
};

// Every part goes into the first column with room, one wider than the block into its own strip.
LegendLayout packLegend(const std::vector<ImVec2>& parts, const LegendLimits& limits);

// Number of rows for entries of these widths (equal height, filled column by column, `gap` between
// columns): one if they fit into `lineWidth`, otherwise up to three.
std::size_t legendRows(const std::vector<float>& widths, float gap, float lineWidth);
// Width of each of their columns.
std::vector<float> columnWidths(const std::vector<float>& widths, std::size_t rows);

}  // namespace cellscope::gui
