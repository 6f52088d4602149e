#include <glad/gl.h>

#include "app/gui/panel_cache.h"

#include <imgui/backends/imgui_impl_opengl3.h>

#include <algorithm>
#include <cmath>
#include <cstring>

namespace cellscope::gui {
namespace {

using render::PixelRect;

constexpr int kTile = 16;  // pixels: side of the tiles of which parts over the picture consist

// From ImGui's units to pixels.
struct Scale {
  ImVec2 origin, factor;
  explicit Scale(const ImDrawData& data) : origin(data.DisplayPos), factor(data.FramebufferScale) {}
  PixelRect pixels(ImVec2 lo, ImVec2 hi) const {
    return {static_cast<int>(std::floor((lo.x - origin.x) * factor.x)),
            static_cast<int>(std::floor((lo.y - origin.y) * factor.y)),
            static_cast<int>(std::ceil((hi.x - origin.x) * factor.x)),
            static_cast<int>(std::ceil((hi.y - origin.y) * factor.y))};
  }
};

// The triangles of a command, each with the rectangle that it may touch.
template <class Visit>
void triangles(const ImDrawList& list, const ImDrawCmd& command, const Scale& scale,
               const Visit& visit) {
  const PixelRect clip = scale.pixels(ImVec2(command.ClipRect.x, command.ClipRect.y),
                                      ImVec2(command.ClipRect.z, command.ClipRect.w));
  const ImDrawVert* vertices = list.VtxBuffer.Data + command.VtxOffset;
  const ImDrawIdx* index = list.IdxBuffer.Data + command.IdxOffset;
  for (unsigned i = 0; i + 2 < command.ElemCount; i += 3) {
    const ImVec2 a = vertices[index[i]].pos, b = vertices[index[i + 1]].pos,
                 c = vertices[index[i + 2]].pos;
    const ImVec2 lo(std::min({a.x, b.x, c.x}), std::min({a.y, b.y, c.y}));
    const ImVec2 hi(std::max({a.x, b.x, c.x}), std::max({a.y, b.y, c.y}));
    const PixelRect part = render::overlap(scale.pixels(lo, hi), clip);
    if (!part.empty()) visit(part);
  }
}

PixelRect reachOf(const ImDrawList& list, const Scale& scale) {
  PixelRect reach;
  for (const ImDrawCmd& command : list.CmdBuffer)
    triangles(list, command, scale, [&](const PixelRect& r) { reach = render::hull(reach, r); });
  return reach;
}

template <class T>
bool same(const std::vector<T>& kept, const ImVector<T>& now) {
  return static_cast<int>(kept.size()) == now.Size &&
         (kept.empty() || std::memcmp(kept.data(), now.Data, kept.size() * sizeof(T)) == 0);
}

bool sameCommands(const std::vector<ImDrawCmd>& kept, const ImVector<ImDrawCmd>& now) {
  return std::equal(kept.begin(), kept.end(), now.begin(), now.end(),
                    [](const ImDrawCmd& a, const ImDrawCmd& b) {
                      return a.TextureId == b.TextureId && a.ElemCount == b.ElemCount &&
                             a.VtxOffset == b.VtxOffset && a.IdxOffset == b.IdxOffset &&
                             a.ClipRect.x == b.ClipRect.x && a.ClipRect.y == b.ClipRect.y &&
                             a.ClipRect.z == b.ClipRect.z && a.ClipRect.w == b.ClipRect.w;
                    });
}

void clearPart(const PixelRect& r, int height, ImU32 colour) {
  if (r.empty()) return;
  const ImVec4 c = ImGui::ColorConvertU32ToFloat4(colour);
  glScissor(r.x0, height - r.y1, r.x1 - r.x0, r.y1 - r.y0);
  glClearColor(c.x, c.y, c.z, c.w);
  glClear(GL_COLOR_BUFFER_BIT);
}

}  // namespace

// True when nothing of what was drawn can be kept.
bool PanelCache::resize(int width, int height) {
  if (width == width_ && height == height_) return false;
  width_ = width;
  height_ = height;
  canvas_ = render::GlTexture(render::makeCanvas(width, height));
  glNamedFramebufferTexture(framebuffer_, GL_COLOR_ATTACHMENT0, canvas_, 0);
  return true;
}

// Where something was or is of lists that are not as they were.
std::vector<PixelRect> PanelCache::changes(const ImDrawData& data, bool all) {
  const Scale scale(data);
  const PixelRect window{0, 0, width_, height_};
  std::vector<PixelRect> parts;
  // Windows that came, went or changed their order.
  const auto count = static_cast<std::size_t>(data.CmdListsCount);
  bool sameOrder = lists_.size() == count;
  for (std::size_t i = 0; sameOrder && i < count; ++i)
    sameOrder = lists_[i].owner == data.CmdLists[i]->_OwnerName;
  if (!sameOrder)
    for (const Kept& old : lists_) parts.push_back(old.reach);
  lists_.resize(count);
  for (std::size_t i = 0; i < count; ++i) {
    const ImDrawList& list = *data.CmdLists[i];
    Kept& kept = lists_[i];
    if (sameOrder && same(kept.vertices, list.VtxBuffer) && same(kept.indices, list.IdxBuffer) &&
        sameCommands(kept.commands, list.CmdBuffer))
      continue;
    if (sameOrder) parts.push_back(kept.reach);
    kept.vertices.assign(list.VtxBuffer.begin(), list.VtxBuffer.end());
    kept.indices.assign(list.IdxBuffer.begin(), list.IdxBuffer.end());
    kept.commands.assign(list.CmdBuffer.begin(), list.CmdBuffer.end());
    kept.owner = list._OwnerName ? list._OwnerName : "";
    kept.reach = render::overlap(reachOf(list, scale), window);
    parts.push_back(kept.reach);
  }
  if (all) return {window};
  return render::joined(std::move(parts));
}

void PanelCache::redraw(const ImDrawData& data, const PixelRect& part) {
  glEnable(GL_SCISSOR_TEST);
  for (const PixelRect& r : render::around(part, hole_)) clearPart(r, height_, background_);
  clearPart(render::overlap(part, hole_), height_, 0);
  glDisable(GL_SCISSOR_TEST);
  // The lists that reach into it, cut to it.
  std::vector<ImDrawList*> reaching;
  ImDrawData some = data;
  const Scale scale(data);
  const float x0 = static_cast<float>(part.x0) / scale.factor.x + scale.origin.x,
              y0 = static_cast<float>(part.y0) / scale.factor.y + scale.origin.y,
              x1 = static_cast<float>(part.x1) / scale.factor.x + scale.origin.x,
              y1 = static_cast<float>(part.y1) / scale.factor.y + scale.origin.y;
  for (int i = 0; i < data.CmdListsCount; ++i) {
    const Kept& kept = lists_[static_cast<std::size_t>(i)];
    if (render::overlap(kept.reach, part).empty()) continue;
    ImDrawList* list = data.CmdLists[i];
    for (int k = 0; k < list->CmdBuffer.Size; ++k) {
      const ImVec4 clip = kept.commands[static_cast<std::size_t>(k)].ClipRect;
      list->CmdBuffer[k].ClipRect = ImVec4(std::max(clip.x, x0), std::max(clip.y, y0),
                                           std::min(clip.z, x1), std::min(clip.w, y1));
    }
    reaching.push_back(list);
  }
  some.CmdLists = reaching.data();
  some.CmdListsCount = static_cast<int>(reaching.size());
  ImGui_ImplOpenGL3_RenderDrawData(&some);
}

// Tiles of the picture that triangles touch, as few rectangles.
void PanelCache::findCovers(const ImDrawData& data) {
  covers_.clear();
  if (hole_.empty()) return;
  const Scale scale(data);
  const int columns = (hole_.x1 - hole_.x0 + kTile - 1) / kTile,
            rows = (hole_.y1 - hole_.y0 + kTile - 1) / kTile;
  std::vector<char> touched(static_cast<std::size_t>(columns) * static_cast<std::size_t>(rows));
  for (int i = 0; i < data.CmdListsCount; ++i) {
    if (render::overlap(lists_[static_cast<std::size_t>(i)].reach, hole_).empty()) continue;
    for (const ImDrawCmd& command : lists_[static_cast<std::size_t>(i)].commands)
      triangles(*data.CmdLists[i], command, scale, [&](const PixelRect& whole) {
        const PixelRect r = render::overlap(whole, hole_);
        if (r.empty()) return;
        for (int y = (r.y0 - hole_.y0) / kTile; y <= (r.y1 - 1 - hole_.y0) / kTile; ++y)
          std::fill_n(touched.begin() + y * columns + (r.x0 - hole_.x0) / kTile,
                      (r.x1 - 1 - hole_.x0) / kTile - (r.x0 - hole_.x0) / kTile + 1, 1);
      });
  }
  for (int y = 0; y < rows; ++y)
    for (int x = 0; x < columns; ++x) {
      if (!touched[static_cast<std::size_t>(y * columns + x)]) continue;
      const int from = x;
      while (x < columns && touched[static_cast<std::size_t>(y * columns + x)]) ++x;
      const PixelRect run = render::overlap({hole_.x0 + from * kTile, hole_.y0 + y * kTile,
                                             hole_.x0 + x * kTile, hole_.y0 + (y + 1) * kTile},
                                            hole_);
      const auto above = std::find_if(covers_.begin(), covers_.end(), [&](const PixelRect& r) {
        return r.y1 == run.y0 && r.x0 == run.x0 && r.x1 == run.x1;
      });
      if (above == covers_.end())
        covers_.push_back(run);
      else
        above->y1 = run.y1;
    }
}

void PanelCache::take(const ImDrawData& data, int width, int height, const PixelRect& hole,
                      ImU32 background) {
  // Where units are not pixels, parts would have to be cut within pixels.
  bool all = lists_.empty() || data.FramebufferScale.x != 1 || data.FramebufferScale.y != 1;
  all |= resize(width, height);
  const PixelRect inside = render::overlap(hole, {0, 0, width, height});
  all |= inside != hole_ || background != background_;
  hole_ = inside;
  background_ = background;
  const std::vector<PixelRect> parts = changes(data, all);
  drawnShare_ = 0;
  if (parts.empty()) return;
  unshown_.insert(unshown_.end(), parts.begin(), parts.end());
  glBindFramebuffer(GL_FRAMEBUFFER, framebuffer_);
  glViewport(0, 0, width_, height_);
  for (const PixelRect& part : parts) {
    redraw(data, part);
    drawnShare_ += static_cast<double>(part.x1 - part.x0) * (part.y1 - part.y0) /
                   (static_cast<double>(width_) * height_);
  }
  glBindFramebuffer(GL_FRAMEBUFFER, 0);
  findCovers(data);
}

void PanelCache::show(bool kept) {
  const PixelRect window{0, 0, width_, height_};
  std::vector<PixelRect> beside;
  for (const PixelRect& part : kept ? render::joined(std::move(unshown_)) : std::vector{window})
    for (const PixelRect& r : render::around(part, hole_)) beside.push_back(r);
  unshown_.clear();
  copy_.draw(canvas_, window, beside, width_, height_, false);
  copy_.draw(canvas_, window, covers_, width_, height_, true);
}

}  // namespace cellscope::gui
