// Panels kept as a picture of their own. Where a processor draws, drawing them again costs as much
// as thousands of particles: of a new ImGui frame only the windows that changed are drawn, and a
// frame that shows nothing but a new picture of the particles takes the panels as they are.
#pragma once
#include <imgui.h>

#include <string>
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
  void forget() { lists_.clear(), width_ = 0; }
  bool empty() const { return width_ == 0; }
  // Share of the window that the last take() drew, for measurements.
  double drawnShare() const { return drawnShare_; }

 private:
  // A draw list as it was drawn.
  struct Kept {
    std::vector<ImDrawVert> vertices;
    std::vector<ImDrawIdx> indices;
    std::vector<ImDrawCmd> commands;
    std::string owner;
    render::PixelRect reach;  // pixels that it may touch
  };
  bool resize(int width, int height);
  std::vector<render::PixelRect> changes(const ImDrawData& data, bool all);
  void redraw(const ImDrawData& data, const render::PixelRect& part);
  void findCovers(const ImDrawData& data);

  render::ScreenCopy copy_;
  render::GlFramebuffer framebuffer_ = render::makeFramebuffer();
  render::GlTexture canvas_;
  int width_ = 0, height_ = 0;
  render::PixelRect hole_;
  ImU32 background_ = 0;
  std::vector<Kept> lists_;
  std::vector<render::PixelRect> covers_;  // parts of the picture over which there may be something
  std::vector<render::PixelRect> unshown_;  // taken since the last show()
  double drawnShare_ = 0;
};

}  // namespace cellscope::gui
