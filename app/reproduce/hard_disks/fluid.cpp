#include "app/reproduce/hard_disks/fluid.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "app/reproduce/hard_disks/states.h"
#include "sim/base/error.h"

namespace cellscope::reproduce {
namespace {

struct FluidOptions : StatesOptions {
  FluidOptions() : StatesOptions{{256}, {0.30, 0.50, 0.60, 0.65, 0.67}, {}} {}
};

Row columns() {
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

Row cellsOf(const State& s, const StateResult& r, const FluidComparison& c, Verdicts& verdicts) {
  return {fmt::format("{}^2", s.side),
          fmt::format("{}", s.packing),
          fmt::format("{:.3g}", static_cast<double>(r.sweeps)),
          r.verdict,
          compact(r.pressure),
          compact(r.contact),
          compact(r.sdf),
          compact(c.expected.finite, c.expected.finiteError),
          fmt::format("{:+.1e}", c.expected.finite / c.expected.bulk - 1),
          std::isfinite(c.relative) ? fmt::format("{:+.1e} +- {:.1e}", c.relative, c.relativeError)
                                    : "-",
          verdicts.compare(c.paths, r.known()),
          verdicts.compare(c.contact, r.known()),
          verdicts.compare(c.sdf, r.known())};
}

constexpr const char* kAboutErrors =
    "Errors are one standard error, block-averaged over the runs of both starts; they and the "
    "published error are combined. The three estimates of a state use the same configurations. A "
    "state is judged once it is equilibrated, or stationary if only one start was requested.";

constexpr const char* kAboutSize =
    "1/N term: in the canonical ensemble Z_N = Z - (eta / 2N) d ln(Z + eta Z') / d eta, relative "
    "to the infinite system; it is included in the published value for N disks, and its own "
    "uncertainty in the error.";

}  // namespace

FluidComparison compareFluid(const StateResult& r, double packing, std::uint64_t disks) {
  FluidComparison c;
  c.expected = hardDiskFluid(packing, disks);
  const auto away = [&](const Mean& m) {
    return deviation(m.value, m.error, c.expected.finite, c.expected.finiteError);
  };
  c.paths = away(r.pressure), c.contact = away(r.contact), c.sdf = away(r.sdf);
  c.relative = r.pressure.value / c.expected.finite - 1;
  c.relativeError = std::hypot(r.pressure.error, c.expected.finiteError) / c.expected.finite;
  return c;
}

void checkFluidPackings(const std::vector<double>& packings) {
  for (const double packing : packings)
    if (!(packing <= kFluidLimit))
      throw InputError(
          fmt::format("packing {}: the equation of state of the fluid is valid up to {:.4f}; use "
                      "table2 near the transition",
                      packing, kFluidLimit));
}

namespace {

int run(const FluidOptions& o, const DiskContext& context) {
  checkFluidPackings(o.packings);
  const State inTheFluid{
      .study = "fluid", .sampleEvery = kFluidSampleEvery, .equilibration = kFluidEquilibration};
  const std::vector<State> states = statesOf(inTheFluid, o.sides, o.packings);
  const auto tableOf = [&](const std::vector<StateResult>& results) {
    StatesTable table;
    for (std::size_t k = 0; k < states.size(); ++k) {
      const auto disks = static_cast<std::uint64_t>(states[k].n());
      const FluidComparison c = compareFluid(results[k], states[k].packing, disks);
      table.rows.push_back(cellsOf(states[k], results[k], c, table.verdicts));
    }
    table.notes = {kAboutErrors, kAboutSize, "Published: " + hardDiskFluidSource()};
    return table;
  };
  return reportStates(states, o.runs, context, "Pressure of the fluid", columns(), tableOf);
}

}  // namespace

std::unique_ptr<DiskStudy> fluid() {
  return diskStudy<FluidOptions>(
      {.name = "fluid",
       .about = "pressure of the fluid, with fast relaxation, by three estimators (Kolafa and "
                "Rottner 2006)",
       .notes = fmt::format("Packing fractions up to {:.3f}, where the equation of state ends.",
                            kFluidLimit),
       .resumes = true},
      run);
}

}  // namespace cellscope::reproduce
