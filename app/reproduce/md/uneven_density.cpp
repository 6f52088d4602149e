// Lists of particles with one cutoff at uneven density, from cells and from trees: what Howard et
// al. 2016 expect in section 5 and do not measure. On a GPU and on a CPU.
#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <vector>

#include "app/common/ending.h"
#include "app/common/settings.h"
#include "app/common/terminal.h"
#include "app/reproduce/md/md_study.h"
#include "app/reproduce/report.h"
#include "sim/algo/md/engine.h"
#include "sim/algo/md/pair_law.h"
#include "sim/algo/neighbours/cell_grid.h"
#include "sim/algo/race/race.h"
#include "sim/modes/md/start.h"

namespace cellscope::reproduce {
namespace {

constexpr const char* kUneven[] = {"droplets", "spinodal_2d"};  // scenarios

struct UnevenOptions {
  std::int64_t particles = 200000;
  std::int64_t steps = 20000;
  std::int64_t rounds = 20;

  template <class V>
  void visit(V& v) {
    v({.key = "particles",
       .min = 500,
       .max = 4e6,
       .help = "Particles, at the density of the scenarios droplets and spinodal_2d"},
      particles);
    v({.key = "steps",
       .min = 1,
       .max = 1e8,
       .help = "Steps in which the density becomes uneven; lists are timed before and after them"},
      steps);
    v({.key = "rounds", .min = 1, .max = 10000, .help = "List builds that are timed, in turn"},
      rounds);
  }
};

md::MdParameters parametersOf(const Scenario& scenario, std::int64_t particles) {
  md::MdParameters p;
  ParameterSet set = ParameterSet::of(p);
  for (const auto& [key, value] : scenario.parameters) set.at(key).set(value);
  p.n = particles;
  return p;
}

struct Unevenness {
  double empty = 0;  // share of the cells of the list
  std::uint32_t fullest = 0;
};
Unevenness unevennessOf(const MdState& state, const PairSettings& pair) {
  const PairTable table = pairTable(pair.potential, pair.species, pair.buffer);
  const CellGrid grid = gridFor(state.box, table.longest(), state.position.size());
  std::vector<std::uint32_t> filled(static_cast<std::size_t>(grid.count()), 0);
  const RecordBox box(state.box);
  for (const Vec3d& r : state.position)
    ++filled[static_cast<std::size_t>(grid.indexOf(box.record(r, 0)))];
  const auto empty = std::count(filled.begin(), filled.end(), 0u);
  return {static_cast<double>(empty) / grid.count(),
          *std::max_element(filled.begin(), filled.end())};
}

struct Builder {
  const char* key;
  ListSearch how;
};
constexpr Builder kBuilders[] = {{"cells", ListSearch::fast},
                                 {"tree", ListSearch::fast},
                                 {"cells", ListSearch::paper},
                                 {"tree", ListSearch::paper}};

// Medians of one list build by each of kBuilders, in turn, and their spread; 0: as the fast one.
std::vector<RaceResult> buildTimes(const exec::Shared& exec, const MdState& state,
                                   PairSettings pair, std::int64_t rounds) {
  std::vector<std::unique_ptr<MdEngine>> engines;
  std::vector<RaceCandidate> candidates;
  std::vector<std::size_t> number;
  for (std::size_t b = 0; b < std::size(kBuilders); ++b) {
    const auto& methods = listMethods();
    const auto m = std::find_if(methods.begin(), methods.end(), [&](const ListMethod& each) {
      return std::string(each.key) == kBuilders[b].key;
    });
    if (kBuilders[b].how == ListSearch::paper && !m->differs(ListSearch::paper, exec->where()))
      continue;
    pair.method = static_cast<int>(m - methods.begin()), pair.search = kBuilders[b].how;
    MdEngine* const engine = engines.emplace_back(makeVerlet(exec)).get();
    engine->setPair(pair);
    engine->upload(state);
    engine->forces();
    number.push_back(b);
    candidates.push_back({m->label, [] {},
                          [engine](std::uint64_t times) {
                            for (std::uint64_t k = 0; k < times; ++k)
                              engine->orderPart(TimedPart::built);
                            engine->failure();  // waits
                          }});
  }
  Race race(RaceRules{1, static_cast<std::size_t>(rounds), 1});
  race.begin(std::move(candidates));
  const common::InterruptGuard interrupt;
  while (race.running()) {
    race.advance(1);
    if (interrupt.raised()) throwStopped();
  }
  std::vector<RaceResult> times(std::size(kBuilders));
  for (std::size_t k = 0; k < number.size(); ++k) times[number[k]] = race.results()[k];
  return times;
}

struct Place {
  std::string name;
  exec::Shared exec;
};
// As asked for; on a CPU; on one thread of it. Each once.
std::vector<Place> placesOf(const ExecConfig& asked) {
  std::vector<Place> all;
  for (const ExecConfig& config :
       {asked, ExecConfig{Backend::cpu, asked.threads}, ExecConfig{Backend::cpu, 1}}) {
    const std::string name = common::describe(config);
    const auto same = [&](const Place& p) { return p.name == name; };
    if (std::none_of(all.begin(), all.end(), same)) all.push_back({name, exec::makeExec(config)});
  }
  return all;
}

// The state of the scenario after this number of steps.
MdState after(const exec::Shared& exec, const MdState& start, const md::MdParameters& p,
              std::int64_t steps) {
  const std::unique_ptr<MdEngine> engine = makeVerlet(exec);
  engine->setPair(p.pair());
  engine->setBath(p.bath());
  engine->upload(start);
  engine->forces();
  const common::InterruptGuard interrupt;
  constexpr std::uint64_t kAtATime = 500;
  const auto all = static_cast<std::uint64_t>(steps);
  for (std::uint64_t s = 0; s < all; s += kAtATime) {
    engine->run(p.dt, s, std::min(kAtATime, all - s), {});
    if (engine->failure()) throw RunError("the fluid blew up; use fewer --particles");
    if (interrupt.raised()) throwStopped();
  }
  MdState state = engine->download();
  state.dropDerived();
  return state;
}

int runUneven(const UnevenOptions& o, const StudyContext& context) {
  Report report(
      context,
      fmt::format("Lists of one cutoff at uneven density (Howard et al. 2016, section 5), "
                  "N = {}",
                  o.particles),
      {"scenario", "step", "empty cells (%)", "fullest cell", "where", "cells (ms)", "trees (ms)",
       "trees over cells", "cells as published (ms)", "trees as published (ms)",
       "trees over cells, as published"});
  const std::vector<Place> places = placesOf(context.exec);
  for (const char* name : kUneven) {
    const md::MdParameters p = parametersOf(common::openScenario(name), o.particles);
    MdState state = md::startState(p, [](double) {});
    for (const std::int64_t step : {std::int64_t{0}, o.steps}) {
      if (step > 0) {
        common::printError(fmt::format("{}: {} steps of {} particles", name, step, o.particles));
        state = after(places.front().exec, state, p, step);
      }
      const Unevenness uneven = unevennessOf(state, p.pair());
      for (const Place& place : places) {
        std::vector<RaceResult> t = buildTimes(place.exec, state, p.pair(), o.rounds);
        if (t[3].median == 0) t[3] = t[1];
        const auto ms = [](const RaceResult& r) {
          return fmt::format("{:.3g} ({:.1g})", 1e3 * r.median, 1e3 * r.spread);
        };
        const auto ratio = [](const RaceResult& of, const RaceResult& to) {
          return fmt::format("{:.2g}", of.median / to.median);
        };
        report.row({name, fmt::format("{}", step), fmt::format("{:.0f}", 100 * uneven.empty),
                    fmt::format("{}", uneven.fullest), place.name, ms(t[0]), ms(t[1]),
                    ratio(t[0], t[1]), ms(t[2]), ms(t[3]), ratio(t[2], t[3])});
      }
    }
  }
  report.note(
      "Speedups as in the paper: above 1 the method named first, trees, is faster. Medians of "
      "builds that are timed in turn, with their median absolute deviations: where these are not "
      "small something else kept the machine busy, and the ratios mean little. Lists have the "
      "cutoff and buffer of the scenarios; sorting of the particles is included. Rows of step 0 "
      "are "
      "the even start of the same particles. The paper "
      "expects trees to be useful where density is uneven (section 5) and has no numbers for it.");
  report.note(
      "As published: with cells n threads for each particle on a GPU and one on a CPU, with trees "
      "one. On a CPU there is one search of trees. Empty cells: of those no narrower than cutoff "
      "and buffer; there are at most as many as particles.");
  return 0;
}

}  // namespace

Study unevenDensity() {
  return makeStudy<UnevenOptions>(
      {.name = "uneven-density",
       .about = "list build times of cells and trees with one cutoff where density is "
                "uneven, on a GPU and on a CPU (Howard et al. 2016, section 5)",
       .onCpu = {{"particles", "4000"}, {"steps", "4000"}, {"rounds", "5"}}},
      runUneven);
}

}  // namespace cellscope::reproduce
