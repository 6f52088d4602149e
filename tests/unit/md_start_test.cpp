// Initial states of molecular dynamics: lattice, temperature, velocities. A start at the asked
// density and temperature is one: no contact is so close that it heats the particles, whatever
// their number, on every lattice, in the plane and in space; with CELLSCOPE_LONG_RUN set for every
// number from 2 to 300.
// Bad input and bad luck in molecular dynamics: each message names the cause and the way out, and
// the way out works.
#include <cstdio>
#include <cstdlib>
#include <numeric>
#include <set>

#include "tests/support/md_modes.h"

namespace cellscope::test {
namespace {

// Published start-up numbers of an fcc lattice (LAMMPS logs and lattice sums).
TEST(MdStart, LatticeEnergyAndPressureAreThePublishedOnes) {
  struct Row {
    const char* potential;
    double cutoff, energy, pressure;
  };
  const Row rows[] = {{"truncated", 2.5, -6.7733680533, -3.70335042},
                      {"shifted", 2.5, -6.3328119926, -3.70335042},
                      {"force_shifted", 2.5, -5.6932782757, -3.14253963},
                      {"truncated", 3.0, -6.9361630975, -3.97748146}};
  auto mode = std::make_unique<MdMode>(ExecConfig{Backend::cpu, 2, 0});
  assign(*mode, "n=4000 temperature=3");
  for (const char* method : {"all_pairs", "cells"})
    for (const Row& row : rows) {
      SCOPED_TRACE(fmt::format("{}, {}", method, row.potential));
      restartWith(*mode, fmt::format("method={} potential={} cutoff={}", method, row.potential,
                                     row.cutoff));
      EXPECT_NEAR(sampled(*mode, "temperature"), 3.0, 1e-12);
      EXPECT_NEAR(sampled(*mode, "potential"), row.energy, 1e-5);
      EXPECT_NEAR(sampled(*mode, "pressure"), row.pressure, 1e-4);
    }
}

TEST(MdStart, StartsAtTheTemperatureWithoutMomentum) {
  for (std::int64_t n : {2, 3, 5, 31, 32, 33, 255, 256, 257}) {
    auto mode = small(n, 0.01);
    EXPECT_EQ(mode->particleCount(), static_cast<std::size_t>(n));
    EXPECT_NEAR(sampled(*mode, "temperature"), 1.4, 1e-12);
    EXPECT_LT(sampled(*mode, "momentum"), 1e-11);
    EXPECT_EQ(sampled(*mode, "drift"), 0.0);
    const double l = mode->configuration().box.length[0];
    EXPECT_NEAR(static_cast<double>(n) / (l * l * l), 0.01, 1e-12);
  }
}

// Nearest neighbours of a perfect face-centred cubic lattice, 2^(1/6) rho^(-1/3).
double perfectDistance(std::int64_t n, double length) {
  return std::pow(2.0, 1.0 / 6.0) * length / std::cbrt(static_cast<double>(n));
}

TEST(MdStart, StartsWithAllParticlesFarApart) {
  for (std::int64_t n = 2; n <= 300; ++n) {
    const double length = std::cbrt(static_cast<double>(n) / 0.8442);
    const std::vector<Vec3d> r = md::startLattice(n, length);
    ASSERT_EQ(r.size(), static_cast<std::size_t>(n));
    EXPECT_GT(nearestOf(r, cubicBox(length)) / perfectDistance(n, length), n < 106 ? 0.74 : 0.92)
        << n;
  }
  for (std::int64_t n : {32, 108, 256, 500, 864})  // 4 k^3
    EXPECT_NEAR(nearestOf(md::startLattice(n, 1), cubicBox(1)) / perfectDistance(n, 1), 1, 1e-12)
        << n;
  for (std::int64_t n : {865, 1373, 2049, 4001})
    EXPECT_GT(nearestOf(md::startLattice(n, 1), cubicBox(1)) / perfectDistance(n, 1), 0.9) << n;
}

// <v_x^2> = T and <v_x^4> / <v_x^2>^2 = 3, over 30000 components: five standard errors, 1.4e-6 of
// all seeds (distribution of the kurtosis after Anscombe and Glynn 1983).
TEST(MdStart, VelocitiesAreMaxwellian) {
  const std::vector<Vec3d> v = md::maxwellVelocities(10000, 1.4, 7);
  double second = 0, fourth = 0;
  for (const Vec3d& u : v)
    for (double c : {u.x, u.y, u.z}) second += c * c, fourth += c * c * c * c;
  second /= 30000, fourth /= 30000;
  EXPECT_NEAR(second, 1.4, 1e-3);  // scaled exactly, but for (N - 1) / N
  EXPECT_NEAR(fourth / (second * second), 3.0, 5 * std::sqrt(24.0 / 30000));
}

struct StartCase {
  const char* lattice;
  int dimension;
};

class MdStartTemperature : public testing::TestWithParam<StartCase> {
 protected:
  // The box of a few particles is as large as the shortest cutoff that includes the well needs.
  std::unique_ptr<MdMode> started(std::int64_t n, double wanted, double temperature) const {
    constexpr double kSmallestBox = 3.0;
    const int d = GetParam().dimension;
    const auto particles = static_cast<double>(n);
    const double density = std::min(wanted, particles / std::pow(kSmallestBox, d));
    const double half = 0.5 * std::pow(particles / density, 1.0 / d);
    return startedMd(fmt::format(
        "dimension={} lattice={} n={} density={} temperature={} cutoff={} potential=force_shifted",
        d, GetParam().lattice, n, density, temperature, std::min(2.5, 0.999 * half)));
  }
};

std::vector<std::int64_t> numbersOfStarts() {
  std::vector<std::int64_t> all(299);
  std::iota(all.begin(), all.end(), 2);
  if (std::getenv("CELLSCOPE_LONG_RUN")) return all;
  return {2, 3, 7, 28, 65, 81, 84, 109, 125, 129, 150, 257};
}

// The mean temperature of steps 200 to 300 over the asked one. Without a thermostat a lattice takes
// about half of the kinetic energy to vibrate; particles at random have already done so.
TEST_P(MdStartTemperature, IsNotHeatedByContacts) {
  const int d = GetParam().dimension;
  const bool atRandom = std::string(GetParam().lattice) == "random";
  // A full simple cubic lattice collapses into a closer packing, which releases energy.
  const bool cubes = d == 3 && std::string(GetParam().lattice) == "simple";
  const double largest = cubes ? 1.3 : 1.1;
  double least = 100, most = 0;
  for (const std::int64_t n : numbersOfStarts())
    for (const double asked : {0.7, 1.4}) {
      const auto mode = started(n, d == 2 ? 0.8 : 0.8442, asked);
      EXPECT_NEAR(sampled(*mode, "temperature"), asked, 1e-6);
      mode->advance(200);
      const double ratio = averaged(*mode, {"temperature"}, 10, 10)[0].mean() / asked;
      // At constant energy T fluctuates less than sqrt(2 / (d (n - 1))) of itself.
      const double noise = std::sqrt(2.0 / (d * static_cast<double>(n - 1)));
      EXPECT_LT(ratio, largest + 2 * noise) << n << " at " << asked;
      if (atRandom) {
        EXPECT_GT(ratio, 0.9 - 2 * noise) << n << " at " << asked;
      }
      if (n > 20) least = std::min(least, ratio), most = std::max(most, ratio);
      SCOPED_TRACE(fmt::format("{} at {}", n, asked));
      expectHealthy(*mode);
    }
  std::printf("T over the asked one, n > 20: %.3f to %.3f\n", least, most);
}

// In the box that the density gives, smaller than the cutoff: no lattice of 5 or 6 particles keeps
// them apart, and 5 of them became four times as hot.
TEST(MdStartOfFew, IsNotHeatedByACrowdedLattice) {
  for (const std::int64_t n : {4, 5, 6, 11, 13, 15, 16, 17, 20, 21}) {
    auto mode = startedMd(
        kOneThread, fmt::format("n={} density=0.8442 temperature=1.4 potential=force_shifted", n));
    EXPECT_NEAR(sampled(*mode, "temperature"), 1.4, 1e-6);
    mode->advance(200);
    const double mean = averaged(*mode, {"temperature"}, 40, 10)[0].mean();
    EXPECT_LT(mean / 1.4, 1.1 + 2 * std::sqrt(2.0 / (3 * static_cast<double>(n - 1)))) << n;
    SCOPED_TRACE(n);
    expectHealthy(*mode);
  }
}

TEST(MdStartOfFew, OnlyCrowdedLatticesAreRelaxed) {
  for (std::int64_t n = 2; n <= 120; ++n) {
    const Box box = cubicBox(std::cbrt(static_cast<double>(n) / 0.8442));
    const bool crowded = md::crowdedLattice(md::startLattice(n, box.length[0]), box);
    EXPECT_EQ(crowded, (std::set<std::int64_t>{5, 6, 11, 13, 15, 16, 17, 20}.contains(n))) << n;
    const Box dilute = cubicBox(std::cbrt(static_cast<double>(n) / 0.4));
    EXPECT_FALSE(md::crowdedLattice(md::startLattice(n, dilute.length[0]), dilute)) << n;
  }
}

// The same start again, bit for bit; a thermostat does not matter: it does not depend on what the
// run will do.
TEST(MdStartAtRandom, IsTheSameEveryTime) {
  const auto start = [](const std::string& more) {
    return startedMd("n=200 lattice=random " + more);
  };
  EXPECT_EQ(saved(*start("")), saved(*start("")));
  EXPECT_EQ(start("thermostat=none")->configuration().positions,
            start("thermostat=langevin")->configuration().positions);
}

INSTANTIATE_TEST_SUITE_P(Starts, MdStartTemperature,
                         testing::Values(StartCase{"close_packed", 2}, StartCase{"close_packed", 3},
                                         StartCase{"simple", 2}, StartCase{"simple", 3},
                                         StartCase{"random", 2}, StartCase{"random", 3}),
                         [](const auto& c) {
                           return std::string(c.param.lattice) + std::to_string(c.param.dimension);
                         });

// What a start says to these settings, of which later ones count.
std::string refused(const std::string& settings) {
  return messageOf<InputError>([&] { startedMd(settings); });
}

TEST(MdBadInput, CutoffsBeyondTheImages) {
  const std::string binary = "system=binary n=300 density=0.5 method=cells cutoff_b=15 dimension=3";
  expectWords(refused(binary), {"cutoff_b = 15", "1.5 times the side, 12.65", "n of at least 500"});
  EXPECT_EQ(refused(binary + " n=500"), "");
  const std::string plane = "dimension=2 n=10 density=0.5 cutoff=2.5 method=";
  expectWords(refused(plane + "placeholder_cells"),
              {"half the side with placeholder cells, 2.236",
               "method = cells, stencils, tree, clusters or all_pairs"});
  for (const char* method : {"all_pairs", "cells", "stencils", "tree"}) {
    const std::string images = plane + method;
    EXPECT_EQ(refused(images), "") << "the way out";
    expectWords(refused(images + " cutoff=8"), {"1.5 times the side, 6.708", "n of at least 15"});
    EXPECT_EQ(refused(images + " cutoff=8 n=15"), "");
  }
  expectWords(refused("system=colloids colloids=1 colloid_fraction=0.2 method=cells density=0.6 "
                      "cutoff=3"),
              {"colloids of at least 2"});
}

// Among images placeholder cells do not fit: they are refused while the run goes on as it was.
TEST(MdBadInput, AMethodThatKnowsNoImages) {
  for (const char* method : {"all_pairs", "tree"}) {
    auto mode = small(20, 0.8);
    change(*mode, fmt::format("method={} cutoff=4", method));
    mode->advance(20);
    const std::string before = saved(*mode);
    expectRefusal([&] { change(*mode, "method=placeholder_cells"); }, {"half the side"});
    EXPECT_EQ(valueIn<std::string>(*mode, "method"), method);
    EXPECT_EQ(saved(*mode), before);
    MdMode other(ExecConfig{Backend::cpu, 2, 0});
    load(other, before);
    mode->advance(10), other.advance(10);
    EXPECT_EQ(saved(*mode), saved(other)) << "a checkpoint of such a box is valid";
  }
}

TEST(MdBadInput, WhatIsImpossibleTogether) {
  expectWords(refused("system=colloids dimension=2 method=cells"), {"dimension = 3"});
  expectWords(refused("tail=true"), {"potential = truncated"});
  EXPECT_EQ(refused("tail=true potential=truncated"), "");
  expectWords(refused("system=binary method=cells n=2000 potential=colloid sigma_b=1.2"),
              {"sigma_b = 1.2"});
  // While it runs the parameter is as before.
  auto mode = small();
  expectRefusal([&] { change(*mode, "tail=true"); }, {"tail"});
  EXPECT_EQ(valueIn<bool>(*mode, "tail"), false);
}

TEST(MdBadInput, DensitiesThatCannotBePlaced) {
  // At random there is no room for all of these: they are moved apart.
  EXPECT_EQ(refused("n=500 density=1.3 lattice=random"), "");
  expectWords(refused("system=colloids method=cells colloids=100 colloid_diameter=3 "
                      "colloid_fraction=0.3 cutoff=3 density=0.6"),
              {"smaller colloid_fraction"});
}

TEST(MdBadInput, StartsThatOverlap) {
  const std::string large =
      "system=binary method=cells n=2000 fraction_b=0.5 sigma_b=2 cutoff_b=2.5";
  expectWords(refused(large), {"overlap at the start", "smaller sigma_b", "minimise = true"});
  EXPECT_EQ(refused(large + " sigma_b=1"), "");
  // Too many large ones to fit, however they are moved.
  expectWords(refused(large + " minimise=true n=110"), {"lower density"});
}

TEST(MdBadInput, FilesWithUnknownTypes) {
  const auto mode = startedMd("system=binary method=cells n=500 density=0.5 cutoff_b=3");
  const Configuration good = mode->configuration();
  const auto message = [&](const std::function<void(Configuration&)>& damage) {
    Configuration c = good;
    damage(c);
    return messageOf<InputError>([&] { mode->adopt(c); });
  };
  expectWords(message([](auto& c) { c.species[1].name = "Xe"; }),
              {"'Xe', which is unknown", "'A' and 'B'"});
  expectWords(message([](auto& c) { c.species[1].diameter = 1.4; }), {"sigma_b"});
  expectWords(message([](auto& c) { c.species[0].mass = 2; }), {"mass 2"});
  auto pure = small();
  expectRefusal([&] { pure->adopt(good); }, {"one species"});
}

// What is too large a time step is recognised by its drift before it blows up (which is told with
// the way out: Program.ARunThatBlowsUpKeepsItsState).
TEST(MdBadInput, DriftIsRecognised) {
  auto mode = small();
  restartWith(*mode, "potential=shifted temperature=6");
  change(*mode, "dt=0.001");
  mode->advance(100);
  EXPECT_TRUE(checkOf(*mode, "energy").ok) << checkOf(*mode, "energy").detail;
  change(*mode, "dt=0.017");
  std::string seen;
  try {
    for (int k = 0; k < 40 && seen.empty(); ++k) {
      mode->advance(50);
      if (!checkOf(*mode, "energy").ok) seen = checkOf(*mode, "energy").detail;
    }
  } catch (const RunError& e) {
    seen = e.what();
  }
  expectWords(seen, {"smaller time step"});
}

// What is wrong on purpose is called that, once, and asks for no other time step. Off again, the
// run is a valid one, judged from there on.
TEST(MdBadInput, StaleListsAreTheCauseAndNoFailureOutlastsThem) {
  auto mode = small(500);
  restartWith(*mode, "method=cells temperature=4 buffer=0.05 stale_lists=true");
  mode->advance(200);
  const SelfCheck stale = checkOf(*mode, "energy");
  const std::string &why = stale.detail, cause = ", as lists are stale";
  EXPECT_FALSE(stale.ok);
  expectWords(why, {cause, "; allowed 0.0"});
  EXPECT_EQ(why.find(cause), why.rfind(cause)) << why;
  EXPECT_FALSE(contains(why, "time step")) << why;
  change(*mode, "stale_lists=false");
  for (int k = 0; k < 3; ++k) {
    const SelfCheck energy = checkOf(*mode, "energy");
    EXPECT_TRUE(energy.ok) << energy.detail;
    expectWords(energy.detail, {"since t = "});
    mode->advance(100);
  }
}

TEST(MdBadInput, ValuesOutOfRangeNameKeyAndRange) {
  MdMode mode(ExecConfig{Backend::cpu, 2, 0});
  for (const std::string text :
       {"dt=1", "temperature=-1", "temperature=nan", "cutoff=0", "density=7", "system=ternary",
        "fraction_b=1.5", "coupling_time=0"}) {
    const std::string m = messageOf<InputError>([&] { assign(mode, text); });
    expectWords(m, {text.substr(0, text.find('='))});
    EXPECT_TRUE(contains(m, "to") || contains(m, "one of")) << m;
  }
}

// The number of particles follows from that of the colloids, which is what the way out names.
TEST(MdBadInput, ColloidsWithoutRoomForThreeCells) {
  const std::string few =
      "system=colloids colloids=8 colloid_diameter=3 colloid_fraction=0.1 density=0.2 cutoff=2.5 "
      "temperature=1 method=placeholder_cells";
  const std::string why = refused(few), way = "colloids of at least ";
  const std::size_t at = why.find(way);
  ASSERT_NE(at, std::string::npos) << why;
  EXPECT_FALSE(contains(why, "n of at least")) << why;
  const std::int64_t least = std::stoll(why.substr(at + way.size()));
  EXPECT_GT(least, 8);
  EXPECT_EQ(refused(fmt::format("{} colloids={}", few, least)), "");
  EXPECT_NE(refused(fmt::format("{} colloids={}", few, least - 1)), "");
}

// Friction and noise take up what a time step that is too large does to the energy; it is said all
// the same, with a step that does.
TEST(MdBadInput, ATimeStepThatTheBathHides) {
  auto mode = small(108, 0.8);
  assign(*mode, "thermostat=langevin temperature=1 bath_temperature=1");
  const auto check = [&](double dt) {
    change(*mode, fmt::format("dt={}", dt));
    return checkOf(*mode, "time step");
  };
  EXPECT_TRUE(check(0.005).ok) << check(0.005).detail;
  const SelfCheck large = check(0.022);
  const std::string& why = large.detail;
  EXPECT_FALSE(large.ok) << why;
  const std::string way = "dt of at most ";
  ASSERT_TRUE(contains(why, way)) << why;
  EXPECT_TRUE(check(std::stod(why.substr(why.find(way) + way.size()))).ok);
}

}  // namespace
}  // namespace cellscope::test
