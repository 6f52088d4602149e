#include "render/label_pass.h"

#include "render/colour_map.h"

namespace cellscope::render {
namespace {

// Pixels at scale 1.
constexpr float kSize = 14, kPadding = 2, kInset = 3;
constexpr float kPlateOpacity = 0.82f;
constexpr std::size_t kMostShown = 2000;

bool isHidden(const LabelInstance& l, const LayerLook& look, const InsideView* inside) {
  if (inside && inside->cutsAway({l.at[0], l.at[1], l.at[2]})) return true;
  if (l.level >= 0 && (l.level < look.lowest || l.level > look.highest)) return true;
  return l.type < 32 && (look.types >> l.type & 1) == 0;
}

Rgb inkOf(const ColourScale& scale, float value, bool dark) {
  if (lookOf(markOf(scale, value)).role == ColourRole::ink)
    return dark ? Rgb{1, 1, 1} : Rgb{0.05f, 0.05f, 0.05f};
  return colourOf(scale, value, dark ? Paint::thinOnDark : Paint::thinOnLight);
}

// Of text with a line break: the parts before and after it.
std::vector<std::string> partsOf(const LabelInstance& label) {
  const std::string text(label.text, strnlen(label.text, sizeof label.text));
  const std::size_t at = text.find('\n');
  if (at == std::string::npos) return {text};
  return {text.substr(0, at), text.substr(at + 1)};
}

// Around a rectangle.
LabelBox boxAround(glm::vec2 lo, glm::vec2 hi) {
  return {static_cast<int>(std::floor(lo.x)), static_cast<int>(std::floor(lo.y)),
          static_cast<int>(std::ceil(hi.x)), static_cast<int>(std::ceil(hi.y))};
}

}  // namespace

// Where what labels name is seen. Pixels from the viewport's lower left corner.
class LabelScene {
 public:
  LabelScene(const Camera& camera, const Viewport& viewport, const Style& style)
      : style_(style),
        viewport_(viewport),
        space_(camera.dimension == 3),
        toClip_(camera.projection(viewport) * camera.view()) {
    const glm::dmat4 view = camera.view();
    right_ = {view[0][0], view[1][0], view[2][0]};
  }
  const Style& style() const { return style_; }
  bool inSpace() const { return space_; }

  // False: behind the eye or undefined.
  bool pixelOf(glm::dvec3 at, glm::vec2& pixel) const {
    const glm::dvec4 clip = toClip_ * glm::dvec4(at.x, at.y, space_ ? at.z : 0, 1);
    if (!(clip.w > 0) || !std::isfinite(clip.x) || !std::isfinite(clip.y)) return false;
    pixel = {(0.5 * clip.x / clip.w + 0.5) * viewport_.width,
             (0.5 * clip.y / clip.w + 0.5) * viewport_.height};
    return true;
  }
  bool inView(glm::vec2 pixel) const {
    return pixel.x >= 0 && pixel.y >= 0 && pixel.x < static_cast<float>(viewport_.width) &&
           pixel.y < static_cast<float>(viewport_.height);
  }
  // The smallest rectangle around a box or ball, of a plane that part of it which is in view; none
  // where a corner lies behind the eye.
  std::optional<LabelBox> roomOf(const LabelInstance& l) const {
    glm::vec2 lo(1e9f), hi(-1e9f), pixel;
    for (int corner = 0; corner < (space_ ? 8 : 4); ++corner) {
      glm::dvec3 at;
      for (int k = 0; k < 3; ++k)
        at[k] = static_cast<double>(l.at[k] + ((corner >> k & 1) ? l.half[k] : -l.half[k]));
      if (!pixelOf(at, pixel)) return std::nullopt;
      lo = glm::min(lo, pixel), hi = glm::max(hi, pixel);
    }
    if (!space_) {
      lo = glm::max(lo, glm::vec2(0));
      hi = glm::min(hi, glm::vec2(viewport_.width, viewport_.height));
    }
    return boxAround(glm::clamp(lo, -1e6f, 1e6f), glm::clamp(hi, -1e6f, 1e6f));
  }
  // Of a ball around a pixel.
  float radiusOf(const LabelInstance& l, glm::vec2 pixel) const {
    glm::vec2 rim;
    const glm::dvec3 at(l.at[0], l.at[1], l.at[2]);
    return pixelOf(at + static_cast<double>(l.half[0]) * right_, rim) ? glm::length(rim - pixel)
                                                                      : 0;
  }
  // Around what is drawn of a ball; nothing behind the eye.
  LabelBox squareOf(const LabelInstance& ball) const {
    glm::vec2 pixel;
    if (!pixelOf({ball.at[0], ball.at[1], ball.at[2]}, pixel)) return {};
    const float radius = std::min(radiusOf(ball, pixel), 1e6f);
    const glm::vec2 at = glm::clamp(pixel, -1e6f, 1e6f);
    return boxAround(at - radius, at + radius);
  }

