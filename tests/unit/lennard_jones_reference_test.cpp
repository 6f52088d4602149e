// Reference data of the Lennard-Jones fluid: complete, with their errors, and given only where they
// hold. What is published of Lennard-Jones fluids at given chemical potential: the equation of
// state beside an isotherm, for each interaction that has one, above and below the critical
// temperature; and coexistence as the file of references has it.
#include <gmock/gmock.h>

#include <filesystem>
#include <fstream>
#include <sstream>

#include "sim/algo/observables/fluid_reference.h"
#include "sim/algo/observables/reference_file.h"
#include "sim/modes/gcmc/observables.h"
#include "tests/support/message_of.h"

namespace cellscope::test {
namespace {

std::vector<ReferenceValue> liquid(double energy, std::uint64_t n = 2048) {
  return lennardJonesReferences("force_shifted", 2.5, 0.8442, n, energy);
}

double energyOf(const LennardJonesStates& s, std::size_t i) {
  return 1.5 * s.temperature[i] + s.potentialEnergy[i];
}

TEST(LennardJonesReference, EveryPotentialInTheFileExists) {
  const std::vector<std::string> keys = potentialKeys();
  for (const LennardJonesStates& s : lennardJonesData())
    EXPECT_NE(std::find(keys.begin(), keys.end(), s.potential), keys.end()) << s.potential;
}

TEST(LennardJonesReference, StatesComeBackAndValuesBetweenLieOnTheLine) {
  const LennardJonesStates& s = lennardJonesData().front();
  for (std::size_t i = 0; i < s.temperature.size(); ++i) {
    const auto at =
        lennardJonesReferences(s.potential, s.cutoff, s.density, s.particles, energyOf(s, i));
    ASSERT_EQ(at.size(), 3u);
    EXPECT_NEAR(at[0].value, s.temperature[i], 1e-12);
    EXPECT_NEAR(at[1].value, s.potentialEnergy[i], 1e-12);
    EXPECT_NEAR(at[2].value, s.pressure[i], 1e-12);
  }
  const double energy = energyOf(s, 0) + 0.3 * (energyOf(s, 1) - energyOf(s, 0));
  const auto between = liquid(energy);
  ASSERT_EQ(between.size(), 3u);
  EXPECT_EQ(between[2].observable, "pressure");
  EXPECT_NEAR(between[2].value, 0.7 * s.pressure[0] + 0.3 * s.pressure[1], 1e-12);
  // What is interpolated keeps the total energy.
  EXPECT_NEAR(1.5 * between[0].value + between[1].value, energy, 1e-12);
  for (std::size_t k = 0; k < 3; ++k) {
    EXPECT_GE(between[k].error, s.interpolationError[k]);
    EXPECT_LT(between[k].error, 1.1 * s.interpolationError[k]);
    EXPECT_NE(between[k].source.find("N = 2048"), std::string::npos) << between[k].source;
  }
}

TEST(LennardJonesReference, OnlyTheSameFluidGivesValues) {
  const LennardJonesStates& s = lennardJonesData().front();
  const double low = energyOf(s, 0), high = energyOf(s, 1), middle = 0.5 * (low + high);
  EXPECT_EQ(liquid(middle, 500).size(), 3u);
  EXPECT_TRUE(liquid(middle, 499).empty());
  EXPECT_TRUE(lennardJonesReferences("truncated", 2.5, 0.8442, 2048, middle).empty());
  EXPECT_TRUE(lennardJonesReferences("force_shifted", 2.51, 0.8442, 2048, middle).empty());
  EXPECT_TRUE(lennardJonesReferences("force_shifted", 2.5, 0.844, 2048, middle).empty());
  EXPECT_EQ(liquid(low - 0.24 * (high - low)).size(), 3u);
  EXPECT_TRUE(liquid(low - 0.26 * (high - low)).empty());
  EXPECT_TRUE(liquid(high + 0.26 * (high - low)).empty());
  EXPECT_TRUE(liquid(std::nan("")).empty());
}

TEST(LennardJonesReference, DamagedFilesAreRefusedByName) {
  std::stringstream whole;
  whole << std::ifstream(referencePath("lennard_jones.toml")).rdbuf();
  const std::string path = testing::TempDir() + "/cellscope_lennard_jones.toml";
  const auto messageFor = [&](const std::string& from, const std::string& to) {
    std::string text = whole.str();
    const std::size_t at = text.find(from);
    EXPECT_NE(at, std::string::npos) << from;
    std::ofstream(path) << text.replace(at, from.size(), to);
    return messageOf<InputError>([&] { loadLennardJonesData(path); });
  };
  using testing::HasSubstr;
  EXPECT_EQ(messageFor("[[fluid]]", "[[fluid]]"), "");
  EXPECT_THAT(messageFor("[[fluid]]", "[[gas]]"), HasSubstr(path + ": there is no [[fluid]]"));
  EXPECT_THAT(messageFor("\ncutoff", "\nreach"), HasSubstr("fluid[0].cutoff must be a number"));
  EXPECT_THAT(messageFor("[1.4653, 3.1885]", "[1.4653]"), HasSubstr("fluid[0].pressure must be 2"));
  EXPECT_THAT(messageFor("0.002, 0.003, 0.015", "0.002"), HasSubstr("must be 3 numbers"));
  EXPECT_THAT(messageFor("1.00738", "0.5"), HasSubstr("do not rise in energy"));
  std::filesystem::remove(path);
  EXPECT_THROW(loadLennardJonesData(path), InputError);
}

// Evaluated independently from the published coefficients.
TEST(PetsEquation, GivesThePublishedState) {
  const FluidState s = petsEquation(1.0, 0.8);
  EXPECT_NEAR(s.pressure, 1.70914, 1e-5);
  EXPECT_NEAR(s.energy, -4.70654, 1e-5);
  EXPECT_NEAR(s.excessPotential, -0.59530, 1e-5);
  // An ideal gas with the second virial coefficient, -1.7801271 at T = 1.5 (shifted at 2.5).
  const double rho = 1e-4;
  EXPECT_NEAR((petsEquation(1.5, rho).pressure / (1.5 * rho) - 1) / rho, -1.780, 0.05);
}

// At constant pressure the density is what is to be found: only that of a known state.
TEST(LennardJonesReference, AKnownPressureNamesItsDensity) {
  const auto at = [](double temperature, double pressure) {
    return lennardJonesAtPressure("force_shifted", 2.5, 2048, temperature, pressure);
  };
  const auto known = at(1.00738, 3.1885);
  ASSERT_EQ(known.size(), 2u);
  EXPECT_EQ(known[0].observable, "density");
  EXPECT_EQ(known[0].value, 0.8442);
  EXPECT_EQ(known[1].value, 3.1885);
  EXPECT_TRUE(at(1.00738, 3.2).empty());
  EXPECT_TRUE(at(1.0, 3.1885).empty());
  EXPECT_TRUE(lennardJonesAtPressure("shifted", 2.5, 2048, 1.00738, 3.1885).empty());
}

TEST(EquationOfState, KnowsWhereItHolds) {
  const auto count = [](const char* potential, double cutoff, double t, double rho) {
    return equationOfState(potential, cutoff, false, t, rho).size();
  };
  EXPECT_EQ(count("shifted", 2.5, 1.0, 0.8), 2u);
  EXPECT_EQ(count("shifted", 2.5, 1.2, 0.3), 2u) << "above the critical point";
  EXPECT_EQ(count("shifted", 2.5, 0.8, 0.3), 0u) << "liquid and vapour coexist";
  EXPECT_EQ(count("shifted", 3.0, 1.0, 0.8), 0u);
  EXPECT_EQ(count("force_shifted", 2.5, 1.0, 0.8), 0u);
  EXPECT_EQ(count("truncated", 3.0, 1.0, 0.3), 0u);
  // T = 1.5, rho = 0.5144 (Howard et al. 2016), truncated at 3: values of the equation less the
  // tail.
  const auto s = equationOfState("truncated", 3.0, false, 1.5, 0.51440329);
  ASSERT_EQ(s.size(), 2u);
  EXPECT_NEAR(s[0].value, -3.2555, 1e-3);
  EXPECT_NEAR(s[1].value, 0.6139, 1e-3);
  EXPECT_NEAR(equationOfState("truncated", 3.0, true, 1.5, 0.51440329)[1].value, 0.4498, 1e-3);
}

gcmc::GcmcParameters isothermAt(double temperature, const char* law, bool tail) {
  gcmc::GcmcParameters p;
  p.temperature = temperature;
  p.potential = gcmc::gcmcPotential(law);
  p.tail = tail;
  p.cutoff = 2.5;
  return p;
}

// Density at a value of ln z; 0 without an equation.
double densityAt(const gcmc::GcmcParameters& p, double lnZ) {
  const auto s = gcmc::equationOfStateIn(p, gcmc::Reservoir::potential);
  if (!s) return 0;
  const double mu = p.temperature * lnZ;
  for (std::size_t k = 1; k < s->x.size(); ++k) {
    if (s->x[k] < mu) continue;
    const double share = (mu - s->x[k - 1]) / (s->x[k] - s->x[k - 1]);
    return s->y[k - 1] + share * (s->y[k] - s->y[k - 1]);
  }
  return 0;
}

// Own serial chains at V = 1000: 676.1, 675.7, 675.9 and 177.7 particles; 1 % for what the mean
// field and the fits leave out.
TEST(GcmcIsothermReference, AgreesWithChainsOfThreeFluids) {
  EXPECT_NEAR(densityAt(isothermAt(1.2, "truncated", true), -2.5), 0.6761, 0.007);
  EXPECT_NEAR(densityAt(isothermAt(1.2, "truncated", false), -1.9), 0.6757, 0.007);
  EXPECT_NEAR(densityAt(isothermAt(1.2, "shifted", false), -1.3), 0.6759, 0.007);
  EXPECT_NEAR(densityAt(isothermAt(2.0, "truncated", false), -2.0), 0.1777, 0.002);
  EXPECT_EQ(densityAt(isothermAt(1.2, "force_shifted", false), -1.0), 0) << "none published";
  gcmc::GcmcParameters other = isothermAt(1.2, "shifted", false);
  other.cutoff = 3;
  EXPECT_EQ(densityAt(other, -1.3), 0) << "of this cutoff only";
}

// Published coexistence of the full potential at T = 1.2: ln z = -3.0308, densities 0.100 and
// 0.564.
TEST(GcmcIsothermReference, BelowTheCriticalPointTheDensityJumps) {
  const auto s =
      gcmc::equationOfStateIn(isothermAt(1.2, "truncated", true), gcmc::Reservoir::potential);
  ASSERT_TRUE(s);
  EXPECT_TRUE(std::is_sorted(s->x.begin(), s->x.end()));
  EXPECT_TRUE(std::is_sorted(s->y.begin(), s->y.end()));
  std::size_t jump = 1;
  for (std::size_t k = 1; k < s->y.size(); ++k)
    if (s->y[k] - s->y[k - 1] > s->y[jump] - s->y[jump - 1]) jump = k;
  EXPECT_NEAR(s->x[jump] / 1.2, -3.0308, 0.01);
  EXPECT_NEAR(s->y[jump - 1], 0.100, 0.006);
  EXPECT_NEAR(s->y[jump], 0.564, 0.012);
  const auto above =
      gcmc::equationOfStateIn(isothermAt(1.5, "truncated", true), gcmc::Reservoir::potential);
  ASSERT_TRUE(above);
  for (std::size_t k = 1; k < above->y.size(); ++k) EXPECT_LT(above->y[k] - above->y[k - 1], 0.01);
}

TEST(GcmcPublishedCoexistence, IsThatOfTheFile) {
  const std::vector<PublishedCoexistence> all = publishedCoexistences(3, true);
  ASSERT_EQ(all.size(), 11u);
  for (const PublishedCoexistence& c : all) {
    EXPECT_TRUE(0 < c.vapour && c.vapour < c.liquid) << c.temperature;
    EXPECT_GT(c.pressure, 0) << c.temperature;
    EXPECT_NE(c.source.find("NIST"), std::string::npos);
  }
  EXPECT_DOUBLE_EQ(all[3].temperature, 0.85);
  EXPECT_DOUBLE_EQ(all[3].liquid, 0.77681);
  EXPECT_DOUBLE_EQ(all[3].liquidEnergy, -5.5179);
  EXPECT_DOUBLE_EQ(all[3].lnActivity, -4.7788);
}

}  // namespace
}  // namespace cellscope::test
