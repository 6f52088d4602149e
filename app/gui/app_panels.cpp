// How a frame begins, the columns, pictures on request, and the report of a measured run.
#include <numeric>

#include "app/gui/app.h"
#include "app/gui/panels.h"
#include "sim/io/files.h"

namespace cellscope::gui {
namespace {

// Chevron that opens or closes a column, pointing in the direction of the change.
bool columnHandle(Shell& shell, const std::string& id, bool pointsLeft) {
  const float side = shell.px(24);
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const bool pressed = pressable(shell, "column:" + id, ImVec2(side, side));
  const ImU32 ink = ImGui::IsItemHovered() ? shell.colours->accent : shell.colours->muted;
  const float x = at.x + side / 2, y = at.y + side / 2, r = shell.px(5) * (pointsLeft ? 1.f : -1.f);
  const float h = shell.px(5), w = shell.stroke(1.5f);
  for (float shift : {-0.5f, 0.5f}) {
    const float dx = shift * shell.px(6);
    ImGui::GetWindowDrawList()->AddLine(ImVec2(x + dx + r / 2, y - h), ImVec2(x + dx - r / 2, y),
                                        ink, w);
    ImGui::GetWindowDrawList()->AddLine(ImVec2(x + dx - r / 2, y), ImVec2(x + dx + r / 2, y + h),
                                        ink, w);
  }
  return pressed;
}

// Links to the column's panels, so that each can be reached in a low window; on as many lines as
// they need beside the chevron. Returns their height.
float panelNames(Shell& shell, std::span<const Panel> panels, float height, float room,
                 bool detaches) {
  const ImVec2 at = ImGui::GetCursorScreenPos();
  float x = at.x, y = at.y;
  for (const Panel& panel : panels) {
    if (panel.isShown && !panel.isShown(shell)) continue;
    const ImVec2 size = textSize(shell.fonts.small, panel.name);
    if (x > at.x && x + size.x > at.x + room) x = at.x, y += shell.px(20);
    if (wordButton(shell, std::string("go:") + panel.name, panel.name, ImVec2(x, y),
                   shell.colours->muted, shell.colours->accent, height)) {
      shell.scrollTo = panel.name;
      if (*panel.section) shell.collapsed[panel.section] = false;
    }
    x += size.x + shell.px(14);
  }
  if (detaches) {
    if (x + textSize(shell.fonts.small, "Detach").x > at.x + room) x = at.x, y += shell.px(20);
    const ImU32 ink = shell.colours->accent;
    if (wordButton(shell, "detach", "Detach", ImVec2(x, y), ink, ink, height))
      shell.detachPlots(true);
    tooltip(shell, "Detach plots (D)",
            {"Shows the plots in a column of their own beside the picture."});
  }
  return y + height - at.y;
}

enum class Column { left, plots, right };
constexpr float kHandle = 6;  // width, by which a column is widened

const char* nameOf(Column which) {
  return which == Column::left ? "left" : which == Column::plots ? "plots" : "right";
}

// The column's edge beside the picture, by which it is widened.
void widthHandle(Shell& shell, Column which, ImVec2 at, ImVec2 size) {
  const bool isLeft = which == Column::left;
  const float wide = shell.px(kHandle), x = isLeft ? at.x + size.x - wide : at.x;
  ImGui::SetCursorScreenPos(ImVec2(x, at.y));
  clickable(shell, std::string("widen:") + nameOf(which), ImVec2(wide, size.y));
  const bool held = ImGui::IsItemActive();
  if (held || ImGui::IsItemHovered()) {
    ImGui::SetMouseCursor(ImGuiMouseCursor_ResizeEW);
    ImGui::GetWindowDrawList()->AddRectFilled(ImVec2(x, at.y), ImVec2(x + wide, at.y + size.y),
                                              withAlpha(shell.colours->accent, held ? 0.6f : 0.3f));
  }
  if (held && ImGui::GetIO().MouseDelta.x != 0) {
    Remembered& r = shell.remembered;
    float& width = isLeft ? r.leftWidth : which == Column::plots ? r.plotsWidth : r.rightWidth;
    const float edge = ImGui::GetIO().MousePos.x;
    const float wanted = isLeft ? edge - at.x : at.x + size.x - edge;
    width = std::clamp(wanted / shell.px(1), kNarrowestColumn, kWidestColumn);
    r.widened = true;
  }
}

void columnContent(Shell& shell, std::span<const Panel> panels) {
  bool first = true;
  for (const Panel& panel : panels) {
    if (panel.isShown && !panel.isShown(shell)) continue;
    if (!first) ImGui::Dummy(ImVec2(1, shell.px(8) - ImGui::GetStyle().ItemSpacing.y));
    first = false;
    const float top = ImGui::GetCursorPosY();
    const bool isOff = panel.leads && shell.isLed();
    const ImVec2 lo = ImGui::GetCursorScreenPos();
    if (isOff) ImGui::BeginDisabled();
    panel.draw(shell);
    if (isOff) {  // what cannot be used is paler
      ImGui::EndDisabled();
      const ImVec2 hi(lo.x + ImGui::GetContentRegionAvail().x, ImGui::GetCursorScreenPos().y);
      ImGui::GetWindowDrawList()->AddRectFilled(lo, hi, withAlpha(shell.colours->panel, 0.6f));
    }
    if (shell.scrollTo != panel.name) continue;
    ImGui::SetScrollFromPosY(top - ImGui::GetScrollY() - shell.px(8), 0);
    // A section that has just been opened has its height, and the column its range, a frame later.
    static int frames = 0;
    if (++frames < 3) continue;
    frames = 0;
    shell.scrollTo.clear();
  }
}

void column(Shell& shell, Column which, ImVec2 at, ImVec2 size, std::span<const Panel> panels) {
  if (size.x <= 0) return;
  const bool isLeft = which == Column::left;
  const std::string name = nameOf(which);
  const bool strip = size.x < shell.px(100);
  const float padX = shell.px(strip ? 2 : 16), padY = shell.px(8);
  float line = shell.px(24);
  const Pane pane(
      name, bareLook(at, size,
                     ImGuiWindowFlags_NoScrollWithMouse | ImGuiWindowFlags_NoBringToFrontOnFocus));
  ImGui::SetCursorPos(ImVec2(strip ? padX : size.x - padX - line, padY));
  if (columnHandle(shell, name, isLeft != strip)) {
    if (which == Column::plots) {
      shell.detachPlots(false);
    } else {
      (isLeft ? shell.leftOpen : shell.rightOpen) = strip;
      if (strip) shell.rightFirst = !isLeft;
    }
  }
  if (which == Column::plots)
    tooltip(shell, "Attach plots (D)", {"Puts the plots back into the right column."});
  if (!strip) {
    ImGui::SetCursorPos(ImVec2(padX, padY));
    const bool detaches = which == Column::right && !shell.plotsDetached && hasSteps(shell);
    line = panelNames(shell, panels, line, size.x - 2 * padX - line - shell.px(4), detaches);
    // The scroll bar is drawn in the padding, so that the content width does not depend on it.
    bool& scrolls = shell.collapsed[name + " scrolls"];
    const float inset = shell.px(4), bar = scrolls ? ImGui::GetStyle().ScrollbarSize : 0;
    ImGui::SetCursorPos(ImVec2(padX - inset, padY + line));
    ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ImVec2(inset, shell.px(6)));
    // Nor does it lie under the handle at the edge.
    const float content = std::min(size.x - 2 * padX + 2 * inset + bar,
                                   size.x - padX + inset - (isLeft ? shell.px(kHandle) : 0));
    ImGui::BeginChild("content", ImVec2(content, size.y - padY - line), false,
                      ImGuiWindowFlags_AlwaysUseWindowPadding);
    columnContent(shell, panels);
    scrolls = ImGui::GetScrollMaxY() > 0;
    ImGui::EndChild();
    ImGui::PopStyleVar();
  }
  if (!strip) widthHandle(shell, which, at, size);
}

}  // namespace

