// "Sweep this slider": a dialog that makes the folder of a sweep and has it computed.
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "app/gui/dialogs.h"
#include "app/gui/widgets.h"
#include "sim/base/digits.h"
#include "sim/base/error.h"

namespace cellscope::gui {

static void field(Shell& shell, const std::string& id, const std::string& label,
                  std::string& text) {
  ImGui::AlignTextToFramePadding();
  textMuted(shell, label);
  ImGui::SameLine(shell.px(150));
  ImGui::SetNextItemWidth(-1);
  textField(shell, "##" + id, "sweep-" + id, text);
  shell.log->state("sweep-typed:" + id, text);
}

static void begin(Shell& shell) {
  SweepWindow& s = shell.sweep;
  SweepWindow::Plan& p = s.plan;
  try {
    const auto wholeOf = [](const std::string& what, const std::string& text) {
      const auto n = wholeFrom(text);
      if (!n || *n < 1) throw InputError("{} '{}': write a whole number from 1 on", what, text);
      return static_cast<std::uint64_t>(*n);
    };
    sweep::SweepSetup setup{.scenario = shell.currentScenario(),
                            .until = wholeOf("steps", p.steps)};
    setup.vary = {fmt::format("{}={}..{}:{}", p.key, p.from, p.to, p.points)};
    if (const std::uint64_t seeds = wholeOf("seeds", p.seeds); seeds > 1)
      setup.vary.push_back(fmt::format("seed=1..{}", seeds));
    const std::string folder =
        std::filesystem::absolute(shell.runPath("sweep-" + p.key, "")).string();
    setup.folder = folder;
    sweep::createSweep(setup);
    openSweep(shell, folder, false);
    addRecent(shell.remembered.recentFiles, folder);
    s.worker.start({"sweep", "work", folder, "--backend", toString(shell.now->backend)},
                   folder + "/work.log");
    p.key.clear();
  } catch (const std::exception& e) {
    p.error = e.what();
    shell.log->write("sweep-refused", p.error);
  }
}

void sweepPlanDialog(Shell& shell) {
  SweepWindow::Plan& p = shell.sweep.plan;
  const float width = std::min(shell.px(400), ImGui::GetIO().DisplaySize.x - shell.px(24));
  std::optional<Pane> pane;
  if (!sweepDialog(shell, "sweep-plan", ImVec2(width, 0), pane)) return p.key.clear();
  textStrong(shell, "Sweep " + p.key);
  textSmall(shell,
            "A folder of runs with what is on the screen, each at another value. They are computed "
            "on this machine, or by any worker that reads the folder (cellscope sweep --help).");
  field(shell, "from", "From", p.from);
  field(shell, "to", "To", p.to);
  field(shell, "points", "Values", p.points);
  field(shell, "seeds", "Seeds each", p.seeds);
  field(shell, "steps", "Steps each", p.steps);
  if (!p.error.empty()) textWrapped(shell, sentence(p.error), shell.colours->red);
  const float half = halfWidth();
  const bool cancelled = button(shell, "sweep-cancel", "Cancel", Icon::none, half);
  ImGui::SameLine();
  if (button(shell, "sweep-begin", "Begin", Icon::none, half, true)) begin(shell);
  if (cancelled) p.key.clear();
}

void planSweep(Shell& shell, const ParameterState& p) {
  const SliderRange range = spanOf(shell, p);
  SweepWindow::Plan plan;
  plan.key = p.info.key;
  plan.from = toText(valueAt(p, range, 0));
  plan.to = toText(valueAt(p, range, 1));
  shell.sweep.plan = plan;
  shell.log->write("sweep-plan", plan.key);
}

}  // namespace cellscope::gui
