// Studies and benchmarks as a person or a script starts them: tables, checkpoints, interruptions.
// Videos of batch runs, with a program in the place of ffmpeg, and experiments read back from
// pictures.
#include <gmock/gmock.h>

#include "tests/support/message_of.h"
#include "tests/support/pictures.h"
#include "tests/support/program.h"

namespace cellscope::test {
namespace {

class StudyRuns : public Program {
 protected:
  // On the CPU, with results in the folder of the test.
  std::string study(const std::string& options) const {
    return "reproduce " + options + " --backend cpu --folder " + folder_.string();
  }
};

// 0, 1 or 3, and the report gives the same code.
void expectStudyCode(const Result& r) {
  EXPECT_TRUE(r.code == 0 || r.code == 1 || r.code == 3) << r.code << "\n" << r.output;
  expectWords(r.output, {"(exit code " + std::to_string(r.code) + ")"});
}

TEST_F(StudyRuns, StudiesWriteResultsAndGoOn) {
  const std::string table = study("table2 --sides 16 --packings 0.3,0.4 --minutes 0.04");
  Result r = cellscope(table);
  expectStudyCode(r);
  expectWords(r.output, {"from the fluid", "from the crystal"});
  EXPECT_FALSE(has(r, "resumes from sweep")) << r.output;
  EXPECT_EQ(linesOf(file("table2.csv")).size(), 3u) << r.output;
  r = cellscope(table + " --start crystal");
  expectWords(r.output, {"resumes from sweep", "16^2 | 0.4 | - | "});
  EXPECT_TRUE(refuses("reproduce table9"));
}

TEST_F(StudyRuns, StudiesAreSharedByTheirSeeds) {
  const std::string table =
      study(
          "table2 --sides 16 --packings 0.3 --start fluid --minutes 0.02 --seeds 2 --together 2") +
      " --first-seed ";
  const Result r = cellscope(table + "5");
  EXPECT_TRUE(has(r, "from the fluid, seed 5") && has(r, "from the fluid, seed 6")) << r.output;
  EXPECT_TRUE(fs::exists(file("table2-16-0.3-random-5.checkpoint")) &&
              fs::exists(file("table2-16-0.3-random-6.checkpoint")));
  EXPECT_FALSE(fs::exists(file("table2-16-0.3-random-1.checkpoint")));
  expectWords(io::readFile(file("table2.md")), {"--first-seed 5"});
  EXPECT_TRUE(refuses(table + "0"));  // the starts have their own random numbers
}

TEST_F(StudyRuns, LargerSizesBeginWithCopiesOfSmallerOnes) {
  const std::string table = study("table2 --packings 0.7 --start crystal --minutes 0.03");
  EXPECT_TRUE(refuses(table + " --sides 16 --grow", {"needs a smaller run"}));
  cellscope(table + " --sides 8");
  const Result r = cellscope(table + " --sides 16,32 --grow");
  expectWords(r.output, {"16^2, packing 0.7, from the crystal, seed 1: starts from 2 x 2 copies of "
                         "table2-8-0.7-hexagonal-1",
                         "starts from 2 x 2 copies of table2-16-0.7-hexagonal-1",
                         "--grow: a run without a checkpoint"});
  EXPECT_EQ(linesOf(file("table2.csv")).size(), 3u) << r.output;
}

// Four combinations of shuffles at every packing fraction that is asked for, published or not.
TEST_F(StudyRuns, Table1TakesAnyPackingFraction) {
  const Result r = cellscope(study("table1 --sides 16 --packings 0.4,0.698 --minutes 0.05"));
  expectStudyCode(r);
  const std::vector<std::string> lines = linesOf(file("table1.csv"));
  ASSERT_EQ(lines.size(), 9u) << r.output;
  const std::string published[] = {"9.170790(50)", "9.17070(10)", "9.17160(10)", "9.17150(10)"};
  for (std::size_t k = 0; k < 4; ++k) {
    EXPECT_EQ(lines[k + 1].find(published[k]), std::string::npos) << lines[k + 1];
    EXPECT_NE(lines[k + 5].find(published[k]), std::string::npos) << lines[k + 5];
  }
  expectWords(r.output, {"Published: J. Kolafa and M. Rottner", "n_M = 4"});  // right at 0.4
}

// With another n_M the paper's values without particle shuffle do not hold, those with it do; the
// runs have checkpoints of their own.
TEST_F(StudyRuns, Table1TakesTheMovesPerCell) {
  // From the crystal, which needs no preparation: every run leaves a checkpoint in time.
  const std::string table =
      study("table1 --sides 16 --packings 0.698 --start crystal --minutes 0.03");
  const Result r = cellscope(table + " --moves-per-cell 1");
  EXPECT_EQ(r.code, 3) << "Table 1 has another size\n" << r.output;
  const std::vector<std::string> lines = linesOf(file("table1.csv"));
  ASSERT_EQ(lines.size(), 5u) << r.output;
  EXPECT_NE(lines[2].find("9.17070(10)"), std::string::npos) << lines[2];
  EXPECT_EQ(lines[3].find("9.17160(10)"), std::string::npos) << lines[3];
  expectWords(io::readFile(file("table1.md")), {"--moves-per-cell 1"});
  EXPECT_TRUE(completes("run --backend cpu --steps 1 --resume " +
                        file("table1-16-0.698-p--1-hexagonal-1.checkpoint") + " --csv " +
                        file("m.csv")));
  expectWords(io::readFile(file("m.csv")), {"# parameter n_M = 1\n"});
  EXPECT_FALSE(has(cellscope(table), "resumes from sweep")) << "n_M = 4 starts from step 0";
  EXPECT_TRUE(refuses("reproduce table2 --moves-per-cell 1"));
  EXPECT_TRUE(refuses("reproduce table1 --moves-per-cell 0"));
}

TEST_F(StudyRuns, Table2BeginsWithTwoPhases) {
  const std::string table = study("table2 --start coexistence --sides 32 --minutes 0.05");
  EXPECT_TRUE(ended(cellscope(table + " --packings 0.708"), 3, {"P* from two phases"}))
      << "nothing is published for 32^2";
  EXPECT_TRUE(fs::exists(file("table2-32-0.708-coexistence-1.checkpoint")));
  EXPECT_TRUE(refuses(table + " --packings 0.698", {"0.700 to 0.716"}));
  EXPECT_TRUE(refuses(table + " --packings 0.708 --grow"));
}

// Four runs side by side, ended by a signal long before their time: table, checkpoints, and on.
TEST_F(StudyRuns, StudiesThatAreInterruptedKeepWhatTheyHave) {
  const std::string table =
      study("table2 --sides 16 --packings 0.3,0.4 --together 4") + " --minutes ";
  expectStudyCode(cellscope(table + "0.03"));
  const std::string before = io::readFile(file("table2.csv"));
  // Two seconds of work of its own.
  EXPECT_TRUE(ended(shell(CELLSCOPE_PROGRAM " " + table + "9" +
                          signalledOnce("[ $(cut -d' ' -f14 /proc/$p/stat) -ge 200 ]")),
                    85, {"resumes from sweep", "call again"}));
  const std::string after = io::readFile(file("table2.csv"));
  EXPECT_NE(after, before);
  EXPECT_EQ(linesOf(file("table2.csv")).size(), 3u) << after;
  expectWords(io::readFile(file("table2.md")), {"--together 4"});
  int checkpoints = 0;
  for (const auto& entry : fs::directory_iterator(folder_))
    checkpoints += entry.path().extension() == ".checkpoint";
  EXPECT_EQ(checkpoints, 4);
}

TEST_F(StudyRuns, StudiesOfSmallSystemsRun) {
  EXPECT_TRUE(completes(study("table4 --sides 8,16 --rounds 2 --threads 2 --minutes 0.03"),
                        {"CPU, 2 threads | 16^2"}));
  expectWords(io::readFile(file("table4.md")), {"--sides 8,16 --rounds 2 "});
}

TEST_F(StudyRuns, BenchmarksStateTheirLimit) {
  const std::string results = file("bench.json"), record = file("records");
  const Result r = cellscope("bench --backend cpu --filter memory/256 --json " + results +
                             " --record " + record);
  ASSERT_TRUE(ended(r, 0, {"limit"}));
  EXPECT_NE(io::readFile(results).find("\"case\": \"memory/256^2\""), std::string::npos);
  EXPECT_FALSE(fs::is_empty(record));
  // Not on the lattice that everything starts from: its trial moves are blocked less or more often.
  const std::size_t at = r.output.find("sweeps after a square lattice: acceptance ");
  ASSERT_NE(at, std::string::npos) << r.output;
  EXPECT_GE(std::stoi(r.output.substr(r.output.rfind(' ', at - 2))), 50) << r.output;
  EXPECT_TRUE(refuses("bench --filter no-such-case"));
}

// By mode, each row with its unit and what its limit counts.
TEST_F(StudyRuns, BenchmarksAreListedByMode) {
  const Result r = cellscope("bench --list --backend cpu");
  ASSERT_EQ(r.code, 0) << r.output;
  const std::size_t disks = r.output.find("Mode hard_disks\n"), md = r.output.find("Mode md\n");
  ASSERT_TRUE(disks < md && md != std::string::npos) << r.output;
  const std::size_t rate = r.output.find("trial moves per second (moves/s)");
  EXPECT_TRUE(disks < rate && rate < md) << r.output;
  EXPECT_TRUE(has(r, "limit: 10 instructions per pair") && has(r, "md/4096 all pairs (cpu)"));
  EXPECT_EQ(r.output.find("(cuda)"), std::string::npos);
  EXPECT_FALSE(has(cellscope("bench --list --backend cpu --filter memory/256"), "Mode md"));
}

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
  render::Metadata texts = render::pngTexts(io::readFile(file("a.png")), "a.png");
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
