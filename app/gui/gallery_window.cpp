// The gallery of scenarios: a picture and a few lines for each.
#include <sstream>

#include "app/common/settings.h"
#include "app/gui/panels.h"
#include "sim/api/mode.h"
#include "sim/base/words.h"

namespace cellscope::gui {
namespace {

// At scale 1. Cards are as high as their number allows, so that all are in view where they can be.
constexpr float kHighest = 80, kLowest = 32, kCardGap = 3, kNarrowest = 176, kGroupHeading = 24,
                kHeadingWidth = 116;
constexpr int kMostColumns = 6;

// Ignore the second click of a double-click that opened the gallery; a click elsewhere is meant.
bool justOpened(const Shell& shell) {
  constexpr double kDoubleClick = 0.8;  // seconds
  const ImVec2 mouse = ImGui::GetIO().MousePos, from = shell.galleryOpenedFrom;
  return shell.now && shell.time - shell.galleryOpenedAt < kDoubleClick &&
         std::hypot(mouse.x - from.x, mouse.y - from.y) < shell.px(8);
}

Grouping groupedBy = Grouping::engine;
std::string searchText;

// Cards in the order in which they are drawn, and the one that arrows have chosen.
struct Chosen {
  struct Placed {
    const Scenario* scenario;
    ImVec2 at;
  };
  std::vector<Placed> cards;  // of the last frame
  std::string name;
  bool moved = false;                 // in this frame: it is to be in view
  const Scenario* hovered = nullptr;  // by the mouse
};
Chosen chosenCard;

void card(Shell& shell, const Scenario& scenario, ImVec2 size, bool isOpen) {
  const ImVec2 at = ImGui::GetCursorScreenPos();
  ImGui::PushID(scenario.path.c_str());  // names of one's own may be those of others
  const bool pressed = clickable(shell, "scenario:" + scenario.name, size);
  ImGui::PopID();
  chosenCard.cards.push_back({&scenario, at});
  const bool isChosen = chosenCard.name == scenario.name;
  if (isChosen && std::exchange(chosenCard.moved, false)) ImGui::SetScrollHereY();
  const bool hovered = ImGui::IsItemHovered(), hot = hovered || isChosen;
  if (hovered && !justOpened(shell) && !ImGui::IsAnyMouseDown()) chosenCard.hovered = &scenario;
  drawCard(shell, scenario, groupedBy, at, size, {isOpen, isChosen, hot});
  if (pressed && !justOpened(shell)) shell.open(scenario);
}

// Every word that is searched for occurs in the texts of the scenario.
bool isFound(const Scenario& s) {
  const std::string all = lowered(s.title + " " + s.name + " " + s.lesson + " " + s.topic + " " +
                                  s.level + " " + headingOf(s.mode) + " " + s.text);
  std::istringstream words(lowered(searchText));
  for (std::string word; words >> word;)
    if (all.find(word) == std::string::npos) return false;
  return true;
}

struct Group {
  std::string key, heading;
  std::vector<const Scenario*> scenarios;
};

// Engines and topics in the order of their first scenarios, levels from the easiest on.
std::vector<Group> groupsOf(const Shell& shell) {
  std::vector<Group> groups;
  const std::string own = common::ownFolder("scenarios");
  if (groupedBy == Grouping::level)
    for (const std::string& level : scenarioLevels()) groups.push_back({level, level, {}});
  for (const Scenario& s : shell.gallery) {
    if (!isFound(s)) continue;
    const bool byEngine = groupedBy == Grouping::engine;
    const bool isOwn = !own.empty() && s.path.starts_with(own + "/");
    const std::string key = isOwn                          ? "own"
                            : byEngine                     ? s.mode
                            : groupedBy == Grouping::level ? s.level
                                                           : s.topic;
    auto group = std::ranges::find(groups, key, &Group::key);
    if (group == groups.end()) {
      const std::string words = isOwn         ? "My scenarios"
                                : byEngine    ? headingOf(key)
                                : key.empty() ? "other"
                                              : key;
      group = groups.insert(isOwn ? groups.begin() : groups.end(), {key, words, {}});
    }
    group->scenarios.push_back(&s);
  }
  std::erase_if(groups, [](const Group& g) { return g.scenarios.empty(); });
  return groups;
}

struct Grid {
  int columns = 1;
  ImVec2 card;
  float left = 0;  // width of headings that stand beside their cards; 0: above them
  float between = 0;
};

std::string headingLines(Shell& shell, ImFont* font, const Group& group) {
  return wrapped(font, group.heading, shell.px(kHeadingWidth - 8));
}

// As many columns as make the cards highest. Many headings stand beside their cards.
Grid gridFor(Shell& shell, const std::vector<Group>& groups, ImVec2 room) {
  constexpr std::size_t kFew = 4;
  const float gap = shell.px(kCardGap);
  Grid best;
  if (groups.size() > kFew) best.left = shell.px(kHeadingWidth), best.between = shell.px(kCardGap);
  room.x -= best.left;
  const int most =
      std::clamp(static_cast<int>((room.x + gap) / (shell.px(kNarrowest) + gap)), 1, kMostColumns);
  const float each = best.left > 0 ? best.between : shell.px(kGroupHeading);
  const float free = room.y - each * static_cast<float>(groups.size());
  for (int columns = 1; columns <= most; ++columns) {
    const auto rowsOf = [&](const Group& g) {
      return static_cast<float>((static_cast<int>(g.scenarios.size()) + columns - 1) / columns);
    };
    float rows = 0, over = 0;  // over: by which headings are higher than their cards
    for (const Group& g : groups) rows += rowsOf(g);
    rows = std::max(1.f, rows);
    if (best.left > 0)
      for (const Group& g : groups)
        over +=
            std::max(0.f, textSize(shell.fonts.small, headingLines(shell, shell.fonts.small, g)).y +
                              shell.px(5) - rowsOf(g) * free / rows);
    const float height = std::floor(std::min(shell.px(kHighest), (free - over) / rows - gap));
    if (columns > 1 && height <= best.card.y) continue;
    best.columns = columns;
    const float gaps = gap * static_cast<float>(columns - 1);
    best.card = ImVec2(std::floor((room.x - gaps) / static_cast<float>(columns)), height);
  }
  best.card.y = std::max(best.card.y, std::floor(shell.px(kLowest)));
  return best;
}

// Above its cards, or in lines at the left of them, which are this high: with the tour where there
// is room. The height of the lines.
float heading(Shell& shell, const Group& group, const Grid& grid, float cardsHigh) {
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const bool beside = grid.left > 0;
  const float height = shell.px(kGroupHeading);  // as that of the chip
  const auto lines = [&](ImFont* font) {
    return beside ? headingLines(shell, font, group) : group.heading;
  };
  const bool fits = !beside || textSize(shell.fonts.words, lines(shell.fonts.words)).y <= cardsHigh;
  ImFont* font = fits ? shell.fonts.words : shell.fonts.small;
  const std::string words = lines(font);
  const ImVec2 size = textSize(font, words);
  const float y = at.y + (height - textSize(font, "X").y) / 2;
  drawText(font, ImVec2(at.x, y), shell.colours->muted, words);
  shell.log->rect("heading:" + group.key, at,
                  ImVec2(at.x + shell.px(100), std::max(at.y + height, y + size.y)));
  const ImVec2 tour =
      beside ? ImVec2(at.x, y + size.y + shell.px(4)) : ImVec2(at.x + size.x + shell.px(12), at.y);
  if (groupedBy == Grouping::engine && shell.now && tourOf(group.key) &&
      (!beside || tour.y + height <= at.y + cardsHigh)) {
    ImGui::SetCursorScreenPos(tour);
    if (chip(shell, "tour:" + group.key, "Tour in 5 steps", "", false, true) && !justOpened(shell))
      startTour(shell, group.key);
    tooltip(shell, "Tour", {"Shows the window with one of these scenarios, step by step."});
  }
  ImGui::SetCursorScreenPos(ImVec2(at.x, at.y + (beside ? 0 : height)));
  return beside ? y + size.y - at.y : 0;
}

// Of the card under the mouse once it has rested there, otherwise of the one chosen by keys.
void preview(Shell& shell, ImVec2 card) {
  constexpr double kRest = 0.25;  // seconds
  static const Scenario* seen = nullptr;
  static double since = 0;
  Chosen& c = chosenCard;
  if (std::exchange(seen, c.hovered) != c.hovered) since = shell.time;
  const bool rests = c.hovered && shell.time - since >= kRest;
  for (const Chosen::Placed& p : c.cards)
    if (rests ? p.scenario == c.hovered : p.scenario->name == c.name) {
      drawPreview(shell, *p.scenario, groupedBy, p.at, card);
      break;
    }
  c.hovered = nullptr;
}

void cards(Shell& shell) {
  const std::vector<Group> groups = groupsOf(shell);
  std::size_t found = 0;
  for (const Group& g : groups) found += g.scenarios.size();
  shell.log->state("found", std::to_string(found));
  if (groups.empty() && !shell.gallery.empty())
    textMuted(shell, "No scenario matches: search for fewer words.");
  const Grid grid = gridFor(shell, groups, ImGui::GetContentRegionAvail());
  const float gap = shell.px(kCardGap);
  ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, ImVec2(gap, gap));
  for (const Group& group : groups) {
    const auto count = static_cast<int>(group.scenarios.size());
    const float high =
        static_cast<float>((count + grid.columns - 1) / grid.columns) * (grid.card.y + gap);
    const ImVec2 begun = ImGui::GetCursorScreenPos();
    const float beside = heading(shell, group, grid, high);
    const ImVec2 first(begun.x + grid.left, ImGui::GetCursorScreenPos().y);
    for (int k = 0; k < count; ++k) {
      const auto column = static_cast<float>(k % grid.columns),
                 line = static_cast<float>(k / grid.columns);
      ImGui::SetCursorScreenPos(first +
                                ImVec2(column * (grid.card.x + gap), line * (grid.card.y + gap)));
      const Scenario& scenario = *group.scenarios[static_cast<std::size_t>(k)];
      card(shell, scenario, grid.card, scenario.name == shell.scenario().name);
    }
    ImGui::SetCursorScreenPos(ImVec2(begun.x, first.y + std::max(high, beside) + grid.between));
  }
  ImGui::PopStyleVar();
  preview(shell, grid.card);
}

// Arrows choose a card, Enter opens it, or the first one that is found.
void chooseByKeys(Shell& shell) {
  const auto pressed = [](ImGuiKey key) { return ImGui::IsKeyPressed(ImGui::GetKeyIndex(key)); };
  Chosen& c = chosenCard;
  const auto count = static_cast<int>(c.cards.size());
  if (count == 0) return;
  const auto at = [&](int k) { return c.cards[static_cast<std::size_t>(k)].at; };
  int now = 0;
  while (now < count && c.cards[static_cast<std::size_t>(now)].scenario->name != c.name) ++now;
  const bool any = now < count;
  int next = now;
  if (pressed(ImGuiKey_RightArrow)) next = any ? std::min(count - 1, now + 1) : 0;
  if (pressed(ImGuiKey_LeftArrow)) next = any ? std::max(0, now - 1) : 0;
  const bool down = pressed(ImGuiKey_DownArrow);
  if (down || pressed(ImGuiKey_UpArrow)) {
    if (!any) next = 0;
    float line = 0, way = 0;  // the next one up or down; in it the nearest card
    for (int k = 0; any && k < count; ++k) {
      const float dy = down ? at(k).y - at(now).y : at(now).y - at(k).y;
      const float dx = std::abs(at(k).x - at(now).x);
      if (dy <= 0 || (next != now && (dy > line || (dy == line && dx >= way)))) continue;
      next = k, line = dy, way = dx;
    }
  }
  if (next != now && next < count) {
    c.name = c.cards[static_cast<std::size_t>(next)].scenario->name;
    c.moved = true;
    shell.log->write("chosen", c.name);
  }
  const bool enter =
      (pressed(ImGuiKey_Enter) || pressed(ImGuiKey_KeyPadEnter)) && !shell.focus.any();
  if (!enter || (!any && searchText.empty())) return;
  shell.open(*c.cards[any ? static_cast<std::size_t>(now) : 0].scenario);
}

// A line of lessons, each of which opens with its first scenario.
void lessonChips(Shell& shell) {
  if (shell.lessons.empty() || !searchText.empty()) return;
  ImGui::AlignTextToFramePadding();
  textMuted(shell, "Lessons");
  float x = ImGui::GetItemRectMax().x + shell.px(12);
  const float right = ImGui::GetWindowPos().x + ImGui::GetContentRegionMax().x;
  float y = ImGui::GetItemRectMin().y;
  const float left = x;
  for (const LessonPlan& plan : shell.lessons) {
    const std::string count = fmt::format("{}", plan.scenarios.size());
    const float width = chipWidth(shell, plan.title, count, true);
    if (x + width > right) x = left, y += shell.px(26);
    ImGui::SetCursorScreenPos(ImVec2(x, y));
    x += width + shell.px(6);
    ImGui::PushID(plan.path.c_str());
    const bool pressed = chip(shell, "lesson:" + plan.name, plan.title, count, false, true);
    ImGui::PopID();
    if (!pressed) continue;
    shell.openFile(plan.path);
    break;
  }
  ImGui::Dummy(ImVec2(1, 0));
}

void groupings(Shell& shell) {
  constexpr const char* kNames[] = {"engine", "level", "topic"};
  for (int k = 0; k < 3; ++k) {
    ImGui::SameLine(0, shell.px(k == 0 ? 16 : 6));
    ImGui::SetCursorPosY(ImGui::GetCursorPosY() + (k == 0 ? shell.px(2) : 0));
    const std::string id = std::string("group:") + kNames[k];
    const bool on = static_cast<int>(groupedBy) == k;
    if (!chip(shell, id, std::string("by ") + kNames[k], "", on, true)) continue;
    groupedBy = static_cast<Grouping>(k);
    shell.log->write("grouped", kNames[k]);
  }
}

}  // namespace

