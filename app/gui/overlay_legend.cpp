// Legends: what the colours of each visible layer mean, with numbers.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "app/gui/format.h"
#include "app/gui/overlays.h"
#include "app/gui/widgets.h"

namespace cellscope::gui {
namespace {

constexpr float kPi = 3.14159265f;

ImU32 toImU32(const render::Rgb& c) {
  return ImGui::ColorConvertFloat4ToU32(ImVec4(c.r, c.g, c.b, 1));
}

std::string titleOf(const ColourScale& scale) {
  return printed(scale.unit.empty() ? scale.title : scale.title + "  (" + scale.unit + ")");
}

// Many categories stand in two columns: one would reach into the picture.
std::size_t rowsOf(const ColourScale& scale) {
  const std::size_t n = scale.categories.size();
  return n > 5 ? (n + 1) / 2 : n;
}

float columnWidth(Shell& shell, const ColourScale& scale) {
  float widest = 0;
  for (const std::string& name : scale.categories)
    widest = std::max(widest, textSize(shell.fonts.small, name).x);
  return widest + shell.px(26);
}

float bodyWidth(Shell& shell, const ColourScale& scale) {
  if (scale.kind == ColourKind::hueWheel) return shell.px(104);
  if (scale.kind != ColourKind::categorical) return shell.px(176);
  const bool two = rowsOf(scale) < scale.categories.size();
  return columnWidth(shell, scale) * (two ? 2 : 1) + (two ? shell.px(8) : 0);
}

float bodyHeight(Shell& shell, const ColourScale& scale) {
  if (scale.kind == ColourKind::hueWheel) return shell.px(78);
  if (scale.kind != ColourKind::categorical) return shell.px(30);
  return shell.px(20) * static_cast<float>(rowsOf(scale));
}

void gradient(Shell& shell, const ColourScale& scale, ImVec2 at, float width, ImDrawList* list) {
  constexpr int kSteps = 48;
  const float height = shell.px(10);
  auto colourAt = [&](int i) {
    const float t = static_cast<float>(i) / kSteps;
    return toImU32(render::colourOf(scale, scale.lo + (scale.hi - scale.lo) * t));
  };
  for (int i = 0; i < kSteps; ++i) {
    const float x0 = at.x + width * static_cast<float>(i) / kSteps;
    const float x1 = at.x + width * static_cast<float>(i + 1) / kSteps;
    const ImU32 a = colourAt(i), b = colourAt(i + 1);
    list->AddRectFilledMultiColor(ImVec2(x0, at.y), ImVec2(x1, at.y + height), a, b, b, a);
  }
  for (int i = 0; i < 3; ++i) {
    const float t = 0.5f * static_cast<float>(i);
    const std::string label = number(scale.lo + (scale.hi - scale.lo) * t, 3);
    const float w = textSize(shell.fonts.smallNumbers, label).x;
    const float x = std::clamp(at.x + t * width - w / 2, at.x, at.x + width - w);
    drawText(list, shell.fonts.smallNumbers, ImVec2(x, at.y + height + shell.px(3)),
             shell.colours->text, label);
  }
}

// Hue wheel as a ring: angle on the ring = phase.
void ring(Shell& shell, const ColourScale& scale, ImVec2 at, float width, ImDrawList* list) {
  const ImVec2 centre(at.x + width / 2, at.y + shell.px(39));
  const float outer = shell.px(23), inner = shell.px(14);
  constexpr int kSteps = 72;
  for (int i = 0; i < kSteps; ++i) {
    const float a = -kPi + 2 * kPi * static_cast<float>(i) / kSteps;
    const float b = a + 2 * kPi / kSteps + 0.01f, m = (a + b) / 2;
    auto on = [&](float r, float angle) {
      return ImVec2(centre.x + r * std::cos(angle), centre.y - r * std::sin(angle));
    };
    list->AddQuadFilled(on(inner, a), on(outer, a), on(outer, b), on(inner, b),
                        toImU32(render::colourOf(scale, m)));
  }
  const struct {
    const char* text;
    float dx, dy;
  } labels[] = {{"0", 1, 0}, {"pi/2", 0, -1}, {"±pi", -1, 0}, {"-pi/2", 0, 1}};
  for (const auto& label : labels) {
    const std::string text = printed(label.text);
    const ImVec2 size = textSize(shell.fonts.smallNumbers, text);
    const float x = centre.x + label.dx * (outer + shell.px(5) + size.x / 2) - size.x / 2;
    const float y = centre.y + label.dy * (outer + size.y / 2 + shell.px(1)) - size.y / 2;
    drawText(list, shell.fonts.smallNumbers, ImVec2(x, y), shell.colours->text, text);
  }
}

// The same four hatchings that the renderer draws over the sets: / \ horizontal, dots.
void hatch(ImDrawList* list, ImVec2 lo, ImVec2 hi, int set, ImU32 colour) {
  list->PushClipRect(lo, hi, true);
  const float side = hi.x - lo.x, gap = side / 4;
  for (float k = -side; k < 2 * side; k += gap) {
    switch (set & 3) {
      case 0:
        list->AddLine(ImVec2(lo.x + k, hi.y), ImVec2(lo.x + k + side, lo.y), colour, 1);
        break;
      case 1:
        list->AddLine(ImVec2(lo.x + k, lo.y), ImVec2(lo.x + k + side, hi.y), colour, 1);
        break;
      case 2:
        list->AddLine(ImVec2(lo.x, lo.y + k), ImVec2(hi.x, lo.y + k), colour, 1);
        break;
      default:
        for (float m = 0.5f * gap; m < side; m += gap) {
          list->AddCircleFilled(ImVec2(lo.x + k + 0.5f * gap, lo.y + m), gap * 0.28f, colour, 8);
        }
    }
  }
  list->PopClipRect();
}

// The rings of the picture: thin, dashed, thick.
void ringSwatch(Shell& shell, ImVec2 centre, float radius, int kind, ImU32 colour,
                ImDrawList* list) {
  if (kind != 1) {
    list->AddCircle(centre, radius, colour, 24, shell.px(kind == 0 ? 1.5f : 2.5f));
    return;
  }
  constexpr int kDashes = 6;
  for (int i = 0; i < kDashes; ++i) {
    const float from = 2 * kPi * static_cast<float>(i) / kDashes;
    list->PathArcTo(centre, radius, from, from + 1.24f * kPi / kDashes, 5);
    list->PathStroke(colour, 0, shell.px(2));
  }
}

void swatches(Shell& shell, const LayerData& layer, ImVec2 at, ImDrawList* list) {
  const ColourScale& scale = layer.scale;
  const float side = shell.px(14);
  for (std::size_t i = 0; i < scale.categories.size(); ++i) {
    const auto column = static_cast<float>(i / rowsOf(scale));
    const ImVec2 lo(at.x + column * (columnWidth(shell, scale) + shell.px(8)),
                    at.y + shell.px(20) * static_cast<float>(i % rowsOf(scale)) + shell.px(2));
    const ImVec2 hi(lo.x + side, lo.y + side);
    const ImU32 colour = toImU32(render::colourOf(scale, static_cast<float>(i)));
    if (layer.rings) {
      ringSwatch(shell, ImVec2((lo.x + hi.x) / 2, (lo.y + hi.y) / 2), side / 2 - shell.px(1),
                 static_cast<int>(i), i == 2 ? shell.colours->text : colour, list);
    } else {
      list->AddRectFilled(lo, hi, colour, shell.px(2));
    }
    if (scale.checkerboard) hatch(list, lo, hi, static_cast<int>(i), IM_COL32(0, 0, 0, 130));
    drawText(list, shell.fonts.small, ImVec2(hi.x + shell.px(8), lo.y - shell.px(1)),
             shell.colours->text, scale.categories[i]);
  }
}

// One legend with its lower left corner at `at`; returns its size.
ImVec2 drawLegend(Shell& shell, const LayerData& layer, ImVec2 at) {
  const ColourScale& scale = layer.scale;
  const float pad = shell.px(10), title = shell.px(20);
  const float inner =
      std::max(bodyWidth(shell, scale), textSize(shell.fonts.small, titleOf(scale)).x);
  const ImVec2 size(inner + 2 * pad, bodyHeight(shell, scale) + title + 2 * pad - shell.px(4));
  const ImVec2 lo(at.x, at.y - size.y), hi(at.x + size.x, at.y);
  ImDrawList* list = ImGui::GetBackgroundDrawList();
  list->AddRectFilled(lo, hi, withAlpha(shell.colours->panel, 0.9f), shell.px(6));
  drawText(list, shell.fonts.small, ImVec2(lo.x + pad, lo.y + pad - shell.px(2)),
           shell.colours->muted, titleOf(scale));
  const ImVec2 body(lo.x + pad, lo.y + pad + title);
  switch (scale.kind) {
    case ColourKind::plain:
      break;
    case ColourKind::sequential:
    case ColourKind::diverging:
      gradient(shell, scale, body, inner, list);
      break;
    case ColourKind::hueWheel:
      ring(shell, scale, body, inner, list);
      break;
    case ColourKind::categorical:
      swatches(shell, layer, body, list);
      break;
  }
  return size;
}

// Layers that need a legend; of those with the same title one, rings before lines.
std::vector<const LayerData*> explained(const std::vector<LayerData>& layers) {
  std::vector<const LayerData*> all;
  for (const LayerData& layer : layers) {
    const ColourScale& scale = layer.scale;
    if (scale.kind == ColourKind::plain || scale.title.empty() || layer.count == 0) continue;
    const auto same = std::find_if(all.begin(), all.end(), [&](const LayerData* other) {
      return other->scale.title == scale.title;
    });
    if (same == all.end())
      all.push_back(&layer);
    else if (layer.rings)
      *same = &layer;
  }
  return all;
}

}  // namespace

ImVec2 legend(Shell& shell, const ViewportArea& area) {
  if (!shell.now->frame) return ImVec2(0, 0);
  float tallest = 0;
  ImVec2 at(area.lo().x + shell.px(16), area.hi().y - shell.px(16));
  int shown = 0;
  for (const LayerData* layer : explained(shell.now->frame->layers)) {
    const ImVec2 size = drawLegend(shell, *layer, at);
    at.x += size.x + shell.px(8);
    tallest = std::max(tallest, size.y + shell.px(16));
    if (++shown == 3 || at.x > area.hi().x - shell.px(220)) break;
  }
  return ImVec2(at.x - area.lo().x, tallest);
}

}  // namespace cellscope::gui
