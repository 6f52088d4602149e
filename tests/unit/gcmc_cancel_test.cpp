// A long step of grand-canonical Monte Carlo tells its progress and can be cancelled: the work ends
// there, everything is as it was before the step, and the run goes on as if nothing had happened.
// An edit for which there is no memory changes nothing at all.
#include <cstdlib>
#include <new>

#include "tests/support/gcmc_modes.h"
#include "tests/support/gcmc_states.h"

// Large blocks of memory are refused by operator new itself. A limit of the address space would not
// do: the heap of any thread that there was has addresses reserved, in which malloc finds blocks.
namespace cellscope::test {
namespace {

constexpr std::size_t kLarge = 1 << 16;  // positions or ids of a chain; parameters take less
std::atomic<int> granted{1 << 30};

// Grants this number of large blocks, and then none, as long as it lives.
class LargeBlocks {
 public:
  explicit LargeBlocks(int count) { granted = count; }
  ~LargeBlocks() { granted = 1 << 30; }
  LargeBlocks(const LargeBlocks&) = delete;
  LargeBlocks& operator=(const LargeBlocks&) = delete;
};

}  // namespace

static void* blockOf(std::size_t bytes) noexcept {
  if (bytes >= kLarge && granted < 1 << 30 && --granted < 0) return nullptr;
  return std::malloc(bytes > 0 ? bytes : 1);
}

}  // namespace cellscope::test

// Not inlined: a compiler that sees malloc on one side only warns.
[[gnu::noinline]] void* operator new(std::size_t bytes) {
  if (void* const p = cellscope::test::blockOf(bytes)) return p;
  throw std::bad_alloc();
}
[[gnu::noinline]] void* operator new(std::size_t bytes, const std::nothrow_t&) noexcept {
  return cellscope::test::blockOf(bytes);
}
[[gnu::noinline]] void operator delete(void* p) noexcept { std::free(p); }
[[gnu::noinline]] void operator delete(void* p, std::size_t) noexcept { std::free(p); }

namespace cellscope::test {
namespace {

struct LongStep {
  const char* name;
  std::string values;
};

void PrintTo(const LongStep& s, std::ostream* out) { *out << s.name; }

std::string fluidOf(const char* method, std::int64_t moves, double length = 8) {
  return fmt::format(
      "method={} length={} density=0.5 temperature=1.5 chemical_potential=-3 cutoff=2.5 "
      "moves_per_step={}",
      method, length, moves);
}

std::vector<LongStep> longSteps() {
  std::vector<LongStep> all;
  for (const char* method : {"serial", "serial_cells", "speculative"})
    all.push_back({method, fluidOf(method, 220000)});
  for (const char* method : {"all_particles", "cells", "microcells", "microcells_many"})
    all.push_back({method, fluidOf(method, 4000)});
  all.push_back(
      {"in_order", fluidOf("in_order", 60000, 12.5) + " slots_per_cell=8"});  // cells grow
  all.push_back({"checkerboard", fluidOf("checkerboard", 60000, 12.5)});
  all.push_back({"replicas", fluidOf("auto", 2000, 6) + " replicas=40"});
  all.push_back({"windows", fluidOf("auto", 2000, 6) +
                                " replicas=40 replicas_differ_by=window replica_most=60"});
  return all;
}

class GcmcLongSteps : public testing::TestWithParam<LongStep> {};

// Cancels at the report of this number, the first one being 1; a mode is still watched afterwards.
class Cancel {
 public:
  Cancel(Mode& mode, int at) {
    mode.watchWork([this, at](const Preparation& stage) {
      EXPECT_GE(stage.progress, last_) << "progress never falls";
      EXPECT_LE(stage.progress, 1);
      last_ = stage.progress;
      if (++reports_ == at) throw Cancelled();
    });
  }
  int reports() const { return reports_; }
  double progress() const { return last_; }

