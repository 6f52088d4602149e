// Bad input and bad luck as a person meets them: configurations and checkpoints that are damaged or
// of another kind, and what a person could otherwise only guess. Exit code 2 for what cannot be
// run, 1 for a run that fails, whose last valid state is kept; each says cause and way out.
#include <gmock/gmock.h>

#include "sim/base/backend.h"
#include "sim/base/build.h"
#include "sim/io/formats/format.h"
#include "tests/support/program.h"

namespace cellscope::test {
namespace {

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
      completes("run dilute --set n=64 d=0.3 --backend cpu --steps 1 --load-configuration " + flat,
                {"64 particles"}));
}

// A damaged checkpoint is refused with the reason and exit code 2; that any damage is found, by
// every byte: Session.EveryFlippedByteAndEveryTruncationIsFound.
TEST_F(Program, DamagedCheckpointsAreRefused) {
  const std::string bad = file("bad.checkpoint");
  ASSERT_TRUE(completes(run_ + "--steps 20 --checkpoint " + checkpoint_));
  const std::string good = io::readFile(checkpoint_);
  std::string flipped = good;
  flipped[good.size() / 2] ^= 1;
  const std::pair<std::string, const char*> cases[] = {
      {"", "is not a checkpoint: it is empty"},
      {std::string("x") + good.substr(1),
       "is not a checkpoint of this program, or its beginning is damaged"},
      {flipped, "is damaged: its checksum"}};
  for (const auto& [bytes, wanted] : cases) {
    std::ofstream(bad, std::ios::binary) << bytes;
    const Result r = cellscope("run --resume " + bad + " --backend cpu --steps 1");
    EXPECT_TRUE(ended(r, 2, {wanted, bad, "; use an older checkpoint, or run its scenario again"}));
  }
  // One that an earlier run left under the number of its results.
  std::ofstream(bad, std::ios::binary) << good.substr(0, 99);
  std::ofstream(file("bad.1.checkpoint"), std::ios::binary) << good;
  std::ofstream(file("bad.2.checkpoint"), std::ios::binary) << good;
  const Result r = cellscope("run --resume " + bad + " --backend cpu --steps 1");
  EXPECT_TRUE(has(r, "; '" + file("bad.2.checkpoint") + "' is an older one")) << r.output;
}

class Messages : public Program {};

TEST_F(Messages, NameASettingThatDoesNothing) {
  EXPECT_TRUE(completes("run gcmc_plane --backend cpu --set length_z=9 --steps 1",
                        {"length_z=9 does nothing now: 'length_z' acts with dimension = 3"}));
  const Result space = cellscope("run gcmc_liquid --backend cpu --set length_z=9 --steps 1");
  EXPECT_TRUE(ended(space, 0) && !has(space, "does nothing")) << space.output;
}

// app/start with tools that do nothing: why it builds without CUDA, as the program will state it.
TEST_F(Messages, StateWhyABuildHasNoCuda) {
  const fs::path source = CELLSCOPE_SOURCE_DIR;
  fs::create_directories(folder_ / "app");
  for (const char* name : {"start", "packages.sh"})
    fs::copy(source / "app" / name, folder_ / "app" / name);
  const auto tool = [&](const std::string& name, const std::string& does) {
    fs::permissions(put(name, "#!/bin/sh\n" + does + "\n"), fs::perms::owner_all);
  };
  tool("dpkg-query", "echo installed");
  tool("cmake", "printf '%s\\n' \"$@\" >> " + file("options"));
  const auto started = [&](const char* cuda, bool nvcc, bool driver) {
    tool("nvidia-smi", driver ? "exit 0" : "exit 9");
    fs::remove(file("nvcc"));
    if (nvcc) tool("nvcc", "exit 0");
    fs::remove(file("options"));
    shell("PATH=" + folder_.string() + ":/usr/bin:/bin CELLSCOPE_CUDA=" + cuda + " " +
          file("app/start"));
    return io::readFile(file("options"));
  };
  const auto off = [](const std::string& why) {
    return testing::HasSubstr("-DCELLSCOPE_CUDA=OFF\n-DCELLSCOPE_WHY_NO_CUDA=" + why + "\n");
  };
  EXPECT_THAT(started("OFF", true, true), off("CELLSCOPE_CUDA=OFF was set"));
  EXPECT_THAT(started("AUTO", true, false), off("no NVIDIA driver was found when it was built"));
  EXPECT_THAT(started("AUTO", true, true), testing::HasSubstr("-DCELLSCOPE_CUDA=AUTO\n"));
  if (!fs::exists("/usr/local/cuda/bin/nvcc") && !fs::exists("/usr/bin/nvcc")) {
    EXPECT_THAT(started("AUTO", false, true), off("nvcc was not found"));
    EXPECT_THAT(started("ON", false, true), testing::HasSubstr("-DCELLSCOPE_CUDA=ON\n"));
  }
}

