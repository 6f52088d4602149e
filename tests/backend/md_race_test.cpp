// The race of the methods beside a run, while bars come in and at its end; on each backend.
// Values that molecular dynamics tunes at run time: they stand as if set by hand, and the run can
// be done again although the next search might find others.
// Parts of list builds and force passes that are ordered by themselves, to be timed: the state is
// left alone, the work is done, and the race of the parts runs beside a run without touching it.
#include "tests/support/backend_test.h"
#include "tests/support/gcmc_modes.h"
#include "tests/support/list_engines.h"
#include "tests/support/md_modes.h"
#include "tests/support/replay.h"

namespace cellscope::test {
namespace {

BACKEND_TESTS(MdRace);

Curve raceOf(const Mode& mode) { return curveOf(mode, "method_race"); }

// Whether the chart of a race, as far as it is, names all candidates, and who has a bar.
void expectRows(const Curve& c, std::size_t entries, bool complete) {
  ASSERT_EQ(c.x.names.size(), entries);
  std::vector<bool> bar(entries, false);
  for (const double x : c.series.at(1).x) bar[static_cast<std::size_t>(x)] = true;
  int timing = 0;
  for (std::size_t k = 0; k < entries; ++k) {
    const std::string& name = c.x.names[k];
    timing += contains(name, "(timing)");
    EXPECT_FALSE(bar[k] && contains(name, "(waiting)")) << name;
    EXPECT_TRUE(!complete || (bar[k] && !contains(name, "ing)"))) << name;
  }
  EXPECT_EQ(timing, complete ? 0 : 1);
  for (const CurveSeries& s : c.series) {
    EXPECT_TRUE(complete || !s.highlight) << s.label;
    for (const double y : s.y) EXPECT_GT(y, 0) << s.label;
  }
}

// Rows of every method from the first turn on, bars as they come in, the fastest at the end, and
// the run goes on as if there were no race.
TEST_P(MdRace, RacesTheMethodsBesideTheRun) {
  const std::string settings = "n=500 density=0.6 cutoff=2 method=tree";
  const auto raced = startedMd(config(), settings), alone = startedMd(config(), settings);
  change(*raced, "race=true");
  // All pairs, placeholder cells, lists fast and as in the paper.
  std::size_t lists = 0;
  for (const ListMethod& method : listMethods())
    lists += method.differs(ListSearch::paper, GetParam()) ? 2 : 1;
  const std::size_t entries = 2 + lists;
  const std::size_t batches = 4 * (entries + lists);  // one round does not count
  for (std::size_t k = 1; k <= 70; ++k) {
    raced->advance(1), alone->advance(1);
    const Curve c = raceOf(*raced);
    expectRows(c, entries, k >= batches);
    if (k == batches / 2) {
      EXPECT_FALSE(c.series.at(1).y.empty()) << "bars after a round";
    }
  }
  ASSERT_LT(batches, 70u);
  EXPECT_EQ(raced->configuration().positions, alone->configuration().positions);
  const Curve c = raceOf(*raced);
  EXPECT_EQ(c.series.at(0).y.size(), lists);
  const CurveSeries& step = c.series.at(2);
  ASSERT_EQ(step.y.size(), entries);
  // None is marked where times vary too much to tell.
  for (std::size_t k = 0; step.highlight && k < entries; ++k)
    EXPECT_GE(step.y[k], step.y.at(*step.highlight));
  for (const double x : c.series.at(0).x)
    EXPECT_TRUE(contains(c.x.names.at(static_cast<std::size_t>(x)), "lists"));
  EXPECT_TRUE(raceOf(*alone).id.empty());
  // Times of another pair law are not shown.
  change(*raced, "cutoff=1.8");
  const Curve anew = raceOf(*raced);
  EXPECT_TRUE(anew.series.empty());
  EXPECT_EQ(anew.waiting, "timed while the run goes on");
  raced->advance(1);
  expectRows(raceOf(*raced), entries, false);
}

BACKEND_TESTS(MdTuning);

Scenario tunedLiquid(const std::string& method, const std::string& tune) {
  return scenarioWith("md", "n=256 method=" + method + " tune=" + tune);
}

ParameterValue valueOf(Session& s, const char* key) { return s.mode().parameters().at(key).get(); }

const Edit* editOf(const Session& s, const std::string& key, std::size_t from) {
  for (std::size_t k = from; k < s.log().edits.size(); ++k)
    if (s.log().edits[k].key == key) return &s.log().edits[k];
  return nullptr;
}

// Asked for by the scenario: before the first step.
TEST_P(MdTuning, FindsABufferThatTheRunKeeps) {
  Session s(tunedLiquid("cells", "lists"), config());
  ASSERT_TRUE(s.mode().preparation());
  s.advance(8);
  EXPECT_NE(s.mode().preparation()->label.find("buffer"), std::string::npos);
  s.finishPreparation();
  EXPECT_EQ(s.step(), 0u) << "the run is not touched";
  EXPECT_EQ(valueOf(s, "tune"), ParameterValue(std::string("off")));
  const double buffer = std::get<double>(valueOf(s, "buffer"));
  EXPECT_TRUE(buffer >= 0.08 && buffer <= 1.2) << buffer;
  const Edit* const off = editOf(s, "tune", 0);
  ASSERT_TRUE(off);
  EXPECT_EQ(off->step, 0u);
  EXPECT_EQ(off->preparing, 0u) << "who does the run again does not search";
  EXPECT_GT(curveOf(s.mode(), "tuning").series.at(0).x.size(), 5u);
  s.advance(60);
  const auto again = replay(s.log(), 60, config());
  EXPECT_EQ(hashOf(*again), hashOf(s));
  EXPECT_EQ(valueOf(*again, "buffer"), valueOf(s, "buffer"));
  EXPECT_EQ(valueOf(*again, "lanes"), valueOf(s, "lanes"));
}

// Asked for on the way, the method included.
TEST_P(MdTuning, FindsAMethodOnTheWay) {
  Session s(tunedLiquid("all_pairs", "off"), config());
  s.advance(20);
  const std::uint64_t before = hashOf(s);
  s.set("tune", std::string("all"));
  s.finishPreparation();
  EXPECT_EQ(s.step(), 20u);
  EXPECT_EQ(hashOf(s), before);
  const Edit* const off = editOf(s, "tune", 1);
  ASSERT_TRUE(off);
  EXPECT_EQ(off->step, 20u);
  EXPECT_NE(detailOf(s.mode(), "tuned").find("ms a step"), std::string::npos);
  s.advance(40);
  EXPECT_EQ(hashOf(*replay(s.log(), 60, config())), hashOf(s));
}

// Each of its reports may call the search off: the run is as it was, and the search goes on with
// the method that it had in hand when the run does.
TEST_P(MdTuning, IsCancelledWhileItTriesAMethod) {
  Session s(tunedLiquid("cells", "all"), config());
  const std::uint64_t before = hashOf(s);
  for (int k = 0; k < 12 && s.mode().preparation(); ++k) {
    s.mode().watchWork([](const Preparation& stage) {
      EXPECT_NE(stage.label.find("timing"), std::string::npos);
      throw Cancelled();
    });
    EXPECT_THROW(s.advance(1), Cancelled);
    ASSERT_TRUE(s.mode().preparation());
    EXPECT_EQ(hashOf(s), before);
    s.mode().watchWork({});
    s.advance(3);
  }
  s.finishPreparation();
  EXPECT_EQ(s.step(), 0u);
  EXPECT_EQ(valueOf(s, "tune"), ParameterValue(std::string("off")));
}

TEST_P(MdTuning, WithoutListsThereIsNothingToTune) {
  expectRefusal([&] { const Session s(tunedLiquid("all_pairs", "lists"), config()); },
                {"tune = all"});
}

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
      PairSettings p{.method = static_cast<int>(m), .search = search};
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
        const bool there = std::ranges::find(e.missing, part) == e.missing.end();
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
        const auto timing = std::ranges::count_if(
            c.x.names, [](const std::string& name) { return contains(name, "(timing)"); });
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
