// A framebuffer that is drawn to as a window is: at its own size, and not read back.
#pragma once
#include <memory>

#include "render/renderer.h"

namespace cellscope::render {

class OffscreenFrame {
 public:
  OffscreenFrame(int width, int height);  // of the current context
  ~OffscreenFrame();
  OffscreenFrame(const OffscreenFrame&) = delete;
  OffscreenFrame& operator=(const OffscreenFrame&) = delete;

  // Orders it and does not wait.
  void draw(Renderer& renderer, const Camera& camera, const Style& style) const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace cellscope::render
