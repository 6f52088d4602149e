// Layers in groups, with state, key, options, and why one shows nothing; and as chips.
#include "app/gui/panels.h"
#include "app/gui/viewport.h"

namespace cellscope::gui {

static std::string levelName(const LayerOption& option, double level) {
  const auto i = static_cast<std::size_t>(std::max(0.0, level - option.lo));
  return i < option.names.size() ? option.names[i] : number(level);
}

static bool levelRows(Shell& shell, const std::string& key, const LayerOption& option, float width,
                      LayerLook& look) {
  const double last = lastLevel(option, key, shell.now->frame.get());
  double from = std::clamp<double>(look.lowest, option.lo, last);
  double to = std::clamp<double>(look.highest, option.lo, last);
  const bool first = optionRow(shell,
                               {key + ".from", option.label + " from", levelName(option, from),
                                option.lo, last, true, width},
                               from);
  const bool second = optionRow(
      shell,
      {key + ".to", option.label + " to", levelName(option, to), option.lo, last, true, width}, to);
  if (first) to = std::max(from, to);
  if (second) from = std::min(from, to);
  if (!first && !second) return false;
  look.lowest = from <= option.lo ? LayerLook{}.lowest : static_cast<int>(from);
  look.highest = to >= last ? LayerLook{}.highest : static_cast<int>(to);
  return true;
}

static bool typeRows(const LayerOption& option, LayerLook& look) {
  bool changed = false;
  for (std::size_t i = 0; i < option.names.size() && i < 32; ++i) {
    bool on = (look.types >> i & 1) != 0;
    if (!ImGui::Checkbox(onScreen(printed(option.names[i])).c_str(), &on)) continue;
    look.types = on ? look.types | 1u << i : look.types & ~(1u << i);
    changed = true;
  }
  return changed;
}

static bool optionRows(Shell& shell, const std::string& key, const LayerOption& option, float width,
                       LayerLook& look) {
  if (option.kind == LayerOption::Kind::levels) return levelRows(shell, key, option, width, look);
  if (option.kind == LayerOption::Kind::types) return typeRows(option, look);
  double opacity = look.opacity;
  if (!optionRow(shell,
                 {key + ".opacity", option.label, number(std::round(100 * opacity)) + " %",
                  option.lo, option.hi, false, width},
                 opacity))
    return false;
  look.opacity = static_cast<float>(opacity);
  return true;
}

// Where all that a frame brings of a layer is drawn: kernels leave out what its look hides where
// they count what is left; elsewhere the picture does, and nobody counts it.
static std::string drawnInWords(const Shell& shell, const std::string& key, const LayerLook& look) {
  if (!shell.now->frame) return "";
  LayerLook all;
  all.opacity = look.opacity;
  for (const LayerData& layer : shell.now->frame->layers)
    if (layer.key == key && (look == all || layer.drawn))
      return grouped(shell.renderer->drawnCount(key)) + " drawn";
  return "";
}

// How many of its labels found room; "": it has none.
static std::string labelsInWords(const Shell& shell, const LayerInfo& layer) {
  render::LabelCount sum;
  for (const LayerPart& part : layer.parts) {
    const render::LabelCount count = shell.renderer->labelCount(part.key);
    sum.shown += count.shown;
    sum.all += count.all;
  }
  if (sum.all == 0) return "";
  return grouped(sum.shown) + " of " + grouped(sum.all) + " labels shown";
}

// Its options, parts and number of instances, in rows of this width.
static void layerOptions(Shell& shell, const LayerInfo& layer, float width) {
  LayerLook look = shell.view.looks[layer.key];
  bool changed = false;
  for (const LayerOption& option : layer.options)
    changed = optionRows(shell, layer.key, option, width, look) || changed;
  ImGui::PushFont(shell.fonts.small);
  ImGui::PushStyleColor(ImGuiCol_Text, shell.colours->muted);
  if (layer.options.empty()) ImGui::TextUnformatted("No options.");
  const auto parts = fmt::format("{}", fmt::join(each(layer.parts, &LayerPart::label), ", "));
  if (!parts.empty())
    ImGui::TextUnformatted(wrapped(ImGui::GetFont(), printed("Includes: " + parts), width).c_str());
  for (const std::string& words :
       {drawnInWords(shell, layer.key, look), labelsInWords(shell, layer)})
    if (!words.empty()) ImGui::TextUnformatted(words.c_str());
  ImGui::PopStyleColor();
  ImGui::PopFont();
  if (look != LayerLook{} && ImGui::Button("Default")) look = {}, changed = true;
  if (!changed) return;
  shell.view.looks[layer.key] = look;
  shell.sendView();
  shell.log->write("look", layer.key);
}

// By the right button; after the row or chip.
static void layerMenu(Shell& shell, const LayerInfo& layer) {
  if (!beginMenu(shell, "menu:" + layer.key, true)) return;
  textStrong(shell, printed(layer.label));
  layerOptions(shell, layer, shell.px(220));
  endMenu();
}

constexpr float kRow = 24;

static void layerRow(Shell& shell, const LayerInfo& layer, std::size_t index) {
  const Palette& c = *shell.colours;
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float width = ImGui::GetContentRegionAvail().x, height = shell.px(kRow);
  const float side = shell.px(22), keyWidth = shell.px(18);
  const bool on = shell.layerOn(layer.key);
  const LayerShown shown = on ? shownOf(shell, layer) : LayerShown{};
  if (pressable(shell, "layer:" + layer.key, ImVec2(width - side, height)))
    shell.toggleLayer(index);
  if (ImGui::IsItemHovered())
    ImGui::GetWindowDrawList()->AddRectFilled(at, ImVec2(at.x + width - side, at.y + height),
                                              withAlpha(c.raised, 0.6f), shell.px(3));
  tooltip(shell, layer.label,
          {printed(layer.help), shown.words(),
           layer.options.empty() ? "" : "Right-click: opacity and other options."});
  layerMenu(shell, layer);
  const float middle = at.y + height / 2, r = shell.px(6);
  layerState(shell, ImVec2(at.x + shell.px(2) + r, middle), r, on, !shown.anything);
  const float x = at.x + shell.px(22), room = width - side - shell.px(26) - keyWidth;
  const std::string label = fitted(shell.fonts.words, printed(layer.label), room);
  drawText(shell.fonts.words, ImVec2(x, middle - textSize(shell.fonts.words, label).y / 2),
           on ? c.text : c.muted, label);
  if (index < 9)
    drawText(shell.fonts.smallNumbers,
             ImVec2(at.x + width - side - keyWidth + shell.px(4),
                    middle - textSize(shell.fonts.smallNumbers, "1").y / 2),
             c.muted, std::to_string(index + 1));
  const std::string options = "layer-options:" + layer.key;
  bool& closed = shell.collapsed.try_emplace(options, true).first->second;
  if (iconButton(shell, options, Icon::more, ImVec2(at.x + width - side, at.y + shell.px(1)), side,
                 shell.px(12), closed ? c.muted : c.accent, c.accent))
    closed = !closed;
  tooltip(shell, "Options of " + layer.label, {});
  const bool open = !closed;
  ImGui::SetCursorScreenPos(ImVec2(at.x, at.y + height));
  ImGui::Dummy(ImVec2(width, 0));
  const float inset = shell.px(22);
  if (!on && !open) return;
  if (!shown.anything || open) {
    ImGui::Indent(inset);
    if (!shown.anything) {
      const ImVec2 lo = ImGui::GetCursorScreenPos();
      textSmall(shell, shown.reason.empty() ? "Nothing to show at present."
                                            : sentence(printed(shown.reason)));
      shell.log->rect("layer-reason:" + layer.key, lo, ImGui::GetItemRectMax());
    }
    if (open) layerOptions(shell, layer, width - inset);
    ImGui::Unindent(inset);
  }
}

std::string LayerShown::words() const {
  if (anything) return "";
  return reason.empty() ? "On, but nothing to show at present."
                        : "On, but nothing to show: " + printed(reason) + ".";
}

LayerShown shownOf(const Shell& shell, const LayerInfo& info) {
  if (!shell.now->frame) return {};
  LayerShown shown{false, ""};
  for (const LayerData& l : shell.now->frame->layers) {
    const bool part =
        std::ranges::any_of(info.parts, [&](const LayerPart& p) { return p.key == l.key; });
    if (l.key != info.key && !part) continue;
    shown.anything = shown.anything || l.count > 0;
    if (l.key == info.key) shown.reason = l.reason;
  }
  return shown;
}

void layersPanel(Shell& shell) {
  const std::vector<LayerInfo>& layers = shell.now->mode->layers;
  const auto on =
      std::ranges::count_if(layers, [&](const LayerInfo& l) { return shell.layerOn(l.key); });
  const std::string count = std::to_string(on) + " of " + std::to_string(layers.size());
  if (!section(shell, "layers", "Layers", count, layers.size() > 9)) return;
  ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, shell.px(8, 2));
  for (int g = 0; g <= static_cast<int>(LayerGroup::trees); ++g) {
    const auto group = static_cast<LayerGroup>(g);
    bool headed = false;
    for (std::size_t i = 0; i < layers.size(); ++i) {
      if (layers[i].group != group) continue;
      if (!headed) {
        if (g > 0) ImGui::Dummy(ImVec2(1, shell.px(2)));
        textSmall(shell, nameOf(group));
      }
      headed = true;
      layerRow(shell, layers[i], i);
    }
  }
  ImGui::Dummy(ImVec2(1, shell.px(2)));
  if (switchRow(shell, "keep-colours", "Colours stay beside cells and boxes", shell.keepColours))
    shell.log->write("keep-colours", shell.keepColours ? "on" : "off");
  tooltip(shell, "Colours stay beside cells and boxes",
          {"Otherwise particles are grey while a layer shows cells, boxes, trees or the neighbours "
           "of the picked particle."});
  ImGui::PopStyleVar();
}

