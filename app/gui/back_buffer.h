// Whether the window's framebuffer still holds the frame before, so that only what has changed need
// be drawn. Drivers that draw on the processor keep it without saying so; others alternate between
// buffers, or lose it when the window changes its size.
#pragma once

namespace cellscope::gui {

class BackBuffer {
 public:
  // On the bound framebuffer, before anything is drawn: whether the last mark() is there.
  bool keepsLast() const;
  // After a frame was drawn: marks it in the opacity of one pixel, which is not seen. Framebuffers
  // without opacity never keep anything.
  void mark();

 private:
  int mark_ = 0;  // 0: none yet
};

}  // namespace cellscope::gui
