// The tool of S3, section 3.3, at a size where its result is known in advance.
#include "sim/modes/hard_disks/tuning_study.h"

#include <gtest/gtest.h>

namespace cellscope {
namespace {

TEST(TuningStudy, PaperSettingsAreThoseOfThePaper) {
  const auto all = paperSettings();
  ASSERT_EQ(all.size(), 16u);
  EXPECT_DOUBLE_EQ(all.front().d, 0.06);
  EXPECT_DOUBLE_EQ(all[7].d, 0.20);
  EXPECT_EQ(all.back().nMoves, 8);
  EXPECT_EQ(allSettings({0.1, 0.2}, {1, 2, 3}).size(), 6u);
}

// Steps of 0.01 carry disks hundreds of times more slowly than steps of 0.2 (diffusion goes with
// d^2), so that the order is remembered much longer: a factor of 4 at least, with errors of about
// a tenth, cannot fail by chance.
TEST(TuningStudy, SmallMovesRememberLonger) {
  TuningStudy study;
  study.n = 64;
  study.packing = 0.5;
  study.equilibration = 500;
  study.sweeps = 6000;
  study.sampleEvery = 2;
  study.settings = allSettings({0.01, 0.2}, {4});
  std::size_t calls = 0;
  const auto results = runTuningStudy(study, {Backend::cpu, 1, 0},
                                      [&](std::size_t, std::size_t of) { calls += of == 2; });
  ASSERT_EQ(results.size(), 2u);
  EXPECT_EQ(calls, 2u);
  EXPECT_GT(results[0].acceptance, results[1].acceptance);
  EXPECT_GT(results[0].tauSweeps, 4 * results[1].tauSweeps);
  EXPECT_TRUE(results[1].converged);
  EXPECT_GT(results[1].secondsPerSweep, 0);
  EXPECT_NEAR(results[1].tauSeconds, results[1].tauSweeps * results[1].secondsPerSweep, 1e-12);
  const std::string table = tuningTable(results);
  EXPECT_NE(table.find("tau / s"), std::string::npos);
  EXPECT_NE(table.find("best"), std::string::npos) << table;
}

TEST(TuningStudy, RefusesWhatCannotBeMeasured) {
  TuningStudy study;
  EXPECT_THROW(runTuningStudy(study, {}), InputError);
  study.settings = {{0.16, 4}};
  study.sweeps = 10;
  EXPECT_THROW(runTuningStudy(study, {}), InputError);
  study.sweeps = 1000;
  study.settings = {{0.9, 4}};
  study.n = 16;
  study.packing = 0.3;
  study.equilibration = 1;
  EXPECT_THROW(runTuningStudy(study, {}), InputError);
}

}  // namespace
}  // namespace cellscope
