// The picked particle: in the right column where that is open, otherwise as a card on the picture.
#include "app/gui/panels.h"
#include "app/gui/viewport.h"

namespace cellscope::gui {

// Distance of a point from a rectangle; negative inside.
static float distance(ImVec2 at, ImVec2 size, ImVec2 p) {
  const float x = std::max(at.x - p.x, p.x - at.x - size.x);
  const float y = std::max(at.y - p.y, p.y - at.y - size.y);
  return x > 0 && y > 0 ? std::hypot(x, y) : std::max(x, y);
}

ImVec2 placeIn(Corner corner, ImVec2 lo, ImVec2 hi, ImVec2 size) {
  const bool right = corner == Corner::upperRight || corner == Corner::lowerRight;
  const bool lower = corner == Corner::lowerRight || corner == Corner::lowerLeft;
  return ImVec2(right ? std::max(lo.x, hi.x - size.x) : lo.x,
                lower ? std::max(lo.y, hi.y - size.y) : lo.y);
}

Corner freeCorner(Corner now, ImVec2 lo, ImVec2 hi, ImVec2 size, ImVec2 subject, float margin) {
  const auto gap = [&](Corner c) { return distance(placeIn(c, lo, hi, size), size, subject); };
  if (gap(now) >= margin) return now;
  Corner best = now;
  for (Corner c : {Corner::upperRight, Corner::upperLeft, Corner::lowerRight, Corner::lowerLeft}) {
    if (gap(c) >= margin) return c;
    if (gap(c) > gap(best)) best = c;
  }
  return best;
}

namespace {

constexpr float kCardRow = 18;

// Label at the left, value at the right; a long value in the narrower font, unless it is a line of
// code, or on several lines. A heading of several rows has no value.
struct CardRow {
  std::string label, value;
  bool narrow = false;
};

struct RowLook {
  ImFont* font;
  std::string lines;
  ImVec2 size;  // of the lines
  float room;   // beside the label
  bool wraps, beside;
  float height;  // of the row
};

RowLook lookOf(Shell& shell, const CardRow& row, float width) {
  const std::string value = onScreen(row.value);
  RowLook look{shell.fonts.smallNumbers, value, {}, 0, false, true, shell.px(kCardRow)};
  look.room = width - textSize(shell.fonts.small, row.label).x - shell.px(12);
  const bool code = row.label.starts_with("the mistake") || row.label.starts_with("the mend");
  if (row.narrow || (!code && textSize(look.font, value).x > look.room))
    look.font = shell.fonts.small;
  look.size = textSize(look.font, value);
  look.wraps = look.size.x > look.room;
  if (!look.wraps) return look;
  look.beside = look.room > 0.6f * width &&
                textSize(look.font, wrapped(look.font, value, look.room)).x <= look.room;
  look.lines = wrapped(look.font, value, look.beside ? look.room : width);
  look.size = textSize(look.font, look.lines);
  look.height = look.size.y + shell.px(look.beside ? 3 : kCardRow + 2);
  return look;
}

void draw(Shell& shell, const CardRow& row, float width) {
  const Palette& c = *shell.colours;
  const RowLook look = lookOf(shell, row, width);
  const ImVec2 at = ImGui::GetCursorScreenPos();
  ImDrawList* list = ImGui::GetWindowDrawList();
  drawText(shell.fonts.small, at, c.muted, fitted(shell.fonts.small, row.label, width));
  const float left = look.wraps && look.beside ? look.room : look.size.x;
  const ImVec2 place(at.x + width - left, at.y + (look.beside ? 0 : shell.px(15)));
  list->AddText(look.font, look.font->FontSize * ImGui::GetIO().FontGlobalScale, place, c.text,
                look.lines.c_str());
  ImGui::Dummy(ImVec2(width, look.height - ImGui::GetStyle().ItemSpacing.y));
}

// Common prefix of several labels ("sweep 7, move 1", "sweep 7, move 2"), shown once as a heading.
std::string groupOf(const PickedParticle& picked, std::size_t i) {
  const auto head = [&](std::size_t k) {
    const std::string& label = picked.rows[k].first;
    const std::size_t comma = label.find(", ");
    return comma == std::string::npos ? std::string() : label.substr(0, comma);
  };
  const std::string own = head(i);
  const bool before = i > 0 && head(i - 1) == own;
  const bool after = i + 1 < picked.rows.size() && head(i + 1) == own;
  return before || after ? own : "";
}

// Updates the rows ten times a second: numbers that change faster cannot be read. A slow run's rows
// are always of the step that the picture shows.
const PickedParticle& steadyPicked(Shell& shell) {
  constexpr double kSeconds = 0.1, kSlow = 1 / kSeconds;
  static PickedParticle shown;
  static double since = -1;
  const PickedParticle& now = shell.now->frame->picked;
  const bool slow = shell.speedLimit > 0 && shell.speedLimit <= kSlow;
  const bool due =
      !shell.now->playing || slow || shell.time - since >= kSeconds || shell.time < since;
  if (shown.id == now.id && shown.deleted.has_value() == now.deleted.has_value() &&
      shown.trial == now.trial && !due)
    return shown;
  if (shown.id != now.id || shown.rows != now.rows)
    shell.log->write("card", fmt::format("{:.3f}", shell.time));
  shown = now;
  since = shell.time;
  return shown;
}

std::vector<CardRow> cardRows(Shell& shell) {
  const PickedParticle& picked = steadyPicked(shell);
  std::vector<CardRow> all;
  if (picked.deleted)
    all.push_back({"deleted", fmt::format("in {} {} {}", shell.now->mode->stepName,
                                          picked.deleted->step, printed(picked.deleted->reason))});
  std::string group;
  for (std::size_t i = 0; i < picked.rows.size(); ++i) {
    auto [label, value] = picked.rows[i];
    if (label.empty()) continue;  // the heading
    const std::string own = groupOf(picked, i);
    if (!own.empty() && own != group) all.push_back({printed(own), ""});
    group = own;
    if (!own.empty()) label = label.substr(own.size() + 2);
    all.push_back({printed(label), printed(value), !own.empty()});
  }
  return all;
}

void noteRows(Shell& shell, std::size_t shown, std::size_t all) {
  const float bottom = ImGui::GetCursorScreenPos().y - ImGui::GetStyle().ItemSpacing.y;
  shell.log->state("card-rows", fmt::format("{} {} {:.0f}", shown, all, bottom));
}

// Where not all fit, whole rows alone, first those about physics: place and cell, which the picture
// shows, come last. The number left out is shown.
void rowsWithin(Shell& shell, float width, float room) {
  std::vector<CardRow> all = cardRows(shell);
  float height = 0;
  for (const CardRow& row : all) height += lookOf(shell, row, width).height;
  if (height <= room) {
    for (const CardRow& row : all) draw(shell, row, width);
    return noteRows(shell, all.size(), all.size());
  }
  std::ranges::stable_partition(all, [](const CardRow& row) {
    return row.label != "position" && row.label != "cell" && row.label != "set" &&
           row.label != "slot";
  });
  room -= shell.px(kCardRow);
  std::size_t count = 0;
  for (float used = 0; count < all.size(); ++count) {
    used += lookOf(shell, all[count], width).height;
    if (used > room && count > 0) break;
  }
  while (count > 1 && all[count - 1].value.empty()) --count;  // a heading alone is useless
  for (std::size_t i = 0; i < count; ++i) draw(shell, all[i], width);
  const std::string more = fmt::format("{} more in the panels (P)", all.size() - count);
  drawText(shell.fonts.small, ImGui::GetCursorScreenPos(), shell.colours->muted, more);
  ImGui::Dummy(ImVec2(width, shell.px(kCardRow) - ImGui::GetStyle().ItemSpacing.y));
  noteRows(shell, count, all.size());
}

// Keeps the largest height that these rows have had, so that the content below does not move.
void steadyRows(Shell& shell) {
  static ParticleId id = -1;
  static float most = 0, scale = 0;
  if (id != shell.now->frame->picked.id || scale != shell.scale) {
    id = shell.now->frame->picked.id;
    scale = shell.scale;
    most = 0;
  }
  const float top = ImGui::GetCursorPosY(), gap = ImGui::GetStyle().ItemSpacing.y;
  const float width = ImGui::GetContentRegionAvail().x;
  for (const CardRow& row : cardRows(shell)) draw(shell, row, width);
  const float height = ImGui::GetCursorPosY() - top;
  if (most > height + gap) ImGui::Dummy(ImVec2(1, most - height - gap));
  most = std::max(most, height);
}

std::string titleOf(const PickedParticle& picked, bool gone) {
  if (!picked.rows.empty() && picked.rows.front().first.empty())
    return printed(picked.rows.front().second);
  return fmt::format("Particle {}{}", picked.id, gone ? ", deleted" : "");
}

// Collapsible heading with the buttons at its right; returns whether the rows are shown. A particle
// that is not there, any more or yet, is not followed.
bool heading(Shell& shell) {
  const PickedParticle& picked = shell.now->frame->picked;
  const bool deleted = picked.deleted.has_value(), gone = deleted || picked.trial;
  if (gone) shell.follow = false;
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float width = ImGui::GetContentRegionAvail().x, side = shell.px(24), gap = shell.px(6);
  // A presentation has room for the name only; G goes to the particle.
  const bool bare = gone || shell.presentation;
  const float go = bare ? 0 : textSize(shell.fonts.small, "Go to").x + shell.px(16);
  const float follow = bare ? 0 : textSize(shell.fonts.small, "Follow").x + shell.px(16);
  const bool open =
      section(shell, "particle", titleOf(picked, deleted), "", true, go + follow + side + 3 * gap);
  const ImVec2 next = ImGui::GetCursorScreenPos();
  const float y = at.y + shell.px(2), right = at.x + width;
  if (!bare) {
    ImGui::SetCursorScreenPos(ImVec2(right - side - 2 * gap - follow - go, y));
    if (button(shell, "go-to", "Go to", Icon::none, go, false, true)) shell.flyRequested = true;
    tooltip(shell, "Go to (G)",
            {"Moves the camera to the particle. In 3D, particles in front are hidden; F shows "
             "everything again."});
    ImGui::SetCursorScreenPos(ImVec2(right - side - gap - follow, y));
    if (button(shell, "follow", "Follow", Icon::none, follow, shell.follow, true)) {
      shell.follow = !shell.follow;
      shell.log->write("follow", shell.follow ? "on" : "off");
    }
    tooltip(shell, shell.follow ? "Stop following" : "Follow",
            {"Keeps the picked particle at the centre of the picture."});
  }
  ImGui::SetCursorScreenPos(ImVec2(right - side, y));
  if (button(shell, "unpick", "", Icon::close, side, false, true)) {
    shell.view.picked = -1;
    shell.runner->setView(shell.view);
    shell.follow = false;
    shell.log->write("unpick");
  }
  tooltip(shell, gone ? "Close the card" : "Deselect the particle", {});
  ImGui::SetCursorScreenPos(next);
  return open;
}

}  // namespace

bool isPicked(const Shell& shell) {
  return shell.now && shell.now->frame && shell.now->frame->picked.id >= 0;
}

// Where the run has a fault in one particle: moves it to the picked one.
void faultHere(Shell& shell) {
  const ParameterState* const p = stateOf(shell, "fault_particle");
  const ParticleId id = shell.now->frame->picked.id;
  if (!p || !p->acts || p->value == ParameterValue{id}) return;
  if (wordButton(shell, "fault-here", "Put the fault here", ImGui::GetCursorScreenPos()))
    shell.set(p->info.key, id);
}

void particlePanel(Shell& shell) {
  if (!heading(shell)) return;
  if (!shell.presentation) {
    steadyRows(shell);
    return faultHere(shell);
  }
  const ImVec2 room = ImGui::GetContentRegionAvail();
  rowsWithin(shell, room.x, room.y);
}

void pickedCard(Shell& shell, const ViewportArea& area, float top, ImVec2 legends) {
  if (!isPicked(shell)) return;
  const float* p = shell.now->frame->picked.position;
  const ImVec2 particle = area.onScreen({p[0], p[1], p[2]});
  shell.log->rect("particle", particle, particle);
  if (shell.particleDocked) return;
  const float edge = shell.px(12), padX = shell.px(12), padY = shell.px(8);
  const ImVec2 lo(area.lo().x + edge, area.lo().y + top + shell.px(8));
  // Do not cover a legend along the lower edge.
  const bool wide = legends.x > (area.hi().x - area.lo().x) / 2;
  const ImVec2 hi = area.hi() - ImVec2(edge, wide ? std::max(edge, legends.y + shell.px(8)) : edge);
  const float width = std::min(shell.px(272), hi.x - lo.x);
  static ImVec2 size;  // from the last frame, as the height depends on the rows
  static Corner corner = Corner::upperRight;
  if (size.x != width) size = ImVec2(width, shell.px(200));
  corner = freeCorner(corner, lo, hi, size, particle, shell.px(24));
  ImGui::SetNextWindowSizeConstraints(ImVec2(width, 0),
                                      ImVec2(width, std::max(shell.px(44), 0.6f * (hi.y - lo.y))));
  const Pane pane(
      "picked", {.at = placeIn(corner, lo, hi, size),
                 .padding = ImVec2(padX, padY),
                 .more = ImGuiWindowFlags_NoFocusOnAppearing |
                         ImGuiWindowFlags_NoBringToFrontOnFocus | ImGuiWindowFlags_AlwaysAutoResize,
                 .opacity = 0.94f});
  ImGui::Dummy(ImVec2(width - 2 * padX, 0));
  ImGui::SetCursorPosY(padY - shell.px(2));
  if (heading(shell)) steadyRows(shell);
  size = ImGui::GetWindowSize();
  const ImVec2 at = ImGui::GetWindowPos();
  shell.log->rect("card:particle", at, at + size);
}

}  // namespace cellscope::gui
