// Starts the program as a person or a script would.
#pragma once
#include <gtest/gtest.h>
#include <sys/wait.h>

#include <cstdio>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "test_paths.h"

namespace cellscope::test {

namespace fs = std::filesystem;

struct Result {
  int code = -1;
  std::string output;  // stdout and stderr
};

inline Result shell(const std::string& command) {
  Result r;
  FILE* pipe = popen(("{ " + command + " ; } 2>&1").c_str(), "r");
  char block[4096];
  while (const std::size_t n = std::fread(block, 1, sizeof block, pipe)) r.output.append(block, n);
  const int status = pclose(pipe);
  r.code = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  return r;
}

inline Result cellscope(const std::string& arguments) {
  return shell("env -u DISPLAY -u WAYLAND_DISPLAY " CELLSCOPE_PROGRAM " " + arguments);
}

// That it ended with this exit code and said all of these.
inline testing::AssertionResult ended(const Result& r, int code,
                                      const std::vector<std::string>& words = {}) {
  if (r.code != code)
    return testing::AssertionFailure() << "exit code " << r.code << ", not " << code << ":\n"
                                       << r.output;
  for (const std::string& w : words)
    if (r.output.find(w) == std::string::npos)
      return testing::AssertionFailure() << "does not say '" << w << "':\n" << r.output;
  return testing::AssertionSuccess();
}
// That a command succeeds, or that its input is refused.
inline testing::AssertionResult completes(const std::string& arguments,
                                          const std::vector<std::string>& words = {}) {
  return ended(cellscope(arguments), 0, words) << "\nof: " << arguments;
}
inline testing::AssertionResult refuses(const std::string& arguments,
                                        const std::vector<std::string>& words = {}) {
  return ended(cellscope(arguments), 2, words) << "\nof: " << arguments;
}

// After a command that is the program itself: once a condition of the shell holds, other commands
// are carried out, the program gets a signal and is waited for. Exit code 9: it ended before.
inline std::string signalledOnce(const std::string& condition, const std::string& signal = "INT",
                                 const std::string& before = "") {
  return " & p=$!; until " + condition + "; do sleep 0.02; kill -0 $p || exit 9; done; " + before +
         "kill -" + signal + " $p; wait $p";
}
// Of the process $p: that it handles INT, TERM.
inline const std::string kListens = "grep -qs 'SigCgt:.*[4567cdef]..[2367abef]$' /proc/$p/status";
// That it waits as well: ten looks in a row find every thread asleep, with no more time of a
// processor. A machine that stands still for a while spoils one look only.
inline const std::string kWaits =
    kListens +
    " && look() { cut -d' ' -f3,14,15 /proc/$p/task/*/stat; } && t=$(look)"
    " && for k in 1 2 3 4 5 6 7 8 9 10; do sleep 0.05; [ \"$t\" = \"$(look)\" ] || t=R; done"
    " && case \"$t\" in *[RD]*) false ;; esac";

inline std::vector<std::string> linesOf(const std::string& path) {
  std::ifstream in(path);
  std::vector<std::string> lines;
  for (std::string line; std::getline(in, line);) lines.push_back(line);
  return lines;
}

// Of a time series: the names of its columns and its rows, without the comments.
inline std::vector<std::string> seriesRows(const std::string& path) {
  std::vector<std::string> lines = linesOf(path);
  std::erase_if(lines, [](const std::string& line) { return line.starts_with('#'); });
  return lines;
}

class Program : public testing::Test {
 protected:
  void SetUp() override { fs::create_directories(folder_); }
  void TearDown() override { fs::remove_all(folder_); }
  std::string file(const std::string& name) const { return (folder_ / name).string(); }
  // A file with this text; its name.
  std::string put(const std::string& name, const std::string& text) const {
    fs::create_directories((folder_ / name).parent_path());
    std::ofstream(folder_ / name, std::ios::binary) << text;
    return file(name);
  }
  // The program, in the folder of the test, with what follows it in the shell.
  Result here(const std::string& arguments, const std::string& then = "") const {
    return shell("(cd " + folder_.string() +
                 " && exec env -u DISPLAY -u WAYLAND_DISPLAY " CELLSCOPE_PROGRAM " " + arguments +
                 ")" + then);
  }
  static bool has(const Result& r, const std::string& text) {
    return r.output.find(text) != std::string::npos;
  }
  const fs::path folder_ = fs::path(testing::TempDir()) / "program";
  // What most runs write.
  std::string csv_ = file("a.csv"), xyz_ = file("a.xyz"), checkpoint_ = file("a.checkpoint");
  // A small, quick run; every test adds its own arguments.
  const std::string run_ = "run four_disks --backend cpu --threads 1 --sample-every 5 ";
};

}  // namespace cellscope::test
