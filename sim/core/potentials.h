// The list of pair potentials. A new one is a file in sim/core/potentials/ (shape: shifted.h; with
// parameters of its own for each type: scaled_attraction.h) and its line here; kernels, parameters,
// help and property tests walk the list.
#pragma once
#include <string>
#include <tuple>
#include <vector>

#include "sim/core/potentials/colloid.h"
#include "sim/core/potentials/force_shifted.h"
#include "sim/core/potentials/scaled_attraction.h"
#include "sim/core/potentials/shifted.h"
#include "sim/core/potentials/truncated.h"
#include "sim/core/potentials/wca.h"

namespace cellscope {

// In the order of their index.
using Potentials = std::tuple<ForceShiftedEntry, TruncatedEntry, ShiftedEntry, WcaEntry,
                              ScaledAttractionEntry, ColloidEntry>;
inline constexpr int kPotentials = std::tuple_size_v<Potentials>;

// f(entry) for every potential.
template <class F>
void visitPotentials(F&& f) {
  std::apply([&](auto... entry) { (f(entry), ...); }, Potentials{});
}

inline std::vector<std::string> potentialKeys() {
  std::vector<std::string> keys;
  visitPotentials([&](auto entry) { keys.emplace_back(entry.kKey); });
  return keys;
}

// f(entry) with the potential number `index`.
template <class F>
void withPotentialEntry(int index, F&& f) {
  int number = 0;
  visitPotentials([&](auto entry) {
    if (number++ == index) f(entry);
  });
}

// f(evaluator) with the potential number `index` for points of sigma = epsilon = 1.
template <class Real, class F>
void withPotential(int index, const PairOfTypes& pair, F&& f) {
  withPotentialEntry(index, [&](auto entry) { f(decltype(entry)::template make<Real>(pair)); });
}

}  // namespace cellscope
