// Molecular dynamics in the plane, of mixtures and of colloids, through the mode.
#include "tests/support/md_modes.h"
#include "tests/support/nist.h"

namespace cellscope::test {
namespace {

struct System {
  std::string settings;
  double temperature;
  std::string more = "";  // where the force must not jump
};
const System kPlane = {
    "dimension=2 n=400 density=0.7 temperature=0.8 method=cells potential=force_shifted", 0.8};
const System kMixture = {
    "system=binary n=500 density=0.5144 temperature=1.5 fraction_b=0.3 cutoff=2 cutoff_b=3.5 "
    "method=stencils epsilon_b=0.5 sigma_b=1.1",
    1.5, " potential=force_shifted"};
const System kColloids = {
    "system=colloids colloids=26 colloid_diameter=2 colloid_fraction=0.1 density=0.6 "
    "temperature=1 cutoff=3 method=tree dt=0.002",
    1.0};

// Phases that have nothing to do, as the list is kept, say so until the step is over.
TEST(MdPhases, SayThatTheListIsKept) {
  for (const char* method : {"tree", "cells"}) {
    auto mode = startedMd(fmt::format("n=256 density=0.6 method={} buffer=0.5 dt=0.001", method));
    const std::vector<std::string> names = mode->info().phases;
    int kept = 0, built = 0;
    for (int step = 0; step < 4; ++step) {
      EXPECT_EQ(mode->info().phases, names);
      mode->advancePhase();
      mode->advancePhase();
      const std::vector<std::string>& now = mode->info().phases;
      ASSERT_EQ(now.size(), names.size());
      const bool says = now[1].ends_with("list kept");
      EXPECT_EQ(says, now[2].starts_with("no ")) << now[2];
      (says ? kept : built) += 1;
      while (mode->nextPhase() != 0) mode->advancePhase();
    }
    EXPECT_GT(kept, 0) << method;
    EXPECT_LE(built, 1) << method;
  }
}

// A type that is not shown is not picked, whatever stands before it.
TEST(MdSystems, PicksOnlyTypesThatAreShown) {
  auto mode = startedMd(kColloids.settings);
  const Configuration c = mode->configuration();
  PickQuery q{{0, 0, -5}, {0, 0, 1}};
  for (const std::uint32_t types : {1u, 2u}) {
    q.isDrawn = [types](const Vec3d&, int type) { return (types >> type & 1u) != 0; };
    int found = 0;
    for (std::size_t i = 0; i < c.ids.size(); i += 7) {
      q.origin[0] = c.positions[3 * i], q.origin[1] = c.positions[3 * i + 1];
      const ParticleId id = mode->pick(q);
      if (id < 0) continue;
      EXPECT_EQ(types, 1u << c.types[slotOf(c, id)]);
      ++found;
    }
    EXPECT_GT(found, 0) << types;
  }
  q.isDrawn = [](const Vec3d&, int) { return false; };
  EXPECT_EQ(mode->pick(q), -1);
}

TEST(MdSystems, RunAndPassTheirChecks) {
  for (const System* s : {&kPlane, &kMixture, &kColloids}) {
    auto mode = startedMd(s->settings);
    EXPECT_NEAR(sampled(*mode, "temperature"), s->temperature, 1e-9);
    expectHealthy(*mode);
    mode->advance(120);
    expectHealthy(*mode);
    EXPECT_LT(std::abs(sampled(*mode, "drift_rate")), 0.01);
    EXPECT_GT(sampled(*mode, "msd"), 0.0);
  }
}

// The virial pressure is minus the slope of the energy as all is stretched: no formula in common.
TEST(MdSystems, PressureIsTheSlopeOfTheEnergy) {
  for (const System* s : {&kPlane, &kMixture, &kColloids}) {
    auto mode = startedMd(s->settings + s->more);
    mode->advance(100);
    const Configuration c = mode->configuration();
    const double temperature = sampled(*mode, "temperature");
    const auto n = static_cast<double>(c.size());
    const double excess = sampled(*mode, "pressure") - (n - 1) * temperature / c.box.volume();
    const auto energyAt = [&](double stretch) {
      Configuration d = c;
      for (double& x : d.positions) x *= stretch;
      for (int a = 0; a < c.box.dimension; ++a) d.box.length[a] *= stretch;
      mode->adopt(d);
      return n * sampled(*mode, "potential");
    };
    const double h = 5e-5, volume = c.box.volume(), change = energyAt(1 + h) - energyAt(1 - h);
    const double slope =
        -change / (volume * (std::pow(1 + h, c.box.dimension) - std::pow(1 - h, c.box.dimension)));
    // Energies in single precision, divided by h; pairs that leave or enter where the force jumps.
    EXPECT_NEAR(slope, excess, 0.02 * std::max(1.0, std::abs(excess)));
  }
}

TEST(MdSystems, RandomStartsKeepTheirDistance) {
  for (const int dimension : {2, 3}) {
    const double side = std::pow(300 / 0.6, 1.0 / dimension);
    const Box box = dimension == 2 ? squareBox(side) : cubicBox(side);
    const double least = nearestOf(md::startRandom(300, box, 0.85, 1, {}, ""), box);
    EXPECT_GE(least, 0.85);
    EXPECT_LT(least, 0.9) << "random, not a lattice";
  }
}

TEST(MdSystems, TheMixtureHasItsShareOfB) {
  auto mode = startedMd(kMixture.settings);
  Configuration c = mode->configuration();
  ASSERT_EQ(c.species.size(), 2u);
  EXPECT_EQ(c.species[1].name, "B");
  EXPECT_EQ(c.species[1].diameter, 1.1);
  EXPECT_EQ(std::count(c.types.begin(), c.types.end(), 1u), 150);
  EXPECT_GT(std::count(c.types.begin(), c.types.begin() + 100, 1u), 10) << "drawn by lot";
  // g(r) of AA, AB and BB; far away each is near 1.
  for (int k = 0; k < 20; ++k) mode->advance(10), mode->sample();
  const Curve g = mode->curves()[0];
  ASSERT_EQ(g.series.size(), 3u);
  EXPECT_EQ(g.series[1].label, "AB");
  for (const CurveSeries& s : g.series) {
    double sum = 0, count = 0;
    for (std::size_t b = 0; b < s.x.size(); ++b)
      if (s.x[b] > 3.5) sum += s.y[b], count += 1;
    EXPECT_NEAR(sum / count, 1.0, 0.05) << s.label;
  }
}

// Table 1 of Howard et al. 2016: N_S is the solvent density times the volume outside the spheres
// in which it is deleted, as long as these do not overlap.
TEST(MdSystems, ColloidsReplaceTheSolventThatTheyOverlap) {
  auto mode = startedMd(kColloids.settings + " colloids=25 colloid_diameter=5");
  const Configuration c = mode->configuration();
  EXPECT_EQ(std::count(c.types.begin(), c.types.end(), 1u), 25);
  EXPECT_NEAR(25 * std::numbers::pi * 125 / 6 / c.box.volume(), 0.1, 1e-12);
  EXPECT_NEAR(c.species[1].mass, std::numbers::pi * 125 / 6, 1e-12);
  EXPECT_EQ(c.species[1].diameter, 5);
  const double cleared = 1.05 * 3.0;
  const double free = c.box.volume() - 25 * 4 * std::numbers::pi / 3 * std::pow(cleared, 3);
  const auto solvent = static_cast<double>(c.size()) - 25;
  // Cleared spheres of close colloids overlap a little.
  EXPECT_NEAR(solvent / (0.6 * free), 1.01, 0.025);
  EXPECT_EQ(valueIn<std::int64_t>(*mode, "n"), static_cast<std::int64_t>(c.size()));
}

TEST(MdSystems, GoThroughConfigurationsAndCheckpoints) {
  for (const System* s : {&kPlane, &kMixture, &kColloids}) {
    auto mode = startedMd(s->settings);
    mode->advance(20);
    mode->sample();
    auto other = std::make_unique<MdMode>(ExecConfig{Backend::cpu, 2, 0});
    assign(*other, s->settings);
    const Configuration c = mode->configuration();
    other->adopt(c);
    const Configuration adopted = other->configuration();
    EXPECT_EQ(adopted.positions, c.positions);
    EXPECT_EQ(adopted.velocities, c.velocities);
    EXPECT_EQ(adopted.types, c.types);
    EXPECT_EQ(other->step(), 0u);
    EXPECT_EQ(valueIn<std::int64_t>(*other, "n"), static_cast<std::int64_t>(c.size()));
    EXPECT_NEAR(sampled(*other, "potential"), sampled(*mode, "potential"), 1e-4);
    load(*other, saved(*mode));
    EXPECT_EQ(saved(*other), saved(*mode));
    mode->advance(15), other->advance(15);
    EXPECT_EQ(saved(*other), saved(*mode));
    EXPECT_EQ(sampled(*other, "msd"), sampled(*mode, "msd"));
  }
}

// The tail correction of NIST's configurations: -198.488883744 for 800 particles in L = 10.
TEST(MdSystems, TheTailCorrectionIsThePublishedOne) {
  const NistConfiguration nist = nistConfiguration(1);
  Configuration c{.box = nist.box};
  for (const Vec3d& r : nist.position) c.positions.insert(c.positions.end(), {r.x, r.y, r.z});
  c.ids = firstIds(nist.position.size());
  auto mode = startedMd("potential=truncated cutoff=3 tail=true");
  mode->adopt(c);
  EXPECT_NEAR(800 * sampled(*mode, "potential"), -4351.54019454 - 198.488883744, 2e-3);
  const double with = sampled(*mode, "pressure");
  change(*mode, "tail=false");
  EXPECT_NEAR(800 * sampled(*mode, "potential"), -4351.54019454, 2e-3);
  EXPECT_NEAR(with - sampled(*mode, "pressure"), 0.64 * -0.6199940116, 1e-9);
}

TEST(MdSystems, MeanSquareDisplacementSeesThroughTheFaces) {
  // A free particle and its mirror image: ways of 2.5 boxes each.
  auto mode = startedMd("n=2 density=0.002 epsilon_b=0 dt=0.02 cutoff=1 temperature=4");
  Configuration c = mode->configuration();
  const double l = c.box.length[0];
  c.positions = {1, 1, 1, 1, 1, 0.5 * l};
  c.velocities = {3, 0, 0, 0, -4, 0};
  mode->adopt(c);
  const double time = 100 * 0.02;
  for (int k = 0; k < 20; ++k) mode->advance(5), mode->sample();
  EXPECT_GT(3 * time, 0.5 * l);
  EXPECT_NEAR(sampled(*mode, "msd"), 0.5 * (9 + 16) * time * time, 1e-4 * time * time);
  mode->resetAverages();
  EXPECT_NEAR(sampled(*mode, "msd"), 0, 1e-10);
}

// Without lists: of each pair of types, as far as its law reaches, which for the repulsive part
// alone is its minimum and not the cutoff.
TEST(MdSystems, NeighboursOfThePickedAreThoseThatItFeels) {
  const auto rowOf = [](MdMode& mode, std::size_t i) {
    return cardRow(*mode.frame({.picked = mode.configuration().ids.at(i)}), "neighbours");
  };
  const auto mode =
      startedMd("system=binary n=4000 density=0.5144 cutoff=2 cutoff_b=6 method=placeholder_cells");
  const Configuration c = mode->configuration();
  bool seen[2] = {};
  for (std::size_t i = 0; i < c.size(); ++i) {  // the first of each type
    if (seen[c.types[i]]) continue;
    seen[c.types[i]] = true;
    int near = 0;
    for (std::size_t j = 0; j < c.size(); ++j) {
      const double end = c.types[i] + c.types[j] == 0 ? 2 : c.types[i] + c.types[j] == 1 ? 4 : 6;
      near += j != i && distanceBetween(c, i, j) < end;
    }
    EXPECT_EQ(rowOf(*mode, i), std::to_string(near) + " within the cutoffs of their types");
  }
  EXPECT_TRUE(seen[0] && seen[1]);
  const auto pure = startedMd("n=108 density=0.6 potential=wca");
  EXPECT_TRUE(contains(rowOf(*pure, 0), " within 1.122 sigma")) << rowOf(*pure, 0);
}

// Lorentz (1881) and Berthelot (1898): the arithmetic mean of sigma, the geometric one of epsilon.
TEST(MdSystems, UnlikePairsFollowTheRuleOfMixing) {
  SpeciesTable s{.types = 2};
  s.sigma[1] = 2, s.epsilon[1] = 0.25;
  EXPECT_EQ(s.epsilonOf(0, 1), 0.625);
  s.mixing = Mixing::lorentzBerthelot;
  EXPECT_EQ(s.epsilonOf(0, 1), 0.5);
  EXPECT_EQ(s.epsilonOf(1, 1), 0.25);
  EXPECT_EQ(s.sigmaOf(1, 0), 1.5);
}

}  // namespace
}  // namespace cellscope::test
