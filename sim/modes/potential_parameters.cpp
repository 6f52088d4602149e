#include "sim/modes/potential_parameters.h"

#include <algorithm>

namespace cellscope {

std::vector<ChoiceInfo> potentialChoices(bool exactOnly) {
  std::vector<ChoiceInfo> all;
  visitPotentials([&](auto entry) {
    if (exactOnly && !entry.kExact) return;
    std::string label = entry.kKey;
    std::replace(label.begin(), label.end(), '_', '-');
    all.emplace_back(entry.kKey, label);
  });
  return all;
}

std::string potentialHelp(bool exactOnly) {
  std::string all;
  visitPotentials([&](auto entry) {
    if (!exactOnly || entry.kExact) all += std::string(entry.kKey) + ": " + entry.kHelp + ". ";
  });
  return all;
}

int exactPotential(std::int64_t choice) {
  int number = 0, exact = 0, found = -1;
  visitPotentials([&](auto entry) {
    if (entry.kExact && exact++ == choice) found = number;
    ++number;
  });
  return found;
}

std::vector<std::string> openEnded() {
  std::vector<std::string> keys;
  visitPotentials([&](auto entry) {
    if (entry.kOpenEnd) keys.emplace_back(entry.kKey);
  });
  return keys;
}

OwnValues::OwnValues() {
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

PairOfTypes OwnValues::ofFirst(int potential) const {
  PairOfTypes p;
  for (int k = 0; k < kMostOwn; ++k) {
    p.ownA[k] = p.ownB[k] = of[potential][k][0];
    p.whole[k] = whole[potential][k];
  }
  p.truncation = end();
  return p;
}

}  // namespace cellscope
