#include "render/font_atlas.h"

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <initializer_list>
#include <set>

namespace cellscope::render {

static std::string firstExisting(std::initializer_list<std::string> paths) {
  for (const std::string& path : paths) {
    std::error_code ignored;
    if (std::filesystem::exists(path, ignored)) return path;
  }
  return {};
}

static std::string fontFolder() {
  const char* const set = std::getenv("CELLSCOPE_FONTS");
  return set && *set ? std::string(set) + "/" : "/usr/share/fonts/";
}

std::string wordsFontFile(const std::string& weight) {
  const std::string name = "Inter-" + weight, fonts = fontFolder();
  return firstExisting({fonts + "opentype/inter/" + name + ".otf",
                        fonts + "truetype/inter/" + name + ".ttf", fonts + "inter/" + name + ".otf",
                        fonts + name + ".otf"});
}

std::string numbersFontFile() {
  const std::string name = "JetBrainsMono-Regular.ttf", fonts = fontFolder();
  return firstExisting({fonts + "truetype/jetbrains-mono/" + name, fonts + "jetbrains-mono/" + name,
                        fonts + "TTF/" + name, fonts + name});
}

std::string missingFonts() {
  const bool words = wordsFontFile("Regular").empty(), numbers = numbersFontFile().empty();
  if (!words && !numbers) return "";
  const std::string packages = std::string(words ? "fonts-inter" : "") +
                               (words && numbers ? ", " : "") +
                               (numbers ? "fonts-jetbrains-mono" : "");
  return "typefaces are missing and replaced by a plain one: install " + packages;
}

}  // namespace cellscope::render

#define STB_TRUETYPE_IMPLEMENTATION
#define STBTT_STATIC
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wunused-function"
#include <stb/stb_truetype.h>
#pragma GCC diagnostic pop

namespace cellscope::render {
namespace {

// First and last of each range: ASCII, Latin, Greek, the raised d, dashes and dots, super- and
// subscripts, arrows, operators. The typeface need not have all of them.
constexpr int kRanges[][2] = {{0x20, 0x7E},     {0xA0, 0xFF},     {0x391, 0x3C9},
                              {0x1D48, 0x1D48}, {0x2010, 0x2027}, {0x2070, 0x208E},
                              {0x2190, 0x2193}, {0x2212, 0x2212}, {0x221A, 0x221E},
                              {0x2248, 0x2248}, {0x2260, 0x2265}};
constexpr int kLargestSide = 4096;

Glyph glyphOf(const stbtt_packedchar& c, float side) {
  const auto w = static_cast<float>(c.x1 - c.x0), h = static_cast<float>(c.y1 - c.y0);
  const auto at = [&](int texel) { return static_cast<float>(texel) / side; };
  return {c.xoff,   c.yoff,   c.xoff + w, c.yoff + h, at(c.x0),
          at(c.y0), at(c.x1), at(c.y1),   c.xadvance};
}

// Characters that a typeface has and those before it have not.
struct Source {
  std::vector<unsigned char> file;
  stbtt_fontinfo font{};
  std::vector<int> characters;
  std::vector<stbtt_packedchar> packed;
};

// False: there is no such typeface.
bool open(Source& source, std::vector<unsigned char> file, std::set<int>& missing) {
  source.file = std::move(file);
  if (source.file.empty() || !stbtt_InitFont(&source.font, source.file.data(), 0)) return false;
  for (const int c : missing)
    if (stbtt_FindGlyphIndex(&source.font, c) != 0) source.characters.push_back(c);
  for (const int c : source.characters) missing.erase(c);
  source.packed.resize(source.characters.size());
  return true;
}

// All or none, into a square image.
bool pack(std::vector<Source>& sources, int pixels, int side, std::vector<std::uint8_t>& image) {
  image.assign(static_cast<std::size_t>(side) * static_cast<std::size_t>(side), 0);
  stbtt_pack_context context;
  if (!stbtt_PackBegin(&context, image.data(), side, side, 0, 1, nullptr)) return false;
  bool fitted = true;
  for (Source& s : sources) {
    if (s.characters.empty()) continue;
    stbtt_pack_range range{};
    range.font_size = static_cast<float>(pixels);
    range.array_of_unicode_codepoints = s.characters.data();
    range.num_chars = static_cast<int>(s.characters.size());
    range.chardata_for_range = s.packed.data();
    fitted = fitted && stbtt_PackFontRanges(&context, s.file.data(), 0, &range, 1) != 0;
  }
  stbtt_PackEnd(&context);
  return fitted;
}

}  // namespace

std::u32string charactersOf(const std::string& text) {
  std::u32string all;
  for (std::size_t i = 0; i < text.size();) {
    const auto first = static_cast<unsigned char>(text[i]);
    const std::size_t more = first < 0x80 ? 0 : first >= 0xF0 ? 3 : first >= 0xE0 ? 2 : 1;
    char32_t c = first < 0x80 ? first : first & (0x3Fu >> more);
    bool whole = first < 0x80 || first >= 0xC0;
    for (std::size_t k = 1; k <= more; ++k) {
      const auto next = i + k < text.size() ? static_cast<unsigned char>(text[i + k]) : 0u;
      whole = whole && (next & 0xC0u) == 0x80u;
      c = c << 6 | (next & 0x3Fu);
    }
    all.push_back(whole ? c : U'?');
    i += whole ? more + 1 : 1;
  }
  return all;
}

FontAtlas::FontAtlas(int pixels) : pixels_(pixels) {
  std::set<int> missing;
  for (const auto& [first, last] : kRanges)
    for (int c = first; c <= last; ++c) missing.insert(c);
  std::vector<Source> sources;
  for (const std::string& path : {numbersFontFile(), wordsFontFile("Regular")}) {
    std::ifstream file(path, std::ios::binary);
    if (Source s; open(s, {std::istreambuf_iterator<char>(file), {}}, missing))
      sources.push_back(std::move(s));
  }
  if (sources.empty()) open(sources.emplace_back(), builtInTypeface(), missing);
  side_ = 128;
  while (side_ <= kLargestSide && !pack(sources, pixels, side_, image_)) side_ *= 2;
  if (side_ > kLargestSide) return;
  int ascent = 0, descent = 0, gap = 0;
  stbtt_GetFontVMetrics(&sources[0].font, &ascent, &descent, &gap);
  const float scale = stbtt_ScaleForPixelHeight(&sources[0].font, static_cast<float>(pixels));
  ascent_ = static_cast<float>(ascent) * scale;
  descent_ = -static_cast<float>(descent) * scale;
  for (const Source& s : sources)
    for (std::size_t i = 0; i < s.characters.size(); ++i)
      glyphs_[static_cast<char32_t>(s.characters[i])] =
          glyphOf(s.packed[i], static_cast<float>(side_));
}

}  // namespace cellscope::render
