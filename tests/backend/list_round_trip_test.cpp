// Every builder's own lists, cells and trees through the file and the check, on each backend.
#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdio>
#include <string>
#include <utility>
#include <vector>

#include "sim/algo/list_check/check.h"
#include "sim/algo/neighbours/methods.h"
#include "sim/api/mode.h"
#include "sim/exec/memory.h"
#include "sim/io/files.h"
#include "sim/io/list_file.h"
#include "tests/support/backend_test.h"

namespace cellscope {
namespace {

using ListSettings = std::vector<std::pair<std::string, std::string>>;

std::unique_ptr<Mode> startedWith(Backend where, const ListSettings& settings) {
  std::unique_ptr<Mode> mode = makeMode("md", ExecConfig{where, 2, 0});
  for (const auto& [key, value] : settings) mode->parameters().at(key).setText(value);
  mode->restart();
  mode->advance(3);
  return mode;
}

// All that changes how a builder searches.
std::vector<ListSettings> searches(const std::string& method) {
  std::vector<ListSettings> all{{{"search", "fast"}}, {{"search", "paper"}}};
  if (method == "tree")
    all.push_back({{"particles_per_leaf", "1"}}), all.push_back({{"particles_per_leaf", "7"}});
  if (method == "stencils") {
    all.push_back({{"bin_width", "0.5"}});
    all.push_back({{"search", "paper"}, {"longest_distance", "true"}, {"bin_width", "0.5"}});
  }
  if (method == "cells" || method == "stencils")
    all.push_back({{"search", "paper"}, {"search_threads", "4"}});
  all.push_back({{"buffer", "0"}});
  return all;
}

class ListRoundTrips : public testing::TestWithParam<Backend> {
 protected:
  void SetUp() override {
    if (GetParam() == Backend::cuda && !exec::cudaStatus().usable)
      GTEST_SKIP() << "no CUDA: " << exec::cudaStatus().reason;
    path_ = testing::TempDir() + "lists-" + std::to_string(getpid()) + ".npz";
  }
  void TearDown() override { std::remove(path_.c_str()); }
  std::string path_;
};

TEST_P(ListRoundTrips, EveryBuilderIsFoundRight) {
  for (const ListMethod& method : listMethods())
    for (const ListSettings& search : searches(method.key))
      for (const char* dimension : {"2", "3"})
        for (const char* system : {"pure", "binary"}) {
          ListSettings all{
              {"dimension", dimension}, {"system", system}, {"n", "500"}, {"method", method.key}};
          all.insert(all.end(), search.begin(), search.end());
          std::string name;
          for (const auto& [key, value] : all) name += key + "=" + value + " ";
          const std::unique_ptr<Mode> mode = startedWith(GetParam(), all);
          const PairList list = dynamic_cast<LendsLists&>(*mode).neighbourLists();
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
  for (const ListMethod& method : listMethods()) {
    const auto mode =
        startedWith(GetParam(), {{"n", "32"}, {"density", "0.5"}, {"method", method.key}});
    EXPECT_TRUE(list_check::check(dynamic_cast<LendsLists&>(*mode).neighbourLists()).isRight())
        << method.key;
  }
}

INSTANTIATE_TEST_SUITE_P(Each, ListRoundTrips, test::kBackends, test::nameOfBackend);

}  // namespace
}  // namespace cellscope
