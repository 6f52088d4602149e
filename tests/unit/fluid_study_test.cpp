// The study of the fluid: its comparison, what it refuses, and a small run of it.
#include "app/reproduce/hard_disks/fluid.h"

#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "sim/base/error.h"
#include "tests/support/studies.h"

namespace cellscope::reproduce {
namespace {

std::string textOf(const std::string& path) {
  std::ifstream in(path);
  std::stringstream text;
  text << in.rdbuf();
  return text.str();
}

std::size_t linesWith(const std::string& text, const std::string& part) {
  std::istringstream in(text);
  std::size_t n = 0;
  for (std::string line; std::getline(in, line);) n += line.find(part) != std::string::npos;
  return n;
}

TEST(FluidStudy, ComparesWithTheValueOfItsOwnSize) {
  const FluidPressure expected = hardDiskFluid(0.6, 4096);
  StateResult r;
  r.pressure = {expected.finite * (1 + 2e-4), expected.finite * 1e-4};
  r.contact = {expected.finite * (1 - 2e-3), expected.finite * 5e-4};
  r.sdf = {expected.bulk, 1e-9};  // forgets the 1/N term, which is 9e-5 here
  const FluidComparison c = compareFluid(r, 0.6, 4096);
  EXPECT_NEAR(c.relative, 2e-4, 1e-12);
  EXPECT_NEAR(c.relativeError, 1e-4, 1e-6);
  EXPECT_NEAR(c.paths, 2, 0.01);
  EXPECT_NEAR(c.contact, -4, 0.01);
  EXPECT_GT(c.sdf, kAllowed);
}

TEST(FluidStudy, WithoutSamplesThereIsNoDifference) {
  StateResult r = resultOf({}, {});
  const FluidComparison c = compareFluid(r, 0.5, 4096);
  EXPECT_TRUE(std::isnan(c.paths));
}

TEST(FluidStudy, RefusesWhatIsNotFluid) {
  EXPECT_NO_THROW(checkFluidPackings({0.1, 0.69}));
  try {
    checkFluidPackings({0.5, 0.7});
    FAIL();
  } catch (const InputError& e) {
    EXPECT_NE(std::string(e.what()).find("packing 0.7"), std::string::npos) << e.what();
  }
}

// 16^2 disks for three seconds: the report is complete, and a second call goes on.
TEST(FluidStudy, WritesItsTableAndGoesOn) {
  const std::string folder = testing::TempDir() + "cellscope-fluid";
  std::filesystem::remove_all(folder);
  const auto study =
      test::studyNamed("fluid", {{"sides", "16"}, {"packings", "0.3,0.5"}, {"together", "4"}});
  std::uintmax_t samples[2] = {};
  for (std::uintmax_t& s : samples) {
    test::runStudy(*study, folder, 3.0 / 60);
    const std::string md = textOf(folder + "/fluid.md");
    EXPECT_EQ(linesWith(md, "| 16^2 |"), 2u) << md;
    EXPECT_NE(md.find("--sides 16 --packings 0.3,0.5 --together 4"), std::string::npos) << md;
    EXPECT_NE(md.find("Kolafa and M. Rottner"), std::string::npos);
    EXPECT_NE(md.find("of 6 results were long enough to be judged"), std::string::npos) << md;
    EXPECT_EQ(linesWith(textOf(folder + "/fluid.csv"), "16^2"), 2u);
    const auto session =
        Session::resume(folder + "/fluid-16-0.5-random-1.checkpoint", {Backend::cpu, 1, 0});
    const RunSummary run = summaryOf(*session);
    s = run.samples;
    EXPECT_GT(run.pressure.error, 0);
    EXPECT_LT(run.pressure.error, run.contact.error) << "free paths have less noise";
  }
  EXPECT_GT(samples[0], 32u);
  EXPECT_GT(samples[1], samples[0]);
  std::filesystem::remove_all(folder);
}

}  // namespace
}  // namespace cellscope::reproduce
