// Screenshots of the window.
#pragma once
#include <imgui.h>

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "render/gl.h"
#include "render/legend.h"
#include "render/png.h"
#include "sim/run/runner.h"
#include "sim/run/scenario.h"

namespace cellscope::gui {

// Metadata of a picture or table of this state: program, scenario, step, all parameters, and a
// warning for every active experiment.
render::Metadata describe(const Publication& now);

// Read a part of the window's framebuffer (pixels, origin upper left; clipped to the window) and
// write it with these notes as metadata. Throws RunError.
void savePicture(const std::string& path, const Publication* now, const render::Metadata& notes,
                 int windowWidth, int windowHeight, int x, int y, int width, int height);

// Drawn on first use.
class Swatches {
 public:
  ImTextureID of(const render::SwatchLook& look);

 private:
  std::vector<std::pair<render::SwatchLook, render::GlTexture>> known_;
};

// The small picture of each scenario: a PNG beside the scenario file, with the file's name.
struct Thumbnail {
  render::GlTexture texture;  // 0: there is no picture
  int width = 0, height = 0;

  ImTextureID id() const {
    return reinterpret_cast<ImTextureID>(static_cast<intptr_t>(GLuint{texture}));
  }
};

// Thumbnails as GL textures, loaded on first use.
class Thumbnails {
 public:
  const Thumbnail& of(const Scenario& scenario);

 private:
  std::map<std::string, Thumbnail> known_;
};

}  // namespace cellscope::gui
