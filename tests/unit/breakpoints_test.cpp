// Conditions that stop a run: where they become true, what they cost, what is refused; and what the
// inspector tells of places and pairs.

#include <gmock/gmock.h>

#include "tests/support/modes.h"
#include "tests/support/program.h"
#include "tests/support/runner_tools.h"

namespace cellscope::test {
namespace {

using testing::HasSubstr, testing::StartsWith;

struct Case {
  const char *mode, *settings;
};

// Small, and of each mode: a fluid that exchanges particles, disks, lists from cells.
constexpr Case kGas{"gcmc",
                    "length=8 temperature=2 chemical_potential=-4 density=0.2 method=cells "
                    "tune=false moves_per_step=40"};
constexpr Case kDisks{"hard_disks", "n=256 packing=0.5"};
constexpr Case kLists{"md", "n=500 density=0.6 method=cells"};

std::unique_ptr<Session> sessionIn(const Case& c) {
  Scenario s = scenarioWith(c.mode, c.settings);
  s.sampleEvery = 5;
  auto session = std::make_unique<Session>(s, kOneThread);
  session->finishPreparation();
  return session;
}

// The step after which it stops, at most `most` steps on; 0: it does not.
std::uint64_t stopOf(Session& session, const std::string& condition, int most = 400) {
  Breakpoints all;
  all.add(condition, session);
  for (int k = 0; k < most; ++k) {
    all.arm(session);
    session.advance(1);
    if (!all.look(session).empty()) return session.step();
  }
  return 0;
}

// The first step up to `most` after which this holds; 0: there is none.
template <class F>
std::uint64_t firstStep(Session& session, std::uint64_t most, const F& holds) {
  while (session.step() < most) {
    session.advance(1);
    if (holds()) return session.step();
  }
  return 0;
}

double distanceIn(const Configuration& c, ParticleId a, ParticleId b) {
  return distanceBetween(c, slotOf(c, a), slotOf(c, b));
}

// Everything that a condition can ask, after each step: the state afterwards, samples and averages
// included, is that of a run of which nothing was asked, bit for bit.
TEST(Breakpoints, LeaveTheRunAsItIs) {
  for (const Case& c : {kGas, kDisks, kLists}) {
    const auto plain = sessionIn(c), watched = sessionIn(c);
    auto& asked = dynamic_cast<Inspectable&>(watched->mode());
    for (int k = 0; k < 60; ++k) {
      plain->advance(1);
      watched->advance(1);
      for (std::size_t o = 0; o < watched->mode().info().observables.size(); ++o) asked.valueNow(o);
      asked.placesOf({0, 1, 1000000});
      asked.cellGrid();
      watched->mode().selfChecks();
    }
    EXPECT_TRUE(plain->checkpoint() == watched->checkpoint()) << c.mode;
  }
}

// A value is that of a sample at the same state, for those that are no rates since the last sample.
TEST(Breakpoints, AskForTheValuesOfSamples) {
  for (const Case& c : {kGas, kDisks, kLists}) {
    const auto session = sessionIn(c);
    session->advance(7);
    auto& asked = dynamic_cast<Inspectable&>(session->mode());
    std::vector<double> now;
    const auto& infos = session->mode().info().observables;
    for (std::size_t o = 0; o < infos.size(); ++o) now.push_back(asked.valueNow(o));
    const std::vector<double> sampled = session->mode().sample();
    std::size_t known = 0;
    for (std::size_t o = 0; o < infos.size(); ++o) {
      if (std::isnan(now[o]) || std::isnan(sampled[o])) continue;  // not measured in every sample
      EXPECT_EQ(now[o], sampled[o]) << c.mode << " " << infos[o].id;
      ++known;
    }
    EXPECT_GE(known, 4u) << c.mode;
  }
}

TEST(Breakpoints, AComparisonStopsAtTheStepInWhichItBecomesTrue) {
  const auto first = sessionIn(kGas);
  const std::size_t limit = first->mode().particleCount() + 3;
  const std::uint64_t expected =
      firstStep(*first, 400, [&] { return first->mode().particleCount() > limit; });
  ASSERT_GT(expected, 0u);
  for (const char* form : {"N > {}", "particles>{}", "particles >= {}.5"}) {
    const auto again = sessionIn(kGas);
    std::string text = form;
    text.replace(text.find("{}"), 2, std::to_string(limit));
    EXPECT_EQ(stopOf(*again, text), expected) << text;
  }
}

// What holds at first must become false before it counts.
TEST(Breakpoints, WhatHoldsAlreadyIsNoReason) {
  const auto session = sessionIn(kGas);
  Breakpoints all;
  EXPECT_TRUE(all.add("N >= 0", *session));
  EXPECT_FALSE(all.add("N < 0", *session));
  for (int k = 0; k < 20; ++k) {
    all.arm(*session);
    session->advance(1);
    EXPECT_EQ(all.look(*session), "");
  }
}

// By two passes over the changes before, which Welford's recurrence does not make.
TEST(Breakpoints, AJumpIsOfSoManyStandardDeviations) {
  constexpr double kTimes = 2.5;
  const auto first = sessionIn(kGas);
  const std::size_t energy = columnOf(first->mode().info().observables, "total_energy");
  std::vector<double> changes;
  double before = dynamic_cast<Inspectable&>(first->mode()).valueNow(energy);
  std::uint64_t expected = 0;
  while (expected == 0 && first->step() < 1000) {
    first->advance(1);
    const double now = dynamic_cast<Inspectable&>(first->mode()).valueNow(energy);
    const double change = now - std::exchange(before, now);
    const auto n = static_cast<double>(changes.size());
    if (changes.size() >= Breakpoints::kChanges) {
      const double mean = std::accumulate(changes.begin(), changes.end(), 0.0) / n;
      double squares = 0;
      for (const double c : changes) squares += (c - mean) * (c - mean);
      if (std::abs(change - mean) > kTimes * std::sqrt(squares / (n - 1))) expected = first->step();
    }
    changes.push_back(change);
  }
  ASSERT_GT(expected, 0u);
  EXPECT_EQ(stopOf(*sessionIn(kGas), "total_energy jumps by 2.5 s.d.", 1000), expected);
}

TEST(Breakpoints, CellsAndPairsAsInTheConfiguration) {
  for (const Case& c : {kDisks, kLists}) {
    const auto first = sessionIn(c);
    auto& asked = dynamic_cast<Inspectable&>(first->mode());
    const Configuration start = first->mode().configuration();
    ParticleId other = -1;  // the nearest to particle 0 that is not near yet
    for (const ParticleId id : start.ids)
      if (id > 0 && distanceIn(start, 0, id) > 1.3 &&
          (other < 0 || distanceIn(start, 0, id) < distanceIn(start, 0, other)))
        other = id;
    const auto cellOf = [&] {
      const auto at = asked.placesOf({0})[0].value();
      return cellAt(asked.cellGrid().value(), asked.boxNow(), at);
    };
    const GridCell cell = cellOf();
    const std::uint64_t changed = firstStep(*first, 2000, [&] { return !(cellOf() == cell); });
    const auto second = sessionIn(c);
    const std::uint64_t near = firstStep(
        *second, 2000, [&] { return distanceIn(second->mode().configuration(), 0, other) < 1.15; });
    ASSERT_GT(near * changed, 0u) << c.mode;
    const std::string pair = "pair 0 " + std::to_string(other) + " comes within 1.15";
    EXPECT_EQ(stopOf(*sessionIn(c), pair, 2000), near) << c.mode;
    EXPECT_EQ(stopOf(*sessionIn(c), "cell of 0 changes", 2000), changed) << c.mode;
  }
}

TEST(Breakpoints, AParticleIsGoneInTheStepOfItsDeletion) {
  const auto first = sessionIn(kGas);
  const ParticleId id = first->mode().configuration().ids.front();
  const std::uint64_t gone = firstStep(*first, 2000, [&] {
    const auto ids = first->mode().configuration().ids;
    return std::find(ids.begin(), ids.end(), id) == ids.end();
  });
  ASSERT_GT(gone, 0u);
  EXPECT_EQ(stopOf(*sessionIn(kGas), "particle " + std::to_string(id) + " gone", 2000), gone);
}

TEST(Breakpoints, RefusalsNameWhatIsWrongAndWhatMayStandThere) {
  const auto fluid = sessionIn(kGas), disks = sessionIn(kDisks);
  Breakpoints all;
  const auto refusal = [&](const std::string& text, Session& session) {
    return messageOf<InputError>([&] { all.add(text, session); });
  };
  EXPECT_THAT(refusal("", *fluid), HasSubstr("it is empty; write a condition: OBSERVABLE >"));
  EXPECT_THAT(refusal("M > 3", *fluid), HasSubstr(R"("M > 3": "M" is no observable)"));
  EXPECT_THAT(refusal("M > 3", *fluid), HasSubstr("observables: N, particles, density"));
  EXPECT_THAT(refusal("N >", *fluid), HasSubstr(R"(a number is missing after ">")"));
  EXPECT_THAT(refusal("N => 3", *fluid), HasSubstr(R"("=>" does not compare; allowed: >, <)"));
  EXPECT_THAT(refusal("N > three", *fluid), HasSubstr(R"("three" is not a number)"));
  EXPECT_THAT(refusal("N > 3 now", *fluid), HasSubstr(R"("now" is not expected there)"));
  EXPECT_THAT(refusal("energy jumps by -1", *fluid), HasSubstr("more than 0 standard"));
  EXPECT_THAT(refusal("cell of 5000 changes", *disks),
              HasSubstr("there is no particle 5000; there are 256, with ids from 0 to 255"));
  EXPECT_THAT(refusal("pair 3 3 within 1", *disks), HasSubstr("a pair is of two particles"));
  EXPECT_THAT(refusal("lamp brakes red", *disks), HasSubstr(R"(no self-check is named "brakes")"));
  EXPECT_THAT(refusal("lamp brakes red", *disks), HasSubstr("overlaps"));
  EXPECT_TRUE(all.empty());
}

TEST(Breakpoints, ThoseThatAreImpossibleInAnotherRunGo) {
  const auto fluid = sessionIn(kGas), disks = sessionIn(kDisks);
  Breakpoints all;
  all.add("N > 100000", *fluid);
  all.add("total_energy > 0", *fluid);
  const std::vector<std::string> lost = all.moveTo(*disks);
  ASSERT_EQ(lost.size(), 1u);
  EXPECT_THAT(lost[0], StartsWith(R"("total_energy > 0": )"));
  EXPECT_EQ(all.texts(), std::vector<std::string>{"N > 100000"});
}

TEST(Breakpoints, ARunnerPausesAtTheStepAndTheStepBeforeIsOneAway) {
  const auto reference = sessionIn(kGas);
  const auto start = static_cast<int>(reference->mode().particleCount());
  const std::string condition = "N > " + std::to_string(start + 3);
  const std::uint64_t expected = stopOf(*reference, condition);
  ASSERT_GT(expected, 0u);
  Runner runner(kOneThread, reference->log().start);
  runner.keepMoments(64 << 20);
  runner.addBreakpoint(condition);
  runner.play(true);
  auto p = await(runner, [](const Publication& q) { return q.step > 0 && !q.playing; });
  ASSERT_TRUE(p);
  EXPECT_EQ(p->step, expected);
  ASSERT_FALSE(p->messages.empty());
  EXPECT_THAT(p->messages.back().text, StartsWith("Paused after step " + std::to_string(expected) +
                                                  ": " + condition + " (N = "));
  runner.stepBack();
  p = await(runner, [&](const Publication& q) { return q.step == expected - 1; });
  ASSERT_TRUE(p);
  EXPECT_LE(p->particles, static_cast<std::size_t>(start + 3));
  runner.play(true);  // the same step again
  p = await(runner, [&](const Publication& q) { return q.step >= expected && !q.playing; });
  ASSERT_TRUE(p);
  EXPECT_EQ(p->step, expected);
  ASSERT_EQ(p->breakpoints.size(), 1u);
  runner.removeBreakpoint(0);
  runner.play(true);
  EXPECT_TRUE(await(runner, [&](const Publication& q) { return q.step > expected + 50; }));
}

// A pair in one list of two is seen where all pairs are looked at, and by the momentum some steps
// later.
TEST(Breakpoints, FailedChecksNameTheStepInWhichTheyNoticed) {
  const auto failing = [](const Publication& p, const std::string& label) -> const SelfCheck* {
    if (p.frame)
      for (const SelfCheck& c : p.frame->checks)
        if (c.label == label && !c.ok) return &c;
    return nullptr;
  };
  Runner runner(kOneThread, shipped("list_fault"));
  runner.play(false);
  ASSERT_TRUE(await(runner, [&](const Publication& p) { return failing(p, "neighbour list"); }));
  runner.addBreakpoint("lamp momentum red");
  runner.play(true);
  const auto p = await(runner, [&](const Publication& q) {
    return !q.playing && failing(q, "momentum") && failing(q, "neighbour list");
  });
  ASSERT_TRUE(p);
  EXPECT_EQ(failing(*p, "neighbour list")->since, 0u);
  EXPECT_GT(p->step, 0u);
  EXPECT_EQ(failing(*p, "momentum")->since, p->step);
}

// Found by the list of the engine, without its lists: the stale lists of the gallery.
TEST(Inspector, TellsWhyAPairIsMissingInTheLists) {
  Session session(shipped("stale_list"), kOneThread);
  session.advance(319);
  const auto rowsOf = [&](ParticleId a, ParticleId b) {
    PickedParticle card{.id = a};
    EXPECT_TRUE(addPair(session.mode(), card, b));
    std::string all;
    for (const auto& [label, value] : card.rows) all += label + ": " + value + "\n";
    return all;
  };
  const std::string missing = rowsOf(109, 111);
  EXPECT_THAT(missing, HasSubstr("pair 109 111, distance: 1.1189 sigma"));
  EXPECT_THAT(missing, HasSubstr("verdict: WRONG: within the cutoff and missing"));
  EXPECT_THAT(missing, HasSubstr("listed: in neither list"));
  const Configuration c = session.mode().configuration();
  ParticleId far = 0;
  for (const ParticleId id : c.ids)
    if (distanceIn(c, 109, id) > distanceIn(c, 109, far)) far = id;
  EXPECT_THAT(rowsOf(109, far), HasSubstr("no neighbours: beyond the cutoff"));
}

TEST(Inspector, FindsWhatIsNamed) {
  const auto session = sessionIn(kLists);
  Mode& mode = session->mode();
  const Found one = findInside(mode, " 109 ");
  EXPECT_EQ(one.particle, 109);
  EXPECT_EQ(one.lo.x, one.hi.x);
  const Found two = findInside(mode, "109 138");
  EXPECT_EQ(two.particle, 109);
  EXPECT_EQ(two.second, 138);
  const auto ids = dynamic_cast<Inspectable&>(mode).inSlots();
  ASSERT_EQ(ids.size(), 500u);
  EXPECT_EQ(findInside(mode, "slot 7").particle, ids[7]);
  // All particles are in the cells, each once.
  const CellGridPlace grid = dynamic_cast<Inspectable&>(mode).cellGrid().value();
  int inCells = 0;
  for (int z = 0; z < grid.cells[2]; ++z)
    for (int y = 0; y < grid.cells[1]; ++y)
      for (int x = 0; x < grid.cells[0]; ++x) {
        const std::string name =
            std::to_string(x) + ", " + std::to_string(y) + ", " + std::to_string(z);
        const Found cell = findInside(mode, "(" + name + ")");
        EXPECT_THAT(cell.words, StartsWith("cell (" + name + "): "));
        EXPECT_EQ(cell.particle, -1);
        EXPECT_GT(cell.hi.x, cell.lo.x);
        inCells += std::stoi(cell.words.substr(cell.words.find(": ") + 2));
      }
  EXPECT_EQ(inCells, 500);
  const auto refusal = [&](const std::string& text) {
    return messageOf<InputError>([&] { findInside(mode, text); });
  };
  EXPECT_THAT(refusal("500"), HasSubstr("no particle 500; there are 500, with ids from 0 to 499"));
  EXPECT_THAT(refusal("(1, 2)"), HasSubstr("a cell has 3 numbers here, not 2"));
  EXPECT_THAT(refusal("(99, 0, 0)"), HasSubstr("no cell 99 along x; allowed: 0 to "));
  EXPECT_THAT(refusal("slot 500"), HasSubstr("there is no slot 500; allowed: 0 to 499"));
  EXPECT_THAT(refusal("left"), HasSubstr("'left' is no place; allowed: a particle's id"));
}

class StopWhen : public Program {};

TEST_F(StopWhen, ABatchRunStopsInOrderAndResumes) {
  const std::string start = "run argon --set n=108 --backend cpu --quiet --checkpoint " +
                            file("a.checkpoint") + " --steps 2000 --overwrite";
  EXPECT_TRUE(ended(cellscope("run argon --set n=108 --backend cpu --steps 2000 --checkpoint " +
                              file("b.checkpoint") + " --stop-when 'msd > 0.01'"),
                    85, {"Stopped by --stop-when: msd > 0.01 (msd = 0.01"}));
  ASSERT_TRUE(ended(cellscope(start + " --stop-when 'msd > 0.01'"), 85));
  EXPECT_TRUE(completes(
      "run --resume " + file("a.checkpoint") + " --backend cpu --until 2000 --stop-when 'msd>0.01'",
      {R"(--stop-when "msd>0.01" holds already)"}));
  EXPECT_TRUE(refuses(start + " --stop-when 'msd > much'",
                      {R"(--stop-when "msd > much": "much" is not a number)"}));
}

}  // namespace
}  // namespace cellscope::test
