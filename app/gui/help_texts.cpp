// The texts of `cellscope help` in the help sheet.
#include <algorithm>
#include <exception>

#include "app/common/settings.h"
#include "app/gui/panels.h"
#include "app/gui/widgets.h"

namespace cellscope::gui {
namespace {

// Read once; what is wrong with the folder is shown in place of the texts.
const std::vector<common::HelpTopic>& loadedTopics() {
  static const std::vector<common::HelpTopic> all = [] {
    try {
      return common::helpTopics();
    } catch (const std::exception& e) {
      return std::vector<common::HelpTopic>{{"error", "No help texts", e.what()}};
    }
  }();
  return all;
}

}  // namespace

void helpTexts(Shell& shell, ImVec2 screen) {
  const auto chosen = std::find_if(loadedTopics().begin(), loadedTopics().end(),
                                   [&](const auto& t) { return t.name == shell.helpTopic; });
  const common::HelpTopic& topic =
      chosen == loadedTopics().end() ? loadedTopics().front() : *chosen;
  const float list = shell.px(150), gap = shell.px(20);
  const float letters = 80 * textSize(shell.fonts.numbers, "m").x;  // lines have up to 78
  const float width =
      std::min(letters + ImGui::GetStyle().ScrollbarSize, screen.x - shell.px(64) - list - gap);
  textStrong(shell, topic.title);
  ImGui::BeginGroup();
  if (button(shell, "help-keys", "Keys and mouse", Icon::back, list)) shell.helpTopic.clear();
  for (const common::HelpTopic& t : loadedTopics()) {
    if (!button(shell, ("help-" + t.name).c_str(), t.name, Icon::none, list, &t == &topic))
      continue;
    shell.helpTopic = t.name;
    shell.log->write("help-topic", t.name);
  }
  ImGui::EndGroup();
  ImGui::SameLine(0, gap);
  const ImVec2 size(width, std::min(shell.px(560), screen.y - shell.px(120)));
  ImGui::BeginChild(("##help-" + topic.name).c_str(), size, false,
                    ImGuiWindowFlags_HorizontalScrollbar);
  ImGui::PushFont(shell.fonts.numbers);
  put(topic.text);
  ImGui::PopFont();
  ImGui::EndChild();
}

}  // namespace cellscope::gui
