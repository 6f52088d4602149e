// Text in the scene.
#pragma once
#include <glm/vec2.hpp>

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "render/font_atlas.h"
#include "render/gl.h"
#include "render/renderer.h"

namespace cellscope::render {

// Where labels are drawn: beside, on or in what they name, without overlapping each other.
struct LabelBox {
  int x0 = 0, y0 = 0, x1 = 0, y1 = 0;  // pixels, y upwards, ends excluded
};

// Which part of a picture is taken, in squares of a few pixels.
class LabelLayout {
 public:
  LabelLayout(int width, int height);
  // The first free place for a label of this size, and takes it; false: there is none, or the place
  // is outside the picture. Right, above, left or below `at` by `gap` pixels, in this order or as
  // they lie along `way`, then up to two of its heights farther out; 0: centred on it.
  bool place(glm::vec2 at, glm::ivec2 size, int gap, LabelBox& box, glm::vec2 way = {0, 0});
  // Likewise around a ball of this radius, below it first.
  bool placeAround(glm::vec2 at, glm::ivec2 size, int radius, LabelBox& box);
  // Likewise `inset` pixels inside a room: in one of its corners, the upper left one first.
  bool placeInCorner(LabelBox room, glm::ivec2 size, int inset, LabelBox& box);
  // Likewise in the middle of a room, or above or below that.
  bool placeInMiddle(LabelBox room, glm::ivec2 size, int inset, LabelBox& box);
  // No label comes here.
  void keepFree(const LabelBox& box);

 private:
  static constexpr int kSquare = 4;
  bool isFree(const LabelBox& box) const;
  bool takeFirst(std::span<const glm::ivec2> corners, glm::ivec2 size, LabelBox& box);
  void take(const LabelBox& box);

  int width_, height_, columns_;
  std::vector<bool> taken_;
};

// Labels of one layer, and how they are shown.
struct LabelDraw {
  const std::vector<LabelInstance>* labels = nullptr;
  ColourScale scale;
  LayerLook look;
  LabelCount* count = nullptr;  // written when they are drawn; not where no typeface is installed
};

// Labels keep a readable size, lie on a plate, and give way to those before them.
class LabelPass {
 public:
  LabelPass();
  // Over everything that was drawn. Labels whose position lies outside the viewport are left out.
  void draw(const std::vector<LabelDraw>& layers, const Camera& camera, const Viewport& viewport,
            const Style& style);

 private:
  struct Vertex {
    float x, y, u, v, r, g, b, a;  // pixels; u < 0: a plate
  };
  // Lines of a label, as large as they are with their plate.
  struct Written {
    std::vector<std::string> lines;
    glm::ivec2 size{};
  };
  void useSize(int pixels);
  std::vector<Written> waysToWrite(const LabelInstance& label, float scale) const;
  bool place(const LabelInstance& label, const LabelDraw& layer, const class LabelScene& scene,
             LabelLayout& layout, Written& written, LabelBox& box) const;
  void drawLayer(const LabelDraw& layer, const LabelScene& scene, LabelLayout& layout);
  void add(const Written& text, const LabelBox& box, int padding, const Rgb& ink, const Rgb& plate,
           float opacity);
  int lineHeight() const;
  void quad(float x0, float y0, float x1, float y1, const Glyph* glyph, const Rgb& colour,
            float opacity);

  GlProgram program_;
  GlVertexArray array_;
  GlBuffer buffer_;
  GlTexture texture_;
  std::optional<FontAtlas> font_;
  std::vector<Vertex> vertices_;
  std::size_t shown_ = 0;
};

}  // namespace cellscope::render
