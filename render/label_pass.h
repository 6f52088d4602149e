// Text in the scene.
#pragma once
#include <glm/glm.hpp>

#include <cmath>
#include <functional>
#include <optional>
#include <span>

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
  LabelLayout(int width, int height)
      : width_(width), height_(height), columns_((width + kSquare - 1) / kSquare) {
    const int rows = (height + kSquare - 1) / kSquare;
    taken_.assign(static_cast<std::size_t>(columns_) * static_cast<std::size_t>(rows), false);
  }
  // The first free place for a label of this size, and takes it; false: there is none, or the place
  // is outside the picture. Right, above, left or below `at` by `gap` pixels, in this order or as
  // they lie along `way`, then up to two of its heights farther out; 0: centred on it.
  bool place(glm::vec2 at, glm::ivec2 size, int gap, LabelBox& box, glm::vec2 way = {0, 0}) {
    const glm::ivec2 p = nearestPixel(at);
    const int w = size.x, h = size.y;
    const glm::ivec2 centred[] = {{p.x - w / 2, p.y - h / 2}};
    if (gap <= 0) return takeFirst(centred, size, box);
    const int farthest = way == glm::vec2(0) ? gap : gap + 2 * h;
    for (; gap <= farthest; gap += h) {
      glm::ivec2 beside[] = {{p.x + gap, p.y - h / 2},
                             {p.x - w / 2, p.y + gap},
                             {p.x - gap - w, p.y - h / 2},
                             {p.x - w / 2, p.y - gap - h}};
      std::ranges::stable_sort(beside, std::greater{}, [&](glm::ivec2 corner) {
        return glm::dot(glm::sign(glm::vec2(corner + size / 2 - p)), way);
      });
      if (takeFirst(beside, size, box)) return true;
    }
    return false;
  }
  // Likewise around a ball of this radius, below it first.
  bool placeAround(glm::vec2 at, glm::ivec2 size, int radius, LabelBox& box) {
    const glm::ivec2 p = nearestPixel(at);
    const int w = size.x, h = size.y;
    radius += kSquare;  // beyond the squares of what is kept free there
    const glm::ivec2 around[] = {{p.x - w / 2, p.y - radius - h},
                                 {p.x - w / 2, p.y + radius},
                                 {p.x + radius, p.y - h / 2},
                                 {p.x - radius - w, p.y - h / 2}};
    return takeFirst(around, size, box);
  }
  // Likewise `inset` pixels inside a room: in one of its corners, the upper left one first.
  bool placeInCorner(LabelBox room, glm::ivec2 size, int inset, LabelBox& box) {
    if (!fits(room, size, inset)) return false;
    const int right = room.x1 - size.x, top = room.y1 - size.y;
    const glm::ivec2 corners[] = {
        {room.x0, top}, {right, top}, {room.x0, room.y0}, {right, room.y0}};
    return takeFirst(corners, size, box);
  }
  // Likewise in the middle of a room, or above or below that.
  bool placeInMiddle(LabelBox room, glm::ivec2 size, int inset, LabelBox& box) {
    if (!fits(room, size, inset)) return false;
    const int x = (room.x0 + room.x1 - size.x) / 2, y = (room.y0 + room.y1 - size.y) / 2;
    const glm::ivec2 rows[] = {{x, y}, {x, y + size.y}, {x, y - size.y}};
    return takeFirst({rows, room.y1 - room.y0 >= 3 * size.y ? 3u : 1u}, size, box);
  }
  // No label comes here.
  void keepFree(const LabelBox& b) {
    const LabelBox seen{std::max(b.x0, 0), std::max(b.y0, 0), std::min(b.x1, width_),
                        std::min(b.y1, height_)};
    if (seen.x0 < seen.x1 && seen.y0 < seen.y1) take(seen);
  }

 private:
  static constexpr int kSquare = 4;
  static glm::ivec2 nearestPixel(glm::vec2 at) {
    return {static_cast<int>(std::lround(at.x)), static_cast<int>(std::lround(at.y))};
  }
  // Whether a label fits into a room, which becomes smaller by the inset.
  static bool fits(LabelBox& room, glm::ivec2 size, int inset) {
    room = {room.x0 + inset, room.y0 + inset, room.x1 - inset, room.y1 - inset};
    return room.x1 - room.x0 >= size.x && room.y1 - room.y0 >= size.y;
  }
  std::size_t squareAt(int x, int y) const {
    return static_cast<std::size_t>(y) * static_cast<std::size_t>(columns_) +
           static_cast<std::size_t>(x);
  }
  bool isFree(const LabelBox& b) const {
    if (b.x0 < 0 || b.y0 < 0 || b.x1 > width_ || b.y1 > height_) return false;
    for (int y = b.y0 / kSquare; y <= (b.y1 - 1) / kSquare; ++y)
      for (int x = b.x0 / kSquare; x <= (b.x1 - 1) / kSquare; ++x)
        if (taken_[squareAt(x, y)]) return false;
    return true;
  }
  void take(const LabelBox& b) {
    for (int y = b.y0 / kSquare; y <= (b.y1 - 1) / kSquare; ++y)
      for (int x = b.x0 / kSquare; x <= (b.x1 - 1) / kSquare; ++x) taken_[squareAt(x, y)] = true;
  }
  // corners: the lower left ones of the places, the best first.
  bool takeFirst(std::span<const glm::ivec2> corners, glm::ivec2 size, LabelBox& box) {
    for (const glm::ivec2& c : corners) {
      const LabelBox there{c.x, c.y, c.x + size.x, c.y + size.y};
      if (!isFree(there)) continue;
      take(box = there);
      return true;
    }
    return false;
  }

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