 private:
  int reports_ = 0;
  double last_ = -1;
};

// All of it; of the checkerboard, whose cells may hold the same particles in another order, the
// particles by id.
std::string wholeState(const Mode& mode, const char* name) {
  if (std::string(name) != "checkerboard") return saved(mode);
  const Configuration c = mode.configuration();
  std::map<ParticleId, std::string> all;
  for (std::size_t i = 0; i < c.size(); ++i)
    for (std::size_t k = 0; k < 3; ++k)
      all[c.ids[i]] += std::to_string(c.positions[3 * i + k]) + " ";
  std::string text = std::to_string(mode.step()) + " " + std::to_string(mode.work());
  for (const auto& [id, place] : all) text += "\n" + std::to_string(id) + ": " + place;
  return text;
}

// In their phases too: the step that begins with one is cancelled as a whole.
TEST_P(GcmcLongSteps, EndAtTheReportThatCancelsThemAndLeaveNoTrace) {
  auto mode = gcmcMode(GetParam().values), other = gcmcMode(GetParam().values);
  {
    Cancel never(*mode, -1);
    mode->advance(1), other->advance(1);
    EXPECT_GT(never.reports(), 5);
    EXPECT_TRUE(saved(*mode) == saved(*other)) << "whether somebody watches or not";
  }
  const std::string before = wholeState(*mode, GetParam().name);
  for (const bool phases : {false, true}) {
    SCOPED_TRACE(phases);
    Cancel second(*mode, 2);
    EXPECT_THROW(
        {
          do phases ? mode->advancePhase() : mode->advance(1);
          while (mode->nextPhase() != 0);
        },
        Cancelled);
    EXPECT_EQ(second.reports(), 2) << "nothing was done afterwards";
    EXPECT_TRUE(phases || second.progress() < 0.9);
    EXPECT_EQ(mode->step(), 1u);
    EXPECT_EQ(mode->nextPhase(), 0);
    EXPECT_TRUE(wholeState(*mode, GetParam().name) == before)
        << "state, counters and averages as before the step";
  }
  mode->watchWork({});
  mode->advance(1), other->advance(1);
  EXPECT_TRUE(saved(*mode) == saved(*other)) << "as if nothing had happened";
  EXPECT_EQ(bitsOf(mode->sample()), bitsOf(other->sample()));
}

INSTANTIATE_TEST_SUITE_P(All, GcmcLongSteps, testing::ValuesIn(longSteps()),
                         [](const auto& i) { return std::string(i.param.name); });

// Keeping the state of many particles would take longer than a step of few moves.
TEST(GcmcCancel, AShortStepIsNotKept) {
  auto mode = gcmcMode(fluidOf("auto", 1000));
  Cancel first(*mode, 1);
  mode->advance(20);
  EXPECT_EQ(first.reports(), 0);
}

// One colour of many attempts is divided: it may take long by itself.
TEST(GcmcCancel, AColourOfTheCheckerboardReportsOnTheWay) {
  const Box box = cubicBox(20);  // 8 x 8 x 8 cells, 64 of a colour
  const auto engine =
      makeGcmcEngine("checkerboard", exec::makeExec({.backend = Backend::cpu}), {.attempts = 4000});
  engine->upload(chainState(box, 300), makeGcmcRules(chainSettings(1.5, 0.1), box));
  int reports = 0;
  engine->watch([&](double) { ++reports; });
  engine->advance(1);
  EXPECT_GE(reports, 4);
}

TEST(GcmcCancel, MakingManyReplicasReportsAndIsCancelled) {
  auto mode = gcmcMode(fluidOf("auto", 1000, 6));
  const std::string before = saved(*mode);
  mode->parameters().at("replicas").setText("40");
  Cancel third(*mode, 3);
  EXPECT_THROW(mode->restart(), Cancelled);
  mode->watchWork({});
  EXPECT_TRUE(saved(*mode) == before);
}

// A cancelled race waits for the run to go on, and then ends as it would have.
TEST(GcmcCancel, ARaceOfMethodsIsCancelledAndGoesOn) {
  auto mode = gcmcMode(fluidOf("auto", 50));
  const auto positions = mode->configuration().positions;
  change(*mode, "race=true");
  for (int k = 0; k < 3; ++k) mode->advance(1);
  const double done = mode->preparation()->progress;
  {
    Cancel first(*mode, 1);
    EXPECT_THROW(mode->advance(1), Cancelled);
  }
  mode->watchWork({});
  ASSERT_TRUE(mode->preparation());
  EXPECT_EQ(mode->preparation()->progress, done);
  EXPECT_EQ(mode->configuration().positions, positions);
  for (int k = 0; k < 1000 && mode->preparation(); ++k) mode->advance(1);
  EXPECT_FALSE(mode->preparation());
}

// What a method without cells asks of all particles at once needs no N^2 pairs.
TEST(GcmcCancel, SumsOverManyParticlesAreThoseOfCells) {
  const Box box = cubicBox(26);
  const GcmcState start = chainState(box, 9000);
  const GcmcRules rules = makeGcmcRules(chainSettings(1.5, 0.1), box);
  const auto cpu = exec::makeExec({.backend = Backend::cpu, .threads = 1});
  const GcmcSums sums = gcmcBruteForce(rules.pair, start.point);
  const std::vector<GcmcPoint> at = {start.point[17], {1, 2, 3}, {1u << 31, 77, 1u << 30}};
  for (const char* method : {"serial", "all_particles"}) {
    const auto engine = makeGcmcEngine(method, cpu);
    engine->upload(start, rules);
    EXPECT_EQ(engine->energy(), sums.energy) << method;
    EXPECT_EQ(engine->sums().energy, sums.energy) << method;
    EXPECT_EQ(engine->sums().virial, sums.virial) << method;
    const std::vector<double> energy = engine->energiesAt(at);
    for (std::size_t k = 0; k < at.size(); ++k) {
      double right = 0;
      for (const GcmcPoint& q : start.point) right += gcmcPairAt(rules.pair, at[k], q);
      EXPECT_EQ(energy[k], right) << method;
    }
  }
}

// Whichever large block is the first that is refused, until the edit succeeds.
void expectAllOrNothing(const std::string& key, double value) {
  const std::string values =
      "length=28 density=0.5 activity=0.1 moves_per_step=100 replicas=4 replicas_differ_by=seed";
  const auto edited = gcmcMode(values), left = gcmcMode(values);
  int count = 0;
  for (bool refused = true; refused; ++count) {
    SCOPED_TRACE(testing::Message() << key << ", large block " << count << " is refused");
    ASSERT_LT(count, 200) << "it is never enough";
    edited->advance(1), left->advance(1);
    ASSERT_TRUE(saved(*edited) == saved(*left)) << "the rules are those they had";
    edited->parameters().at(key).set(value);
    refused = false;
    try {
      const LargeBlocks few(count);
      edited->applyParameters();
    } catch (const std::exception&) {
      refused = true;
    }
    if (!refused) break;
    ASSERT_TRUE(saved(*edited) == saved(*left));
    EXPECT_EQ(edited->parameters().at(key).get(), left->parameters().at(key).get());
    expectHealthy(*edited);
  }
  EXPECT_GT(count, 8) << "positions and ids of the replicas at least";
  EXPECT_FALSE(saved(*edited) == saved(*left));
  expectHealthy(*edited);
}

TEST(GcmcEdits, ForWhichThereIsNoMemoryChangeNothing) {
  expectAllOrNothing("temperature", 3);
  expectAllOrNothing("cutoff", 2.2);
}

}  // namespace
}  // namespace cellscope::test
