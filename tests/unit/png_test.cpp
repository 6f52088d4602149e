#include "render/png.h"

#include <gtest/gtest.h>
#include <sys/resource.h>
#include <unistd.h>

#include <csignal>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <tuple>

#include "sim/base/error.h"
#include "tests/support/message_of.h"

namespace cellscope::render {
namespace {
namespace fs = std::filesystem;

class Png : public testing::Test {
 protected:
  Png()
      : folder_(fs::temp_directory_path() /
                ("cellscope-png-" + std::to_string(::getpid()) + "-" +
                 testing::UnitTest::GetInstance()->current_test_info()->name())) {
    fs::create_directories(folder_);
  }
  ~Png() override { fs::remove_all(folder_); }
  std::string at(const std::string& name) const { return (folder_ / name).string(); }

  static Image gradient(int width, int height) {
    Image image{width, height, {}};
    for (int y = 0; y < height; ++y)
      for (int x = 0; x < width; ++x)
        for (int c = 0; c < 3; ++c)
          image.rgb.push_back(static_cast<std::uint8_t>((7 * x + 13 * y * (c + 1)) & 255));
    return image;
  }

  fs::path folder_;
};

TEST_F(Png, PixelsAndTextsComeBack) {
  const Image image = gradient(61, 17);
  const Metadata texts = {{"Software", "cellscope"},
                          {"Comment", "seed = 7\nT = 1.5"},
                          {"Title", "η = 0.7, ψ₆"},
                          {"Empty", ""}};
  writePng(at("a.png"), image, texts);
  Metadata found;
  const Image back = readPng(at("a.png"), &found);
  EXPECT_EQ(back.width, 61);
  EXPECT_EQ(back.height, 17);
  EXPECT_EQ(back.rgb, image.rgb);
  EXPECT_EQ(found, texts);
  EXPECT_FALSE(fs::exists(at("a.png.part")));
}

// CRC of an empty IEND chunk is fixed by the format: ae 42 60 82; of tEXt "a" "b" it was computed
// with zlib: crc32("tEXta\0b") = 0xdc49a23b.
TEST_F(Png, ChecksumsAreThoseOfTheFormat) {
  const auto png = encodePng(gradient(2, 2), {{"a", "b"}});
  const std::vector<std::uint8_t> tail(png.end() - 4, png.end());
  EXPECT_EQ(tail, (std::vector<std::uint8_t>{0xae, 0x42, 0x60, 0x82}));
  const std::vector<std::uint8_t> chunk(png.begin() + 33, png.begin() + 33 + 15);
  EXPECT_EQ(chunk, (std::vector<std::uint8_t>{0, 0, 0, 3, 't', 'E', 'X', 't', 'a', 0, 'b', 0xdc,
                                              0x49, 0xa2, 0x3b}));
}

TEST_F(Png, DamagedTextIsSeen) {
  writePng(at("a.png"), gradient(4, 4), {{"Comment", "abc"}});
  std::fstream file(at("a.png"), std::ios::in | std::ios::out | std::ios::binary);
  file.seekp(33 + 8 + 9);
  file.put('X');
  file.close();
  Metadata found;
  EXPECT_THROW(readPng(at("a.png"), &found), InputError);
}

// Sizes are compared with what the bytes can hold, and texts are read without the pixels.
TEST_F(Png, DeclaredSizesAreCheckedBeforeMemoryIsTaken) {
  const std::vector<std::uint8_t> good = encodePng(gradient(4, 4), {{"Comment", "abc"}});
  const std::tuple<std::uint32_t, std::uint32_t, const char*> cases[] = {
      {16000, 1000, "16000 x 1000 pixels, more than its"},
      {1u << 24, 2, "pixels; allowed: 1 to 16777216"},
      {0, 4, "pixels; allowed: 1 to 16777216"}};
  for (const auto& [width, height, cause] : cases) {
    std::vector<std::uint8_t> bytes = good;
    for (int k = 0; k < 4; ++k) {
      bytes[16 + k] = static_cast<std::uint8_t>(width >> (24 - 8 * k));
      bytes[20 + k] = static_cast<std::uint8_t>(height >> (24 - 8 * k));
    }
    std::ofstream(at("big.png"), std::ios::binary)
        .write(reinterpret_cast<const char*>(bytes.data()),
               static_cast<std::streamsize>(bytes.size()));
    const std::string message = test::messageOf<InputError>([&] { readPng(at("big.png")); });
    EXPECT_NE(message.find(cause), std::string::npos) << message;
  }
  writePng(at("texts.png"), gradient(4, 4), {{"Comment", "abc"}});
  EXPECT_EQ(readPngTexts(at("texts.png")), (Metadata{{"Comment", "abc"}}));
}

TEST_F(Png, BadKeywordsAreRefused) {
  EXPECT_THROW(encodePng(gradient(2, 2), {{"", "x"}}), InputError);
  EXPECT_THROW(encodePng(gradient(2, 2), {{std::string(80, 'k'), "x"}}), InputError);
  EXPECT_THROW(encodePng(gradient(2, 2), {{"a\nb", "x"}}), InputError);
}

TEST_F(Png, UnwritablePlacesAreNamed) {
  const std::string path = at("missing/a.png");
  try {
    writePng(path, gradient(4, 4), {});
    FAIL() << "no error";
  } catch (const RunError& e) {
    EXPECT_NE(std::string(e.what()).find(path), std::string::npos) << e.what();
    EXPECT_NE(std::string(e.what()).find("No such file"), std::string::npos) << e.what();
    EXPECT_EQ(std::string(e.what()).find(".part"), std::string::npos) << e.what();
  }
  fs::create_directories(at("folder"));
  EXPECT_THROW(writePng(at("folder"), gradient(4, 4), {}), RunError);
  EXPECT_FALSE(fs::exists(at("folder.part")));
}

// A link such as /dev/stdout to a pipe or a device is written through, and stays.
TEST_F(Png, DevicesAreWrittenTo) {
  fs::create_symlink("/dev/null", at("device"));
  writePng(at("device"), gradient(4, 4), {});
  EXPECT_TRUE(fs::is_symlink(at("device")));
  fs::create_symlink("/dev/full", at("full"));
  EXPECT_THROW(writePng(at("full"), gradient(4, 4), {}), RunError);
  EXPECT_TRUE(fs::is_symlink(at("full")));
}

// A limit on the size of files stands for a full disk.
TEST_F(Png, AFullDiskLeavesTheOldPicture) {
  writePng(at("a.png"), gradient(4, 4), {});
  std::signal(SIGXFSZ, SIG_IGN);
  rlimit old{};
  getrlimit(RLIMIT_FSIZE, &old);
  const rlimit small{512, old.rlim_max};
  setrlimit(RLIMIT_FSIZE, &small);
  EXPECT_THROW(writePng(at("a.png"), gradient(200, 200), {}), RunError);
  setrlimit(RLIMIT_FSIZE, &old);
  EXPECT_EQ(readPng(at("a.png")).width, 4);
  EXPECT_FALSE(fs::exists(at("a.png.part")));
}

TEST_F(Png, WhatIsNoPictureIsRefused) {
  std::ofstream(at("a.png")) << "no picture";
  EXPECT_THROW(readPng(at("a.png")), InputError);
  EXPECT_THROW(readPng(at("none.png")), InputError);
}

}  // namespace
}  // namespace cellscope::render
