// What a legend is made of: a colour bar, a hue ring, or swatches with words.
#pragma once
#include <string>
#include <vector>

#include "app/gui/widgets.h"

namespace cellscope::gui {

// How an entry is drawn in the picture.
enum class Swatch { square, set, ring, arrow, line };

struct LegendEntry {
  std::string label;
  ImU32 colour = 0;
  Swatch swatch = Swatch::square;
  int kind = 0;  // which set, which ring
};

ImU32 legendColour(const ColourScale& scale, float value);

// Upper left corner at `at`.
void colourBar(Shell& shell, const ColourScale& scale, ImVec2 at, float width, ImDrawList* list);
void hueRing(Shell& shell, const ColourScale& scale, ImVec2 at, float height, ImDrawList* list);
float hueRingWidth(Shell& shell);
void drawSwatch(Shell& shell, const LegendEntry& entry, ImVec2 at, ImDrawList* list);

}  // namespace cellscope::gui
