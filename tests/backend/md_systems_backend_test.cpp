// Systems and thermostats of molecular dynamics: the same start and the same steps on both
// backends, through the mode. Skipped without a GPU.
#include "sim/exec/memory.h"
#include "tests/support/hard_disks.h"
#include "tests/support/md_modes.h"
#include "tests/support/sampled.h"

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
  for (const int steps : {0, 30}) {
    cpu->advance(static_cast<std::uint64_t>(steps)),
        gpu->advance(static_cast<std::uint64_t>(steps));
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

}  // namespace
}  // namespace cellscope::test
