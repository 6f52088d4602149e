// Boxes of three different sides: forces, energies and virials of every method against brute force,
// on each backend.
#include <fmt/format.h>

#include "tests/support/backend_test.h"
#include "tests/support/list_engines.h"

namespace cellscope::test {
namespace {

BACKEND_TESTS(BoxShapes);

// A liquid in this box.
MdState liquidIn(const Box& box, double density) {
  return inFloats(shaken(box, static_cast<std::int64_t>(density * box.volume())));
}

// A brick, a column, a slab whose thickness is hardly twice the reach, a ribbon and its like
// upright. Sides are floats.
const Box kBoxes[] = {{3, {9.25, 12.5, 15.125}}, {3, {6.5, 6.5, 21.25}}, {3, {17.5, 11, 5.625}},
                      {3, {5.625, 9, 16}},       {2, {33, 8.75, 1}},     {2, {7.5, 22.5, 1}}};

TEST_P(BoxShapes, EveryMethodAgreesWithBruteForce) {
  for (const Box& box : kBoxes)
    for (const bool mixture : {false, true}) {
      MdState s = liquidIn(box, 0.8);
      PairSettings p;
      // Without a jump at the cutoff, beside which floats may decide otherwise than doubles.
      p.potential = lennardJones(Truncation::force);
      p.tile = 64, p.buffer = 0.3, p.skin = 0.05;
      if (mixture) mix(s, p);
      if (mixture) p.species.cutoff[1] = 2.6;  // with the buffer, beyond half the thinnest box
      const BruteForce right = bruteForce(s, p);
      const std::string name = fmt::format("{} x {} x {}{}", box.length[0], box.length[1],
                                           box.length[2], mixture ? " mixture" : "");
      for (const PairKernel kernel :
           {PairKernel::tuned, PairKernel::teams, PairKernel::teamsDouble}) {
        p.kernel = kernel;
        for (NamedEngine& e : everyEngine(exec())) {
          p.method = e.method;
          if (!e.takes(s, p)) continue;
          expectSums(forcesOf(*e.engine, s, p), right, name + " " + e.name, floatPositions(box));
        }
      }
    }
}

// As published: other searches, other numbers of threads for a particle.
TEST_P(BoxShapes, SearchesOfThePaperAgreeWithBruteForce) {
  for (const Box& box : kBoxes)
    for (std::size_t m = 0; m < listMethods().size(); ++m) {
      const ListState s{fmt::format("{} x {} x {}", box.length[0], box.length[1], box.length[2]),
                        box, scatteredRecords(500, box, 21, 0.3), twoReaches(2.0, 2.5, 0.3)};
      ListOptions paper;
      paper.how = ListSearch::paper;
      SCOPED_TRACE(listMethods()[m].key);
      for (const ListOptions& how : {ListOptions{}, paper})
        expectList(s, buildList(exec(), listMethods()[m], s.particles, box, s.table, 2, true, how));
    }
}

// Steps keep lists, cells and images valid: forces at the end are those of brute force.
TEST_P(BoxShapes, ForcesStayRightOverSteps) {
  for (const Box& box : kBoxes) {
    const MdState s = liquidIn(box, 0.75);
    PairSettings p;
    p.potential = lennardJones(Truncation::force);
    p.tile = 64, p.buffer = 0.25, p.skin = 0.3;
    for (NamedEngine& e : everyEngine(exec())) {
      p.method = e.method;
      if (!e.takes(s, p)) continue;
      forcesOf(*e.engine, s, p);
      e.engine->run(0.004, 0, 120, {});
      ASSERT_FALSE(e.engine->failure()) << e.name;
      expectSums(e.engine->pairSums(), bruteForce(e.engine->download(), p), e.name,
                 floatPositions(box));
    }
  }
}

}  // namespace
}  // namespace cellscope::test
