// Every panel of the window. A new panel: one file, and one line here.
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

// The seed's row of the Run panel, when the mode has one.
void seedRow(Shell& shell);
bool seedButton(Shell& shell, float width);  // false: there is no seed

struct Panel {
  const char* name;     // in the column's first line, which leads to it
  const char* section;  // its heading's id; "" when it has none to open
  void (*draw)(Shell&);
  bool (*isThere)(const Shell&) = nullptr;  // null: always
};
inline constexpr Panel kLeftPanels[] = {{"Scenario", "", scenarioPanel},
                                        {"Run", "run", runPanel},
                                        {"Parameters", "parameters", parametersPanel},
                                        {"Files", "files", filesPanel}};
inline constexpr Panel kRightPanels[] = {{"Particle", "particle", particlePanel, isPicked},
                                         {"Plots", "", plotsPanel},
                                         {"Performance", "performance", performancePanel}};

// Over everything, when asked for; what is below is dimmed, and a click there closes it.
bool dimRest(Shell& shell, const char* name);
void galleryWindow(Shell& shell);
void helpSheet(Shell& shell);
// `legendSize`: what the legend takes in the lower left corner.
void toasts(Shell& shell, ImVec2 viewportLo, ImVec2 viewportHi, ImVec2 legendSize);
// How far a set-up or a preparation is, with its lower edge in the middle of `bottom`; the height
// it takes, 0 when there is none or it has only begun.
float setupCard(Shell& shell, ImVec2 bottom, float room);
void statusBar(Shell& shell, ImVec2 at, ImVec2 size);
// Experiments that are on, in red, where there is no status bar; `top`: what lies above. The height
// it takes.
float experimentNotice(Shell& shell, ImVec2 viewportLo, ImVec2 viewportHi, float top);
// Run control alone, for presentation mode.
void presentationControl(Shell& shell, ImVec2 viewportLo, ImVec2 viewportHi, ImVec2 legendSize);

// Carry out the keys pressed.
void handleKeys(Shell& shell, const std::vector<unsigned>& keys);

}  // namespace cellscope::gui
