// What every shader knows of camera, viewport and theme: the block `Scene` of common.glsl.
#pragma once
#include <glm/glm.hpp>

#include "render/renderer.h"

namespace cellscope::render {

// Pixels by which the GL viewport exceeds the picture on each side.
inline constexpr int kGuardBand = 64;

struct SceneUniforms {  // std140
  glm::mat4 view, projection;
  glm::vec4 frame, scale, cue, background;
  glm::vec4 eye;      // x = 1: orthographic
  glm::vec4 slab[4];  // normal, middle
  glm::vec4 slabHalf;
  glm::vec4 select;        // place, radius
  glm::vec4 selectBox;     // lengths of the box
  glm::uvec4 selectTypes;  // bits, number of selected boxes
  glm::vec4 selectLo[kMostSelectedBoxes], selectHi[kMostSelectedBoxes];

  static SceneUniforms of(const Camera& camera, const Viewport& viewport, const Style& style,
                          const Box& box);
};

}  // namespace cellscope::render
