// Performance: rates, time per kernel, memory.
#include "app/gui/panels.h"

namespace cellscope::gui {
namespace {

struct TimeColumn {
  const char *heading, *meaning;
  float width;  // including the gap before it, at scale 1
};

// Columns after the name; the last one is aligned to the right edge.
constexpr std::array<TimeColumn, 4> kColumns = {{
    {"each", "each: mean time of one launch.", 66},
    {"total", "total: time of one launch times the number of launches.", 62},
    {"share", "share: fraction of the time spent in all kernels.", 46},
    {"time", "time: fraction of the elapsed time.", 50},
}};

std::string shareText(double share) {
  return share > 0 && share < 0.005 ? "< 1 %" : fmt::format("{:.0f} %", 100 * share);
}

// Time of a launch: three digits, down to nanoseconds.
std::string launchTime(double seconds) {
  if (seconds >= 0.0995) return duration(seconds);
  if (seconds >= 0.9995e-3) return fmt::format("{:.3g} ms", seconds * 1e3);
  return fmt::format("{:.3g} µs", seconds * 1e6);
}

void kernelRow(Shell& shell, const std::string& name, const std::array<std::string, 4>& cells,
               bool muted, ImFont* font) {
  const Palette& c = *shell.colours;
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float width = ImGui::GetContentRegionAvail().x;
  float right = at.x + width;
  for (std::size_t k = cells.size(); k-- > 0;) {
    drawTextTo(font, ImVec2(right, at.y + shell.px(1)), muted ? c.muted : c.text, cells[k]);
    right -= shell.px(kColumns[k].width);
  }
  const std::string lines = wrapped(shell.fonts.small, name, right - at.x);
  drawText(shell.fonts.small, at + shell.px(0, 1), c.muted, lines);
  const float further = textSize(shell.fonts.small, lines).y - textSize(shell.fonts.small, "X").y;
  // No gap between rows, so that the mouse is always over one of them.
  ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, ImVec2(0, 0));
  ImGui::Dummy(ImVec2(width, shell.px(20) + further));
  ImGui::PopStyleVar();
}

void headingRow(Shell& shell, const KernelUse& use, bool gpu) {
  std::array<std::string, 4> cells;
  std::vector<std::string> help = {
      gpu ? "Every launch is counted; a sample of the launches of each kernel is timed and "
            "extrapolated. A sweep inside a resident kernel counts as one launch."
          : "Every launch is counted and timed."};
  for (std::size_t k = 0; k < cells.size(); ++k) {
    cells[k] = kColumns[k].heading;
    help.push_back(kColumns[k].meaning);
  }
  const std::string title = fmt::format("Kernels, last {}", duration(use.seconds));
  kernelRow(shell, title, cells, true, shell.fonts.small);
  shell.log->item("kernels");
  tooltip(shell, fmt::format("Kernels in the last {} of the run", duration(use.seconds)), help);
}

void outsideRow(Shell& shell, const KernelUse& use, bool gpu) {
  const double seconds = use.shareOutside() * use.seconds;
  kernelRow(shell, "outside kernels", {"", duration(seconds), "", shareText(use.shareOutside())},
            true, shell.fonts.smallNumbers);
  shell.log->item("kernels:outside");
  tooltip(shell, "Outside kernels",
          {gpu ? "Time without a running simulation kernel: the GPU drawing the picture, copies, "
                 "host work or waiting."
               : "Time between kernels: serial work and waiting."});
}

void kernels(Shell& shell) {
  const KernelUse& use = shell.now->kernels;
  if (use.seconds <= 0 || use.kernels.empty()) return;
  const bool gpu = shell.now->backend == Backend::cuda;
  ImGui::Dummy(ImVec2(1, shell.px(2)));
  headingRow(shell, use, gpu);
  for (const KernelTime& k : use.kernels) {
    // Without a timing there is nothing to show.
    const double total = k.milliseconds / 1e3;
    const std::string each = launchTime(total / static_cast<double>(k.launches));
    if (k.milliseconds > 0)
      kernelRow(
          shell, k.name,
          {each, duration(total), shareText(use.shareOfKernels(k)), shareText(use.shareOfTime(k))},
          false, shell.fonts.smallNumbers);
    else
      kernelRow(shell, k.name, {"not timed yet", "", "", ""}, true, shell.fonts.small);
    shell.log->item("kernel:" + k.name);
    const std::string timed = k.timed == k.launches ? "all" : grouped(k.timed);
    tooltip(shell, k.name,
            {fmt::format("{} launches in {}, {} of them timed.", grouped(k.launches),
                         duration(use.seconds), timed)});
  }
  outsideRow(shell, use, gpu);
}

// Of the last keys, clicks and moves of the mouse. Its row is there before the first of them, so
// that nothing below moves away from under the mouse.
void inputDelay(Shell& shell) {
  const InputClock::Delays& d = shell.meter.input;
  keyValue(shell, "Input to picture", d.count == 0 ? "no input yet" : duration(d.median));
  shell.log->item("input-delay");
  tooltip(shell, "Input to picture",
          {fmt::format("Median time from a key, click or move of the mouse to the picture that "
                       "answers it, of the last {}; 95 % are below {}, the longest took {}.",
                       d.count, duration(d.p95), duration(d.most)),
           d.stamped ? "The time counts from when the display received the input."
                     : "This display does not report when input occurred: the time counts from "
                       "when the window began to handle it."});
}

void drawingTimes(Shell& shell) {
  keyValue(shell, "CPU frame time", duration(shell.meter.milliseconds / 1e3));
  tooltip(shell, "CPU frame time",
          {"Time the window's thread spends on one frame, excluding waits."});
  const FrameClock::Frame& longest = shell.clock.longest();
  keyValue(shell, "Longest frame", duration(longest.seconds()));
  shell.log->item("longest-frame");
  tooltip(shell, "Longest frame",
          {"Of the last minute or two, with the waits inside of it but not the one for the "
           "display's next frame: " +
               longest.words() + ".",
           fmt::format("Since the window was opened: {} ({}).",
                       duration(shell.clock.longestOfAll().seconds()),
                       shell.clock.longestOfAll().words())});
  keyValue(shell, "Upload time", duration(shell.renderer->uploadMilliseconds() / 1e3));
  tooltip(shell, "Upload time",
          {"Time to copy the particles of a frame into OpenGL memory: map, fill, unmap."});
  const double drawing = shell.renderer->drawMilliseconds();
  keyValue(shell, "Draw time", drawing < 0 ? "not measured" : launchTime(drawing / 1e3));
  tooltip(
      shell, "Draw time",
      {"Time to draw particles and layers, measured by OpenGL timer queries. Includes simulation "
       "kernels that run on the same GPU in between: pause to measure drawing alone."});
}

}  // namespace

