// Text in the scene.
#pragma once
#include <glm/vec2.hpp>
#include <optional>
#include <string>
#include <vector>

#include "render/font_atlas.h"
#include "render/gl_object.h"
#include "render/renderer.h"

namespace cellscope::render {

// Labels of one layer, and how they are shown.
struct LabelDraw {
  const std::vector<LabelInstance>* labels = nullptr;
  ColourScale scale;
  LayerLook look;
};

// Labels keep a readable size, lie on a plate, and give way to those before them.
class LabelPass {
 public:
  LabelPass();
  // Over everything that was drawn. Labels whose position lies outside the viewport are left out.
  void draw(const std::vector<LabelDraw>& layers, const Camera& camera, const Viewport& viewport,
            const Style& style);
  std::size_t shown() const { return shown_; }  // of the last draw
  // Likewise of each of its layers.
  const std::vector<LabelCount>& counts() const { return counts_; }
  // Why no text can be drawn; "": it can.
  std::string reason() const;

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
             class LabelLayout& layout, Written& written, struct LabelBox& box) const;
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
  std::vector<LabelCount> counts_;
};

}  // namespace cellscope::render
