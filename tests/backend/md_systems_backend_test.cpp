// Systems and thermostats of molecular dynamics: the same start and the same steps on both
// backends, through the mode. Skipped without a GPU. Springs of a hand, particles added and
// deleted, on each backend: as on one thread of the CPU. Overlapping starts and files are minimised
// or refused, on each backend: the same bodies on the CPU and on CUDA.
#include "sim/run/session.h"
#include "tests/support/backend_test.h"
#include "tests/support/hard_disks.h"
#include "tests/support/md_modes.h"

namespace cellscope::test {
namespace {

struct System {
  const char* name;
  std::string settings;
};

class MdSystemsBackend : public testing::TestWithParam<System> {
 protected:
  void SetUp() override {
    if (!exec::cudaStatus().usable) GTEST_SKIP() << "no CUDA: " << exec::cudaStatus().reason;
  }
  static std::unique_ptr<MdMode> made(Backend where) {
    return startedMd({where, 2, 0}, GetParam().settings);
  }
};

TEST_P(MdSystemsBackend, StartsAndStepsAreThoseOfTheCpu) {
  const auto cpu = made(Backend::cpu), gpu = made(Backend::cuda);
  EXPECT_EQ(cpu->configuration().positions, gpu->configuration().positions);
  for (const std::uint64_t steps : {0, 30}) {
    cpu->advance(steps), gpu->advance(steps);
    for (const char* id : {"temperature", "potential", "pressure", "density", "msd"}) {
      const double right = sampled(*cpu, id);
      EXPECT_NEAR(sampled(*gpu, id), right, 2e-3 * std::max(1.0, std::abs(right)))
          << id << " after " << steps;
    }
    expectHealthy(*gpu);
  }
  const Curve g = gpu->curves()[0], right = cpu->curves()[0];
  ASSERT_EQ(g.series.size(), right.series.size());
  for (std::size_t k = 0; k < g.series.size(); ++k)
    EXPECT_EQ(g.series[k].y.size(), right.series[k].y.size());
}

// Density changed in small steps while it runs; then as many steps in one box as make recorded ones
// worth while.
TEST_P(MdSystemsBackend, DensityChangesAsOnTheCpu) {
  const auto cpu = made(Backend::cpu), gpu = made(Backend::cuda);
  const double goal = 0.97 * valueIn(*cpu, "density");
  for (MdMode* mode : {cpu.get(), gpu.get()}) {
    mode->advance(10);
    change(*mode, fmt::format("density={}", goal));
    settle(*mode);
  }
  EXPECT_EQ(cpu->step(), gpu->step());
  EXPECT_EQ(cpu->configuration().box, gpu->configuration().box);
  for (MdMode* mode : {cpu.get(), gpu.get()}) {
    mode->advance(300);
    expectHealthy(*mode);
  }
}

// The box changes before steps 0, 7, 14, 21 and 28.
std::string atPressure(const std::string& method) {
  return "n=864 density=0.75 thermostat=bussi barostat=cell_rescaling target_pressure=4 "
         "barostat_time=0.3 barostat_interval=7 method=" +
         method;
}

const System kSystems[] = {
    {"plane", "dimension=2 n=900 density=0.7 method=cells"},
    {"plane_all_pairs", "dimension=2 n=900 density=0.7"},
    {"mixture", "system=binary n=2000 density=0.5144 cutoff_b=5 method=stencils sigma_b=1.1"},
    {"colloids",
     "system=colloids colloids=26 colloid_diameter=2 density=0.6 temperature=1 cutoff=3 dt=0.002 "
     "method=tree"},
    {"rescaling", "n=1000 method=cells thermostat=bussi ramp_steps=100 end_temperature=2"},
    {"rand48", "n=1000 method=cells thermostat=langevin noise=rand48"},
    {"ramp", "n=1000 method=tree thermostat=langevin ramp_steps=100 end_temperature=3"},
    {"pressure", atPressure("all_pairs")},
    {"pressure_cells", atPressure("cells")},
    {"pressure_stencils", atPressure("stencils")},
    {"pressure_tree", atPressure("tree")},
    {"pressure_clusters", atPressure("clusters")},
    {"pressure_placeholders", atPressure("placeholder_cells")},
    {"column", atPressure("all_pairs aspect_y=1 aspect_z=2.5")},
    {"brick", atPressure("clusters aspect_y=1.2 aspect_z=1.4")},
    {"slab", atPressure("tree aspect_y=1.5 aspect_z=0.7")}};
INSTANTIATE_TEST_SUITE_P(Each, MdSystemsBackend, testing::ValuesIn(kSystems),
                         [](const auto& s) { return s.param.name; });

BACKEND_TESTS(MdMinimise);

// Finite, and no two closer than 0.8: at a largest force of 100 about 0.9.
void expectApart(MdMode& mode) {
  const Configuration c = mode.configuration();
  double least = 100;
  for (std::size_t i = 0; i < c.size(); ++i)
    for (std::size_t j = 0; j < i; ++j) {
      least = std::min(least, distanceBetween(c, i, j));
      ASSERT_TRUE(std::isfinite(least));
    }
  EXPECT_GT(least, 0.8);
}

const std::string kHot = "temperature=0.5 dt=0.001 ";

// One duplicate, one pair at 1e-7, one at 0.2: with every method.
TEST_P(MdMinimise, LoadedOverlapsAreMovedApart) {
  Configuration c = startedMd(config(), "n=500 density=0.7")->configuration();
  const auto put = [&](std::size_t i, std::size_t at, double aside) {
    for (std::size_t a = 0; a < 3; ++a) c.positions[3 * i + a] = c.positions[3 * at + a];
    c.positions[3 * i] = std::min(c.positions[3 * i] + aside, c.box.length[0] * (1 - 1e-12));
  };
  put(3, 10, 0), put(40, 200, 1e-7), put(77, 300, 0.2);
  for (const char* method : {"all_pairs", "cells", "stencils", "tree", "placeholder_cells"}) {
    SCOPED_TRACE(method);
    const auto mode = std::make_unique<MdMode>(config());
    assign(*mode, kHot + "n=500 density=0.7 cutoff=2.5 cell_skin=0.1 method=" + method);
    const std::string refused = messageOf<InputError>([&] { mode->adopt(c); });
    EXPECT_TRUE(contains(refused, "particles 3 and 10") || contains(refused, "particles 10 and 3"))
        << refused;
    EXPECT_TRUE(contains(refused, "minimise = true")) << refused;
    assign(*mode, "minimise=true");
    mode->adopt(c);
    expectApart(*mode);
    EXPECT_TRUE(contains(detailOf(*mode, "start"), "the potential energy fell from"));
    const Configuration after = mode->configuration();
    EXPECT_EQ(after.ids, c.ids);
    EXPECT_EQ(after.velocities, c.velocities) << "positions only";
    mode->advance(20);
    expectHealthy(*mode);
  }
}

// A density at which particles at random must overlap.
TEST_P(MdMinimise, RandomStartsAreMovedApart) {
  for (const char* dimension : {"2", "3"})
    for (const char* method : {"all_pairs", "cells"}) {
      SCOPED_TRACE(std::string(method) + " in " + dimension + "D");
      const auto mode = startedMd(
          config(), kHot + fmt::format("n=400 dimension={} density={} lattice=random method={}",
                                       dimension, *dimension == '2' ? 1.1 : 1.25, method));
      expectApart(*mode);
      EXPECT_FALSE(detailOf(*mode, "start").empty());
      mode->advance(20);
      expectHealthy(*mode);
    }
}

TEST_P(MdMinimise, MixturesThatOverlapAreMovedApart) {
  const auto mode = startedMd(config(),
                              "system=binary method=tree n=500 density=0.6 fraction_b=0.3 "
                              "sigma_b=1.6 cutoff_b=3 minimise=true");
  EXPECT_FALSE(detailOf(*mode, "start").empty());
  EXPECT_LT(sampled(*mode, "potential"), 5);
}

TEST_P(MdMinimise, WhatIsApartStaysAsItIs) {
  const auto plain = startedMd(config(), "n=256"),
             asked = startedMd(config(), "n=256 minimise=true");
  EXPECT_EQ(plain->configuration().positions, asked->configuration().positions);
  EXPECT_EQ(detailOf(*asked, "start"), "");
}

TEST_P(MdMinimise, CanBeCancelled) {
  const auto mode = startedMd(config(), "n=400 density=0.3");
  const std::vector<double> before = mode->configuration().positions;
  assign(*mode, "density=1.25 lattice=random");
  int calls = 0;
  mode->watchWork([&](const Preparation& p) {
    if (p.label == "moving overlaps apart" && ++calls == 2) throw Cancelled();
  });
  EXPECT_THROW(mode->restart(), Cancelled);
  EXPECT_EQ(calls, 2);
  EXPECT_EQ(mode->configuration().positions, before);
}

// The descent never raises the energy, and a step is at most 0.1 sigma.
TEST_P(MdMinimise, StepsAreCappedAndTheEnergyFalls) {
  const auto engine = makeAllPairs(exec());
  MdState s{cubicBox(8),
            {{1, 1, 1}, {1.3, 1, 1}, {4, 4, 4}, {4, 4.05, 4}, {6, 6, 6}},
            std::vector<Vec3d>(5)};
  engine->upload(s);
  engine->forces();
  const MdState first = s;
  const md::Descent d = md::minimise(*engine, s, {});
  EXPECT_TRUE(d.done()) << d.largestForce;
  EXPECT_LT(d.after, d.before);
  EXPECT_NEAR(d.after, engine->totals().potential, 1e-3 * std::abs(d.after) + 1e-6);
  for (std::size_t i = 0; i < 5; ++i) {
    const Vec3d a = s.position[i], b = first.position[i];
    EXPECT_LE(std::hypot(a.x - b.x, a.y - b.y, a.z - b.z),
              0.1 * static_cast<double>(d.steps) + 1e-9);
  }
  EXPECT_EQ(s.position[4].x, 6) << "no force, no move";
}

BACKEND_TESTS(MdHand);

Scenario pulledLiquid(const std::string& method) {
  return scenarioWith("md",
                      "n=600 density=0.5 temperature=1.2 dt=0.002 cutoff=1.5 "
                      "potential=force_shifted method=" +
                          method);
}

// Single precision of pair forces, 1e-6 of some 100 epsilon / sigma, makes 1e-7 sigma in 40 steps;
// collisions multiply that by ten or so.
TEST_P(MdHand, PullsAlikeOnEachBackend) {
  for (const char* method :
       {"all_pairs", "placeholder_cells", "cells", "stencils", "tree", "clusters"}) {
    SCOPED_TRACE(method);
    Session here(pulledLiquid(method), config()), oracle(pulledLiquid("all_pairs"), kOneThread);
    double work[2] = {};
    Configuration end[2];
    for (int k = 0; k < 2; ++k) {
      Session& s = k == 0 ? here : oracle;
      s.hand("grab 4 4 4 1.5 40");
      s.hand("pull 6 5 4 1 1");
      s.advance(20);
      s.hand("pull 3 4 4 1 1");
      s.advance(20);
      work[k] = dynamic_cast<TakesHands&>(s.mode()).grip()->work;
      expectHealthy(s.mode());
      s.hand("release 0 0 0 1 1");
      s.hand("delete 2 2 2 1.2 1");
      s.hand("add 2 2 2 1.5 1");
      end[k] = s.mode().configuration();
    }
    EXPECT_GT(std::abs(work[1]), 0.1);
    EXPECT_NEAR(work[0], work[1], 1e-4 * std::abs(work[1]) + 1e-5);
    ASSERT_EQ(end[0].ids, end[1].ids);
    for (std::size_t i = 0; i < end[0].positions.size(); ++i) {
      const double l = end[0].box.length[0], d = end[0].positions[i] - end[1].positions[i];
      ASSERT_NEAR(d - l * std::rint(d / l), 0, 2e-5) << i;
      ASSERT_NEAR(end[0].velocities[i], end[1].velocities[i], 2e-3) << i;
    }
  }
}

BACKEND_TESTS(HandOnChains);

// Disks and chains, bit for bit.
TEST_P(HandOnChains, TouchesAlikeOnEachBackend) {
  for (const Scenario& scenario : {scenarioWith("hard_disks", "n=400 packing=0.5"),
                                   scenarioWith("gcmc", "length=8 density=0.2 temperature=1.5")}) {
    SCOPED_TRACE(scenario.mode);
    Session here(scenario, config()), oracle(scenario, kOneThread);
    for (Session* s : {&here, &oracle}) {
      s->advance(5);
      s->hand("delete 3 3 3 1.5 1");
      s->advance(5);
      s->hand("add 3 3 3 2 1");
      if (scenario.mode == "hard_disks") {
        s->hand("grab 6 6 0 1.2 1");
        s->hand("pull 7 6.5 0 1 1");
        s->hand("release 0 0 0 1 1");
      }
      s->advance(5);
      expectHealthy(s->mode());
    }
    const Configuration a = here.mode().configuration(), b = oracle.mode().configuration();
    EXPECT_EQ(a.ids, b.ids);
    EXPECT_EQ(a.positions, b.positions);
  }
}

}  // namespace
}  // namespace cellscope::test
