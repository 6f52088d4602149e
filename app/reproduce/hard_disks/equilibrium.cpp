#include "app/reproduce/hard_disks/equilibrium.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "app/reproduce/drift.h"

namespace cellscope::reproduce {
namespace {

// Mean over independent runs. With several, the error is at least that of their scatter.
Mean over(const std::vector<RunSummary>& runs, Mean RunSummary::*which) {
  if (runs.empty()) return {std::nan(""), std::nan("")};
  const auto n = static_cast<double>(runs.size());
  double mean = 0, block2 = 0, scatter2 = 0;
  for (const RunSummary& r : runs) {
    mean += (r.*which).value / n;
    block2 += (r.*which).error * (r.*which).error / (n * n);
  }
  for (const RunSummary& r : runs) scatter2 += std::pow((r.*which).value - mean, 2);
  if (runs.size() > 1) scatter2 /= n * (n - 1);
  return {mean, std::sqrt(runs.size() > 1 ? std::max(block2, scatter2) : block2)};
}

void judge(StateResult& r, std::uint64_t samples) {
  if (samples < kLeastSamples || !std::isfinite(r.pressure.error))
    r.verdict = "no: too few samples";
  else if (std::abs(r.between) > kAllowed)
    r.verdict = "no: the starts differ";
  else if (std::abs(r.drift) > kAllowed)
    r.verdict = "no: still drifting";
  else if (std::isnan(r.between))
    r.atRest = true, r.verdict = "unknown: one start only";
  else
    r.equilibrated = true, r.verdict = "yes";
}

Mean minus(const Mean& a, const Mean& b) {
  return {a.value - b.value, std::hypot(a.error, b.error)};
}

}  // namespace

RunSummary summaryOf(const Session& session) {
  const auto all = session.history().series();
  const ObservableSeries& p = seriesOf(all, "pressure");
  const ObservableSeries& paths = seriesOf(all, "pressure_paths");
  const ObservableSeries& psi = seriesOf(all, "psi6_global");
  const auto mean = [](const ObservableSeries& s) { return Mean{s.currentMean, s.currentError}; };
  RunSummary r;
  r.sweeps = session.step() - p.epochStart;
  r.samples = p.samples;
  r.contact = mean(p), r.sdf = mean(seriesOf(all, "pressure_sdf")), r.psi6 = mean(psi);
  const bool hasPaths = paths.samples > 0;
  r.pressure = hasPaths ? mean(paths) : r.contact;
  const double a = driftOf(hasPaths ? paths : p), b = driftOf(psi);
  r.drift = std::abs(a) > std::abs(b) ? a : b;
  return r;
}

StateResult resultOf(const std::vector<RunSummary>& fluid, const std::vector<RunSummary>& crystal,
                     const std::vector<RunSummary>& coexistence) {
  StateResult r;
  std::uint64_t fewest = ~0ull, samples = ~0ull;
  for (const auto* runs : {&fluid, &crystal, &coexistence})
    for (const RunSummary& s : *runs) {
      fewest = std::min(fewest, s.sweeps);
      samples = std::min(samples, s.samples);
      if (std::abs(s.drift) > std::abs(r.drift)) r.drift = s.drift;
    }
  r.sweeps = fewest == ~0ull ? 0 : fewest;
  const auto all = [&](Mean RunSummary::*which) {
    return weighted(weighted(over(fluid, which), over(crystal, which)), over(coexistence, which));
  };
  r.fluid = over(fluid, &RunSummary::pressure), r.crystal = over(crystal, &RunSummary::pressure);
  r.coexistence = over(coexistence, &RunSummary::pressure);
  r.contact = all(&RunSummary::contact), r.sdf = all(&RunSummary::sdf);
  r.between = deviation(r.fluid.value, r.fluid.error, r.crystal.value, r.crystal.error);
  r.pressure = all(&RunSummary::pressure);
  judge(r, samples);
  return r;
}

Mean difference(const StateResult& a, const StateResult& b) {
  return weighted(weighted(minus(a.fluid, b.fluid), minus(a.crystal, b.crystal)),
                  minus(a.coexistence, b.coexistence));
}

Row columnsOfState(bool twoPhases) {
  Row columns = {"P* from the fluid", "P* from the crystal", "starts differ by"};
  if (twoPhases) columns = {"P* from two phases"};
  for (const char* c : {"halves differ by", "sweeps per run", "equilibrated", "P*", "contact fit"})
    columns.push_back(c);
  return columns;
}

Row cellsOf(const StateResult& r, bool twoPhases) {
  Row cells = {compact(r.fluid), compact(r.crystal), signedText(r.between)};
  if (twoPhases) cells = {compact(r.coexistence)};
  for (const std::string& cell :
       {signedText(r.drift), fmt::format("{:.3g}", static_cast<double>(r.sweeps)), r.verdict,
        r.known() ? compact(r.pressure) : "-", compact(r.contact)})
    cells.push_back(cell);
  return cells;
}

}  // namespace cellscope::reproduce
