#include "sim/algo/observables/gcmc_reference.h"

#include <cmath>

#include "sim/algo/observables/reference_file.h"

namespace cellscope {
namespace {

struct Data {
  std::string source;
  double numberError = 0, energyError = 0, pressureError = 0;
  std::vector<GrandCanonicalAverages> states;
};

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
  return {};
}

}  // namespace cellscope
