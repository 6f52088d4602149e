// Parameters of pair potentials that molecular dynamics and grand-canonical chains share.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "sim/api/parameter.h"
#include "sim/core/potentials.h"

namespace cellscope {

// Choices and words of the potentials of the list, or of the exact ones among them.
std::vector<ChoiceInfo> potentialChoices(bool exactOnly = false);
std::string potentialHelp(bool exactOnly = false);
// Number in the list of the exact one with this number among them; -1: there are fewer.
int exactPotential(std::int64_t choice);
// Keys of those whose truncation is a parameter.
std::vector<std::string> openEnded();

// Values of the parameters that potentials have of their own, of two types.
struct OwnValues {
  double of[kPotentials][kMostOwn][2];
  std::int64_t whole[kPotentials][kMostOwn];
  Choice truncation{0};

  OwnValues();
  // Those of a potential, between two particles of the first type.
  PairOfTypes ofFirst(int potential) const;
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
