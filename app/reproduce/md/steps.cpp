// van Meel et al. 2008, section 2.2, figure 3: time of a step of all-pairs molecular dynamics
// against the number of particles, on a GPU and on one CPU core.
#include <fmt/format.h>

#include "app/reproduce/md/md_study.h"
#include "sim/algo/placeholders/cells.h"
#include "sim/algo/random/rand48_sequence.h"
#include "sim/core/rng.h"

namespace cellscope::reproduce {
namespace {

constexpr double kPairsTimeStep = 0.001;

struct AllPairsOptions {
  std::vector<std::int64_t> sizes = {256, 500, 1000, 2000, 4000, 8000, 16000};
  double density = 0.8442;
  std::int64_t repeats = 5;

  void visit(auto& v) {
    v("sizes", 108, 262144, "Numbers of particles", sizes);
    v("density", 0.01, 1.1, "Density", density);
    v("repeats", 1, 10000, "Steps that are timed", repeats);
  }
};

std::string shown(double value) { return value > 0 ? fmt::format("{:.3g}", value) : "-"; }

// Of the median of several times that so many steps take.
double secondsPerStep(MdEngine& engine, const MdState& state, const PairSettings& settings,
                      double dt, std::int64_t steps, std::int64_t repeats) {
  prepare(engine, state, settings);
  std::uint64_t step = 0;
  const auto count = static_cast<std::uint64_t>(steps);
  const double seconds = medianSeconds(repeats, [&] {
    engine.run(dt, step, count, {});
    engine.failure();  // waits
    step += count;
  });
  return seconds / static_cast<double>(steps);
}

double secondsPerStep(PlainPairs pairs, const MdState& state, double dt, std::int64_t steps,
                      std::int64_t repeats) {
  PlainCore core(state, pairs);
  const double seconds = medianSeconds(repeats, [&] {
    for (std::int64_t k = 0; k < steps; ++k) core.step(dt);
  });
  return seconds / static_cast<double>(steps);
}

int runAllPairs(const AllPairsOptions& o, const StudyContext& context) {
  const bool gpu = context.exec.backend == Backend::cuda;
  const std::string device = gpu ? "GPU" : "CPU threads in use";
  Report report(
      context, "Time of a step of all-pairs molecular dynamics (van Meel et al. 2008, figure 3)",
      {"N", "CPU core, plain (s)", device + ", paper's tiles (s)", "speedup", "paper: speedup",
       "growth of time with N", "CPU core, tuned (s)", device + ", tuned (s)", "speedup of tuned"});
  double before = 0, sizeBefore = 0;
  for (const std::int64_t n : o.sizes) {
    common::printError(fmt::format("{} particles", n));
    const double length = std::cbrt(static_cast<double>(n) / o.density);
    if (length < 5)
      throw InputError(
          "--sizes {} is too small for the cutoff of 2.5 at density {:g}: at least {:.0f}", n,
          o.density, std::ceil(125 * o.density));
    const MdState state = latticeState(n, o.density, 1);
    const auto seconds = [&](const ExecConfig& where, PairKernel kernel) {
      PairSettings settings;
      settings.kernel = kernel;
      return secondsPerStep(*makeAllPairs(exec::makeExec(where)), state, settings, kPairsTimeStep,
                            1, o.repeats);
    };
    const double plain = secondsPerStep(PlainPairs::all, state, kPairsTimeStep, 1, o.repeats);
    const double tiles = seconds(context.exec, PairKernel::teams);
    const double tunedCore = seconds({Backend::cpu, 1, 0}, PairKernel::tuned);
    const double tuned = seconds(context.exec, PairKernel::tuned);
    // 2: the quadratic regime.
    const double power =
        before > 0 ? std::log(tiles / before) / std::log(static_cast<double>(n) / sizeBefore) : 0;
    report.row({fmt::format("{}", n), shown(plain), shown(tiles), shown(plain / tiles),
                n > 4000 ? "about 80" : "less than 80",
                before > 0 ? fmt::format("N^{:.2f}", power) : "-", shown(tunedCore), shown(tuned),
                shown(tunedCore / tuned)});
    before = tiles, sizeBefore = static_cast<double>(n);
  }
  report.note(
      "Plain: a double loop over every pair once, in double precision, without vector "
      "instructions. Paper's tiles (kernel = teams): a thread for each particle, 64 partners at a "
      "time in shared memory. Tuned: the fast loops of both backends. The paper compared a GeForce "
      "8800 GTX with one core of a CPU of 2007, and finds a speedup of about 80 above 4,000 "
      "particles, where the quadratic regime begins on the GPU (section 2.2); its times stand in a "
      "figure only.");
  if (!gpu)
    report.note(
        "Here the paper's tiles ran on a CPU, which goes through the threads of each block one "
        "after the other: these are no times of a GPU.");
  return 0;
}

// van Meel et al. 2008, section 3.2, figure 4: time of a step with placeholder cells against
// density and number of particles, on a GPU and on one CPU core, beside all pairs and neighbour
// lists.

constexpr double kCellTimeStep = 0.002;

struct CellOptions {
  std::vector<std::int64_t> sizes = {1000, 4000, 16000, 64000};
  std::vector<double> densities = {0.1, 0.3, 0.5, 0.7, 1.0};
  std::int64_t slots = 32;
  double skin = 0.1;
  double buffer = 0.3;
  std::int64_t steps = 200;
  std::int64_t mostAllPairs = 16000;

