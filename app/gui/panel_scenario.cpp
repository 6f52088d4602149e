// What is open, in words, and the gallery of everything that can be opened.
#include <algorithm>

#include "app/gui/format.h"
#include "app/gui/panels.h"
#include "app/gui/widgets.h"

namespace cellscope::gui {
namespace {

// What a scenario is about; what to see and to try stands behind it.
std::string firstParagraph(const Scenario& scenario) {
  return printed(scenario.text.substr(0, scenario.text.find("\n\n")));
}

// One card of the gallery: title, two or three lines of text, click to open.
void card(Shell& shell, const Scenario& scenario, float width, float height, bool isOpen) {
  const Palette& c = *shell.colours;
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const std::string id = "scenario:" + scenario.name;
  const bool pressed = ImGui::InvisibleButton(id.c_str(), ImVec2(width, height));
  shell.log->item(id);
  ImU32 fill = isOpen ? mix(c.panel, c.accent, 0.16f) : c.raised;
  if (ImGui::IsItemHovered()) fill = mix(fill, c.accent, 0.2f);
  ImDrawList* list = ImGui::GetWindowDrawList();
  const ImVec2 end(at.x + width, at.y + height);
  list->AddRectFilled(at, end, fill, shell.px(6));
  const float pad = shell.px(12), inner = width - 2 * pad;
  drawText(list, shell.fonts.strong, ImVec2(at.x + pad, at.y + pad - shell.px(2)), c.text,
           fitted(shell.fonts.strong, scenario.title, inner));
  const float size = shell.fonts.small->FontSize * ImGui::GetIO().FontGlobalScale;
  list->PushClipRect(at, ImVec2(end.x, end.y - pad / 2), true);
  list->AddText(shell.fonts.small, size, ImVec2(at.x + pad, at.y + shell.px(34)), c.muted,
                wrapped(shell.fonts.small, firstParagraph(scenario), inner).c_str());
  list->PopClipRect();
  tooltip(shell, scenario.title, {printed(scenario.text)});
  if (pressed) shell.open(scenario);
}

float textHeight(Shell& shell, const std::string& text, float width) {
  return textSize(shell.fonts.small, wrapped(shell.fonts.small, text, width)).y;
}

void cards(Shell& shell) {
  const float gap = shell.px(8);
  const float width = (ImGui::GetContentRegionAvail().x - gap) / 2;
  const std::string open = shell.now && shell.now->scenario ? shell.now->scenario->name : "";
  for (std::size_t i = 0; i < shell.gallery.size(); i += 2) {
    float height = shell.px(64);
    for (std::size_t k = i; k < std::min(i + 2, shell.gallery.size()); ++k) {
      const float text = textHeight(shell, firstParagraph(shell.gallery[k]), width - shell.px(24));
      height = std::max(height, text + shell.px(44));
    }
    for (std::size_t k = i; k < std::min(i + 2, shell.gallery.size()); ++k) {
      if (k > i) ImGui::SameLine(0, gap);
      card(shell, shell.gallery[k], width, height, shell.gallery[k].name == open);
    }
  }
}

}  // namespace

void scenarioPanel(Shell& shell) {
  const Scenario* open = shell.now->scenario.get();
  ImGui::PushFont(shell.fonts.strong);
  textWrapped(shell, open ? open->title : shell.now->mode->label, shell.colours->text);
  ImGui::PopFont();
  if (open && !open->text.empty()) {
    const float width = ImGui::GetContentRegionAvail().x;
    const bool isLong = textHeight(shell, open->text, width) > shell.px(52);
    bool& shortened = shell.collapsed.try_emplace("scenario-text", true).first->second;
    ImGui::PushFont(shell.fonts.small);
    if (isLong && shortened) {
      const ImVec2 at = ImGui::GetCursorScreenPos();
      const float line = ImGui::GetTextLineHeight();
      ImGui::PushClipRect(at, ImVec2(at.x + width, at.y + 3 * line), true);
      textMuted(shell, printed(open->text));
      ImGui::PopClipRect();
      ImGui::SetCursorScreenPos(ImVec2(at.x, at.y + 3 * line + shell.px(2)));
    } else {
      textMuted(shell, printed(open->text));
    }
    if (isLong) {
      ImGui::PushStyleColor(ImGuiCol_Text, shell.colours->accent);
      ImGui::TextUnformatted(shortened ? "Read on" : "Show less");
      ImGui::PopStyleColor();
      if (ImGui::IsItemClicked()) shortened = !shortened;
    }
    ImGui::PopFont();
  }
  if (button(shell, "gallery", "Open another scenario", Icon::none, -1)) {
    shell.galleryOpen = !shell.galleryOpen;
    shell.log->write("gallery", shell.galleryOpen ? "open" : "closed");
  }
}

void galleryWindow(Shell& shell) {
  if (!shell.galleryOpen) return;
  const ImVec2 screen = ImGui::GetIO().DisplaySize;
  const float width = std::min(shell.px(760), screen.x - shell.px(32));
  const float height = std::min(shell.px(640), screen.y - shell.px(64));
  ImGui::SetNextWindowPos(ImVec2((screen.x - width) / 2, (screen.y - height) / 2));
  ImGui::SetNextWindowSize(ImVec2(width, height));
  ImGui::SetNextWindowFocus();
  ImGui::PushStyleVar(ImGuiStyleVar_WindowBorderSize, 1.f);
  ImGui::Begin("##gallery", nullptr,
               ImGuiWindowFlags_NoTitleBar | ImGuiWindowFlags_NoResize | ImGuiWindowFlags_NoMove |
                   ImGuiWindowFlags_NoCollapse | ImGuiWindowFlags_NoSavedSettings);
  ImGui::PushFont(shell.fonts.strong);
  ImGui::AlignTextToFramePadding();
  ImGui::TextUnformatted("Scenarios");
  ImGui::PopFont();
  if (shell.now) {
    ImGui::SameLine(ImGui::GetContentRegionMax().x - shell.px(88));
    if (button(shell, "close-gallery", "Close", Icon::close, shell.px(88)))
      shell.galleryOpen = false;
  } else {
    textWrapped(shell, shell.failure, shell.colours->text);
    ImGui::Dummy(ImVec2(1, shell.px(4)));
  }
  if (shell.gallery.empty()) {
    textMuted(shell,
              "The gallery folder holds no scenario files. Reinstall the assets, or give a "
              "scenario file on the command line.");
  }
  cards(shell);
  const bool outside = shell.now && ImGui::IsMouseClicked(0) && !ImGui::IsWindowHovered() &&
                       ImGui::GetFrameCount() > 2 && !ImGui::IsAnyItemHovered();
  if (outside) shell.galleryOpen = false;
  ImGui::End();
  ImGui::PopStyleVar();
}

}  // namespace cellscope::gui
