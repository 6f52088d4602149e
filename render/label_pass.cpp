#include "render/label_pass.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstring>

#include "render/colour_map.h"
#include "render/label_layout.h"
#include "render/program.h"

namespace cellscope::render {
namespace {

// Pixels at scale 1.
constexpr float kSize = 14, kPadding = 2;
constexpr float kPlateOpacity = 0.82f;
constexpr std::size_t kMostShown = 2000;

// Pixel of a position, from the viewport's lower left corner; false: behind the eye or undefined.
bool onScreen(const glm::dmat4& toClip, const float* at, const Viewport& v, bool space,
              glm::vec2& pixel) {
  const glm::dvec4 clip = toClip * glm::dvec4(at[0], at[1], space ? at[2] : 0, 1);
  if (!(clip.w > 0) || !std::isfinite(clip.x) || !std::isfinite(clip.y)) return false;
  pixel = {(0.5 * clip.x / clip.w + 0.5) * v.width, (0.5 * clip.y / clip.w + 0.5) * v.height};
  return pixel.x >= 0 && pixel.y >= 0 && pixel.x < static_cast<float>(v.width) &&
         pixel.y < static_cast<float>(v.height);
}

bool isHidden(const LabelInstance& l, const LayerLook& look, const InsideView* inside) {
  if (inside && inside->cutsAway({l.at[0], l.at[1], l.at[2]})) return true;
  if (l.level >= 0 && (l.level < look.lowest || l.level > look.highest)) return true;
  return l.type < 32 && (look.types >> l.type & 1) == 0;
}

Rgb inkOf(const ColourScale& scale, float value, bool dark) {
  if (lookOf(markOf(scale, value)).role == ColourRole::ink)
    return dark ? Rgb{1, 1, 1} : Rgb{0.05f, 0.05f, 0.05f};
  return colourOf(scale, value);
}

}  // namespace

LabelPass::LabelPass()
    : program_(makeProgram("text.vert", "text.frag")),
      array_(makeVertexArray()),
      buffer_(makeBuffer()) {
  constexpr int sizes[] = {2, 2, 4};
  std::size_t offset = 0;
  for (unsigned i = 0; i < 3; ++i) {
    glEnableVertexArrayAttrib(array_, i);
    glVertexArrayAttribFormat(array_, i, sizes[i], GL_FLOAT, GL_FALSE, static_cast<GLuint>(offset));
    glVertexArrayAttribBinding(array_, i, 0);
    offset += static_cast<std::size_t>(sizes[i]) * sizeof(float);
  }
  glVertexArrayVertexBuffer(array_, 0, buffer_, 0, sizeof(Vertex));
}

std::string LabelPass::reason() const {
  if (!font_ || !font_->empty()) return "";
  return "labels are not drawn: the typeface JetBrains Mono is not installed (package "
         "fonts-jetbrains-mono)";
}

void LabelPass::useSize(int pixels) {
  if (font_ && font_->pixels() == pixels) return;
  font_.emplace(pixels);
  if (font_->empty()) return;
  texture_ = makeTexture(GL_TEXTURE_2D);
  const int side = font_->imageSide();
  glTextureStorage2D(texture_, 1, GL_R8, side, side);
  glPixelStorei(GL_UNPACK_ALIGNMENT, 1);
  glTextureSubImage2D(texture_, 0, 0, 0, side, side, GL_RED, GL_UNSIGNED_BYTE,
                      font_->image().data());
  glTextureParameteri(texture_, GL_TEXTURE_MIN_FILTER, GL_LINEAR);
  glTextureParameteri(texture_, GL_TEXTURE_MAG_FILTER, GL_LINEAR);
}

// y upwards.
void LabelPass::quad(float x0, float y0, float x1, float y1, const Glyph* g, const Rgb& c,
                     float opacity) {
  const Vertex corner[] = {
      {x0, y0, g ? g->u0 : -1, g ? g->v1 : -1, c.r, c.g, c.b, opacity},
      {x1, y0, g ? g->u1 : -1, g ? g->v1 : -1, c.r, c.g, c.b, opacity},
      {x0, y1, g ? g->u0 : -1, g ? g->v0 : -1, c.r, c.g, c.b, opacity},
      {x1, y1, g ? g->u1 : -1, g ? g->v0 : -1, c.r, c.g, c.b, opacity},
  };
  for (const int i : {0, 1, 2, 2, 1, 3}) vertices_.push_back(corner[i]);
}

void LabelPass::add(const std::string& text, const LabelBox& box, int padding, const Rgb& ink,
                    const Rgb& plate, float opacity) {
  quad(static_cast<float>(box.x0), static_cast<float>(box.y0), static_cast<float>(box.x1),
       static_cast<float>(box.y1), nullptr, plate, kPlateOpacity * opacity);
  float x = static_cast<float>(box.x0 + padding);
  const float base = static_cast<float>(box.y0 + padding) + std::round(font_->descent());
  for (const char32_t c : charactersOf(text)) {
    const Glyph& g = font_->glyph(c);
    const float left = std::round(x + g.x0);
    quad(left, base - g.y1, left + g.x1 - g.x0, base - g.y0, &g, ink, opacity);
    x += g.advance;
  }
}

void LabelPass::draw(const std::vector<LabelDraw>& layers, const Camera& camera,
                     const Viewport& viewport, const Style& style) {
  vertices_.clear();
  shown_ = 0;
  if (layers.empty()) return;
  useSize(std::max(9, static_cast<int>(std::lround(kSize * style.scale))));
  if (font_->empty()) return;
  const bool space = camera.dimension == 3;
  const glm::dmat4 toClip = camera.projection(viewport) * camera.view();
  const int padding = static_cast<int>(std::lround(kPadding * style.scale));
  const int height = static_cast<int>(std::ceil(font_->ascent() + font_->descent())) + 2 * padding;
  LabelLayout layout(viewport.width, viewport.height);
  for (const LabelDraw& layer : layers)
    for (const LabelInstance& label : *layer.labels) {
      glm::vec2 pixel;
      if (shown_ >= kMostShown || isHidden(label, layer.look, space ? &style.inside : nullptr) ||
          !onScreen(toClip, label.at, viewport, space, pixel))
        continue;
      const std::string text = font_->shown({label.text, strnlen(label.text, sizeof label.text)});
      const int width = static_cast<int>(std::ceil(font_->width(text))) + 2 * padding;
      // Beside what is drawn around the place, centred where nothing is.
      const float radius = lookOf(markOf(layer.scale, label.value)).leastRadius;
      const int gap = static_cast<int>(std::lround(radius * style.scale));
      LabelBox box;
      if (text.empty() || !layout.place(pixel, {width, height}, gap, box)) continue;
      add(text, box, padding, inkOf(layer.scale, label.value, style.dark),
          backgroundColour(style.dark), layer.look.opacity * (label.level < 0 ? 0.5f : 1));
      ++shown_;
    }
  for (Vertex& v : vertices_) {
    v.x += static_cast<float>(viewport.x);
    v.y += static_cast<float>(viewport.y);
  }
  if (vertices_.empty()) return;
  glNamedBufferData(buffer_, static_cast<GLsizeiptr>(vertices_.size() * sizeof(Vertex)),
                    vertices_.data(), GL_STREAM_DRAW);
  glUseProgram(program_);
  glBindTextureUnit(0, texture_);
  glBindVertexArray(array_);
  glDrawArrays(GL_TRIANGLES, 0, static_cast<GLsizei>(vertices_.size()));
}

}  // namespace cellscope::render
