// Howard et al. 2016: lists of particles that are not alike. Section 4.1, figures 6 and 7: time of
// a list build in a Lennard-Jones liquid of which some particles have a longer cutoff, by standard
// cells, stencils and trees. Section 4.2, figure 8 and Table 1: colloids in a Lennard-Jones
// solvent, with lists from stencils and from trees.
#include <fmt/format.h>

#include "app/reproduce/md/md_study.h"
#include "sim/algo/lbvh/tree.h"
#include "sim/algo/neighbours/builder.h"
#include "sim/core/rng.h"

namespace cellscope::reproduce {
namespace {

// Median time of one list build, by the builder that `settings` name, for this state.
struct BuildTime {
  double seconds = 0;
  std::string how;  // what the builder chose (ListBuilder::words())
};
BuildTime buildTime(const exec::Shared& exec, const MdState& state, const PairSettings& settings,
                    std::int64_t repeats) {
  const std::unique_ptr<MdEngine> engine = makeVerlet(exec);
  prepare(*engine, state, settings);
  const double seconds = medianSeconds(repeats, [&] {
    engine->orderPart(TimedPart::built);
    engine->failure();  // waits
  });
  Lent lent;
  engine->lend(lent, false);
  const auto* const lists = lent.find<ListsLent>();
  return {seconds, lists ? lists->builder->words() : ""};
}

// 192,000 particles in a cube of side 72 at T = 1.5; r_AA = 3.
constexpr double kDensity = 192000.0 / (72.0 * 72.0 * 72.0), kTemperature = 1.5, kCutoffA = 3;

struct MixtureOptions {
  std::int64_t n = 192000;
  std::vector<double> fractions = {0.1, 0.2, 0.3, 0.4, 0.5};
  std::vector<double> cutoffs = {3, 4.5, 6, 9, 12, 18};
  std::int64_t melting = 2000;
  std::int64_t repeats = 20;
  Choice threads{0};
  double binWidth = 1;
  std::int64_t perLeaf = kParticlesPerLeaf;

