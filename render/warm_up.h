// Shaders are compiled before anybody waits for them. Software renderers compile a shader, for each
// state that it is drawn with, when it is first drawn: up to half a second each, once on a
// computer.
#pragma once
#include <cstddef>
#include <memory>
#include <vector>

#include "render/gl.h"
#include "render/renderer.h"

namespace cellscope::render {

// Draws every primitive of the plane or of space at every size that has a shader of its own, in
// pictures of a few pixels. The renderer is left with a frame of these.
class WarmUp {
 public:
  explicit WarmUp(int dimension);
  bool done() const { return next_ == pictures_.size(); }
  double share() const {
    return static_cast<double>(next_) / static_cast<double>(pictures_.size());
  }
  void drawNext(Renderer& renderer);

 private:
  struct Picture {
    std::shared_ptr<const Frame> frame;
    double pixels = 10;  // per sigma
    Rest rest = Rest::shown;
  };
  void addPlane();
  void addSpace();

  std::vector<Picture> pictures_;
  std::size_t next_ = 0;
  GlTexture canvas_, depth_;
  GlFramebuffer framebuffer_;
};

}  // namespace cellscope::render
