// A mode whose particles come and go, through the house: Session, Runner, batch run and their
// files, on both backends. The CUDA half is skipped without a GPU.
// Pairs of boxes make the same decisions with teams of any size and on both backends.
#include <regex>

#include "app/cli/batch_run.h"
#include "sim/algo/gibbs/moves.h"
#include "sim/algo/gibbs/pairs.h"
#include "sim/modes/gibbs/parameters.h"
#include "tests/support/backend_test.h"
#include "tests/support/modes.h"
#include "tests/support/program.h"
#include "tests/support/replay.h"
#include "tests/support/runner_tools.h"

namespace cellscope::test {
namespace {

Scenario vapour() {
  Scenario s = scenarioWith("gcmc", "length=6 temperature=2 density=0.5 moves_per_step=50");
  s.name = s.title = "vapour";
  s.sampleEvery = 5;
  return s;
}

class GcmcHouse : public Program, public testing::WithParamInterface<Backend> {
 protected:
  void SetUp() override {
    Program::SetUp();
    if (GetParam() == Backend::cuda && !exec::cudaStatus().usable)
      GTEST_SKIP() << exec::cudaStatus().reason;
  }
  static ExecConfig config() { return {GetParam(), 2, 0}; }
  static std::unique_ptr<Session> session() {
    return std::make_unique<Session>(vapour(), config());
  }
  void run(const std::string& name, std::uint64_t steps) const {
    cli::RunOptions o;
    o.resume = o.checkpoint = file(name + ".checkpoint");
    o.steps = steps;
    o.csv = file(name + ".csv");
    o.trajectory = file(name + ".xyz");
    o.trajectoryEvery = 7;
    o.quiet = true;
    o.hardware.backend = toString(GetParam());
    const common::InterruptGuard interrupt;
    cli::BatchRun(o, interrupt).run();
  }
};

// Edits of every kind, phases on their own: resumed, and done again from the log.
TEST_P(GcmcHouse, ResumesAndReplaysByteForByte) {
  const auto run = session(), first = session();
  for (Session* s : {run.get(), first.get()}) {
    s->advance(12);
    s->set("chemical_potential", -4.0);
    s->advance(11);
    s->set({{"temperature", 1.5}, {"max_displacement", 0.1}});
    s->advancePhase();
    s->set("cutoff", 2.0);
    s->advance(4);
  }
  const std::string bytes = first->checkpoint();
  const auto resumed = Session::resumeFrom(bytes, "a.checkpoint", config());
  EXPECT_TRUE(resumed->checkpoint() == bytes);
  for (Session* s : {run.get(), resumed.get()}) s->advance(30);
  EXPECT_TRUE(resumed->checkpoint() == run->checkpoint());
  EXPECT_TRUE(saved(replay(run->log(), run->step(), config())->mode()) == saved(run->mode()));
}

// With everything drawn and somebody picked, it is that of a run alone.
TEST_P(GcmcHouse, TheTrajectoryOfAWindowIsThatOfARunAlone) {
  Runner runner(config(), vapour());
  ViewRequest view;
  for (const LayerInfo& l : describeMode("gcmc").layers) view.layers.push_back(l.key);
  view.picked = 3;
  runner.setView(view);
  runner.play(true);
  ASSERT_TRUE(await(runner, [](const Publication& q) { return q.step > 50; }));
  std::uint64_t steps = 0;
  std::string state;
  runner.finish([&](Session& s) {
    s.finishStep();
    steps = s.step();
    state = saved(s.mode());
  });
  const auto alone = session();
  alone->advanceTo(steps);
  EXPECT_TRUE(saved(alone->mode()) == state);
}

TEST_P(GcmcHouse, APickedParticleIsFollowedToItsDeletionAndIsBackAfterAnUndo) {
  const auto s = session();
  s->advance(2);
  Mode& mode = s->mode();
  ViewRequest view{{"particles"}, "", mode.configuration().ids[20]};
  const auto gone = [&] { return mode.frame(view)->picked.deleted; };
  EXPECT_FALSE(gone());
  s->reset();
  s->undo();
  EXPECT_FALSE(gone());
  EXPECT_EQ(mode.frame(view)->picked.id, view.picked);
  while (!gone() && s->step() < 5000) s->advance(10);
  ASSERT_TRUE(gone());
  EXPECT_LE(gone()->step, s->step());
  EXPECT_GT(gone()->step + 10, s->step());
}

TEST_P(GcmcHouse, FilesOfAResumedRunAreThoseOfAWholeOne) {
  for (const char* name : {"whole", "parts"})
    session()->save(file(std::string(name) + ".checkpoint"));
  run("whole", 70);
  run("parts", 31);
  run("parts", 39);
  EXPECT_TRUE(io::readFile(file("parts.xyz")) == io::readFile(file("whole.xyz")));
  const auto rows = [&](const std::string& name) {
    return std::regex_replace(io::readFile(file(name)), std::regex("# resumed[^\n]*\n"), "");
  };
  EXPECT_EQ(rows("parts.csv"), rows("whole.csv"));
  // The number of particles differs from frame to frame.
  std::vector<std::string> numbers;
  const std::string all = io::readFile(file("whole.xyz"));
  const std::regex count("(^|\n)([0-9]+)\n");
  for (std::sregex_iterator k(all.begin(), all.end(), count), end; k != end; ++k)
    numbers.push_back((*k)[2]);
  ASSERT_EQ(numbers.size(), 11u) << "that of step 0 is one of them";
  EXPECT_NE(std::count(numbers.begin(), numbers.end(), numbers[0]), 11);
}

INSTANTIATE_TEST_SUITE_P(Backends, GcmcHouse, kBackends, nameOfBackend);

std::vector<GibbsRules> gibbsRulesOf(gibbs::GibbsParameters p) {
  std::vector<GibbsRules> all;
  for (std::size_t k = 0; k < static_cast<std::size_t>(p.pairs); ++k)
    all.push_back(p.rules(k, {{0.1, 0.5 + 0.1 * static_cast<double>(k)}, 0.01}));
  return all;
}

std::unique_ptr<GibbsPairs> advancedPairs(std::unique_ptr<GibbsPairs> pairs,
                                          const gibbs::GibbsParameters& p) {
  const std::vector<GibbsRules> rules = gibbsRulesOf(p);
  pairs->upload(gibbsLattices(rules, p.firstN(), p.firstShare()), rules);
  for (const std::uint64_t moves : {1, 63, 64, 65, 807}) pairs->advance(moves);
  return pairs;
}

void expectSame(GibbsPairs& a, GibbsPairs& b) {
  const GibbsStates s = a.states(), t = b.states();
  EXPECT_EQ(s.word, t.word);
  EXPECT_EQ(s.id, t.id);
  const std::vector<GcmcEnergyVirial> sums[2] = {a.sums(), b.sums()};
  for (std::size_t k = 0; k < s.head.size(); ++k) {
    SCOPED_TRACE(k);
    const GibbsHead &g = s.head[k], &h = t.head[k];
    EXPECT_EQ(g.move, 1000u);
    EXPECT_EQ(g.move, h.move);
    EXPECT_EQ(g.n1, h.n1);
    EXPECT_EQ(g.share, h.share);
    EXPECT_EQ(g.walls, h.walls);
    for (int i = 0; i < kGibbsKinds; ++i) {
      EXPECT_EQ(g.attempted[i], h.attempted[i]);
      EXPECT_EQ(g.accepted[i], h.accepted[i]);
    }
    for (std::size_t box = 0; box < 2; ++box) {
      EXPECT_EQ(g.energy[box], h.energy[box]);
      EXPECT_EQ(g.energy[box], sums[0][2 * k + box].energy) << "running and recomputed";
      EXPECT_EQ(sums[0][2 * k + box].virial, sums[1][2 * k + box].virial);
      EXPECT_EQ(g.insertions[box], h.insertions[box]);
      // exp() of another library: some units in the last place of each term.
      EXPECT_NEAR(g.inserted[box], h.inserted[box], 1e-13 * g.inserted[box]);
    }
  }
}

std::vector<gibbs::GibbsParameters> gibbsSystems() {
  gibbs::GibbsParameters p;
  p.n = 200, p.density = 0.25, p.cutoff = 2.5, p.temperature = 1.0, p.exchanges = 0.05;
  p.pairs = 3, p.temperatures = 3;
  gibbs::GibbsParameters plane = p, forces = p, ideal = p, empty = p, uneven = p;
  plane.dimension.index = 0, plane.cutoff = 2, plane.temperature = 0.45;
  forces.potential.index = 0, forces.firstParticles = 0.8;
  ideal.potential.index = static_cast<std::int64_t>(gibbs::gibbsPotentials().size()) - 1;
  empty.firstParticles = 0, empty.n = 33, empty.density = 0.05, empty.transfers = 0.9;
  uneven.n = 257, uneven.potential.index = 5, uneven.tail = false;  // mie
  return {p, plane, forces, ideal, empty, uneven};
}

TEST(GibbsTeams, DecideAsOneThreadDoes) {
  const auto exec = exec::makeExec({Backend::cpu, 2, 0});
  for (const gibbs::GibbsParameters& p : gibbsSystems()) {
    const auto one = advancedPairs(makeGibbsPairsCpu(exec), p);
    for (const int threads : {1, 32, 128}) {
      SCOPED_TRACE(threads);
      expectSame(*one, *advancedPairs(makeGibbsPairsCpu(exec, threads), p));
    }
    const std::vector<GibbsHead> heads = one->heads();
    for (const GibbsHead& h : heads) {
      EXPECT_GT(h.accepted[static_cast<int>(GibbsKind::transfer)], 0u);
      EXPECT_GT(h.accepted[static_cast<int>(GibbsKind::volume)], 0u);
    }
  }
}

BACKEND_TESTS(GibbsBackend);

TEST_P(GibbsBackend, MakesTheMovesOfTheCpu) {
  for (const gibbs::GibbsParameters& p : gibbsSystems())
    for (const int threads : {64, 512})
      expectSame(*advancedPairs(makeGibbsPairsCpu(exec::makeExec({Backend::cpu, 1, 0}), 1), p),
                 *advancedPairs(makeGibbsPairs(exec(), threads), p));
}

TEST_P(GibbsBackend, StatesComeBack) {
  const gibbs::GibbsParameters p = gibbsSystems().front();
  const auto pairs = advancedPairs(makeGibbsPairs(exec(), 256), p),
             again = makeGibbsPairs(exec(), 256);
  again->upload(pairs->states(), gibbsRulesOf(p));
  const GibbsState a = pairs->state(2), b = again->state(2);
  EXPECT_EQ(a.point, b.point);
  EXPECT_EQ(a.id, b.id);
  for (GibbsPairs* const each : {pairs.get(), again.get()}) each->advance(500);
  EXPECT_EQ(pairs->states().word, again->states().word);
  pairs->clearCounters();
  EXPECT_EQ(pairs->heads()[1].insertions[0] + pairs->heads()[1].attempted[2], 0u);
}

}  // namespace
}  // namespace cellscope::test
