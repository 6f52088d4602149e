// Published states of the Lennard-Jones fluid at given chemical potential: vapour isotherms, and
// vapour and liquid along coexistence. From assets/reference/grand_canonical.toml.
#pragma once
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "sim/algo/observables/gcmc_reference.h"
#include "sim/algo/observables/reference_file.h"
#include "sim/core/lennard_jones.h"

namespace cellscope::test {

// A published number; NaN: not published. error: one standard error or half of the last digit,
// whichever is larger; 0: nothing is known.
struct PublishedNumber {
  double value = std::numeric_limits<double>::quiet_NaN(), error = 0;
};

struct PublishedState {
  std::string name;  // "liquid, T = 0.85"
  double temperature = 1, lnActivity = 0, cutoff = 2.5, length = 8;
  Truncation truncation = Truncation::plain;
  bool tail = false;
  double lnActivityError = 0;                 // half of its last digit
  PublishedNumber density, energy, pressure;  // energy per particle
  std::string source;
};

// Beyond, the two phases are not apart for long in a cube of side 8: critical points at 1.31 (full
// potential) and about 1.1 (force-shifted at 3).
inline constexpr double kWarmestFull = 1.05, kWarmestForce = 0.90;

inline double halfDigit(double value, std::uint64_t digits) {
  const double leading = std::floor(std::log10(std::abs(value)));
  return 0.5 * std::pow(10.0, leading + 1 - static_cast<double>(digits));
}

// One table of the file.
class StateTable {
 public:
  StateTable(const std::string& path, const toml::table& file, const char* name)
      : t_(referenceTable(path, file, name)),
        temperature_(t_.numbers("temperature")),
        digits_(t_.number("digits")) {}

  std::size_t size() const { return temperature_.size(); }
  double temperature(std::size_t k) const { return temperature_[k]; }
  PublishedNumber of(const char* key, std::size_t k) const {
    const double value = t_.numbersLike(key, temperature_)[k];
    return {value, halfDigit(value, digits_)};
  }
  // With the error that holds for the whole table.
  PublishedNumber within(const char* key, std::size_t k) const {
    PublishedNumber n = of(key, k);
    n.error = std::max(n.error, t_.real("relative_error") * std::abs(n.value));
    return n;
  }
  // With the errors published beside it.
  PublishedNumber withError(const std::string& key, std::size_t k) const {
    PublishedNumber n = of(key.c_str(), k);
    n.error = std::max(n.error, t_.numbersLike((key + "_error").c_str(), temperature_)[k]);
    return n;
  }
  PublishedState state(const char* phase, std::size_t k) const {
    PublishedState s;
    s.name = fmt::format("{}, T = {:.2f}", phase, temperature_[k]);
    s.temperature = temperature_[k];
    s.cutoff = t_.real("cutoff"), s.length = t_.real("length");
    const PublishedNumber lnZ = of("ln_activity", k);
    s.lnActivity = lnZ.value, s.lnActivityError = lnZ.error;
    s.source = t_.text("source");
    return s;
  }

 private:
  ReferenceTable t_;
  std::vector<double> temperature_;
  std::uint64_t digits_;
};

inline void addVapours(const StateTable& t, std::vector<PublishedState>& all) {
  for (std::size_t k = 0; k < t.size(); ++k) {
    PublishedState s = t.state("vapour", k);
    s.truncation = Truncation::force;
    s.density = t.within("density", k), s.pressure = t.within("pressure", k);
    all.push_back(std::move(s));
  }
}

inline void addCoexistence(const StateTable& t, bool force, std::vector<PublishedState>& all) {
  for (const std::string phase : {"vapour", "liquid"})
    for (std::size_t k = 0; k < t.size(); ++k) {
      if (t.temperature(k) > (force ? kWarmestForce : kWarmestFull) + 1e-9) continue;
      PublishedState s = t.state(("saturated " + phase).c_str(), k);
      s.truncation = force ? Truncation::force : Truncation::plain, s.tail = !force;
      const auto number = [&](const std::string& key) {
        return force ? t.withError(key, k) : t.of(key.c_str(), k);
      };
      s.density = number(phase + "_density"), s.energy = number(phase + "_energy");
      s.pressure = number("pressure");
      all.push_back(std::move(s));
    }
}

// All of them. Coexistence only where the two phases are far enough from the critical point that
// neither turns into the other in the cube. Throws InputError naming what is wrong in the file.
inline std::vector<PublishedState> publishedGcmcStates() {
  const std::string path = referencePath("grand_canonical.toml");
  const toml::table file = parseReferenceFile(path);
  std::vector<PublishedState> all;
  addVapours(StateTable(path, file, "vapour_isotherms"), all);
  addCoexistence(StateTable(path, file, "coexistence_force_shifted"), true, all);
  addCoexistence(StateTable(path, file, "coexistence"), false, all);
  return all;
}

}  // namespace cellscope::test
