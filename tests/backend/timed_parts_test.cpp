// Parts of list builds and force passes that are ordered by themselves, to be timed: the state is
// left alone, the work is done, and the race of the parts runs beside a run without touching it.
#include "tests/support/backend_test.h"
#include "tests/support/gcmc_modes.h"
#include "tests/support/list_engines.h"
#include "tests/support/md_modes.h"

namespace cellscope::test {
namespace {

BACKEND_TESTS(TimedParts);

constexpr TimedPart kAllParts[] = {TimedPart::sorted,   TimedPart::walked,  TimedPart::built,
                                   TimedPart::partners, TimedPart::records, TimedPart::forces};

struct PartedEngine {
  std::string name;
  std::unique_ptr<MdEngine> engine;
  PairSettings pair;
  std::vector<TimedPart> missing;
};
std::vector<PartedEngine> partedEngines(const ExecConfig& config) {
  const exec::Shared exec = exec::makeExec(config);
  const std::vector<TimedPart> ofLists = {TimedPart::sorted, TimedPart::walked, TimedPart::built};
  std::vector<PartedEngine> all;
  std::vector<TimedPart> pairs = ofLists;
  if (config.backend == Backend::cpu) pairs.push_back(TimedPart::partners);
  all.push_back({"all pairs", makeAllPairs(exec), {}, pairs});
  all.push_back({"placeholder cells", makePlaceholders(exec), {}, ofLists});
  for (std::size_t m = 0; m < listMethods().size(); ++m)
    for (const ListSearch search : {ListSearch::fast, ListSearch::paper}) {
      PairSettings p;
      p.method = static_cast<int>(m), p.search = search;
      // Columns are not walked.
      const bool walks = listMethods()[m].cluster == 1;
      all.push_back({listMethods()[m].key, makeVerlet(exec), p,
                     walks ? std::vector<TimedPart>{} : std::vector{TimedPart::walked}});
    }
  return all;
}

// Whatever was ordered on the way: the same numbers afterwards as without.
TEST_P(TimedParts, LeaveTheStateAlone) {
  for (const bool mixture : {false, true})
    for (PartedEngine& e : partedEngines(config())) {
      MdState s = shakenLiquid(864);  // room for three cells of the longest cutoff
      if (mixture) mix(s, e.pair);
      const BruteForce right{forcesOf(*e.engine, s, e.pair), bruteForce(s, e.pair).scale};
      for (const TimedPart part : kAllParts) {
        const bool there = std::find(e.missing.begin(), e.missing.end(), part) == e.missing.end();
        EXPECT_EQ(e.engine->orderPart(part), there) << e.name << ' ' << static_cast<int>(part);
      }
      EXPECT_FALSE(e.engine->failure());
      const MdState after = e.engine->download();
      for (std::size_t i = 0; i < s.position.size(); ++i) {
        ASSERT_EQ(after.position[i].x, s.position[i].x) << e.name;
        ASSERT_EQ(after.velocity[i].z, s.velocity[i].z) << e.name;
      }
      expectSums(e.engine->pairSums(), right, e.name);
      for (const TimedPart part : {TimedPart::sorted, TimedPart::walked}) {
        e.engine->orderPart(part);
        e.engine->forces();  // with a list that is built for them
        expectSums(e.engine->pairSums(), right, e.name);
      }
    }
}

Curve partsOf(const Mode& mode) { return curveOf(mode, "part_race"); }

TEST_P(TimedParts, RaceBesideTheRun) {
  for (const char* method : {"tree", "cells", "stencils", "placeholder_cells", "all_pairs"}) {
    std::vector<double> positions[2];
    for (const bool raced : {false, true}) {
      const auto mode =
          startedMd(config(), fmt::format("n=700 method={} search={} race_parts={}", method,
                                          std::string(method) == "tree" ? "paper" : "fast", raced));
      MdMode& m = *mode;
      for (int k = 0; k < 30; ++k) {
        m.advance(1);
        const Curve c = partsOf(m);
        if (!raced || k >= 8) continue;  // 8: two rounds of two parts
        const auto timing =
            std::count_if(c.x.names.begin(), c.x.names.end(),
                          [](const std::string& name) { return contains(name, "(timing)"); });
        EXPECT_EQ(timing, k < 7 || c.x.names.size() > 2 ? 1 : 0) << method;
        EXPECT_EQ(c.series.at(0).y.empty(), k + 1 <= std::ssize(c.x.names)) << method;
      }
      positions[raced] = m.configuration().positions;
      const Curve c = partsOf(m);
      ASSERT_EQ(!c.id.empty(), raced) << method;
      if (!raced) continue;
      const std::string name = method;
      const bool lists = name == "tree" || name == "cells" || name == "stencils";
      const std::size_t few = GetParam() == Backend::cpu && contains(method, "all") ? 2 : 3;
      EXPECT_EQ(c.x.names.size(), lists ? 6 : few) << method;
      EXPECT_TRUE(contains(c.equation, "timing only"));
      for (const double ms : c.series.at(0).y) EXPECT_GT(ms, 0) << method;
    }
    EXPECT_EQ(positions[0], positions[1]) << method;
  }
}

// Methods of which no part can be left out: the whole force pass alone.
TEST_P(TimedParts, AWholePassAloneIsTimed) {
  for (const char* kernel : {"teams", "tuned"}) {
    // A cutoff of more than half the box.
    const auto m =
        startedMd(config(), fmt::format("n=100 kernel={} cutoff=4 race_parts=true", kernel));
    m->advance(12);
    const Curve c = partsOf(*m);
    ASSERT_GE(c.x.names.size(), 1u) << kernel;
    EXPECT_TRUE(contains(c.x.names.back(), "forces: whole"));
  }
}

}  // namespace
}  // namespace cellscope::test
