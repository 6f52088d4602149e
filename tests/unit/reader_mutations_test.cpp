// Damaged files: each reader gives a configuration or a clean error, whatever the bytes. PNG files:
// pixels and texts come back, and what is no picture is refused.
#include <fstream>
#include <tuple>

#include "sim/io/container.h"
#include "sim/io/formats/format.h"
#include "tests/support/message_of.h"
#include "tests/support/mixture.h"
#include "tests/support/mutate.h"
#include "tests/support/pictures.h"

namespace cellscope::render {
namespace {

void write(const std::string& path, const std::string& bytes) {
  std::ofstream(path, std::ios::binary) << bytes;
}

// Rounds of one to four changes each; returns how many files were refused.
int survives(const std::string& good, int rounds, const std::function<void(std::string)>& read,
             const std::function<void(std::string&, test::Numbers&)>& change = test::mutate) {
  int refused = 0;
  EXPECT_NO_THROW(read(good));
  for (int round = 0; round < rounds; ++round) {
    test::Numbers random(static_cast<std::uint64_t>(round) + 1);
    std::string bytes = good;
    for (std::size_t k = random.below(4) + 1; k > 0; --k) change(bytes, random);
    try {
      read(bytes);
    } catch (const InputError&) {
      ++refused;
    } catch (const std::exception& e) {
      ADD_FAILURE() << "round " << round << ": " << e.what();
    }
  }
  return refused;
}

// Each format but H5MD, which has a test of its own; the reader itself, whatever the first bytes.
TEST(ReaderMutations, FilesOfParticles) {
  for (const io::Format& format : io::formats()) {
    if (format.key == std::string("h5md")) continue;
    const std::string path = testing::TempDir() + "a." + format.key;
    const auto sink = format.create(path, "test 1.0", false);
    sink->append(test::mixture(3, 6, 1), {10, 0.5, "", false, {{"Run", "abc"}}});
    if (format.manyFrames) sink->append(test::mixture(3, 4, 2), {20, 1, "", false, {}});
    sink->close();
    EXPECT_GT(survives(io::readFile(path), 1000,
                       [&](const std::string& bytes) {
                         write(path, bytes);
                         format.read(path, false,
                                     [](io::FileFrame f) { io::settle(std::move(f)); });
                       }),
              100)
        << format.key;
  }
}

TEST(ReaderMutations, Png) {
  const std::string path = testing::TempDir() + "a.png";
  render::Image image{16, 9, std::vector<std::uint8_t>(16 * 9 * 3)};
  for (std::size_t k = 0; k < image.rgb.size(); ++k)
    image.rgb[k] = static_cast<std::uint8_t>(k * k);
  test::writePng(path, image, {{"scenario", "a"}});
  EXPECT_GT(survives(io::readFile(path), 1000,
                     [&](const std::string& bytes) {
                       write(path, bytes);
                       render::Metadata texts;
                       test::readPng(path, &texts);
                     }),
            300);
}

// With the checksum of what the file holds now.
TEST(ReaderMutations, Checkpoint) {
  io::Container c;
  c.program = "1";
  c.sections = {{"mode", "md"}, {"state", std::string(100, 'x')}, {"averages", ""}};
  const auto change = [](std::string& bytes, test::Numbers& random) {
    test::mutate(bytes, random);
    if (bytes.size() < 8 || random.below(4) == 0) return;
    bytes.resize(bytes.size() - 8);
    const std::uint64_t sum = io::crc64(bytes);
    bytes.append(reinterpret_cast<const char*>(&sum), sizeof sum);
  };
  EXPECT_GT(survives(
                io::pack(c), 2000, [](const std::string& b) { io::unpack(b, "a"); }, change),
            1000);
}

// The values of an H5MD file. What the HDF5 library itself makes of damaged structures is not for
// this program to test.
TEST(ReaderMutations, ValuesOfH5md) {
  const std::string path = testing::TempDir() + "a.h5";
  const Configuration c = test::mixture(3, 64, 1);
  {
    const auto w = io::createH5md(path, "test 1.0", false);
    w->append(c, {10, 0, "r", false, {}});
    w->close();
  }
  const std::string good = io::readFile(path);
  const auto placeOf = [&](const auto* values) {
    return good.find(std::string(reinterpret_cast<const char*>(values), 32));
  };
  const std::vector<std::int32_t> species(c.types.begin(), c.types.end());
  const std::size_t places[] = {placeOf(c.positions.data()), placeOf(c.ids.data()),
                                placeOf(species.data())};
  for (const std::size_t at : places) ASSERT_NE(at, good.npos);
  const auto change = [&](std::string& bytes, test::Numbers& random) {
    const std::size_t at = places[random.below(3)];  // the smallest has four bytes a particle
    bytes[at + random.below(4 * c.size())] = static_cast<char>(random.below(256));
  };
  EXPECT_GT(survives(
                good, 200,
                [&](const std::string& bytes) {
                  write(path, bytes);
                  io::readConfiguration(path).configuration;
                  io::h5mdFrames(path);
                },
                change),
            50);
}

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
    test::expectRefusal([&] { decodePng(bytes, "big.png"); }, {cause});
  }
  EXPECT_EQ(pngTexts(good, "texts.png"), (Metadata{{"Comment", "abc"}}));
}

TEST(Png, WhatIsDamagedOrNoPictureIsRefused) {
  for (const std::string& keyword : {std::string(), std::string(80, 'k'), std::string("a\nb")})
    EXPECT_THROW(encodePng(gradient(2, 2), {{keyword, "x"}}), InputError) << keyword;
  EXPECT_THROW(decodePng("no picture", "a.png"), InputError);
  EXPECT_THROW(pngTexts("", "a.png"), InputError);
  std::string png = encodePng(gradient(4, 4), {{"Comment", "abc"}});
  png[33 + 8 + 9] = 'X';  // in the text
  Metadata found;
  EXPECT_THROW(decodePng(png, "a.png", &found), InputError);
}

}  // namespace
}  // namespace cellscope::render