  void visit(auto& v) {
    v("particles", 2000, 4e6,
      "Particles, at the density of the paper; its box, 192000, has room for the "
      "longest cutoff",
      n);
    v("fractions", 0.001, 0.999, "Fractions x_B of long cutoff", fractions);
    v("cutoffs", 3, 18, "Their cutoffs r_BB, in sigma", cutoffs);
    v("melting", 100, 1e7, "Steps from the lattice to the liquid, at T = 1.5", melting);
    v("repeats", 1, 10000, "List builds that are timed, of each method", repeats);
    v("search_threads", {"auto", "1", "2", "4", "8", "16"},
      "Threads for each particle with cells and stencils as published; auto: the fastest, "
      "on a CPU 1",
      threads);
    v("bin_width", 0.25, 3, "Nominal width of the cells of stencils, in cutoffs r_AA (section 4.1)",
      binWidth);
    v("particles_per_leaf", 1, 8, "Of trees as published", perLeaf);
  }
};

// The state with this fraction of its particles, chosen at random, of the second type.
MdState marked(MdState state, double fraction) {
  const RngKey key = hashSeed(1);
  state.type.resize(state.position.size());
  for (std::size_t i = 0; i < state.type.size(); ++i) {
    const Random4 r = draw(key, RngPurpose::test, 0, static_cast<std::uint32_t>(i), 0);
    state.type[i] = uniformOpen(r.w[0], r.w[1]) < fraction ? 1 : 0;
  }
  return state;
}

// Statements of the paper's text; its numbers are in figures only.
const char* publishedStencil(double cutoff) { return cutoff < 6 ? "about 1" : "above 1"; }
const char* publishedTree(double cutoff) { return cutoff < 6 ? "below 1" : "above 1"; }
std::string publishedBoth(double fraction, double cutoff) {
  if (cutoff < 6) return "mostly below 1";
  return cutoff > 6 && fraction < 0.3 ? "above 1" : "-";
}

int runMixture(const MixtureOptions& o, const StudyContext& context) {
  Report report(context,
                fmt::format("List build times of a binary Lennard-Jones mixture (Howard et al. "
                            "2016, figures 6 and 7), N = {}",
                            o.n),
                {"x_B", "r_BB", "cells (ms)", "stencils (ms)", "trees (ms)", "stencils over cells",
                 "paper: stencils over cells", "trees over cells", "paper: trees over cells",
                 "trees over stencils", "paper: trees over stencils", "fast cells (ms)",
                 "fast stencils (ms)", "fast trees (ms)", "threads: cells", "threads: stencils"});
  const double room = 0.5 * std::cbrt(static_cast<double>(o.n) / kDensity);
  const double longest = *std::ranges::max_element(o.cutoffs);
  if (longest > room)
    throw InputError(
        "--cutoffs {:g} does not fit into the box of {} particles: at most {:.3g}, half its side; "
        "use at least --particles {:.0f}",
        longest, o.n, room, std::ceil(kDensity * 8 * longest * longest * longest));
  const exec::Shared exec = exec::makeExec(context.exec);
  PairSettings settings;
  settings.cutoff = kCutoffA;
  settings.species.cutoff[0] = kCutoffA;
  common::printError(fmt::format("melting {} particles", o.n));
  const MdState liquid =
      equilibrated(exec, latticeState(o.n, kDensity, kTemperature), settings, kTemperature,
                   {{0.005, static_cast<std::uint64_t>(o.melting)}}, "liquid");
  settings.buffer = 0;
  settings.search.threads = o.threads.index == 0 ? 0 : 1 << (o.threads.index - 1);
  settings.search.perLeaf = static_cast<int>(o.perLeaf);
  settings.search.binWidth = o.binWidth;
  settings.species.types = 2;
  for (const double x : o.fractions)
    for (const double r : o.cutoffs) {
      settings.species.cutoff[1] = r;
      const MdState state = marked(liquid, x);
      double seconds[3] = {}, fast[3] = {};
      std::string threads[3];
      for (int m = 0; m < 3; ++m) {
        settings.method = m;
        settings.search.how = ListSearch::paper;
        const BuildTime published = buildTime(exec, state, settings, o.repeats);
        seconds[m] = published.seconds;
        threads[m] = published.how.substr(0, published.how.find(' '));
        settings.search.how = ListSearch::fast;
        fast[m] = buildTime(exec, state, settings, o.repeats).seconds;
      }
      const auto text = [](double s) { return fmt::format("{:.3g}", 1e3 * s); };
      const auto ms = [&](int m) { return text(seconds[m]); };
      const auto ratio = [&](int of, int to) {
        return fmt::format("{:.2f}", seconds[of] / seconds[to]);
      };
      report.row({fmt::format("{:g}", x), fmt::format("{:g}", r), ms(0), ms(1), ms(2), ratio(0, 1),
                  publishedStencil(r), ratio(0, 2), publishedTree(r), ratio(1, 2),
                  publishedBoth(x, r), text(fast[0]), text(fast[1]), text(fast[2]), threads[0],
                  threads[1]});
    }
  report.note(
      "Speedups as in the paper: a number above 1 means that the method named first is faster than "
      "the one named second. The paper prints its numbers, measured on a Tesla K80, in figures "
      "only; the columns \"paper\" quote its text (section 4.1).");
  report.note(
      "Times and speedups are those of the algorithms as published: with cells and stencils as "
      "many threads for each particle as in the columns \"threads\" (section 3.1; on a GPU the "
      "fastest of 1 to 16 unless --search-threads asks for a number, on a CPU 1), with trees one. "
      "The columns \"fast\" are those of the searches that this program takes by default.");
  report.note(
      "Buffer 0; the time of a build includes, every 32nd time, the sorting of the particles along "
      "a space-filling curve. Medians.");
  return 0;
}

}  // namespace

Study binaryMixture() {
  return makeStudy<MixtureOptions>(
      {.name = "binary-mixture",
       .about = "list build times of cells, stencils and trees against composition and cutoff "
                "(Howard et al. 2016, figures 6 and 7)",
       .onCpu =
           {{"particles", "20000"}, {"cutoffs", "3,6,9"}, {"melting", "200"}, {"repeats", "3"}}},
      runMixture);
}

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
    if (!hasItem(o.diameters, row.diameter)) continue;
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
