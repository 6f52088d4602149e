// Screenshots of the window.
#pragma once
#include <imgui.h>

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "render/gl.h"
#include "render/legend.h"
#include "render/renderer.h"
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

// Small pictures as GL textures, each made on first use.
class Textures {
 public:
  ImTextureID of(const render::SwatchLook& look);
  // A PNG beside the scenario's file, with its name; null: there is none.
  ImTextureID of(const Scenario& scenario);

 private:
  std::vector<std::pair<render::SwatchLook, render::GlTexture>> swatches_;
  std::map<std::string, render::GlTexture> thumbnails_;  // by path of the scenario
};

}  // namespace cellscope::gui
