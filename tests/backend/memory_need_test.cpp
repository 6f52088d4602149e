// What a mode says that it needs of memory, against what it allocates; and memory that runs out
// while it runs. The CUDA half is skipped without a GPU.
#include <sys/resource.h>
#include <unistd.h>

#include <fstream>
#include <regex>

#include "sim/algo/all_pairs/arrays.h"
#include "sim/modes/gcmc/replica_run.h"
#include "sim/modes/gcmc/start.h"
#include "tests/support/backend_test.h"
#include "tests/support/disk_states.h"
#include "tests/support/gcmc_states.h"
#include "tests/support/hard_disks.h"
#include "tests/support/md_modes.h"

namespace cellscope::test {
namespace {

using Frames = std::vector<std::shared_ptr<const Frame>>;

ViewRequest everyDisk(const Mode& mode) { return {{mode.info().layers.front().key}, "", -1}; }

// Leaves no memory of the backend: the GPU's is taken, the host's address space is limited.
class Shortage {
 public:
  explicit Shortage(Backend where) : where_(where) {
    where == Backend::cuda ? takeAll() : limitAddresses();
  }
  ~Shortage() {
    if (where_ == Backend::cpu) setrlimit(RLIMIT_AS, &before_);
  }
  Shortage(const Shortage&) = delete;
  Shortage& operator=(const Shortage&) = delete;

 private:
  void limitAddresses() {
    std::size_t pages = 0;
    std::ifstream("/proc/self/statm") >> pages;
    getrlimit(RLIMIT_AS, &before_);
    rlimit small = before_;
    small.rlim_cur = pages * static_cast<std::size_t>(sysconf(_SC_PAGESIZE)) + (1 << 20);
    if (setrlimit(RLIMIT_AS, &small) != 0) ADD_FAILURE() << "the limit was refused";
  }
  void takeAll() {
    for (std::size_t size = std::size_t{1} << 32; size >= 1 << 16;) {
      try {
        taken_.emplace_back(Backend::cuda, size);
      } catch (const OutOfMemory&) {
        size /= 2;
      }
    }
  }

  Backend where_;
  rlimit before_{};
  std::vector<exec::Array<std::byte>> taken_;
};

class Memory : public testing::TestWithParam<Backend> {
 protected:
  void SetUp() override {
    if (GetParam() == Backend::cuda && !exec::cudaStatus().usable)
      GTEST_SKIP() << exec::cudaStatus().reason;
    config_ = {GetParam(), 1, 0, true};
    beginAnew();
  }
  void beginAnew() {
    exec::forgetPeak(GetParam());
    before_ = exec::memoryUse(GetParam()).now;
  }
  std::size_t peak() const { return exec::memoryUse(GetParam()).peak - before_; }

  // Enough for the arrays at their peak, and not much more. `beside`: what is needed apart from
  // them, for OpenGL and for lists on the host.
  void expectCovers(const MemoryNeed& need, std::size_t beside) const {
    const auto stated = static_cast<double>(need.running - beside);
    // Sums on a GPU take some hundred kilobytes, for any number of particles.
    const double scratch = onCpu() ? 0 : 1 << 19;
    EXPECT_GT(1.02 * stated + scratch, static_cast<double>(peak()));
    EXPECT_LT(stated, 1.15 * static_cast<double>(peak()));
  }
  std::size_t graphics(std::size_t n) const {
    return frameBytes(n, sizeof(PointInstance), GetParam()) - 3 * n * sizeof(PointInstance);
  }
  bool onCpu() const { return GetParam() == Backend::cpu; }

