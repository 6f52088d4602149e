// Sliders and typed values of the parameter panel.
// Completion of paths, lists of fitting files, and what the window remembers between two starts.
#include <gmock/gmock.h>

#include <cstdlib>

#include "app/gui/widgets.h"
#include "tests/support/program.h"

namespace cellscope::gui {
namespace {

ParameterState real(double min, double max, bool isLog) {
  ParameterState p;
  p.info = {
      .key = "packing", .label = "Packing fraction", .min = min, .max = max, .logScale = isLog};
  p.value = p.fallback = min;
  return p;
}

ParameterState whole(double min, double max) {
  ParameterState p = real(min, max, true);
  p.info.key = "particles";
  p.value = p.fallback = static_cast<std::int64_t>(min);
  return p;
}

SliderRange spanOf(const ParameterState& p) { return rangeOf(p.info, {}, false); }

// What a text gives; nothing where it is refused.
std::optional<ParameterValue> typed(const ParameterState& p, const char* text) {
  ParameterValue value = std::int64_t{5};
  if (!checkText(p, text, value).empty()) return std::nullopt;
  return value;
}

TEST(ParameterEdit, SlidersSpanWhereSomethingHappens) {
  ParameterState p = real(0.01, 0.9, false);
  EXPECT_TRUE(spanOf(p).isAll);
  p.info.interestingMin = 0.65;
  p.info.interestingMax = 0.75;
  EXPECT_DOUBLE_EQ(asDouble(valueAt(p, spanOf(p), 0)), 0.65);
  EXPECT_DOUBLE_EQ(asDouble(valueAt(p, spanOf(p), 1)), 0.75);
  EXPECT_FLOAT_EQ(fractionOf(spanOf(p), 0.2), 0);  // outside: at its end
  EXPECT_DOUBLE_EQ(rangeOf(p.info, {}, true).hi, 0.9);
  const Promoted other{"n", 1, 2}, mine{"packing", 0.69, 0.73};
  EXPECT_DOUBLE_EQ(rangeOf(p.info, other, false).lo, 0.65);
  EXPECT_DOUBLE_EQ(rangeOf(p.info, mine, false).lo, 0.69);
  EXPECT_FALSE(rangeOf(p.info, mine, false).isAll);
  p.info.logScale = true;
  p.info.interestingMin = 0;  // no logarithm of 0
  EXPECT_FALSE(spanOf(p).logScale);
}

TEST(ParameterEdit, StepsAreHundredthsOfTheSliderAndWholeNumbersAlwaysMove) {
  const ParameterState p = real(0, 1, false);
  EXPECT_NEAR(asDouble(stepped(p, spanOf(p), 0.5, 1)), 0.51, 1e-9);
  EXPECT_NEAR(asDouble(stepped(p, spanOf(p), 0.5, -0.1)), 0.499, 1e-9);
  EXPECT_NEAR(asDouble(stepped(p, spanOf(p), 0.999, 5)), 1, 1e-9);
  const ParameterState n = whole(1, 8);
  EXPECT_EQ(stepped(n, spanOf(n), std::int64_t{4}, 1), ParameterValue(std::int64_t{5}));
  EXPECT_EQ(stepped(n, spanOf(n), std::int64_t{4}, -0.1), ParameterValue(std::int64_t{3}));
  EXPECT_EQ(stepped(n, spanOf(n), std::int64_t{8}, 1), ParameterValue(std::int64_t{8}));
}

TEST(ParameterEdit, AFineDragIsNotRoundedAway) {
  const ParameterState p = real(0, 1, false);
  const double a = asDouble(valueAt(p, spanOf(p), 0.5f, true)),
               b = asDouble(valueAt(p, spanOf(p), 0.5003f, true));
  EXPECT_NEAR(b - a, 3e-4, 5e-5);
}

TEST(ParameterEdit, SliderEndsAreTheRange) {
  for (bool isLog : {false, true}) {
    const ParameterState p = real(0.01, 0.9, isLog);
    EXPECT_DOUBLE_EQ(asDouble(valueAt(p, spanOf(p), 0)), 0.01);
    EXPECT_DOUBLE_EQ(asDouble(valueAt(p, spanOf(p), 1)), 0.9);
    EXPECT_FLOAT_EQ(fractionOf(spanOf(p), 0.01), 0);
    EXPECT_FLOAT_EQ(fractionOf(spanOf(p), 0.9), 1);
    EXPECT_FLOAT_EQ(fractionOf(spanOf(p), 7), 1);
  }
}

TEST(ParameterEdit, EitherMinusSignIsTaken) {
  const ParameterState p = real(-10, 10, false);
  for (const char* text : {"-4.5", "−4.5", "−45e−1", "-45e-1"})
    EXPECT_EQ(typed(p, text), ParameterValue(-4.5)) << text;
  EXPECT_FALSE(typed(p, "−−4"));
}

TEST(ParameterEdit, NumbersMayBeTypedAsTheyAreShown) {
  const ParameterState p = whole(4, 1e7);
  for (const char* text : {"65536", "65 536", " 65536 ", "65536.0"})
    EXPECT_EQ(typed(p, text), ParameterValue(std::int64_t{65536})) << text;
  EXPECT_EQ(typed(p, "1e6"), ParameterValue(std::int64_t{1000000}));
  for (const char* text : {"1.5", ""}) EXPECT_FALSE(typed(p, text)) << text;
}

TEST(ParameterEdit, TheSmallestNumberMayHaveAName) {
  ParameterState p = whole(0, 32);
  p.info.smallest = "automatic";
  EXPECT_EQ(typed(p, "automatic"), ParameterValue(std::int64_t{0}));
  EXPECT_EQ(shownValue(p.info, std::int64_t{0}), "automatic");
  EXPECT_EQ(shownValue(p.info, std::int64_t{1}), "1");
  EXPECT_FALSE(typed(p, "automati"));
  p.info.smallest.clear();
  EXPECT_FALSE(typed(p, "automatic"));
  EXPECT_EQ(shownValue(p.info, std::int64_t{0}), "0");
}

TEST(ParameterEdit, MessagesNameParametersAsThePanelDoes) {
  std::vector<ParameterState> all{real(0, 1, false), whole(4, 100)};
  all[1].info.label = "Disks";
  EXPECT_EQ(withLabels("use 'particles' = 15, or 'packing' up to 0.2 (not 'n')", all),
            "use \"Disks\" = 15, or \"Packing fraction\" up to 0.2 (not 'n')");
}

// It stops at round numbers, at 200 places or more.
TEST(ParameterEdit, SliderGivesReadableValuesNearItsPlace) {
  const ParameterState p = real(0.01, 0.9, false);
  for (float t = 0; t <= 1; t += 0.01f) {
    const double value = asDouble(valueAt(p, spanOf(p), t));
    EXPECT_NEAR(fractionOf(spanOf(p), value), t, 1. / 400 + 1e-6);
    EXPECT_LE(shownValue(value).size(), 5u) << value;
  }
  const ParameterState narrow = real(0.69, 0.73, false);
  EXPECT_EQ(toText(valueAt(narrow, spanOf(narrow), 0.5571f)), "0.7122");
  EXPECT_EQ(toText(valueAt(narrow, spanOf(narrow), 0.55f)), "0.712");
}

TEST(ParameterEdit, WholeNumbersStayWhole) {
  const ParameterState p = whole(4, 65536);
  EXPECT_EQ(valueAt(p, spanOf(p), 0.5f), ParameterValue(std::int64_t{512}));
  EXPECT_EQ(shownValue(valueAt(p, spanOf(p), 1)), "65 536");
}

TEST(ParameterEdit, TypedTextIsJudgedByTheDeclaration) {
  const ParameterState p = real(0.01, 0.9, false);
  ParameterValue value = 0.5;
  EXPECT_EQ(checkText(p, "0.698", value), "");
  EXPECT_EQ(value, ParameterValue(0.698));
  for (const char* wrong : {"1.5", "nan", "", "dense", "0.5x"}) {
    const std::string why = checkText(p, wrong, value);
    EXPECT_NE(why.find("packing"), std::string::npos) << wrong << ": " << why;
    EXPECT_EQ(value, ParameterValue(0.698)) << wrong;
  }
  EXPECT_NE(checkText(p, "1.5", value).find("0.9"), std::string::npos);
  const ParameterState n = whole(4, 65536);
  EXPECT_EQ(typed(n, "1024"), ParameterValue(std::int64_t{1024}));
  for (const char* text : {"3", "10.5"}) EXPECT_FALSE(typed(n, text)) << text;
}

namespace fs = std::filesystem;
using testing::ElementsAre, testing::HasSubstr, testing::IsEmpty;

const std::vector<FileKind> kAll = {FileKind::scenario, FileKind::checkpoint,
                                    FileKind::configuration, FileKind::picture};

class Files : public test::Program {
 protected:
  void SetUp() override {
    Program::SetUp();
    fs::create_directories(folder_ / "results");
    fs::create_directories(folder_ / ".hidden");
    for (const char* name : {"argon.toml", "argon.checkpoint", "Argon-2.xyz", "melt.h5",
                             "notes.txt", ".secret.toml", "shot.PNG"})
      std::ofstream(folder_ / name) << "text";
  }
  std::vector<std::string> names(const std::string& typed,
                                 const std::vector<FileKind>& kinds = kAll) const {
    std::vector<std::string> all;
    for (const FileEntry& e : listFor(typed, folder_.string(), kinds).entries)
      all.push_back(e.name);
    return all;
  }
};

TEST_F(Files, ListsFoldersAndWhatFits) {
  EXPECT_THAT(names(""), ElementsAre("results", "Argon-2.xyz", "argon.checkpoint", "argon.toml",
                                     "melt.h5", "shot.PNG"));
  EXPECT_THAT(names("", {FileKind::configuration}),
              ElementsAre("results", "Argon-2.xyz", "melt.h5"));
  EXPECT_THAT(names("arg"), ElementsAre("Argon-2.xyz", "argon.checkpoint", "argon.toml"));
  EXPECT_THAT(names("."), ElementsAre(".hidden", ".secret.toml"));
  EXPECT_THAT(names(folder_.string() + "/me"), ElementsAre("melt.h5"));
  EXPECT_THAT(listFor("nowhere/", folder_.string(), kAll).trouble, HasSubstr("No such file"));
}

TEST_F(Files, CompletesAsFarAsAllAgree) {
  const auto after = [&](const std::string& typed) {
    return completed(typed, listFor(typed, folder_.string(), kAll));
  };
  EXPECT_EQ(after("m"), "melt.h5");
  EXPECT_EQ(after("argon."), "argon.");
  EXPECT_EQ(after("argon.c"), "argon.checkpoint");
  EXPECT_EQ(after("res"), "results/");
  EXPECT_EQ(after("xyz"), "xyz");  // nothing begins like this
  EXPECT_EQ(after(folder_.string() + "/mel"), folder_.string() + "/melt.h5");
  EXPECT_EQ(after("a"), "Argon");  // as the first of them is written
}

// Every format of particles that can be read is offered, and small files are looked into.
TEST_F(Files, FilesOfParticlesAreKnownByTheirSuffixAndShown) {
  for (const char* name :
       {"a.xyz", "a.xyz.gz", "a.h5", "a.gsd", "a.dump", "a.data", "a.pdb", "a.npz"})
    EXPECT_EQ(kindOf(name), FileKind::configuration) << name;
  EXPECT_EQ(kindOf("a.gz"), FileKind::other);
  const auto preview = [&](const std::string& name, const std::string& text) {
    const std::string path = (folder_ / name).string();
    std::ofstream(path) << text;
    return previewOf(path);
  };
  const std::string box = "Lattice=\"4 0 0 0 5 0 0 0 6\"\n";
  EXPECT_EQ(preview("p.xyz", "2\n" + box + "Ar 1 1 1\nKr 2 2 7\n"),
            "2 particles (Ar, Kr), box 4 x 5 x 6. 1 of 2 particles were outside the box and were "
            "wrapped into it.");
  EXPECT_THAT(preview("q.xyz", "2\n" + box + "Ar 1 1 1\n"), HasSubstr("q.xyz:3: the file ends"));
  EXPECT_EQ(preview("q.toml", "mode = 1"), "");
  EXPECT_THAT(preview("large.xyz", std::string(3 << 20, ' ')),
              HasSubstr("3 MB: only files up to 2"));
}

TEST_F(Files, MemoryIsReadBackAndDamageIsHarmless) {
  const std::string place = (folder_ / "state" / "cellscope").string();
  EXPECT_EQ(readMemory(place), Remembered{});
  Remembered r;
  r.recentFiles = {"/tmp/a \"quoted\".toml", "/tmp/ü.checkpoint"};
  r.plotsWidth = 401.5f;
  r.plotsDetached = r.widened = true;
  ASSERT_EQ(writeMemory(place, r), "");
  EXPECT_EQ(readMemory(place), r);
  std::ofstream(place + "/window.toml") << "recent = 3\nleft_width = 1e9\nplots_detached = \"x\"\n";
  EXPECT_THAT(readMemory(place).recentFiles, IsEmpty());
  EXPECT_EQ(readMemory(place).leftWidth, kWidestColumn);
  std::ofstream(place + "/window.toml") << "recent = [";
  EXPECT_EQ(readMemory(place), Remembered{});
  EXPECT_THAT(writeMemory((folder_ / "argon.toml" / "x").string(), r), HasSubstr("argon.toml"));
  EXPECT_NE(writeMemory("", r), "");
}

TEST_F(Files, RecentOnesAreFewAbsoluteAndSayWhatIsMissing) {
  std::vector<std::string> recent;
  for (int i = 0; i < 12; ++i) addRecent(recent, "/tmp/" + std::to_string(i) + ".toml");
  addRecent(recent, "/tmp/x/../9.toml");
  EXPECT_EQ(recent.size(), kMostRecent);
  EXPECT_EQ(recent[0], "/tmp/9.toml");
  EXPECT_EQ(recent[1], "/tmp/11.toml");
  EXPECT_EQ(whyMissing((folder_ / "argon.toml").string()), "");
  EXPECT_EQ(whyMissing((folder_ / "gone.toml").string()), "no such file");
  EXPECT_EQ(whyMissing(folder_.string()), "a folder");
}

TEST(StateFolder, FollowsTheEnvironment) {
  const char* before = std::getenv("XDG_STATE_HOME");
  const std::string kept = before ? before : "";
  setenv("XDG_STATE_HOME", "/somewhere", 1);
  EXPECT_EQ(common::stateFolder(), "/somewhere/cellscope");
  setenv("XDG_STATE_HOME", "relative", 1);  // to be ignored, says the specification
  EXPECT_THAT(common::stateFolder(), testing::Not(testing::StartsWith("relative")));
  before ? setenv("XDG_STATE_HOME", kept.c_str(), 1) : unsetenv("XDG_STATE_HOME");
}

}  // namespace
}  // namespace cellscope::gui