void galleryWindow(Shell& shell) {
  if (!shell.galleryOpen) return;
  if (shell.now && dimRest(shell, "gallery-rest") && !justOpened(shell)) shell.galleryOpen = false;
  ImGui::SetNextWindowFocus();
  const Pane pane("gallery", dialogLook(withinScreen(shell, ImVec2(1240, 920), ImVec2(32, 8))));
  ImGui::AlignTextToFramePadding();
  textStrong(shell, "Scenarios");
  ImGui::SameLine(shell.px(120));
  ImGui::SetNextItemWidth(shell.px(240));
  // What is typed is searched for, without a click.
  static double focusedAt = -1;
  const bool opens = shell.now && focusedAt != shell.galleryOpenedAt;
  if (opens) chosenCard = {};
  if (opens || !shell.typedAhead.empty()) ImGui::SetKeyboardFocusHere();
  if (opens) focusedAt = shell.galleryOpenedAt;
  textField(shell, "##search", "gallery-search", searchText, 0, "Search: topic, level, words");
  groupings(shell);
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
  if (shell.gallery.empty())
    textMuted(shell,
              "The gallery folder contains no scenario files. Reinstall the assets, or give a "
              "scenario file on the command line.");
  lessonChips(shell);
  ImGui::BeginChild("cards");  // the search and the way out stay in view
  shell.log->window("gallery-cards");
  chooseByKeys(shell);
  chosenCard.cards.clear();
  cards(shell);
  ImGui::EndChild();
}

}  // namespace cellscope::gui
