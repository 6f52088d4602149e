// A card of the gallery (gallery_window.cpp).
#pragma once
#include <string>

#include "app/gui/shell.h"

namespace cellscope::gui {

// What all scenarios are shown under.
enum class Grouping { engine, level, topic };

// The words of the engine.
std::string headingOf(const std::string& mode);

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

}  // namespace cellscope::gui
