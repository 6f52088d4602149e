#include "sim/algo/observables/fluid_reference.h"

#include <algorithm>
#include <cmath>
#include <sstream>

#include "sim/algo/observables/reference_file.h"
#include "sim/core/equations_of_state.h"

namespace cellscope {
namespace {

struct Data {
  std::string source;
  double numberError = 0, energyError = 0, pressureError = 0;
  std::vector<GrandCanonicalAverages> states;
  GrandCanonicalState coexistenceAt{};
  std::vector<PublishedCoexistence> coexistence;
  PublishedCritical critical{};
  GrandCanonicalState lnNumberAt{};
  PublishedLnNumber lnNumber;
  GrandCanonicalState ownAt{};  // computed with this program
  ReferenceValue own;
};

void loadCoexistence(const ReferenceTable& t, Data& d) {
  d.coexistenceAt = {0, 0, t.real("length"), t.real("cutoff"), true};
  const std::vector<double> temperature = t.numbers("temperature");
  const std::vector<double> vapour = t.numbersLike("vapour_density", temperature),
                            liquid = t.numbersLike("liquid_density", temperature),
                            pressure = t.numbersLike("pressure", temperature),
                            lnZ = t.numbersLike("ln_activity", temperature),
                            vapourEnergy = t.numbersLike("vapour_energy", temperature),
                            liquidEnergy = t.numbersLike("liquid_energy", temperature);
  for (std::size_t k = 0; k < temperature.size(); ++k)
    d.coexistence.push_back({temperature[k], vapour[k], liquid[k], pressure[k], lnZ[k],
                             t.text("source"), vapourEnergy[k], liquidEnergy[k]});
}

Data load() {
  const std::string path = referencePath("grand_canonical.toml");
  const toml::table file = parseReferenceFile(path);
  const ReferenceTable t = referenceTable(path, file, "truncated_with_tail");
  Data d;
  d.source = t.text("source");
  d.numberError = t.real("relative_error_of_number");
  d.energyError = t.real("relative_error_of_energy");
  d.pressureError = t.real("error_of_pressure");
  const double length = t.real("length"), cutoff = t.real("cutoff");
  const std::vector<double> temperature = t.numbers("temperature");
  const std::vector<double> lnZ = t.numbersLike("ln_activity", temperature),
                            n = t.numbersLike("particles", temperature),
                            u = t.numbersLike("energy", temperature),
                            p = t.numbersLike("pressure", temperature);
  for (std::size_t k = 0; k < temperature.size(); ++k)
    d.states.push_back({{temperature[k], lnZ[k], length, cutoff, true}, n[k], u[k], p[k]});
  loadCoexistence(referenceTable(path, file, "coexistence"), d);
  const ReferenceTable critical = referenceTable(path, file, "critical");
  d.critical = {critical.real("temperature"), critical.real("density"), critical.text("source")};
  const ReferenceTable own = referenceTable(path, file, "own");
  d.ownAt = {own.real("temperature"), own.real("ln_activity"), own.real("length"),
             own.real("cutoff"), false};
  d.own = {"particles", own.real("particles"), own.real("error"), own.text("source")};
  const ReferenceTable numbers = referenceTable(path, file, "ln_number");
  d.lnNumberAt = {numbers.real("temperature"), numbers.real("ln_activity"), numbers.real("length"),
                  numbers.real("cutoff"), true};
  d.lnNumber = {numbers.numbers("ln_p"), numbers.real("error"), numbers.text("source")};
  return d;
}

const Data& data() {
  static const Data all = load();
  return all;
}

bool same(const GrandCanonicalState& a, const GrandCanonicalState& b) {
  const auto close = [](double x, double y) { return std::abs(x - y) < 1e-6; };
  return close(a.temperature, b.temperature) && close(a.lnActivity, b.lnActivity) &&
         close(a.length, b.length) && close(a.cutoff, b.cutoff) && a.tail == b.tail;
}

// But for the activity, or the temperature as well.
bool sameFluid(const GrandCanonicalState& a, const GrandCanonicalState& b, bool temperature) {
  return same({temperature ? a.temperature : 0, 0, a.length, a.cutoff, a.tail},
              {temperature ? b.temperature : 0, 0, b.length, b.cutoff, b.tail});
}

constexpr double kMoves = 1e6;

GcmcSpeedData::Range rangeOf(const ReferenceTable& table, const char* key) {
  const std::vector<double> two = table.numbers(key);
  table.requireEqual(key, two.size(), 2);
  return {two[0], two[1]};
}

GcmcSpeedData readSpeeds() {
  const std::string path = referencePath("grand_canonical_speed.toml");
  const toml::table file = parseReferenceFile(path);
  GcmcSpeedData d;
  const ReferenceTable times = referenceTable(path, file, "times");
  d.source = times.text("source");
  d.serialHardware = times.text("serial_hardware");
  d.cudaHardware = times.text("cuda_hardware");
  d.cutoff = times.real("cutoff");
  d.particles = times.numbers("particles");
  d.serial = times.numbersLike("serial", d.particles);
  d.cuda = times.numbersLike("cuda", d.particles);
  const ReferenceTable mappings = referenceTable(path, file, "mappings");
  d.mappingSource = mappings.text("source");
  d.mappingHardware = mappings.text("hardware");
  std::istringstream names(mappings.text("names"));
  for (std::string name; names >> name;) d.mappings.push_back(name);
  d.mappingParticles = mappings.numbers("particles");
  mappings.requireEqual("speedup", mappings.rows("speedup"), d.mappingParticles.size());
  for (std::size_t k = 0; k < d.mappingParticles.size(); ++k) {
    d.speedup.push_back(mappings.numbers("speedup", k));
    mappings.requireEqual("speedup", d.speedup.back().size(), d.mappings.size());
  }
  const ReferenceTable figures = referenceTable(path, file, "figures");
  d.figureSource = figures.text("source");
  d.gtxOverNoCells = rangeOf(figures, "gtx_550_over_no_cells");
  d.gtxOverCells = rangeOf(figures, "gtx_550_over_cells");
  d.gtxOverMicrocells = rangeOf(figures, "gtx_550_over_microcells");
  d.k40OverNoCells = rangeOf(figures, "k40_over_no_cells");
  d.k40OverCells = rangeOf(figures, "k40_over_cells");
  d.k40OverMicrocellsBelow = rangeOf(figures, "k40_over_microcells");
  d.k40OverMicrocellsMillion = figures.real("k40_over_microcells_million");
  const ReferenceTable cutoffs = referenceTable(path, file, "cutoffs");
  d.cutoffSource = cutoffs.text("source");
  d.cutoffParticles = cutoffs.real("particles");
  d.cutoffVolume = cutoffs.real("volume");
  d.cutoffs = rangeOf(cutoffs, "cutoffs");
  d.overOthers = rangeOf(cutoffs, "over_others");
  return d;
}

// Index of the value nearest to n by ratio, within a factor of sqrt(2).
std::optional<std::size_t> nearest(const std::vector<double>& all, double n) {
  std::optional<std::size_t> best;
  double least = 0.5 * std::log(2.0) + 1e-9;
  for (std::size_t k = 0; k < all.size() && n > 0; ++k) {
    const double far = std::fabs(std::log(all[k] / n));
    if (far < least) best = k, least = far;
  }
  return best;
}

constexpr double kSame = 1e-6;         // of densities and cutoffs
constexpr double kExtrapolate = 0.25;  // of the distance between two states

double totalEnergy(const LennardJonesStates& s, std::size_t i) {
  return 1.5 * s.temperature[i] + s.potentialEnergy[i];
}

LennardJonesStates states(const std::string& path, const ReferenceTable& r) {
  LennardJonesStates s;
  s.potential = r.text("potential");
  s.cutoff = r.real("cutoff");
  s.density = r.real("density");
  s.particles = r.number("particles");
  s.leastParticles = r.number("least_particles");
  s.source = r.text("source");
  s.temperature = r.numbers("temperature");
  s.temperatureError = r.numbersLike("temperature_error", s.temperature);
  s.potentialEnergy = r.numbersLike("potential_energy", s.temperature);
  s.potentialEnergyError = r.numbersLike("potential_energy_error", s.temperature);
  s.pressure = r.numbersLike("pressure", s.temperature);
  s.pressureError = r.numbersLike("pressure_error", s.temperature);
  s.interpolationError = r.numbers("interpolation_error");
  r.requireEqual("interpolation_error", s.interpolationError.size(), 3);
  for (std::size_t i = 1; i < s.temperature.size(); ++i)
    if (!(totalEnergy(s, i) > totalEnergy(s, i - 1)))
      throw InputError("{}: the states of {} at density {} do not rise in energy", path,
                       s.potential, s.density);
  return s;
}

// Between the states i and i + 1; w = 0 at the first, 1 at the second.
struct Place {
  std::size_t i = 0;
  double w = 0;

