// Numbers, ticks and decimation of the window, against hand-made expectations; text grows on large
// displays.
#include <gtest/gtest.h>

#include "app/gui/format.h"
#include "app/gui/plot.h"
#include "render/printed.h"

namespace cellscope::gui {

using render::makeTicks, render::Ticks;
namespace {

TEST(Format, ValueWithErrorKeepsOneDigitOfTheError) {
  EXPECT_EQ(valueWithError(9.17066, 0.00051), "9.1707(5)");
  EXPECT_EQ(valueWithError(-0.5, 0.03), "-0.50(3)");
  EXPECT_EQ(valueWithError(0.6984, 0.0012), "0.6984(12)");
  EXPECT_EQ(valueWithError(1234.4, 12.3), "1234(12)");
  EXPECT_EQ(valueWithError(1234.5, 56), "1230(60)");
  EXPECT_EQ(valueWithError(3.0, 0.00095), "3.0000(10)");
  EXPECT_EQ(valueWithError(3.9e6, 2e5), "3.9(2)e6");
  EXPECT_EQ(valueWithError(9.99e5, 4e4), "1.00(4)e6") << "the exponent of what is shown";
  EXPECT_EQ(valueWithError(9.5e5, 4e4), "9.5(4)e5");
  EXPECT_EQ(scientific(37000, 1100), "3.70(11)e4");
  EXPECT_EQ(scientific(9416, 0), "9.42e3");
  EXPECT_EQ(scientific(99960, 0), "1e5");
  EXPECT_EQ(scientific(0, 0), "0");
  EXPECT_EQ(valueWithError(210000, 3), "210000(3)");
  EXPECT_EQ(valueWithError(1.2345e-7, 2.1e-9), "1.23(2)e-7");
  EXPECT_EQ(valueWithError(0.0000012, 0.00083), "0.0000(8)");
  EXPECT_EQ(valueWithError(-0.00041, 0.0012), "-0.0004(12)");
  EXPECT_EQ(valueWithError(4e-4, 2e-5), "4.0(2)e-4");
  EXPECT_EQ(valueWithError(9.17066, 0.00051, false), "9.1707(5+)");
  EXPECT_EQ(valueWithError(1234.5, 56, false), "1230(60+)");
  EXPECT_EQ(valueWithError(2.5, 0, false), "2.5");
}

TEST(Format, ValueWithoutErrorAndMissingValue) {
  EXPECT_EQ(valueWithError(2.5, 0), "2.5");
  EXPECT_EQ(valueWithError(2.5, std::numeric_limits<double>::quiet_NaN()), "2.5");
  EXPECT_EQ(valueWithError(std::numeric_limits<double>::infinity(), 1), "–");
}

TEST(Format, Numbers) {
  EXPECT_EQ(number(0.698), "0.698");
  EXPECT_EQ(number(1024), "1024");
  EXPECT_EQ(number(-12.5), "-12.5");
  EXPECT_EQ(number(1.25e-6, 3), "1.25e-6");
  EXPECT_EQ(number(0), "0");
  EXPECT_EQ(grouped(1234567), "1 234 567");
  EXPECT_EQ(grouped(999), "999");
  EXPECT_EQ(rate(5.04e10), "5.0e10");
  EXPECT_EQ(rate(831.2), "831");
  EXPECT_EQ(rate(9999), "1.0e4");
  EXPECT_EQ(duration(0.0012), "1.2 ms");
  EXPECT_EQ(duration(125), "2 min 5 s");
  EXPECT_EQ(bytesText(12300000), "12.3 MB");
  EXPECT_EQ(fileStem("g(r) near contact"), "g-r-near-contact");
}

TEST(Format, WhatIsLeftOfAWorkFollowsFromItsShareSoFar) {
  EXPECT_DOUBLE_EQ(secondsLeft(3, 0, 0.25), 9);
  EXPECT_DOUBLE_EQ(secondsLeft(3, 0.5, 0.75), 3);  // of what was found half done
  EXPECT_EQ(secondsLeft(3, 0, 1), 0);
  EXPECT_LT(secondsLeft(0.5, 0, 0.25), 0);
  EXPECT_LT(secondsLeft(9, 0.5, 0.51), 0);
  EXPECT_LT(secondsLeft(9, 0, -1), 0);  // of unknown progress
}

TEST(Format, ASampleHasTheDigitsThatItsScatterLeaves) {
  EXPECT_EQ(sampleText(9.17066, 0.3), "9.17");
  EXPECT_EQ(sampleText(9.1, 0.031), "9.100");
  EXPECT_EQ(sampleText(9.17066, 1e-9), "9.1707");  // five at most
  EXPECT_EQ(sampleText(345.2, 12), "345");
  EXPECT_EQ(sampleText(345, -2.5), "345");  // whole numbers
  EXPECT_EQ(sampleText(-4.5, 0), "-4.5");
  EXPECT_EQ(sampleText(0.2, 30), "0.2");
  EXPECT_EQ(sampleText(1.23456e-7, 1e-9), "1.235e-7");
}

TEST(Digits, ANumberOfACardHasThoseThatMeanSomething) {
  EXPECT_EQ(significant(0.5, 3), "0.500");
  EXPECT_EQ(significant(-1234.56, 4), "-1235");
  EXPECT_EQ(significant(123456, 4), "123456");
  EXPECT_EQ(significant(0, 4), "0.000");
  EXPECT_EQ(significant(0.01234, 3), "0.012");
  EXPECT_EQ(significant(-1.2e-5, 3), "0.000");
  EXPECT_EQ(significant(3.4e9, 2), "3.4e9");
  EXPECT_EQ(compact(1.801284e7, 5), "1.8013e7");
  EXPECT_EQ(compact(-2e-5, 3), "-2e-5");
  EXPECT_EQ(compact(0.25377, 5), "0.25377");
  EXPECT_EQ(vectorText({1234.5678, -0.034, 3}, 3, 4), "(1235, 0, 3)");
  EXPECT_EQ(vectorText({1.2, -0.0341, 0}, 2, 4), "(1.200, -0.034)");
  EXPECT_EQ(vectorText({-7e-8, 1.2e-5, 0}, 2, 4), "(0.0000, 0.0000)");
  EXPECT_EQ(vectorText({0, 0, 0}, 3, 3), "(0.00, 0.00, 0.00)");
  EXPECT_EQ(placeText({1.23456, 20, 7}, 2), "(1.2346, 20.0000)");
  EXPECT_EQ(textWithError(0.45678, 0.0012), "0.4568 +- 0.0012");
  EXPECT_EQ(textWithError(9.170661234, std::numeric_limits<double>::quiet_NaN()), "9.1706612");
}

TEST(Series, ScatterIsThatOfSuccessiveValuesAndLeavesATrendOut) {
  std::vector<double> rising, noisy, whole;
  for (int i = 0; i < 100; ++i) {
    rising.push_back(0.001 * i);
    noisy.push_back(i % 2 ? 1.5 : 0.5);
    whole.push_back(i % 2 ? 12 : 10);
  }
  EXPECT_LT(scatterNear(rising, 50), 0.001);
  EXPECT_NEAR(scatterNear(noisy, 50), 1 / std::sqrt(2.0), 1e-9);
  EXPECT_NEAR(scatterNear(whole, 50), -std::sqrt(2.0), 1e-9);
  EXPECT_EQ(scatterNear(std::vector<double>(50, 3.0), 20), 0);
  EXPECT_EQ(scatterNear(std::vector<double>{1.0, 2.0}, 0), 0);
}

TEST(Format, MinusIsTypographicAndHyphensStay) {
  EXPECT_EQ(onScreen("-4.5"), "−4.5");
  EXPECT_EQ(onScreen("-4.38(8+)"), "−4.38(8+)");
  EXPECT_EQ(onScreen("1.2e-7"), "1.2e−7");
  EXPECT_EQ(onScreen("(-0.1, +0.2)"), "(−0.1, +0.2)");
  EXPECT_EQ(onScreen("exp(-beta u) - 1"), "exp(−beta u) − 1");
  EXPECT_EQ(onScreen("mu=-3"), "mu=−3");
  EXPECT_EQ(onScreen("-.5"), "−.5");
  EXPECT_EQ(onScreen("0.3 +- 0.1"), "0.3 ± 0.1");
  for (const char* text : {"grand-canonical", "hexatic-2.png", "--set", "2026-11-23", "+lbvh",
                           "/tmp/-3", "x86-64", "", "-", "force-shifted"})
    EXPECT_EQ(onScreen(text), text);
  printSymbols(false);
  EXPECT_EQ(onScreen("-4.5"), "-4.5");
  printSymbols(true);
}

TEST(Format, PercentAreWholeAndWithinBounds) {
  EXPECT_EQ(percent(0.349), "34 %");
  EXPECT_EQ(percent(-0.0), "0 %");
  EXPECT_EQ(percent(-1e-3), "0 %");
  EXPECT_EQ(percent(1.5), "100 %");
}

TEST(Format, MessagesBecomeSentences) {
  EXPECT_EQ(sentence("the box is too small"), "The box is too small.");
  EXPECT_EQ(sentence("Done."), "Done.");
  EXPECT_EQ(sentence(""), "");
}

TEST(Format, SymbolsArePrinted) {
  EXPECT_EQ(printed("P* (k_B T / sigma^2)"), "P* (kT / σ²)");
  EXPECT_EQ(printed("epsilon/k_B"), "ε/k");
  EXPECT_EQ(printed("(E - E_0)/|E_0|, frame_1"), "(E - E₀)/|E₀|, frame_1");
  EXPECT_EQ(printed("<|psi6|>, |Psi_6|"), "<|ψ₆|>, |Ψ₆|");
  EXPECT_EQ(printed("pick a pixel, multiply"), "pick a pixel, multiply");
  EXPECT_EQ(printed("tau^-1 and x^n"), "τ⁻¹ and x^n");
  EXPECT_EQ(printed("V = L^d, x^do"), "V = Lᵈ, x^do");
  EXPECT_EQ(printed("delta_r"), "δ_r");
  EXPECT_EQ(printedUnit("sigma^-d", 3), "σ⁻³");
  EXPECT_EQ(printedUnit("epsilon/sigma^d", 2), "ε/σ²");
  EXPECT_EQ(printedUnit("sigma^-3", 2), "σ⁻³");
  printSymbols(false);
  EXPECT_EQ(printed("sigma^2"), "sigma^2");
  printSymbols(true);
}

TEST(Ticks, StepsAreOneTwoFive) {
  for (double length : {1e-5, 0.37, 1.0, 1.01, 49.0, 50.0, 7.3e6}) {
    for (double lo : {0.0, -3.3, 1000.0}) {
      const Ticks ticks = makeTicks(lo, lo + length, 5);
      ASSERT_LE(ticks.at.size(), 6u);
      ASSERT_GE(ticks.at.size(), 1u);
      const double mantissa = ticks.step / std::pow(10, std::floor(std::log10(ticks.step) + 1e-9));
      EXPECT_TRUE(std::abs(mantissa - 1) < 1e-6 || std::abs(mantissa - 2) < 1e-6 ||
                  std::abs(mantissa - 5) < 1e-6)
          << ticks.step;
      EXPECT_EQ(ticks.at.size(), ticks.label.size());
    }
  }
  EXPECT_EQ(makeTicks(0, 1, 5).label,
            (std::vector<std::string>{"0", "0.2", "0.4", "0.6", "0.8", "1.0"}));
  EXPECT_EQ(makeTicks(0, 400000, 2).label, (std::vector<std::string>{"0", "200k", "400k"}));
  EXPECT_TRUE(makeTicks(1, 1, 5).at.empty());
}

TEST(Ticks, CountsHaveWholeNumbersOnly) {
  using Texts = std::vector<std::string>;
  EXPECT_EQ(makeTicks(0, 2, 5, true).label, (Texts{"0", "1", "2"}));
  EXPECT_EQ(makeTicks(0, 2, 5).label, (Texts{"0", "0.5", "1.0", "1.5", "2.0"}));
  EXPECT_EQ(makeTicks(344.2, 347.1, 6, true).label, (Texts{"345", "346", "347"}));
  EXPECT_EQ(makeTicks(0, 100, 5, true).label, makeTicks(0, 100, 5).label);
  const std::unique_ptr<Mode> mode = makeMode("gcmc", ExecConfig{});
  for (const ObservableInfo& o : mode->info().observables) EXPECT_EQ(o.whole, o.id == "particles");
}

TEST(Series, DecimationKeepsExtremesAndBounds) {
  std::vector<double> x, y;
  for (int i = 0; i < 100000; ++i) {
    x.push_back(i);
    y.push_back(std::sin(i * 0.01));
  }
  y[54321] = 7;
  y[12345] = -7;
  y[500] = std::numeric_limits<double>::quiet_NaN();
  const auto kept = decimate(x, y, 0, 99999, 200);
  EXPECT_LE(kept.size(), 201u * 4u);
  EXPECT_NE(std::find(kept.begin(), kept.end(), 54321u), kept.end());
  EXPECT_NE(std::find(kept.begin(), kept.end(), 12345u), kept.end());
  EXPECT_EQ(std::find(kept.begin(), kept.end(), 500u), kept.end());
  EXPECT_TRUE(std::is_sorted(kept.begin(), kept.end()));
  EXPECT_EQ(decimate(x, y, 100.5, 103.5, 200), (std::vector<std::size_t>{100, 101, 102, 103, 104}));
}

TEST(Series, NearestIndex) {
  const std::vector<double> x = {0, 10, 20};
  EXPECT_EQ(nearestIndex(x, -5), 0u);
  EXPECT_EQ(nearestIndex(x, 14), 1u);
  EXPECT_EQ(nearestIndex(x, 16), 2u);
  EXPECT_EQ(nearestIndex(x, 99), 2u);
}

TEST(Rows, TimesWithAWhiskerUpwardsHaveTwoDigits) {
  const std::vector<double> x = {0, 1, 2}, y = {0.02, 0.1, 12.3}, error = {0.01, 1, 1};
  Plot plot;
  plot.series.push_back({"time", x, y, error});
  plot.series[0].upwards = true;
  EXPECT_EQ(rowNumber(plot, plot.series[0], 0), "0.020");
  EXPECT_EQ(rowNumber(plot, plot.series[0], 1), "0.10");
  EXPECT_EQ(rowNumber(plot, plot.series[0], 2), "12");
}

TEST(DisplayScale, GrowsWithTheHeightThatTheDesktopDoesNotScale) {
  EXPECT_EQ(displayScale(1, 0), 1);  // not known
  EXPECT_EQ(displayScale(1, 768), 1);
  EXPECT_EQ(displayScale(1, 1080), 1);
  EXPECT_EQ(displayScale(1, 1200), 1);
  EXPECT_EQ(displayScale(1, 1440), 1.25f);
  EXPECT_EQ(displayScale(1, 2160), 2);
  EXPECT_EQ(displayScale(1, 4320), 2);
  EXPECT_EQ(displayScale(2, 2160), 2);           // scaled by the desktop already
  EXPECT_EQ(displayScale(1.25f, 2160), 1.875f);  // 1728 high at that scale: a half more
  EXPECT_EQ(displayScale(2, 4320), 4);
  EXPECT_EQ(displayScale(8, 4320), 4);
}

TEST(DisplayScale, InAPresentationTheSmallestPrintIsReadFromTenMetres) {
  for (float height : {600.f, 720.f, 768.f, 1080.f, 1440.f, 2160.f}) {
    EXPECT_GE(kSmallestPrint * presentationZoom(height), 0.02f * height) << height;
    EXPECT_GE(presentationZoom(height), 1.5f);
  }
  EXPECT_FLOAT_EQ(presentationZoom(720), 1.5f);
}

}  // namespace
}  // namespace cellscope::gui
