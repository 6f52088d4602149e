// Overlapping starts and files are minimised or refused, on each backend: the same bodies on the
// CPU and on CUDA.
#include "sim/modes/md/start.h"
#include "tests/support/backend_test.h"
#include "tests/support/md_modes.h"
#include "tests/support/message_of.h"
#include "tests/support/sampled.h"

namespace cellscope::test {
namespace {

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
  const auto lattice = startedMd(config(), "n=500 density=0.7");
  Configuration c = lattice->configuration();
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
  const auto engine = makeAllPairs(exec::makeExec(ExecConfig{GetParam(), 2, 0}));
  MdState s;
  s.box = cubicBox(8);
  s.position = {{1, 1, 1}, {1.3, 1, 1}, {4, 4, 4}, {4, 4.05, 4}, {6, 6, 6}};
  s.velocity.resize(5);
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

}  // namespace
}  // namespace cellscope::test
