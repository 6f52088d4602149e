// Videos of batch runs, with a program in the place of ffmpeg, and experiments read back from
// pictures.
#include <gmock/gmock.h>

#include "tests/support/pictures.h"
#include "tests/support/program.h"

namespace cellscope::test {
namespace {

using testing::HasSubstr;

class ProgramVideo : public Program {
 protected:
  void fakeFfmpeg(const std::string& script) const {
    fs::permissions(put("bin/ffmpeg", "#!/bin/sh\n" + script + "\n"), fs::perms::owner_all);
  }
  // With a PATH on which the only ffmpeg is the fake one, or none.
  Result run(const std::string& arguments, const std::string& before = "") const {
    return shell(before + "env -u DISPLAY -u WAYLAND_DISPLAY PATH=" + (folder_ / "bin").string() +
                 ":" + (folder_ / "tools").string() + " " CELLSCOPE_PROGRAM " " + run_ +
                 "--picture-size 64x66 " + arguments);
  }
  void SetUp() override {
    Program::SetUp();
    fs::create_directories(folder_ / "tools");
    for (const char* tool : {"cat", "head"})
      fs::create_symlink(std::string("/bin/") + tool, folder_ / "tools" / tool);
  }
};

TEST_F(ProgramVideo, PicturesAtMultiplesGoToFfmpeg) {
  fakeFfmpeg("for last; do :; done\necho \"$@\" > '" + file("arguments") + "'\ncat > \"$last\"");
  ASSERT_TRUE(ended(run("--steps 25 --video-every 10 --video " + file("a.mp4")), 0,
                    {"3 pictures"}));  // steps 0, 10 and 20
  EXPECT_EQ(fs::file_size(file("a.mp4")), 3u * 64 * 66 * 3);
  EXPECT_FALSE(fs::exists(file("a.part.mp4")));
  EXPECT_THAT(io::readFile(file("arguments")), HasSubstr("-video_size 64x66 -framerate 25"));
  ASSERT_EQ(run("--steps 5 --video-every 5 --video " + file("a.mp4")).code, 0);
  EXPECT_EQ(fs::file_size(file("a.1.mp4")), 3u * 64 * 66 * 3) << "the older one was renamed";
}

// No name is an option or a protocol to ffmpeg.
TEST_F(ProgramVideo, EveryNameReachesFfmpegAsAPath) {
  fakeFfmpeg("for last; do :; done\necho \"$last\" >> arguments\ncat > \"$last\"");
  const std::string here = "cd " + folder_.string() + "; ";
  for (const char* name : {"-x.mp4", "a:b.mp4", "pipe:1.mp4"}) {
    EXPECT_TRUE(ended(run("--steps 2 --video-every 2 --video=" + std::string(name), here), 0));
    EXPECT_TRUE(fs::exists(file(name))) << name;
  }
  EXPECT_THAT(linesOf(file("arguments")),
              testing::ElementsAre("./-x.part.mp4", "./a:b.part.mp4", "./pipe:1.part.mp4"));
}

TEST_F(ProgramVideo, WithoutFfmpegASeriesIsWrittenAndSaid) {
  ASSERT_TRUE(ended(run("--steps 20 --video-every 10 --video " + file("a.mp4")), 0,
                    {"ffmpeg is not installed"}));
  EXPECT_FALSE(fs::exists(file("a.mp4")));
  for (const char* name : {"a/a-000001.png", "a/a-000002.png", "a/a-000003.png"}) {
    const render::Image image = readPng(file(name));
    EXPECT_EQ(image.width, 64);
    EXPECT_EQ(image.height, 66);
  }
  EXPECT_FALSE(fs::exists(file("a/a-000004.png")));
  ASSERT_EQ(run("--steps 10 --video-every 10 --video " + file("a.png")).code, 0);
  EXPECT_TRUE(fs::exists(file("a.1/a-000003.png"))) << "the older series was renamed";
  ASSERT_EQ(run("--steps 10 --video-every 10 --overwrite --video " + file("a.png")).code, 0);
  EXPECT_FALSE(fs::exists(file("a/a-000003.png")));
  EXPECT_FALSE(fs::exists(file("a.2")));
}

// A player that follows the rule of larger videos, BT.709 in limited range, shows the colours of
// the series of pictures.
TEST_F(ProgramVideo, ColoursAreThoseOfTheSeries) {
  if (shell("ffmpeg -version").code != 0) GTEST_SKIP() << "ffmpeg is not installed";
  const std::string run =
      "run coexistence --steps 1 --backend cpu --quiet --picture-size 256x256 "
      "--video-every 1 --video ";
  ASSERT_TRUE(completes(run + file("s.png")));
  for (const char* end : {".mp4", ".mkv", ".webm"}) {
    const std::string name = file(std::string("v") + end), png = file("decoded.png");
    ASSERT_TRUE(completes(run + name));
    const Result tags = shell(
        "ffprobe -v error -select_streams v -show_entries "
        "stream=color_range,color_space,color_primaries,color_transfer -of csv=p=0 " +
        name);
    EXPECT_EQ(tags.output, "tv,bt709,bt709,bt709\n") << end;
    const Result decoded =
        shell("ffmpeg -v error -y -i " + name +
              " -frames:v 1 -vf "
              "scale=in_color_matrix=bt709:in_range=limited:flags=accurate_rnd -pix_fmt rgb24 " +
              png);
    ASSERT_EQ(decoded.code, 0) << decoded.output;
    const render::Image a = readPng(file("s/s-000001.png")), b = readPng(png);
    ASSERT_EQ(a.width, b.width);
    // Means of blocks of 16 pixels, in which edges and the coarser colour hardly count: luma is
    // rounded to 255 / 219, colour differences to 255 / 224 of at most 1.86 times as much, half a
    // step each, 1.6 together; what encoders leave out of a mean is some steps more. BT.601 instead
    // of BT.709 is 15 off here.
    double worst = 0;
    for (int y = 0; y + 16 <= a.height; y += 16)
      for (int x = 0; x + 16 <= a.width; x += 16)
        for (std::size_t c = 0; c < 3; ++c) {
          double sum = 0;
          for (int v = 0; v < 16; ++v)
            for (int u = 0; u < 16; ++u) {
              const auto at = static_cast<std::size_t>((y + v) * a.width + x + u);
              sum +=
                  static_cast<double>(a.rgb[3 * at + c]) - static_cast<double>(b.rgb[3 * at + c]);
            }
          worst = std::max(worst, std::abs(sum / 256));
        }
    EXPECT_LT(worst, 8) << end;
  }
}

TEST_F(ProgramVideo, AnFfmpegThatFailsIsAnErrorWithItsWords) {
  fakeFfmpeg("cat > /dev/null\necho 'No space left on device' >&2\nexit 1");
  Result r = run("--steps 20 --video-every 10 --csv " + csv_ + " --video " + file("a.mp4"));
  EXPECT_TRUE(ended(r, 1, {"ffmpeg ended with code 1: No space left on device"}));
  EXPECT_FALSE(fs::exists(file("a.mp4")));
  EXPECT_TRUE(fs::exists(csv_));
  // One that ends while there are more pictures to come.
  fakeFfmpeg("head -c 100 > /dev/null\necho 'unknown encoder' >&2\nexit 3");
  EXPECT_TRUE(ended(run("--steps 200 --video-every 1 --video " + file("b.mp4")), 1,
                    {"ended with code 3: unknown encoder"}));
  EXPECT_FALSE(fs::exists(file("b.part.mp4")));
}

TEST_F(ProgramVideo, AFullDiskIsAnError) {
  EXPECT_TRUE(ended(run("--steps 20 --video-every 10 --video " + file("a.png"), "ulimit -f 0; "), 1,
                    {"a-000001.png"}));
}

TEST_F(ProgramVideo, APictureOpensAsTheExperimentThatItShows) {
  ASSERT_EQ(run("--steps 3 --set d=0.3 seed=5 --picture " + file("a.png")).code, 0);
  const std::string again = "env -u DISPLAY -u WAYLAND_DISPLAY " CELLSCOPE_PROGRAM
                            " run --backend cpu --threads 1 --steps 20 ";
  ASSERT_TRUE(ended(shell(again + file("a.png") + " --csv " + csv_), 0));
  ASSERT_TRUE(ended(
      shell(again + "four_disks --set d=0.3 seed=5 --sample-every 5 --csv " + file("b.csv")), 0));
  EXPECT_EQ(seriesRows(csv_), seriesRows(file("b.csv")));
  // Its name becomes that of results.
  render::Metadata texts = readPngTexts(file("a.png"));
  for (const char* name : {"../../evil", "..", "a/b"}) {
    for (auto& [key, text] : texts)
      if (key == "scenario") text = name;
    writePng(file("evil.png"), {1, 1, {0, 0, 0}}, texts);
    EXPECT_TRUE(ended(shell(again + file("evil.png")), 2,
                      {std::string(name) + "', which is not the name of a file"}));
  }
  writePng(file("other.png"), {1, 1, {0, 0, 0}}, {{"Software", "another"}});
  EXPECT_TRUE(ended(shell(again + file("other.png")), 2, {"carries no experiment"}));
}

}  // namespace
}  // namespace cellscope::test
