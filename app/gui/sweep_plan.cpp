// The dialog in which a sweep of a slider is planned.
#include <cmath>
#include <filesystem>

#include "app/gui/panels.h"
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

// The whole number of a field. Throws InputError.
static std::int64_t wholeOf(const char* what, const std::string& text, std::int64_t least,
                            double most) {
  const auto n = wholeFrom(text);
  if (n && *n >= least && static_cast<double>(*n) <= most) return *n;
  const std::string end = most < HUGE_VAL ? " to " + number(most, 7) : " on";
  throw InputError("{} '{}': write a whole number from {}{}", what, text, least, end);
}

// The values of the fields, as a list: those of a whole number are rounded. Throws InputError.
static std::string valuesOf(const Shell& shell, const ParameterState& state) {
  const SweepWindow::Plan& p = shell.sweep.plan;
  const auto numberOf = [&](const char* what, const std::string& text) {
    ParameterValue value;
    const std::string error = checkText(state, text, value);
    if (!error.empty()) throw InputError("{}: {}", what, withLabels(error, shell.now->parameters));
    return asDouble(value);
  };
  const double from = numberOf("From", p.from), to = numberOf("To", p.to);
  if (!(from < to)) throw InputError("From {} to {}: the first must be smaller", p.from, p.to);
  const bool whole = std::holds_alternative<std::int64_t>(state.value);
  double most = sweep::kMostPoints;
  if (whole) most = std::min(most, to - from + 1);
  const std::int64_t n = wholeOf("Values", p.points, 2, most);
  std::string all;
  for (std::int64_t k = 0; k < n; ++k) {
    const double value = std::lerp(from, to, static_cast<double>(k) / static_cast<double>(n - 1));
    all += fmt::format("{}{:.12g}", k > 0 ? "," : "", whole ? std::round(value) : value);
  }
  return all;
}

// Everything is checked before a folder is named.
static void begin(Shell& shell, const ParameterState& state) {
  SweepWindow::Plan& p = shell.sweep.plan;
  try {
    sweep::SweepSetup setup{.vary = {p.key + "=" + valuesOf(shell, state)}};
    const double room = std::floor(sweep::kMostPoints / static_cast<double>(*wholeFrom(p.points)));
    if (const auto seeds = wholeOf("Seeds each", p.seeds, 1, room); seeds > 1)
      setup.vary.push_back(fmt::format("seed=1..{}", seeds));
    setup.until = static_cast<std::uint64_t>(wholeOf("Steps each", p.steps, 1, HUGE_VAL));
    setup.scenario = shell.currentScenario();
    const std::string folder =
        std::filesystem::absolute(shell.runPath("sweep-" + p.key, "")).string();
    setup.folder = folder;
    sweep::createSweep(setup);
    openSweep(shell, folder, false);
    addRecent(shell.remembered.recentFiles, folder);
    shell.sweep.worker.start({"sweep", "work", folder, "--backend", toString(shell.now->backend)},
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
  const ParameterState* const state = stateOf(shell, p.key);
  std::optional<Pane> pane;
  if (!state || !sweepDialog(shell, "sweep-plan", ImVec2(width, 0), pane)) return p.key.clear();
  textStrong(shell, "Sweep " + printed(state->info.label));
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
  if (button(shell, "sweep-begin", "Begin", Icon::none, half, true)) begin(shell, *state);
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
