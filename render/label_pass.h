// Text in the scene.
#pragma once
#include <optional>
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
  // Why no text can be drawn; "": it can.
  std::string reason() const;

 private:
  struct Vertex {
    float x, y, u, v, r, g, b, a;  // pixels; u < 0: a plate
  };
  void useSize(int pixels);
  void add(const std::string& text, const struct LabelBox& box, int padding, const Rgb& ink,
           const Rgb& plate, float opacity);
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
