// Every builder's own lists, cells and trees through the check and through the file.
#include <gtest/gtest.h>

#include "sim/algo/list_check/check.h"
#include "sim/algo/neighbours/methods.h"
#include "sim/api/lends_lists.h"
#include "sim/api/mode.h"
#include "sim/base/error.h"
#include "sim/io/list_file.h"
#include "sim/io/output_file.h"
#include "tests/support/message_of.h"
#include "tests/support/program.h"

namespace cellscope {
namespace {

using ListSettings = std::vector<std::pair<std::string, std::string>>;

std::unique_ptr<Mode> startedWith(const ListSettings& settings) {
  std::unique_ptr<Mode> mode = makeMode("md", ExecConfig{});
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

class ListRoundTrip : public test::Program {};

TEST_F(ListRoundTrip, EveryBuilderIsFoundRight) {
  for (const ListMethod& method : listMethods())
    for (const ListSettings& search : searches(method.key))
      for (const char* dimension : {"2", "3"})
        for (const char* system : {"lennard_jones", "binary"}) {
          ListSettings all{
              {"dimension", dimension}, {"system", system}, {"n", "500"}, {"method", method.key}};
          all.insert(all.end(), search.begin(), search.end());
          std::string name;
          for (const auto& [key, value] : all) name += key + "=" + value + " ";
          const std::unique_ptr<Mode> mode = startedWith(all);
          const PairList list = dynamic_cast<LendsLists&>(*mode).neighbourLists();
          ASSERT_GT(list.i.size(), 500u) << name;
          io::replaceFile(file("own.npz"), io::pairListArchive(list));
          const PairList back = io::readPairList(file("own.npz")).list;
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
TEST_F(ListRoundTrip, SmallBoxesHoldNearestImages) {
  for (const ListMethod& method : listMethods()) {
    const auto mode = startedWith({{"n", "32"}, {"density", "0.5"}, {"method", method.key}});
    EXPECT_TRUE(list_check::check(dynamic_cast<LendsLists&>(*mode).neighbourLists()).isRight())
        << method.key;
  }
}

TEST_F(ListRoundTrip, TheProgramWritesAndChecksThem) {
  const test::Result run =
      test::cellscope("run argon --set n=500 method=tree --steps 5 --quiet --backend cpu --lists " +
                      file("own.npz"));
  ASSERT_EQ(run.code, 0) << run.output;
  const test::Result right = test::cellscope("check-lists " + file("own.npz"));
  EXPECT_EQ(right.code, 0) << right.output;
  EXPECT_TRUE(has(right, "Right")) << right.output;
  const test::Result wrong =
      test::cellscope("check-lists " + file("own.npz") + " --cutoff 2.9 --json " + file("w.json") +
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
