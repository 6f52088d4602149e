// The gallery of scenarios: a picture and a few lines for each.
#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>
#include <sstream>
#include <string>
#include <vector>

#include "app/gui/format.h"
#include "app/gui/panels.h"
#include "app/gui/widgets.h"
#include "sim/api/mode.h"

namespace cellscope::gui {
namespace {

constexpr float kCard = 80, kGap = 8, kNarrowest = 290;  // at scale 1

// The summary; the following paragraphs say what to see and try.
std::string firstParagraph(const Scenario& scenario) {
  if (!scenario.lesson.empty()) return printed(scenario.lesson);
  return printed(scenario.text.substr(0, scenario.text.find("\n\n")));
}

// The first `lines` lines of `text`, with an ellipsis if truncated.
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

// Draws the thumbnail at the left end of the card; returns its width.
float picture(Shell& shell, const Scenario& scenario, ImVec2 at, float side, ImDrawList* list) {
  const Thumbnail& small = shell.thumbnails.of(scenario);
  if (!small.texture) return 0;
  list->AddImageRounded(small.id(), at, ImVec2(at.x + side, at.y + side), ImVec2(0, 0),
                        ImVec2(1, 1), IM_COL32_WHITE, shell.px(6), ImDrawFlags_RoundCornersLeft);
  shell.log->rect("picture:" + scenario.name, at, ImVec2(at.x + side, at.y + side));
  return side;
}

// Ignore the second click of a double-click that opened the gallery; a click elsewhere is meant.
bool justOpened(const Shell& shell) {
  constexpr double kDoubleClick = 0.8;  // seconds
  const ImVec2 mouse = ImGui::GetIO().MousePos, from = shell.galleryOpenedFrom;
  return shell.now && shell.time - shell.galleryOpenedAt < kDoubleClick &&
         std::hypot(mouse.x - from.x, mouse.y - from.y) < shell.px(8);
}

// One card: picture, title, some lines of text; click to open.
void card(Shell& shell, const Scenario& scenario, float width, bool isOpen) {
  const Palette& c = *shell.colours;
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float height = std::floor(shell.px(kCard));
  const std::string id = "scenario:" + scenario.name;
  const bool pressed = ImGui::InvisibleButton(id.c_str(), ImVec2(width, height));
  shell.log->item(id);
  const bool hot = ImGui::IsItemHovered();
  ImU32 fill = isOpen ? mix(c.panel, c.accent, 0.16f) : c.raised;
  if (hot) fill = mix(fill, c.accent, 0.2f);
  ImDrawList* list = ImGui::GetWindowDrawList();
  const ImVec2 end(at.x + width, at.y + height);
  list->AddRectFilled(at, end, fill, shell.px(6));
  const float pad = shell.px(12), x = at.x + picture(shell, scenario, at, height, list) + pad;
  if (isOpen || hot)
    list->AddRect(at, end, isOpen ? c.accent : c.muted, shell.px(6), 0, std::max(1.f, shell.px(1)));
  const float inner = end.x - pad - x;
  drawText(list, shell.fonts.strong, ImVec2(x, at.y + shell.px(7)), c.text,
           fitted(shell.fonts.strong, scenario.title, inner));
  std::string about = scenario.topic;
  if (!scenario.level.empty()) about += (about.empty() ? "" : " · ") + scenario.level;
  if (!about.empty())
    drawText(list, shell.fonts.small, ImVec2(x, at.y + shell.px(58)), c.accent,
             fitted(shell.fonts.small, about, inner));
  ImFont* font = shell.fonts.small;
  list->AddText(font, font->FontSize * ImGui::GetIO().FontGlobalScale,
                ImVec2(x, at.y + shell.px(26)), c.muted,
                shortened(font, firstParagraph(scenario), inner, 2).c_str());
  tooltip(shell, scenario.title, {printed(scenario.text)});
  if (pressed && !justOpened(shell)) shell.open(scenario);
}

// The words of the engine.
std::string headingOf(const std::string& mode) {
  const std::vector<std::string> known = modeKeys();
  if (std::find(known.begin(), known.end(), mode) == known.end()) return mode;
  return describeMode(mode).label;
}

std::array<char, 64>& searched() {
  static std::array<char, 64> text{};
  return text;
}

std::string lower(std::string text) {
  for (char& c : text) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return text;
}

// Every word that is searched for stands somewhere in what is said of the scenario.
bool isFound(const Scenario& s) {
  const std::string all = lower(s.title + " " + s.name + " " + s.lesson + " " + s.topic + " " +
                                s.level + " " + headingOf(s.mode) + " " + s.text);
  std::istringstream words(lower(searched().data()));
  for (std::string word; words >> word;)
    if (all.find(word) == std::string::npos) return false;
  return true;
}

// The scenarios of one engine, in as many columns as fit.
void cardsOf(Shell& shell, const std::string& mode, const std::string& open) {
  const float gap = shell.px(kGap), all = ImGui::GetContentRegionAvail().x;
  const int columns =
      std::clamp(static_cast<int>((all + gap) / (shell.px(kNarrowest) + gap)), 1, 4);
  const float width =
      std::floor((all - gap * static_cast<float>(columns - 1)) / static_cast<float>(columns));
  int placed = 0;
  for (const Scenario& scenario : shell.gallery) {
    if (scenario.mode != mode || !isFound(scenario)) continue;
    if (placed++ % columns > 0) ImGui::SameLine(0, gap);
    card(shell, scenario, width, scenario.name == open);
  }
}

// Engines in the order of their first scenarios.
void cards(Shell& shell) {
  const std::string open = shell.now && shell.now->scenario ? shell.now->scenario->name : "";
  std::vector<std::string> modes;
  for (const Scenario& scenario : shell.gallery)
    if (isFound(scenario) && std::find(modes.begin(), modes.end(), scenario.mode) == modes.end())
      modes.push_back(scenario.mode);
  shell.log->state(
      "found", std::to_string(std::count_if(shell.gallery.begin(), shell.gallery.end(), isFound)));
  if (modes.empty() && !shell.gallery.empty())
    textMuted(shell, "No scenario is about this: search for fewer words.");
  for (const std::string& mode : modes) {
    ImGui::AlignTextToFramePadding();
    textMuted(shell, headingOf(mode));
    if (shell.now && !tourScenario(mode).empty()) {
      ImGui::SameLine(0, shell.px(12));
      if (chip(shell, ("tour:" + mode).c_str(), "Tour in five steps", "", false, true))
        startTour(shell, mode);
      tooltip(shell, "Tour", {"Shows the window with one of these scenarios, step by step."});
    }
    cardsOf(shell, mode, open);
  }
}

constexpr ImGuiWindowFlags kFixed = ImGuiWindowFlags_NoTitleBar | ImGuiWindowFlags_NoResize |
                                    ImGuiWindowFlags_NoMove | ImGuiWindowFlags_NoCollapse |
                                    ImGuiWindowFlags_NoSavedSettings;

}  // namespace

bool dimRest(Shell& shell, const char* name) {
  const ImVec2 screen = ImGui::GetIO().DisplaySize;
  ImGui::SetNextWindowPos(ImVec2(0, 0));
  ImGui::SetNextWindowSize(screen);
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ImVec2(0, 0));
  ImGui::PushStyleVar(ImGuiStyleVar_WindowRounding, 0.f);
  ImGui::PushStyleColor(ImGuiCol_WindowBg, withAlpha(shell.colours->viewport, 0.6f));
  ImGui::Begin(name, nullptr, kFixed);
  const bool pressed = ImGui::InvisibleButton("rest", screen);
  ImGui::End();
  ImGui::PopStyleColor();
  ImGui::PopStyleVar(2);
  return pressed;
}