void performancePanel(Shell& shell) {
  const Publication& now = *shell.now;
  if (!section(shell, "performance", "Performance", "", false)) return;
  keyValue(shell, "Work", rate(now.workPerSecond), now.mode->workUnit + "/s");
  keyValue(shell, "Speed", rate(now.stepsPerSecond), now.mode->stepName + "s/s");
  keyValue(shell, "Picture", fmt::format("{:.0f}", shell.meter.framesPerSecond), "frames/s");
  inputDelay(shell);
  drawingTimes(shell);
  if (now.particles > 0 && now.engineBytes > 0) {
    keyValue(shell, "Engine memory", bytesText(now.engineBytes));
    keyValue(shell, "Memory per particle",
             number(static_cast<double>(now.engineBytes) / static_cast<double>(now.particles), 3),
             "B");
  }
  keyValue(shell, "Backend", now.backend == Backend::cuda ? "CUDA" : "CPU");
  shell.log->item("backend");
  tooltip(shell, "Backend",
          {"The simulation runs on the CPU or on an NVIDIA GPU (CUDA). Chosen at start-up with "
           "--backend."});
  keyValue(shell, "Device", now.device);
  keyValue(shell, "Graphics", shell.renderer->glDescription());
  const std::string path = shell.renderer->sink().path();
  keyValue(shell, "Data path", path);
  shell.log->item("sink");
  tooltip(shell, "Path of particle data to OpenGL: " + path, {shell.whySink()});
  kernels(shell);
}

}  // namespace cellscope::gui
