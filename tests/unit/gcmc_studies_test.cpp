// The studies of grand-canonical speed: small runs of each, with the paper's numbers beside.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <sstream>

#include "app/reproduce/gcmc/gcmc_study.h"
#include "sim/base/error.h"

namespace cellscope::reproduce {
namespace {

std::unique_ptr<Study> studyOf(const std::string& name) {
  for (auto& study : chainStudies())
    if (study->info().name == name) return std::move(study);
  ADD_FAILURE() << "there is no study " << name;
  return nullptr;
}

// Rows of NAME.csv, without its head.
std::vector<std::vector<std::string>> rowsOf(
    const std::string& name, const std::vector<std::pair<std::string, std::string>>& options) {
  const std::string folder = testing::TempDir() + "gcmc_studies_" + name;
  std::filesystem::remove_all(folder);
  const auto study = studyOf(name);
  for (const auto& [option, text] : options) study->options().at(option).set(text);
  EXPECT_EQ(study->run(contextOf(*study, folder, 0.005, {Backend::cpu, 1, 0})), 0);
  std::ifstream file(folder + "/" + name + ".csv");
  std::vector<std::vector<std::string>> rows;
  std::string line;
  std::getline(file, line);
  while (std::getline(file, line)) {
    std::istringstream cells(line);
    rows.emplace_back();
    for (std::string cell; std::getline(cells, cell, ',');) {
      std::erase(cell, '"');
      rows.back().push_back(cell);
    }
  }
  std::filesystem::remove_all(folder);
  return rows;
}

void expectRatio(const std::string& ratio, const std::string& slow, const std::string& fast) {
  const double expected = std::stod(slow) / std::stod(fast);
  EXPECT_GT(std::stod(slow), 0);
  EXPECT_NEAR(std::stod(ratio), expected, 0.01 * expected);
}

TEST(GcmcStudies, TimesOfTheSerialChainStandBesideTable1) {
  const auto rows = rowsOf("gcmc_serial", {{"particles", "512,600"}, {"moves", "1000"}});
  ASSERT_EQ(rows.size(), 2u);
  EXPECT_EQ(rows[0][0], "512");
  expectRatio(rows[0][3], rows[0][1], rows[0][2]);
  EXPECT_EQ(rows[0][4], "2.8");
  EXPECT_EQ(rows[0][5], "22.3");
  EXPECT_EQ(rows[0][6], "0.126");
  EXPECT_EQ(rows[1][4], "-") << "nothing published for 600";
}

// Sizes of which a few moves take all the time there is: every row is there, and the report says
// what was cut short. A million moves of the three would take a quarter of an hour.
TEST(GcmcStudies, AllSizesAreDoneInTime) {
  const std::string folder = testing::TempDir() + "gcmc_studies_in_time";
  std::filesystem::remove_all(folder);
  const auto study = studyOf("gcmc_serial");
  study->options().at("particles").set("512,8192,65536");
  EXPECT_EQ(study->run(contextOf(*study, folder, 0.01, {Backend::cpu, 1, 0})), 0);
  std::ifstream file(folder + "/gcmc_serial.md");
  std::ostringstream text;
  text << file.rdbuf();
  for (const char* part : {"| 512 ", "| 8192 ", "| 65536 ", "Shortened to end in time", "at N = 65",
                           "melted by a part of 7 moves per particle"})
    EXPECT_NE(text.str().find(part), std::string::npos) << part << "\n" << text.str();
  std::filesystem::remove_all(folder);
}

TEST(GcmcStudies, MappingsStandBesideTable3) {
  const auto rows = rowsOf("gcmc_mappings", {{"particles", "1024"}, {"moves", "300"}});
  ASSERT_EQ(rows.size(), 1u);
  ASSERT_EQ(rows[0].size(), 10u);
  EXPECT_NE(rows[0][2].find("(0.77)"), std::string::npos) << rows[0][2];
  EXPECT_NE(rows[0][7].find("(0.46)"), std::string::npos) << rows[0][7];
  EXPECT_NE(rows[0][8].find("(-)"), std::string::npos) << "1x1x27 is not in the table";
}

TEST(GcmcStudies, MethodsAgainstSizeAndCutoff) {
  for (const char* name : {"gcmc_sizes", "gcmc_cutoffs"}) {
    const bool sizes = std::string(name) == "gcmc_sizes";
    const auto rows =
        sizes ? rowsOf(name, {{"particles", "512"}, {"moves", "300"}})
              : rowsOf(name, {{"particles", "2000"}, {"cutoffs", "2.5,4.25"}, {"moves", "300"}});
    ASSERT_EQ(rows.size(), sizes ? 1u : 2u);
    for (const auto& row : rows)
      for (int k = 0; k < 3; ++k) expectRatio(row[6 + k], row[1 + k], row[4]);
    for (const auto& row : rows) {
      ASSERT_EQ(row.size(), 14u);
      EXPECT_EQ(row[9], sizes ? "22.3" : "-") << "Table 1";
      EXPECT_EQ(row[10], "-") << "Table 3 begins at 1024";
      EXPECT_EQ(row[11], "8 to 28; 1 to 19");
    }
  }
}

// Short runs: a dilute supercritical fluid of NIST, by checkerboard and serial chains.
TEST(GcmcStudies, PublishedStatesStandBesideBothChains) {
  const std::string folder = testing::TempDir() + "gcmc_studies_states";
  std::filesystem::remove_all(folder);
  const auto study = studyOf("gcmc_states");
  for (const auto& [option, text] : {std::pair<const char*, const char*>{"temperatures", "1.5"},
                                     {"least-density", "0.1"},
                                     {"length", "12"},
                                     {"chains", "2"}})
    study->options().at(option).set(text);
  // Too short to judge: whether the rows agree is not asked.
  static_cast<void>(study->run(contextOf(*study, folder, 0.02, {Backend::cpu, 1, 0})));
  std::ifstream file(folder + "/gcmc_states.md");
  std::ostringstream text;
  text << file.rdbuf();
  const std::string report = text.str();
  for (const char* part : {"ln z = -2.5, T = 1.50", "0.17580(26)", "0.1691(50)", "cut at 3, tail",
                           "ln z = -1.5, T = 1.50", "NIST"})
    EXPECT_NE(report.find(part), std::string::npos) << part;
  std::filesystem::remove_all(folder);
}

TEST(GcmcStudies, RefuseWhatCannotBe) {
  const auto study = studyOf("gcmc_cutoffs");
  EXPECT_THROW(study->options().at("cutoffs").set("0"), InputError);
  EXPECT_THROW(study->options().at("particles").set("1"), InputError);
}

}  // namespace
}  // namespace cellscope::reproduce
