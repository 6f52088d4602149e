// All panels of the window. A new panel is one file and one line here.
#pragma once
#include "app/gui/shell.h"

namespace cellscope::gui {

// Left column, from the top.
void scenarioPanel(Shell& shell);
void runPanel(Shell& shell);
void parametersPanel(Shell& shell);
void filesPanel(Shell& shell);
// Right column.
void particlePanel(Shell& shell);
bool isPicked(const Shell& shell);
void plotsPanel(Shell& shell);
void performancePanel(Shell& shell);

// Row and button of the seed in the Run panel, if the mode has a seed.
void seedRow(Shell& shell);
bool seedButton(Shell& shell, float width);  // false: the mode has no seed

struct Panel {
  const char* name;     // link in the column's first line
  const char* section;  // id of its collapsible heading; "" if it has none
  void (*draw)(Shell&);
  bool (*isShown)(const Shell&) = nullptr;  // null: always
};
inline constexpr Panel kLeftPanels[] = {{"Scenario", "", scenarioPanel},
                                        {"Run", "run", runPanel},
                                        {"Parameters", "parameters", parametersPanel},
                                        {"Files", "files", filesPanel}};
inline constexpr Panel kRightPanels[] = {{"Particle", "particle", particlePanel, isPicked},
                                         {"Plots", "", plotsPanel},
                                         {"Performance", "performance", performancePanel}};

// Dialogs over a dimmed window; a click outside closes them.
bool dimRest(Shell& shell, const char* name);
void galleryWindow(Shell& shell);
void helpSheet(Shell& shell);
// `legendSize`: size of the legend in the lower left corner.
void toasts(Shell& shell, ImVec2 viewportLo, ImVec2 viewportHi, ImVec2 legendSize);
// Card with the progress of a set-up or preparation, centred on `bottom` at its lower edge. Returns
// its height; 0 when nothing is under way or it has just begun.
float setupCard(Shell& shell, ImVec2 bottom, float room);
void statusBar(Shell& shell, ImVec2 at, ImVec2 size);
// Active experiments in red, when the status bar is hidden; `top`: height used above. Returns its
// height.
float experimentNotice(Shell& shell, ImVec2 viewportLo, ImVec2 viewportHi, float top);
// Play button of presentation mode.
void presentationControl(Shell& shell, ImVec2 viewportLo, ImVec2 viewportHi, ImVec2 legendSize);

// Performs the actions of the keys pressed.
void handleKeys(Shell& shell, const std::vector<unsigned>& keys);

}  // namespace cellscope::gui
