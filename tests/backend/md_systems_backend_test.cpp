// Systems and thermostats of molecular dynamics: the same start and the same steps on both
// backends, through the mode. Skipped without a GPU.
#include <gtest/gtest.h>

#include <cmath>

#include "sim/exec/memory.h"
#include "sim/modes/md/mode.h"
#include "tests/support/md_modes.h"
#include "tests/support/sampled.h"

namespace cellscope {
namespace {

using test::word;
using Settings = std::vector<std::pair<const char*, ParameterValue>>;

struct System {
  const char* name;
  Settings settings;
};

class MdSystemsBackend : public testing::TestWithParam<System> {
 protected:
  void SetUp() override {
    if (!exec::cudaStatus().usable) GTEST_SKIP() << "no CUDA: " << exec::cudaStatus().reason;
  }
  static std::unique_ptr<MdMode> made(Backend where) {
    auto mode = std::make_unique<MdMode>(ExecConfig{where, 2, 0});
    for (const auto& [key, value] : GetParam().settings) test::set(*mode, key, value);
    mode->restart();
    return mode;
  }
};

TEST_P(MdSystemsBackend, StartsAndStepsAreThoseOfTheCpu) {
  const auto cpu = made(Backend::cpu), gpu = made(Backend::cuda);
  EXPECT_EQ(cpu->configuration().positions, gpu->configuration().positions);
  for (const int steps : {0, 30}) {
    cpu->advance(static_cast<std::uint64_t>(steps)),
        gpu->advance(static_cast<std::uint64_t>(steps));
    for (const char* id : {"temperature", "potential", "pressure", "density", "msd"}) {
      const double right = test::sampled(*cpu, id);
      EXPECT_NEAR(test::sampled(*gpu, id), right, 2e-3 * std::max(1.0, std::abs(right)))
          << id << " after " << steps;
    }
    for (const SelfCheck& c : gpu->selfChecks()) EXPECT_TRUE(c.ok) << c.label << ": " << c.detail;
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
  const double goal = 0.97 * std::get<double>(cpu->parameters().at("density").get());
  for (MdMode* mode : {cpu.get(), gpu.get()}) {
    mode->advance(10);
    test::set(*mode, "density", goal);
    mode->applyParameters();
    while (mode->preparation()) mode->advance(1);
  }
  EXPECT_EQ(cpu->step(), gpu->step());
  EXPECT_EQ(cpu->configuration().box, gpu->configuration().box);
  for (MdMode* mode : {cpu.get(), gpu.get()}) {
    mode->advance(300);
    for (const SelfCheck& c : mode->selfChecks()) EXPECT_TRUE(c.ok) << c.label << ": " << c.detail;
  }
}

// The box changes before steps 0, 7, 14, 21 and 28.
Settings atPressure(const char* method) {
  return {{"n", std::int64_t{864}},
          {"density", 0.75},
          {"method", word(method)},
          {"thermostat", word("bussi")},
          {"barostat", word("cell_rescaling")},
          {"target_pressure", 4.0},
          {"barostat_time", 0.3},
          {"barostat_interval", std::int64_t{7}}};
}

Settings inBox(Settings s, double aspectY, double aspectZ) {
  s.insert(s.end(), {{"aspect_y", aspectY}, {"aspect_z", aspectZ}});
  return s;
}

const System kSystems[] = {
    {"plane",
     {{"dimension", word("2")},
      {"n", std::int64_t{900}},
      {"density", 0.7},
      {"method", word("cells")}}},
    {"plane_all_pairs", {{"dimension", word("2")}, {"n", std::int64_t{900}}, {"density", 0.7}}},
    {"mixture",
     {{"system", word("binary")},
      {"n", std::int64_t{2000}},
      {"density", 0.5144},
      {"cutoff_b", 5.0},
      {"method", word("stencils")},
      {"sigma_b", 1.1}}},
    {"colloids",
     {{"system", word("colloids")},
      {"colloids", std::int64_t{26}},
      {"colloid_diameter", 2.0},
      {"density", 0.6},
      {"temperature", 1.0},
      {"cutoff", 3.0},
      {"dt", 0.002},
      {"method", word("tree")}}},
    {"rescaling",
     {{"n", std::int64_t{1000}},
      {"method", word("cells")},
      {"thermostat", word("bussi")},
      {"ramp_steps", std::int64_t{100}},
      {"end_temperature", 2.0}}},
    {"rand48",
     {{"n", std::int64_t{1000}},
      {"method", word("cells")},
      {"thermostat", word("langevin")},
      {"noise", word("rand48")}}},
    {"ramp",
     {{"n", std::int64_t{1000}},
      {"method", word("tree")},
      {"thermostat", word("langevin")},
      {"ramp_steps", std::int64_t{100}},
      {"end_temperature", 3.0}}},
    {"pressure", atPressure("all_pairs")},
    {"pressure_cells", atPressure("cells")},
    {"pressure_stencils", atPressure("stencils")},
    {"pressure_tree", atPressure("tree")},
    {"pressure_clusters", atPressure("clusters")},
    {"pressure_placeholders", atPressure("placeholder_cells")},
    {"column", inBox(atPressure("all_pairs"), 1.0, 2.5)},
    {"brick", inBox(atPressure("clusters"), 1.2, 1.4)},
    {"slab", inBox(atPressure("tree"), 1.5, 0.7)},
};
INSTANTIATE_TEST_SUITE_P(Each, MdSystemsBackend, testing::ValuesIn(kSystems),
                         [](const auto& s) { return s.param.name; });

}  // namespace
}  // namespace cellscope
