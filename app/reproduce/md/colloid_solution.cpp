// Howard et al. 2016, section 4.2, figure 8 and Table 1: colloids in a Lennard-Jones solvent, with
// lists from stencils and from trees.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "app/common/terminal.h"
#include "app/reproduce/md/md_study.h"
#include "sim/algo/md/engine.h"
#include "sim/modes/md/start.h"

namespace cellscope::reproduce {
namespace {

struct Printed {
  double diameter, fraction;
  std::int64_t colloids, solvent;
  double length, listSpeedup, totalSpeedup;
};
// Table 1.
constexpr Printed kTable[] = {
    {5, 0.1, 500, 158517, 68.9, 2.1, 1.5},    {5, 0.2, 1000, 123267, 68.9, 2.1, 1.5},
    {10, 0.1, 250, 665540, 109.4, 4.1, 2.1},  {10, 0.2, 500, 548740, 109.4, 4.1, 2.0},
    {20, 0.1, 100, 2176957, 161.2, 8.2, 3.6}, {20, 0.2, 200, 1841931, 161.2, 8.0, 3.3}};
constexpr double kColloidTemperature = 1, kTimeStep = 0.005;

struct ColloidOptions {
  std::vector<double> diameters = {5, 10, 20};
  double share = 1;
  std::int64_t equilibration = 2000;
  std::int64_t steps = 25000;
  double buffer = 1;
  Choice search{1};
  std::int64_t repeats = 10;

