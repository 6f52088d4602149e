// Sliders and typed values of the parameter panel.
#include "app/gui/widgets.h"

#include <gtest/gtest.h>

namespace cellscope::gui {
namespace {

ParameterState real(double min, double max, bool isLog) {
  ParameterState p;
  p.info = {
      .key = "packing", .label = "Packing fraction", .min = min, .max = max, .logScale = isLog};
  p.value = p.fallback = min;
  return p;
}

ParameterState whole(double min, double max) {
  ParameterState p = real(min, max, true);
  p.info.key = "particles";
  p.value = p.fallback = static_cast<std::int64_t>(min);
  return p;
}

SliderRange spanOf(const ParameterState& p) { return rangeOf(p.info, {}, false); }

// What a text gives; nothing where it is refused.
std::optional<ParameterValue> typed(const ParameterState& p, const char* text) {
  ParameterValue value = std::int64_t{5};
  if (!checkText(p, text, value).empty()) return std::nullopt;
  return value;
}

TEST(ParameterEdit, SlidersSpanWhereSomethingHappens) {
  ParameterState p = real(0.01, 0.9, false);
  EXPECT_TRUE(spanOf(p).isAll);
  p.info.interestingMin = 0.65;
  p.info.interestingMax = 0.75;
  EXPECT_DOUBLE_EQ(asDouble(valueAt(p, spanOf(p), 0)), 0.65);
  EXPECT_DOUBLE_EQ(asDouble(valueAt(p, spanOf(p), 1)), 0.75);
  EXPECT_FLOAT_EQ(fractionOf(spanOf(p), 0.2), 0);  // outside: at its end
  EXPECT_DOUBLE_EQ(rangeOf(p.info, {}, true).hi, 0.9);
  const Promoted other{"n", 1, 2}, mine{"packing", 0.69, 0.73};
  EXPECT_DOUBLE_EQ(rangeOf(p.info, other, false).lo, 0.65);
  EXPECT_DOUBLE_EQ(rangeOf(p.info, mine, false).lo, 0.69);
  EXPECT_FALSE(rangeOf(p.info, mine, false).isAll);
  p.info.logScale = true;
  p.info.interestingMin = 0;  // no logarithm of 0
  EXPECT_FALSE(spanOf(p).logScale);
}

TEST(ParameterEdit, StepsAreHundredthsOfTheSliderAndWholeNumbersAlwaysMove) {
  const ParameterState p = real(0, 1, false);
  EXPECT_NEAR(asDouble(stepped(p, spanOf(p), 0.5, 1)), 0.51, 1e-9);
  EXPECT_NEAR(asDouble(stepped(p, spanOf(p), 0.5, -0.1)), 0.499, 1e-9);
  EXPECT_NEAR(asDouble(stepped(p, spanOf(p), 0.999, 5)), 1, 1e-9);
  const ParameterState n = whole(1, 8);
  EXPECT_EQ(stepped(n, spanOf(n), std::int64_t{4}, 1), ParameterValue(std::int64_t{5}));
  EXPECT_EQ(stepped(n, spanOf(n), std::int64_t{4}, -0.1), ParameterValue(std::int64_t{3}));
  EXPECT_EQ(stepped(n, spanOf(n), std::int64_t{8}, 1), ParameterValue(std::int64_t{8}));
}

TEST(ParameterEdit, AFineDragIsNotRoundedAway) {
  const ParameterState p = real(0, 1, false);
  const double a = asDouble(valueAt(p, spanOf(p), 0.5f, true)),
               b = asDouble(valueAt(p, spanOf(p), 0.5003f, true));
  EXPECT_NEAR(b - a, 3e-4, 5e-5);
}

TEST(ParameterEdit, SliderEndsAreTheRange) {
  for (bool isLog : {false, true}) {
    const ParameterState p = real(0.01, 0.9, isLog);
    EXPECT_DOUBLE_EQ(asDouble(valueAt(p, spanOf(p), 0)), 0.01);
    EXPECT_DOUBLE_EQ(asDouble(valueAt(p, spanOf(p), 1)), 0.9);
    EXPECT_FLOAT_EQ(fractionOf(spanOf(p), 0.01), 0);
    EXPECT_FLOAT_EQ(fractionOf(spanOf(p), 0.9), 1);
    EXPECT_FLOAT_EQ(fractionOf(spanOf(p), 7), 1);
  }
}

TEST(ParameterEdit, EitherMinusSignIsTaken) {
  const ParameterState p = real(-10, 10, false);
  for (const char* text : {"-4.5", "−4.5", "−45e−1", "-45e-1"})
    EXPECT_EQ(typed(p, text), ParameterValue(-4.5)) << text;
  EXPECT_FALSE(typed(p, "−−4"));
}

TEST(ParameterEdit, NumbersMayBeTypedAsTheyAreShown) {
  const ParameterState p = whole(4, 1e7);
  for (const char* text : {"65536", "65 536", " 65536 ", "65536.0"})
    EXPECT_EQ(typed(p, text), ParameterValue(std::int64_t{65536})) << text;
  EXPECT_EQ(typed(p, "1e6"), ParameterValue(std::int64_t{1000000}));
  for (const char* text : {"1.5", ""}) EXPECT_FALSE(typed(p, text)) << text;
}

TEST(ParameterEdit, TheSmallestNumberMayHaveAName) {
  ParameterState p = whole(0, 32);
  p.info.smallest = "automatic";
  EXPECT_EQ(typed(p, "automatic"), ParameterValue(std::int64_t{0}));
  EXPECT_EQ(shownValue(p.info, std::int64_t{0}), "automatic");
  EXPECT_EQ(shownValue(p.info, std::int64_t{1}), "1");
  EXPECT_FALSE(typed(p, "automati"));
  p.info.smallest.clear();
  EXPECT_FALSE(typed(p, "automatic"));
  EXPECT_EQ(shownValue(p.info, std::int64_t{0}), "0");
}

TEST(ParameterEdit, MessagesNameParametersAsThePanelDoes) {
  std::vector<ParameterState> all{real(0, 1, false), whole(4, 100)};
  all[1].info.label = "Disks";
  EXPECT_EQ(withLabels("use 'particles' = 15, or 'packing' up to 0.2 (not 'n')", all),
            "use \"Disks\" = 15, or \"Packing fraction\" up to 0.2 (not 'n')");
}

// It stops at round numbers, at 200 places or more.
TEST(ParameterEdit, SliderGivesReadableValuesNearItsPlace) {
  const ParameterState p = real(0.01, 0.9, false);
  for (float t = 0; t <= 1; t += 0.01f) {
    const double value = asDouble(valueAt(p, spanOf(p), t));
    EXPECT_NEAR(fractionOf(spanOf(p), value), t, 1. / 400 + 1e-6);
    EXPECT_LE(shownValue(value).size(), 5u) << value;
  }
  const ParameterState narrow = real(0.69, 0.73, false);
  EXPECT_EQ(toText(valueAt(narrow, spanOf(narrow), 0.5571f)), "0.7122");
  EXPECT_EQ(toText(valueAt(narrow, spanOf(narrow), 0.55f)), "0.712");
}

TEST(ParameterEdit, WholeNumbersStayWhole) {
  const ParameterState p = whole(4, 65536);
  EXPECT_EQ(valueAt(p, spanOf(p), 0.5f), ParameterValue(std::int64_t{512}));
  EXPECT_EQ(shownValue(valueAt(p, spanOf(p), 1)), "65 536");
}

TEST(ParameterEdit, TypedTextIsJudgedByTheDeclaration) {
  const ParameterState p = real(0.01, 0.9, false);
  ParameterValue value = 0.5;
  EXPECT_EQ(checkText(p, "0.698", value), "");
  EXPECT_EQ(value, ParameterValue(0.698));
  for (const char* wrong : {"1.5", "nan", "", "dense", "0.5x"}) {
    const std::string why = checkText(p, wrong, value);
    EXPECT_NE(why.find("packing"), std::string::npos) << wrong << ": " << why;
    EXPECT_EQ(value, ParameterValue(0.698)) << wrong;
  }
  EXPECT_NE(checkText(p, "1.5", value).find("0.9"), std::string::npos);
  const ParameterState n = whole(4, 65536);
  EXPECT_EQ(typed(n, "1024"), ParameterValue(std::int64_t{1024}));
  for (const char* text : {"3", "10.5"}) EXPECT_FALSE(typed(n, text)) << text;
}

}  // namespace
}  // namespace cellscope::gui
