#include "sim/modes/hard_disks/tuning_study.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <complex>
#include <sstream>

#include "sim/algo/observables/autocorrelation.h"
#include "sim/modes/hard_disks/mode.h"

namespace cellscope {
namespace {

// Time spent in sweeps, and Psi6 after every sampleEvery of them.
struct Series {
  std::vector<std::complex<double>> psi6;
  double seconds = 0;
  double acceptance = 0;
};

std::size_t acceptanceColumn() {
  const auto& all = hardDisksInfo().observables;
  const auto found = std::find_if(all.begin(), all.end(),
                                  [](const ObservableInfo& o) { return o.id == "acceptance"; });
  return static_cast<std::size_t>(found - all.begin());
}

Series measure(HardDisksMode& mode, const TuningStudy& study) {
  Series s;
  mode.resetAverages();
  for (std::uint64_t done = 0; done + study.sampleEvery <= study.sweeps;
       done += study.sampleEvery) {
    const auto begin = std::chrono::steady_clock::now();
    mode.advance(study.sampleEvery);
    const std::chrono::duration<double> t = std::chrono::steady_clock::now() - begin;
    s.seconds += t.count();
    s.psi6.push_back(mode.globalPsi6());
  }
  s.acceptance = mode.sample()[acceptanceColumn()];
  return s;
}

TuningResult evaluate(const TuningSetting& setting, const TuningStudy& study, const Series& s) {
  TuningResult r;
  r.setting = setting;
  r.acceptance = s.acceptance;
  const double every = static_cast<double>(study.sampleEvery);
  r.secondsPerSweep = s.seconds / (every * static_cast<double>(s.psi6.size()));
  // Psi6 turns freely in a liquid: its mean is zero and must not be estimated from the series.
  const AutocorrelationTime t = autocorrelationTime(s.psi6, false);
  r.converged = t.converged;
  r.tauSweeps = t.tau * every;
  r.tauSweepsError = t.error * every;
  r.tauSeconds = r.tauSweeps * r.secondsPerSweep;
  r.tauSecondsError = r.tauSweepsError * r.secondsPerSweep;
  return r;
}

void checkStudy(const TuningStudy& study) {
  if (study.settings.empty())
    throw InputError("tuning study: it has no settings; give values of d and n_M");
  if (study.sampleEvery == 0 || study.sweeps / study.sampleEvery < 10)
    throw InputError(fmt::format(
        "tuning study: {} sweeps with a sample every {} are too few; at least 10 samples",
        study.sweeps, study.sampleEvery));
}

void apply(HardDisksMode& mode, const TuningSetting& setting) {
  mode.parameters().at("d").set(setting.d);
  mode.parameters().at("n_M").set(setting.nMoves);
  mode.parametersChanged({"d", "n_M"});
}

}  // namespace

std::vector<TuningSetting> allSettings(const std::vector<double>& d,
                                       const std::vector<std::int64_t>& nMoves) {
  std::vector<TuningSetting> all;
  for (const double x : d)
    for (const std::int64_t m : nMoves) all.push_back({x, m});
  return all;
}

std::vector<TuningSetting> paperSettings() {
  std::vector<TuningSetting> all;
  for (int i = 3; i <= 10; ++i) all.push_back({0.02 * i, 4});
  for (std::int64_t m = 1; m <= 8; ++m) all.push_back({0.16, m});
  return all;
}

std::vector<TuningResult> runTuningStudy(
    const TuningStudy& study, const ExecConfig& config,
    const std::function<void(std::size_t, std::size_t)>& progress) {
  checkStudy(study);
  HardDisksMode mode(config);
  mode.parameters().at("n").set(study.n);
  mode.parameters().at("packing").set(study.packing);
  mode.parameters().at("seed").set(study.seed);
  mode.parameters().at("start").set(
      mode.parameters().at("start").info.choices[static_cast<std::size_t>(study.start)]);
  mode.restart();
  mode.advance(study.equilibration);
  std::stringstream equilibrated;
  mode.save(equilibrated);
  std::vector<TuningResult> results;
  for (const TuningSetting& setting : study.settings) {
    if (progress) progress(results.size(), study.settings.size());
    equilibrated.clear();
    equilibrated.seekg(0);
    mode.load(equilibrated);
    apply(mode, setting);
    mode.advance(std::max<std::uint64_t>(study.sampleEvery, 160));  // warm up, choose the mapping
    results.push_back(evaluate(setting, study, measure(mode, study)));
  }
  return results;
}

std::string tuningTable(const std::vector<TuningResult>& results) {
  std::string table = fmt::format("{:>6} {:>4} {:>11} {:>22} {:>12} {:>24}\n", "d", "n_M",
                                  "acceptance", "tau / sweeps", "ms / sweep", "tau / s");
  const auto best =
      std::min_element(results.begin(), results.end(), [](const auto& a, const auto& b) {
        return (a.converged ? a.tauSeconds : 1e300) < (b.converged ? b.tauSeconds : 1e300);
      });
  for (auto r = results.begin(); r != results.end(); ++r)
    table += fmt::format(
        "{:>6.3f} {:>4} {:>11.4f} {:>11.1f} +- {:>7.1f} {:>12.4f} {:>11.4g} +- {:>8.2g}{}{}\n",
        r->setting.d, r->setting.nMoves, r->acceptance, r->tauSweeps, r->tauSweepsError,
        r->secondsPerSweep * 1e3, r->tauSeconds, r->tauSecondsError,
        r->converged ? "" : "  too short", r == best && r->converged ? "  best" : "");
  return table;
}

}  // namespace cellscope
