// Inter for words and JetBrains Mono for numbers where they are installed, the built-in font
// otherwise.
#pragma once
#include <imgui.h>

#include <string>

namespace cellscope::gui {

struct Fonts {
  ImFont* words = nullptr;         // 15 px at scale 1
  ImFont* strong = nullptr;        // headings, same size
  ImFont* small = nullptr;         // 13 px: units, ticks, legends
  ImFont* numbers = nullptr;       // 14 px, tabular
  ImFont* smallNumbers = nullptr;  // 13 px
  ImFont* largeNumbers = nullptr;  // 26 px: the number to watch
  bool builtIn = false;            // no font file was found
};

// Fill the current context's atlas. `pixelRatio` is framebuffer pixels per ImGui unit. The
// backend's font texture must be rebuilt afterwards.
Fonts buildFonts(float scale, float pixelRatio);

}  // namespace cellscope::gui
