// Parameters of pair potentials that molecular dynamics and grand-canonical chains share.
#pragma once
#include <algorithm>
#include <cstddef>

#include "sim/api/parameter.h"
#include "sim/core/potentials.h"

namespace cellscope {

// Choices and words of the potentials of the list, or of the exact ones among them.
inline std::vector<ChoiceInfo> potentialChoices(bool exactOnly = false) {
  std::vector<ChoiceInfo> all;
  visitPotentials([&](auto entry) {
    if (exactOnly && !entry.kExact) return;
    std::string label = entry.kKey;
    std::replace(label.begin(), label.end(), '_', '-');
    all.emplace_back(entry.kKey, label);
  });
  return all;
}
inline std::string potentialHelp(bool exactOnly = false) {
  std::string all;
  visitPotentials([&](auto entry) {
    if (!exactOnly || entry.kExact) all += std::string(entry.kKey) + ": " + entry.kHelp + ". ";
  });
  return all;
}
// Number in the list of the exact one with this number among them; -1: there are fewer.
inline int exactPotential(std::int64_t choice) {
  int number = 0, exact = 0, found = -1;
  visitPotentials([&](auto entry) {
    if (entry.kExact && exact++ == choice) found = number;
    ++number;
  });
  return found;
}
// Keys of those whose truncation is a parameter.
inline std::vector<std::string> openEnded() {
  std::vector<std::string> keys;
  visitPotentials([&](auto entry) {
    if (entry.kOpenEnd) keys.emplace_back(entry.kKey);
  });
  return keys;
}

// Values of the parameters that potentials have of their own, of two types.
struct OwnValues {
  double of[kPotentials][kMostOwn][2];
  std::int64_t whole[kPotentials][kMostOwn];
  Choice truncation{0};

  OwnValues() {
    int number = 0;
    visitPotentials([&](auto entry) {
      for (std::size_t k = 0; k < kMostOwn; ++k) {
        for (double& value : of[number][k])
          value = k < entry.kOwn.size() ? entry.kOwn[k].fallback : 1.0;
        whole[number][k] = k < entry.kWhole.size() ? entry.kWhole[k].fallback : 0;
      }
      ++number;
    });
  }
  // Those of a potential, between two particles of the first type.
  PairOfTypes ofFirst(int potential) const {
    PairOfTypes p;
    for (int k = 0; k < kMostOwn; ++k) {
      p.ownA[k] = p.ownB[k] = of[potential][k][0];
      p.whole[k] = whole[potential][k];
    }
    p.truncation = end();
    return p;
  }
  Truncation end() const { return static_cast<Truncation>(truncation.index); }

  void visit(auto v, int types) {
    int number = 0;
    visitPotentials([&](auto entry) {
      for (std::size_t k = 0; k < entry.kOwn.size(); ++k)
        for (int type = 0; type < types; ++type) {
          const OwnParameter& o = entry.kOwn[k];
          const bool first = type == 0;
          declare(v, o, entry.kKey, first ? "" : "_b", first ? "" : " of B", of[number][k][type]);
        }
      for (std::size_t k = 0; k < entry.kWhole.size(); ++k)
        declare(v, entry.kWhole[k], entry.kKey, "", "", whole[number][k]);
      ++number;
    });
    v({"truncation", "Truncation", "Pair interaction"},
      {.choices = {"cut", "shifted", {"force_shifted", "force-shifted"}},
       .help = "How the potential ends at the cutoff. cut: energy and force jump, and a tail "
               "correction is possible. shifted: the force jumps. force_shifted: energy and force "
               "go to zero.",
       .equation = "van Meel et al. 2008, eqs. (2) and (3)",
       .actsWith = {"potential", openEnded()}},
      truncation);
  }

 private:
  static void declare(auto& v, const auto& p, const char* potential, const char* suffix,
                      const char* words, auto& field) {
    const auto min = static_cast<double>(p.min), max = static_cast<double>(p.max);
    v({p.key + std::string(suffix), p.label + std::string(words),
       *suffix ? "Species" : "Pair interaction", p.symbol + std::string(*suffix ? "_B" : "")},
      {min, max, min, max},
      {.help = p.help, .equation = p.equation, .actsWith = {"potential", {potential}}}, field);
  }
};

}  // namespace cellscope