void galleryWindow(Shell& shell) {
  if (!shell.galleryOpen) return;
  if (shell.now && dimRest(shell, "##gallery-rest") && !justOpened(shell))
    shell.galleryOpen = false;
  const ImVec2 screen = ImGui::GetIO().DisplaySize;
  const float width = std::min(shell.px(1240), screen.x - shell.px(32));
  const float height = std::min(shell.px(shell.now ? 696 : 744), screen.y - shell.px(24));
  ImGui::SetNextWindowPos(ImVec2((screen.x - width) / 2, (screen.y - height) / 2));
  ImGui::SetNextWindowSize(ImVec2(width, height));
  ImGui::SetNextWindowFocus();
  ImGui::PushStyleVar(ImGuiStyleVar_WindowBorderSize, 1.f);
  ImGui::Begin("##gallery", nullptr, kFixed);
  ImGui::PushFont(shell.fonts.strong);
  ImGui::AlignTextToFramePadding();
  ImGui::TextUnformatted("Scenarios");
  ImGui::PopFont();
  ImGui::SameLine(shell.px(120));
  ImGui::SetNextItemWidth(shell.px(240));
  ImGui::InputTextWithHint("##search", "Search: topic, level, words", searched().data(),
                           searched().size());
  shell.log->item("gallery-search");
  if (shell.now) {
    ImGui::SameLine(ImGui::GetContentRegionMax().x - shell.px(88));
    if (button(shell, "close-gallery", "Close", Icon::close, shell.px(88)))
      shell.galleryOpen = false;
  } else {
    ImGui::SameLine();
    textWrapped(shell, "The scenario could not be opened", shell.colours->red);
    textWrapped(shell, sentence(shell.failure), shell.colours->text);
    textMuted(shell, "Open a scenario below, or restart with other values.");
    ImGui::Dummy(ImVec2(1, shell.px(4)));
  }
  if (shell.gallery.empty()) {
    textMuted(shell,
              "The gallery folder contains no scenario files. Reinstall the assets, or give a "
              "scenario file on the command line.");
  }
  ImGui::BeginChild("cards");  // the search and the way out stay in view
  const ImVec2 lo = ImGui::GetWindowPos(), size = ImGui::GetWindowSize();
  shell.log->rect("gallery-cards", lo, ImVec2(lo.x + size.x, lo.y + size.y));
  cards(shell);
  ImGui::EndChild();
  ImGui::End();
  ImGui::PopStyleVar();
}

}  // namespace cellscope::gui
