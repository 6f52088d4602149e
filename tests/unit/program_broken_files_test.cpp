// Configurations and checkpoints that are damaged or of another kind, as a person meets them.

#include <tuple>

#include "sim/io/files.h"
#include "sim/io/formats/format.h"
#include "tests/support/program.h"

namespace cellscope {
namespace {

using namespace test;

TEST_F(Program, AConfigurationOfAnotherKindIsNamed) {
  const std::string flat = file("flat.xyz"), deep = file("deep.xyz");
  ASSERT_TRUE(completes("run dilute --set n=64 --backend cpu --steps 1 --trajectory " + flat));
  ASSERT_TRUE(
      completes("run lj_all_pairs --set n=108 --backend cpu --steps 1 --trajectory " + deep));
  Result r = cellscope("run dilute --backend cpu --steps 1 --load-configuration " + deep);
  EXPECT_TRUE(ended(r, 2, {"needs a configuration in two dimensions"}));
  // Molecular dynamics takes planes too, where three dimensions were not asked for.
  EXPECT_TRUE(refuses(
      "run lj_all_pairs --set dimension=3 --backend cpu --steps 1 --load-configuration " + flat,
      {"the configuration determines 'dimension', 2"}));
  const std::string again = file("again.xyz");
  EXPECT_TRUE(completes("run lj_all_pairs --backend cpu --steps 1 --trajectory " + again +
                            " --load-configuration " + flat,
                        {"64 particles"}));
  EXPECT_EQ(io::readConfiguration(again).configuration.box.dimension, 2);
  r = cellscope("run dilute --set packing=0.5 --backend cpu --steps 1 --load-configuration " +
                flat);
  EXPECT_TRUE(ended(r, 2, {"the configuration determines 'packing', 0.2"}));
  EXPECT_TRUE(
      completes("run dilute --set d=0.3 --backend cpu --steps 1 --load-configuration " + flat));
}

// Any damage to a checkpoint is found by the program itself, with the reason and exit code 2.
TEST_F(Program, DamagedCheckpointsAreRefused) {
  const std::string c = file("a.checkpoint"), bad = file("bad.checkpoint");
  ASSERT_TRUE(completes(run_ + "--steps 20 --checkpoint " + c));
  const std::string good = io::readFile(c);
  const std::pair<std::string, const char*> cases[] = {
      {good.substr(0, good.size() - 1), "is damaged"},
      {good.substr(0, 20), "is damaged"},
      {"", "is not a checkpoint: it is empty"},
      {std::string("x") + good.substr(1),
       "is not a checkpoint of this program, or its beginning is damaged"},
      {good + "x", "is damaged"},
      {[&] {
         auto b = good;
         b[good.size() / 2] ^= 1;
         return b;
       }(),
       "is damaged: its checksum"},
      {[&] {
         auto b = good;
         b[8] = 77;
         return b;
       }(),
       "version 77"},
  };
  for (const auto& [bytes, wanted] : cases) {
    std::ofstream(bad, std::ios::binary) << bytes;
    const Result r = cellscope("run --resume " + bad + " --backend cpu --steps 1");
    EXPECT_TRUE(ended(r, 2, {wanted, bad}));
    EXPECT_TRUE(has(r, "; use an older checkpoint, or run its scenario again") ||
                has(r, "; resume with the program that wrote it"))
        << r.output;
  }
  // One that an earlier run left under the number of its results.
  std::ofstream(bad, std::ios::binary) << good.substr(0, 99);
  std::ofstream(file("bad.1.checkpoint"), std::ios::binary) << good;
  std::ofstream(file("bad.2.checkpoint"), std::ios::binary) << good;
  const Result r = cellscope("run --resume " + bad + " --backend cpu --steps 1");
  EXPECT_TRUE(has(r, "; '" + file("bad.2.checkpoint") + "' is an older one")) << r.output;
}

// Each names file and line, the cause and what to do.
TEST_F(Program, ABrokenConfigurationIsRefusedWithTheWayOut) {
  const std::string xyz = file("broken.xyz");
  const std::string box =
      "Lattice=\"4 0 0 0 4 0 0 0 1\" Properties=species:S:1:pos:R:3:id:I:1 pbc=\"T T F\"\n";
  const std::string rest = "X 2.5 0.5 0 2\nX 0.5 2.5 0 3\n", first = "X 0.5 0.5 0 0\n";
  const std::tuple<std::string, const char*, const char*> cases[] = {
      {"4\n" + box + first + "X nan 2.5 0 1\n" + rest,
       ":4: particle 1: x = nan is not a finite number",
       "allowed: 0 to 4, or an image; correct it"},
      {"4\n" + box + first + "X 2.5 5.0 0 1\n" + rest, "disks 1 and 2 overlap",
       "distances must be at least 1; move or remove one"},
      {"4\n" + box + first + "X 2.5 2.5 0 0\n" + rest, ": id 0 appears twice",
       "every id must appear once; renumber the particles or leave out the ids"},
      {"4\n" + box + first, ": the file ends after 1 of 4 particles",
       "copy it again, or remove this frame"},
      {"4\n", ": the file ends before the comment line", "copy it again, or remove this frame"},
      {"", ": the file is empty", "name one with a configuration"},
      {"atoms\n" + box + first, ":1: the number of particles was expected",
       "save the file as extended XYZ"},
      {"4\nno box\nX 2 2 0\nX 0.5 0.5 0\nX 2 3 0\nX 3 2 0\n", ":2: the file has no box",
       "give its sides with --box"},
      {"4\n" + box + first + "X 0.6 0.5 0 1\n" + rest, "disks 0 and 1 overlap",
       "distances must be at least 1; move or remove one"},
  };
  for (const auto& [text, cause, wayOut] : cases) {
    std::ofstream(xyz, std::ios::binary) << text;
    EXPECT_TRUE(refuses("run dilute --backend cpu --steps 1 --load-configuration " + xyz,
                        {cause, wayOut, xyz}))
        << text;
  }
}

}  // namespace
}  // namespace cellscope
