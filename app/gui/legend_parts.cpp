#include "app/gui/legend_parts.h"

#include <algorithm>
#include <cmath>

#include "app/gui/format.h"
#include "render/renderer.h"

namespace cellscope::gui {
namespace {

constexpr float kPi = 3.14159265f;

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

// Hue wheel as a ring: angle on the ring = phase. Labels at the left and right.
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
  const ImGuiIO& io = ImGui::GetIO();
  const float ratio = std::max(1.f, io.DisplayFramebufferScale.x);
  const int pixels = std::max(1, static_cast<int>(std::lround(shell.px(13) * ratio)));
  const float side = static_cast<float>(pixels) / ratio;
  // On whole pixels of the screen, so that lines stay sharp.
  const ImVec2 lo(std::round(at.x * ratio) / ratio,
                  std::round((at.y + shell.px(1)) * ratio) / ratio);
  const ImVec2 hi(lo.x + side, lo.y + side);
  render::Rgb colour = entry.colour;
  if (lookOf(entry.mark).role == ColourRole::ink) {
    const ImVec4 ink = ImGui::ColorConvertU32ToFloat4(shell.colours->text);
    colour = {ink.x, ink.y, ink.z};
  }
  list->AddImage(shell.swatches.of({entry.primitive, entry.mark, colour, entry.directed, pixels,
                                    shell.scale * ratio}),
                 lo, hi);
  drawText(list, shell.fonts.small, ImVec2(hi.x + shell.px(6), at.y - shell.px(1)),
           shell.colours->text, entry.label);
}

}  // namespace cellscope::gui
