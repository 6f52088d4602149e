// van Meel et al. 2008, section 3.2, figure 4: time of a step with placeholder cells against
// density and number of particles, beside all pairs and neighbour lists.
#include <fmt/format.h>

#include <cmath>
#include <vector>

#include "app/common/terminal.h"
#include "app/reproduce/md/md_study.h"
#include "app/reproduce/report.h"
#include "sim/algo/placeholders/engine.h"
#include "sim/algo/verlet/engine.h"
#include "sim/modes/md/start.h"

namespace cellscope::reproduce {
namespace {

struct CellOptions {
  std::vector<std::int64_t> sizes = {1000, 4000, 16000, 64000};
  std::vector<double> densities = {0.1, 0.3, 0.5, 0.7, 1.0};
  std::int64_t slots = 32;
  double skin = 0.1;
  double buffer = 0.3;
  std::int64_t steps = 200;
  std::int64_t mostAllPairs = 16000;

  template <class V>
  void visit(V& v) {
    v({.key = "sizes", .min = 500, .max = 4e6, .help = "Numbers of particles"}, sizes);
    v({.key = "densities", .min = 0.01, .max = 1.1, .help = "Densities"}, densities);
    v({.key = "slots", .min = 1, .max = 512, .help = "Slots of a cell; 32 in the paper"}, slots);
    v({.key = "skin", .min = 0, .max = 2, .help = "By which cells exceed the cutoff, in sigma"},
      skin);
    v({.key = "buffer", .min = 0, .max = 2, .help = "Buffer of the lists, in sigma"}, buffer);
    v({.key = "steps", .min = 1, .max = 1e6, .help = "Steps that are timed together"}, steps);
    v({.key = "most_all_pairs",
       .min = 0,
       .max = 1e6,
       .help = "All pairs are timed up to this number of particles"},
      mostAllPairs);
  }
};

double secondsPerStep(AllPairsEngine& engine, const MdState& state, const PairSettings& settings,
                      std::int64_t steps) {
  engine.setPair(settings);
  engine.upload(state);
  engine.forces();
  std::uint64_t step = 0;
  const auto count = static_cast<std::uint64_t>(steps);
  return medianSeconds(3,
                       [&] {
                         engine.run(0.002, step, count, {});
                         engine.failure();  // waits
                         step += count;
                       }) /
         static_cast<double>(steps);
}

int runCells(const CellOptions& o, const StudyContext& context) {
  Report report(context, "Time of a step with placeholder cells (van Meel et al. 2008, figure 4)",
                {"N", "density", "cells along a side", "CPU core (s)", "here (s)", "speedup",
                 "paper: speedup", "lists here (s)", "all pairs here (s)",
                 "cells faster than all pairs", "paper: cells faster"});
  const exec::Shared exec = exec::makeExec(context.exec), core = exec::makeExec({Backend::cpu, 1});
  int slower = 0;
  for (const std::int64_t n : o.sizes)
    for (const double density : o.densities) {
      const double length = std::cbrt(static_cast<double>(n) / density);
      common::printError(fmt::format("{} particles at density {:g}", n, density));
      const MdState state{cubicBox(length), md::startLattice(n, length),
                          md::maxwellVelocities(n, 1.0, 1)};
      PairSettings settings;
      settings.buffer = o.buffer;
      settings.slots = static_cast<int>(o.slots), settings.skin = o.skin;
      const std::int64_t few = std::max<std::int64_t>(1, o.steps / 10);
      const double onCore = secondsPerStep(*makePlaceholders(core), state, settings, few);
      const double here = secondsPerStep(*makePlaceholders(exec), state, settings, o.steps);
      const double lists = secondsPerStep(*makeVerlet(exec), state, settings, o.steps);
      double all = 0;
      if (n <= o.mostAllPairs) all = secondsPerStep(*makeAllPairs(exec), state, settings, few);
      slower += all > 0 && all < here;
      report.row(
          {fmt::format("{}", n), fmt::format("{:g}", density),
           fmt::format("{}",
                       placeholderShape(state.position.size(), state.box, settings).grid.cells[0]),
           fmt::format("{:.3g}", onCore), fmt::format("{:.3g}", here),
           fmt::format("{:.1f}", onCore / here), density <= 0.1 ? "2" : "up to 40",
           fmt::format("{:.3g}", lists), all > 0 ? fmt::format("{:.3g}", all) : "-",
           all > 0 ? (here < all ? "yes" : "no") : "-", "yes"});
    }
  report.note(
      "As in the paper forces come directly from cells of slots, one thread each, which are "
      "brought "
      "up to date in the same pass; slots are more than asked for where cells need them. The paper "
      "finds the GPU twice as fast as a CPU core at density 0.1 and up to 40 times at higher ones, "
      "and cells faster than all pairs at all sizes and densities (section 3.2). Lists: Verlet "
      "lists from cells, for comparison.");
  report.note(fmt::format("All pairs were faster than cells in {} of the rows.", slower));
  return 0;
}

}  // namespace

std::unique_ptr<Study> cellSteps() {
  return std::make_unique<FunctionStudy<CellOptions>>(
      StudyInfo{.name = "cell-lists",
                .about = "time of a step with placeholder cells against density and number of "
                         "particles (van Meel et "
                         "al. 2008, figure 4)",
                .onCpu = {{"sizes", "1000,4000"}, {"steps", "20"}}},
      runCells);
}

}  // namespace cellscope::reproduce
