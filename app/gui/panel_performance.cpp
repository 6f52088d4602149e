// What the hardware does: rates, time per kernel, memory.
#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "app/gui/format.h"
#include "app/gui/panels.h"
#include "app/gui/widgets.h"

namespace cellscope::gui {
namespace {

struct Column {
  const char *heading, *meaning;
  float width;  // with the space before it, at scale 1
};

// Behind the name; the last one ends at the right.
constexpr std::array<Column, 4> kColumns = {{
    {"each", "each: mean time of one launch.", 66},
    {"total", "total: time of one launch times the number of launches.", 62},
    {"share", "share: of the time in all kernels.", 46},
    {"time", "time: share of all time that passed.", 50},
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

// A name too long for its column goes on in further lines.
void kernelRow(Shell& shell, const std::string& name, const std::array<std::string, 4>& cells,
               bool muted, ImFont* font) {
  const Palette& c = *shell.colours;
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float width = ImGui::GetContentRegionAvail().x;
  ImDrawList* list = ImGui::GetWindowDrawList();
  float right = at.x + width;
  for (std::size_t k = cells.size(); k-- > 0;) {
    const float x = right - textSize(font, cells[k]).x;
    drawText(list, font, ImVec2(x, at.y + shell.px(1)), muted ? c.muted : c.text, cells[k]);
    right -= shell.px(kColumns[k].width);
  }
  const std::string lines = wrapped(shell.fonts.small, name, right - at.x);
  drawText(list, shell.fonts.small, ImVec2(at.x, at.y + shell.px(1)), c.muted, lines);
  const float further = textSize(shell.fonts.small, lines).y - textSize(shell.fonts.small, "X").y;
  // Without space between the rows: the mouse is always on one of them.
  ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, ImVec2(0, 0));
  ImGui::Dummy(ImVec2(width, shell.px(20) + further));
  ImGui::PopStyleVar();
}

void headingRow(Shell& shell, const KernelUse& use, bool gpu) {
  std::array<std::string, 4> cells;
  std::vector<std::string> help = {
      gpu ? "Every launch is counted; a few of each kernel are timed, and the others are taken to "
            "last as long. A sweep that runs in a resident kernel counts as a launch."
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
  tooltip(
      shell, "Outside kernels",
      {gpu ? "Time in which no kernel of the simulation ran: the GPU drawing the picture, copies "
             "to and from it, the host at work or waiting."
           : "Time of the run between kernels: work of one thread alone, and waiting."});
}

void kernels(Shell& shell) {
  const KernelUse& use = shell.now->kernels;
  if (use.seconds <= 0 || use.kernels.empty()) return;
  const bool gpu = shell.now->backend == Backend::cuda;
  ImGui::Dummy(ImVec2(1, shell.px(2)));
  headingRow(shell, use, gpu);
  for (const KernelTime& k : use.kernels) {
    // Without a timing yet nothing is known about it.
    const bool known = k.milliseconds > 0;
    const double total = k.milliseconds / 1e3;
    const std::string each = launchTime(total / static_cast<double>(k.launches));
    if (known)
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

// What a frame costs. The host only asks for drawing; the GPU does it meanwhile.
void drawingTimes(Shell& shell) {
  const FrameMeter& meter = shell.meter;
  keyValue(shell, "Frame, host", duration(meter.milliseconds / 1e3));
  tooltip(shell, "Frame, host", {"Time of the window's thread for one frame, waiting left out."});
  keyValue(shell, "Upload to the picture", duration(meter.uploadMilliseconds / 1e3));
  tooltip(shell, "Upload to the picture",
          {"Bringing the particles of a frame into OpenGL's memory: map, fill, unmap."});
  if (meter.drawMilliseconds < 0) return;
  keyValue(shell, "Particles, OpenGL", launchTime(meter.drawMilliseconds / 1e3));
  tooltip(shell, "Particles, OpenGL",
          {"Time from the first to the last drawing command of the particles and layers, measured "
           "by OpenGL itself. Kernels of a simulation on the same GPU that run in between are in "
           "it: pause to see the drawing alone."});
}

}  // namespace

void performancePanel(Shell& shell) {
  const Publication& now = *shell.now;
  if (!section(shell, "performance", "Performance", "", false)) return;
  keyValue(shell, "Work", rate(now.workPerSecond), now.mode->workUnit + "/s");
  keyValue(shell, "Speed", rate(now.stepsPerSecond), now.mode->stepName + "s/s");
  keyValue(shell, "Picture", fmt::format("{:.0f}", shell.meter.framesPerSecond), "frames/s");
  drawingTimes(shell);
  if (now.particles > 0 && now.engineBytes > 0) {
    keyValue(shell, "Engine memory", bytesText(now.engineBytes));
    keyValue(shell, "Memory per particle",
             number(static_cast<double>(now.engineBytes) / static_cast<double>(now.particles), 3),
             "B");
  }
  const bool gpu = now.backend == Backend::cuda;
  keyValue(shell, "Backend", gpu ? "CUDA" : "CPU");
  shell.log->item("backend");
  tooltip(shell, "Backend",
          {"What the simulation computes with: the processor (CPU) or an NVIDIA GPU (CUDA). "
           "--backend chooses at the start."});
  keyValue(shell, "Device", now.device);
  keyValue(shell, "Graphics", shell.meter.glDescription);
  keyValue(shell, "Picture path", shell.meter.sinkPath);
  shell.log->item("sink");
  tooltip(shell, "How particles reach the picture: " + shell.meter.sinkPath,
          {shell.meter.whySink()});
  kernels(shell);
}

}  // namespace cellscope::gui
