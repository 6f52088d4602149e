#include "app/reproduce/hard_disks/disk_study.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "sim/base/error.h"

namespace cellscope::reproduce {

namespace {

// In the second half of a run. Their error estimate has an uncertainty of 18 %: multiplied by
// kStudent, three errors are as rare as three exact standard errors (Student's t, 15 degrees of
// freedom: 3.59 for 0.27
// %).
constexpr std::size_t kBlocks = 16;
constexpr double kStudent = 1.196;

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

const ObservableSeries& seriesOf(const std::vector<ObservableSeries>& all, const std::string& id) {
  for (const ObservableSeries& s : all)
    if (s.info.id == id) return s;
  CELLSCOPE_ASSERT(!"an observable that the mode declares");
  return all.front();
}

double driftOf(const ObservableSeries& s) {
  if (s.step.empty()) return 0;
  // One interval before the first sample of the means.
  const double left = static_cast<double>(s.leftOut), epoch = static_cast<double>(s.epochStart);
  const double first = std::max(epoch, static_cast<double>(s.equilibratedFrom));
  const double begin = epoch + (first - epoch) * left / (left + 1), end = s.step.back();
  // The running means at two points give the mean of the values between
  // them.
  const std::vector<double> steps = s.step;
  const auto pointAt = [&](double step) {
    const auto at = std::ranges::lower_bound(steps, step);
    return static_cast<std::size_t>(at - steps.begin());
  };
  const auto between = [&](std::size_t i, std::size_t j) {
    const double a = s.step[i] - begin, b = s.step[j] - begin;
    return (s.mean[j] * b - s.mean[i] * a) / (b - a);
  };
  const std::size_t middle = pointAt((begin + end) / 2), last = s.step.size() - 1;
  if (middle + kBlocks > last) return 0;  // also when the average begins after the last point
  const double second = between(middle, last);
  double squares = 0;
  std::size_t from = middle;
  for (std::size_t block = 1; block <= kBlocks; ++block) {
    const std::size_t to = middle + (last - middle) * block / kBlocks;
    squares += std::pow(between(from, to) - second, 2);
    from = to;
  }
  const double error = kStudent * std::sqrt(squares / (kBlocks * (kBlocks - 1)));
  const double share = (s.step[middle] - begin) / (end - begin);
  if (!(error > 0)) return 0;
  return (second - s.mean[middle]) / (error * std::sqrt(1 + (1 - share) / share));
}

RunSummary summaryOf(const Session& session) {
  const auto all = session.history().series();
  const ObservableSeries& p = seriesOf(all, "pressure");
  const ObservableSeries& paths = seriesOf(all, "pressure_paths");
  const auto mean = [](const ObservableSeries& s) { return Mean{s.currentMean, s.currentError}; };
  RunSummary r;
  r.sweeps = session.step() - p.epochStart;
  r.samples = p.samples;
  r.contact = mean(p);
  const bool hasPaths = paths.samples > 0;
  r.pressure = hasPaths ? mean(paths) : r.contact;
  const double a = driftOf(hasPaths ? paths : p), b = driftOf(seriesOf(all, "psi6_global"));
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
  r.contact = all(&RunSummary::contact);
  r.between = deviation(r.fluid, r.crystal);
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
