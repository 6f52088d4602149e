// van Meel et al. 2008, section 2.2, figure 3: time of a step of all-pairs molecular dynamics
// against the number of particles, on a GPU and on one CPU core.
#include <fmt/format.h>

#include <cmath>
#include <vector>

#include "app/common/terminal.h"
#include "app/reproduce/md/md_study.h"
#include "app/reproduce/report.h"
#include "sim/modes/md/start.h"

namespace cellscope::reproduce {
namespace {

struct AllPairsOptions {
  std::vector<std::int64_t> sizes = {256, 500, 1000, 2000, 4000, 8000, 16000};
  double density = 0.8442;
  std::int64_t repeats = 5;

  template <class V>
  void visit(V& v) {
    v({.key = "sizes", .min = 108, .max = 262144, .help = "Numbers of particles"}, sizes);
    v({.key = "density", .min = 0.01, .max = 1.1, .help = "Density"}, density);
    v(repeatsOption("Steps that are timed"), repeats);
  }
};

double secondsPerStep(const ExecConfig& config, const MdState& state, PairKernel kernel,
                      std::int64_t repeats) {
  const std::unique_ptr<MdEngine> engine = makeAllPairs(exec::makeExec(config));
  PairSettings settings;
  settings.kernel = kernel;
  engine->setPair(settings);
  engine->upload(state);
  engine->forces();
  std::uint64_t step = 0;
  return medianSeconds(repeats, [&] {
    engine->run(0.001, step++, 1, {});
    engine->failure();  // waits
  });
}

double secondsOfPairs(const MdState& state, std::int64_t repeats) {
  PlainCore core(state, PlainPairs::all);
  return medianSeconds(repeats, [&] { core.step(0.001); });
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
          fmt::format("--sizes {} is too small for the cutoff of 2.5 at density {:g}: "
                      "at least {:.0f}",
                      n, o.density, std::ceil(125 * o.density)));
    const MdState state{cubicBox(length), md::startLattice(n, length),
                        md::maxwellVelocities(n, 1.0, 1)};
    const ExecConfig core{Backend::cpu, 1, 0};
    const double plain = secondsOfPairs(state, o.repeats);
    const double tiles = secondsPerStep(context.exec, state, PairKernel::teams, o.repeats);
    const double tunedCore = secondsPerStep(core, state, PairKernel::tuned, o.repeats);
    const double tuned = secondsPerStep(context.exec, state, PairKernel::tuned, o.repeats);
    // 2: the quadratic regime.
    const double power =
        before > 0 ? std::log(tiles / before) / std::log(static_cast<double>(n) / sizeBefore) : 0;
    report.row({fmt::format("{}", n), fmt::format("{:.3g}", plain), fmt::format("{:.3g}", tiles),
                fmt::format("{:.1f}", plain / tiles), n > 4000 ? "about 80" : "less than 80",
                before > 0 ? fmt::format("N^{:.2f}", power) : "-", fmt::format("{:.3g}", tunedCore),
                fmt::format("{:.3g}", tuned), fmt::format("{:.1f}", tunedCore / tuned)});
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

}  // namespace

Study allPairsSteps() {
  return makeStudy<AllPairsOptions>(
      {.name = "all-pairs",
       .about = "time of a step of all-pairs molecular dynamics against the number of particles "
                "(van Meel et al. 2008, figure 3)",
       .onCpu = {{"sizes", "256,500,1000,2000"}}},
      runAllPairs);
}

}  // namespace cellscope::reproduce
