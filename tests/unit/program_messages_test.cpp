// What the command line says when something is wrong, where a person could otherwise only guess.
#include <gmock/gmock.h>

#include "sim/base/backend.h"
#include "sim/base/build.h"
#include "sim/io/files.h"
#include "tests/support/program.h"

namespace cellscope {
namespace {

using namespace test;

class Messages : public Program {
 protected:
  std::string scenario(const std::string& name, const std::string& text) {
    std::ofstream(file(name)) << text;
    return file(name);
  }
};

TEST_F(Messages, NameASettingThatDoesNothing) {
  EXPECT_TRUE(completes("run gcmc_plane --backend cpu --set length_z=9 --steps 1",
                        {"length_z=9 does nothing now: 'length_z' acts with dimension = 3"}));
  const Result space = cellscope("run gcmc_liquid --backend cpu --set length_z=9 --steps 1");
  EXPECT_EQ(space.code, 0);
  EXPECT_FALSE(has(space, "does nothing"));
}

// app/start with tools that do nothing: why it builds without CUDA, as the program will state it.
TEST_F(Messages, StateWhyABuildHasNoCuda) {
  const fs::path source = CELLSCOPE_SOURCE_DIR;
  fs::create_directories(folder_ / "app");
  for (const char* name : {"start", "packages.sh"})
    fs::copy(source / "app" / name, folder_ / "app" / name);
  const auto tool = [&](const std::string& name, const std::string& does) {
    std::ofstream(file(name)) << "#!/bin/sh\n" << does << "\n";
    fs::permissions(file(name), fs::perms::owner_all);
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
  const std::string path = scenario("bell.toml",
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
  scenario("four_disks", "title = \"mine\"\nmode = \"hard_disks\"\n");
  EXPECT_FALSE(has(here("list four_disks"), "mine"));
  EXPECT_TRUE(has(here("list ./four_disks"), "mine"));
  scenario("own", "title = \"mine\"\nmode = \"hard_disks\"\n");
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

TEST_F(Messages, BlameAWrongInstructionSetOnItsVariable) {
  for (const char* arguments :
       {"run lj_all_pairs --steps 1", "list lj_all_pairs", "bench --list"}) {
    const Result r =
        shell("env CELLSCOPE_ISA=altivec " CELLSCOPE_PROGRAM " " + std::string(arguments));
    EXPECT_TRUE(ended(r, 2, {"cellscope: instruction set 'altivec' (CELLSCOPE_ISA)"}));
    EXPECT_FALSE(has(r, ".toml")) << r.output;
  }
}

TEST_F(Messages, SayHowAValueIsWritten) {
  const std::string path =
      scenario("tile.toml", "title = \"t\"\nmode = \"md\"\n[parameters]\ntile = 64\n");
  EXPECT_TRUE(refuses("run " + path + " --steps 1",
                      {"value 64 is not text; write it in quotes, \"64\"", "tile.toml:4"}));
  EXPECT_TRUE(completes(run_ + "--steps 1 --set seed=9007199254740992"));
}

}  // namespace
}  // namespace cellscope
