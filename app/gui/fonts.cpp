#include "app/gui/fonts.h"

#include <algorithm>
#include <cmath>

#include "render/font_files.h"

namespace cellscope::gui {
namespace {

// Latin, Greek, punctuation, super- and subscripts, arrows, operators, small shapes.
const ImWchar kRanges[] = {0x0020, 0x00FF, 0x0131, 0x0131, 0x0391, 0x03C9, 0x03D5, 0x03D5,
                           0x1D48, 0x1D48, 0x2010, 0x2027, 0x2030, 0x2033, 0x2070, 0x208E,
                           0x2190, 0x2193, 0x2202, 0x2202, 0x2206, 0x2206, 0x2208, 0x220F,
                           0x2211, 0x2212, 0x2219, 0x221E, 0x222B, 0x222B, 0x2248, 0x2248,
                           0x2260, 0x2265, 0x22C5, 0x22C5, 0x25CF, 0x25CF, 0};

// Loads `file`, with missing glyphs from `second`. Falls back to the built-in font.
ImFont* add(const std::string& file, const std::string& second, float pixels) {
  ImFontAtlas& atlas = *ImGui::GetIO().Fonts;
  pixels = std::round(pixels);
  ImFontConfig config;
  config.OversampleH = 2;
  config.OversampleV = 1;
  config.PixelSnapH = pixels < 28;
  if (file.empty()) {
    config.SizePixels = pixels;
    return atlas.AddFontDefault(&config);
  }
  ImFont* font = atlas.AddFontFromFileTTF(file.c_str(), pixels, &config, kRanges);
  if (font && !second.empty()) {
    config.MergeMode = true;
    atlas.AddFontFromFileTTF(second.c_str(), pixels, &config, kRanges);
  }
  return font;
}

}  // namespace

Fonts buildFonts(float scale, float pixelRatio) {
  ImGuiIO& io = ImGui::GetIO();
  io.Fonts->Clear();
  io.Fonts->TexDesiredWidth = 1024 * static_cast<int>(std::ceil(scale * pixelRatio));
  // No font is smaller than 12 px, whatever the scale.
  const auto size = [&](float at1x) { return std::max(12.f, at1x * scale) * pixelRatio; };
  const std::string regular = render::wordsFontFile("Regular"),
                    strong = render::wordsFontFile("SemiBold");
  const std::string mono = render::numbersFontFile();
  Fonts fonts;
  fonts.builtIn = regular.empty();
  fonts.words = add(regular, mono, size(15));
  fonts.strong = add(strong.empty() ? regular : strong, mono, size(15));
  fonts.small = add(regular, mono, size(13));
  fonts.numbers = add(mono.empty() ? regular : mono, regular, size(14));
  fonts.smallNumbers = add(mono.empty() ? regular : mono, regular, size(13));
  fonts.largeNumbers = add(mono.empty() ? regular : mono, "", size(26));
  io.FontDefault = fonts.words;
  io.FontGlobalScale = 1 / pixelRatio;
  io.Fonts->Build();
  return fonts;
}

}  // namespace cellscope::gui
