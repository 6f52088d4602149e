// The list of pair potentials. A new one is a file in sim/core/potentials/ (shapes:
// lennard_jones.h; with parameters of its own for each type: ScaledAttractionEntry there; with
// whole numbers and any truncation: mie.h) and its name here, with that of its form where it is
// exact; kernels, parameters, help and property tests of molecular dynamics and of grand-canonical
// chains walk the list.
#pragma once
#include <string>
#include <tuple>
#include <type_traits>
#include <vector>

#include "sim/core/potentials/colloid.h"
#include "sim/core/potentials/lennard_jones.h"
#include "sim/core/potentials/mie.h"

namespace cellscope {

// In the order of their index.
using Potentials = std::tuple<ForceShiftedEntry, TruncatedEntry, ShiftedEntry, WcaEntry,
                              ScaledAttractionEntry, MieEntry, ColloidEntry>;
inline constexpr int kPotentials = std::tuple_size_v<Potentials>;

// f(entry) for every potential.
void visitPotentials(auto&& f) {
  [&]<class... Entry>(const std::tuple<Entry...>*) {
    (f(Entry{}), ...);
  }(static_cast<const Potentials*>(nullptr));
}

inline std::vector<std::string> potentialKeys() {
  std::vector<std::string> keys;
  visitPotentials([&](auto entry) { keys.emplace_back(entry.kKey); });
  return keys;
}

// Which one T is; -1: none.
template <class T, class... Of>
constexpr int numberAmong() {
  int number = 0, found = -1;
  ((found = std::is_same_v<T, Of> ? number : found, ++number), ...);
  return found;
}
// The index of a potential.
template <class Entry>
constexpr int potentialNumber() {
  return []<class... E>(const std::tuple<E...>*) {
    return numberAmong<Entry, E...>();
  }(static_cast<const Potentials*>(nullptr));
}
constexpr int lennardJones(Truncation t) {
  return t == Truncation::plain    ? potentialNumber<TruncatedEntry>()
         : t == Truncation::energy ? potentialNumber<ShiftedEntry>()
                                   : potentialNumber<ForceShiftedEntry>();
}

// f(entry) with the potential number `index`.
void withPotentialEntry(int index, auto&& f) {
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

// The forms of the exact ones with their coefficients, side by side: all in one object, of which
// one is used at a time, named by its number.
template <class... Form>
struct PairForms : Form... {
  // f(form) of the form number `number`.
  template <int k = 0, class F>
  HOST_DEVICE auto with(int number, const F& f) const {
    if constexpr (k + 1 < sizeof...(Form))
      if (number != k) return this->template with<k + 1>(number, f);
    return f(static_cast<const std::tuple_element_t<k, std::tuple<Form...>>&>(*this));
  }
  template <class F>
  static constexpr int numberOf() {
    return numberAmong<F, Form...>();
  }
};

// Each form once; one that is missing does not compile (makeGcmcPair()).
using ExactForms = PairForms<LennardJonesForm, ScaledAttractionForm<float>, MieForm<float>>;

}  // namespace cellscope
