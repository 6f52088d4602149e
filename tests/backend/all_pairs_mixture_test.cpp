// All pairs of two species, on each backend: every kernel against brute force, masses in the steps,
// and the mode.
#include <sstream>

#include "sim/layers/layers.h"
#include "tests/support/backend_test.h"
#include "tests/support/hard_disks.h"
#include "tests/support/list_engines.h"
#include "tests/support/md_frames.h"
#include "tests/support/md_modes.h"
#include "tests/support/sampled.h"

namespace cellscope {
namespace {

class AllPairsMixture : public test::BackendTest {};

// Box and positions in single precision, so that brute force over records sees what all see.
MdState inFloats(MdState s) {
  const auto side = static_cast<double>(static_cast<float>(s.box.length[0]));
  s.box = s.box.dimension == 2 ? squareBox(side) : cubicBox(side);
  const RecordBox box(s.box);
  for (Vec3d& r : s.position) {
    const ParticleRecord p = box.record(r, 0);
    r = {double{p.x}, double{p.y}, double{p.z}};
  }
  return s;
}

// Sums and their total energy and virial.
void expectKernels(MdEngine& engine, const MdState& s, PairSettings p, const std::string& name) {
  const test::BruteForce right = test::bruteForce(s, p);
  for (const PairKernel kernel : {PairKernel::teamsDouble, PairKernel::teams, PairKernel::tuned}) {
    p.kernel = kernel;
    const test::BruteForce got{test::forcesOf(engine, s, p), right.scale};
    test::expectSums(got.sums, right, name,
                     kernel == PairKernel::teamsDouble ? 1e-14 : test::kFloatTerms);
    EXPECT_LT(test::deviation(engine.totals(), got), 1e-14) << name;
  }
}

TEST_P(AllPairsMixture, EveryPotentialAgreesWithBruteForce) {
  const auto engine = makeAllPairs(exec::makeExec(config()));
  for (std::size_t potential = 0; potential < potentialKeys().size(); ++potential)
    for (const bool plane : {false, true}) {
      MdState s = inFloats(plane ? test::shakenPlane(15, 1.1) : test::shakenLiquid(500));
      PairSettings p;
      p.potential = static_cast<int>(potential);
      test::mix(s, p);
      p.species.own[0][1] = 0.5;
      expectKernels(*engine, s, p, potentialKeys()[potential] + (plane ? " in the plane" : ""));
    }
}

TEST_P(AllPairsMixture, EveryTileAgreesAtItsEdges) {
  const auto engine = makeAllPairs(exec::makeExec(config()));
  for (const int tile : {32, 64, 128, 256})
    for (const int n : {2, 3, tile - 1, tile, tile + 1, 4 * tile + 1}) {
      MdState s = inFloats(n < 5 ? test::shakenLiquid(n, 0.01) : test::shakenLiquid(n, 0.5));
      PairSettings p;
      p.tile = tile;
      test::mix(s, p);
      p.species.cutoff[0] = std::min(2.0, 0.4 * s.box.shortest());
      p.species.cutoff[1] = std::min(3.0, 0.49 * s.box.shortest());
      expectKernels(*engine, s, p, "tile " + std::to_string(tile) + " n " + std::to_string(n));
    }
}

TEST_P(AllPairsMixture, ColloidsInASolvent) {
  PairSettings p;
  const MdState s = inFloats(test::colloidsInSolvent(p, 1000));
  const auto engine = makeAllPairs(exec::makeExec(config()));
  test::expectSums(test::forcesOf(*engine, s, p), test::bruteForce(s, p), "colloids");
}

// The same steps as over lists, with a bath and without: masses, types and numbers of particles.
TEST_P(AllPairsMixture, GoesTheWayOfLists) {
  for (const bool bath : {false, true}) {
    PairSettings p;
    MdState s = test::shakenLiquid(400);
    test::mix(s, p);
    p.species.mass[1] = 5;
    p.kernel = PairKernel::teamsDouble;
    const auto pairs = makeAllPairs(exec::makeExec(config())),
               lists = makeVerlet(exec::makeExec(config()));
    for (MdEngine* e : {pairs.get(), lists.get()}) {
      e->setBath({bath, 0.8, 2, 7});
      test::forcesOf(*e, s, p);
      e->run(0.002, 0, 40, {});
      ASSERT_FALSE(e->failure());
    }
    const MdState a = pairs->download(), b = lists->download();
    EXPECT_EQ(a.type, s.type);
    EXPECT_EQ(b.type, s.type);
    double worst = 0;
    for (std::size_t i = 0; i < a.position.size(); ++i) {
      const Vec3d d =
          s.box.minimumImage({a.position[i].x - b.position[i].x, a.position[i].y - b.position[i].y,
                              a.position[i].z - b.position[i].z});
      worst = std::max({worst, std::abs(d.x), std::abs(d.y), std::abs(d.z)});
    }
    EXPECT_LT(worst, 1e-4);
    double kinetic = 0, px = 0;
    for (std::size_t i = 0; i < a.velocity.size(); ++i) {
      const double m = s.type[i] == 1 ? 5 : 1;
      const Vec3d v = a.velocity[i];
      kinetic += 0.5 * m * (v.x * v.x + v.y * v.y + v.z * v.z), px += m * v.x;
    }
    EXPECT_NEAR(pairs->totals().kinetic, kinetic, 1e-9 * kinetic);
    EXPECT_NEAR(pairs->kinetic().kinetic, kinetic, 1e-9 * kinetic);
    EXPECT_NEAR(pairs->kinetic().px, px, 1e-9 * kinetic);
  }
}

std::unique_ptr<MdMode> mixtureMode(const ExecConfig& config) {
  return test::startedMd(config, "system=binary n=400 fraction_b=0.3 cutoff=2 cutoff_b=2.2");
}

TEST_P(AllPairsMixture, RunsInTheMode) {
  const auto m = mixtureMode(config());
  m->advance(100);
  test::expectHealthy(*m);
  const std::string before = test::saved(*m);
  MdMode other(config());
  std::istringstream in(before);
  other.load(in);
  EXPECT_EQ(test::saved(other), before);
  m->advance(20), other.advance(20);
  EXPECT_EQ(test::saved(*m), test::saved(other));
}

TEST_P(AllPairsMixture, TypesStayFromMethodToMethod) {
  const auto m = mixtureMode(config());
  const std::vector<std::uint32_t> types = m->configuration().types;
  ASSERT_EQ(types.size(), 400u);
  const double potential = test::sampled(*m, "potential");
  for (const char* method : {"tree", "all_pairs", "placeholder_cells", "all_pairs"}) {
    test::set(*m, "method", test::word(method));
    m->applyParameters();
    EXPECT_NEAR(test::sampled(*m, "potential"), potential, 1e-5) << method;
  }
  EXPECT_EQ(m->configuration().types, types);
  ViewRequest view;
  view.layers = {layers::kParticles};
  view.colouring = "type";
  const auto points = test::drawnItems<PointInstance>(m->frame(view)->layers.at(0));
  for (std::size_t i = 0; i < types.size(); ++i)
    EXPECT_EQ(points[i].value, static_cast<float>(types[i]));
}

INSTANTIATE_TEST_SUITE_P(Each, AllPairsMixture, test::kBackends, test::nameOfBackend);

}  // namespace
}  // namespace cellscope
