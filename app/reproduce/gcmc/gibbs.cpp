// Coexistence of vapour and liquid by pairs of boxes (Gibbs ensemble, Panagiotopoulos 1987), beside
// the published densities and vapour pressures (NIST, SAT-TMMC).
#include <fmt/format.h>

#include <cmath>
#include <utility>

#include "app/common/terminal.h"
#include "app/reproduce/study.h"
#include "sim/algo/observables/fluid_reference.h"
#include "sim/algo/race/race.h"
#include "sim/base/error.h"
#include "sim/modes/gibbs/mode.h"

namespace cellscope::reproduce {
namespace {

struct GibbsOptions {
  std::int64_t pairs = 132, particles = 512;
  double coldest = 0.7, hottest = 1.2;

  void visit(auto& v) {
    v("pairs", 11, 1024, "Pairs of boxes, of eleven temperatures", pairs);
    v("particles", 256, 8192, "Particles of a pair", particles);
    v("coldest", 0.7, 1.2, "First temperature", coldest);
    v("hottest", 0.7, 1.2, "Last temperature", hottest);
  }
};

constexpr double kStep = 0.05;              // of the published temperatures
constexpr std::uint64_t kSampleEvery = 10;  // steps

void checkTemperatures(const GibbsOptions& o) {
  if (o.coldest > o.hottest)
    throw InputError("--coldest {:g} is above --hottest {:g}; allowed: 0.7 to {:g}", o.coldest,
                     o.hottest, o.hottest);
  for (const auto& [name, t] : {std::pair{"coldest", o.coldest}, {"hottest", o.hottest}})
    if (std::abs(t / kStep - std::round(t / kStep)) > 1e-6)
      throw InputError(
          "--{} {:g}: states are published at 0.70, 0.75, ... 1.20; allowed: multiples of {:g}",
          name, t, kStep);
}

std::unique_ptr<Mode> newMode(const GibbsOptions& o, const StudyContext& context) {
  std::unique_ptr<Mode> mode = context.modes("gibbs", context.exec);
  const auto steps = std::llround((o.hottest - o.coldest) / kStep);
  const std::vector<std::pair<const char*, ParameterValue>> values = {
      {"n", o.particles},          {"density", 0.2},           {"first_particles", 0.97},
      {"first_volume", 0.25},      {"temperature", o.coldest}, {"last_temperature", o.hottest},
      {"temperatures", steps + 1}, {"pairs", o.pairs},         {"tune", true}};
  for (const auto& [key, value] : values) mode->parameters().at(key).set(value);
  mode->restart();
  return mode;
}

// Until the time is over: the whole study, tuning included.
double advanceFor(Mode& mode, double seconds) {
  const common::InterruptGuard interrupt;
  const double begin = steadySeconds();
  double elapsed = 0;
  while (elapsed < seconds) {
    mode.advance(kSampleEvery);
    mode.sample();
    if (interrupt.raised()) throwStopped();
    elapsed = steadySeconds() - begin;
  }
  return elapsed;
}

Mean meanOf(const gibbs::GibbsMean& m) { return {m.value, m.error}; }

int runGibbs(const GibbsOptions& o, const StudyContext& context) {
  checkTemperatures(o);
  Report report(
      context, "Vapour and liquid in equilibrium by pairs of boxes, r_c = 3 with tail",
      {"T", "pairs", "vapour density", "NIST", "deviation", "liquid density", "NIST", "deviation",
       "vapour pressure", "NIST", "deviation", "mu of the liquid", "mu of the vapour", "NIST"});
  const std::unique_ptr<Mode> mode = newMode(o, context);
  const double elapsed = advanceFor(*mode, 60 * context.minutes);
  common::requireSound(*mode);
  const auto& gibbs = dynamic_cast<const GibbsMode&>(*mode);
  Verdicts verdicts;
  for (const gibbs::GibbsCoexistence& c : gibbs.coexistences())
    for (const PublishedCoexistence& p : publishedCoexistences(3, true)) {
      if (std::abs(p.temperature - c.temperature) > 1e-6) continue;
      const auto beside = [&](const gibbs::GibbsMean& ours, double nist) {
        // Five digits are published, without an error: half of the last one.
        const double unit = std::pow(10.0, std::floor(std::log10(nist)) - 4);
        return Row{compact(meanOf(ours)), fmt::format("{:.5g}", nist),
                   verdicts.compare(meanOf(ours), {nist, 0.5 * unit}, c.settled && c.errorsKnown)};
      };
      Row row = {fmt::format("{:.2f}", c.temperature), fmt::format("{}", c.pairs)};
      for (const Row& cells : {beside(c.density[1], p.vapour), beside(c.density[0], p.liquid),
                               beside(c.pressure, p.pressure)})
        row.insert(row.end(), cells.begin(), cells.end());
      for (const gibbs::GibbsMean& mu : c.potential) row.push_back(compact(meanOf(mu)));
      row.push_back(fmt::format("{:.4f}", p.temperature * p.lnActivity));
      report.row(row);
    }
  report.note(fmt::format("{} pairs of {} particles, {:.3g} moves in {:.1f} s: {:.3g} moves/s.",
                          o.pairs, o.particles, mode->work(), elapsed, mode->work() / elapsed));
  report.note(
      "Published: NIST Standard Reference Simulation, SAT-TMMC in a box of 512 sigma^3. Ours: each "
      "box has its own size, and means are those of the densities in it; above T = 1.1 such "
      "averages of finite boxes may differ by more than their errors. mu is not judged: it is the "
      "logarithm of a mean that rare insertions dominate.");
  report.note(
      "Errors are those of the scatter of pairs, by Student's t of few of them: a result is more "
      "than three of them away by chance in at most 0.27 % of cases.");
  report.note(verdicts.note());
  return verdicts.exitCode();
}

}  // namespace

Study gibbsCoexistence() {
  return makeStudy<GibbsOptions>(
      {.name = "gibbs",
       .about = "densities and pressure of coexistence by pairs of boxes (Gibbs ensemble) beside "
                "those of NIST",
       .notes = "--minutes 1 on a GPU; a CPU needs an hour. What fewer than four pairs of a "
                "temperature find is not judged: their scatter tells the errors.",
       .onCpu = {{"pairs", "44"}}},
      runGibbs);
}

}  // namespace cellscope::reproduce
