// The program writes its lists and checks them.
#include <gtest/gtest.h>

#include "tests/support/program.h"

namespace cellscope {
namespace {

class ListRoundTrip : public test::Program {};

TEST_F(ListRoundTrip, TheProgramWritesAndChecksThem) {
  const test::Result run =
      test::cellscope("run argon --set n=500 method=tree --steps 5 --quiet --backend cpu --lists " +
                      file("own.npz"));
  ASSERT_EQ(run.code, 0) << run.output;
  const test::Result right = test::cellscope("check-lists " + file("own.npz"));
  EXPECT_EQ(right.code, 0) << right.output;
  EXPECT_TRUE(has(right, "Right")) << right.output;
  const test::Result wrong =
      test::cellscope("check-lists " + file("own.npz") + " --cutoff 3.3 --json " + file("w.json") +
                      " --csv " + file("w.csv"));
  EXPECT_EQ(wrong.code, 1) << wrong.output;
  EXPECT_TRUE(has(wrong, "missing")) << wrong.output;
  EXPECT_GT(test::linesOf(file("w.csv")).size(), 10u);
  const test::Result both =
      test::cellscope("check-lists " + file("own.npz") + " --compare " + file("own.npz"));
  EXPECT_EQ(both.code, 0);
  EXPECT_TRUE(has(both, "0 wrong pairs are gone, 0 are new")) << both.output;
}

TEST_F(ListRoundTrip, RefusesRunsWithoutLists) {
  for (const char* scenario : {"lj_all_pairs", "four_disks", "gcmc_dilute"}) {
    const test::Result r = test::cellscope("run " + std::string(scenario) +
                                           " --steps 1 --backend cpu --lists " + file("no.npz"));
    EXPECT_EQ(r.code, 2) << r.output;
    EXPECT_TRUE(has(r, "lists")) << r.output;
  }
  EXPECT_EQ(test::cellscope("run argon --steps 1 --lists " + file("no.csv")).code, 2);
}

}  // namespace
}  // namespace cellscope
