#include "app/gui/legend_parts.h"

#include <algorithm>
#include <cmath>

#include "app/gui/format.h"
#include "render/renderer.h"

namespace cellscope::gui {
namespace {

constexpr float kPi = 3.14159265f;

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

void arrowSwatch(Shell& shell, ImVec2 lo, ImVec2 hi, ImU32 colour, ImDrawList* list) {
  const float head = shell.px(5), middle = (lo.y + hi.y) / 2;
  list->AddLine(ImVec2(lo.x, middle), ImVec2(hi.x - head, middle), colour, shell.px(1.5f));
  list->AddTriangleFilled(ImVec2(hi.x, middle), ImVec2(hi.x - head, middle - head * 0.6f),
                          ImVec2(hi.x - head, middle + head * 0.6f), colour);
}

}  // namespace

ImU32 legendColour(const ColourScale& scale, float value) {
  const render::Rgb c = render::colourOf(scale, value);
  return ImGui::ColorConvertFloat4ToU32(ImVec4(c.r, c.g, c.b, 1));
}

void colourBar(Shell& shell, const ColourScale& scale, ImVec2 at, float width, ImDrawList* list) {
  constexpr int kSteps = 48;
  const float height = shell.px(9);
  auto colourAt = [&](int i) {
    const float t = static_cast<float>(i) / kSteps;
    return legendColour(scale, scale.lo + (scale.hi - scale.lo) * t);
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
    drawText(list, shell.fonts.smallNumbers, ImVec2(x, at.y + height + shell.px(2)),
             shell.colours->text, label);
  }
}

namespace {

constexpr float kRingRadius = 18;  // at scale 1
constexpr const char* kHalfTurn = "±pi";

void ring(Shell& shell, const ColourScale& scale, ImVec2 centre, ImDrawList* list) {
  const float outer = shell.px(kRingRadius), inner = shell.px(0.58f * kRingRadius);
  constexpr int kSteps = 72;
  for (int i = 0; i < kSteps; ++i) {
    const float a = -kPi + 2 * kPi * static_cast<float>(i) / kSteps;
    const float b = a + 2 * kPi / kSteps + 0.01f, m = (a + b) / 2;
    auto on = [&](float r, float angle) {
      return ImVec2(centre.x + r * std::cos(angle), centre.y - r * std::sin(angle));
    };
    list->AddQuadFilled(on(inner, a), on(outer, a), on(outer, b), on(inner, b),
                        legendColour(scale, m));
  }
}

}  // namespace

float hueRingWidth(Shell& shell) {
  ImFont* font = shell.fonts.smallNumbers;
  return textSize(font, printed(kHalfTurn)).x + textSize(font, printed("-pi/2")).x +
         shell.px(2 * kRingRadius + 13);
}

// Hue wheel as a ring: angle on the ring = phase. Its upper and lower ends are named at the right.
void hueRing(Shell& shell, const ColourScale& scale, ImVec2 at, float height, ImDrawList* list) {
  ImFont* font = shell.fonts.smallNumbers;
  const float radius = shell.px(kRingRadius), tall = textSize(font, "0").y;
  const ImVec2 left = textSize(font, printed(kHalfTurn));
  const ImVec2 centre(at.x + left.x + shell.px(4) + radius, at.y + height / 2);
  ring(shell, scale, centre, list);
  drawText(list, font, ImVec2(at.x, centre.y - tall / 2), shell.colours->text, printed(kHalfTurn));
  const float x = centre.x + radius + shell.px(9), up = radius - shell.px(3);
  const struct {
    const char* text;
    float y;
  } labels[] = {{"pi/2", -1}, {"0", 0}, {"-pi/2", 1}};
  for (const auto& label : labels) {
    const float y = centre.y + label.y * up;
    drawText(list, font, ImVec2(x, y - tall / 2), shell.colours->text, printed(label.text));
    if (label.y == 0) continue;
    const float end = centre.y + label.y * (radius + shell.px(1.5f));
    list->AddLine(ImVec2(centre.x, end), ImVec2(x - shell.px(3), end), shell.colours->muted,
                  std::max(1.f, shell.px(1)));
  }
}

void drawSwatch(Shell& shell, const LegendEntry& entry, ImVec2 at, ImDrawList* list) {
  const float side = shell.px(13);
  const ImVec2 lo(at.x, at.y + shell.px(1)), hi(lo.x + side, lo.y + side);
  switch (entry.swatch) {
    case Swatch::ring:
      ringSwatch(shell, ImVec2((lo.x + hi.x) / 2, (lo.y + hi.y) / 2), side / 2 - shell.px(1),
                 entry.kind, entry.kind == 2 ? shell.colours->text : entry.colour, list);
      break;
    case Swatch::line:
      list->AddLine(ImVec2(lo.x, (lo.y + hi.y) / 2), ImVec2(hi.x, (lo.y + hi.y) / 2), entry.colour,
                    shell.px(1.5f));
      break;
    case Swatch::arrow:
      arrowSwatch(shell, lo, hi, entry.colour, list);
      break;
    default:
      list->AddRectFilled(lo, hi, entry.colour, shell.px(2));
      if (entry.swatch == Swatch::set) hatch(list, lo, hi, entry.kind, IM_COL32(0, 0, 0, 130));
  }
  drawText(list, shell.fonts.small, ImVec2(hi.x + shell.px(6), at.y - shell.px(1)),
           shell.colours->text, entry.label);
}

}  // namespace cellscope::gui
