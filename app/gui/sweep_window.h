// A sweep in the window: a chart of its averages, its points, and what computes them here.
#pragma once
#include <imgui.h>

#include <future>
#include <memory>
#include <string>

#include "app/common/child.h"
#include "app/sweep/overview.h"
#include "sim/run/runner.h"

namespace cellscope::gui {

struct Shell;

struct SweepWindow {
  std::string folder;  // "": there is none
  bool shown = false;
  std::shared_ptr<const sweep::Overview> seen;  // null until it has been read
  std::future<std::shared_ptr<const sweep::Overview>> look;
  double lookedAt = -1;
  std::string trouble;
  sweep::SweepAxes axes;
  Curve chart;  // of these points and axes
  std::shared_ptr<const sweep::Overview> charted;
  sweep::SweepAxes chartedFor;
  std::string chosen;  // id of a point
  common::Worker worker;
  // What a sweep of a slider is to be, as it is typed.
  struct Plan {
    std::string key, from, to, points = "9", seeds = "1", steps = "10000", error;
  } plan;  // key "": the dialog is closed

  bool isOpen() const { return shown || !plan.key.empty(); }
  void close() {
    shown = false;
    plan.key.clear();
  }
};

// opens: its scenario becomes that of the window.
void openSweep(Shell& shell, const std::string& folder, bool opens);
// Asks for a sweep of this parameter over the range of its slider.
void planSweep(Shell& shell, const ParameterState& p);
void sweepWindow(Shell& shell);

// Parts of it.
void sweepPlanDialog(Shell& shell);
void sweepAxes(Shell& shell, const sweep::Overview& all);
// A click on a mark chooses its point.
void sweepChart(Shell& shell, const sweep::Overview& all, ImVec2 size);
// ImGui::Begin() in the middle of the screen, over a dimmed window; false: a click beside it.
bool beginSweepDialog(Shell& shell, const char* name, ImVec2 size);

}  // namespace cellscope::gui
