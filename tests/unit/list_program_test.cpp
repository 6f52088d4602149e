// The program writes its lists and checks them.
#include <gtest/gtest.h>

#include "sim/io/formats/npz.h"
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
  EXPECT_TRUE(has(both, "0 pairs only in the first list, 0 only in the second")) << both.output;
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

// Shifts count from where the other program had the particles.
TEST_F(ListRoundTrip, ShiftsFollowPositionsThatAreWrapped) {
  const std::int64_t pair[] = {0, 1};
  const double cutoff[] = {4};
  const auto bytes = [](const auto& v) {
    return std::string(reinterpret_cast<const char*>(v), sizeof v[0]);
  };
  // In every case 3 apart along x.
  for (const auto& [x, image] : {std::pair("-1", 0), {"8", 1}, {"5", 0}, {"-19", -2}, {"-4", 1}}) {
    const std::int64_t shift[] = {image, 0, 0};
    std::ofstream(file("l.npz"), std::ios::binary) << io::npzText(
        {{"i", "<i8", bytes(pair), {1}},
         {"j", "<i8", bytes(pair + 1), {1}},
         {"S", "<i8", std::string(reinterpret_cast<const char*>(shift), sizeof shift), {1, 3}},
         {"cutoff", "<f8", bytes(cutoff), {}}});
    std::ofstream(file("p.xyz")) << "2\nLattice=\"9 0 0 0 9 0 0 0 9\" pbc=\"T T T\" "
                                    "Properties=species:S:1:pos:R:3\nX "
                                 << x << " 1 1\nX 2 1 1\n";
    const test::Result r =
        test::cellscope("check-lists " + file("l.npz") + " --positions " + file("p.xyz"));
    EXPECT_EQ(r.code, *x == '-' && x[1] == '4' ? 1 : 0) << x << ": " << r.output;
  }
}

}  // namespace
}  // namespace cellscope
