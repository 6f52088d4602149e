// All panels of the window. A new panel is one file and one line here.
#pragma once
#include "app/gui/plot.h"
#include "sim/api/inspect.h"

namespace cellscope::gui {

// Left column, from the top.
void lessonPanel(Shell& shell);  // of one that is followed: how it stands, leave and come back
bool isInLesson(const Shell& shell);
void scenarioPanel(Shell& shell);
void playPanel(Shell& shell);  // the scenario's parameter to play with, and number to watch
bool hasPlay(const Shell& shell);
void promotedSlider(Shell& shell);
// The numbers and switches that the scenario names beside it; choices are chips in the picture.
void besideRows(Shell& shell);
const ObservableSeries* watched(const Shell& shell);  // null: it has none
// Of that number, in its caption beside another run as well.
Average watchedAverage(const Shell& shell, const ObservableSeries& series);
void runPanel(Shell& shell);
void parametersPanel(Shell& shell);
void filesPanel(Shell& shell);
void layersPanel(Shell& shell);
void insidePanel(Shell& shell);
void inspectorPanel(Shell& shell);
// A field that takes the keyboard when it was asked for by key; true when Enter was pressed.
bool commandField(Shell& shell, const std::string& id, const char* hint, std::string& text);
void wantField(Shell& shell, const char* id);  // "go-to", "pause-when", "select"
bool isInSpace(const Shell& shell);
inline bool isInPlane(const Shell& shell) {
  return shell.now && shell.now->frame && !isInSpace(shell);
}
// Right column.
void particlePanel(Shell& shell);
void tablesPanel(Shell& shell);
void nextTable(Shell& shell);  // opens the panel, or shows the next one of its tables
bool isPicked(const Shell& shell);
void pairsPanel(Shell& shell);  // verdict on the lists of a file, and a table of wrong pairs
inline bool hasFindings(const Shell& shell) { return shell.now->findings != nullptr; }
void plotsPanel(Shell& shell);
// The plot alone, at the cursor; nothing where there is no such plot. Where room is short
// the curve may be as low as 120 pixels instead of 120 at scale 1. `large`: beside the one in the
// column, with all of its legend.
void plotContent(Shell& shell, const std::string& id, ImVec2 size, bool isShort = false,
                 bool large = true);
bool hasPlot(Shell& shell, const std::string& id);  // whether it has values
// That of the number to watch, otherwise the scenario's first; "": none.
std::string mainPlot(const Shell& shell);
Heading plotHeading(Shell& shell, const std::string& id);
// The plot that was asked for, over the picture.
void enlargedPlot(Shell& shell, ImVec2 viewportLo, ImVec2 viewportHi);
// A page with one plot, its title, source and parameters, over all of the display.
void plotPage(Shell& shell, const std::string& id, ImVec2 size);
void performancePanel(Shell& shell);

// Row and button of the seed in the Run panel, if the mode has a seed.
void seedRow(Shell& shell);
bool seedButton(Shell& shell, float width);  // false: the mode has no seed

// If the window is too narrow for both columns, the open one has a slider and a plot: whether the
// plots' column, or the left one, is folded, and what the other one shows in its place.
bool lacksPlots(const Shell& shell);
bool lacksPlay(const Shell& shell);
void sharedPlotPanel(Shell& shell);
void sharedPlayPanel(Shell& shell);

struct Panel {
  const char* name;     // link in the column's first line
  const char* section;  // id of its collapsible heading; "" if it has none
  void (*draw)(Shell&);
  bool (*isShown)(const Shell&) = nullptr;  // null: always
  bool leads = false;                       // it changes the run: disabled while that is led
};
inline bool hasPlots(const Shell& shell) { return !lacksPlots(shell); }
inline constexpr Panel kLeftPanels[] = {
    {"Lesson", "", lessonPanel, isInLesson},
    {"Scenario", "", scenarioPanel, hasPlots},
    {"Play", "", playPanel, hasPlay, true},
    {"Plot", "", sharedPlotPanel, lacksPlots},
    {"Scenario", "", scenarioPanel, lacksPlots},
    {"Run", "run", runPanel, nullptr, true},
    {"Parameters", "parameters", parametersPanel, nullptr, true},
    {"Layers", "layers", layersPanel},
    {"Inside", "inside", insidePanel, isInSpace},
    {"Select", "inside", insidePanel, isInPlane},
    {"Inspector", "inspector", inspectorPanel},
    {"Files", "files", filesPanel}};
inline bool hasSteps(const Shell& shell) {
  return !shell.now->mode || shell.now->mode->noSteps.empty();
}
inline bool areDocked(const Shell& shell) { return !shell.plotsDetached && hasSteps(shell); }
inline constexpr Panel kPlotPanels[] = {{"Plots", "", plotsPanel}};
// At the top where open or about the picked particle; otherwise last: they move no other heading.
inline bool tablesComeFirst(const Shell& shell) {
  const auto closed = shell.collapsed.find("tables");
  return hasSteps(shell) &&
         (isPicked(shell) || (closed != shell.collapsed.end() && !closed->second));
}
inline bool tablesComeLast(const Shell& shell) {
  return hasSteps(shell) && !tablesComeFirst(shell);
}
inline constexpr Panel kRightPanels[] = {{"Pairs", "pairs", pairsPanel, hasFindings},
                                         {"Particle", "particle", particlePanel, isPicked},
                                         {"Tables", "tables", tablesPanel, tablesComeFirst},
                                         {"Play", "", sharedPlayPanel, lacksPlay, true},
                                         {"Plots", "", plotsPanel, areDocked},
                                         {"Performance", "performance", performancePanel, hasSteps},
                                         {"Tables", "tables", tablesPanel, tablesComeLast}};

// A table, sorted by a click on a heading, in pages: a panel that scrolls holds nothing that does.

// First row of the page of `most` rows of this order with what is picked; none: nowhere.
std::optional<std::size_t> pageOf(const Table& table, const std::vector<std::size_t>& order,
                                  ParticleId picked, std::size_t most);

class TableView {
 public:
  // `id`: of what tests click; "neighbours" gives neighbours-by:HEADING and neighbours-row:0.
  // `picked`: whose row is marked; the page turns to it when it changes. `most`: rows of a page.
  void draw(Shell& shell, const std::string& id, const std::shared_ptr<const Table>& table,
            ParticleId picked, const std::function<void(const TableRow&)>& clicked,
            std::size_t most = 12);

