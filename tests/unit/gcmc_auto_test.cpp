// method = auto: of several methods with the same decisions the fastest goes on, after steps of the
// run made by each of them in turn.
#include <gtest/gtest.h>

#include <set>

#include "sim/api/mode.h"
#include "sim/modes/gcmc/methods/method.h"

namespace cellscope {
namespace {

using gcmc::AutoMethod, gcmc::Method;

const Method& named(const std::string& key) {
  for (const auto& m : gcmc::methods())
    if (key == m->made().key) return *m;
  throw InputError(key);
}

// What a race of methods on a GPU names, too.
TEST(GcmcMethodVariants, HaveNamesOfTheirOwn) {
  for (const Backend where : {Backend::cpu, Backend::cuda})
    for (const int dimension : {2, 3}) {
      std::set<std::string> names;
      std::size_t count = 0;
      for (const auto& m : gcmc::methods())
        for (const Method::Variant& v : m->variants(dimension, where))
          names.insert(v.name), ++count;
      EXPECT_EQ(names.size(), count);
      EXPECT_EQ(names.count("microcells many, 256 threads"), where == Backend::cuda ? 1u : 0u);
    }
}

// A clock that only the steps of methods move on.
struct Bench {
  std::map<std::string, double> seconds;  // of a step
  std::string absent;                     // for which there is no memory
  double now = 0;
  const Method* runs = nullptr;
  std::vector<std::string> made;  // by whom the steps were made
  AutoMethod chooser{[this] { return now; }};

  void begin(std::uint32_t n = 100) {
    std::vector<const Method*> all;
    for (const auto& [key, time] : seconds) all.push_back(&named(key));
    chooser.begin(
        all,
        [this](const Method& m) {
          if (absent == m.made().key) return false;
          runs = &m;
          return true;
        },
        [this] {
          made.push_back(runs->made().key);
          now += seconds.at(made.back());
        },
        1000, n);
  }
  void finish() {
    while (chooser.running()) chooser.advance();
  }
};

TEST(GcmcAuto, TheFastestGoesOnAndBothRatesAreStated) {
  for (const double serial : {0.5, 0.002}) {
    Bench b{.seconds = {{"serial_cells", serial}, {"speculative", 0.01}}};
    b.begin();
    EXPECT_NE(b.chooser.words().find("in turn"), std::string::npos);
    b.finish();
    EXPECT_EQ(b.made, (std::vector<std::string>{"serial_cells", "speculative", "serial_cells",
                                                "speculative", "serial_cells", "speculative"}));
    EXPECT_STREQ(b.runs->made().key, serial < 0.01 ? "serial_cells" : "speculative");
    EXPECT_EQ(b.chooser.words(), serial < 0.01
                                     ? ", chosen automatically: 5e+05 moves/s, speculative 1e+05"
                                     : ", chosen automatically: 1e+05 moves/s, serial_cells 2e+03");
  }
}

TEST(GcmcAuto, AMethodWithoutMemoryIsNotNamedAndTheOtherGoesOn) {
  Bench b{.seconds = {{"serial_cells", 0.01}, {"speculative", 0.001}}, .absent = "speculative"};
  b.begin();
  b.finish();
  EXPECT_STREQ(b.runs->made().key, "serial_cells");
  EXPECT_EQ(b.chooser.words().find("speculative"), std::string::npos);
}

TEST(GcmcAuto, IsAskedAgainWhereNHasDoubledOrHalved) {
  Bench b{.seconds = {{"serial_cells", 0.01}, {"speculative", 0.001}}};
  b.begin(4000);
  EXPECT_FALSE(b.chooser.outdated(9000)) << "it runs";
  b.finish();
  EXPECT_FALSE(b.chooser.outdated(7999));
  EXPECT_TRUE(b.chooser.outdated(8002));
  EXPECT_TRUE(b.chooser.outdated(1999));
  b.begin(10);
  b.finish();
  EXPECT_FALSE(b.chooser.outdated(900)) << "all are fast";
  Bench alone{.seconds = {{"serial_cells", 0.01}}};
  alone.begin(4000);
  EXPECT_FALSE(alone.chooser.running()) << "nothing to choose";
  EXPECT_FALSE(alone.chooser.outdated(100000));
  EXPECT_EQ(alone.chooser.words(), ", chosen automatically");
  alone.chooser.stop();
  EXPECT_EQ(alone.chooser.words(), "");
}

TEST(GcmcAuto, ALargeDenseStartTakesMovesInOrderOnEveryBackend) {
  const auto methodFor = [](const auto& change) {
    gcmc::GcmcParameters p;
    p.length = 32, p.density = 0.67;
    change(p);
    const std::string key = gcmc::methodOf(p, Backend::cpu).made().key;
    EXPECT_EQ(key == "in_order", gcmc::methodOf(p, Backend::cuda).made().key == std::string(key))
        << key;
    return key;
  };
  EXPECT_EQ(methodFor([](auto&) {}), "in_order");
  EXPECT_EQ(methodFor([](auto& p) { p.length = 23; }), "in_order") << "8,152";
  EXPECT_EQ(methodFor([](auto& p) { p.length = 22.5; }), "serial_cells") << "fewer than 8,000";
  EXPECT_EQ(methodFor([](auto& p) { p.length = 80, p.density = 0.05; }), "serial_cells") << "a gas";
  EXPECT_EQ(methodFor([](auto& p) { p.replicas = 2; }), "serial_cells");
  EXPECT_EQ(methodFor([](auto& p) { p.oldNumber = true; }), "serial_cells");
  EXPECT_EQ(methodFor([](auto& p) { p.cutoff = 1; }), "serial_cells") << "its tail is positive";
}

TEST(GcmcAuto, HalfWarpsOfEarlierVersionsAreSpeculativeMoves) {
  const auto mode = makeMode("gcmc", {});
  Parameter& method = mode->parameters().at("method");
  method.setText("half_warps");
  EXPECT_EQ(toText(method.get()), "speculative");
  for (const ChoiceInfo& c : method.info.choices) EXPECT_NE(c.key, "half_warps");
  EXPECT_NE(method.info.help.find("half_warps"), std::string::npos);
  EXPECT_THROW(method.setText("quarter_warps"), InputError);
  EXPECT_THROW(method.setText(""), InputError);
}

}  // namespace
}  // namespace cellscope
