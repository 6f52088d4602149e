// Entries of the legend of a plot, before they are placed.
#pragma once
#include <imgui.h>

#include <cstddef>
#include <string>
#include <vector>

#include "app/gui/plot.h"

namespace cellscope::gui {

enum class Swatch { line, dashes, marker, ring, bar, steps, winner, none };

struct LegendItem {
  std::string label;
  ImU32 colour;
  Swatch swatch;
  int marker = 0;
  std::size_t group = 0;  // 0: none
  std::string series;     // label of the series that a click hides; "": none
  bool published = false;
  bool inSight = true;  // in the part that the plot shows
};

// brief: sources by authors and year; of several observables what tells one from another, once.
std::vector<LegendItem> legendItems(const Plot& plot, bool brief);

// Which entries a folded legend keeps first: 0: our first one and bars, 1: in sight what is
// published, and marks and dashes, 2: the others.
int foldRank(const std::vector<LegendItem>& all, std::size_t index);

}  // namespace cellscope::gui