// False if the frame needs a new layout.
bool App::beginPanels() {
  // As high as the window would be at scale 1: its scale contains the zoom of the last frame.
  const float base = shell_.scale > 0 ? window_.scale() / zoomed_ : 0;
  const float lines =
      base > 0 ? static_cast<float>(window_.height()) / window_.pixelRatio() / base : 0;
  zoomed_ = shell_.zoom * (shell_.presentation ? presentationZoom(lines) : 1.f);
  window_.begin(shell_.dark, zoomed_);
  shell_.scale = window_.scale();
  const ImGuiIO& io = ImGui::GetIO();
  log_.state("keyboard", io.WantTextInput ? "text" : "shortcuts");
  log_.state("pointer", fmt::format("{:.0f} {:.0f} {}{}{}", io.MousePos.x, io.MousePos.y,
                                    io.MouseDown[0] ? "1" : "", io.MouseDown[2] ? "2" : "",
                                    io.MouseDown[1] ? "3" : ""));
  if (window_.width() != loggedWidth_ || window_.height() != loggedHeight_) {
    loggedWidth_ = window_.width();
    loggedHeight_ = window_.height();
    log_.write("size",
               fmt::format("{} {} scale {:.2f}", loggedWidth_, loggedHeight_, shell_.scale));
  }
  shell_.colours = &palette(shell_.dark);
  shell_.fonts = window_.fonts();
  // No tooltips right after a click or key press; they return once the mouse has moved away.
  if (ImGui::IsAnyMouseDown() || !window_.keys().empty() || io.WantTextInput) {
    shell_.explains = false;
    actedAt_ = io.MousePos;
  } else if (std::hypot(io.MousePos.x - actedAt_.x, io.MousePos.y - actedAt_.y) > shell_.px(24)) {
    shell_.explains = true;
  }
  // Of several files only the last one is opened.
  if (const auto dropped = window_.takeDropped(); !dropped.empty()) shell_.drop(dropped.back());
  const bool dark = shell_.dark, presentation = shell_.presentation;
  const float zoom = shell_.zoom;
  std::vector<unsigned> keys = window_.keys();
  for (const unsigned key : std::exchange(shell_.keysOfIcons, {})) keys.push_back(key);
  if (shell_.now) handleKeys(shell_, keys);
  if (shell_.dark != dark || shell_.presentation != presentation || shell_.zoom != zoom) {
    // This frame was laid out with the old scale and colours: discard it.
    ImGui::EndFrame();
    return false;
  }
  return true;
}

