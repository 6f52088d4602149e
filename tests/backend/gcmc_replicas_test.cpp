// Replicas make the moves that each chain makes alone.
// The boxes of all replicas side by side, packed where the chains are: every particle at its place
// of its box, in the order of slots. The CUDA half is skipped without a GPU.
#include "sim/modes/gcmc/scene.h"
#include "tests/support/backend_test.h"
#include "tests/support/gcmc_states.h"
#include "tests/support/md_modes.h"

namespace cellscope::test {
namespace {

BACKEND_TESTS(GcmcReplicasTest);

void expectChainsOfTheirOwn(Backend where, bool mixed) {
  std::vector<GcmcReplica> all;
  constexpr std::uint32_t kRows = 400;
  exec::Array<GcmcTransition> tables(where, 9 * kRows);
  tables.zero();
  for (int k = 0; k < 9; ++k) {
    const Box box = k == 4       ? Box{3, {9, 5.5, 7.2}}
                    : k % 3 == 2 ? squareBox(9 + k)
                                 : cubicBox(6.0 + 0.4 * k);
    GcmcSettings s = gcmcFluid(1.2 + 0.2 * k, 0.1 + 0.05 * k);
    s.seed = static_cast<std::uint64_t>(100 + k / 2);
    s.chain = static_cast<std::uint32_t>(k);
    if (mixed) s = gcmcMixture(s, 0.9), s.shareB = 0.1 * (k + 1);
    all.push_back({gcmcLattice(box, k == 0 ? 0.05 : 0.5), makeGcmcRules(s, box)});
    GcmcRules& rules = all.back().rules;
    rules.transitions = tables.data() + k * kRows;
    rules.transitionCount = kRows, rules.reference = 1.5;
  }
  const auto exec = exec::makeExec({.backend = where, .threads = 2});
  const auto replicas = makeGcmcReplicas(exec, {.movesPerLaunch = 700, .mixed = mixed});
  replicas->upload(all);
  ASSERT_EQ(replicas->size(), all.size());
  for (const std::uint64_t moves : {1, 1999}) replicas->advance(moves);
  const auto alone = makeGcmcEngine("serial", exec::makeExec({.backend = Backend::cpu}));
  const std::vector<GcmcTransition> found = tables.get();
  for (std::size_t k = 0; k < all.size(); ++k) {
    SCOPED_TRACE(k);
    std::vector<GcmcTransition> own(kRows);
    all[k].rules.transitions = own.data();
    alone->upload(all[k].state, all[k].rules);
    alone->advance(2000);
    expectSameState(alone->state(), replicas->chain(k).state());
    EXPECT_EQ(alone->energy(), replicas->chain(k).energy());
    EXPECT_GT(replicas->chain(k).counters().accepted[1], 0u);
    EXPECT_EQ(replicas->chain(k).counters().accepted[3] > 0, mixed);
    EXPECT_EQ(replicas->now()[k].n, alone->count());
    EXPECT_EQ(replicas->now()[k].energy, alone->energy());
    for (std::uint32_t n = 0; n < kRows; ++n) {
      SCOPED_TRACE(n);
      const GcmcTransition &x = own[n], &y = found[k * kRows + n];
      EXPECT_EQ(x.insertions, y.insertions);
      EXPECT_EQ(x.deletions, y.deletions);
      // Terms of at most 1, added in another order; their Boltzmann factors may differ by a few
      // ulp.
      constexpr double kUlp = 2.3e-16;
      EXPECT_NEAR(x.up, y.up, (x.insertions + 4) * x.insertions * kUlp);
      EXPECT_NEAR(x.down, y.down, (x.deletions + 4) * x.deletions * kUlp);
    }
  }
}

TEST_P(GcmcReplicasTest, EveryChainIsTheOneThatItIsAlone) {
  for (const bool mixed : {false, true}) {
    SCOPED_TRACE(mixed ? "two types" : "one type");
    expectChainsOfTheirOwn(GetParam(), mixed);
  }
}

// As the chains are the same, so are the points of the charts, and which of them are hollow.
TEST_P(GcmcReplicasTest, PointsAreThoseOfTheCpu) {
  gcmc::GcmcParameters p;
  p.length = 7, p.cutoff = 3, p.temperature = 1.5, p.density = 0.6;
  p.mu = -3, p.activity = activityOfPotential(p.mu, p.temperature);
  p.replicas = 6, p.replicaFrom = -6, p.replicaTo = -2.5;
  gcmc::ReplicaRun runs[2] = {
      gcmc::ReplicaRun(exec::makeExec({.backend = GetParam(), .threads = 2})),
      gcmc::ReplicaRun(exec::makeExec({.backend = Backend::cpu, .threads = 1}))};
  for (gcmc::ReplicaRun& run : runs) run.start(p);
  std::size_t hollow = 0, filled = 0;
  for (const int steps : {20, 60, 200, 500}) {
    for (gcmc::ReplicaRun& run : runs)
      for (int k = 0; k < steps; ++k) run.advance(p, 100);
    const std::vector<Curve> a = runs[0].curves(p), b = runs[1].curves(p);
    for (std::size_t c = 0; c < 2; ++c) {
      ASSERT_EQ(a[c].series.size(), b[c].series.size()) << a[c].id;
      for (std::size_t s = 0; s < a[c].series.size(); ++s) {
        const CurveSeries &x = a[c].series[s], &y = b[c].series[s];
        EXPECT_EQ(x.label, y.label);
        EXPECT_EQ(x.provisional, y.provisional);
        if (x.label.find("replicas") != 0) continue;  // the others are sums in another order
        EXPECT_EQ(x.x, y.x);
        EXPECT_EQ(x.y, y.y) << a[c].id << " after " << steps;
        EXPECT_EQ(x.error, y.error);
        (x.provisional ? hollow : filled) += x.y.size();
      }
    }
  }
  EXPECT_GT(hollow, 0u);
  EXPECT_GT(filled, 0u);
}

using namespace gcmc;

class GcmcReplicaWallTest : public BackendTest {
 protected:
  static GcmcParameters parameters(int dimension, std::int64_t replicas, bool uneven = false) {
    GcmcParameters p;
    p.dimension.index = dimension - 2;
    p.length = dimension == 3 ? 6 : 9;
    if (uneven) p.lengthY = 13, p.lengthZ = 8;
    p.density = 0.1;
    p.temperature = 1.5;
    p.replicas = replicas;
    return p;
  }
  template <class Instance>
  static std::vector<Instance> itemsOf(const Frame& frame, const std::string& key) {
    const LayerData* const layer = layerIn(frame, key);
    return layer ? drawnItems<Instance>(*layer) : std::vector<Instance>{};
  }
  exec::Shared exec_ = isUsable() ? exec() : nullptr;
};

ViewRequest wallView(const std::string& colouring = "origin", ParticleId picked = -1) {
  return {{"particles", "replicas", "box"}, colouring, picked};
}
Frame filledBy(ReplicaWall& wall, const ViewRequest& view, const ReplicaRun& run,
               const GcmcParameters& p) {
  Frame frame;
  wall.fill(frame, view, run, p);
  return frame;
}

TEST_P(GcmcReplicaWallTest, EveryParticleStandsInTheBoxOfItsReplica) {
  for (const auto& [dimension, uneven] : {std::pair{2, false}, {3, false}, {2, true}, {3, true}}) {
    const GcmcParameters p = parameters(dimension, 7, uneven);
    ReplicaRun run(exec_);
    run.start(p);
    run.advance(p, 3000);
    ReplicaWall wall(exec_);
    const Frame frame = filledBy(wall, wallView(), run, p);
    const ReplicaTiles tiles = ReplicaTiles::of(p);
    EXPECT_EQ(tiles.columns, 3u);
    EXPECT_EQ(tiles.rows, 3u);
    EXPECT_EQ(frame.box, tiles.box());
    const auto points = itemsOf<PointInstance>(frame, layers::kParticles);
    const std::vector<GcmcState> states = run.keep().states;
    std::size_t at = 0, inserted = 0;
    for (std::size_t k = 0; k < 7; ++k) {
      const Vec3d c = tiles.corner(k);
      for (std::size_t i = 0; i < states[k].point.size(); ++i, ++at) {
        ASSERT_LT(at, points.size());
        const Vec3d r = gcmcPosition(states[k].box, states[k].point[i]);
        EXPECT_NEAR(points[at].x, c.x + r.x, 1e-5);
        EXPECT_NEAR(points[at].y, c.y + r.y, 1e-5);
        EXPECT_NEAR(points[at].z, dimension == 3 ? c.z + r.z : 0, 1e-5);
        EXPECT_TRUE(frame.box.contains({points[at].x, points[at].y, points[at].z}));
        const bool isNew = states[k].id[i] >= states[k].idBase;
        EXPECT_EQ(points[at].value, isNew ? 1.0f : 0.0f);
        inserted += isNew ? 1 : 0;
      }
    }
    EXPECT_EQ(at, points.size());
    EXPECT_GT(inserted, 0u);
    EXPECT_EQ(itemsOf<BoxInstance>(frame, layers::kReplicas).size(), 7u);
    EXPECT_EQ(itemsOf<LabelInstance>(frame, layers::kReplicaLabels).size(), 7u);
    const Frame plain = filledBy(wall, wallView("plain"), run, p);
    for (const PointInstance& i : itemsOf<PointInstance>(plain, layers::kParticles))
      ASSERT_EQ(i.value, 0.0f);
    const Frame energies = filledBy(wall, wallView("energy"), run, p);
    const auto coloured = itemsOf<PointInstance>(energies, layers::kParticles);
    ASSERT_EQ(coloured.size(), points.size());
    double all = 0, pairs = 0;
    for (const PointInstance& i : coloured) all += static_cast<double>(i.value);
    for (const GcmcReplicaNow& now : run.now()) pairs += 2 * now.energy;
    EXPECT_NEAR(all, pairs, 1e-4 * std::abs(pairs) + 1e-3);
  }
}

TEST_P(GcmcReplicaWallTest, ClicksFindParticlesAndBoxes) {
  const GcmcParameters p = parameters(3, 5);
  ReplicaRun run(exec_);
  run.start(p);
  run.advance(p, 2000);
  const ReplicaTiles tiles = ReplicaTiles::of(p);
  const GcmcState s = run.keep().states[4];
  ASSERT_FALSE(s.point.empty());
  // The particle nearest to the front of its box, straight from there.
  std::size_t front = 0;
  for (std::size_t i = 0; i < s.point.size(); ++i)
    if (s.point[i].x > s.point[front].x) front = i;
  const Vec3d r = gcmcPosition(s.box, s.point[front]), c = tiles.corner(4);
  const PickQuery query{{100, c.y + r.y, c.z + r.z}, {-1, 0, 0}, 0.5};
  ReplicaPick pick;
  ASSERT_TRUE(ReplicaPick::from(ReplicaWall::pick(query, run, p), pick));
  EXPECT_EQ(pick.replica, 4u);
  EXPECT_EQ(pick.own, s.id[front]);
  ViewRequest view = wallView();
  view.picked = pick.id();
  Frame frame;
  ReplicaWall(exec_).fill(frame, view, run, p);
  EXPECT_EQ(frame.picked.id, view.picked);
  EXPECT_NEAR(frame.picked.position[1], c.y + r.y, 1e-5);
  EXPECT_NE(frame.picked.rows.front().second.find("of replica 5"), std::string::npos);
  EXPECT_EQ(itemsOf<PointInstance>(frame, layers::kPicked).size(), 1u);
  // The margin between the boxes belongs to none; a corner of a box, where no particle is, does.
  const PickQuery beside{{100, c.y - 0.1, c.z + 1}, {-1, 0, 0}, 0.5};
  EXPECT_EQ(ReplicaWall::pick(beside, run, p), -1);
  const ReplicaPick itself{2};
  view.picked = itself.id();
  Frame whole;
  ReplicaWall(exec_).fill(whole, view, run, p);
  EXPECT_EQ(whole.picked.rows.front().second, "Replica 3");
  EXPECT_TRUE(itemsOf<PointInstance>(whole, layers::kPicked).empty());
}

// A particle that is gone leaves the card of its replica.
TEST_P(GcmcReplicaWallTest, ADeletedParticleLeavesItsReplica) {
  const GcmcParameters p = parameters(2, 2);
  ReplicaRun run(exec_);
  run.start(p);
  ViewRequest view = wallView();
  view.picked = ReplicaPick{1, std::numeric_limits<std::int32_t>::max()}.id();
  Frame frame;
  ReplicaWall(exec_).fill(frame, view, run, p);
  EXPECT_EQ(frame.picked.id, view.picked);
  EXPECT_EQ(frame.picked.rows.front().second, "Replica 2");
  EXPECT_NE(frame.picked.rows.back().second.find("deleted"), std::string::npos);
}

TEST(GcmcReplicaTiles, AreBoundedAndSpreadOverTheRange) {
  GcmcParameters p;
  p.replicas = 300;
  ReplicaTiles tiles = ReplicaTiles::of(p);
  ASSERT_EQ(tiles.replica.size(), kMostTiles);
  EXPECT_EQ(tiles.replica.front(), 0u);
  EXPECT_EQ(tiles.replica.back(), 299u);
  p.length = 50;
  EXPECT_EQ(ReplicaTiles::of(p).replica.size(), 3u) << "some 400,000 particles";
  p.length = 8;
  p.replicaKind.index = static_cast<std::int64_t>(ReplicaKind::window);
  p.replicaWindows = 20;
  tiles = ReplicaTiles::of(p);
  ASSERT_EQ(tiles.replica.size(), 20u) << "one chain of each window";
  for (std::size_t k = 0; k < 20; ++k) EXPECT_EQ(tiles.replica[k], k);
}

// A label names its quantity, and stands above its box, not in it.
TEST(GcmcReplicaTiles, HaveLabelsAboveThem) {
  GcmcParameters p;
  p.replicas = 16;
  EXPECT_EQ(labelOfReplica(p, 0, 12, 16).rfind("mu ", 0), 0u);
  p.replicaKind.index = static_cast<std::int64_t>(ReplicaKind::temperature);
  EXPECT_EQ(labelOfReplica(p, 0, 12, 16).rfind("T ", 0), 0u);
  EXPECT_TRUE(labelOfReplica(p, 0, 12, 16).ends_with("\nN 12"));
  for (const int up : {1, 2}) {
    p.dimension.index = up - 1;
    const ReplicaTiles tiles = ReplicaTiles::of(p);
    const BoxInstance room = tiles.labelRoom(5);
    const Vec3d c = tiles.corner(5), above = tiles.corner(1);
    const double bottom = up == 2 ? c.z : c.y, next = up == 2 ? above.z : above.y;
    const double top = bottom + tiles.one.length[up];
    EXPECT_LT(top, next);
    if (up == 2)  // in the middle of the room
      EXPECT_NEAR((room.lo[up] + room.hi[up]) / 2, (top + next) / 2, 1e-5);
    else  // at its upper end
      EXPECT_NEAR(room.hi[up], next, 1e-5);
  }
}

INSTANTIATE_TEST_SUITE_P(Each, GcmcReplicaWallTest, kBackends, nameOfBackend);

}  // namespace
}  // namespace cellscope::test