  ExecConfig config_;
  std::size_t before_ = 0;
};

std::size_t threeFramesAndACheckpoint(Mode& mode) {
  mode.advance(2);
  mode.sample();
  Frames frames;
  for (int k = 0; k < 3; ++k) frames.push_back(mode.frame(everyDisk(mode)));
  return saved(mode).size();
}

// In one box, and in boxes of other sizes, one after the other, while frames are out.
TEST_P(Memory, OfHardDisksIsWhatTheyAllocate) {
  for (const BoxHistory box : {BoxHistory::constant, BoxHistory::changing}) {
    const bool changes = box == BoxHistory::changing;
    const std::size_t disks = changes ? 100000 : 200000;
    beginAnew();
    const auto mode = startedOn(config_, "start=square packing=0.6 n=" + std::to_string(disks));
    EXPECT_GT(threeFramesAndACheckpoint(*mode), 0u);
    Frames frames;
    if (changes) {
      for (int k = 0; k < 3; ++k) frames.push_back(mode->frame(everyDisk(*mode)));
      change(*mode, "packing=0.59");
      mode->advance(2);
    }
    const GridInfo grid = chooseGrid(disks, changes ? 0.59 : 0.6).grid;
    expectCovers(diskMemory(disks, grid, config_, box),
                 graphics(disks) + (onCpu() ? 64 * disks : 0));
  }
}

// Every method, after moves and with what files and pictures need; and the replicas.
TEST_P(Memory, OfGrandCanonicalChainsIsWhatTheyAllocate) {
  const Box box = cubicBox(25);
  const GcmcState start = gcmcLattice(box, 0.5);
  const GcmcRules rules = makeGcmcRules(gcmcFluid(), box);
  for (const GcmcMethod* m : gcmcMethodsOn(GetParam())) {
    SCOPED_TRACE(m->key);
    const auto exec = exec::makeExec(config_);
    const std::size_t before = exec::memoryUse(GetParam()).now;
    const auto engine = m->make(exec, {});
    engine->upload(start, rules);
    engine->advance(1000);
    static_cast<void>(engine->state());
    const auto held = static_cast<double>(exec::memoryUse(GetParam()).now - before);
    const auto stated =
        static_cast<double>(m->bytes(GetParam(), {}, start.point.size(), box, rules.pair));
    const double scratch = onCpu() ? 1 << 15 : 1 << 19;  // sums, and the heads of the chains
    EXPECT_GT(1.02 * stated + scratch, held);
    EXPECT_LT(stated, 1.15 * held);
    EXPECT_GT(1.02 * static_cast<double>(engine->bytes()) + scratch, held) << "bytes()";
  }
}

TEST_P(Memory, OfReplicasIsWhatTheyAllocate) {
  gcmc::GcmcParameters p;
  p.length = 12, p.density = 0.6, p.replicas = 40;
  p.replicaKind.index = static_cast<int>(gcmc::ReplicaKind::seed);
  const auto exec = exec::makeExec(config_);
  const std::size_t before = exec::memoryUse(GetParam()).now;
  gcmc::ReplicaRun replicas(exec);
  replicas.start(p);
  const auto held = static_cast<double>(exec::memoryUse(GetParam()).now - before);
  const auto stated = 40 * static_cast<double>(gcmc::replicaBytes(p, GetParam()));
  EXPECT_GT(1.02 * stated, held);
  EXPECT_LT(stated, 1.3 * held);
}

// All pairs, and lists of every method.
TEST_P(Memory, OfMoleculesIsWhatTheyAllocate) {
  for (std::size_t method = 0; method <= listMethods().size(); ++method) {
    const bool lists = method > 0;
    const std::string key = lists ? listMethods()[method - 1].key : "all_pairs";
    SCOPED_TRACE(key);
    const std::size_t n = lists ? 16384 : 4000;
    beginAnew();
    const auto mode = startedMd(config_, fmt::format("n={} method={}", n, key));
    md::MdParameters p;
    p.n = static_cast<std::int64_t>(n);
    p.method.index = static_cast<std::int64_t>(method);
    if (lists) {  // to the byte as the engine counts itself: no list has grown in the crystal
      EXPECT_EQ(mode->engineBytes(), verletBytes(n, cubicBox(p.length()), p.pair(), {n}));
    }
    exec::forgetPeak(GetParam());
    EXPECT_GT(threeFramesAndACheckpoint(*mode), 0u);
    expectCovers(md::memoryNeed(p, config_), graphics(n) + (onCpu() ? 116 * n : 0));
  }
}

// A Lennard-Jones liquid near its triple point, with the list: what is predicted, which is what is
// allocated (above).
TEST_P(Memory, OfALiquidWithItsListIsAtMost600BytesAParticle) {
  for (const std::int64_t n : {std::int64_t{1000188}, std::int64_t{4000000}}) {
    md::MdParameters p;
    p.n = n, p.density = 0.8442, p.cutoff = 2.5, p.buffer = 0.3;
    p.method.index = 1;
    ASSERT_TRUE(p.by().hasLists());
    EXPECT_LE(static_cast<double>(p.by().bytes(p, config_)) / static_cast<double>(n), 600) << n;
  }
}

// The largest system of Howard et al. (2016, Table 1): 100 colloids of diameter 20 among 2,176,957
// solvent particles. Predicted without making any of it.
TEST_P(Memory, OfTheLargestColloidSolutionFitsInto8GiB) {
  md::MdParameters p;
  p.system.index = static_cast<std::int64_t>(md::System::colloids);
  p.colloids = 100, p.colloidDiameter = 20, p.colloidFraction = 0.1;
  p.density = 0.6, p.cutoff = 3, p.buffer = 1;
  p.n = md::expectedParticles(p);
  EXPECT_NEAR(static_cast<double>(p.n), 2177057.0, 0.02 * 2177057);
  for (std::int64_t method = 1; method <= std::ssize(listMethods()); ++method) {
    p.method.index = method;
    const MemoryNeed need = md::memoryNeed(p, config_);
    // All clusters have the room that the longest cutoff needs: of colloids, hundreds of GiB.
    if (listMethods()[static_cast<std::size_t>(method - 1)].cluster > 1)
      EXPECT_GT(need.running, std::size_t{100} << 30);
    else
      EXPECT_LT(need.running, std::size_t{8} << 30) << method;
    EXPECT_GT(need.running, std::size_t{1} << 30) << "all lists";
  }
}

// Lists of a real solution, which grow while it settles, stay within the prediction.
TEST_P(Memory, OfASmallColloidSolutionIsPredicted) {
  const auto mode = startedMd(config_,
                              "system=colloids method=tree colloids=30 colloid_diameter=5 "
                              "colloid_fraction=0.1 density=0.6 cutoff=3 buffer=0.6 temperature=1");
  mode->advance(30);
  md::MdParameters p;
  p.system.index = static_cast<std::int64_t>(md::System::colloids);
  p.colloids = 30, p.colloidDiameter = 5, p.colloidFraction = 0.1;
  p.density = 0.6, p.cutoff = 3, p.buffer = 0.6;
  p.method.index = 3;
  p.n = static_cast<std::int64_t>(mode->particleCount());
  const auto stated = static_cast<double>(p.by().bytes(p, config_));
  const auto held = static_cast<double>(mode->engineBytes());
  EXPECT_GT(stated, held);
  EXPECT_LT(stated, 1.5 * held);
}

// To the byte: of the engine as it counts itself, and of what was really allocated for its cells.
TEST_P(Memory, OfDiskEnginesIsWhatTheirLayoutsSay) {
  for (const int threads : {1, 3})
    for (const int disks : {16, 900, 20000}) {
      const ExecConfig config{GetParam(), threads};
      const auto engine = makeMpmcEngine(config);
      const DiskCells cells = someDisks(disks, 0.5, 1);
      const std::size_t before = exec::memoryUse(GetParam()).now, empty = engine->bytes();
      engine->upload(cells);
      EXPECT_EQ(engine->bytes(), mpmcBytes(cells.grid, config)) << disks;
      EXPECT_EQ(exec::memoryUse(GetParam()).now - before, engine->bytes() - empty) << disks;
    }
}

TEST_P(Memory, OfMdEnginesIsWhatTheirLayoutsSay) {
  for (const std::size_t n : {2, 33, 1000})
    for (const int tile : {32, 256}) {
      const auto engine = makeAllPairs(exec::makeExec(config_));
      MdState state{cubicBox(20), std::vector<Vec3d>(n), std::vector<Vec3d>(n, Vec3d{0, 0, 0})};
      for (std::size_t i = 0; i < n; ++i)
        state.position[i] = {2.0 * static_cast<double>(i % 10),
                             2.0 * static_cast<double>(i / 10 % 10),
                             2.0 * static_cast<double>(i / 100)};
      const std::size_t before = exec::memoryUse(GetParam()).now;
      engine->upload(state);
      engine->setPair({.tile = tile});
      engine->forces();
      EXPECT_EQ(engine->bytes(), allPairsBytes(GetParam(), n, tile)) << n;
      EXPECT_EQ(exec::memoryUse(GetParam()).now - before, engine->bytes()) << n;
    }
}

// Frames are asked for and kept until there is no memory for another one.
void expectToSurviveAShortage(Mode& mode, Backend where) {
  Frames frames = {mode.frame(everyDisk(mode))};
  frames.reserve(10000);
  mode.advance(1);
  mode.sample();
  const std::string before = saved(mode);
  std::string message;
  {
    const Shortage shortage(where);
    message = messageOf<RunError>([&] {
      for (int k = 1; k < 10000; ++k) frames.push_back(mode.frame(everyDisk(mode)));
    });
  }
  std::smatch found;
  const std::regex wanted(
      "out of (GPU )?memory.* free; the state is kept; the largest 'n' that fits is about "
      "([0-9]+)");
  ASSERT_TRUE(std::regex_match(message, found, wanted)) << message;
  EXPECT_GT(std::stoll(found[2]), 0);
  EXPECT_LT(std::stoull(found[2]), mode.particleCount());
  frames.clear();
  EXPECT_EQ(saved(mode), before);
  mode.advance(1);
  EXPECT_TRUE(mode.frame(everyDisk(mode)));
  expectHealthy(mode);
}

bool limited(Backend where) {
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
  return where == Backend::cuda;
#else
  return where == Backend::cpu || where == Backend::cuda;
#endif
}

TEST_P(Memory, ThatRunsOutWhileDisksAreDrawnLosesNothing) {
  if (!limited(GetParam())) GTEST_SKIP() << "sanitizers need an address space without limit";
  expectToSurviveAShortage(*startedOn(config_, "n=100000 start=square packing=0.6"), GetParam());
}

TEST_P(Memory, ThatRunsOutWhileMoleculesAreDrawnLosesNothing) {
  if (!limited(GetParam())) GTEST_SKIP() << "sanitizers need an address space without limit";
  expectToSurviveAShortage(*startedMd(config_, "n=4000"), GetParam());
}

// Another number of particles is refused before anything is made.
TEST_P(Memory, ThatIsShortRefusesANewStateAndKeepsTheOldOne) {
  if (!limited(GetParam())) GTEST_SKIP() << "sanitizers need an address space without limit";
  const auto disks = startedOn(config_, "n=1000 start=square packing=0.6");
  const auto molecules = startedMd(config_, "");
  for (Mode* mode : {static_cast<Mode*>(disks.get()), static_cast<Mode*>(molecules.get())}) {
    assign(*mode, "n=1000000");
    const std::size_t count = mode->particleCount();
    const std::string message = messageOf<RunError>([&] {
      const Shortage shortage(GetParam());
      mode->restart();
    });
    expectWords(message, {"the largest 'n' that fits is about"});
    EXPECT_EQ(mode->particleCount(), count);
    mode->advance(1);
    expectHealthy(*mode);
  }
}

// An empty box: what does not fit is not the number of particles.
TEST_P(Memory, NamesTheSlotsOfCellsAndNotTheParticles) {
  gcmc::GcmcParameters p;
  p.length = 200, p.density = 0, p.slotsPerCell = 1048576;
  ParameterSet::of(p).at("method").set(std::string("in_order"));
  ASSERT_GT(gcmc::memoryNeed(p, 0, config_).building, std::size_t{1} << 37);
  for (const std::size_t n : {0, 100000}) {
    const std::string said = messageOf<RunError>([&] { gcmc::checkMemory(p, n, config_); });
    expectWords(said, {"'slots_per_cell' = 1.04858e+06 need",
                       "the largest 'slots_per_cell' that fits is about"});
    EXPECT_EQ(said.find("'n'"), std::string::npos) << said;
  }
}

INSTANTIATE_TEST_SUITE_P(Each, Memory, kBackends, nameOfBackend);

}  // namespace
}  // namespace cellscope::test