  double of(const std::vector<double>& v) const { return v[i] + w * (v[i + 1] - v[i]); }
};

ReferenceValue value(const char* observable, const Place& at, const std::vector<double>& values,
                     const std::vector<double>& errors, double interpolation,
                     const std::string& source) {
  const double statistical = std::max(errors[at.i], errors[at.i + 1]);
  return {observable, at.of(values), std::hypot(statistical, interpolation), source};
}

std::vector<ReferenceValue> valuesAt(const LennardJonesStates& s, double energy) {
  if (s.temperature.size() < 2) return {};
  Place at;
  while (at.i + 2 < s.temperature.size() && energy > totalEnergy(s, at.i + 1)) ++at.i;
  const double low = totalEnergy(s, at.i), high = totalEnergy(s, at.i + 1);
  at.w = (energy - low) / (high - low);
  if (!(at.w >= -kExtrapolate && at.w <= 1 + kExtrapolate)) return {};
  const std::string source =
      fmt::format("{}, N = {}, interpolated in the total energy", s.source, s.particles);
  const std::vector<double>& more = s.interpolationError;
  return {value("temperature", at, s.temperature, s.temperatureError, more[0], source),
          value("potential", at, s.potentialEnergy, s.potentialEnergyError, more[1], source),
          value("pressure", at, s.pressure, s.pressureError, more[2], source)};
}

}  // namespace

const std::vector<GrandCanonicalAverages>& grandCanonicalData() { return data().states; }

std::vector<ReferenceValue> gcmcReferences(const GrandCanonicalState& state) {
  const Data& d = data();
  for (const GrandCanonicalAverages& a : d.states) {
    if (!same(a.at, state)) continue;
    const double volume = std::pow(a.at.length, 3), perParticle = a.energy / a.particles;
    const double dn = d.numberError, du = d.energyError;
    return {{"particles", a.particles, dn * a.particles, d.source},
            {"density", a.particles / volume, dn * a.particles / volume, d.source},
            {"energy", perParticle, du * std::abs(perParticle), d.source + ", <U>/<N>"},
            {"total_energy", a.energy, du * std::abs(a.energy), d.source},
            {"pressure", a.pressure, d.pressureError, d.source + ", T ln Xi / V"}};
  }
  if (same(d.ownAt, state)) return {d.own};
  return {};
}

std::vector<ReferenceValue> gcmcReferencesOfLarger(const GrandCanonicalState& state) {
  constexpr double kThin = 0.1, kDense = 0.5;  // density: between them sides round the averages
  std::vector<ReferenceValue> all;
  for (const GrandCanonicalAverages& a : data().states) {
    const double density = a.particles / std::pow(a.at.length, 3);
    GrandCanonicalState there = state;
    there.length = a.at.length;
    if (!same(a.at, there) || state.length < a.at.length || (density > kThin && density < kDense))
      continue;
    for (ReferenceValue& v : gcmcReferences(there)) {
      if (v.observable == "particles" || v.observable == "total_energy") continue;
      v.source += fmt::format(", side {:g}", a.at.length);
      all.push_back(std::move(v));
    }
  }
  return all;
}

std::optional<PublishedCoexistence> publishedCoexistence(const GrandCanonicalState& state) {
  if (!sameFluid(data().coexistenceAt, state, false)) return std::nullopt;
  for (const PublishedCoexistence& c : data().coexistence)
    if (std::abs(c.temperature - state.temperature) < 1e-6) return c;
  return std::nullopt;
}

std::vector<PublishedCoexistence> publishedCoexistences(double cutoff, bool tail) {
  if (!tail || std::abs(data().coexistenceAt.cutoff - cutoff) > 1e-6) return {};
  return data().coexistence;
}

const PublishedCritical& publishedCritical() { return data().critical; }

std::optional<PublishedLnNumber> publishedLnNumber(const GrandCanonicalState& state,
                                                   std::size_t first, std::size_t last) {
  const Data& d = data();
  if (!sameFluid(d.lnNumberAt, state, true) || first > last) return std::nullopt;
  if (last >= d.lnNumber.lnP.size()) return std::nullopt;
  PublishedLnNumber out = d.lnNumber;
  const double shift = state.lnActivity - d.lnNumberAt.lnActivity;
  for (std::size_t n = 0; n < out.lnP.size(); ++n) out.lnP[n] += shift * static_cast<double>(n);
  const auto begin = out.lnP.begin() + static_cast<std::ptrdiff_t>(first),
             end = out.lnP.begin() + static_cast<std::ptrdiff_t>(last + 1);
  const double most = *std::max_element(begin, end);
  double sum = 0;
  for (auto i = begin; i != end; ++i) sum += std::exp(*i - most);
  for (double& v : out.lnP) v -= most + std::log(sum);
  return out;
}

GcmcSpeedData::Range GcmcSpeedData::k40OverMicrocells(double n) const {
  if (n <= 1e6) return k40OverMicrocellsBelow;
  return {k40OverMicrocellsMillion, k40OverMicrocellsMillion};
}

const GcmcSpeedData& gcmcSpeedData() {
  static const GcmcSpeedData data = readSpeeds();
  return data;
}

std::optional<PublishedSpeed> publishedGcmcSpeed(const std::string& what, double n) {
  const GcmcSpeedData& d = gcmcSpeedData();
  const auto time = nearest(d.particles, n);
  if (!time) return std::nullopt;
  if (what == "serial") return PublishedSpeed{kMoves / d.serial[*time], d.particles[*time]};
  const double without = kMoves / d.cuda[*time];
  if (what == "all_particles") return PublishedSpeed{without, d.particles[*time]};
  const auto column = std::find(d.mappings.begin(), d.mappings.end(), what);
  const auto row = nearest(d.mappingParticles, n);
  if (column == d.mappings.end() || !row) return std::nullopt;
  const auto k = static_cast<std::size_t>(column - d.mappings.begin());
  return PublishedSpeed{d.speedup[*row][k] * without, d.mappingParticles[*row]};
}

std::vector<ReferenceValue> equationOfState(const std::string& potential, double cutoff, bool tail,
                                            double temperature, double density) {
  const bool full = potential == "truncated" && cutoff >= 2.5;
  const bool shifted = potential == "shifted" && std::abs(cutoff - 2.5) <= kSame;
  // Critical temperatures and pressures: 1.32 and 0.13, 1.09 and 0.10. What is denser than the
  // critical fluid and at a higher pressure is beyond the liquid.
  const double critical = full ? 1.32 : 1.09, highest = full ? 0.13 : 0.10;
  if (!(full || shifted) || temperature < 0.7 || density > 1.0) return {};
  FluidState s = full ? tholEquation(temperature, density) : petsEquation(temperature, density);
  const bool vapour = density < 0.002 && temperature >= 0.75;
  const bool liquid = density > 0.5 && s.pressure > highest;
  if (!(temperature > 1.03 * critical || vapour || liquid)) return {};
  std::string source = full ? "Thol et al., J. Phys. Chem. Ref. Data 45, 023101 (2016)"
                            : "Heier et al., Mol. Phys. 116, 2083 (2018), cut and shifted at 2.5";
  if (full && !tail) {
    s.energy -= density * tailEnergy(3, cutoff);
    s.pressure -= density * density * tailPressure(3, cutoff);
    source += ", less the tail beyond the cutoff";
  }
  // How far the equations are from simulations of liquids.
  const double energyError = full ? 0.003 + (tail ? 0 : 0.02 * density) : 0.01 * std::abs(s.energy);
  const double pressureError =
      full ? 0.003 + (tail ? 0 : 0.02 * density) : 0.02 * s.pressure + 0.002;
  return {{"potential", s.energy, energyError, source},
          {"pressure", s.pressure, pressureError, source}};
}

std::vector<LennardJonesStates> loadLennardJonesData(const std::string& path) {
  const toml::table file = parseReferenceFile(path);
  std::vector<LennardJonesStates> all;
  for (const ReferenceTable& r : referenceTables(path, file, "fluid"))
    all.push_back(states(path, r));
  return all;
}

const std::vector<LennardJonesStates>& lennardJonesData() {
  static const auto data = loadLennardJonesData(referencePath("lennard_jones.toml"));
  return data;
}

std::vector<ReferenceValue> lennardJonesReferences(const std::string& potential, double cutoff,
                                                   double density, std::uint64_t n,
                                                   double totalEnergy) {
  for (const LennardJonesStates& s : lennardJonesData())
    if (s.potential == potential && std::abs(s.cutoff - cutoff) <= kSame &&
        std::abs(s.density - density) <= kSame && n >= s.leastParticles)
      return valuesAt(s, totalEnergy);
  return {};
}

std::vector<ReferenceValue> lennardJonesAtPressure(const std::string& potential, double cutoff,
                                                   std::uint64_t n, double temperature,
                                                   double pressure) {
  for (const LennardJonesStates& s : lennardJonesData())
    for (std::size_t i = 0; i < s.temperature.size(); ++i)
      if (s.potential == potential && std::abs(s.cutoff - cutoff) <= kSame &&
          n >= s.leastParticles &&
          std::abs(s.temperature[i] - temperature) <= 3 * s.temperatureError[i] &&
          std::abs(s.pressure[i] - pressure) <= 3 * s.pressureError[i])
        return {{"density", s.density, 0, s.source + ", at this pressure"},
                {"pressure", s.pressure[i], s.pressureError[i], s.source}};
  return {};
}

}  // namespace cellscope
