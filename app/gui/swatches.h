// Marks as textures, for the legend.
#pragma once
#include <imgui.h>

#include <utility>
#include <vector>

#include "render/swatch.h"

namespace cellscope::gui {

// Drawn on first use.
class Swatches {
 public:
  Swatches() = default;
  ~Swatches();
  Swatches(const Swatches&) = delete;
  Swatches& operator=(const Swatches&) = delete;

  ImTextureID of(const render::SwatchLook& look);

 private:
  std::vector<std::pair<render::SwatchLook, unsigned>> known_;
};

}  // namespace cellscope::gui
