// Boxes of three different sides: forces, energies and virials of every method against brute force,
// on each backend.
#include <fmt/format.h>

#include "sim/algo/placeholders/cells.h"
#include "tests/support/backend_test.h"
#include "tests/support/list_engines.h"

namespace cellscope {
namespace {

class BoxShapes : public test::BackendTest {};

// A liquid in this box, every particle moved off its lattice, in floats.
MdState shaken(const Box& box, double density) {
  const auto n = static_cast<std::int64_t>(density * box.volume());
  MdState s{box, box.dimension == 3 ? md::startLattice(n, box) : md::startTriangles(n, box),
            md::maxwellVelocities(n, 1.0, 11)};
  for (std::size_t i = 0; i < s.position.size(); ++i) {
    Vec3d& v = s.velocity[i];
    if (box.dimension == 2) v.z = 0;
    const auto moved = [](double r, double by) {
      return double{static_cast<float>(r + 0.08 * std::sin(9 * by))};
    };
    Vec3d& r = s.position[i];
    r = box.wrap({moved(r.x, v.x), moved(r.y, v.y), box.dimension == 3 ? moved(r.z, v.z) : 0.0});
  }
  return s;
}

// A brick, a column, a slab whose thickness is hardly twice the reach, a ribbon and its like
// upright. Sides are floats.
const Box kBoxes[] = {{3, {9.25, 12.5, 15.125}}, {3, {6.5, 6.5, 21.25}}, {3, {17.5, 11, 5.625}},
                      {3, {5.625, 9, 16}},       {2, {33, 8.75, 1}},     {2, {7.5, 22.5, 1}}};

TEST_P(BoxShapes, EveryMethodAgreesWithBruteForce) {
  for (const Box& box : kBoxes)
    for (const bool mixture : {false, true}) {
      MdState s = shaken(box, 0.8);
      PairSettings p;
      // Without a jump at the cutoff, beside which floats may decide otherwise than doubles.
      p.potential = lennardJones(Truncation::force);
      p.tile = 64, p.buffer = 0.3, p.skin = 0.05;
      if (mixture) test::mix(s, p);
      if (mixture) p.species.cutoff[1] = 2.6;  // with the buffer, beyond half the thinnest box
      const test::BruteForce right = test::bruteForce(s, p);
      const std::string name = fmt::format("{} x {} x {}{}", box.length[0], box.length[1],
                                           box.length[2], mixture ? " mixture" : "");
      for (const PairKernel kernel :
           {PairKernel::tuned, PairKernel::teams, PairKernel::teamsDouble}) {
        p.kernel = kernel;
        const double positions = test::floatPositions(box);
        test::expectSums(test::forcesOf(*makeAllPairs(exec()), s, p), right, name + " all pairs",
                         positions);
        for (std::size_t m = 0; m < listMethods().size(); ++m) {
          p.method = static_cast<int>(m);
          test::expectSums(test::forcesOf(*makeVerlet(exec()), s, p), right,
                           name + " " + listMethods()[m].key, positions);
        }
        if (placeholdersRefused(s.position.size(), box, p)) continue;
        test::expectSums(test::forcesOf(*makePlaceholders(exec()), s, p), right,
                         name + " placeholders", positions);
      }
    }
}

// As published: other searches, other numbers of threads for a particle.
TEST_P(BoxShapes, SearchesOfThePaperAgreeWithBruteForce) {
  for (const Box& box : kBoxes)
    for (std::size_t m = 0; m < listMethods().size(); ++m) {
      const test::ListState s{
          fmt::format("{} x {} x {}", box.length[0], box.length[1], box.length[2]), box,
          test::scatteredRecords(500, box, 21, 0.3), test::twoReaches(2.0, 2.5, 0.3)};
      ListOptions paper;
      paper.how = ListSearch::paper;
      SCOPED_TRACE(listMethods()[m].key);
      for (const ListOptions& how : {ListOptions{}, paper})
        test::expectList(
            s, buildList(exec(), listMethods()[m], s.particles, box, s.table, 2, true, how));
    }
}

// Steps keep lists, cells and images valid: forces at the end are those of brute force.
TEST_P(BoxShapes, ForcesStayRightOverSteps) {
  for (const Box& box : kBoxes) {
    const MdState s = shaken(box, 0.75);
    PairSettings p;
    p.potential = lennardJones(Truncation::force);
    p.tile = 64, p.buffer = 0.25, p.skin = 0.3;
    const auto expectRight = [&](std::unique_ptr<MdEngine> engine, const std::string& name) {
      test::forcesOf(*engine, s, p);
      engine->run(0.004, 0, 120, {});
      ASSERT_FALSE(engine->failure()) << name;
      test::expectSums(engine->pairSums(), test::bruteForce(engine->download(), p), name,
                       test::floatPositions(box));
    };
    expectRight(makeAllPairs(exec()), "all pairs");
    for (std::size_t m = 0; m < listMethods().size(); ++m) {
      p.method = static_cast<int>(m);
      expectRight(makeVerlet(exec()), listMethods()[m].key);
    }
    if (!placeholdersRefused(s.position.size(), box, p))
      expectRight(makePlaceholders(exec()), "placeholders");
  }
}

INSTANTIATE_TEST_SUITE_P(Each, BoxShapes, test::kBackends, test::nameOfBackend);

}  // namespace
}  // namespace cellscope
