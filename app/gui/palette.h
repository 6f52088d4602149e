// Colours by role, dark and light.
#pragma once
#include <imgui.h>

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

}  // namespace cellscope::gui
