// A card of the gallery: picture, title, some lines of text.
#include "app/gui/panels.h"

#include <fmt/ranges.h>

#include "sim/api/mode.h"

namespace cellscope::gui {

std::string headingOf(const std::string& mode) {
  const std::vector<std::string> known = modeKeys();
  if (!hasItem(known, mode)) return mode;
  return describeMode(mode).label;
}

std::string shortened(ImFont* font, const std::string& text, float width, int lines) {
  const std::string all = wrapped(font, text, width);
  std::size_t end = 0;
  for (int i = 0; i < lines; ++i) {
    end = all.find('\n', end);
    if (end == std::string::npos) return all;
    ++end;
  }
  const std::string dots = printsSymbols() ? " …" : " ..";
  std::string kept = all.substr(0, end - 1);
  const std::size_t last = kept.rfind('\n') + 1;
  while (kept.size() > last && textSize(font, kept.substr(last) + dots).x > width)
    kept.resize(std::max(last, std::min(kept.rfind(' '), kept.size() - 1)));
  return kept + dots;
}

namespace {

// Draws the thumbnail at the left end of the card; returns its width.
float picture(Shell& shell, const Scenario& scenario, ImVec2 at, float side) {
  const ImTextureID small = shell.textures.of(scenario);
  if (!small) return 0;
  ImGui::GetWindowDrawList()->AddImageRounded(small, at, at + ImVec2(side, side), ImVec2(0, 0),
                                              ImVec2(1, 1), IM_COL32_WHITE, shell.px(6),
                                              ImDrawFlags_RoundCornersLeft);
  shell.log->rect("picture:" + scenario.name, at, at + ImVec2(side, side));
  return side;
}
// What the heading of a card does not contain.
std::vector<std::string> partsOf(const Scenario& s, Grouping under) {
  std::vector<std::string> parts;
  if (under != Grouping::engine) parts.push_back(headingOf(s.mode));
  if (under != Grouping::topic) parts.push_back(s.topic);
  if (under != Grouping::level) parts.push_back(s.level);
  std::erase(parts, "");
  return parts;
}

std::string aboutOf(const Scenario& s, Grouping under) {
  return fmt::format("{}", fmt::join(partsOf(s, under), " · "));
}

// As much of it as is not cut.
std::string aboutWithin(Shell& shell, const Scenario& s, Grouping under, float width) {
  const auto fits = [&](const std::string& text) {
    return textSize(shell.fonts.small, text).x <= width;
  };
  std::string about = aboutOf(s, under);
  if (fits(about)) return about;
  for (const std::string& part : partsOf(s, under))
    if (fits(part)) return part;
  return fitted(shell.fonts.small, about, width);
}

// Up to three lines where they are; a title that is cut even so is smaller.
std::pair<ImFont*, std::string> titleOf(Shell& shell, const std::string& title, float width,
                                        float height) {
  std::pair<ImFont*, std::string> cut;
  for (ImFont* font : {shell.fonts.strong, shell.fonts.small}) {
    const int lines = std::clamp(static_cast<int>(height / textSize(font, "X").y), 1, 3);
    cut = {font, shortened(font, title, width, lines)};
    if (cut.second == wrapped(font, title, width)) break;
  }
  return cut;
}

// Title, what it is about and, as far as there is room, its summary.
void cardText(Shell& shell, const Scenario& scenario, Grouping under, ImVec2 at, float width,
              float height) {
  const float small = textSize(shell.fonts.small, "X").y;
  const std::string about = aboutWithin(shell, scenario, under, width);
  const auto [font, title] =
      titleOf(shell, scenario.title, width, height - (about.empty() ? 0 : small));
  const float high = textSize(font, title).y;
  float left = height - high;
  const bool tells = !about.empty() && left >= small;
  if (tells) left -= small;
  const int more = std::clamp(static_cast<int>(left / small), 0, 2);
  float y = at.y + std::floor(std::max(0.f, (left - static_cast<float>(more) * small) / 2));
  drawText(font, ImVec2(at.x, y), shell.colours->text, title);
  y += high;
  if (more > 0) {
    // The summary; the following paragraphs are about what to see and try.
    const std::string summary = scenario.lesson.empty()
                                    ? scenario.text.substr(0, scenario.text.find("\n\n"))
                                    : scenario.lesson;
    const std::string text = shortened(shell.fonts.small, printed(summary), width, more);
    drawText(shell.fonts.small, ImVec2(at.x, y), shell.colours->muted, text);
    y += textSize(shell.fonts.small, text).y;
  }
  if (tells) drawText(shell.fonts.small, ImVec2(at.x, y), shell.colours->accent, about);
}
}  // namespace

void drawCard(Shell& shell, const Scenario& scenario, Grouping under, ImVec2 at, ImVec2 size,
              CardState state) {
  const Palette& c = *shell.colours;
  const ImVec2 end = at + size;
  ImU32 fill = state.isOpen ? mix(c.panel, c.accent, 0.16f) : c.raised;
  if (state.hot) fill = mix(fill, c.accent, 0.2f);
  ImDrawList* list = ImGui::GetWindowDrawList();
  list->AddRectFilled(at, end, fill, shell.px(6));
  const float pad = shell.px(8), x = at.x + picture(shell, scenario, at, size.y) + pad;
  if (state.isOpen || state.hot)
    list->AddRect(at, end, state.isOpen || state.isChosen ? c.accent : c.muted, shell.px(6), 0,
                  shell.stroke(state.isChosen ? 2 : 1));
  cardText(shell, scenario, under, ImVec2(x, at.y + shell.px(2)), end.x - pad - x,
           size.y - shell.px(4));
}

void drawPreview(Shell& shell, const Scenario& scenario, Grouping under, ImVec2 card, ImVec2 size) {
  const float wide = shell.px(300), gap = shell.px(8);
  const ImVec2 screen = ImGui::GetIO().DisplaySize;
  const bool right = card.x + size.x + gap + wide + shell.px(24) < screen.x;
  // As far down in the preview as the card is in the window: it is in view, whatever its height.
  const float down = card.y / std::max(1.0f, screen.y - size.y);
  ImGui::SetNextWindowPos(
      ImVec2(right ? card.x + size.x + gap : card.x - gap, card.y + down * size.y), 0,
      ImVec2(right ? 0.f : 1.f, down));
  ImGui::BeginTooltip();
  if (const ImTextureID picture = shell.textures.of(scenario))
    ImGui::Image(picture, ImVec2(wide, wide));
  const auto put = [&](ImFont* font, const std::string& text, ImU32 colour) {
    if (text.empty()) return;
    ImGui::PushFont(font);
    ImGui::PushStyleColor(ImGuiCol_Text, colour);
    ImGui::TextUnformatted(wrapped(font, text, wide).c_str());
    ImGui::PopStyleColor();
    ImGui::PopFont();
  };
  const Palette& c = *shell.colours;
  put(shell.fonts.strong, scenario.title, c.text);
  put(shell.fonts.small, aboutOf(scenario, under), c.accent);
  put(shell.fonts.words, printed(scenario.lesson), c.text);
  put(shell.fonts.small, printed(scenario.text.substr(0, scenario.text.find("\n\n"))), c.muted);
  shell.log->window("preview");
  shell.log->state("preview", scenario.name);
  ImGui::EndTooltip();
}

}  // namespace cellscope::gui
