#include "sim/modes/gcmc/methods/method.h"

#include <algorithm>

namespace cellscope::gcmc {

// Methods with something of their own.
constexpr struct {
  const char* key;
  std::unique_ptr<const Method> (*make)(const GcmcMethod&);
} kOwn[] = {{"all_particles", makeBlocksMethod},    {"cells", makeBlocksMethod},
            {"microcells", makeBlocksMethod},       {"microcells_many", makeBlocksMethod},
            {"speculative", makeSpeculativeMethod}, {"checkerboard", makeBoardMethod},
            {"in_order", makeInOrderMethod}};

const std::vector<std::unique_ptr<const Method>>& methods() {
  static const auto all = [] {
    std::vector<std::unique_ptr<const Method>> list;
    for (const GcmcMethod& made : gcmcMethods()) {
      const auto* const own = std::find_if(std::begin(kOwn), std::end(kOwn), [&](const auto& k) {
        return std::string(k.key) == made.key;
      });
      list.push_back(own == std::end(kOwn) ? std::make_unique<const Method>(made)
                                           : own->make(made));
    }
    return list;
  }();
  return all;
}

const Method& methodOf(const GcmcParameters& p, Backend where) {
  if (isAutomatic(p)) return *fastestMethods(p, where).front();
  return *methods()[static_cast<std::size_t>(p.method.index - 1)];
}

// Whether the start is large and dense enough for moves in flight, which work there.
static bool suitsInOrder(const GcmcParameters& p) {
  constexpr double kMany = 8000, kOfCell = 6;  // particles; draws of empty slots cost time, too
  const Box box = p.box();
  const double n = p.density * box.volume();
  if (n < kMany || p.replicas > 0 || p.oldNumber || p.ideal()) return false;
  const GcmcRules rules = makeGcmcRules(p.settings(), box);
  const auto cells = static_cast<double>(gcmcCells(box, rules.pair).allCells());
  return n >= kOfCell * cells && rules.tail <= 0;
}

std::vector<const Method*> fastestMethods(const GcmcParameters& p, Backend where) {
  const auto inOrder = [](const auto& m) { return std::string("in_order") == m->made().key; };
  if (suitsInOrder(p)) return {std::find_if(methods().begin(), methods().end(), inOrder)->get()};
  std::vector<const Method*> all;
  for (const auto& m : methods()) {
    const auto& fastest = m->made().fastest;
    if (m->made().runsOn(where) && (where == Backend::cuda ? fastest.onCuda : fastest.onCpu))
      all.push_back(m.get());
  }
  std::stable_partition(all.begin(), all.end(), [](const Method* m) { return !m->made().onHost; });
  return all;
}

void choose(GcmcParameters& p, const Method& method) {
  const auto& all = methods();
  const auto found = std::ranges::find(all, &method, [](const auto& m) { return m.get(); });
  p.method.index = found - all.begin() + 1;
}

std::vector<ChoiceInfo> methodChoices() {
  std::vector<ChoiceInfo> all = {{"auto", "automatic"}};
  for (const GcmcMethod& m : gcmcMethods()) all.emplace_back(m.key, m.label, m.formerly);
  return all;
}

std::vector<Method::Variant> Method::variants(int, Backend where) const {
  std::string name = made_.key;
  std::replace(name.begin(), name.end(), '_', ' ');
  if (made_.onHost && where == Backend::cuda) name += " (a core of the host)";
  return {{name, made_.exact ? made_.key : ""}};
}

std::string methodInWords(const Method& method, const GcmcParameters& p, Backend where) {
  std::string words = method.made().key + method.words(p, where);
  if (method.made().onHost && where == Backend::cuda) words += ", on one core of the host";
  if (p.keepFastest) words += ", the winner of a race takes over";
  return words;
}

void MethodCounts::save(BinaryWriter& w) const {
  w.value(flightsSinceSample);
  w.value(full);
  const auto all = std::bit_cast<GcmcNumbers<GcmcFlightCounts>>(flights);
  w.vector(std::vector<double>(all.begin(), all.end()));
  w.value(speculation);
}

void MethodCounts::load(BinaryReader& r) {
  flightsSinceSample = r.value<GcmcFlightCounts>("counters");
  full = r.value<std::uint64_t>("counters");
  const std::vector<double> numbers = r.vectorUpTo<double>("rounds", 1000);
  GcmcNumbers<GcmcFlightCounts> all{};
  bool known = numbers.size() == all.size();
  for (std::size_t k = 0; known && k < all.size(); ++k) {
    known = numbers[k] >= 0 && numbers[k] < 0x1p53 && numbers[k] == std::floor(numbers[k]);
    if (known) all[k] = static_cast<std::uint64_t>(numbers[k]);
  }
  if (!known) throw InputError("checkpoint: the counts of rounds are impossible");
  flights = std::bit_cast<GcmcFlightCounts>(all);
  speculation = r.value<GcmcSpeculation>("rounds of candidates");
}

}  // namespace cellscope::gcmc