 private:
  std::vector<float> widths(Shell& shell) const;  // of the columns
  void header(Shell& shell, const std::string& id, const std::vector<float>& wide, bool scrolls);
  void sortAsAsked(Shell& shell);
  void pages(Shell& shell, const std::string& id, std::size_t most);
  const TableRow& row(std::size_t place) const { return of_->rows[order_[place]]; }

  std::shared_ptr<const Table> of_;
  std::vector<std::size_t> columns_;  // shown
  std::vector<std::size_t> order_;    // of the rows
  static constexpr std::size_t kAsGiven = ~std::size_t{0};
  std::size_t by_ = kAsGiven;  // column of the table
  bool falling_ = false;
  std::size_t first_ = 0;   // of the page
  ParticleId picked_ = -1;  // in the last frame
};

// Dialogs over a dimmed window; a click outside closes them.
bool dimRest(Shell& shell, const std::string& name);
void galleryWindow(Shell& shell);
void helpSheet(Shell& shell);

enum class Grouping { engine, level, topic };  // what all scenarios are shown under

std::string headingOf(const std::string& mode);  // the words of the engine

// The first `lines` lines of a text, with an ellipsis if it has more.
std::string shortened(ImFont* font, const std::string& text, float width, int lines);

struct CardState {
  bool isOpen, isChosen, hot;
};
// Of the last item, which lies at `at`.
void drawCard(Shell& shell, const Scenario& scenario, Grouping under, ImVec2 at, ImVec2 size,
              CardState state);
// Its picture, large, with what it is about, beside the card.
void drawPreview(Shell& shell, const Scenario& scenario, Grouping under, ImVec2 card, ImVec2 size);

// `legendSize`: size of the legend in the lower left corner.
void toasts(Shell& shell, ImVec2 viewportLo, ImVec2 viewportHi, ImVec2 legendSize);
// Until a note fades in or leaves: 0 while one fades in, infinite without notes.
double secondsOfToasts(const Shell& shell);
// Card with the progress of a set-up or preparation, centred on `bottom` at its lower edge. Returns
// its height; 0 when nothing is under way or it has just begun.
float setupCard(Shell& shell, ImVec2 bottom, float room);
bool showsSetup(Shell& shell);  // whether there is one
// Below the picture: back, a track to scrub along, forward; its height, 0 when that is off.
float timelineHeight(const Shell& shell);
bool hasTimeline(Shell& shell);  // false: it gives way to the card of what is under way
void timelineStrip(Shell& shell, ImVec2 at, ImVec2 size);
void statusBar(Shell& shell, ImVec2 at, ImVec2 size);
// Five icons, each of them a key, too: in the lower right corner beside the legend, or at the right
// edge below `top`, in a row or where the corner has no room. What they take of the corner.
ImVec2 toolbar(Shell& shell, ImVec2 lo, ImVec2 hi, float top, ImVec2 legend, bool inRow);
// In place of the picture, while drawing is off: how fast the run goes on.
void drawingNotice(Shell& shell, ImVec2 lo, ImVec2 hi);
// Active experiments, when the status bar is hidden; `top`: height used above. Its height.
float experimentNotice(Shell& shell, ImVec2 viewportLo, ImVec2 viewportHi, float top);
// What a lecture is about: title, lesson, parameter, number, picked particle, one plot.
void presentationColumn(Shell& shell, ImVec2 at, ImVec2 size);
// Play, step and phase of presentation mode; the height they take above the legend, 0 beside it.
float presentationControl(Shell& shell, ImVec2 viewportLo, ImVec2 viewportHi, ImVec2 legendSize);

void handleKeys(Shell& shell, const std::vector<unsigned>& keys);

}  // namespace cellscope::gui