  void visit(auto& v) {
    v("sizes", 500, 4e6, "Numbers of particles", sizes);
    v("densities", 0.01, 1.1, "Densities", densities);
    v("slots", 1, 512, "Slots of a cell; 32 in the paper", slots);
    v("skin", 0, 2, "By which cells exceed the cutoff, in sigma", skin);
    v("buffer", 0, 2, "Buffer of the lists, in sigma", buffer);
    v("steps", 1, 1e6, "Steps that are timed together", steps);
    v("most_all_pairs", 0, 1e6, "All pairs are timed up to this number of particles", mostAllPairs);
  }
};

// One state: a row of the table. Whether all pairs were faster than cells.
bool addState(const CellOptions& o, std::int64_t n, double density, const exec::Shared& exec,
              Report& report) {
  const MdState state = latticeState(n, density, 1);
  PairSettings tuned;
  tuned.buffer = o.buffer;
  tuned.slots = static_cast<int>(o.slots), tuned.skin = o.skin;
  PairSettings paper = tuned;
  paper.kernel = PairKernel::teams;
  const std::int64_t few = std::max<std::int64_t>(1, o.steps / 10);
  const CellGrid grid = placeholderShape(state.position.size(), state.box, paper).grid;
  const auto seconds = [&](const std::unique_ptr<MdEngine>& engine, const PairSettings& settings,
                           std::int64_t steps) {
    return secondsPerStep(*engine, state, settings, kCellTimeStep, steps, 3);
  };
  const double core = secondsPerStep(PlainPairs::cells, state, kCellTimeStep, few, 3);
  const double cells = seconds(makePlaceholders(exec), paper, o.steps);
  const double tunedCells = seconds(makePlaceholders(exec), tuned, o.steps);
  const double lists = seconds(makeVerlet(exec), tuned, o.steps);
  const double all = n <= o.mostAllPairs ? seconds(makeAllPairs(exec), paper, few) : 0;
  report.row({fmt::format("{}", n), fmt::format("{:g}", density), fmt::format("{}", grid.cells[0]),
              shown(core), shown(cells), shown(core / cells), density <= 0.1 ? "2" : "up to 40",
              shown(1e9 * cells / static_cast<double>(grid.count())), shown(tunedCells),
              shown(lists), shown(all), all > 0 ? (cells < all ? "yes" : "no") : "-", "yes"});
  return all > 0 && all < cells;
}

int runCells(const CellOptions& o, const StudyContext& context) {
  Report report(
      context, "Time of a step with placeholder cells (van Meel et al. 2008, figure 4)",
      {"N", "density", "cells along a side", "CPU core, plain cells (s)", "paper's cells here (s)",
       "speedup", "paper: speedup", "ns for each cell", "tuned cells here (s)", "lists here (s)",
       "paper's all pairs here (s)", "cells faster than all pairs", "paper: cells faster"});
  const exec::Shared exec = exec::makeExec(context.exec);
  int slower = 0;
  for (const std::int64_t n : o.sizes)
    for (const double density : o.densities) {
      common::printError(fmt::format("{} particles at density {:g}", n, density));
      slower += addState(o, n, density, exec, report);
    }
  report.note(
      "The paper's cells (kernel = teams): one thread for each slot, whether it holds a particle "
      "or a placeholder, cells brought up to date in the same pass, and slots as many as asked "
      "for, more where cells need them. The time is to follow the number of cells, not that of the "
      "pairs, and so to fall as the density of a number of particles rises: compare the time for "
      "each cell. Tuned cells end their loops after the last particle. All pairs: the paper's "
      "tiles. Lists: Verlet lists from cells, for comparison.");
  report.note(
      "CPU core: an ordinary program for one core, with a linked list of particles in each cell, "
      "filled in every step, every pair once, double precision, no vector instructions. The paper "
      "finds the GPU twice as fast as a CPU core at density 0.1 and up to 40 times at higher ones, "
      "and cells faster than all pairs at all sizes and densities (section 3.2).");
  if (context.exec.backend == Backend::cpu)
    report.note(
        "Here the GPU columns ran on a CPU, which goes through the threads of each block one after "
        "the other: these are no times of a GPU.");
  report.note(fmt::format("All pairs were faster than cells in {} of the rows.", slower));
  return 0;
}

// van Meel et al. 2008, section 4.2, figure 5: time of the first numbers of lrand48(), by the C
// library, by 64-bit arithmetic on one CPU core, and by many streams in parallel.

struct RandomOptions {
  std::vector<std::int64_t> counts = {10240, 102400, 1024000, 10240000, 40960000};
  std::int64_t streams = 0;
  std::int64_t repeats = 5;

