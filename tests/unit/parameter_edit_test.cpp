// Sliders and typed values of the parameter panel.
#include "app/gui/parameter_edit.h"

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

TEST(ParameterEdit, SliderEndsAreTheRange) {
  for (bool isLog : {false, true}) {
    const ParameterState p = real(0.01, 0.9, isLog);
    EXPECT_DOUBLE_EQ(asDouble(valueAt(p, 0)), 0.01);
    EXPECT_DOUBLE_EQ(asDouble(valueAt(p, 1)), 0.9);
    EXPECT_FLOAT_EQ(fractionOf(p, 0.01), 0);
    EXPECT_FLOAT_EQ(fractionOf(p, 0.9), 1);
    EXPECT_FLOAT_EQ(fractionOf(p, 7), 1);
  }
}

TEST(ParameterEdit, NumbersMayBeTypedAsTheyAreShown) {
  const ParameterState p = whole(4, 1e7);
  ParameterValue value;
  for (const char* text : {"65536", "65 536", " 65536 ", "65536.0"}) {
    EXPECT_EQ(checkText(p, text, value), "") << text;
    EXPECT_EQ(std::get<std::int64_t>(value), 65536) << text;
  }
  EXPECT_EQ(checkText(p, "1e6", value), "");
  EXPECT_EQ(std::get<std::int64_t>(value), 1000000);
  EXPECT_NE(checkText(p, "1.5", value), "");
  EXPECT_NE(checkText(p, "", value), "");
}

TEST(ParameterEdit, MessagesNameParametersAsThePanelDoes) {
  std::vector<ParameterState> all{real(0, 1, false), whole(4, 100)};
  all[1].info.label = "Disks";
  EXPECT_EQ(withLabels("use 'particles' = 15, or 'packing' up to 0.2 (not 'n')", all),
            "use \"Disks\" = 15, or \"Packing fraction\" up to 0.2 (not 'n')");
}

TEST(ParameterEdit, SliderGivesReadableValuesNearItsPlace) {
  const ParameterState p = real(0.01, 0.9, false);
  for (float t = 0; t <= 1; t += 0.01f) {
    const double value = asDouble(valueAt(p, t));
    EXPECT_NEAR(fractionOf(p, value), t, 1e-3);
    EXPECT_LE(shownValue(value).size(), 6u) << value;
  }
}

TEST(ParameterEdit, WholeNumbersStayWhole) {
  const ParameterState p = whole(4, 65536);
  EXPECT_EQ(valueAt(p, 0.5f), ParameterValue(std::int64_t{512}));
  EXPECT_EQ(shownValue(valueAt(p, 1)), "65 536");
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
  EXPECT_EQ(checkText(n, "1024", value), "");
  EXPECT_NE(checkText(n, "3", value), "");
  EXPECT_NE(checkText(n, "10.5", value), "");
}

}  // namespace
}  // namespace cellscope::gui
