// Colours by role, dark and light.
#pragma once
#define IMGUI_DEFINE_MATH_OPERATORS
#include <imgui.h>
#include <imgui_internal.h>

#include <cstdint>

namespace cellscope::gui {

struct Palette {
  bool dark = true;
  ImU32 viewport = 0, panel = 0, raised = 0, line = 0, text = 0, muted = 0;
  ImU32 accent = 0, onAccent = 0, red = 0, amber = 0, green = 0;
};

const Palette& palette(bool dark);

// 0xRRGGBB, opaque.
constexpr ImU32 rgb(std::uint32_t hex) {
  return IM_COL32((hex >> 16) & 255, (hex >> 8) & 255, hex & 255, 255);
}
inline ImU32 withAlpha(ImU32 colour, float alpha) {
  const auto a = static_cast<ImU32>(static_cast<float>(colour >> IM_COL32_A_SHIFT) * alpha + 0.5f);
  return (colour & ~IM_COL32_A_MASK) | (a << IM_COL32_A_SHIFT);
}
ImU32 mix(ImU32 from, ImU32 to, float t);

// Line colours of a plot, safe for colour-vision deficiencies on the palette's panel.
ImU32 plotColour(const Palette& colours, int index);

// Set ImGui's style: sizes in pixels at `scale`.
void applyStyle(const Palette& colours, float scale);

// Inter for words and JetBrains Mono for numbers; the built-in font where they are missing.
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
void useBuiltInTypeface();  // of ImGui, by labels and legends where none is installed

// The content scale that the desktop reports, and where the screen is large at that scale, more: a
// quarter for each whole quarter by which its height exceeds 1080, twice as large at most, so that
// the window is read from the same number of screen heights away. `heightPixels` 0: not known.
float displayScale(float contentScale, int heightPixels);

// Enlargement of text and panels in a presentation in a window of this height at scale 1: half as
// large again, and more in high windows, so that the smallest print is read from ten metres. The
// rule: a picture two metres high; letters, capitals of 0.72 of their font size, of at least 10
// minutes of arc at ten metres, 29 mm; thus fonts of 2 % of the height.
inline constexpr float kSmallestPrint = 13;       // pixels at scale 1
inline constexpr float kReadableShare = 0.0202f;  // of the height
float presentationZoom(float heightAtScale1);

}  // namespace cellscope::gui