void App::panels(const Layout& l) {
  const ImVec2 screen = ImGui::GetIO().DisplaySize;
  if (shell_.presentation) {
    if (l.right.x > 0) presentationColumn(shell_, ImVec2(screen.x - l.right.x, 0), l.right);
    return;
  }
  if (shell_.remembered.plotsDetached != writtenDetached_ && shell_.remembered.plotsDetached &&
      l.plots.x <= 0)
    shell_.say(Severity::warning,
               "The window is too narrow for a column of plots beside the picture: widen it, or "
               "make text and panels smaller (Ctrl and minus).");
  writtenDetached_ = shell_.remembered.plotsDetached;
  shell_.plotsDetached = l.plots.x > 0;
  const float right = screen.x - l.right.x;
  column(shell_, Column::left, ImVec2(0, 0), l.left, kLeftPanels);
  column(shell_, Column::plots, ImVec2(right - l.plots.x, 0), l.plots, kPlotPanels);
  column(shell_, Column::right, ImVec2(right, 0), l.right, kRightPanels);
  if (l.timeline > 0 && hasTimeline(shell_))
    timelineStrip(shell_, ImVec2(l.viewportLo.x, l.viewportHi.y),
                  ImVec2(l.viewportHi.x - l.viewportLo.x, l.timeline));
  if (l.status.y > 0) statusBar(shell_, ImVec2(0, screen.y - l.status.y), l.status);
}

// Not while a column is being dragged. What cannot be written is reported once.
void App::remember() {
  if (shell_.remembered == written_ || ImGui::IsMouseDown(0)) return;
  written_ = shell_.remembered;
  if (options_.stateFolder.empty() || !memoryTrouble_.empty()) return;
  memoryTrouble_ = writeMemory(options_.stateFolder, written_);
  if (!memoryTrouble_.empty())
    shell_.say(Severity::warning,
               "Recent files and columns will not be remembered: " + memoryTrouble_);
}

void App::logChanges(const Publication& before, const Publication& now) {
  if (!log_.on()) return;
  for (std::size_t i = 0; i < std::min(before.parameters.size(), now.parameters.size()); ++i) {
    if (now.parameters[i].value == before.parameters[i].value) continue;
    log_.write("parameter", now.parameters[i].info.key + " " + toText(now.parameters[i].value));
  }
  if (before.frame && now.frame && before.frame->picked.id != now.frame->picked.id)
    log_.write("picked", std::to_string(now.frame->picked.id));
  if (before.frame && now.frame && now.frame->picked.deleted && !before.frame->picked.deleted)
    log_.write("deleted", std::to_string(now.frame->picked.id));
  if (before.target.number != now.target.number) log_.write("target", now.target.words);
  if (before.selection != now.selection || before.selected != now.selected)
    log_.write("selected", fmt::format("{} {}", now.selected, now.selection));
  if (before.breakpoints.size() != now.breakpoints.size())
    log_.write("breakpoints", std::to_string(now.breakpoints.size()));
  if (before.pair.has_value() != now.pair.has_value())
    log_.write("pair",
               now.pair ? fmt::format("{} {}", now.frame->picked.id, now.pair->second) : "");
  if (now.timeline.branches.size() != before.timeline.branches.size())
    log_.write("branches", std::to_string(now.timeline.branches.size()));
  if (now.timeline.behind != before.timeline.behind)
    log_.write("behind", now.timeline.behind ? "on" : "off");
  if (now.timeline.usedBytes > 0 && before.timeline.usedBytes == 0) log_.write("moments", "kept");
  if (now.timeline.usedBytes == 0 && before.timeline.usedBytes > 0) log_.write("moments", "none");
  if (now.step < before.step) log_.write("step-back", std::to_string(now.step));
}