TEST_F(Messages, StateTheReasonOfTheBuildSystem) {
  if (kCudaBuilt) GTEST_SKIP() << "this build has CUDA";
  const std::string why = whyNoCuda();
  EXPECT_TRUE(has(here("info"), "built with: CPU backend only (" + why + ")"));
  EXPECT_TRUE(
      has(here("run four_disks --steps 1 --backend cuda"), "this build has no CUDA (" + why + ")"));
}

TEST_F(Messages, ThatCannotBeWrittenAreAFailure) {
  for (const char* arguments : {"--version", "--help", "list", "info", "reproduce --help"})
    EXPECT_TRUE(ended(cellscope(std::string(arguments) + " > /dev/full"), 1,
                      {"standard output could not be written"}));
}

TEST_F(Messages, ShowNoControlCharactersOfTitlesAndNames) {
  const std::string path = put("bell.toml",
                               "title = \"red \\u001b[31m bell \\u0007\"\n"
                               "mode = \"hard_disks\"\n");
  EXPECT_TRUE(completes("list " + path, {"red \\x1b[31m bell \\x07"}));
  for (const std::string& arguments :
       {std::string("list $'no\\x1b[31m'"), std::string("run $'no\\x1b[31m' --steps 1"),
        std::string("--frob$'\\x1b[31m'")}) {
    const Result refused = shell("bash -c \"" CELLSCOPE_PROGRAM " " + arguments + "\"");
    EXPECT_EQ(refused.output.find('\x1b'), std::string::npos) << arguments;
    EXPECT_TRUE(has(refused, "\\x1b")) << refused.output;
  }
}

TEST_F(Messages, FindTheGalleryBehindAFileOfTheSameName) {
  put("four_disks", "title = \"mine\"\nmode = \"hard_disks\"\n");
  EXPECT_FALSE(has(here("list four_disks"), "mine"));
  EXPECT_TRUE(has(here("list ./four_disks"), "mine"));
  put("own", "title = \"mine\"\nmode = \"hard_disks\"\n");
  EXPECT_TRUE(has(here("list own"), "mine"));
}

TEST_F(Messages, TellFoldersAndLoopsOfLinks) {
  fs::create_directory(file("folder"));
  EXPECT_TRUE(refuses("run " + file("folder") + " --steps 1", {"is a folder, not a scenario"}));
  fs::create_symlink(file("a.toml"), file("b.toml"));
  fs::create_symlink(file("b.toml"), file("a.toml"));
  EXPECT_TRUE(
      refuses("run " + file("a.toml") + " --steps 1", {"Too many levels of symbolic links"}));
}

TEST_F(Messages, SayHowAValueIsWritten) {
  const std::string path =
      put("tile.toml", "title = \"t\"\nmode = \"md\"\n[parameters]\ntile = 64\n");
  EXPECT_TRUE(refuses("run " + path + " --steps 1",
                      {"value 64 is not text; write it in quotes, \"64\"", "tile.toml:4"}));
  EXPECT_TRUE(completes(run_ + "--steps 1 --set seed=9007199254740992"));
}

// More of what molecular dynamics refuses: MdBadInput.
TEST_F(Program, ParticlesThatOverlapAreRefusedWithTheirFile) {
  for (const auto& [second, cause] :
       {std::pair("1 1 1", "same position"), std::pair("1.2 1 1", "overlaps")}) {
    const std::string path =
        put("some.xyz",
            "2\nLattice=\"10 0 0 0 10 0 0 0 10\" Properties=species:S:1:pos:R:3\nA 1 1 1\nA " +
                std::string(second) + "\n");
    EXPECT_TRUE(refuses("run lj_all_pairs --backend cpu --steps 1 --load-configuration " + path,
                        {path, cause, "minimise = true"}));
  }
}

// A particle that is flung away: it is named, the state before is in a checkpoint, and a smaller
// time step goes on from there.
TEST_F(Program, ARunThatBlowsUpKeepsItsState) {
  for (const std::string method : {"all_pairs", "cells", "tree", "placeholder_cells"}) {
    EXPECT_TRUE(ended(here("run lj_all_pairs --backend cpu --steps 3000 --set n=500 temperature=20 "
                           "dt=0.03 cutoff=2.5 method=" +
                           method),
                      1, {"blew up", "dt = 0.03"}));
    EXPECT_TRUE(ended(here("run --resume lj_all_pairs.checkpoint --backend cpu --steps 5 --set "
                           "dt=0.0005"),
                      0))
        << method;
  }
}

}  // namespace
}  // namespace cellscope::test
