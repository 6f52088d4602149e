#include <numeric>

#include "app/gui/viewport.h"
#include "render/printed.h"
#include "sim/base/digits.h"

namespace cellscope::gui {

constexpr float kPi = 3.14159265f;

static ImU32 legendColour(const Shell& shell, const LayerData& layer, float value) {
  const render::Paint paint = render::paintOf(layer.primitive, layer.scale, shell.dark);
  const render::Rgb c = render::colourOf(layer.scale, value, paint);
  return ImGui::ColorConvertFloat4ToU32(ImVec4(c.r, c.g, c.b, shell.lookOf(layer.key).opacity));
}

// A scale that ends at a round number says so: half a buffer. A tick too close to it gives way.
static void addEnd(Shell& shell, const ColourScale& scale, float width, render::Ticks& ticks) {
  const double lo = scale.lo, hi = scale.hi;
  const std::string end = fmt::format("{:.2g}", hi);
  if (scale.whole || ticks.at.empty() || std::abs(std::stod(end) - hi) > 1e-6 * std::abs(hi) ||
      hi - ticks.at.back() < 1e-3 * ticks.step)
    return;
  const double room = 1.2 * textSize(shell.fonts.smallNumbers, end).x / width * (hi - lo);
  while (ticks.at.size() > 1 && hi - ticks.at.back() < 1.5 * room)
    ticks.at.pop_back(), ticks.label.pop_back();
  ticks.at.push_back(hi), ticks.label.push_back(end);
}

void colourBar(Shell& shell, const LayerData& layer, ImVec2 at, float width) {
  ImDrawList* list = ImGui::GetWindowDrawList();
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
  render::Ticks ticks =
      render::makeTicks(scale.lo, scale.hi, width > shell.px(150) ? 5 : 4, scale.whole);
  addEnd(shell, scale, width, ticks);
  float free = at.x - shell.px(1);
  for (std::size_t i = 0; i < ticks.at.size(); ++i) {
    const auto t = static_cast<float>((ticks.at[i] - scale.lo) / (scale.hi - scale.lo));
    const float w = textSize(shell.fonts.smallNumbers, ticks.label[i]).x, tick = at.x + t * width;
    list->AddLine(ImVec2(tick, at.y + height - shell.px(2)),
                  ImVec2(tick, at.y + height + shell.px(2)), shell.colours->text, shell.stroke());
    const float x = std::clamp(tick - w / 2, at.x, at.x + width - w);
    if (x < free) continue;
    free = x + w + shell.px(4);
    drawText(shell.fonts.smallNumbers, ImVec2(x, at.y + height + shell.px(3)), shell.colours->text,
             ticks.label[i]);
  }
}

// Around the wheel stand hexagons of neighbours, turned as the colour at their place says.
static void ring(Shell& shell, const LayerData& layer, ImVec2 centre, ImDrawList* list) {
  constexpr float kOuter = kHexagonRing - kHexagon - 3;
  const float outer = shell.px(kOuter), inner = shell.px(0.55f * kOuter);
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
static void hexagon(Shell& shell, const LayerData& layer, ImVec2 centre, float phase,
                    ImDrawList* list) {
  const float r = shell.px(kHexagon);
  const ImU32 colour = legendColour(shell, layer, phase);
  ImVec2 corner[6];
  for (int k = 0; k < 6; ++k) {
    const float angle = phase / 6 + kPi / 3 * static_cast<float>(k);
    corner[k] = ImVec2(centre.x + r * std::cos(angle), centre.y - r * std::sin(angle));
  }
  list->AddPolyline(corner, 6, colour, ImDrawFlags_Closed, shell.stroke(1.2f));
  for (const ImVec2& at : corner) list->AddCircleFilled(at, shell.stroke(1.6f), colour, 8);
}

ImVec2 wheelSize(Shell& shell) {
  ImFont* font = shell.fonts.smallNumbers;
  const float across = 2 * (kHexagonRing + kHexagon);
  return ImVec2(textSize(font, "30°").x + textSize(font, "0°").x + shell.px(across + 8),
                shell.px(across + 4));
}

void orientationWheel(Shell& shell, const LayerData& layer, ImVec2 at, ImDrawList* list) {
  ImFont* font = shell.fonts.smallNumbers;
  const ImVec2 left = textSize(font, "30°");
  const float reach = shell.px(kHexagonRing + kHexagon);
  const ImVec2 centre(at.x + left.x + shell.px(4) + reach, at.y + wheelSize(shell).y / 2);
  ring(shell, layer, centre, list);
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

void drawSwatch(Shell& shell, const render::LegendEntry& entry, ImVec2 at) {
  const float ratio = std::max(1.f, ImGui::GetIO().DisplayFramebufferScale.x);
  const int pixels = std::max(1, static_cast<int>(std::lround(shell.px(13) * ratio)));
  const float side = static_cast<float>(pixels) / ratio;
  // On whole pixels of the screen, so that lines stay sharp.
  const ImVec2 lo(std::round(at.x * ratio) / ratio,
                  std::round((at.y + shell.px(1)) * ratio) / ratio);
  const ImVec2 hi = lo + ImVec2(side, side);
  render::SwatchLook look = entry.look;
  look.side = pixels;
  look.scale = shell.scale * ratio;
  if (lookOf(look.mark).role == ColourRole::ink) {
    const ImVec4 ink = ImGui::ColorConvertU32ToFloat4(shell.colours->text);
    look.colour = {ink.x, ink.y, ink.z};
  }
  ImGui::GetWindowDrawList()->AddImage(shell.textures.of(look), lo, hi);
  drawText(shell.fonts.small, ImVec2(hi.x + shell.px(6), at.y - shell.px(1)), shell.colours->text,
           entry.label);
}

namespace {

constexpr std::size_t kMostRows = 3;

struct Column {
  float width = 0, height = 0;
  std::vector<std::size_t> parts;
};
using Strip = std::vector<Column>;

// Stacks the part in an existing column of the strip, or starts a new column.
bool placePart(Strip& strip, std::size_t part, ImVec2 size, const LegendLimits& limits) {
  float taken = strip.empty() ? 0 : limits.gapX * static_cast<float>(strip.size() - 1);
  for (const Column& column : strip) taken += column.width;
  for (Column& column : strip) {
    const float wider = std::max(0.f, size.x - column.width);
    if (column.height + limits.gapY + size.y > limits.stripHeight) continue;
    if (taken + wider > limits.width) continue;
    column.width += wider;
    column.height += limits.gapY + size.y;
    column.parts.push_back(part);
    return true;
  }
  if (!strip.empty() && taken + limits.gapX + size.x > limits.width) return false;
  strip.push_back({size.x, size.y, {part}});
  return true;
}

}  // namespace

LegendLayout packLegend(const std::vector<ImVec2>& parts, const LegendLimits& limits) {
  std::vector<Strip> strips;
  LegendLayout layout;
  layout.at.resize(parts.size());
  layout.isShown.assign(parts.size(), true);
  for (std::size_t i = 0; i < parts.size(); ++i) {
    bool placed = std::ranges::any_of(
        strips, [&](Strip& strip) { return placePart(strip, i, parts[i], limits); });
    if (!placed && static_cast<int>(strips.size()) < limits.strips)
      placed = placePart(strips.emplace_back(), i, parts[i], limits);
    layout.isShown[i] = placed;
    layout.hidden += !placed;
  }
  float y = 0;
  for (const Strip& strip : strips) {
    float x = 0, height = 0;
    for (const Column& column : strip) {
      float top = y;
      for (std::size_t part : column.parts) {
        layout.at[part] = ImVec2(x, top);
        top += parts[part].y + limits.gapY;
      }
      x += column.width + limits.gapX;
      height = std::max(height, column.height);
    }
    layout.size.x = std::max(layout.size.x, x - limits.gapX);
    layout.size.y = y + height;
    y = layout.size.y + limits.gapY;
  }
  return layout;
}

std::vector<float> columnWidths(const std::vector<float>& widths, std::size_t rows) {
  std::vector<float> columns((widths.size() + rows - 1) / rows, 0.f);
  for (std::size_t i = 0; i < widths.size(); ++i)
    columns[i / rows] = std::max(columns[i / rows], widths[i]);
  return columns;
}

std::size_t legendRows(const std::vector<float>& widths, float gap, float lineWidth) {
  const std::size_t n = widths.size();
  if (n < 2) return 1;
  const float line = std::accumulate(widths.begin(), widths.end(), gap * static_cast<float>(n - 1));
  if (line <= lineWidth) return 1;
  if (n <= kMostRows) return n;
  const std::size_t columns = (n + kMostRows - 1) / kMostRows;
  return (n + columns - 1) / columns;
}

void rangeMenu(Shell& shell, const LayerData& layer, ImVec2 at, ImVec2 size) {
  const ColourScale& scale = layer.scale;
  if (scale.kind != ColourKind::sequential && scale.kind != ColourKind::diverging) return;
  const std::string id = "range:" + layer.key;
  ImGui::SetCursorScreenPos(at);
  static std::string least, most;  // as typed
  if (pressable(shell, id, size)) {
    least = onScreen(fmt::format("{:.6g}", scale.lo));
    most = onScreen(fmt::format("{:.6g}", scale.hi));
    ImGui::OpenPopup((id + ":menu").c_str());
  }
  tooltip(shell, "Range of colours", {"Click to set the smallest and largest value."});
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, shell.px(10, 8));
  if (ImGui::BeginPopup((id + ":menu").c_str())) {
    const std::string key = rangeKey(layer);
    ImGui::SetNextItemWidth(shell.px(120));
    constexpr ImGuiInputTextFlags kEnter = ImGuiInputTextFlags_EnterReturnsTrue;
    bool entered = textField(shell, "smallest", "range:smallest", least, kEnter);
    ImGui::SetNextItemWidth(shell.px(120));
    entered |= textField(shell, "largest", "range:largest", most, kEnter);
    shell.log->state("range-typed", fmt::format("{} {}", least, most));
    const double lo = realFrom(least).value_or(NAN), hi = realFrom(most).value_or(NAN);
    const bool possible = std::isfinite(lo) && std::isfinite(hi) && lo < hi;
    // Always a line of it, so that the buttons stay where they are, inside of the window.
    ImGui::TextColored(ImColor(shell.colours->red), "%s",
                       possible ? "" : "The smallest must be below the largest.");
    if ((ImGui::Button("Set") || entered) && possible) {
      shell.colourRanges[key] = {lo, hi};
      shell.log->write("colour-range", fmt::format("{} {} {}", layer.key, lo, hi));
      if (!entered) ImGui::CloseCurrentPopup();
    }
    shell.log->item("range:set");
    ImGui::SameLine();
    if (ImGui::Button("Automatic")) {
      shell.colourRanges.erase(key);
      shell.log->write("colour-range", layer.key + " automatic");
      ImGui::CloseCurrentPopup();
    }
    shell.log->item("range:automatic");
    ImGui::EndPopup();
  }
  ImGui::PopStyleVar();
}

}  // namespace cellscope::gui
