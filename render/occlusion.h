// Leaves out spheres of which nothing can be seen, before they are drawn. A GPU runs compute
// shaders on all of its multiprocessors, but rasterises with a few of them: of a million spheres
// most of the time would go to those that others hide. What is drawn stays the same, to the last
// bit.
#pragma once
#include <cstddef>
#include <optional>
#include <vector>

#include "render/count_reader.h"
#include "render/gl_object.h"
#include "render/layer_passes.h"
#include "render/program.h"

namespace cellscope::render {

class Occlusion {
 public:
  // The spheres of `d`, in their order, without those that are hidden in this picture; `d` itself
  // where that is not wanted, does not pay or is not possible. The scene's uniforms must be bound.
  LayerDraw visible(const LayerDraw& d, LayerPasses& passes, const Camera& camera,
                    const Viewport& viewport, const Box& box, Hidden wanted);
  // How many it kept last (waits for the GPU); none since forget() where all were kept.
  void forget() { used_ = false; }
  bool used() const { return used_; }  // since forget()
  std::optional<std::size_t> kept() const;

 private:
  struct Room {  // storage that grows
    GlBuffer buffer;
    std::size_t bytes = 0;
    bool provide(std::size_t wanted);
  };
  struct Programs {
    GlProgram nearest, early, settle, hidden, scan, copy;
  };
  bool pays(const LayerDraw& d, double pixels);
  bool beginCompiling();
  bool compiled(bool waits);
  bool provide(const LayerDraw& d, const Viewport& viewport);
  void findHidden(const LayerDraw& d, LayerPasses& passes, const Camera& camera,
                  const Viewport& viewport, const Box& box);

  std::vector<ComputeBuild> builds_;  // being compiled, in the order of Programs
  Programs programs_;
  bool tried_ = false, works_ = false, used_ = false;
  Room pixels_, lists_, bits_, offsets_, kept_;
  GlBuffer commands_;
  CountReader reader_;  // how many were kept, some frames ago
  int asked_ = 0;       // of so many
  int pause_ = 0;       // draws until it is tried again
};

}  // namespace cellscope::render