void App::pictures() {
  const int w = window_.width(), h = window_.height();
  if (last_ && !options_.screenshotAtExit.empty()) try {
      savePicture(options_.screenshotAtExit, shell_.now.get(),
                  shell_.now ? pictureNotes() : render::Metadata{}, w, h, 0, 0, w, h);
    } catch (const RunError& error) {
      pictureTrouble_ = error.what();
    }
  // The context menu covers the plot for two more frames.
  if (shell_.after.framesLeft > 0 && --shell_.after.framesLeft > 0) return;
  AfterFrame& after = shell_.after;
  const std::string whole = std::exchange(after.screenshot, ""),
                    part = std::exchange(after.partPicture, "");
  if (!whole.empty())
    shell_.save("screenshot", "the window", whole,
                [&] { savePicture(whole, shell_.now.get(), pictureNotes(), w, h, 0, 0, w, h); });
  if (part.empty()) return;
  const float r = window_.pixelRatio();
  const ImVec2 at = after.partLo * r, size = (after.partHi - after.partLo) * r;
  shell_.save("picture", "the plot", part, [&] {
    savePicture(part, shell_.now.get(), pictureNotes(), w, h, static_cast<int>(at.x),
                static_cast<int>(at.y), static_cast<int>(std::ceil(size.x)),
                static_cast<int>(std::ceil(size.y)));
  });
}

void App::plotPicture() {
  const AfterFrame wanted = shell_.after;
  if (wanted.plotPicture.empty() || !shell_.now) return;
  shell_.after.plotPicture.clear();
  constexpr float kWidth = 640, kHeight = 480;  // at scale 1
  const float scale = shell_.scale;
  const Fonts fonts = shell_.fonts;
  EventLog silent;  // places on the page are none of the window
  shell_.log = &silent;
  shell_.scale = static_cast<float>(wanted.plotScale);
  shell_.onPage = true;
  const int width = static_cast<int>(shell_.px(kWidth)),
            height = static_cast<int>(shell_.px(kHeight));
  const ImVec2 size(static_cast<float>(width), static_cast<float>(height));
  const render::Image image = window_.drawAside(width, height, shell_.scale, shell_.colours->panel,
                                                [&](const Fonts& large) {
                                                  shell_.fonts = large;
                                                  plotPage(shell_, wanted.plot, size);
                                                });
  shell_.log = &log_;
  shell_.onPage = false;
  shell_.scale = scale;
  shell_.fonts = fonts;
  shell_.save("plot-picture", "the plot", wanted.plotPicture, [&] {
    io::replaceFile(wanted.plotPicture, render::encodePng(image, pictureNotes()));
  });
}

void App::reportAtExit() {
  if (frameMilliseconds_.empty()) return;
  const double total = std::accumulate(frameIntervals_.begin(), frameIntervals_.end(), 0.0);
  const InputClock::Delays input = window_.inputDelays();
  log_.write("input", fmt::format("answers {} median {:.1f} p95 {:.1f} max {:.1f} stamped {}",
                                  input.count, 1e3 * input.median, 1e3 * input.p95,
                                  1e3 * input.most, input.stamped ? 1 : 0));
  log_.write("frames",
             fmt::format("{} rate {:.1f} work-median {:.2f} work-p95 {:.2f} interval-median {:.2f} "
                         "interval-p95 {:.2f} interval-max {:.2f}",
                         frames_, 1e3 * static_cast<double>(frameIntervals_.size()) / total,
                         quantile(frameMilliseconds_, 0.5), quantile(frameMilliseconds_, 0.95),
                         quantile(frameIntervals_, 0.5), quantile(frameIntervals_, 0.95),
                         quantile(frameIntervals_, 1)));
}

}  // namespace cellscope::gui
