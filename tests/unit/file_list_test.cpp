// Completion of paths, lists of fitting files, and what the window remembers between two starts.
#include "app/gui/dialogs.h"

#include <gmock/gmock.h>

#include <cstdlib>

#include "app/common/settings.h"
#include "tests/support/program.h"

namespace cellscope::gui {
namespace {

namespace fs = std::filesystem;
using testing::ElementsAre, testing::HasSubstr, testing::IsEmpty;

const std::vector<FileKind> kAll = {FileKind::scenario, FileKind::checkpoint,
                                    FileKind::configuration, FileKind::picture};

class Files : public test::Program {
 protected:
  void SetUp() override {
    Program::SetUp();
    fs::create_directories(folder_ / "results");
    fs::create_directories(folder_ / ".hidden");
    for (const char* name : {"argon.toml", "argon.checkpoint", "Argon-2.xyz", "melt.h5",
                             "notes.txt", ".secret.toml", "shot.PNG"})
      std::ofstream(folder_ / name) << "text";
  }
  std::vector<std::string> names(const std::string& typed,
                                 const std::vector<FileKind>& kinds = kAll) const {
    std::vector<std::string> all;
    for (const FileEntry& e : listFor(typed, folder_.string(), kinds).entries)
      all.push_back(e.name);
    return all;
  }
};

TEST_F(Files, ListsFoldersAndWhatFits) {
  EXPECT_THAT(names(""), ElementsAre("results", "Argon-2.xyz", "argon.checkpoint", "argon.toml",
                                     "melt.h5", "shot.PNG"));
  EXPECT_THAT(names("", {FileKind::configuration}),
              ElementsAre("results", "Argon-2.xyz", "melt.h5"));
  EXPECT_THAT(names("arg"), ElementsAre("Argon-2.xyz", "argon.checkpoint", "argon.toml"));
  EXPECT_THAT(names("."), ElementsAre(".hidden", ".secret.toml"));
  EXPECT_THAT(names(folder_.string() + "/me"), ElementsAre("melt.h5"));
  EXPECT_THAT(listFor("nowhere/", folder_.string(), kAll).trouble, HasSubstr("No such file"));
}

TEST_F(Files, CompletesAsFarAsAllAgree) {
  const auto after = [&](const std::string& typed) {
    return completed(typed, listFor(typed, folder_.string(), kAll));
  };
  EXPECT_EQ(after("m"), "melt.h5");
  EXPECT_EQ(after("argon."), "argon.");
  EXPECT_EQ(after("argon.c"), "argon.checkpoint");
  EXPECT_EQ(after("res"), "results/");
  EXPECT_EQ(after("xyz"), "xyz");  // nothing begins like this
  EXPECT_EQ(after(folder_.string() + "/mel"), folder_.string() + "/melt.h5");
  EXPECT_EQ(after("a"), "Argon");  // as the first of them is written
}

// Every format of particles that can be read is offered, and small files are looked into.
TEST_F(Files, FilesOfParticlesAreKnownByTheirSuffixAndShown) {
  for (const char* name :
       {"a.xyz", "a.xyz.gz", "a.h5", "a.gsd", "a.dump", "a.data", "a.pdb", "a.npz"})
    EXPECT_EQ(kindOf(name), FileKind::configuration) << name;
  EXPECT_EQ(kindOf("a.gz"), FileKind::other);
  const auto preview = [&](const std::string& name, const std::string& text) {
    const std::string path = (folder_ / name).string();
    std::ofstream(path) << text;
    return previewOf(path);
  };
  const std::string box = "Lattice=\"4 0 0 0 5 0 0 0 6\"\n";
  EXPECT_EQ(preview("p.xyz", "2\n" + box + "Ar 1 1 1\nKr 2 2 7\n"),
            "2 particles (Ar, Kr), box 4 x 5 x 6. 1 of 2 particles were outside the box and were "
            "wrapped into it.");
  EXPECT_THAT(preview("q.xyz", "2\n" + box + "Ar 1 1 1\n"), HasSubstr("q.xyz:3: the file ends"));
  EXPECT_EQ(preview("q.toml", "mode = 1"), "");
  EXPECT_THAT(preview("large.xyz", std::string(3 << 20, ' ')),
              HasSubstr("3 MB: only files up to 2"));
}

TEST_F(Files, MemoryIsReadBackAndDamageIsHarmless) {
  const std::string place = (folder_ / "state" / "cellscope").string();
  EXPECT_EQ(readMemory(place), Remembered{});
  Remembered r;
  r.recentFiles = {"/tmp/a \"quoted\".toml", "/tmp/ü.checkpoint"};
  r.plotsWidth = 401.5f;
  r.plotsDetached = r.widened = true;
  ASSERT_EQ(writeMemory(place, r), "");
  EXPECT_EQ(readMemory(place), r);
  std::ofstream(place + "/window.toml") << "recent = 3\nleft_width = 1e9\nplots_detached = \"x\"\n";
  EXPECT_THAT(readMemory(place).recentFiles, IsEmpty());
  EXPECT_EQ(readMemory(place).leftWidth, kWidestColumn);
  std::ofstream(place + "/window.toml") << "recent = [";
  EXPECT_EQ(readMemory(place), Remembered{});
  EXPECT_THAT(writeMemory((folder_ / "argon.toml" / "x").string(), r), HasSubstr("argon.toml"));
  EXPECT_NE(writeMemory("", r), "");
}

TEST_F(Files, RecentOnesAreFewAbsoluteAndSayWhatIsMissing) {
  std::vector<std::string> recent;
  for (int i = 0; i < 12; ++i) addRecent(recent, "/tmp/" + std::to_string(i) + ".toml");
  addRecent(recent, "/tmp/x/../9.toml");
  EXPECT_EQ(recent.size(), kMostRecent);
  EXPECT_EQ(recent[0], "/tmp/9.toml");
  EXPECT_EQ(recent[1], "/tmp/11.toml");
  EXPECT_EQ(whyMissing((folder_ / "argon.toml").string()), "");
  EXPECT_EQ(whyMissing((folder_ / "gone.toml").string()), "no such file");
  EXPECT_EQ(whyMissing(folder_.string()), "a folder");
}

TEST(StateFolder, FollowsTheEnvironment) {
  const char* before = std::getenv("XDG_STATE_HOME");
  const std::string kept = before ? before : "";
  setenv("XDG_STATE_HOME", "/somewhere", 1);
  EXPECT_EQ(common::stateFolder(), "/somewhere/cellscope");
  setenv("XDG_STATE_HOME", "relative", 1);  // to be ignored, says the specification
  EXPECT_THAT(common::stateFolder(), testing::Not(testing::StartsWith("relative")));
  before ? setenv("XDG_STATE_HOME", kept.c_str(), 1) : unsetenv("XDG_STATE_HOME");
}

}  // namespace
}  // namespace cellscope::gui
