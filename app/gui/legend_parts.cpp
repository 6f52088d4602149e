#include "app/gui/legend_parts.h"

#include <algorithm>
#include <cmath>

#include "app/gui/format.h"
#include "render/ticks.h"

namespace cellscope::gui {
namespace {

constexpr float kPi = 3.14159265f;

}  // namespace

ImU32 legendColour(const Shell& shell, const LayerData& layer, float value) {
  const render::Paint paint = render::paintOf(layer.primitive, layer.scale, shell.dark);
  const render::Rgb c = render::colourOf(layer.scale, value, paint);
  return ImGui::ColorConvertFloat4ToU32(ImVec4(c.r, c.g, c.b, 1));
}

void colourBar(Shell& shell, const LayerData& layer, ImVec2 at, float width, ImDrawList* list) {
  const ColourScale& scale = layer.scale;
  constexpr int kSteps = 48;
  const float height = shell.px(9);
  auto colourAt = [&](int i) {
    const float t = static_cast<float>(i) / kSteps;
    return legendColour(shell, layer, scale.lo + (scale.hi - scale.lo) * t);
  };
  for (int i = 0; i < kSteps; ++i) {
    const float x0 = at.x + width * static_cast<float>(i) / kSteps;
    const float x1 = at.x + width * static_cast<float>(i + 1) / kSteps;
    const ImU32 a = colourAt(i), b = colourAt(i + 1);
    list->AddRectFilledMultiColor(ImVec2(x0, at.y), ImVec2(x1, at.y + height), a, b, b, a);
  }
  const render::Ticks ticks =
      render::makeTicks(scale.lo, scale.hi, width > shell.px(150) ? 5 : 4, scale.whole);
  float free = at.x - shell.px(1);
  for (std::size_t i = 0; i < ticks.at.size(); ++i) {
    const auto t = static_cast<float>((ticks.at[i] - scale.lo) / (scale.hi - scale.lo));
    const float w = textSize(shell.fonts.smallNumbers, ticks.label[i]).x, tick = at.x + t * width;
    list->AddLine(ImVec2(tick, at.y + height - shell.px(2)),
                  ImVec2(tick, at.y + height + shell.px(2)), shell.colours->text,
                  std::max(1.f, shell.px(1)));
    const float x = std::clamp(tick - w / 2, at.x, at.x + width - w);
    if (x < free) continue;
    free = x + w + shell.px(4);
    drawText(list, shell.fonts.smallNumbers, ImVec2(x, at.y + height + shell.px(3)),
             shell.colours->text, ticks.label[i]);
  }
}

namespace {

// At scale 1. Around the wheel of orientations stand hexagons of neighbours, turned as the colour
// at their place says.
constexpr float kRingRadius = 18, kHexagonRing = 29, kHexagon = 7;
constexpr const char* kHalfTurn = "±pi";

void ring(Shell& shell, const LayerData& layer, ImVec2 centre, float radius, ImDrawList* list) {
  const float outer = shell.px(radius), inner = shell.px(0.55f * radius);
  constexpr int kSteps = 72;
  for (int i = 0; i < kSteps; ++i) {
    const float a = -kPi + 2 * kPi * static_cast<float>(i) / kSteps;
    const float b = a + 2 * kPi / kSteps + 0.01f, m = (a + b) / 2;
    auto on = [&](float r, float angle) {
      return ImVec2(centre.x + r * std::cos(angle), centre.y - r * std::sin(angle));
    };
    list->AddQuadFilled(on(inner, a), on(outer, a), on(outer, b), on(inner, b),
                        legendColour(shell, layer, m));
  }
}

// Six neighbours, turned by a sixth of the phase.
void hexagon(Shell& shell, const LayerData& layer, ImVec2 centre, float phase, ImDrawList* list) {
  const float r = shell.px(kHexagon);
  const ImU32 colour = legendColour(shell, layer, phase);
  ImVec2 corner[6];
  for (int k = 0; k < 6; ++k) {
    const float angle = phase / 6 + kPi / 3 * static_cast<float>(k);
    corner[k] = ImVec2(centre.x + r * std::cos(angle), centre.y - r * std::sin(angle));
  }
  list->AddPolyline(corner, 6, colour, ImDrawFlags_Closed, std::max(1.f, shell.px(1.2f)));
  for (const ImVec2& at : corner)
    list->AddCircleFilled(at, std::max(1.f, shell.px(1.6f)), colour, 8);
}

void orientationWheel(Shell& shell, const LayerData& layer, ImVec2 at, float height,
                      ImDrawList* list) {
  ImFont* font = shell.fonts.smallNumbers;
  const ImVec2 left = textSize(font, "30°");
  const float reach = shell.px(kHexagonRing + kHexagon);
  const ImVec2 centre(at.x + left.x + shell.px(4) + reach, at.y + height / 2);
  ring(shell, layer, centre, kHexagonRing - kHexagon - 3, list);
  for (int k = 0; k < 6; ++k) {
    const float phase = kPi / 3 * static_cast<float>(k > 3 ? k - 6 : k);
    hexagon(shell, layer,
            ImVec2(centre.x + shell.px(kHexagonRing) * std::cos(phase),
                   centre.y - shell.px(kHexagonRing) * std::sin(phase)),
            phase, list);
  }
  const float y = centre.y - left.y / 2;
  drawText(list, font, ImVec2(at.x, y), shell.colours->text, "30°");
  drawText(list, font, ImVec2(centre.x + reach + shell.px(4), y), shell.colours->text, "0°");
}

}  // namespace

OrientationSizes orientationSizes() { return {kHexagonRing, kHexagon}; }

float hueRingWidth(Shell& shell, const ColourScale& scale) {
  ImFont* font = shell.fonts.smallNumbers;
  if (isOrientation(scale))
    return textSize(font, "30°").x + textSize(font, "0°").x +
           shell.px(2 * (kHexagonRing + kHexagon) + 8);
  return textSize(font, printed(kHalfTurn)).x + textSize(font, printed("-pi/2")).x +
         shell.px(2 * kRingRadius + 13);
}

float hueRingHeight(const ColourScale& scale) {
  return isOrientation(scale) ? 2 * (kHexagonRing + kHexagon) + 4 : 45;
}

// Hue wheel as a ring: angle on the ring = phase. Labels at the left and right.
void hueRing(Shell& shell, const LayerData& layer, ImVec2 at, float height, ImDrawList* list) {
  if (isOrientation(layer.scale)) return orientationWheel(shell, layer, at, height, list);
  ImFont* font = shell.fonts.smallNumbers;
  const float radius = shell.px(kRingRadius), tall = textSize(font, "0").y;
  const ImVec2 left = textSize(font, printed(kHalfTurn));
  const ImVec2 centre(at.x + left.x + shell.px(4) + radius, at.y + height / 2);
  ring(shell, layer, centre, kRingRadius, list);
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

void drawSwatch(Shell& shell, const render::LegendEntry& entry, ImVec2 at, ImDrawList* list) {
  const ImGuiIO& io = ImGui::GetIO();
  const float ratio = std::max(1.f, io.DisplayFramebufferScale.x);
  const int pixels = std::max(1, static_cast<int>(std::lround(shell.px(13) * ratio)));
  const float side = static_cast<float>(pixels) / ratio;
  // On whole pixels of the screen, so that lines stay sharp.
  const ImVec2 lo(std::round(at.x * ratio) / ratio,
                  std::round((at.y + shell.px(1)) * ratio) / ratio);
  const ImVec2 hi(lo.x + side, lo.y + side);
  render::SwatchLook look = entry.look;
  look.side = pixels;
  look.scale = shell.scale * ratio;
  if (lookOf(look.mark).role == ColourRole::ink) {
    const ImVec4 ink = ImGui::ColorConvertU32ToFloat4(shell.colours->text);
    look.colour = {ink.x, ink.y, ink.z};
  }
  list->AddImage(shell.swatches.of(look), lo, hi);
  drawText(list, shell.fonts.small, ImVec2(hi.x + shell.px(6), at.y - shell.px(1)),
           shell.colours->text, entry.label);
}

}  // namespace cellscope::gui
