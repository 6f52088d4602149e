// One rule for all studies on when a result is judged, and the exit codes that follow: the rule
// itself, and every study when it is stopped long before that.
#include <gtest/gtest.h>
#include <unistd.h>

#include <cmath>
#include <filesystem>
#include <limits>
#include <map>

#include "app/reproduce/study.h"
#include "sim/io/files.h"
#include "tests/support/studies.h"

namespace cellscope::reproduce {
namespace {

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
  EXPECT_NE(v.note().find("2 of 5 results were long enough"), std::string::npos) << v.note();
  EXPECT_NE(v.note().find("(exit code 1)"), std::string::npos) << v.note();
}

class OfStudies : public testing::Test {
 protected:
  const std::string folder_ = testing::TempDir() + "cellscope-verdicts-" + std::to_string(getpid());
  void SetUp() override { std::filesystem::remove_all(folder_); }
  void TearDown() override { std::filesystem::remove_all(folder_); }

  int codeOf(const std::string& name, double minutes,
             const std::vector<std::pair<std::string, std::string>>& options) {
    return test::runStudy(test::studyNamed(name, options), folder_, minutes);
  }
  std::string reportOf(const std::string& name) {
    return io::readFile(folder_ + "/" + name + ".md");
  }
};

using Given = std::vector<std::pair<std::string, std::string>>;
// Those of hard disks that judge something, at a size that needs no preparation.
const std::map<std::string, Given> kSmall = {
    {"table1", {{"sides", "16"}, {"packings", "0.3"}}},
    {"table2", {{"sides", "16"}, {"packings", "0.3"}}},
};

// A microsecond is enough for nothing: no study says that its results agree, or that they do not.
TEST_F(OfStudies, NothingIsJudgedInAMicrosecond) {
  const ModeStudies disks = allStudies().front();
  for (const Study& study : disks.studies) {
    const std::string& name = study.info.name;
    if (name == "table4") continue;  // times only: below
    ASSERT_TRUE(kSmall.count(name)) << name << ": a new study belongs to this table";
    EXPECT_EQ(codeOf(name, 1e-6 / 60, kSmall.at(name)), kNotJudged) << reportOf(name);
    const std::string md = reportOf(name);
    EXPECT_EQ(md.find("(too far)"), std::string::npos) << md;
    EXPECT_EQ(md.find("nan"), std::string::npos) << md;
    EXPECT_NE(md.find("(exit code 3)"), std::string::npos) << md;
  }
}

TEST_F(OfStudies, TimesAreNotJudged) {
  EXPECT_EQ(codeOf("table4", 0.01, {{"sides", "8,16"}, {"rounds", "2"}, {"melting", "5"}}),
            kAgrees);
  const std::string md = reportOf("table4");
  for (const char* part : {"| CPU, one core | 8^2 |", "| CPU, one core | 16^2 |", "are not judged"})
    EXPECT_NE(md.find(part), std::string::npos) << md;
}

// At the paper's sizes its numbers stand beside ours.
TEST_F(OfStudies, Table4StandsBesideThePaper) {
  const Given one = {{"sides", "253"}, {"rounds", "1"}, {"sweeps", "1"}, {"melting", "0"}};
  EXPECT_EQ(codeOf("table4", 0.01, one), kAgrees);
  EXPECT_NE(reportOf("table4").find("| one core of a Xeon E5540 | 7.54e+06 | 0.880 | 1 |"),
            std::string::npos)
      << reportOf("table4");
}

// Both methods of Table 2 and their difference, all with one standard error.
TEST_F(OfStudies, Table2ShowsBothMethodsOfThePaper) {
  codeOf("table2", 1e-6, {{"sides", "256"}, {"packings", "0.702"}, {"start", "crystal"}});
  const std::string md = reportOf("table2");
  EXPECT_NE(md.find("| 9.19200(10) | 9.19240(20) | 0.00040(25) |"), std::string::npos) << md;
  EXPECT_NE(md.find("its are halved"), std::string::npos) << md;
}

TEST_F(OfStudies, Table1ShowsItsDifferencesWithErrors) {
  const Given one = {{"sides", "256"}, {"packings", "0.708"}, {"start", "crystal"}};
  EXPECT_EQ(codeOf("table1", 1e-6, one), kNotJudged);
  const std::string md = reportOf("table1");
  EXPECT_NE(md.find("| -0.00004(21) |"), std::string::npos) << md;
  EXPECT_NE(md.find("| 0.00546(21) |"), std::string::npos) << md;
  EXPECT_EQ(md.find("-0.0000 "), std::string::npos) << md;
  EXPECT_NE(md.find("taken for one standard error"), std::string::npos) << md;
}

}  // namespace
}  // namespace cellscope::reproduce
