// Keyboard: one table for the actions and the help sheet.
#include "app/common/settings.h"
#include "app/gui/gl_window.h"
#include "app/gui/panels.h"

namespace cellscope::gui {
namespace {

struct Key {
  unsigned code;  // upper-case letters also accepted in lower case; 0: described only
  const char *name, *what;
  void (*act)(Shell&);
};

// Of a choice that has a chip.
void nextChoice(Shell& shell, std::size_t number) {
  const std::vector<const ParameterState*> all = promotedChoices(shell);
  if (number >= all.size()) return;
  const ParameterState& p = *all[number];
  const std::vector<ChoiceInfo>& choices = p.info.choices;
  const std::string now = std::get<std::string>(shownNow(shell, p));
  const auto at = std::ranges::find(choices, now, &ChoiceInfo::key) - choices.begin();
  shell.set(p.info.key, choices[static_cast<std::size_t>(at + 1) % choices.size()].key);
}

void switchLog(Shell& shell, const char* name, bool on) {
  shell.log->write(name, on ? "on" : "off");
}
void flip(Shell& shell, const char* name, bool& on) { switchLog(shell, name, on = !on); }

const Key kKeys[] = {
    {' ', "Space", "play, pause", [](Shell& s) { s.play(!s.isPlaying()); }},
    {'.', ".", "one step", [](Shell& s) { s.step(); }},
    {',', ",", "one phase of a step", [](Shell& s) { s.step(true); }},
    {kKeyBack, "Backspace", "one step back", [](Shell& s) { s.stepBack(); }},
    {kKeyEarlier, "Page Up, Down", "earlier, later snapshot; scenario of an open lesson",
     [](Shell& s) { s.pages.isOpen() ? turnPage(s, -1) : s.goByMoments(-1); }},
    {kKeyLater, "", "", [](Shell& s) { s.pages.isOpen() ? turnPage(s, 1) : s.goByMoments(1); }},
    {kKeyEnd, "End", "return to the latest step", [](Shell& s) { s.forwardToEnd(); }},
    {'R', "R", "reset", [](Shell& s) { s.reset(); }},
    {kKeyUndo, "Ctrl+Z", "undo a changed parameter, reset or scenario", [](Shell& s) { s.undo(); }},
    {kKeyLarger, "Ctrl + −", "larger or smaller text (Ctrl+0: default size)",
     [](Shell& s) { s.setZoom(s.zoom * 1.1f); }},
    {kKeySmaller, "", "", [](Shell& s) { s.setZoom(s.zoom / 1.1f); }},
    {kKeyUsual, "", "", [](Shell& s) { s.setZoom(1); }},
    {'F', "F", "fit the whole box",
     [](Shell& s) {
       s.fitRequested = true;
       s.follow = false;
       if (s.inside.cutToPicked) s.inside.planes[kViewPlane].on = s.inside.cutToPicked = false;
     }},
    {'G', "G", "go to the picked particle", [](Shell& s) { s.flyRequested = true; }},
    {'/', "/", "go to a particle, pair, cell or slot by name",
     [](Shell& s) { wantField(s, "go-to"); }},
    {'B', "B", "pause when a condition becomes true", [](Shell& s) { wantField(s, "pause-when"); }},
    {'E', "E", "select particles by an expression", [](Shell& s) { wantField(s, "select"); }},
    {'U', "U", "next tool: select, grab, add, delete, heat, cool", nextTool},
    {'T', "T", "tables: neighbours, cells, nodes, moves", nextTable},
    {'O', "O", "perspective or orthographic (3D)",
     [](Shell& s) {
       s.inside.orthographic = !s.inside.orthographic;
       s.log->write("projection", s.inside.orthographic ? "orthographic" : "perspective");
     }},
    {0, "1 … 9", "switch layers on and off", nullptr},
    {'C', "C", "next colouring", [](Shell& s) { s.cycleColouring(); }},
    {'M', "M, N", "next of the first, second choice above the picture",
     [](Shell& s) { nextChoice(s, 0); }},
    {'N', "", "", [](Shell& s) { nextChoice(s, 1); }},
    {'A', "A", "all parameters, or those that act now",
     [](Shell& s) { flip(s, "all-parameters", s.allParameters); }},
    {'S', "S", "screenshot", [](Shell& s) { s.screenshot(); }},
    {kKeyOpen, "Ctrl+O, V", "open a file, or the experiment that was copied",
     [](Shell& s) { openFileWindow(s, FileWindow::Task::open); }},
    {kKeyPaste, "", "", [](Shell& s) { s.paste(); }},
    {kKeySave, "Ctrl+S", "save scenario, checkpoint or particles as",
     [](Shell& s) { openFileWindow(s, FileWindow::Task::save); }},
    {'D', "D", "plots in a separate column, and back",
     [](Shell& s) { s.detachPlots(!s.remembered.plotsDetached); }},
    {kKeyTab, "Tab, Enter", "go to the next control (Shift+Tab: before), press it",
     [](Shell& s) { s.focus.move(1); }},
    {kKeyBackTab, "", "", [](Shell& s) { s.focus.move(-1); }},
    {kKeyEnter, "", "", [](Shell& s) { s.focus.press(); }},
    {'W', "W", "walk: a phase a second, idle ones skipped",
     [](Shell& s) { setWalk(s, !s.walk.on); }},
    {0, "X held", "pointer in the picture, which a class sees as well", nullptr},
    {'Q', "Q", "drawing off and on; the run goes on", [](Shell& s) { s.setDrawing(s.drawingOff); }},
    {'I', "I", "make a page of a lesson of what is shown", [](Shell& s) { openPageWindow(s); }},
    {'H', "H", "hide or show the panels",
     [](Shell& s) {
       s.panelsHidden = !s.panelsHidden;
       switchLog(s, "panels", !s.panelsHidden);
     }},
    {'P', "P", "presentation mode", [](Shell& s) { flip(s, "presentation", s.presentation); }},
    {'L', "L", "light or dark theme",
     [](Shell& s) {
       s.dark = !s.dark;
       s.log->write("theme", s.dark ? "dark" : "light");
     }},
    {kKeyHelp, "", "", [](Shell& s) { flip(s, "help", s.help); }},
    {'?', "F1, ?", "this help", [](Shell& s) { flip(s, "help", s.help); }},
    {kKeyEscape, "Esc", "close a dialog; cancel a set-up or a long step",
     [](Shell& s) {
       if (s.page.open && ImGui::GetIO().WantTextInput) return;  // of the field
       if (s.dialogOpen()) {
         s.files = {};
         s.page.open = s.video.open = s.sweep.shown = false;
         s.sweep.plan.key.clear();
         return s.log->write("files", "closed");
       }
       if (s.video.recording() && !s.help && !s.galleryOpen) {
         s.video.cancelled = true;
         return;
       }
       const bool waits = s.setup || s.now->canCancelPreparation;
       if (waits && !s.help && !s.galleryOpen && !s.presentation) return s.cancel();
       if (s.popupOpen) {
         ImGui::ClosePopupToLevel(0, true);
         return s.log->write("popup", "closed");
       }
       if (!s.enlarged.empty() && !s.help && !s.galleryOpen) {
         s.enlarged.clear();
         return s.log->write("enlarge", "");
       }
       if (s.tour.on() && !s.help && !s.galleryOpen) return endTour(s, "skipped");
       s.focus.clear();
       s.cellShown = false;
       s.hand.tool = HandTool::select;
       s.dismissNotes();
       if (s.help) switchLog(s, "help", false);
       s.help = s.galleryOpen = false;
       if (s.presentation) switchLog(s, "presentation", s.presentation = false);
     }},
    {0, "drag", "pan; in 3D rotate (right button: pan); or use a tool", nullptr},
    {0, "wheel", "zoom; Shift: move a slice (3D), Ctrl: size of brush", nullptr},
    {0, "click", "pick a particle; with Shift a second one", nullptr},
    {0, "double-click", "edit a value; fit a plot to its data", nullptr},
    {0, "Shift+drag", "drag a slider at one tenth of the speed", nullptr},
    {0, "arrows, wheel", "move the last slider (Shift: fine, Ctrl: coarse)", nullptr},
    {0, "right click", "options of a layer; axis and pictures of a plot", nullptr},
    {0, "drop a file", "open it, as Ctrl+O does", nullptr},
};

// A dialog, or a field that is to have the keyboard, takes all keys, those pressed in the frame in
// which it opens as well. Nothing is typed into the help, so that a picture can be taken of it.
bool dialogOpen(const Shell& shell) {
  return shell.dialogOpen() || shell.help || shell.galleryOpen || !shell.fieldWanted.empty();
}
bool actsOnDialogs(const Shell& shell, unsigned code) {
  return code == kKeyEscape || code == kKeyTab || code == kKeyBackTab || code == kKeyEnter ||
         code == kKeyLarger || code == kKeySmaller || code == kKeyUsual ||
         (shell.help && (code == kKeyHelp || code == '?' || (code | 0x20) == 's'));
}

// Before its text field has the keyboard, what is typed into a dialog waits for it.
void typeInto(Shell& shell, bool typing) {
  ImGuiIO& io = ImGui::GetIO();
  const ImVector<ImWchar> now = io.InputQueueCharacters;
  io.ClearInputCharacters();
  if (!typing) return;  // they are among the keys
  for (const unsigned code : std::exchange(shell.typedAhead, {})) io.AddInputCharacter(code);
  for (const ImWchar code : now) io.AddInputCharacter(code);
}

}  // namespace

void handleKeys(Shell& shell, const std::vector<unsigned>& keys) {
  const bool popup =
      ImGui::IsPopupOpen("", ImGuiPopupFlags_AnyPopupId | ImGuiPopupFlags_AnyPopupLevel);
  shell.popupOpen = popup;
  // Elsewhere Esc leaves the text field, as in every program.
  const bool typing = ImGui::GetIO().WantTextInput;
  if (typing && !dialogOpen(shell)) return;
  if (dialogOpen(shell))
    typeInto(shell, typing);
  else
    shell.typedAhead.clear();
  if (!shell.fieldWanted.empty() && (typing || shell.time > shell.fieldWantedUntil))
    shell.fieldWanted.clear();
  if (typing && !dialogOpen(shell)) return;
  for (unsigned code : keys) {
    // The search of the gallery has no use for Tab.
    if (typing && code != kKeyEscape && !shell.galleryOpen) continue;
    if (dialogOpen(shell) && !actsOnDialogs(shell, code)) {
      if (code >= ' ' && !shell.help && !shell.video.open) shell.typedAhead.push_back(code);
      continue;
    }
    const unsigned upper = code >= 'a' && code <= 'z' ? code - 'a' + 'A' : code;
    if (code >= '1' && code <= '9') {
      shell.toggleLayer(code - '1');
      continue;
    }
    for (const Key& key : kKeys) {
      if (key.act && key.code == upper) key.act(shell);
    }
  }
}

// The whole text is a tooltip where the row is too narrow.
static void keyRow(Shell& shell, const Key& key, ImVec2 at, float keyWidth, float width) {
  const Palette& c = *shell.colours;
  // Align the baselines of the fonts; what is too long for the row is smaller.
  const float room = width - keyWidth;
  ImFont* font =
      textSize(shell.fonts.words, key.what).x > room ? shell.fonts.small : shell.fonts.words;
  const float base = shell.fonts.words->Ascent;
  drawText(shell.fonts.numbers, ImVec2(at.x, at.y + base - shell.fonts.numbers->Ascent), c.accent,
           key.name);
  const ImVec2 place(at.x + keyWidth, at.y + base - font->Ascent);
  const std::string shown = fitted(font, key.what, room);
  drawText(font, place, c.text, shown);
  if (shown == key.what) return;
  ImGui::SetCursorScreenPos(place);
  ImGui::InvisibleButton(key.name, ImVec2(room, shell.px(18)));
  shell.log->item(std::string("key:") + key.name);
  tooltip(shell, key.name, {key.what});
}

static void keyTable(Shell& shell, ImVec2 screen) {
  // In two columns where one is too high.
  const auto count =
      static_cast<int>(std::ranges::count_if(kKeys, [](const Key& k) { return *k.name; }));
  float row = shell.px(24);
  float keyWidth = 0;
  for (const Key& key : kKeys)
    keyWidth = std::max(keyWidth, textSize(shell.fonts.numbers, key.name).x + shell.px(14));
  const float gap = shell.px(28), high = screen.y - shell.px(120);
  const float room = screen.x - shell.px(80), tour = shell.px(168), texts = shell.px(120);
  const bool two = static_cast<float>(count) * row > high;
  const float all = std::min(two ? 2 * shell.px(540) + gap : shell.px(540), room);
  const float width = two ? (all - gap) / 2 : all;
  const int rows = two ? (count + 1) / 2 : count;
  row = std::clamp(std::floor(high / static_cast<float>(rows)), shell.px(19), row);
  ImGui::AlignTextToFramePadding();
  textStrong(shell, "Keys and mouse");
  ImGui::SameLine(shell.px(24) + all - tour - texts - shell.px(8));
  if (button(shell, "help-topics", "Help topics", Icon::none, texts)) shell.helpTopic = "commands";
  ImGui::SameLine(0, shell.px(8));
  if (button(shell, "tour-help", "Tour of the window", Icon::none, tour))
    startTour(shell, shell.now->mode->key);
  tooltip(shell, "Tour", {"Five steps through the window. Esc ends it."});
  const ImVec2 top = ImGui::GetCursorScreenPos();
  int shown = 0;
  for (const Key& key : kKeys) {
    if (!*key.name) continue;
    const ImVec2 at(top.x + static_cast<float>(shown / rows) * (width + gap),
                    top.y + static_cast<float>(shown % rows) * row);
    keyRow(shell, key, at, keyWidth, width);
    ++shown;
  }
  ImGui::SetCursorScreenPos(top);
  ImGui::Dummy(ImVec2(all, static_cast<float>(rows) * row));
}

// Read once; what is wrong with the folder is shown in place of the texts.
static const std::vector<common::HelpTopic>& loadedTopics() {
  static const std::vector<common::HelpTopic> all = [] {
    try {
      return common::helpTopics();
    } catch (const std::exception& e) {
      return std::vector<common::HelpTopic>{{"error", "No help texts", e.what()}};
    }
  }();
  return all;
}

static void helpTexts(Shell& shell, ImVec2 screen) {
  const auto chosen = std::ranges::find(loadedTopics(), shell.helpTopic, &common::HelpTopic::name);
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
    if (!button(shell, "help-" + t.name, t.name, Icon::none, list, &t == &topic)) continue;
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

void helpSheet(Shell& shell) {
  if (!shell.help) return shell.helpTopic.clear();
  if (dimRest(shell, "help-rest")) switchLog(shell, "help", shell.help = false);
  const ImVec2 screen = ImGui::GetIO().DisplaySize;
  ImGui::SetNextWindowFocus();
  ImGui::SetNextWindowSizeConstraints(ImVec2(0, 0), ImVec2(screen.x, screen.y - shell.px(24)));
  const Pane pane("help",
                  dialogLook(ImVec2(0, 0), shell.px(24, 20), ImGuiWindowFlags_AlwaysAutoResize));
  if (shell.helpTopic.empty())
    keyTable(shell, screen);
  else
    helpTexts(shell, screen);
  shell.log->window("help-sheet");
  shell.log->state("help-scrolls", ImGui::GetScrollMaxY() > 0 ? "on" : "off");
}

}  // namespace cellscope::gui