  void visit(auto& v) {
    v("diameters", 5, 20, "Colloid diameters a of Table 1: 5, 10, 20", diameters);
    v("share", 0.001, 1, "Share of the colloids of Table 1, in a box that is smaller accordingly",
      share);
    v("equilibration", 10, 1e7,
      "Steps with a Langevin thermostat of the solvent alone, and then of the solution",
      equilibration);
    v("steps", 1, 1e7, "Steps at constant energy that are timed", steps);
    v("buffer", 0.1, 3, "Buffer of the lists, in sigma", buffer);
    v("search", {"fast", "paper"},
      "How lists are built: with the fastest search of this program, or as published, n threads "
      "for each particle with stencils and one with trees",
      search);
    v("repeats", 1, 10000, "List builds that are timed, of each method", repeats);
  }
};

// As in the paper: the solvent alone is equilibrated; colloids are dispersed at random, and solvent
// within 5 % of the distance of contact is deleted; then both together.
MdState dispersed(const exec::Shared& exec, const md::MdParameters& p, const ColloidOptions& o) {
  md::MdParameters alone = p;
  alone.system.index = static_cast<std::int64_t>(md::System::pure);
  alone.potential.index = p.law();  // between points as beside colloids
  alone.n = std::llround(p.density * p.box().volume());
  alone.density = static_cast<double>(alone.n) / p.box().volume();
  MdState solvent = md::startState(alone, [](double) {});
  solvent.box = p.box();  // but for rounding the same
  const auto all = static_cast<std::uint64_t>(o.equilibration);
  const std::vector<Steps> steps = {{0.2 * kTimeStep, all / 2}, {kTimeStep, all - all / 2}};
  solvent = equilibrated(exec, solvent, alone.pair(), kColloidTemperature, steps, "solvent");
  MdState state = md::dispersed(p, solvent.position);
  const SpeciesTable species = p.species();
  state.velocity =
      md::maxwellVelocities(static_cast<std::int64_t>(state.position.size()), kColloidTemperature,
                            1, 3, md::Masses{state.type, species});
  return equilibrated(exec, state, p.pair(), kColloidTemperature, steps, "solution");
}

struct Timed {
  double build = 0;            // seconds, of one list
  double list = 0, total = 0;  // of all steps
  std::uint64_t builds = 0;
  std::size_t bytes = 0;  // of the engine, at the end
  std::string how;        // what the builder chose
};
Timed timed(const exec::Shared& exec, const MdState& state, PairSettings settings, int method,
            const ColloidOptions& o) {
  settings.method = method, settings.search.how = static_cast<ListSearch>(o.search.index);
  const std::unique_ptr<MdEngine> engine = makeVerlet(exec);
  prepare(*engine, state, settings);
  const auto steps = static_cast<std::uint64_t>(o.steps);
  const std::uint64_t before = engine->history().builds;
  Timed t;
  bool first = true;  // medianSeconds() begins with a call that does not count
  t.total = medianSeconds(1, [&] {
    engine->run(kTimeStep, first ? 0 : 10, first ? 10 : steps, {});
    if (engine->failure()) throw RunError("the run blew up");
    first = false;
  });
  t.builds = engine->history().builds - before;
  t.bytes = engine->bytes();
  const BuildTime one = buildTime(exec, state, settings, o.repeats);
  t.build = one.seconds, t.how = one.how;
  t.list = static_cast<double>(t.builds) * t.build;
  return t;
}

std::string gibibytes(std::size_t bytes) {
  return fmt::format("{:.3f}", static_cast<double>(bytes) / (1 << 30));
}

int runColloids(const ColloidOptions& o, const StudyContext& context) {
  Report report(context, "Colloid solution (Howard et al. 2016, figure 8 and Table 1)",
                {"a", "phi", "N_C", "N_S", "paper: N_S", "L", "paper: L", "lists by stencils (s)",
                 "lists by trees (s)", "all with stencils (s)", "all with trees (s)", "builds",
                 "list speedup", "paper: list speedup", "total speedup", "paper: total speedup",
                 "memory predicted (GiB)", "engine used (GiB)", "stencils searched by"});
  const exec::Shared exec = exec::makeExec(context.exec);
  bool any = false;
  for (const Printed& row : kTable) {
    if (std::ranges::find(o.diameters, row.diameter) == o.diameters.end()) continue;
    any = true;
    md::MdParameters p;
    p.system.index = static_cast<std::int64_t>(md::System::colloids);
    p.method.index = 3;  // trees
    p.density = 0.6, p.cutoff = 3, p.temperature = kColloidTemperature;
    p.buffer = o.buffer, p.search = o.search;
    p.colloidDiameter = row.diameter, p.colloidFraction = row.fraction;
    p.colloids =
        std::max<std::int64_t>(1, std::llround(o.share * static_cast<double>(row.colloids)));
    const double least = 2 * p.largestCutoff();
    if (p.length() < least)
      throw InputError(
          "--share {:g} leaves {} colloids of diameter {:g} in a box of side {:.3g}, less than "
          "twice their cutoff, {:.3g}: use a larger --share",
          o.share, p.colloids, row.diameter, p.length(), least);
    p.n = md::expectedParticles(p);
    md::checkMemory(p, context.exec);
    common::printError(fmt::format(
        "{} colloids of diameter {:g}, phi = {:g}: about {} particles, predicted memory {} GiB",
        p.colloids, row.diameter, row.fraction, p.n,
        gibibytes(md::memoryNeed(p, context.exec).running)));
    const MdState state = dispersed(exec, p, o);
    p.n = static_cast<std::int64_t>(state.position.size());
    const Timed stencils = timed(exec, state, p.pair(), 1, o),
                trees = timed(exec, state, p.pair(), 2, o);
    const auto solvent = static_cast<std::int64_t>(state.position.size()) - p.colloids;
    const bool whole = o.share == 1;
    report.row({fmt::format("{:g}", row.diameter), fmt::format("{:g}", row.fraction),
                fmt::format("{}", p.colloids), fmt::format("{}", solvent),
                whole ? fmt::format("{}", row.solvent) : "-", fmt::format("{:.1f}", p.length()),
                whole ? fmt::format("{:.1f}", row.length) : "-",
                fmt::format("{:.3g}", stencils.list), fmt::format("{:.3g}", trees.list),
                fmt::format("{:.3g}", stencils.total), fmt::format("{:.3g}", trees.total),
                fmt::format("{}", stencils.builds),
                fmt::format("{:.2f}", stencils.build / trees.build),
                fmt::format("{:.3g}", row.listSpeedup),
                fmt::format("{:.2f}", stencils.total / trees.total),
                fmt::format("{:.3g}", row.totalSpeedup),
                gibibytes(md::memoryNeed(p, context.exec).running), gibibytes(trees.bytes),
                stencils.how.empty() ? "-" : stencils.how});
  }
  if (!any) throw InputError("--diameters names none of Table 1: 5, 10 and 20");
  report.note(fmt::format(
      "Times of {} steps; the paper timed 25,000 on a Tesla K80, in which lists were built 1,200 "
      "to 1,400 times with a buffer of 1. Time of the lists: number of builds times the median "
      "time of one; their speedup: that of one build. Colloids keep 0.6 sigma apart, so that the "
      "shells around them overlap less and a little more solvent is deleted than in the paper. "
      "Memory: of the run with trees, and on a CPU of a copy of the state. Lists are built {}.",
      o.steps,
      o.search.index == 0
          ? "with the fastest search of this program (--search fast)"
          : "with the algorithms as published (--search paper): stencils by n threads for each "
            "particle (section 3.1; on a GPU the fastest number), trees by one"));
  return 0;
}

}  // namespace

Study colloidSolution() {
  return makeStudy<ColloidOptions>(
      {.name = "colloids",
       .about = "run times of a colloid solution with stencils and trees (Howard et al. 2016, "
                "figure 8 and Table 1)",
       .onCpu = {{"diameters", "5"}, {"share", "0.1"}, {"steps", "100"}, {"equilibration", "200"}}},
      runColloids);
}

}  // namespace cellscope::reproduce
