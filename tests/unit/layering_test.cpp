// Who may include whom: app -> render -> sim/api <- sim/modes -> sim/algo -> sim/exec -> sim/core,
// and sim/base below all of them.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <map>
#include <regex>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "test_paths.h"

namespace {
namespace fs = std::filesystem;

struct Include {
  std::string file, target;
  int line = 0;
};

std::vector<Include> includesIn(std::istream& text, const std::string& file) {
  static const std::regex directive(R"(^\s*#\s*include\s*[<"]([^>"]+)[>"])");
  std::vector<Include> found;
  std::string line;
  std::smatch match;
  for (int number = 1; std::getline(text, line); ++number)
    if (std::regex_search(line, match, directive)) found.push_back({file, match[1], number});
  return found;
}

// "render" of render/png.cpp, "sim/core" of sim/core/rng.h, "" of a system header.
std::string layerOf(const std::string& path) {
  for (const char* layer : {"app/", "render/", "shaders/", "tests/"})
    if (path.rfind(layer, 0) == 0) return std::string(layer, std::string(layer).size() - 1);
  if (path.rfind("sim/", 0) != 0) return "";
  return path.substr(0, path.find_first_of("/.", 4));
}

// Own layers that each layer may include besides itself.
const std::map<std::string, std::set<std::string>> kAllowed = {
    {"render", {"sim/base", "sim/api", "shaders"}},
    {"sim/base", {}},
    {"sim/api", {"sim/base"}},
    {"sim/core", {"sim/base"}},
    {"sim/exec", {"sim/base", "sim/core"}},
    {"sim/algo", {"sim/base", "sim/core", "sim/exec"}},
    {"sim/layers", {"sim/base", "sim/core", "sim/exec", "sim/algo", "sim/api"}},
    {"sim/io", {"sim/base", "sim/api"}},
    {"sim/modes",
     {"sim/base", "sim/core", "sim/exec", "sim/algo", "sim/api", "sim/layers", "sim/io"}},
    {"sim/run",
     {"sim/base", "sim/core", "sim/exec", "sim/algo", "sim/api", "sim/io"}},  // modes by key
};
const std::regex kGraphics(R"(^(GL/|EGL/|glad/|GLFW/|imgui|glm/|cuda_gl_interop))");

// What is wrong with an include; "" when nothing is.
std::string verdict(const Include& i) {
  const std::string from = layerOf(i.file), to = layerOf(i.target);
  if (from.rfind("sim/", 0) == 0) {
    if (std::regex_search(i.target, kGraphics)) return "sim knows no GL, window or ImGui";
    if (to == "app" || to == "render" || to == "tests") return "sim includes only sim";
  }
  if (from == "render" && i.target.rfind("imgui", 0) == 0) return "render knows no ImGui";
  if (to == "tests" && from != "tests") return "only tests include tests";
  const auto rule = kAllowed.find(from);
  if (rule == kAllowed.end() || to.empty() || to == from || rule->second.count(to)) return "";
  return from + " may not include " + to;
}

std::vector<Include> allIncludes() {
  const fs::path root = CELLSCOPE_SOURCE_DIR;
  std::vector<Include> found;
  for (const char* folder : {"app", "render", "sim"})
    for (const auto& entry : fs::recursive_directory_iterator(root / folder)) {
      const std::string extension = entry.path().extension().string();
      if (extension != ".h" && extension != ".cpp" && extension != ".cu" && extension != ".cuh")
        continue;
      std::ifstream text(entry.path());
      const auto part = includesIn(text, fs::relative(entry.path(), root).generic_string());
      found.insert(found.end(), part.begin(), part.end());
    }
  return found;
}

TEST(Layering, EveryIncludeKeepsTheRules) {
  const auto includes = allIncludes();
  ASSERT_GT(includes.size(), 100u) << "the source tree was not found";
  for (const Include& i : includes)
    EXPECT_EQ(verdict(i), "") << i.file << ":" << i.line << " includes " << i.target;
}

TEST(Layering, BrokenRulesAreSeen) {
  std::istringstream text("#include \"sim/core/rng.h\"\n  #  include <glad/gl.h>\nint x;\n");
  const auto found = includesIn(text, "render/x.cpp");
  ASSERT_EQ(found.size(), 2u);
  EXPECT_EQ(found[1].line, 2);
  EXPECT_NE(verdict(found[0]), "");
  EXPECT_EQ(verdict(found[1]), "");
  EXPECT_NE(verdict({"sim/algo/x.cu", "glad/gl.h", 1}), "");
  EXPECT_NE(verdict({"sim/run/x.cpp", "render/renderer.h", 1}), "");
  EXPECT_NE(verdict({"render/x.cpp", "sim/algo/mpmc/engine.h", 1}), "");
  EXPECT_NE(verdict({"sim/core/x.h", "sim/exec/memory.h", 1}), "");
  EXPECT_NE(verdict({"sim/exec/x.h", "sim/api/mode.h", 1}), "");
  EXPECT_NE(verdict({"sim/algo/x.h", "sim/api/frame.h", 1}), "");
  EXPECT_NE(verdict({"sim/base/x.h", "sim/core/rng.h", 1}), "");
  EXPECT_NE(verdict({"sim/io/x.cpp", "sim/run/session.h", 1}), "");
  EXPECT_NE(verdict({"sim/run/x.cpp", "sim/modes/md/mode.h", 1}), "");
  EXPECT_EQ(verdict({"app/x.cpp", "sim/core/rng.h", 1}), "");
}

// The staged include root of the renderer holds nothing of sim but its interfaces.
TEST(Layering, RenderCannotFindTheRestOfSim) {
  const fs::path stage = CELLSCOPE_RENDER_INCLUDES;
  ASSERT_TRUE(fs::exists(stage / "sim/api/frame.h")) << stage;
  for (const auto& entry : fs::directory_iterator(stage / "sim"))
    EXPECT_TRUE(entry.path().filename() == "api" || entry.path().filename() == "base") << entry;
  EXPECT_FALSE(fs::exists(stage / "sim/core/rng.h"));
  const std::string roots = CELLSCOPE_RENDER_ROOTS;
  EXPECT_NE(roots.find("render-include"), std::string::npos);
  std::istringstream list(roots);
  for (std::string root; std::getline(list, root, '|');)
    EXPECT_FALSE(fs::exists(fs::path(root) / "sim/core/rng.h")) << root << " reaches sim/core";
}

}  // namespace
