// The picture of the run beside the one that is open (Scenario::against): at the right of it, with
// the same camera, layers and ranges of colours.
#pragma once
#include <memory>

#include "app/gui/viewport.h"
#include "render/renderer.h"

namespace cellscope::gui {

class SecondPicture {
 public:
  explicit SecondPicture(std::unique_ptr<render::Renderer> renderer)
      : renderer_(std::move(renderer)) {}

  // Parts the rectangle in two halves.
  void place(ViewportArea& first, ImVec2 lo, ImVec2 hi, float pixelRatio);
  // The mouse in it moves the camera of the first; a drag stays in the picture where it began.
  void input(Shell& shell, ViewportArea& first);
  bool draw(Shell& shell, const ViewportArea& first);  // true: something has changed
  void show(int windowHeight) const { area_.show(windowHeight); }
  const ViewportArea& area() const { return area_; }

 private:
  std::unique_ptr<render::Renderer> renderer_;
  ViewportArea area_;
  bool isRight_ = false;  // where the mouse is
};

// What differs, and the number to watch of both, above the two pictures; the height it takes.
float besideCaptions(Shell& shell, const ViewportArea& first, const ViewportArea& second,
                     float top);

}  // namespace cellscope::gui