  void visit(auto& v) {
    v("counts", 1000, 1e9, "How many numbers are made", counts);
    v("streams", 0, 16777216,
      "Streams in parallel; 6144 in the paper. 0: one for every 16 numbers on a GPU, at "
      "most 262144, and 8 per thread on a CPU",
      streams);
    v("repeats", 1, 10000, "Times that each is timed", repeats);
  }
};

constexpr std::uint64_t kSeed = 1;

std::size_t streamsFor(const RandomOptions& o, std::size_t count, const ExecConfig& exec) {
  if (o.streams > 0) return static_cast<std::size_t>(o.streams);
  if (exec.backend == Backend::cpu) return 8 * static_cast<std::size_t>(std::max(1, exec.threads));
  return std::clamp<std::size_t>(count / 16, 192, 262144);
}

int runRandomNumbers(const RandomOptions& o, const StudyContext& context) {
  const bool gpu = context.exec.backend == Backend::cuda;
  const std::string here = gpu ? "GPU" : "CPU threads in use";
  Report report(context, "Time of the numbers of lrand48() (van Meel et al. 2008, figure 5)",
                {"numbers", "streams", "C library (s)", "CPU core 64-bit (s)", here + " (s)",
                 "core over library", "paper: core over library", here + " over library",
                 "paper: GPU over library", here + " over core", "paper: GPU over core", "equal"});
  const exec::Shared exec = exec::makeExec(context.exec);
  bool allEqual = true;
  for (const std::int64_t n : o.counts) {
    common::printError(fmt::format("{} numbers", n));
    const auto count = static_cast<std::size_t>(n);
    std::vector<std::uint32_t> library(count), core(count);
    exec::Array<std::uint32_t> there(context.exec.backend, count);
    const std::size_t streams = streamsFor(o, count, context.exec);
    const double ofLibrary = medianSeconds(o.repeats, [&] {
      srand48(static_cast<long>(kSeed));
      for (std::uint32_t& x : library) x = static_cast<std::uint32_t>(lrand48());
    });
    const double ofCore = medianSeconds(o.repeats, [&] {
      const Rand48Leap step = rand48Step();
      std::uint64_t x = rand48Seed(kSeed);
      for (std::uint32_t& number : core) {
        x = step.of(x);
        number = lrand48Of(x);
      }
    });
    const double ofStreams =
        medianSeconds(o.repeats, [&] { rand48Sequence(exec, kSeed, streams, there); });
    const bool equal = library == core && library == there.get();
    allEqual = allEqual && equal;
    const bool large = n > 1000000;
    report.row({fmt::format("{}", n), fmt::format("{}", streams), shown(ofLibrary), shown(ofCore),
                shown(ofStreams), shown(ofLibrary / ofCore), "almost 4",
                shown(ofLibrary / ofStreams), large ? "150" : "less than 150",
                shown(ofCore / ofStreams), large ? "almost 40" : "-", equal ? "yes" : "no"});
  }
  report.note(
      "\"equal\": the numbers of all three are those of the library, one by one. They stay in the "
      "memory of the device, as in the paper, which compared a GeForce 8800 GTX with one core of a "
      "CPU of 2007 (section 4.2); its times stand in a figure only.");
  return allEqual ? 0 : 1;
}

}  // namespace

std::vector<Study> stepStudies() {
  return {
      makeStudy<AllPairsOptions>(
          {.name = "all-pairs",
           .about =
               "time of a step of all-pairs molecular dynamics against the number of particles "
               "(van Meel et al. 2008, figure 3)",
           .onCpu = {{"sizes", "256,500,1000,2000"}}},
          runAllPairs),
      makeStudy<CellOptions>(
          {.name = "cell-lists",
           .about = "time of a step with placeholder cells against density and number of particles "
                    "(van Meel et al. 2008, figure 4)",
           .notes = "CPU core: plain cells with linked lists, every pair once, one thread.",
           .onCpu = {{"sizes", "1000,4000"}, {"steps", "20"}}},
          runCells),
      makeStudy<RandomOptions>(
          {.name = "rand48",
           .about =
               "time of the numbers of lrand48() by the C library, a CPU core and many streams "
               "(van Meel et al. 2008, figure 5)",
           .onCpu = {{"counts", "10240,102400,1024000"}}},
          runRandomNumbers)};
}

}  // namespace cellscope::reproduce
