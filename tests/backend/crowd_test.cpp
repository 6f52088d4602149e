// A mode whose number of particles changes in every step, on both backends: what the verbs, the
// layers and the recorder of the house make of it. The CUDA half is skipped without a GPU.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "sim/exec/memory.h"
#include "tests/support/crowd/runs.h"
#include "tests/support/message_of.h"

namespace cellscope::test {
namespace {

class Crowd : public testing::TestWithParam<Backend> {
 protected:
  void SetUp() override {
    if (GetParam() == Backend::cuda && !exec::cudaStatus().usable)
      GTEST_SKIP() << exec::cudaStatus().reason;
    config_ = {GetParam(), 2, 0, true};
  }
  ExecConfig config_;
};

std::vector<Walker> walkersOf(const Mode& mode) {
  const Configuration c = mode.configuration();
  std::vector<Walker> all;
  for (std::size_t i = 0; i < c.size(); ++i)
    all.push_back({{c.positions[3 * i], c.positions[3 * i + 1], c.positions[3 * i + 2]},
                   c.ids[i],
                   0,
                   c.types[i],
                   0});
  return all;
}

void expectEqual(const std::vector<Walker>& a, const std::vector<Walker>& b) {
  ASSERT_EQ(a.size(), b.size());
  for (std::size_t i = 0; i < a.size(); ++i) {
    ASSERT_EQ(a[i].id, b[i].id) << "slot " << i;
    ASSERT_EQ(a[i].type, b[i].type) << "slot " << i;
    ASSERT_EQ(a[i].r.x, b[i].r.x) << "slot " << i;
    ASSERT_EQ(a[i].r.y, b[i].r.y) << "slot " << i;
    ASSERT_EQ(a[i].r.z, b[i].r.z) << "slot " << i;
  }
}

// The same particles in the same slots as one after the other, in every order of the phases, in
// the plane and in space; step by step and phase by phase alike.
TEST_P(Crowd, IsWhatItsWalkersAreOneByOne) {
  for (const Settings& settings :
       {Settings{}, Settings{{"order", "births_first"}, {"space", "space"}},
        Settings{{"sorted", "true"}, {"births", "0"}},
        Settings{{"sorted", "true"}, {"lifetime", "3"}, {"n", "1000"}, {"births", "700"}}}) {
    const auto mode = crowd(config_, settings), slow = crowd(config_, settings);
    CrowdParameters p;
    ParameterSet set = ParameterSet::of(p);
    for (const auto& [key, value] : settings) set.at(key).setText(value);
    std::vector<Walker> walkers = walkersOf(*mode);
    CrowdRules rules;
    rules.key = hashSeed(1);
    rules.box = p.box();
    rules.size = p.size;
    rules.death = p.death;
    rules.lifetime = static_cast<std::uint64_t>(p.lifetime);
    rules.attempts = static_cast<std::uint32_t>(p.births);
    rules.large = p.large;
    rules.firstNew = ParticleId{1} << 33;
    for (rules.step = 0; rules.step < 40; ++rules.step) serialStep(walkers, rules, p.phases());
    mode->advance(40);
    expectEqual(walkersOf(*mode), walkers);
    for (std::size_t k = 0; k < 40 * p.phases().size(); ++k) slow->advancePhase();
    EXPECT_TRUE(saved(*slow) == saved(*mode));
    for (const SelfCheck& c : mode->selfChecks()) EXPECT_TRUE(c.ok) << c.label << c.detail;
  }
}

TEST_P(Crowd, HasSparseIdsOf64BitsThatAreNeverReused) {
  const auto mode = crowd(config_);
  std::set<ParticleId> gone, alive;
  bool changed = false;
  for (int round = 0; round < 20; ++round) {
    const std::size_t before = mode->particleCount();
    mode->advance(3);
    changed |= mode->particleCount() != before;
    const Configuration c = mode->configuration();
    const std::set<ParticleId> now(c.ids.begin(), c.ids.end());
    for (const ParticleId id : alive)
      if (!now.count(id)) gone.insert(id);
    for (const ParticleId id : gone) ASSERT_FALSE(now.count(id)) << id;
    alive = now;
  }
  EXPECT_TRUE(changed);
  EXPECT_FALSE(gone.empty());
  EXPECT_GT(*alive.rbegin(), ParticleId{1} << 33);
}

// k / 2 births in a step, deaths at a rate p or at the age m: N = (k / 2) sum_i (1 - p)^i over the
// ages 1 to m that are alive after a step. 4000 steps, correlated over some 1 / p of them; the
// bound is 5 standard errors (a false alarm in 2e6), of Var N = N (births and deaths are thinned
// attempts: not more than Poisson's) over 4000 / (2 * 50) independent samples.
TEST_P(Crowd, HasTheNumberThatItsRatesMake) {
  const auto mode = crowd(config_, {{"n", "250"}, {"lifetime", "60"}});
  mode->advance(200);
  double sum = 0;
  for (int k = 0; k < 400; ++k) {
    mode->advance(10);
    sum += mode->sample()[0];
  }
  double expected = 0;
  for (int age = 1; age <= 60; ++age) expected += 8 * std::pow(0.98, age - 1);
  EXPECT_NEAR(sum / 400, expected, 5 * std::sqrt(expected / 40));
}

TEST_P(Crowd, DrawsEveryLayerAndLeavesOutWhatItShould) {
  const auto mode = crowd(config_, {{"n", "500"}});
  mode->advance(25);
  const Configuration c = mode->configuration();
  const auto frame = mode->frame(everything(*mode, c.ids[7]));
  const auto all = drawnOf<PointInstance>(*layerIn(*frame, "walkers"));
  ASSERT_EQ(all.size(), c.size());
  for (std::size_t i = 0; i < all.size(); ++i) {
    EXPECT_EQ(all[i].x, static_cast<float>(c.positions[3 * i]));
    EXPECT_EQ(all[i].diameter, c.speciesOf(i).diameter);
    EXPECT_EQ(all[i].type, c.types[i]);
    EXPECT_GE(all[i].level, 0);
    EXPECT_LT(all[i].level, kGenerations);
  }
  const LayerData& newborn = *layerIn(*frame, "newborn");
  if (GetParam() == Backend::cuda) {
    EXPECT_TRUE(newborn.drawn);
  }
  const auto young = drawnOf<PointInstance>(newborn);
  const auto isYoung = [](const PointInstance& p) { return p.level == 0; };
  EXPECT_EQ(young.size(), static_cast<std::size_t>(std::count_if(all.begin(), all.end(), isYoung)));
  EXPECT_GT(young.size(), 0u);
  EXPECT_LT(young.size(), all.size());
  const auto ages = drawnOf<LabelInstance>(*layerIn(*frame, "ages"));
  EXPECT_EQ(ages.size(), static_cast<std::size_t>(std::count(c.types.begin(), c.types.end(), 1u)));
  for (const LabelInstance& l : ages) EXPECT_EQ(std::min(7, std::atoi(l.text) / 10), l.level);
}

// Cells of a plane are a byte each, cells of space a box each: every walker lies in one of them.
TEST_P(Crowd, ShowsHowManyAreInEachCell) {
  for (const char* space : {"plane", "space"}) {
    const auto mode = crowd(config_, {{"n", "500"}, {"space", space}});
    mode->advance(25);
    const auto frame = mode->frame(everything(*mode));
    const LayerData& cells = *layerIn(*frame, "cells");
    const Configuration c = mode->configuration();
    std::vector<std::size_t> shown(cells.count), counted(cells.count);
    ASSERT_EQ(cells.count, c.box.dimension == 2 ? 12u * 12 : 12u * 12 * 12);
    if (c.box.dimension == 2) {
      ASSERT_TRUE(cells.lattice);
      const auto bytes = drawnOf<std::uint8_t>(cells);
      ASSERT_EQ(bytes.size(), cells.count);
      shown.assign(bytes.begin(), bytes.end());
    } else {
      const auto boxes = drawnOf<BoxInstance>(cells);
      ASSERT_EQ(boxes.size(), cells.count);
      for (std::size_t k = 0; k < boxes.size(); ++k)
        shown[k] = static_cast<std::size_t>(boxes[k].value);
    }
    for (std::size_t i = 0; i < c.size(); ++i) {
      std::size_t cell = 0;
      for (int axis = c.box.dimension - 1; axis >= 0; --axis)
        cell = 12 * cell +
               static_cast<std::size_t>(c.positions[3 * i + static_cast<std::size_t>(axis)] / 5);
      ++counted.at(cell);
    }
    EXPECT_EQ(shown, counted) << space;
  }
}

// A kernel that leaves out everything leaves a layer with a reason.
TEST_P(Crowd, AnEmptyLayerHasNoBufferButAReason) {
  const auto mode = crowd(config_, {{"large", "0"}, {"n", "50"}});
  mode->advance(10);
  change(*mode, "births", "0");
  mode->advance(10);
  const auto frame = mode->frame(everything(*mode));
  for (const char* key : {"newborn", "ages"}) {
    const LayerData& l = *layerIn(*frame, key);
    EXPECT_TRUE(l.primitive == Primitive::points ? drawnOf<PointInstance>(l).empty()
                                                 : drawnOf<LabelInstance>(l).empty());
    if (GetParam() == Backend::cuda) continue;  // the host does not know
    EXPECT_FALSE(l.buffer) << key;
    EXPECT_EQ(l.count, 0u) << key;
    EXPECT_FALSE(l.reason.empty()) << key;
  }
  change(*mode, "death", "1");
  change(*mode, "births", "0");
  mode->advance(1);
  EXPECT_EQ(mode->particleCount(), 0u);
  const auto none = mode->frame(everything(*mode));
  EXPECT_FALSE(layerIn(*none, "walkers")->buffer);
  EXPECT_EQ(mode->pick({{1, 1, 0}, {0, 0, -1}, 100}), -1);
  mode->advance(5);
  EXPECT_EQ(mode->sample()[0], 0);
  change(*mode, "births", "16");
  mode->advance(1);
  EXPECT_GT(mode->particleCount(), 0u) << "and comes back";
}

// The recorded way is that of the picked particle, and ends with its deletion.
TEST_P(Crowd, TracesThePickedWalkerUntilItIsDeleted) {
  struct End {
    const char *lifetime, *death, *reason;
  };
  for (const End& end :
       {End{"1000000", "0.05", "by chance"}, End{"12", "0", "at the end of its lifetime"}}) {
    const auto mode = crowd(config_, {{"lifetime", end.lifetime}, {"death", end.death}});
    const ParticleId id = mode->configuration().ids[30];
    const ViewRequest view = everything(*mode, id);
    EXPECT_EQ(mode->frame(view)->picked.id, id);
    std::map<std::uint64_t, Vec3d> at;  // after how many steps, where
    std::uint64_t last = 0;
    while (mode->step() < 1000) {
      const Configuration c = mode->configuration();
      const auto found = std::find(c.ids.begin(), c.ids.end(), id);
      if (found == c.ids.end()) break;
      const double* r = &c.positions[3 * static_cast<std::size_t>(found - c.ids.begin())];
      at[last = mode->step()] = {r[0], r[1], r[2]};
      const auto trail = drawnOf<LineInstance>(*layerIn(*mode->frame(view), "trail"));
      ASSERT_EQ(trail.size(), std::min<std::size_t>(32, last));
      if (!trail.empty()) {
        EXPECT_EQ(trail.back().value, static_cast<float>(last - 1));
        EXPECT_EQ(trail.back().a[0], static_cast<float>(at[last - 1].x));
        EXPECT_EQ(trail.back().a[1], static_cast<float>(at[last - 1].y));
      }
      mode->advance(1);
    }
    ASSERT_LT(mode->step(), 1000u);
    mode->advance(40);  // nobody looks for a while
    const auto gone = mode->frame(view);
    EXPECT_EQ(gone->picked.id, id);
    ASSERT_TRUE(gone->picked.deleted);
    EXPECT_EQ(gone->picked.deleted->step, last + 1);
    EXPECT_EQ(gone->picked.deleted->reason, end.reason);
    EXPECT_EQ(layerIn(*gone, layers::kPicked), nullptr) << "it is not marked any more";
    EXPECT_LT(mode->frame(everything(*mode, 123456789))->picked.id, 0) << "never was";
  }
}

// Watching changes nothing.
TEST_P(Crowd, IsTheSameWhoeverLooks) {
  const auto watched = crowd(config_), alone = crowd(config_);
  const ViewRequest view = everything(*watched, watched->configuration().ids[3]);
  for (int k = 0; k < 30; ++k) {
    watched->frame(view);
    watched->advance(2);
  }
  alone->advance(60);
  EXPECT_TRUE(saved(*watched) == saved(*alone));
}

TEST_P(Crowd, GoesFromThePlaneToSpaceAndBack) {
  const auto mode = crowd(config_);
  mode->advance(5);
  const Configuration flat = mode->configuration();
  const std::uint64_t version = mode->info().version;
  change(*mode, "space", "space");
  EXPECT_EQ(mode->info().dimension, 3);
  EXPECT_GT(mode->info().version, version);
  const Configuration deep = mode->configuration();
  EXPECT_EQ(deep.box, cubicBox(60));
  EXPECT_EQ(deep.ids, flat.ids);
  double depth = 0;
  for (std::size_t i = 0; i < deep.size(); ++i) {
    EXPECT_EQ(deep.positions[3 * i], flat.positions[3 * i]);
    depth = std::max(depth, deep.positions[3 * i + 2]);
  }
  EXPECT_GT(depth, 50);
  mode->frame(everything(*mode, deep.ids[0]));
  mode->advance(5);
  for (const SelfCheck& c : mode->selfChecks()) EXPECT_TRUE(c.ok) << c.label << c.detail;
  change(*mode, "space", "plane");
  EXPECT_EQ(mode->configuration().box, squareBox(60));
  mode->advance(5);
  for (const SelfCheck& c : mode->selfChecks()) EXPECT_TRUE(c.ok) << c.label << c.detail;
}

TEST_P(Crowd, ResumesByteForByteOnEitherBackend) {
  const auto mode = crowd(config_, {{"sorted", "true"}});
  mode->advance(33);
  std::istringstream state(saved(*mode));
  mode->advance(70);
  CrowdMode other({Backend::cpu, 1, 0});
  other.load(state);
  other.advance(70);
  EXPECT_TRUE(saved(other) == saved(*mode));
}

// Against what is allocated, the growth included, with three frames out.
TEST_P(Crowd, NeedsTheMemoryThatItPredicts) {
  for (const char* births : {"0", "4096"}) {
    exec::forgetPeak(GetParam());
    const std::size_t before = exec::memoryUse(GetParam()).now;
    const auto mode =
        crowd(config_, {{"n", "300000"}, {"side", "2000"}, {"births", births}, {"death", "0"}});
    std::vector<std::shared_ptr<const Frame>> frames;
    for (int k = 0; k < 3; ++k) frames.push_back(mode->frame({{"walkers"}, "", -1}));
    mode->advance(32);
    CrowdParameters p;
    p.n = 300000;
    p.births = std::atoi(births);
    const MemoryNeed need = crowdMemory(p, config_);
    const std::size_t n = 300000, point = sizeof(PointInstance);
    const std::size_t graphics = frameBytes(n, point, GetParam()) - 3 * n * point;
    const std::size_t host = GetParam() == Backend::cpu ? n * sizeof(Walker) : 0;
    const auto stated = static_cast<double>(need.running - graphics - host);
    const auto peak = static_cast<double>(exec::memoryUse(GetParam()).peak - before);
    EXPECT_GT(1.02 * stated + (1 << 20), peak) << births;
    EXPECT_LT(stated, 1.15 * peak) << births;
    EXPECT_LT(mode->engineBytes(), need.running);
  }
}

TEST_P(Crowd, RefusesOtherSpeciesAndKeepsItsState) {
  const auto mode = crowd(config_);
  mode->advance(3);
  const std::string before = saved(*mode);
  Configuration c = mode->configuration();
  c.species[1].diameter = 5;
  EXPECT_NE(messageOf<InputError>([&] { mode->adopt(c); }).find("takes diameters 1 and 10"),
            std::string::npos);
  EXPECT_TRUE(saved(*mode) == before);
}

INSTANTIATE_TEST_SUITE_P(Backends, Crowd, testing::Values(Backend::cpu, Backend::cuda),
                         [](const auto& p) { return toString(p.param); });

}  // namespace
}  // namespace cellscope::test
