// Panels kept as a picture of their own. Where a processor draws, drawing them again costs as much
// as thousands of particles: of a new ImGui frame only the tiles that changed are drawn, and a
// frame that shows nothing but a new picture of the particles takes the panels as they are.
#pragma once
#include <imgui.h>

#include <cstdint>
#include <vector>

#include "render/screen_copy.h"

namespace cellscope::gui {

class PanelCache {
 public:
  // Takes a finished ImGui frame. Outside of `hole`, where the picture of the particles is, panels
  // lie on `background`; inside of it they are drawn over the picture.
  void take(const ImDrawData& data, int width, int height, const render::PixelRect& hole,
            ImU32 background);
  // Into the window's framebuffer, over the picture. `kept`: beside the picture it holds what was
  // shown last, of which only what has changed since is drawn.
  void show(bool kept);
  void forget() { width_ = 0; }
  bool empty() const { return width_ == 0; }
  // Share of the window that the last take() drew, for measurements.
  double drawnShare() const { return drawnShare_; }

 private:
  bool resize(int width, int height);
  std::vector<std::uint64_t> contents(const ImDrawData& data) const;
  // Tiles for which `wanted(index)` holds, as few rectangles.
  template <class Wanted>
  std::vector<render::PixelRect> rectangles(const Wanted& wanted) const;
  void redraw(const ImDrawData& data, const std::vector<render::PixelRect>& parts);

  render::ScreenCopy copy_;
  render::GlFramebuffer framebuffer_ = render::makeFramebuffer();
  render::GlTexture canvas_;
  int width_ = 0, height_ = 0;
  render::PixelRect hole_;
  ImU32 background_ = 0;
  std::vector<std::uint64_t> tiles_;       // a hash of all triangles that may touch a tile; 0: none
  std::vector<render::PixelRect> covers_;  // parts of the picture over which there may be something
  std::vector<render::PixelRect> unshown_;  // taken since the last show()
  double drawnShare_ = 0;
};

}  // namespace cellscope::gui
