// A crowd goes through the house as every mode does: Session, Runner, batch run and their files, on
// both backends. The CUDA half is skipped without a GPU.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <regex>

#include "app/cli/batch_run.h"
#include "sim/exec/memory.h"
#include "sim/io/formats/format.h"
#include "sim/io/read_file.h"
#include "sim/io/xyz.h"
#include "sim/run/runner.h"
#include "sim/run/session.h"
#include "tests/support/crowd/runs.h"
#include "tests/support/message_of.h"
#include "tests/support/program.h"
#include "tests/support/replay.h"
#include "tests/support/runner_tools.h"

namespace cellscope::test {
namespace {

// For a fixture of tests with a backend as their parameter.
class OnBackend : public testing::WithParamInterface<Backend> {
 protected:
  static void skipWithout() {
    if (GetParam() == Backend::cuda && !exec::cudaStatus().usable)
      GTEST_SKIP() << exec::cudaStatus().reason;
  }
  static ExecConfig config() { return {GetParam(), 2, 0}; }
  static std::unique_ptr<Session> session(const Scenario& s = crowdScenario()) {
    return std::make_unique<Session>(s, config(), crowdModes);
  }
};

class CrowdSession : public testing::Test, public OnBackend {
 protected:
  void SetUp() override { skipWithout(); }
};
class CrowdRunner : public CrowdSession {};

TEST(CrowdScenario, IsReadAndWrittenWithTheModesAtHand) {
  const char* text =
      "mode = \"crowd\"\n[parameters]\nspace = \"space\"\nbirths = 5\n[view]\n"
      "layers = [\"+ages\", \"-trail\"]\ncolouring = \"age\"\nplots = [\"number\", \"ages\"]\n";
  const Scenario s = parseScenario(text, "a.toml", crowdModes);
  EXPECT_EQ(parseScenario(scenarioText(s), "b.toml", crowdModes).parameters, s.parameters);
  EXPECT_EQ(layersOf(s, CrowdMode::describe()), (std::vector<std::string>{"walkers", "ages"}));
  EXPECT_NE(messageOf<InputError>([&] { parseScenario(text, "a.toml"); }).find("unknown mode"),
            std::string::npos);
}

// Files and edits of an uninterrupted run come out of a resumed one, with edits of every kind.
TEST_P(CrowdSession, ResumesByteForByte) {
  const auto run = session(), first = session();
  for (Session* s : {run.get(), first.get()}) {
    s->advance(12);
    s->set("births", std::int64_t{40});
    s->advance(11);
    s->set({{"sorted", true}, {"order", "births_first"}});
    s->advancePhase();
    s->advancePhase();
    s->set("space", "space");
    s->advance(4);
  }
  const std::string bytes = first->checkpoint();
  const auto resumed = Session::resumeFrom(bytes, "a.checkpoint", config(), crowdModes);
  EXPECT_TRUE(resumed->checkpoint() == bytes);
  for (Session* s : {run.get(), resumed.get()}) {
    s->advance(30);
    s->set("death", 0.1);
    s->advance(7);
  }
  EXPECT_TRUE(resumed->checkpoint() == run->checkpoint());
}

TEST_P(CrowdSession, ReplaysFromItsLog) {
  const auto s = session();
  s->advance(7);
  s->set({{"death", 0.1}, {"births", std::int64_t{60}}});
  s->advance(9);
  s->set("space", "space");
  s->advance(5);
  s->set("sorted", true);
  s->advance(20);
  const auto again = replay(s->log(), s->step(), config(), crowdModes);
  EXPECT_TRUE(saved(again->mode()) == saved(s->mode()));
}

TEST_P(CrowdSession, UndoesResetAndRestart) {
  const auto s = session();
  s->advance(50);
  const std::string before = saved(s->mode());
  const std::size_t n = s->mode().particleCount();
  EXPECT_NE(n, 200u);
  s->reset();
  EXPECT_EQ(s->mode().particleCount(), 200u);
  s->advance(3);
  s->set("n", std::int64_t{77});
  EXPECT_EQ(s->mode().particleCount(), 77u);
  s->undo();
  s->undo();
  EXPECT_TRUE(saved(s->mode()) == before);
  const auto other = session();
  other->advance(60);
  s->advance(10);
  EXPECT_TRUE(saved(s->mode()) == saved(other->mode()));
}

// Undone to before its deletion, the picked walker is back, and is deleted again.
TEST_P(CrowdSession, APickedWalkerComesBackWithAnUndo) {
  const auto s = session();
  s->advance(2);
  Mode& mode = s->mode();
  const ParticleId id = mode.configuration().ids[20];
  const ViewRequest view = everything(mode, id);
  mode.frame(view);
  const auto gone = [&] { return mode.frame(view)->picked.deleted.has_value(); };
  s->reset();  // a state to go back to, at step 2
  s->undo();
  EXPECT_FALSE(gone());
  EXPECT_EQ(mode.frame(view)->picked.id, id);
  s->reset();
  EXPECT_EQ(mode.frame(view)->picked.id, id) << "initial walkers have the same ids";
  s->undo();
  s->advance(200);
  ASSERT_TRUE(gone());
  const std::uint64_t when = mode.frame(view)->picked.deleted->step;
  s->reset();
  EXPECT_FALSE(gone());
  s->undo();
  ASSERT_TRUE(gone());
  EXPECT_EQ(mode.frame(view)->picked.deleted->step, when);
}

TEST_P(CrowdRunner, ShowsEveryLayerAndFollowsTheNumber) {
  Scenario scenario = crowdScenario();
  scenario.layers = {"+newborn", "+ages", "+cells", "+box"};
  Runner runner(config(), scenario, crowdModes);
  for (int k = 0; k < 6; ++k) runner.step();
  PublicationPtr p = await(runner, [](const Publication& q) { return q.step == 6; });
  ASSERT_TRUE(p);
  std::uint64_t versions = p->mode->version;
  EXPECT_EQ(p->frame->layers.size(), 6u) << "five, and the trail, which says why it is empty";
  EXPECT_EQ(layerIn(*p->frame, "walkers")->count, p->particles);
  EXPECT_NE(p->particles, 200u);
  EXPECT_EQ(p->curves.size(), 1u);
  EXPECT_EQ(p->mode->phases.size(), 3u);
  runner.set("sorted", true);
  p = await(runner, [](const Publication& q) { return q.mode->phases.size() == 4; });
  ASSERT_TRUE(p);
  EXPECT_GT(p->mode->version, versions);
  versions = p->mode->version;
  runner.set("space", "space");
  p = await(runner, [](const Publication& q) { return q.frame->box.dimension == 3; });
  ASSERT_TRUE(p);
  EXPECT_EQ(p->mode->dimension, 3);
  EXPECT_GT(p->mode->version, versions);
  EXPECT_TRUE(p->messages.empty());
}

TEST_P(CrowdRunner, PicksFollowsAndSaysWhenItsWalkerIsDeleted) {
  Runner runner(config(), crowdScenario(), crowdModes);
  PublicationPtr p = await(runner, [](const Publication& q) { return q.step == 0; });
  ASSERT_TRUE(p);
  const auto all = drawnOf<PointInstance>(*layerIn(*p->frame, "walkers"));
  const auto small = std::find_if(all.begin(), all.end(), [](auto& q) { return q.type == 0; });
  runner.pick({{small->x, small->y, 0}, {0, 0, -1}, 0});
  p = await(runner, [](const Publication& q) { return q.frame->picked.id >= 0; });
  ASSERT_TRUE(p);
  const ParticleId id = p->frame->picked.id;
  EXPECT_TRUE(layerIn(*p->frame, layers::kPicked));
  runner.play(true);
  p = await(runner, [](const Publication& q) { return q.frame->picked.deleted.has_value(); });
  ASSERT_TRUE(p);
  EXPECT_EQ(p->frame->picked.id, id);
  const std::uint64_t when = p->frame->picked.deleted->step;
  EXPECT_GT(when, 0u);
  EXPECT_LE(when, p->step);
  EXPECT_FALSE(layerIn(*p->frame, layers::kPicked));
  runner.play(false);
  runner.step();
  p = await(runner, [&](const Publication& q) { return q.step > p->step && !q.playing; });
  ASSERT_TRUE(p);
  ASSERT_TRUE(p->frame->picked.deleted) << "as long as its id is requested";
  EXPECT_EQ(p->frame->picked.deleted->step, when);
}

// The window's trajectory is that of a run alone, with everything drawn and somebody picked.
TEST_P(CrowdRunner, MakesTheStepsOfARunAlone) {
  Runner runner(config(), crowdScenario(), crowdModes);
  ViewRequest view;
  for (const LayerInfo& l : CrowdMode::describe().layers) view.layers.push_back(l.key);
  view.picked = 1000;
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

class CrowdBatch : public Program, public OnBackend {
 protected:
  void SetUp() override {
    Program::SetUp();
    skipWithout();
  }
  cli::RunOptions options(const std::string& name, std::uint64_t steps) const {
    cli::RunOptions o;
    o.resume = file(name + ".checkpoint");
    o.checkpoint = o.resume;
    o.steps = steps;
    o.csv = file(name + ".csv");
    o.trajectory = file(name + ".xyz");
    o.trajectoryEvery = 7;
    o.quiet = true;
    o.hardware.backend = toString(GetParam());
    return o;
  }
  cli::RunOptions begun(const std::string& name, std::uint64_t steps, const char* space) const {
    Scenario s = crowdScenario();
    s.parameters = {{"n", std::int64_t{120}}, {"space", space}, {"large", 0.3}};
    const cli::RunOptions o = options(name, steps);
    session(s)->save(o.checkpoint);
    return o;
  }
  static void run(const cli::RunOptions& o) {
    const common::InterruptGuard interrupt;
    cli::BatchRun(o, interrupt, crowdModes).run();
  }
  std::string fileText(const std::string& name) const { return io::readFile(file(name)); }
};

TEST_P(CrowdBatch, WritesAFrameOfItsOwnNumberEachTime) {
  const cli::RunOptions o = begun("a", 35, "space");
  run(o);
  const Configuration last = io::readConfiguration(o.trajectory).configuration;
  const auto s = Session::resume(o.checkpoint, config(), crowdModes);
  EXPECT_EQ(s->step(), 35u);
  const Configuration state = s->mode().configuration();
  EXPECT_EQ(last.ids, state.ids);
  EXPECT_EQ(last.positions, state.positions);
  EXPECT_EQ(last.box, state.box);
  ASSERT_EQ(last.size(), state.size());
  for (std::size_t i = 0; i < last.size(); ++i)
    EXPECT_EQ(last.speciesOf(i), state.speciesOf(i)) << i;
  std::smatch found;
  const std::string csv = fileText("a.csv");
  ASSERT_TRUE(std::regex_search(csv, found, std::regex("\n35,([0-9]+)(\\.0*)?,")));
  EXPECT_EQ(std::stoull(found[1]), last.size());
  // And back: a crowd that starts from the file, whose new ids are none of the old ones.
  Scenario again = crowdScenario();
  again.configuration = o.trajectory;
  const auto from = session(again);
  EXPECT_EQ(from->mode().configuration().ids, last.ids);
  EXPECT_EQ(from->mode().info().dimension, 3);
  from->advance(20);
  for (const SelfCheck& c : from->mode().selfChecks()) EXPECT_TRUE(c.ok) << c.label << c.detail;
}

TEST_P(CrowdBatch, StartsFromAScenarioFileWithItsOwnSettings) {
  cli::RunOptions o = options("file", 14);
  o.resume.clear();
  o.scenario = file("walkers.toml");
  std::ofstream(o.scenario) << "mode = \"crowd\"\n[parameters]\nn = 90\nspace = \"plane\"\n"
                               "[run]\nsample_every = 2\n";
  o.settings = {"space=space", "large=0.25"};
  run(o);
  Scenario same = crowdScenario();
  same.sampleEvery = 2;  // samples are part of the state
  same.parameters = {{"n", std::int64_t{90}}, {"space", "space"}, {"large", 0.25}};
  const auto expected = session(same);
  expected->advance(14);
  const auto s = Session::resume(o.checkpoint, config(), crowdModes);
  EXPECT_EQ(s->step(), 14u);
  EXPECT_EQ(s->log().start.mode, "crowd");
  EXPECT_EQ(s->log().start.sampleEvery, 2u);
  EXPECT_TRUE(saved(s->mode()) == saved(expected->mode()));
  // A setting or key that the mode does not have is refused, as for the modes of the house.
  o.settings = {"packing=0.5"};
  EXPECT_NE(messageOf<InputError>([&] { run(o); }).find("packing"), std::string::npos);
  std::ofstream(o.scenario) << "mode = \"crowd\"\n[parameters]\ncutoff = 2.5\n";
  o.settings.clear();
  const std::string message = messageOf<InputError>([&] { run(o); });
  EXPECT_NE(message.find("walkers.toml:3"), std::string::npos) << message;
  EXPECT_NE(message.find("cutoff"), std::string::npos) << message;
}

TEST_P(CrowdBatch, ResumesItsFilesByteForByte) {
  for (const char* space : {"plane", "space"}) {
    const std::string name = space;
    run(begun(name + "_whole", 70, space));
    run(begun(name + "_parts", 31, space));
    run(options(name + "_parts", 39));
    EXPECT_TRUE(fileText(name + "_parts.xyz") == fileText(name + "_whole.xyz"));
    const auto rows = [&](const std::string& part) {
      return std::regex_replace(fileText(name + part + ".csv"), std::regex("# resumed[^\n]*\n"),
                                "");
    };
    EXPECT_EQ(rows("_parts"), rows("_whole"));
  }
}

// ASE knows nothing of this program: N per frame, species, radii, box and ids.
TEST_P(CrowdBatch, AseReadsItsTrajectory) {
  if (shell("/usr/bin/python3 -c 'import ase'").code != 0)
    GTEST_SKIP() << "python3-ase is not installed";
  const cli::RunOptions o = begun("ase", 35, "space");
  run(o);
  const std::string script = file("read.py");
  std::ofstream(script) << R"(
import re, sys, numpy, ase.io
frames = ase.io.read(sys.argv[1], index=':')
assert [f.info['Step'] for f in frames] == [7, 14, 21, 28, 35], [f.info for f in frames]
numbers = [len(f) for f in frames]
assert len(set(numbers)) > 1, numbers
lines = open(sys.argv[1]).read().split('\n')
at, ids = 0, []
for f in frames:
    assert int(lines[at]) == len(f)
    rows = [line.split() for line in lines[at + 2:at + 2 + len(f)]]
    at += 2 + len(f)
    ids.append({int(r[4]) for r in rows})
    assert len(ids[-1]) == len(f)
    large = numpy.array([r[0] == 'Xe' for r in rows])
    assert f.get_chemical_symbols() == [r[0] for r in rows]
    assert 0 < large.sum() < len(f)
    assert (f.arrays['radius'] == numpy.where(large, 5, 0.5)).all()
    assert list(f.pbc) == [True] * 3 and (f.cell.lengths() == 60).all(), f.cell
    assert (f.positions >= 0).all() and (f.positions < 60).all()
    assert abs(f.positions - numpy.array([r[1:4] for r in rows], float)).max() == 0
assert max(ids[-1]) > 2**33
assert ids[0] - ids[1] and ids[1] - ids[0], 'some go and some come'
assert not (ids[0] - ids[1]) & ids[4], 'none comes back'
)";
  const Result r = shell("/usr/bin/python3 " + script + " " + o.trajectory);
  EXPECT_EQ(r.code, 0) << r.output;
}

TEST_P(CrowdBatch, RefusesWhatItDoesNotKnow) {
  cli::RunOptions o = begun("a", 3, "plane");
  o.settings = {"packing=0.5"};
  EXPECT_NE(messageOf<InputError>([&] { run(o); }).find("packing"), std::string::npos);
}

std::string nameOf(const testing::TestParamInfo<Backend>& p) { return toString(p.param); }
const auto kBoth = testing::Values(Backend::cpu, Backend::cuda);
INSTANTIATE_TEST_SUITE_P(Backends, CrowdSession, kBoth, nameOf);
INSTANTIATE_TEST_SUITE_P(Backends, CrowdRunner, kBoth, nameOf);
INSTANTIATE_TEST_SUITE_P(Backends, CrowdBatch, kBoth, nameOf);

}  // namespace
}  // namespace cellscope::test
