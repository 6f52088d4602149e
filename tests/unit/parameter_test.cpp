// Parameters: declared once, validated with messages that name key, value and range; the thread
// mappings as values of one.
#include "sim/api/parameter.h"
#include "sim/modes/hard_disks/parameters.h"
#include "tests/support/message_of.h"

namespace cellscope::test {
namespace {

struct Sample {
  bool flag = false;
  std::int64_t count = 4, seed = 1;
  double size = 0.5;
  Choice colour{1};

  template <class V>
  void visit(V& v) {
    v({.key = "flag", .label = "Flag"}, flag);
    v({.key = "count", .label = "Count", .min = 1, .max = 8}, count);
    v({.key = "seed", .label = "Seed", .max = 9007199254740992.0}, seed);
    v({.key = "size", .label = "Size", .unit = "sigma", .min = 0.1, .max = 1}, size);
    v({.key = "colour", .label = "Colour", .choices = {"red", "green"}}, colour);
  }
};

TEST(Parameter, StoresThroughTheDeclaration) {
  Sample s;
  ParameterSet set = ParameterSet::of(s);
  set.at("count").setText("7");
  set.at("size").set(std::int64_t{1});
  set.at("flag").setText("true");
  set.at("colour").setText("red");
  EXPECT_EQ(s.count, 7);
  EXPECT_EQ(s.size, 1.0);
  EXPECT_TRUE(s.flag);
  EXPECT_EQ(s.colour.index, 0);
  EXPECT_EQ(toText(set.at("colour").get()), "red");
  EXPECT_EQ(toText(set.at("colour").fallback), "green");
}

struct Chained {
  std::int64_t count = 0;
  Choice kind{0};
  double size = 0.5;
  bool exact = false;

  template <class V>
  void visit(V& v) {
    v({.key = "count", .label = "Count", .max = 8}, count);
    v({.key = "kind", .label = "Kind", .choices = {"a", "b", "c"}, .actsWith = {"count", {}}},
      kind);
    v({.key = "size", .label = "Size", .max = 1, .actsWith = {"kind", {"b", "c"}}}, size);
    v({.key = "exact", .label = "Exact", .actsWith = {"size", {}}}, exact);
  }
};

// A parameter acts where what it acts with has one of its values, and acts itself.
TEST(Parameter, ActsAlongAChain) {
  Chained s;
  ParameterSet set = ParameterSet::of(s);
  const auto acting = [&] {
    std::string keys;
    for (const Parameter& p : set.items())
      if (set.acts(p)) keys += p.info.key + " ";
    return keys;
  };
  EXPECT_EQ(acting(), "count ");
  set.at("kind").setText("b");
  EXPECT_EQ(acting(), "count ");
  set.at("count").setText("2");
  EXPECT_EQ(acting(), "count kind size exact ");
  set.at("size").setText("0");
  EXPECT_EQ(acting(), "count kind size ");
  set.at("kind").setText("a");
  EXPECT_EQ(acting(), "count kind ");
  EXPECT_EQ(set.at("kind").info.actsWith.words(), "count > 0");
  EXPECT_EQ(set.at("size").info.actsWith.words(), "kind = b, c");
}

TEST(Parameter, RefusesAndKeepsTheOldValue) {
  Sample s;
  ParameterSet set = ParameterSet::of(s);
  const auto refusalOf = [&](const char* key, const char* text) {
    return messageOf<InputError>([&] { set.at(key).setText(text); });
  };
  for (const char* bad : {"9", "0", "1.5", "x", "", "nan"}) {
    SCOPED_TRACE(bad);
    expectWords(refusalOf("count", bad), {"'count'", "1 to 8"});
  }
  for (const char* bad : {"nan", "inf", "0.05", "1.5", "two"})
    expectWords(refusalOf("size", bad), {"0.1 to 1 sigma"});
  expectWords(refusalOf("colour", "blue"), {"red, green"});
  EXPECT_EQ(s.count, 4);
  EXPECT_EQ(s.size, 0.5);
  EXPECT_EQ(s.colour.index, 1);
}

TEST(Parameter, WholeIsWhatHasAWholeValue) {
  Sample s;
  ParameterSet set = ParameterSet::of(s);
  for (const char* five : {"5", "+5", "5.0", "5.", "0.5e1", "50e-1", "05"}) {
    set.at("count").setText("1");
    set.at("count").setText(five);
    EXPECT_EQ(s.count, 5) << five;
  }
  set.at("count").set(2.0);
  EXPECT_EQ(s.count, 2);
  set.at("seed").setText("1e15");
  EXPECT_EQ(s.seed, 1'000'000'000'000'000);
  set.at("size").setText("+5e-1");
  EXPECT_EQ(s.size, 0.5);
  for (const char* bad :
       {"2.5", "0x2", "1_0", "+-2", "++2", "+", "2e", " 2", "2 ", "1e400", "inf"}) {
    SCOPED_TRACE(bad);
    expectWords(messageOf<InputError>([&] { set.at("count").setText(bad); }),
                {"is not a whole number; allowed: whole number 1 to 8"});
  }
  EXPECT_THROW(set.at("count").set(2.5), InputError);
  EXPECT_EQ(s.count, 2);
  // As doubles the two are equal.
  set.at("seed").setText("9007199254740992");
  EXPECT_THROW(set.at("seed").setText("9007199254740993"), InputError);
}

TEST(Parameter, UnknownKeySuggestsTheNearest) {
  Sample s;
  ParameterSet set = ParameterSet::of(s);
  expectWords(messageOf<InputError>([&] { set.at("cuont"); }), {"did you mean 'count'"});
}

TEST(Mappings, ParameterOffersAutoAndThemAll) {
  ASSERT_EQ(mappingChoices().size(), kMpmcMappings.size() + 1);
  HardDiskParameters p;
  EXPECT_FALSE(p.chosenMapping());
  for (std::size_t i = 0; i < kMpmcMappings.size(); ++i) {
    EXPECT_EQ(mappingChoices()[i + 1], kMpmcMappings[i].key);
    p.mapping.index = static_cast<std::int64_t>(i) + 1;
    EXPECT_EQ(p.chosenMapping(), &kMpmcMappings[i]);
  }
}

}  // namespace
}  // namespace cellscope::test