static void colouringChip(Shell& shell, float right, bool compact) {
  const auto& all = shell.now->mode->colourings;
  if (all.empty()) return;
  std::string label = all.front().label;
  for (const ColouringInfo& one : all) {
    if (one.key == shell.view.colouring) label = one.label;
  }
  label = "Colour: " + printed(label);
  // A layer that explains a structure takes the particles their colours.
  bool idle = false;
  if (const Frame* const frame = shell.now->frame.get(); frame && !shell.keepColours)
    for (const LayerData& layer : frame->layers)
      idle |=
          layer.key == shell.now->mode->layers.front().key && render::isQuiet(layer, frame->layers);
  if (chipInLine(shell, "chip:colouring", label, "C", right, idle, compact, idle))
    ImGui::OpenPopup("colourings");
  tooltip(shell, "Colour (C: next)",
          {"The quantity shown by the colour of the particles.",
           idle ? "Not seen now: a layer that explains turns the particles grey. To keep their "
                  "colours, see the end of the list."
                : ""});
  if (beginMenu(shell, "colourings")) {
    for (const ColouringInfo& one : all) {
      if (menuItem(shell, "colouring:" + one.key, printed(one.label),
                   one.key == shell.view.colouring))
        shell.setColouring(one.key);
      // Beside the list, so that it does not cover other entries.
      const float side = ImGui::GetWindowPos().x + ImGui::GetWindowWidth() + shell.px(4);
      const ImVec2 corner(side, ImGui::GetItemRectMin().y);
      tooltip(shell, one.label, {printed(one.help)}, &corner);
    }
    ImGui::Separator();
    if (ImGui::MenuItem("Keep colours and sizes beside cells and boxes", nullptr,
                        &shell.keepColours))
      shell.log->write("keep-colours", shell.keepColours ? "on" : "off");
    shell.log->item("keep-colours");
    endMenu();
  }
}

