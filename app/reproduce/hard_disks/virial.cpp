#include "app/reproduce/hard_disks/virial.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "app/reproduce/hard_disks/states.h"
#include "sim/base/error.h"
#include "sim/core/hard_disk_eos.h"

namespace cellscope::reproduce {
namespace {

// Small enough for the slowest waves of density, which a start from a lattice lacks, to appear
// within the equilibration, and that is long because of them. The 1/N term takes care of the size.
struct VirialOptions : StatesOptions {
  VirialOptions() : StatesOptions{{128}, {0.05, 0.1, 0.2, 0.3, 0.4, 0.5}, {}} {}
};
constexpr double kVirialEquilibration = 0.3;
// Sweeps; with moves this large eight make a fresh sample.
constexpr std::uint64_t kVirialEvery = 8;

// A dilute disk may move far; the denser the fluid, the less.
double moveAt(double packing) { return std::min(0.5, 0.1 / packing); }

Row columns() {
  return {"N",
          "packing",
          "sweeps per run",
          "equilibrated",
          "Z (free paths)",
          "contact fit",
          "scaled distribution",
          "series to B10, for N disks",
          "leaves out",
          "free paths minus series, in combined errors",
          "contact fit",
          "scaled distribution",
          "free paths minus Kolafa and Rottner",
          "dZ: free paths minus Padé [4/5]",
          "bound",
          "within"};
}

Row cellsOf(const State& s, const StateResult& r, const VirialComparison& c, Verdicts& verdicts) {
  const double density = densityOfPacking(s.packing);
  // Beyond its reach the series predicts nothing.
  const bool reached = hardDiskVirial(s.packing).leftOut <= kVirialBound;
  const auto judged = [&](double sigmas) {
    return reached ? verdicts.compare(sigmas, r.known()) : std::string("-");
  };
  const bool known = r.known() && std::isfinite(c.pade);
  const auto z = [&](const Mean& p) { return compact(p.value / density, p.error / density); };
  return {fmt::format("{}^2", s.side),
          fmt::format("{}", s.packing),
          fmt::format("{:.3g}", static_cast<double>(r.sweeps)),
          r.verdict,
          z(r.pressure),
          z(r.contact),
          z(r.sdf),
          fmt::format("{:.6f}", c.series),
          fmt::format("{:.0e}", hardDiskVirial(s.packing).leftOut),
          judged(c.paths),
          judged(c.contact),
          judged(c.sdf),
          verdicts.compare(c.fluid, r.known()),
          std::isfinite(c.pade) ? fmt::format("{:+.1e} +- {:.1e}", c.pade, c.z.error) : "-",
          fmt::format("{:.0e}", c.padeBound),
          verdicts.require(c.bounded(), known && (c.sharp() || !c.bounded()))};
}

constexpr const char* kAboutErrors =
    "Errors are one standard error, block-averaged over the runs of both starts, combined with "
    "those of the reference: of the coefficients, and what the series leaves out counts as one "
    "more. The estimates of a state come from the same configurations. A state is judged once it "
    "is equilibrated, or stationary if only one start was requested.";

std::string aboutSeries() {
  return fmt::format(
      "Leaves out: the terms beyond B10, continued as a geometric series. The series is compared "
      "up to packing {:.2f}, where they reach {:.0e} of Z. Beyond, and everywhere in the last "
      "three columns, the Padé approximant [4/5] of the same coefficients continues it: dZ is to "
      "stay within its bound, {:.0e} up to 0.4, and is judged once {} errors of Z are smaller than "
      "the bound.",
      reachOfVirialSeries(kVirialBound), kVirialBound, kVirialBound, kAllowed);
}

constexpr const char* kAboutSize =
    "A lattice has no long-wavelength density fluctuations, but a gas has: in a large box they "
    "develop by diffusion, the slowest after about 5 N sweeps at packing 0.05. Much shorter runs, "
    "such as of many disks on a CPU, give too low values; use fewer disks (--sides).";

std::string aboutBound(const std::vector<VirialComparison>& all) {
  std::size_t within = 0, sharp = 0;
  for (const VirialComparison& c : all) within += c.within(), sharp += c.sharp();
  return fmt::format("{} of {} states are sharp enough to test the bound, and {} lie within it.",
                     sharp, all.size(), within);
}

}  // namespace

double reachOfVirialSeries(double bound) {
  double low = 0, high = 0.7;
  for (int k = 0; k < 50; ++k) {
    const double middle = (low + high) / 2;
    (hardDiskVirial(middle).leftOut < bound ? low : high) = middle;
  }
  return low;
}

VirialComparison compareVirial(const StateResult& r, double packing, std::uint64_t disks) {
  VirialComparison c;
  const double density = densityOfPacking(packing);
  const FluidPressure fluid = hardDiskFluid(packing, disks);
  const double finite = (fluid.finite - fluid.bulk) / density;  // 1/N term
  const VirialSum series = hardDiskVirial(packing);
  c.z = {r.pressure.value / density, r.pressure.error / density};
  c.series = series.z + finite;
  const double finiteError =
      std::sqrt(fluid.finiteError * fluid.finiteError - fluid.error * fluid.error) / density;
  c.seriesError = std::hypot(series.error, series.leftOut, finiteError);
  const auto away = [&](const Mean& p) {
    if (series.leftOut > kVirialBound) return std::nan("");
    return deviation(p.value / density, p.error / density, c.series, c.seriesError);
  };
  c.paths = away(r.pressure), c.contact = away(r.contact), c.sdf = away(r.sdf);
  c.fluid = deviation(r.pressure.value, r.pressure.error, fluid.finite, fluid.finiteError);
  c.pade = c.z.value - (hardDiskPade(packing) + finite);
  c.padeBound = hardDiskPadeError(packing);
  return c;
}

void checkVirialPackings(const std::vector<double>& packings) {
  for (const double packing : packings)
    if (!(packing < kPadeLimit))
      throw InputError(
          fmt::format("packing {}: the virial series is not usable from {} on; use fluid or table2",
                      packing, kPadeLimit));
}

namespace {

StatesTable tableOf(const std::vector<State>& states, const std::vector<StateResult>& results) {
  StatesTable table;
  std::vector<VirialComparison> all;
  for (std::size_t k = 0; k < states.size(); ++k) {
    const auto disks = static_cast<std::uint64_t>(states[k].n());
    const VirialComparison c = compareVirial(results[k], states[k].packing, disks);
    table.rows.push_back(cellsOf(states[k], results[k], c, table.verdicts));
    all.push_back(c);
  }
  table.notes = {aboutBound(all), kAboutErrors, aboutSeries(), kAboutSize,
                 "Series: " + hardDiskVirialSource() + "; Kolafa and Rottner: " +
                     hardDiskFluidSource() + ". All with the 1/N term of the canonical ensemble."};
  return table;
}

int run(const VirialOptions& o, const DiskContext& context) {
  checkVirialPackings(o.packings);
  const State dilute{
      .study = "virial", .sampleEvery = kVirialEvery, .equilibration = kVirialEquilibration};
  const std::vector<State> states = statesOf(dilute, o.sides, o.packings, [](double packing) {
    return Settings{{"d", moveAt(packing)}};
  });
  return reportStates(
      states, o.runs, context, "Low densities against the virial series", columns(),
      [&](const std::vector<StateResult>& results) { return tableOf(states, results); });
}

}  // namespace

std::unique_ptr<DiskStudy> virial() {
  return diskStudy<VirialOptions>(
      {.name = "virial",
       .about = "low densities: compressibility factor against the virial series, packing 0.05 to "
                "0.5",
       .notes = fmt::format("Packing fractions below {}, the limit of the series.", kPadeLimit),
       .resumes = true},
      run);
}

}  // namespace cellscope::reproduce
