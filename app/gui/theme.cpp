#include <algorithm>
#include <cmath>

#include "app/gui/theme.h"
#include "render/font_atlas.h"

namespace cellscope::gui {

static ImVec4 vec(ImU32 colour) { return ImGui::ColorConvertU32ToFloat4(colour); }

static void applyColours(const Palette& p, ImVec4* c) {
  c[ImGuiCol_Text] = vec(p.text);
  c[ImGuiCol_TextDisabled] = vec(p.muted);
  c[ImGuiCol_WindowBg] = c[ImGuiCol_PopupBg] = vec(p.panel);
  c[ImGuiCol_ChildBg] = ImVec4(0, 0, 0, 0);
  c[ImGuiCol_Border] = c[ImGuiCol_Separator] = vec(p.line);
  c[ImGuiCol_BorderShadow] = ImVec4(0, 0, 0, 0);
  c[ImGuiCol_FrameBg] = vec(p.raised);
  c[ImGuiCol_FrameBgHovered] = vec(mix(p.raised, p.accent, 0.15f));
  c[ImGuiCol_FrameBgActive] = vec(mix(p.raised, p.accent, 0.25f));
  c[ImGuiCol_Button] = vec(p.raised);
  c[ImGuiCol_ButtonHovered] = vec(mix(p.raised, p.accent, 0.25f));
  c[ImGuiCol_ButtonActive] = vec(mix(p.raised, p.accent, 0.45f));
  c[ImGuiCol_Header] = vec(mix(p.panel, p.accent, 0.18f));
  c[ImGuiCol_HeaderHovered] = vec(mix(p.panel, p.accent, 0.26f));
  c[ImGuiCol_HeaderActive] = vec(mix(p.panel, p.accent, 0.36f));
  c[ImGuiCol_CheckMark] = c[ImGuiCol_SliderGrab] = c[ImGuiCol_SliderGrabActive] = vec(p.accent);
  c[ImGuiCol_ScrollbarBg] = ImVec4(0, 0, 0, 0);
  c[ImGuiCol_ScrollbarGrab] = vec(p.line);
  c[ImGuiCol_ScrollbarGrabHovered] = c[ImGuiCol_ScrollbarGrabActive] = vec(p.muted);
  c[ImGuiCol_TextSelectedBg] = vec(withAlpha(p.accent, 0.35f));
  c[ImGuiCol_TableHeaderBg] = vec(p.raised);
  c[ImGuiCol_TableRowBgAlt] = vec(withAlpha(p.raised, 0.5f));
  c[ImGuiCol_TableBorderStrong] = c[ImGuiCol_TableBorderLight] = vec(p.line);
  c[ImGuiCol_PlotHistogram] = vec(p.accent);
  c[ImGuiCol_NavHighlight] = vec(p.accent);
  c[ImGuiCol_ModalWindowDimBg] = vec(withAlpha(p.viewport, 0.6f));
}

// In the order of the members.
const Palette& palette(bool dark) {
  static constexpr Palette kDark = {true,          rgb(0x0E1116), rgb(0x161B22), rgb(0x21272F),
                                    rgb(0x2A313C), rgb(0xE6EDF3), rgb(0x8B949E), rgb(0x4CC2FF),
                                    rgb(0x0E1116), rgb(0xFF6B61), rgb(0xE3B341), rgb(0x56D364)};
  static constexpr Palette kLight = {false,         rgb(0xFFFFFF), rgb(0xF3F5F8), rgb(0xE2E7ED),
                                     rgb(0xCDD5DE), rgb(0x1B222B), rgb(0x59636E), rgb(0x0070B8),
                                     rgb(0xFFFFFF), rgb(0xC4261D), rgb(0x8A5A00), rgb(0x1A7F37)};
  return dark ? kDark : kLight;
}

ImU32 mix(ImU32 from, ImU32 to, float t) {
  const ImVec4 a = vec(from), b = vec(to);
  return ImGui::ColorConvertFloat4ToU32(ImVec4(a.x + (b.x - a.x) * t, a.y + (b.y - a.y) * t,
                                               a.z + (b.z - a.z) * t, a.w + (b.w - a.w) * t));
}

ImU32 plotColour(const Palette& colours, int index) {
  static const ImU32 kDark[] = {rgb(0x4CC2FF), rgb(0xE69F00), rgb(0x2BB98A),
                                rgb(0xDB9BBE), rgb(0xF0E442), rgb(0xE2733A)};
  static const ImU32 kLight[] = {rgb(0x0072B2), rgb(0xB36B00), rgb(0x007A59),
                                 rgb(0xA8487F), rgb(0x7A7000), rgb(0xA94400)};
  return (colours.dark ? kDark : kLight)[index % 6];
}

void applyStyle(const Palette& colours, float scale) {
  ImGuiStyle style;
  style.WindowPadding = ImVec2(16, 16);
  style.FramePadding = ImVec2(8, 5);
  style.ItemSpacing = ImVec2(8, 8);
  style.ItemInnerSpacing = ImVec2(8, 4);
  style.ScrollbarSize = 10;
  style.ScrollbarRounding = 5;
  style.FrameRounding = style.GrabRounding = 4;
  style.WindowRounding = style.PopupRounding = style.ChildRounding = 6;
  style.WindowBorderSize = style.FrameBorderSize = style.ChildBorderSize = 0;
  style.PopupBorderSize = 1;
  style.DisplaySafeAreaPadding = ImVec2(0, 0);
  style.ScaleAllSizes(std::max(0.5f, scale));
  style.WindowMinSize = ImVec2(1, 1);  // not scaled: ImGui refuses less than a pixel
  style.PopupBorderSize = 1;
  applyColours(colours, style.Colors);
  ImGui::GetStyle() = style;
}

// Latin, Greek, punctuation, super- and subscripts, arrows, operators, small shapes.
const ImWchar kRanges[] = {0x0020, 0x00FF, 0x0131, 0x0131, 0x0391, 0x03C9, 0x03D5, 0x03D5,
                           0x1D48, 0x1D48, 0x2010, 0x2027, 0x2030, 0x2033, 0x2070, 0x208E,
                           0x2190, 0x2193, 0x2202, 0x2202, 0x2206, 0x2206, 0x2208, 0x220F,
                           0x2211, 0x2212, 0x2219, 0x221E, 0x222B, 0x222B, 0x2248, 0x2248,
                           0x2260, 0x2265, 0x22C5, 0x22C5, 0x25CF, 0x25CF, 0};

// Loads `file`, with missing glyphs from `second`. Falls back to the built-in font.
static ImFont* add(const std::string& file, const std::string& second, float pixels) {
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

void useBuiltInTypeface() {
  render::builtInTypeface = [] {
    ImFontAtlas atlas;
    atlas.AddFontDefault();
    const ImFontConfig& made = atlas.ConfigData.front();
    const auto* const bytes = static_cast<const unsigned char*>(made.FontData);
    return std::vector<unsigned char>(bytes, bytes + made.FontDataSize);
  };
}

Fonts buildFonts(float scale, float pixelRatio) {
  ImGuiIO& io = ImGui::GetIO();
  io.Fonts->Clear();
  io.Fonts->TexDesiredWidth = 1024 * static_cast<int>(std::ceil(scale * pixelRatio));
  // No font is smaller than 12 px, whatever the scale.
  const auto size = [&](float at1x) { return std::max(12.f, at1x * scale) * pixelRatio; };
  std::string regular = render::wordsFontFile("Regular"), mono = render::numbersFontFile();
  if (regular.empty()) regular = mono;
  if (mono.empty()) mono = regular;
  const std::string strong = render::wordsFontFile("SemiBold");
  Fonts fonts;
  fonts.builtIn = regular.empty();
  fonts.words = add(regular, mono, size(15));
  fonts.strong = add(strong.empty() ? regular : strong, mono, size(15));
  fonts.small = add(regular, mono, size(13));
  fonts.numbers = add(mono, regular, size(14));
  fonts.smallNumbers = add(mono, regular, size(13));
  fonts.largeNumbers = add(mono, "", size(26));
  io.FontDefault = fonts.words;
  io.FontGlobalScale = 1 / pixelRatio;
  io.Fonts->Build();
  return fonts;
}

float displayScale(float contentScale, int heightPixels) {
  constexpr float kUsual = 1080;
  const float content = std::clamp(contentScale, 0.5f, 4.f);
  const float larger = std::floor(4 * (static_cast<float>(heightPixels) / content) / kUsual) / 4;
  return std::min(4.f, content * std::clamp(larger, 1.f, 2.f));
}

float presentationZoom(float heightAtScale1) {
  return std::max(1.5f, kReadableShare * heightAtScale1 / kSmallestPrint);
}

}  // namespace cellscope::gui
