// What the hardware does: rates, time per kernel, memory.
#include <fmt/format.h>

#include <algorithm>

#include "app/gui/format.h"
#include "app/gui/panels.h"
#include "app/gui/widgets.h"

namespace cellscope::gui {
namespace {

void kernels(Shell& shell) {
  std::vector<KernelTime> all = shell.now->kernels;
  if (all.empty()) return;
  std::sort(all.begin(), all.end(), [](const KernelTime& a, const KernelTime& b) {
    return a.milliseconds > b.milliseconds;
  });
  double total = 0;
  for (const KernelTime& k : all) total += k.milliseconds;
  ImGui::Dummy(ImVec2(1, shell.px(2)));
  ImGui::PushFont(shell.fonts.small);
  // A GPU times only some launches of the engine: shares are of what was timed.
  textMuted(shell, "Timed kernels: time per launch, share of these");
  ImGui::PopFont();
  for (const KernelTime& k : all) {
    if (k.launches == 0) continue;
    const double each = k.milliseconds / static_cast<double>(k.launches) / 1e3;
    const double share = total > 0 ? 100 * k.milliseconds / total : 0;
    keyValue(shell, k.name, duration(each), share < 0.5 ? "< 1 %" : fmt::format("{:.0f} %", share),
             shell.px(32));
  }
}

}  // namespace

void performancePanel(Shell& shell) {
  const Publication& now = *shell.now;
  if (!section(shell, "performance", "Performance", "", false)) return;
  keyValue(shell, "Work", rate(now.workPerSecond), now.mode->workUnit + "/s");
  keyValue(shell, "Speed", rate(now.stepsPerSecond), now.mode->stepName + "s/s");
  keyValue(shell, "Picture", fmt::format("{:.0f}", shell.meter.framesPerSecond), "frames/s");
  keyValue(shell, "Drawing a frame", duration(shell.meter.milliseconds / 1e3));
  keyValue(shell, "Upload to the picture", duration(shell.meter.uploadMilliseconds / 1e3));
  if (now.particles > 0 && now.engineBytes > 0) {
    keyValue(shell, "Engine memory", bytesText(now.engineBytes));
    keyValue(shell, "Memory per particle",
             number(static_cast<double>(now.engineBytes) / static_cast<double>(now.particles), 3),
             "B");
  }
  keyValue(shell, "Device", now.backend == Backend::cuda ? now.device : "CPU, " + now.device);
  keyValue(shell, "Graphics", shell.meter.glDescription);
  kernels(shell);
}

}  // namespace cellscope::gui
