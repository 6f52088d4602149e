// The study of low densities: its comparisons, what it refuses, and a small run of it.
#include "app/reproduce/hard_disks/virial.h"

#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>

#include "sim/base/error.h"
#include "sim/core/hard_disk_eos.h"
#include "sim/io/read_file.h"
#include "tests/support/studies.h"

namespace cellscope::reproduce {
namespace {

// P* of an infinite system at Z of the Pade approximant plus `excess`, with an error of Z.
StateResult stateWith(double packing, double excess, double error) {
  const double density = densityOfPacking(packing);
  StateResult r;
  r.pressure = {density * (hardDiskPade(packing) + excess), density * error};
  r.contact = r.sdf = r.pressure;
  return r;
}
constexpr std::uint64_t kMany = 1000000000000;  // disks

TEST(VirialStudy, ComparesWithTheSeriesAsFarAsItReaches) {
  const VirialComparison dilute = compareVirial(stateWith(0.1, 3e-5, 1e-5), 0.1, kMany);
  EXPECT_NEAR(dilute.paths, 3, 0.05);
  EXPECT_NEAR(dilute.fluid, 3, 0.2);
  EXPECT_NEAR(dilute.pade, 3e-5, 1e-8);
  EXPECT_TRUE(dilute.sharp() && dilute.within());
  // At 0.3 the series leaves out 1e-4: that much below the Pade approximant, and so uncertain.
  const VirialComparison fluid = compareVirial(stateWith(0.3, 0, 1e-6), 0.3, kMany);
  EXPECT_NEAR(fluid.seriesError, 1e-4, 1e-5);
  EXPECT_NEAR(fluid.paths, 1, 0.1);
  EXPECT_TRUE(std::isnan(compareVirial(stateWith(0.4, 0, 1e-6), 0.4, kMany).paths));
  EXPECT_NEAR(reachOfVirialSeries(kVirialBound), 0.32, 0.01);
}

TEST(VirialStudy, HasTheTermOfItsOwnSize) {
  const VirialComparison c = compareVirial(stateWith(0.1, 0, 1e-5), 0.1, 1000);
  EXPECT_NEAR(c.pade, 2 * 0.1 / 1000, 2e-5);
  EXPECT_GT(c.paths, kAllowed);
}

TEST(VirialStudy, TellsWhetherTheBoundHolds) {
  const VirialComparison blunt = compareVirial(stateWith(0.4, 0, 1e-4), 0.4, kMany);
  EXPECT_FALSE(blunt.sharp() || blunt.within());
  EXPECT_TRUE(blunt.bounded());
  const VirialComparison wrong = compareVirial(stateWith(0.4, 5e-4, 3e-5), 0.4, kMany);
  EXPECT_TRUE(wrong.sharp());
  EXPECT_FALSE(wrong.within());
  EXPECT_FALSE(wrong.bounded());
  EXPECT_GT(std::abs(wrong.fluid), kAllowed);
  const VirialComparison none = compareVirial(resultOf({}, {}), 0.1, kMany);
  EXPECT_FALSE(none.sharp());
  EXPECT_TRUE(std::isnan(none.fluid));
}

TEST(VirialStudy, RefusesDenseFluids) {
  EXPECT_NO_THROW(checkVirialPackings({0.05, 0.65}));
  EXPECT_THROW(checkVirialPackings({0.1, 0.66}), InputError);
}

TEST(VirialStudy, WritesItsTableAndGoesOn) {
  const std::string folder = testing::TempDir() + "cellscope-virial";
  std::filesystem::remove_all(folder);
  const auto study = test::studyNamed("virial", {{"sides", "16"}, {"packings", "0.1,0.5"}});
  std::uint64_t sweeps[2] = {};
  for (std::uint64_t& s : sweeps) {
    test::runStudy(*study, folder, 2.0 / 60);
    const std::string md = io::readFile(folder + "/virial.md");
    for (const char* part :
         {"| 16^2 | 0.1 |", "| 16^2 | 0.5 |", "--sides 16 --packings 0.1,0.5", "Clisby",
          "of 2 states are sharp enough", "of 7 results", "up to packing 0.32"})
      EXPECT_NE(md.find(part), std::string::npos) << part << "\n" << md;
    const auto session =
        Session::resume(folder + "/virial-16-0.1-random-1.checkpoint", {Backend::cpu, 1, 0});
    s = session->step();
  }
  EXPECT_GT(sweeps[1], sweeps[0]);
  std::filesystem::remove_all(folder);
}

}  // namespace
}  // namespace cellscope::reproduce
