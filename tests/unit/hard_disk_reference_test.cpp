// Reference data of hard disks: complete, consistent, and shown only where they hold; closed-form
// equations of state and Pade approximants.
#include <algorithm>
#include <fstream>

#include "sim/base/build.h"
#include "sim/base/error.h"
#include "tests/support/message_of.h"
#include "tests/support/virial.h"

namespace cellscope::test {
namespace {

TEST(HardDiskReference, VirialCoefficientsFollowTheirClosedForms) {
  const std::vector<double>& b = hardDiskData().virial;
  EXPECT_NEAR(b[1], 4.0 / 3 - std::sqrt(3.0) / kPi, 1e-12);
  EXPECT_NEAR(b[2], 2 - 9 * std::sqrt(3.0) / (2 * kPi) + 10 / (kPi * kPi), 1e-12);
  const std::vector<double> series = virialSeries(b);
  const double expected[] = {1,         2,         3.1280178, 4.2578545, 5.3368966,
                             6.3629600, 7.3518592, 8.3191040, 9.2721408, 10.2162944};
  ASSERT_EQ(series.size(), 10u);
  for (std::size_t n = 0; n < 10; ++n) EXPECT_NEAR(series[n], expected[n], 6e-6) << n;
  EXPECT_DOUBLE_EQ(series[1], 2);
  EXPECT_NEAR(series[2], expected[2], 1e-6);
  EXPECT_DOUBLE_EQ(polynomial(std::vector<double>{1, 2, 3}, 2.0), 17);
  EXPECT_NEAR(polynomial(series, 0.3), 2.063163, 5e-6);
  EXPECT_NEAR(polynomial(series, 0.6), 6.266812, 5e-6);
}

TEST(HardDiskReference, PadeReproducesTheTabulatedColumn) {
  const double table[][2] = {{0.05, 1.108388}, {0.10, 1.236144}, {0.20, 1.570366},
                             {0.30, 2.063260}, {0.40, 2.829320}, {0.50, 4.106241},
                             {0.60, 6.456114}, {0.65, 8.445406}};
  for (const auto& [eta, z] : table) EXPECT_NEAR(hardDiskPade(eta), z, 2e-6) << eta;
}

// What the series leaves out is what the Pade approximant adds to it, as far as it can be known.
TEST(HardDiskReference, TheVirialSeriesKnowsWhatItLeavesOut) {
  for (const double eta : {0.05, 0.1, 0.2, 0.3, 0.4, 0.5}) {
    const VirialSum series = hardDiskVirial(eta);
    EXPECT_NEAR(series.z + series.leftOut, hardDiskPade(eta), 0.15 * series.leftOut + 1e-11) << eta;
    EXPECT_LT(series.error, 2e-5) << eta;
    const FluidPressure fluid = hardDiskFluid(eta, 1000000000000ull);
    EXPECT_NEAR(series.z, fluid.bulk / densityOfPacking(eta),
                1.2 * series.leftOut + 5 * series.error + 1e-5)
        << eta;
  }
  EXPECT_DOUBLE_EQ(hardDiskVirial(0).z, 1);
  EXPECT_LT(hardDiskVirial(0.1).leftOut, 2e-9);
  EXPECT_NE(hardDiskData().virialSource.find("Clisby"), std::string::npos);
}

// Event-chain simulations of 4096 disks, one standard error, and the expected shift -2 eta / N.
TEST(HardDiskReference, PadeIsWithinItsBoundOfSimulations) {
  const double table[][3] = {{0.10, 1.236101, 4.2e-5}, {0.20, 1.570237, 5.2e-5},
                             {0.30, 2.063096, 7.2e-5}, {0.40, 2.829085, 7.8e-5},
                             {0.50, 4.105931, 1.9e-4}, {0.60, 6.454853, 3.2e-4}};
  for (const auto& [eta, z, error] : table)
    EXPECT_NEAR(hardDiskPade(eta), z + 2 * eta / 4096, hardDiskPadeError(eta) + 2 * error) << eta;
  // Molecular dynamics at close-packed volume times 1.4 (Erpenbeck and Luban 1985).
  const double eta = kPi / (2 * std::sqrt(3.0)) / 1.4;
  EXPECT_NEAR(hardDiskPade(eta), 8.306, hardDiskPadeError(eta));
}

TEST(HardDiskReference, FluidFitFollowsTheSimulationsBehindIt) {
  const FluidFit& f = hardDiskData().fluid;
  double chi2 = 0;
  EXPECT_NEAR(kFluidLimit, f.density.back() * kPi / 4, 1e-12);
  for (std::size_t i = 0; i < f.density.size(); ++i) {
    const double packing = std::min(f.density[i] * kPi / 4, kFluidLimit);
    const FluidPressure p = hardDiskFluid(packing, 1000000000000ull);
    const double z = p.bulk / densityOfPacking(packing);
    EXPECT_NEAR(z, f.z[i], 1.5 * f.zError[i]) << f.density[i];
    EXPECT_NEAR(p.error / p.bulk, f.zError[i] / f.z[i], 2e-6) << f.density[i];
    chi2 += std::pow((z - f.z[i]) / f.zError[i], 2);
  }
  EXPECT_LT(chi2, 10);  // 15 points, 7 of them free
}

TEST(HardDiskReference, FluidFitHasTheVirialCoefficients) {
  // x^k = sum over n of binomial(n - 1, k - 1) eta^n.
  const FluidFit& f = hardDiskData().fluid;
  const std::vector<double> series = virialSeries(hardDiskData().virial);
  const double tolerance[] = {0, 1e-12, 1e-7, 1e-6, 1e-6, 7e-5, 3e-4, 6e-4};
  for (int n = 1; n < 8; ++n) {
    double sum = 0;
    for (std::size_t i = 0; i < f.power.size(); ++i) {
      const int k = static_cast<int>(f.power[i]);
      if (k < 1 || k > n) continue;
      double binomial = 1;
      for (int j = 1; j < k; ++j) binomial = binomial * (n - j) / j;
      sum += f.coefficient[i] * binomial;
    }
    EXPECT_NEAR(sum, series[static_cast<std::size_t>(n)], tolerance[n]) << n;
  }
}

// Event-chain simulations by others: 870 disks, where the 1/N term is 1.4e-4 of P* at 0.674 and a
// missing one would show.
TEST(HardDiskReference, FluidFitWithItsFiniteSizeTermMeetsOtherSimulations) {
  for (const auto& [packing, tolerance] : {std::pair{0.670, 1e-5}, {0.674, 3e-5}, {0.678, 6e-5}}) {
    const auto published = hardDiskReferences(870, packing);
    ASSERT_FALSE(published.empty());
    EXPECT_NEAR(hardDiskFluid(packing, 870).finite / published[0].value, 1, tolerance) << packing;
  }
  const FluidPressure p = hardDiskFluid(0.674, 870);
  EXPECT_GT(std::abs(p.bulk - p.finite) / p.bulk, 1e-4);
  // Two-body term at low density, and the series.
  const FluidPressure dilute = hardDiskFluid(0.01, 1000);
  EXPECT_NEAR((dilute.finite - dilute.bulk) / densityOfPacking(0.01), -2e-5, 3e-7);
  EXPECT_NEAR(dilute.bulk / densityOfPacking(0.01), hardDiskPade(0.01), 1e-8);
}

// Everywhere that 870 disks were simulated; the error is no larger than ten times the difference,
// where that is more than noise.
TEST(HardDiskReference, TheErrorOfTheFluidCoversWhatTheFiniteSizeTermLeavesOut) {
  int compared = 0;
  for (const PublishedSimulation& s : hardDiskData().simulations)
    for (std::size_t i = 0; s.disks == 870 && i < s.packing.size(); ++i) {
      if (s.packing[i] > 0.6901) continue;
      const FluidPressure p = hardDiskFluid(s.packing[i], 870);
      const double off = std::abs(p.finite - s.pressure[i]);
      EXPECT_LT(off, p.finiteError + 2 * s.error[i]) << s.packing[i];
      EXPECT_LT(p.finiteError, std::max(10 * off, 5e-4)) << s.packing[i];
      ++compared;
    }
  EXPECT_EQ(compared, 7);
  // Event-chain simulations of the same system, published elsewhere.
  const FluidPressure p = hardDiskFluid(0.688, 870);
  EXPECT_NEAR(p.finite, 8.89810, 1e-5);
  EXPECT_NEAR(p.finite, 8.891164, p.finiteError);
  // At low density little is left out, of few disks too.
  for (const std::uint64_t disks : {100, 1000, 100000})
    EXPECT_LT(hardDiskFluid(0.3, disks).finiteError, 1e-4 * hardDiskFluid(0.3, disks).finite);
  // In large systems little is left beside the error of the fit.
  const FluidPressure large = hardDiskFluid(0.69, 1 << 20);
  EXPECT_LT(large.finiteError, 1.01 * large.error);
}

// Where the fit with its 1/N term is no longer right to 1e-4, it does not stand as published.
TEST(HardDiskReference, TheFluidIsPublishedOnlyWhereItsErrorIsKnownAndSmall) {
  const auto fits = [](std::uint64_t disks, double packing, Published which) {
    int count = 0;
    for (const ReferenceValue& r : hardDiskReferences(disks, packing, which))
      count += r.source.find("Kolafa") != std::string::npos;
    return count;
  };
  for (const Published which : {Published::comparable, Published::nearest}) {
    EXPECT_EQ(fits(870, 0.5, which), 1);
    EXPECT_EQ(fits(870, 0.677, which), 1);
    for (const double packing : {0.680, 0.684, 0.688, 0.690}) {
      EXPECT_EQ(fits(870, packing, which), 0) << packing;
      EXPECT_EQ(fits(256 * 256, packing, which), 1) << packing;
    }
    EXPECT_EQ(fits(100, 0.5, which), 1);
    EXPECT_EQ(fits(100, 0.65, which), 0);
  }
  for (const ReferenceValue& r : hardDiskReferences(870, 0.677))
    EXPECT_GT(r.error, 5e-4) << "finite size included: " << r.source;
}

// The right value at 0.688 lies within the error of what is interpolated, which says so.
TEST(HardDiskReference, InterpolatedValuesSaySoAndCoverTheRightOne) {
  EXPECT_TRUE(hardDiskReferences(870, 0.688).empty());
  const auto near = hardDiskReferences(870, 0.688, Published::nearest);
  ASSERT_EQ(near.size(), 1u);
  expectWords(near[0].source, {"between packing 0.686 and 0.690"});
  EXPECT_NEAR(near[0].value, 8.891164, near[0].error);
  EXPECT_LT(near[0].error, 0.01);
}

// Two standard errors of either, and half a unit of the fourth decimal for the printed digits.
TEST(HardDiskReference, DigitsAgreeWithTheTableInThePaper) {
  int compared = 0;
  for (const PublishedSimulation& p : hardDiskData().printed)
    for (std::size_t i = 0; i < p.packing.size(); ++i)
      for (const PublishedSimulation& s : hardDiskData().simulations)
        for (std::size_t k = 0; k < s.packing.size(); ++k) {
          if (s.method != p.method || s.disks != p.disks || s.packing[k] != p.packing[i]) continue;
          EXPECT_NEAR(s.pressure[k], p.pressure[i], 2 * p.error[i] + 2 * s.error[k] + 5e-5)
              << s.method << " " << s.disks << " " << s.packing[k];
          ++compared;
        }
  EXPECT_EQ(compared, 36);
}

// Table 2 as printed, errors halved; its differences follow from its pressures, each rounded to
// half a unit of its last digit.
TEST(HardDiskReference, Table2HasBothMethodsAndTheirDifference) {
  EXPECT_NEAR(hardDiskTable2("ECMC", 262144, 0.710).value, 9.1821, 1e-9);
  EXPECT_NEAR(hardDiskTable2("ECMC", 262144, 0.710).error, 2.5e-4, 1e-9);
  EXPECT_NEAR(hardDiskTable2("MPMC", 65536, 0.718).error, 5e-4, 1e-9);
  EXPECT_TRUE(std::isnan(hardDiskTable2("MPMC", 65536, 0.708).value));
  EXPECT_TRUE(std::isnan(hardDiskTable2("MPMC", 1024, 0.698).value));
  for (const std::uint64_t disks : {65536, 262144, 1048576})
    for (const double packing : {0.698, 0.702, 0.706, 0.710, 0.714, 0.718}) {
      const auto a = hardDiskTable2("MPMC", disks, packing),
                 b = hardDiskTable2("ECMC", disks, packing),
                 difference = hardDiskTable2("difference", disks, packing);
      const double digit = disks == 65536 && packing > 0.717 ? 1e-3 : 1e-4;
      EXPECT_NEAR(std::abs(a.value - b.value), difference.value, 1.5 * digit + 1e-9)
          << disks << " " << packing;
      EXPECT_NEAR(std::hypot(a.error, b.error), difference.error, 0.75 * digit + 1e-9)
          << disks << " " << packing;
    }
}

TEST(HardDiskReference, Table4IsConsistent) {
  ASSERT_EQ(hardDiskData().speeds.size(), 3u);
  const DiskSpeed& core = hardDiskData().speeds[2];
  for (const DiskSpeed& s : hardDiskData().speeds)
    for (std::size_t k = 0; k < s.sides.size(); ++k)
      EXPECT_NEAR(s.moves[k] / core.moves[k] / s.overCore[k], 1, 0.02) << s.key << s.sides[k];
}

TEST(HardDiskReference, OnlyMatchingPackingsCanBeCompared) {
  const auto exact = hardDiskReferences(65536, 0.698);
  ASSERT_EQ(exact.size(), 3u);  // ECMC, EDMD, MPMC
  EXPECT_NEAR(exact[2].value, 9.170780, 1e-9);
  EXPECT_NEAR(exact[2].error, 4.5e-5, 1e-12);
  EXPECT_EQ(exact[2].observable, "pressure");
  expectWords(exact[2].source, {"MPMC, N = 256^2"});
  EXPECT_EQ(hardDiskReferences(65536, 0.698 + 5e-7).size(), 3u);
  EXPECT_TRUE(hardDiskReferences(65536, 0.6981).empty());
  EXPECT_TRUE(hardDiskReferences(65536, 0.9, Published::nearest).empty());
}

TEST(HardDiskReference, BetweenPackingsTheErrorHasTheBendOfTheCurve) {
  const auto middle = hardDiskReferences(65536, 0.712, Published::nearest);
  ASSERT_EQ(middle.size(), 3u);
  EXPECT_NEAR(middle[0].value, (9.17904 + 9.17582) / 2, 1e-9);  // ECMC
  expectWords(middle[0].source, {"between packing"});
  // Halfway the published points of one table lie within their own interpolation.
  for (const double packing : {0.674, 0.682, 0.690, 0.698, 0.706}) {
    const auto left = hardDiskReferences(870, packing - 0.0005, Published::nearest);
    const auto right = hardDiskReferences(870, packing + 0.0005, Published::nearest);
    const auto here = hardDiskReferences(870, packing);
    ASSERT_FALSE(left.empty() || right.empty() || here.empty()) << packing;
    EXPECT_NEAR((left[0].value + right[0].value) / 2, here[0].value, left[0].error + right[0].error)
        << packing;
    EXPECT_GT(left[0].error, here[0].error);
  }
  EXPECT_EQ(hardDiskReferences(65536, 0.7085, Published::nearest).size(), 3u);
  // No line through the two packings of Table 1, 0.008 apart.
  for (const ReferenceValue& r : hardDiskReferences(65536, 0.712, Published::nearest))
    EXPECT_EQ(r.source.find("Table 1"), std::string::npos) << r.source;
}

TEST(HardDiskReference, OtherSizesAreNotComparedAndNamedWhereTheyAreShown) {
  const auto small = hardDiskReferences(870, 0.698);
  ASSERT_EQ(small.size(), 1u);
  EXPECT_NEAR(small[0].value, 9.13414, 1e-9);
  expectWords(small[0].source, {"N = 870"});
  const auto large = hardDiskReferences(1000000, 0.710);  // 1024^2 within 10 %
  ASSERT_EQ(large.size(), 2u);
  EXPECT_NEAR(large[0].value, 9.18425, 1e-9);
  EXPECT_NEAR(large[1].value, 9.18415, 1e-9);
  EXPECT_TRUE(hardDiskReferences(128 * 128, 0.698).empty());
  const auto near = hardDiskReferences(128 * 128, 0.698, Published::nearest);
  ASSERT_EQ(near.size(), 3u);
  for (const ReferenceValue& r : near) expectWords(r.source, {"N = 256^2"});
}

TEST(HardDiskReference, FarSizesAreShownOnBothSidesAndNotCompared) {
  EXPECT_TRUE(hardDiskReferences(8000, 0.698).empty());  // between 870 and 256^2
  const auto both = hardDiskReferences(8000, 0.698, Published::nearest);
  ASSERT_EQ(both.size(), 2u);
  EXPECT_NEAR(both[0].value, 9.13414, 1e-9);
  EXPECT_NEAR(both[1].value, 9.170780, 1e-9);  // of three methods the smallest error
  EXPECT_TRUE(hardDiskReferences(100, 0.698, Published::nearest).empty());
}

TEST(HardDiskReference, FluidGetsTheFit) {
  const auto values = hardDiskReferences(1000, 0.5, Published::comparable, "p");
  ASSERT_EQ(values.size(), 1u);
  EXPECT_EQ(values[0].observable, "p");
  EXPECT_NEAR(values[0].value, hardDiskFluid(0.5, 1000).finite, 1e-12);
  EXPECT_NEAR(values[0].error, hardDiskFluid(0.5, 1000).finiteError, 1e-15);
  EXPECT_GT(values[0].error, hardDiskFluid(0.5, 1000).error);
  EXPECT_LT(values[0].error, 1e-4);
  EXPECT_EQ(hardDiskReferences(4096, 0.68).size(), 1u);
  EXPECT_TRUE(hardDiskReferences(4096, 0.695).empty());
  EXPECT_TRUE(hardDiskReferences(50, 0.5).empty());
}

TEST(HardDiskReference, FewDisksHaveTheirExactValueAndNotTheBulk) {
  const double packing = 0.25 * 3.14159265358979 / (4.2 * 4.2) * 4;
  const auto four = hardDiskReferences(4, packing);
  ASSERT_EQ(four.size(), 1u);
  EXPECT_NEAR(four[0].value, 0.313418602, 1e-9);
  expectWords(four[0].source, {"exact, N = 4"});
  EXPECT_TRUE(hardDiskReferences(5, packing).empty());
  EXPECT_TRUE(hardDiskReferences(4, 0.2).empty());
}

TEST(HardDiskReference, CurvesAreFiniteAndNameTheirSource) {
  const auto all = hardDiskEquationOfState();
  ASSERT_GE(all.size(), 11u);
  for (const CurveSeries& s : all) {
    EXPECT_FALSE(s.label.empty());
    EXPECT_FALSE(s.source.empty()) << s.label;
    EXPECT_TRUE(s.reference);
    ASSERT_EQ(s.x.size(), s.y.size());
    EXPECT_TRUE(s.error.empty() || s.error.size() == s.y.size());
    EXPECT_TRUE(std::is_sorted(s.x.begin(), s.x.end())) << s.label;
    for (std::size_t i = 0; i < s.y.size(); ++i) {
      EXPECT_TRUE(std::isfinite(s.y[i])) << s.label;
      if (s.kind == SeriesKind::line && i > 0) {
        EXPECT_GT(s.y[i], s.y[i - 1]) << s.label;
      }
    }
  }
}

TEST(HardDiskReference, DamagedFilesAreRefusedByName) {
  const std::string path = testing::TempDir() + "hard_disks.toml";
  const auto messageFor = [&](const std::string& text) {
    std::ofstream(path) << text;
    return messageOf<InputError>([&] { loadHardDiskData(path); });
  };
  expectWords(messageFor("x = [1,"), {"line 1"});
  expectWords(messageFor("x = 1"), {"[virial]", path});
  expectWords(messageFor("[virial]\nsource = \"s\"\ncoefficients = [1.0]"), {"coefficients"});
  EXPECT_THROW(loadHardDiskData(testing::TempDir() + "absent.toml"), InputError);
}

TEST(HardDiskEos, ClosedFormsAtKnownPackings) {
  EXPECT_NEAR(hendersonZ(0.1), 1.236111, 5e-7);
  EXPECT_NEAR(hendersonZ(0.5), 4.125, 1e-12);
  EXPECT_NEAR(scaledParticleZ(0.4), 2.777778, 5e-7);
  EXPECT_NEAR(scaledParticleZ(0.65), 8.163265, 5e-7);
}

TEST(Pade, ReproducesARationalFunction) {
  // (1 + 2x) / (1 - x + x^2) as a series, then back.
  std::vector<double> series{1.0, 3.0};
  for (int i = 2; i < 8; ++i)
    series.push_back(series[static_cast<std::size_t>(i - 1)] -
                     series[static_cast<std::size_t>(i - 2)]);
  const Pade pade = padeApproximant(series, 1, 2);
  for (double x : {0.1, 0.5, 0.9}) EXPECT_NEAR(pade(x), (1 + 2 * x) / (1 - x + x * x), 1e-13);
}

TEST(Pade, MatchesTheTaylorSeriesOfTheExponential) {
  std::vector<double> series{1.0};
  for (int i = 1; i < 8; ++i) series.push_back(series.back() / i);
  const Pade pade = padeApproximant(series, 3, 3);
  EXPECT_NEAR(pade(1.0), std::exp(1.0), 3e-5);
  // Leading error x^7 (3! 3!) / (6! 7!) times e^x.
  EXPECT_NEAR(pade(0.1) - std::exp(0.1), 1e-7 * 36.0 / (720.0 * 5040.0) * std::exp(0.1), 2e-15);
}

}  // namespace
}  // namespace cellscope::test