// Choices that the scenario promotes: "Method: cells". One that does nothing now is struck through.
static void choiceChips(Shell& shell, float right, bool compact) {
  std::size_t number = 0;
  for (const ParameterState* p : promotedChoices(shell)) {
    const std::string key = number == 0 ? "M" : number == 1 ? "N" : "";
    ++number;
    const ParameterValue now = shownNow(shell, *p);
    const std::string label = printed(p->info.label + ": " + p->info.inWords(now)),
                      list = "choices:" + p->info.key;
    if (chipInLine(shell, "chip:" + p->info.key, label, key, right, !p->acts, compact, !p->acts))
      ImGui::OpenPopup(list.c_str());
    parameterHelp(shell, *p);
    if (beginMenu(shell, list)) {
      for (const ChoiceInfo& choice : p->info.choices) {
        if (menuItem(shell, "choose:" + p->info.key + ":" + choice.key, printed(choice.label),
                     ParameterValue(choice.key) == now))
          shell.set(p->info.key, choice.key);
      }
      endMenu();
    }
  }
}

constexpr std::size_t kChips = 9;

float layerChips(Shell& shell, ImVec2 lo, ImVec2 hi) {
  const ModeInfo& mode = *shell.now->mode;
  const float edge = shell.px(12);
  const bool compact = hi.x - lo.x < shell.px(kNarrowPicture);
  const float gap = shell.px(compact ? 4 : 6);
  ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, ImVec2(gap, gap));
  Pane pane("chips", bareLook(lo + ImVec2(edge, edge), ImVec2(hi.x - lo.x - 2 * edge, 0),
                              kCardPane | ImGuiWindowFlags_NoBringToFrontOnFocus));
  const float right = hi.x - edge;
  // The first nine have keys. Of the others those that are on have a chip.
  std::size_t chips = 0;
  for (std::size_t i = 0; i < mode.layers.size(); ++i) {
    const LayerInfo& layer = mode.layers[i];
    if (i >= kChips && !shell.layerOn(layer.key)) continue;
    const std::string key = i < kChips ? std::to_string(i + 1) : "";
    const bool on = shell.layerOn(layer.key);
    const LayerShown shown = on ? shownOf(shell, layer) : LayerShown{};
    const float end = chips++ > 0 ? right : 0;
    if (chipInLine(shell, "chip:" + layer.key, layer.label, key, end, on, compact, !shown.anything))
      shell.toggleLayer(i);
    tooltip(shell, layer.label,
            {printed(layer.help), shown.words(), on ? labelsInWords(shell, layer) : "",
             layer.options.empty() ? "" : "Right-click: opacity and other options."});
    layerMenu(shell, layer);
  }
  if (mode.layers.size() > chips) {  // those that have none
    const std::string label = std::to_string(mode.layers.size() - chips) + " more";
    if (chipInLine(shell, "chip:more", label, "", right, false, compact)) {
      shell.panelsHidden = shell.rightFirst = shell.collapsed["layers"] = false;
      shell.leftOpen = true;
      shell.scrollTo = "Layers";
    }
    tooltip(shell, "More layers", {"Opens the panel of all layers."});
  }
  colouringChip(shell, right, compact);
  choiceChips(shell, right, compact);
  const float bottom = ImGui::GetItemRectMax().y;
  pane.end();
  ImGui::PopStyleVar();
  return bottom - lo.y;
}

}  // namespace cellscope::gui
