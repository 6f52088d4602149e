// Leaves out spheres of which nothing can be seen where a processor draws: each fragment of a
// sphere costs it as much as hundreds of bytes of copies, and in a dense liquid most of them lie
// behind others. Unlike render/occlusion.h, which asks a GPU for every pixel, this asks for tiles
// of pixels. What is drawn stays the same, to the last bit.
#pragma once
#include <cstddef>
#include <optional>
#include <utility>
#include <vector>

#include "render/gl_object.h"
#include "render/layer_passes.h"
#include "render/scene_uniforms.h"
#include "sim/api/frame.h"

namespace cellscope::render {

class TileOcclusion {
 public:
  // The spheres of `d`, in their order, without hidden ones; `d` itself where that does not pay, is
  // not possible or, by Style::hidden, not wanted.
  LayerDraw visible(const LayerDraw& d, const SceneUniforms& scene, const Viewport& viewport,
                    Hidden wanted);
  void forget() { kept_.reset(); }
  // How many it kept last; none since forget() where all were drawn.
  std::optional<std::size_t> kept() const { return kept_; }

 private:
  bool pays(const LayerDraw& d, double pixels);
  void findHidden(const LayerDraw& d, const SceneUniforms& scene, const Viewport& viewport);

  GlBuffer buffer_ = makeBuffer();
  std::vector<PointInstance> instances_;
  std::vector<float> depths_, corners_;               // of tiles, of the corners of one sphere's
  std::vector<std::pair<float, std::size_t>> order_;  // depth of the nearest point, instance
  std::vector<char> hidden_;
  std::optional<std::size_t> kept_;
  int pause_ = 0;  // draws until it is tried again
};

}  // namespace cellscope::render
