#include "render/png.h"

#include <gtest/gtest.h>

#include <string>
#include <tuple>

#include "sim/base/error.h"
#include "tests/support/message_of.h"

namespace cellscope::render {
namespace {

Image gradient(int width, int height) {
  Image image{width, height, {}};
  for (int y = 0; y < height; ++y)
    for (int x = 0; x < width; ++x)
      for (int c = 0; c < 3; ++c)
        image.rgb.push_back(static_cast<std::uint8_t>((7 * x + 13 * y * (c + 1)) & 255));
  return image;
}

TEST(Png, PixelsAndTextsComeBack) {
  const Image image = gradient(61, 17);
  const Metadata texts = {{"Software", "cellscope"},
                          {"Comment", "seed = 7\nT = 1.5"},
                          {"Title", "η = 0.7, ψ₆"},
                          {"Empty", ""}};
  Metadata found;
  const Image back = decodePng(encodePng(image, texts), "a.png", &found);
  EXPECT_EQ(back.width, 61);
  EXPECT_EQ(back.height, 17);
  EXPECT_EQ(back.rgb, image.rgb);
  EXPECT_EQ(found, texts);
}

// CRC of an empty IEND chunk is fixed by the format: ae 42 60 82; of tEXt "a" "b" it was computed
// with zlib: crc32("tEXta\0b") = 0xdc49a23b.
TEST(Png, ChecksumsAreThoseOfTheFormat) {
  const std::string png = encodePng(gradient(2, 2), {{"a", "b"}});
  EXPECT_TRUE(png.ends_with("\xae\x42\x60\x82"));
  EXPECT_EQ(png.substr(33, 15), std::string("\0\0\0\3tEXta\0b\xdc\x49\xa2\x3b", 15));
}

TEST(Png, DamagedTextIsSeen) {
  std::string png = encodePng(gradient(4, 4), {{"Comment", "abc"}});
  png[33 + 8 + 9] = 'X';
  Metadata found;
  EXPECT_THROW(decodePng(png, "a.png", &found), InputError);
}

// Sizes are compared with what the bytes can hold, and texts are read without the pixels.
TEST(Png, DeclaredSizesAreCheckedBeforeMemoryIsTaken) {
  const std::string good = encodePng(gradient(4, 4), {{"Comment", "abc"}});
  const std::tuple<std::uint32_t, std::uint32_t, const char*> cases[] = {
      {16000, 1000, "16000 x 1000 pixels, more than its"},
      {1u << 24, 2, "pixels; allowed: 1 to 16777216"},
      {0, 4, "pixels; allowed: 1 to 16777216"}};
  for (const auto& [width, height, cause] : cases) {
    std::string bytes = good;
    for (int k = 0; k < 4; ++k) {
      bytes[16 + k] = static_cast<char>(width >> (24 - 8 * k));
      bytes[20 + k] = static_cast<char>(height >> (24 - 8 * k));
    }
    const std::string message = test::messageOf<InputError>([&] { decodePng(bytes, "big.png"); });
    EXPECT_NE(message.find(cause), std::string::npos) << message;
  }
  EXPECT_EQ(pngTexts(good, "texts.png"), (Metadata{{"Comment", "abc"}}));
}

TEST(Png, BadKeywordsAreRefused) {
  EXPECT_THROW(encodePng(gradient(2, 2), {{"", "x"}}), InputError);
  EXPECT_THROW(encodePng(gradient(2, 2), {{std::string(80, 'k'), "x"}}), InputError);
  EXPECT_THROW(encodePng(gradient(2, 2), {{"a\nb", "x"}}), InputError);
}

TEST(Png, WhatIsNoPictureIsRefused) {
  EXPECT_THROW(decodePng("no picture", "a.png"), InputError);
  EXPECT_THROW(pngTexts("", "a.png"), InputError);
}

}  // namespace
}  // namespace cellscope::render