 private:
  const Style& style_;
  Viewport viewport_;
  bool space_;
  glm::dmat4 toClip_;
  glm::dvec3 right_{};
};

LabelPass::LabelPass()
    : program_(makeProgram("text")), array_(makeVertexArray()), buffer_(makeBuffer()) {
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

void LabelPass::useSize(int pixels) {
  if (font_ && font_->pixels() == pixels) return;
  font_.emplace(pixels);
  if (font_->empty()) return;
  const int side = font_->imageSide();
  texture_ = makeTexture(GL_R8, side, side, GL_LINEAR);
  glPixelStorei(GL_UNPACK_ALIGNMENT, 1);
  glTextureSubImage2D(texture_, 0, 0, 0, side, side, GL_RED, GL_UNSIGNED_BYTE,
                      font_->image().data());
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

int LabelPass::lineHeight() const {
  return static_cast<int>(std::ceil(font_->ascent() + font_->descent()));
}

void LabelPass::add(const Written& text, const LabelBox& box, int padding, const Rgb& ink,
                    const Rgb& plate, float opacity) {
  quad(static_cast<float>(box.x0), static_cast<float>(box.y0), static_cast<float>(box.x1),
       static_cast<float>(box.y1), nullptr, plate, kPlateOpacity * opacity);
  int below = static_cast<int>(text.lines.size());
  for (const std::string& line : text.lines) {
    float x = static_cast<float>(box.x0 + padding);
    const float base = static_cast<float>(box.y0 + padding + --below * lineHeight()) +
                       std::round(font_->descent());
    for (const char32_t c : charactersOf(line)) {
      const Glyph& g = font_->glyph(c);
      const float left = std::round(x + g.x0);
      quad(left, base - g.y1, left + g.x1 - g.x0, base - g.y0, &g, ink, opacity);
      x += g.advance;
    }
  }
}

// The best first: in one line; of boxes in several ones, of small ones without what matters less.
std::vector<LabelPass::Written> LabelPass::waysToWrite(const LabelInstance& label,
                                                       float scale) const {
  const std::vector<std::string> parts = partsOf(label);
  std::vector<std::vector<std::string>> ways = {{parts.front()}};
  if (parts.size() > 1) ways = {{parts[0] + ' ' + parts[1]}, parts, {parts[0]}};
  if (label.of != LabelOf::box) ways.resize(1);
  std::vector<Written> all;
  for (std::vector<std::string>& lines : ways) {
    float width = 0;
    for (std::string& line : lines)
      width = std::max(width, font_->width(line = font_->shown(line)));
    const glm::ivec2 text(std::ceil(width), static_cast<int>(lines.size()) * lineHeight());
    all.push_back({std::move(lines), text + 2 * static_cast<int>(std::lround(kPadding * scale))});
  }
  return all;
}

bool LabelPass::place(const LabelInstance& label, const LabelDraw& layer, const LabelScene& scene,
                      LabelLayout& layout, Written& written, LabelBox& box) const {
  const float scale = scene.style().scale;
  glm::vec2 pixel;
  const std::optional<LabelBox> room =
      label.of == LabelOf::box ? scene.roomOf(label) : std::nullopt;
  if (label.of == LabelOf::box && !room) return false;
  if (!room &&
      (!scene.pixelOf({label.at[0], label.at[1], label.at[2]}, pixel) || !scene.inView(pixel)))
    return false;
  // Beside what is drawn around the place, centred where nothing is.
  float gap = lookOf(markOf(layer.scale, label.value)).leastRadius * scale;
  if (label.of == LabelOf::ball) gap = std::max(gap, scene.radiusOf(label, pixel));
  const int inset = static_cast<int>(std::lround(kInset * scale));
  const int distance = static_cast<int>(std::lround(std::min(gap, 1e6f)));
  for (Written& way : waysToWrite(label, scale)) {
    const bool found =
        room && scene.inSpace() ? layout.placeInMiddle(*room, way.size, inset, box)
        : room                  ? layout.placeInCorner(*room, way.size, inset, box)
        : label.of == LabelOf::ball
            ? layout.placeAround(pixel, way.size, distance, box)
            : layout.place(pixel, way.size, distance, box, {label.half[0], label.half[1]});
    if (!found) continue;
    written = std::move(way);
    return true;
  }
  return false;
}

void LabelPass::drawLayer(const LabelDraw& layer, const LabelScene& scene, LabelLayout& layout) {
  const Style& style = scene.style();
  const int padding = static_cast<int>(std::lround(kPadding * style.scale));
  LabelCount& count = *layer.count = {};
  for (const LabelInstance& label : *layer.labels) {
    if (label.text[0] == '\0' ||
        isHidden(label, layer.look, scene.inSpace() ? &style.inside : nullptr))
      continue;
    ++count.all;
    Written written;
    LabelBox box;
    if (shown_ >= kMostShown || !place(label, layer, scene, layout, written, box)) continue;
    add(written, box, padding, inkOf(layer.scale, label.value, style.dark),
        backgroundColour(style.dark), layer.look.opacity * (label.level < 0 ? 0.5f : 1));
    ++count.shown, ++shown_;
  }
}

void LabelPass::draw(const std::vector<LabelDraw>& layers, const Camera& camera,
                     const Viewport& viewport, const Style& style) {
  vertices_.clear();
  shown_ = 0;
  if (layers.empty()) return;
  useSize(std::max(9, static_cast<int>(std::lround(kSize * style.scale))));
  if (font_->empty()) return;
  const LabelScene scene(camera, viewport, style);
  LabelLayout layout(viewport.width, viewport.height);
  for (const LabelDraw& layer : layers)
    for (const LabelInstance& label : *layer.labels)
      if (label.text[0] == '\0') layout.keepFree(scene.squareOf(label));
  for (const LabelDraw& layer : layers) drawLayer(layer, scene, layout);
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
