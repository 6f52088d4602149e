// Draws the instances of one layer from its GL buffer.
#pragma once
#include <memory>

#include "render/gl_object.h"
#include "render/renderer.h"

namespace cellscope::render {

// Instances with 0 <= level < lowest or level > highest are hidden.
struct LevelRange {
  float lowest = 0, highest = 3e38f;
};

// What a pass needs besides the scene's uniforms.
struct LayerDraw {
  unsigned buffer = 0;
  int count = 0;
  int dimension = 2;
  float typicalPixels = 0;  // points: diameter on the screen
  unsigned colours = 0;     // texture of the colour table
  float mapOrigin = 0, mapScale = 0, mapCategories = 0;
  bool arrowheads = false, hatched = false;
  float lineScale = 1;
  LevelRange levels;
  // Drawn once more at an offset, in a periodic box of these lengths; 0: as they are.
  float imageOffset[2] = {0, 0}, imageBox[2] = {0, 0};
  float fade = 1;  // opacity of the whole layer
  bool rings = false;
  bool cased = false;  // lines: on a casing in the colour of the background
  Rgb background{};
  float leastRadius = 0;  // of rings (pixels)
  float larger = 1;       // tiny disks of the plane are drawn so many times as large
};

// Which instances a draw shows.
enum class Instances { all, active, inactive };

class LayerPasses {
 public:
  LayerPasses();
  ~LayerPasses();
  void points(const LayerDraw& layer, Instances which);
  // Adds coverage to the sums of a DensityTarget, which are of this part of the picture.
  void splats(const LayerDraw& layer, const Viewport& part);
  // In the plane a box has a fill, which belongs under the particles, and marks: its outline and
  // hatching. In space it has its edges alone.
  void boxFills(const LayerDraw& layer);
  void boxMarks(const LayerDraw& layer);
  void lines(const LayerDraw& layer);
  void rings(const LayerDraw& layer);
  // The simulation box from the origin to `length`.
  void boxOutline(const Box& box, const Rgb& colour, float lineScale);
  // Full-screen triangle of these sums; what lies outside the part must be cut off.
  void composite(const Viewport& part);

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace cellscope::render
