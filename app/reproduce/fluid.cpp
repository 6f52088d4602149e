#include "app/reproduce/fluid.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "app/reproduce/long_runs.h"

namespace cellscope::reproduce {
namespace {

constexpr std::int64_t kSide = 256;

std::vector<std::string> columns() {
  return {"N",
          "packing",
          "sweeps per run",
          "equilibrated",
          "P* (free paths)",
          "contact fit",
          "scaled distribution",
          "published, for N disks",
          "1/N term",
          "free paths minus published",
          "in combined errors",
          "contact fit, in combined errors",
          "scaled distribution, in combined errors"};
}

std::vector<std::string> cellsOf(const State& s, const StateResult& r, const FluidComparison& c) {
  const auto number = [](const Mean& m) { return compact(m.value, m.error); };
  return {fmt::format("{}^2", s.side),
          fmt::format("{}", s.packing),
          fmt::format("{:.3g}", static_cast<double>(r.sweeps)),
          r.verdict,
          number(r.pressure),
          number(r.contact),
          number(r.sdf),
          compact(c.expected.finite, c.expected.error),
          fmt::format("{:+.1e}", c.expected.finite / c.expected.bulk - 1),
          std::isfinite(c.relative) ? fmt::format("{:+.1e} +- {:.1e}", c.relative, c.relativeError)
                                    : "-",
          judged(c.paths),
          judged(c.contact),
          judged(c.sdf)};
}

std::string aboutErrors(std::size_t states) {
  return fmt::format(
      "Errors are one standard error, block-averaged over the runs of both starts; they and the "
      "published error are combined. An unbiased estimate lies farther away than {} of them once "
      "in 370 by chance; the three of a state come from the same configurations, so at most one "
      "table in {:.0f} of this length holds a false alarm.",
      kAllowed, std::max(1.0, 370.0 / (3.0 * static_cast<double>(states))));
}

constexpr const char* kAboutSize =
    "1/N term: in the canonical ensemble Z_N = Z - (eta / 2N) d ln(Z + eta Z') / d eta, relative "
    "to "
    "the infinite system; it is contained in the published value for N disks.";

}  // namespace

FluidComparison compareFluid(const StateResult& r, double packing, std::uint64_t disks) {
  FluidComparison c;
  c.expected = hardDiskFluid(packing, disks);
  const auto away = [&](const Mean& m) {
    return deviation(m.value, m.error, c.expected.finite, c.expected.error);
  };
  c.paths = away(r.pressure), c.contact = away(r.contact), c.sdf = away(r.sdf);
  c.relative = r.pressure.value / c.expected.finite - 1;
  c.relativeError = std::hypot(r.pressure.error, c.expected.error) / c.expected.finite;
  for (const double sigmas : {c.paths, c.contact, c.sdf}) c.far += std::abs(sigmas) > kAllowed;
  return c;
}

void checkFluidPackings(const std::vector<double>& packings) {
  for (const double packing : packings)
    if (!(packing <= kFluidLimit))
      throw InputError(fmt::format(
          "packing {}: the equation of state of the fluid holds up to {:.4f}; use table2 "
          "near the transition",
          packing, kFluidLimit));
}

int fluid(const Options& o, const ExecConfig& config) {
  const std::vector<double> packings =
      o.packings.empty() ? std::vector<double>{0.30, 0.50, 0.60, 0.65, 0.67} : o.packings;
  checkFluidPackings(packings);
  const bool chosenSides = o.sides != Options().sides;
  const auto states = fluidStates("fluid", chosenSides ? o.sides : std::vector{kSide}, packings,
                                  kFluidSampleEvery, kFluidEquilibration);
  Report report(o, "fluid", "Pressure of the fluid", config, columns());
  int far = 0;
  measureStates(states, o, config, [&](const std::vector<StateResult>& results, bool last) {
    std::vector<std::vector<std::string>> rows;
    far = 0;
    for (std::size_t k = 0; k < states.size(); ++k) {
      const auto disks = static_cast<std::uint64_t>(states[k].n());
      const FluidComparison c = compareFluid(results[k], states[k].packing, disks);
      far += c.far;
      rows.push_back(cellsOf(states[k], results[k], c));
    }
    if (!last) return report.soFar(rows, "So far; the study is still running.");
    report.forget();
    for (const auto& row : rows) report.row(row);
    report.note(aboutErrors(states.size()));
    report.note(kAboutSize);
    report.note("Published: " + hardDiskFluidSource());
  });
  return far == 0 ? 0 : 1;
}

}  // namespace cellscope::reproduce
