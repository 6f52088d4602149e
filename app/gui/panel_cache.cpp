#include <glad/gl.h>

#include "app/gui/panel_cache.h"

#include <imgui/backends/imgui_impl_opengl3.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <utility>

namespace cellscope::gui {
namespace {

using render::PixelRect;

constexpr int kTile = 16;  // pixels

int tilesAlong(int pixels) { return (pixels + kTile - 1) / kTile; }

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
  ImVec4 units(const PixelRect& r) const {
    return {static_cast<float>(r.x0) / factor.x + origin.x,
            static_cast<float>(r.y0) / factor.y + origin.y,
            static_cast<float>(r.x1) / factor.x + origin.x,
            static_cast<float>(r.y1) / factor.y + origin.y};
  }
  PixelRect clip(const ImDrawCmd& command) const {
    const ImVec4& r = command.ClipRect;
    return pixels(ImVec2(r.x, r.y), ImVec2(r.z, r.w));
  }
};

// The triangles of a command that may be seen inside `window`: where their indices begin, and the
// pixels that they may touch.
template <class Visit>
void triangles(const ImDrawList& list, const ImDrawCmd& command, const Scale& scale,
               const PixelRect& window, const Visit& visit) {
  const PixelRect clip = render::overlap(scale.clip(command), window);
  if (clip.empty()) return;
  const ImDrawVert* vertices = list.VtxBuffer.Data + command.VtxOffset;
  const ImDrawIdx* index = list.IdxBuffer.Data + command.IdxOffset;
  for (unsigned i = 0; i + 2 < command.ElemCount; i += 3) {
    const ImVec2 a = vertices[index[i]].pos, b = vertices[index[i + 1]].pos,
                 c = vertices[index[i + 2]].pos;
    const ImVec2 lo(std::min({a.x, b.x, c.x}), std::min({a.y, b.y, c.y}));
    const ImVec2 hi(std::max({a.x, b.x, c.x}), std::max({a.y, b.y, c.y}));
    const PixelRect reach = render::overlap(scale.pixels(lo, hi), clip);
    if (!reach.empty()) visit(command.IdxOffset + i, reach);
  }
}

std::uint64_t mixed(std::uint64_t hash, std::uint64_t word) {
  hash = (hash ^ word) * 0x9e3779b97f4a7c15ull;
  return hash ^ (hash >> 32);
}

std::uint64_t hashOf(std::uint64_t hash, const ImDrawVert& v) {
  hash = mixed(hash, std::bit_cast<std::uint64_t>(v.pos));
  hash = mixed(hash, std::bit_cast<std::uint64_t>(v.uv));
  return mixed(hash, v.col);
}

std::uint64_t hashOf(const ImDrawCmd& command) {
  std::uint64_t hash = reinterpret_cast<std::uintptr_t>(command.TextureId);
  for (const float side :
       {command.ClipRect.x, command.ClipRect.y, command.ClipRect.z, command.ClipRect.w})
    hash = mixed(hash, std::bit_cast<std::uint32_t>(side));
  return hash;
}

void clearPart(const PixelRect& r, int height, ImU32 colour) {
  if (r.empty()) return;
  const ImVec4 c = ImGui::ColorConvertU32ToFloat4(colour);
  glScissor(r.x0, height - r.y1, r.x1 - r.x0, r.y1 - r.y0);
  glClearColor(c.x, c.y, c.z, c.w);
  glClear(GL_COLOR_BUFFER_BIT);
}

// Leaves of a list, which is not needed any more, what may touch `parts`, cut to each of them.
void cutTo(ImDrawList& list, const std::vector<PixelRect>& parts, const Scale& scale,
           const PixelRect& window) {
  ImVector<ImDrawCmd> commands;
  ImVector<ImDrawIdx> indices;
  std::vector<std::vector<unsigned>> touching(parts.size());  // first indices of triangles
  for (const ImDrawCmd& command : list.CmdBuffer) {
    triangles(list, command, scale, window, [&](unsigned first, const PixelRect& reach) {
      for (std::size_t i = 0; i < parts.size(); ++i)
        if (!render::overlap(parts[i], reach).empty()) touching[i].push_back(first);
    });
    for (std::size_t i = 0; i < parts.size(); ++i) {
      if (touching[i].empty()) continue;
      ImDrawCmd cut = command;
      const ImVec4 part = scale.units(parts[i]), &clip = command.ClipRect;
      cut.ClipRect = ImVec4(std::max(clip.x, part.x), std::max(clip.y, part.y),
                            std::min(clip.z, part.z), std::min(clip.w, part.w));
      cut.IdxOffset = static_cast<unsigned>(indices.Size);
      cut.ElemCount = 3 * static_cast<unsigned>(touching[i].size());
      for (const unsigned first : touching[i])
        for (unsigned k = first; k < first + 3; ++k)
          indices.push_back(list.IdxBuffer[static_cast<int>(k)]);
      commands.push_back(cut);
      touching[i].clear();
    }
  }
  list.CmdBuffer.swap(commands);
  list.IdxBuffer.swap(indices);
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

// In the order of drawing, so that two frames that differ in a tile have different hashes there.
std::vector<std::uint64_t> PanelCache::contents(const ImDrawData& data) const {
  const Scale scale(data);
  const PixelRect window{0, 0, width_, height_};
  const int columns = tilesAlong(width_);
  std::vector<std::uint64_t> tiles(static_cast<std::size_t>(columns) *
                                   static_cast<std::size_t>(tilesAlong(height_)));
  for (int i = 0; i < data.CmdListsCount; ++i) {
    const ImDrawList& list = *data.CmdLists[i];
    for (const ImDrawCmd& command : list.CmdBuffer) {
      const std::uint64_t before = hashOf(command);
      const ImDrawVert* vertices = list.VtxBuffer.Data + command.VtxOffset;
      triangles(list, command, scale, window, [&](unsigned first, const PixelRect& r) {
        std::uint64_t hash = before;
        for (unsigned k = first; k < first + 3; ++k)
          hash = hashOf(hash, vertices[list.IdxBuffer[static_cast<int>(k)]]);
        for (int y = r.y0 / kTile; y <= (r.y1 - 1) / kTile; ++y)
          for (int x = r.x0 / kTile; x <= (r.x1 - 1) / kTile; ++x) {
            std::uint64_t& tile = tiles[static_cast<std::size_t>(y * columns + x)];
            tile = mixed(tile, hash);
          }
      });
    }
  }
  return tiles;
}

template <class Wanted>
std::vector<PixelRect> PanelCache::rectangles(const Wanted& wanted) const {
  std::vector<PixelRect> parts;
  const int columns = tilesAlong(width_);
  for (int y = 0; y < tilesAlong(height_); ++y)
    for (int x = 0; x < columns; ++x) {
      const auto holds = [&] { return wanted(static_cast<std::size_t>(y * columns + x)); };
      if (!holds()) continue;
      const int from = x;
      while (x < columns && holds()) ++x;
      const PixelRect run = render::overlap({from * kTile, y * kTile, x * kTile, (y + 1) * kTile},
                                            {0, 0, width_, height_});
      const auto above = std::find_if(parts.begin(), parts.end(), [&](const PixelRect& r) {
        return r.y1 == run.y0 && r.x0 == run.x0 && r.x1 == run.x1;
      });
      if (above == parts.end())
        parts.push_back(run);
      else
        above->y1 = run.y1;
    }
  return parts;
}

void PanelCache::redraw(const ImDrawData& data, const std::vector<PixelRect>& parts) {
  glBindFramebuffer(GL_FRAMEBUFFER, framebuffer_);
  glViewport(0, 0, width_, height_);
  glEnable(GL_SCISSOR_TEST);
  for (const PixelRect& part : parts) {
    for (const PixelRect& r : render::around(part, hole_)) clearPart(r, height_, background_);
    clearPart(render::overlap(part, hole_), height_, 0);
  }
  glDisable(GL_SCISSOR_TEST);
  const Scale scale(data);
  for (int i = 0; i < data.CmdListsCount; ++i)
    cutTo(*data.CmdLists[i], parts, scale, {0, 0, width_, height_});
  ImDrawData cut = data;
  ImGui_ImplOpenGL3_RenderDrawData(&cut);
  glBindFramebuffer(GL_FRAMEBUFFER, 0);
}

void PanelCache::take(const ImDrawData& data, int width, int height, const PixelRect& hole,
                      ImU32 background) {
  const PixelRect window{0, 0, width, height}, inside = render::overlap(hole, window);
  // Where units are not pixels, parts would have to be cut within pixels.
  const bool all = resize(width, height) || data.FramebufferScale.x != 1 ||
                   data.FramebufferScale.y != 1 || inside != hole_ || background != background_;
  hole_ = inside;
  background_ = background;
  const std::vector<std::uint64_t> before = std::exchange(tiles_, contents(data));
  const std::vector<PixelRect> parts =
      all ? std::vector{window} : rectangles([&](std::size_t i) { return tiles_[i] != before[i]; });
  drawnShare_ = 0;
  if (parts.empty()) return;
  for (const PixelRect& part : parts)
    drawnShare_ += static_cast<double>(part.x1 - part.x0) * (part.y1 - part.y0) /
                   (static_cast<double>(width_) * height_);
  unshown_.insert(unshown_.end(), parts.begin(), parts.end());
  redraw(data, parts);
  covers_ = rectangles([&](std::size_t i) { return tiles_[i] != 0; });
  for (PixelRect& r : covers_) r = render::overlap(r, hole_);
  std::erase_if(covers_, [](const PixelRect& r) { return r.empty(); });
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
