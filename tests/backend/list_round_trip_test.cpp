// Every builder's own lists, cells and trees through the file and the check, on each backend.
#include <cstdio>

#include "sim/algo/list_check/check.h"
#include "sim/algo/neighbours/methods.h"
#include "sim/io/files.h"
#include "sim/io/list_file.h"
#include "tests/support/backend_test.h"
#include "tests/support/md_modes.h"

namespace cellscope::test {
namespace {

// All that changes how a builder searches.
std::vector<std::string> searches(const std::string& method) {
  std::vector<std::string> all{"search=fast", "search=paper", "buffer=0"};
  if (method == "tree")
    for (const char* size : {"1", "7"}) all.push_back(std::string("particles_per_leaf=") + size);
  if (method == "stencils")
    for (const char* other : {"", " search=paper longest_distance=true"})
      all.push_back(std::string("bin_width=0.5") + other);
  if (method == "cells" || method == "stencils") all.push_back("search=paper search_threads=4");
  return all;
}

class ListRoundTrips : public BackendTest {
 protected:
  void TearDown() override { std::remove(path_.c_str()); }
  static PairList listsOf(const std::string& settings) {
    const auto mode = startedMd(config(), settings);
    mode->advance(3);
    return mode->neighbourLists();
  }
  const std::string path_ = testing::TempDir() + "lists.npz";
};

TEST_P(ListRoundTrips, EveryBuilderIsFoundRight) {
  for (const ListMethod& method : listMethods())
    for (const std::string& search : searches(method.key))
      for (const char* dimension : {"2", "3"})
        for (const char* system : {"pure", "binary"}) {
          const std::string name = fmt::format("dimension={} system={} n=500 method={} {}",
                                               dimension, system, method.key, search);
          const PairList list = listsOf(name);
          ASSERT_GT(list.i.size(), 500u) << name;
          io::replaceFile(path_, io::pairListArchive(list));
          const PairList back = io::readPairList(path_).list;
          EXPECT_EQ(back.position, list.position);
          EXPECT_EQ(back.i, list.i);
          EXPECT_EQ(back.tree.rope, list.tree.rope);
          EXPECT_EQ(back.cells.start, list.cells.start);
          const list_check::Report r = list_check::check(back);
          EXPECT_EQ(r.wrongPairs(), 0u) << name;
          for (const list_check::Fault& f : r.faults) ADD_FAILURE() << name << f.rule << f.first;
          EXPECT_EQ(back.cells.any(),
                    std::string(method.key) == "cells" || std::string(method.key) == "stencils")
              << name;
          EXPECT_EQ(back.tree.size() > 0, std::string(method.key) == "tree") << name;
        }
}

// A box of less than two cutoffs, whose lists hold nearest images alone.
TEST_P(ListRoundTrips, SmallBoxesHoldNearestImages) {
  for (const ListMethod& method : listMethods())
    EXPECT_TRUE(
        list_check::check(listsOf(fmt::format("n=32 density=0.5 method={}", method.key))).isRight())
        << method.key;
}

INSTANTIATE_TEST_SUITE_P(Each, ListRoundTrips, kBackends, nameOfBackend);

}  // namespace
}  // namespace cellscope::test
