// H5MD files of runs in parts are those of one run.
#include <gtest/gtest.h>

#include <string>

#include "sim/io/files.h"
#include "tests/support/h5md_files.h"

namespace cellscope {
namespace {

using test::H5md;

// Each way to compute writes the same file in one part and in parts, the first of which ends before
// a frame is due.
class H5mdInParts : public H5md, public testing::WithParamInterface<const char*> {};

TEST_P(H5mdInParts, IsTheFileOfOneRun) {
  const std::string base = "--backend cpu --threads 1 --quiet --trajectory-every 10 ";
  const std::string one = file("one.h5"), parts = file("parts.h5"), state = file("s.checkpoint");
  const std::string start = std::string("run ") + GetParam() + " " + base;
  ASSERT_EQ(test::cellscope(start + "--steps 40 --trajectory " + one).code, 0);
  const std::string kept = " --trajectory " + parts + " --checkpoint " + state;
  ASSERT_EQ(test::cellscope(start + "--steps 5" + kept).code, 0);
  for (const char* until : {"27", "40"}) {
    const test::Result r =
        test::cellscope("run --resume " + state + " " + base + "--until " + until + kept);
    ASSERT_EQ(r.code, 0) << r.output;
  }
  expectSameFiles(one, parts);
}

INSTANTIATE_TEST_SUITE_P(
    Ways, H5mdInParts,
    testing::Values("dilute --set n=64", "argon --set n=256", "argon --set n=500 method=cells",
                    "argon --set n=500 method=stencils", "argon --set n=500 method=tree",
                    "argon --set n=500 method=clusters",
                    "argon --set n=500 method=placeholder_cells",
                    "gcmc_dilute --set moves_per_step=100 method=serial",
                    "gcmc_dilute --set moves_per_step=100 method=serial_cells",
                    "gcmc_dilute --set moves_per_step=100 method=all_particles",
                    "gcmc_dilute --set moves_per_step=100 method=cells",
                    "gcmc_dilute --set moves_per_step=100 method=microcells",
                    "gcmc_dilute --set moves_per_step=100 method=microcells_many",
                    "gcmc_dilute --set moves_per_step=100 method=speculative",
                    "gcmc_dilute --set moves_per_step=100 method=in_order",
                    "gcmc_dilute --set moves_per_step=100 length=12 method=checkerboard",
                    "gcmc_isotherm"));

}  // namespace
}  // namespace cellscope
