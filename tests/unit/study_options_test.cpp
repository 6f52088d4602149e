// Studies: options, declared once, read by the command line, its help and the reports; and one rule
// for all of them on when a result is judged, and the exit codes that follow: the rule itself, and
// every study when it is stopped long before that.
#include <gmock/gmock.h>

#include <set>

#include "sim/io/files.h"
#include "tests/support/message_of.h"
#include "tests/support/program.h"
#include "tests/support/studies.h"

namespace cellscope::reproduce {
namespace {

using test::messageOf, testing::AllOf, testing::HasSubstr;

struct Declared {
  std::vector<std::int64_t> sides = {16, 32};
  std::vector<double> packings = {0.5};
  std::int64_t moves = 4, size = 0;
  Choice start;
  bool grow = false;

  template <class V>
  void visit(V& v) {
    v("sides", 8, 64, "", sides);
    v("packings", 0.1, 0.9, "", packings);
    v("moves_per_cell", 1, 9, "", moves);
    v("size", 8, 64, "", size);
    v("start", {"fluid", "crystal"}, "", start);
    v("grow", "", grow);
  }
};

class Options : public testing::Test {
 protected:
  std::string refusal(const std::string& name, const std::string& text) {
    return messageOf<InputError>([&] { set_.at(name).set(text); });
  }
  Declared d_;
  OptionSet set_ = OptionSet::of(d_);
};

TEST_F(Options, ReadWhatIsWritten) {
  set_.at("--sides").set("8,64,1.6e1");
  set_.at("packings").set("0.30,+0.4");
  set_.at("--moves-per-cell").set("9");
  set_.at("--start").set("crystal");
  set_.at("--grow").set("true");
  EXPECT_EQ(d_.sides, (std::vector<std::int64_t>{8, 64, 16}));
  EXPECT_EQ(d_.packings, (std::vector<double>{0.3, 0.4}));
  EXPECT_EQ(d_.moves, 9);
  EXPECT_EQ(d_.start.index, 1);
  EXPECT_TRUE(d_.grow);
  EXPECT_EQ(set_.at("sides").text(), "8,64,16");
}

TEST_F(Options, KnowTheirDefaultsAndWhetherTheyChanged) {
  EXPECT_EQ(set_.at("sides").fallback(), "16,32");
  EXPECT_EQ(set_.at("start").fallback(), "fluid");
  EXPECT_EQ(set_.at("size").fallback(), "") << "outside its range: explained by the help";
  for (const Option& o : set_.items()) EXPECT_FALSE(o.changed()) << o.name();
  set_.at("sides").set("16,32");
  EXPECT_FALSE(set_.at("sides").changed());
  EXPECT_TRUE(set_.at("sides").given());
  EXPECT_FALSE(set_.at("start").given());
  set_.at("sides").set("32");
  EXPECT_TRUE(set_.at("sides").changed());
}

TEST_F(Options, RefuseWithNameValueAndRangeAndKeepTheField) {
  EXPECT_THAT(refusal("--sides", "16,7"),
              AllOf(HasSubstr("--sides: '7' is not allowed"), HasSubstr("whole number 8 to 64")));
  EXPECT_THAT(refusal("--sides", ""), HasSubstr("'' is not allowed"));
  EXPECT_THAT(refusal("--sides", "16,16.0"), HasSubstr("--sides: 16 is given twice"));
  EXPECT_THAT(refusal("--packings", "nan"), HasSubstr("0.1 to 0.9"));
  EXPECT_THAT(refusal("--moves-per-cell", "1,2"), HasSubstr("takes one value, 2 were given"));
  EXPECT_THAT(refusal("--start", "gas"), HasSubstr("one of fluid, crystal"));
  EXPECT_THAT(refusal("--seeds", "2"), HasSubstr("known: --sides, --packings"));
  EXPECT_EQ(d_.sides, (std::vector<std::int64_t>{16, 32}));
  EXPECT_EQ(d_.packings, (std::vector<double>{0.5}));
  EXPECT_EQ(d_.moves, 4);
}

// Every default of every study is one that the option itself takes.
TEST(Studies, DeclareOptionsWithHelpRangeAndDefault) {
  std::set<std::string> names;
  for (Study& study : allStudies()) {
    EXPECT_TRUE(names.insert(study.info.name).second) << study.info.name;
    EXPECT_FALSE(study.info.about.empty());
    for (Option& o : study.options.items()) {
      EXPECT_FALSE(o.info().help.empty()) << o.name();
      if (o.fallback().empty()) continue;
      EXPECT_NO_THROW(o.set(o.fallback())) << study.info.name << " " << o.name();
      EXPECT_FALSE(o.changed()) << study.info.name << " " << o.name();
    }
  }
  EXPECT_EQ(names.size(), 13u);
}

class StudyHelp : public test::Program {};

TEST_F(StudyHelp, ListsTheStudiesByModeAndTheOptionsOfEach) {
  const test::Result all = test::cellscope("reproduce --help");
  EXPECT_TRUE(test::ended(all, 0, {"Studies of mode hard_disks"}));
  for (Study& study : allStudies()) {
    EXPECT_TRUE(has(all, "\n  " + study.info.name + " ")) << study.info.name;
    const test::Result own = test::cellscope("reproduce " + study.info.name + " --help");
    EXPECT_EQ(own.code, 0);
    // Exit codes: the rule on what is judged.
    for (const char* common :
         {"--folder", "--minutes", "--backend", "--threads", "A result is judged", "Exit code"})
      EXPECT_TRUE(has(own, common)) << own.output;
    for (const Option& o : study.options.items()) {
      const std::size_t at = own.output.find(o.name() + " ");
      ASSERT_NE(at, std::string::npos) << o.name() << "\n" << own.output;
      const std::string line = own.output.substr(at, own.output.find("\n  -", at) - at);
      EXPECT_NE(line.find(o.fallback()), std::string::npos) << line;
      if (!o.isFlag()) {
        EXPECT_NE(line.find(o.allowed()), std::string::npos) << line;
      }
    }
  }
  EXPECT_FALSE(has(test::cellscope("reproduce rand48 --help"), "--sides"));
}

TEST_F(StudyHelp, OptionsOfOthersAreRefusedWithTheOwnList) {
  EXPECT_TRUE(
      test::refuses("reproduce rand48 --sides 8",
                    {"--sides: unknown option of rand48; known: --folder, --minutes, --counts, "
                     "--streams, --repeats, --backend, --threads, --device\n"}));
  EXPECT_TRUE(has(test::cellscope("reproduce rand48 5"), "'5' is not expected after rand48"));
  EXPECT_TRUE(test::refuses("reproduce"));
}

constexpr double kNone = std::numeric_limits<double>::quiet_NaN();

TEST(Verdicts, JudgeOnlyWhatIsLongEnoughAndPublished) {
  Verdicts v;
  EXPECT_EQ(v.compare({1.2, 0.1}, {kNone, 0}, true), "-") << "nothing is published";
  EXPECT_EQ(v.judged(), 0);
  EXPECT_EQ(v.exitCode(), kNotJudged);
  EXPECT_EQ(v.compare({1.2, 0.1}, {1, 0}, true), "+2.0");
  EXPECT_EQ(v.exitCode(), kAgrees);
  EXPECT_EQ(v.compare({1.4, 0.1}, {1, 0}, false), "+4.0 (too short to judge)");
  EXPECT_EQ(v.compare({kNone, kNone}, {1, 0}, true), "- (too short to judge)");
  EXPECT_EQ(v.compare({1, 0}, {1, 0}, true), "- (too short to judge)") << "an error of zero";
  EXPECT_EQ(v.exitCode(), kNotJudged);
  EXPECT_EQ(v.compare({1.4, 0.1}, {1, 0}, true), "+4.0 (too far)");
  EXPECT_EQ(v.exitCode(), kDiffers) << "one that is wrong outweighs those that are too short";
  EXPECT_EQ(v.judged(), 2);
  EXPECT_EQ(v.far(), 1);
  test::expectWords(v.note(), {"2 of 5 results were long enough", "(exit code 1)"});
}

using Given = std::vector<std::pair<std::string, std::string>>;

class OfStudies : public test::Program {
 protected:
  int codeOf(const std::string& name, double minutes, const Given& options) {
    return test::runStudy(test::studyNamed(name, options), folder_.string(), minutes);
  }
  std::string reportOf(const std::string& name) { return io::readFile(file(name + ".md")); }
};

// A microsecond is enough for nothing: no study says that its results agree, or that they do not.
// At a size that needs no preparation.
TEST_F(OfStudies, NothingIsJudgedInAMicrosecond) {
  for (const Study& study : allStudies()) {
    const std::string& name = study.info.name;
    if (study.mode != "hard_disks" || name == "table4") continue;  // times only: below
    const Given small = {{"sides", "16"}, {"packings", "0.3"}};
    EXPECT_EQ(codeOf(name, 1e-6 / 60, small), kNotJudged) << reportOf(name);
    const std::string md = reportOf(name);
    EXPECT_EQ(md.find("(too far)"), std::string::npos) << md;
    EXPECT_EQ(md.find("nan"), std::string::npos) << md;
    test::expectWords(md, {"(exit code 3)"});
  }
}

TEST_F(OfStudies, TimesAreNotJudged) {
  EXPECT_EQ(codeOf("table4", 0.01, {{"sides", "8,16"}, {"rounds", "2"}, {"melting", "5"}}),
            kAgrees);
  test::expectWords(reportOf("table4"),
                    {"| CPU, one core | 8^2 |", "| CPU, one core | 16^2 |", "are not judged"});
}

// At the paper's sizes its numbers stand beside ours.
TEST_F(OfStudies, Table4StandsBesideThePaper) {
  const Given one = {{"sides", "253"}, {"rounds", "1"}, {"sweeps", "1"}, {"melting", "0"}};
  EXPECT_EQ(codeOf("table4", 0.01, one), kAgrees);
  test::expectWords(reportOf("table4"), {"| one core of a Xeon E5540 | 7.54e+06 | 0.880 | 1 |"});
}

// Both methods of Table 2 and their difference, all with one standard error.
TEST_F(OfStudies, Table2ShowsBothMethodsOfThePaper) {
  codeOf("table2", 1e-6, {{"sides", "256"}, {"packings", "0.702"}, {"start", "crystal"}});
  test::expectWords(reportOf("table2"),
                    {"| 9.19200(10) | 9.19240(20) | 0.00040(25) |", "its are halved"});
}

TEST_F(OfStudies, Table1ShowsItsDifferencesWithErrors) {
  const Given one = {{"sides", "256"}, {"packings", "0.708"}, {"start", "crystal"}};
  EXPECT_EQ(codeOf("table1", 1e-6, one), kNotJudged);
  const std::string md = reportOf("table1");
  test::expectWords(md, {"| -0.00004(21) |", "| 0.00546(21) |", "taken for one standard error"});
  EXPECT_EQ(md.find("-0.0000 "), std::string::npos) << md;
}

}  // namespace
}  // namespace cellscope::reproduce
