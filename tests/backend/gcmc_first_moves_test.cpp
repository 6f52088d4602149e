// The first 10^5 moves of every method, mapping and option that makes the serial chain, decision by
// decision: kind, particle, places, energy change and outcome of each move, and the state after
// the last one. There is no difference to explain: pair energies are multiples of a quantum, so
// that sums in any order have the same bits (sim/core/gcmc_pair.h). Moves in flight have a serial
// chain of their own, which chooses particles by place.
//
// Emulated blocks take long on a CPU: 2000 moves there, and all 10^5 with CELLSCOPE_LONG_RUN set:
//   CELLSCOPE_LONG_RUN=1 backend_tests --gtest_filter='*GcmcFirstMoves*'
#include <cstdlib>

#include "sim/algo/gcmc/work.h"
#include "tests/support/backend_test.h"
#include "tests/support/gcmc_states.h"
#include "tests/support/plain_slot_chain.h"

namespace cellscope::test {
namespace {

constexpr std::uint64_t kFirstMoves = 100000, kEmulatedMoves = 2000;

// A method with one of its mappings or options.
struct Variant {
  std::string method, what;
  GcmcOptions options;
};

// All on a backend: every mapping, microcells beyond the cutoff skipped and read, chosen and fixed
// numbers of candidates.
std::vector<Variant> variantsOn(Backend where, int dimension) {
  std::vector<Variant> all;
  for (const GcmcMethod* m : gcmcExactMethodsOn(where)) {
    const std::string key = m->key;
    if (key == "serial") continue;
    if (key == "cells") {
      for (std::size_t row = 0; row < gcmcMappings(dimension).size(); ++row)
        all.push_back({key, gcmcMappings(dimension)[row].key, {.mapping = static_cast<int>(row)}});
      continue;
    }
    all.push_back({key, "", {}});
    if (key.rfind("microcells", 0) == 0)
      all.push_back({key, "those beyond the cutoff read", {.skipBeyond = false}});
    if (key == "speculative") all.push_back({key, "7 candidates", {.candidates = 7}});
  }
  return all;
}

class GcmcFirstMoves : public BackendTestOf<int> {
 protected:
  GcmcFirstMoves() {
    settings_.tail = true;
    rules_ = makeGcmcRules(settings_, start_.box);
  }
  static int dimension() { return value(); }
  // All the moves are kept.
  std::unique_ptr<GcmcEngine> behind(const Variant& v, Backend on, std::uint64_t moves) const {
    auto e = makeGcmcEngine(v.method, exec::makeExec({.backend = on, .threads = 2}), v.options);
    e->record(moves + 1000);  // moves in flight are made in whole turns
    e->upload(start_, rules_);
    e->advance(moves);
    return e;
  }
  static void expectSameEnd(const GcmcEngine& serial, const GcmcEngine& e) {
    expectSameState(e.state(), serial.state());
    EXPECT_EQ(e.energy(), serial.energy());
    EXPECT_EQ(e.energy(), e.sums().energy);
  }

  const GcmcState start_ =
      dimension() == 3 ? gcmcLattice(cubicBox(8), 0.65) : gcmcLattice(squareBox(13), 0.6);
  GcmcSettings settings_ = dimension() == 3 ? gcmcFluid(1.2, std::exp(-2.5)) : gcmcFluid(0.7, 0.1);
  GcmcRules rules_{};
};

TEST_P(GcmcFirstMoves, AreThoseOfTheSerialChain) {
  const bool all = where() == Backend::cuda || std::getenv("CELLSCOPE_LONG_RUN") != nullptr;
  const auto serial = behind({"serial", "", {}}, Backend::cpu, kFirstMoves);
  const std::vector<GcmcEvent> right = serial->events();
  ASSERT_EQ(right.size(), kFirstMoves);
  EXPECT_GT(
      std::count_if(right.begin(), right.end(), [](const GcmcEvent& m) { return m.accepted; }),
      5000);
  for (const Variant& v : variantsOn(where(), dimension())) {
    SCOPED_TRACE(v.method + " " + v.what);
    const bool quick = v.method == "serial_cells" || v.method == "speculative";
    const std::uint64_t moves = all || quick ? kFirstMoves : kEmulatedMoves;
    const auto e = behind(v, where(), moves);
    expectSameEvents({right.begin(), right.begin() + static_cast<std::ptrdiff_t>(moves)},
                     e->events());
    if (moves == kFirstMoves) expectSameEnd(*serial, *e);
    if (HasFailure()) return;
  }
}

// The plain chain by slot, its serial loop, and the moves in flight.
TEST_P(GcmcFirstMoves, OfTheChainBySlotToo) {
  const auto serial = behind({"in_order", "", {.movesInFlight = 1}}, Backend::cpu, kFirstMoves);
  const std::uint64_t made = serial->state().move;
  EXPECT_GE(made, kFirstMoves);
  PlainSlotChain plain(start_, rules_, 24);
  plain.advance(made);
  expectSameState(serial->state(), plain.state(start_.box));
  for (const int inFlight : {0, 37}) {
    SCOPED_TRACE(inFlight);
    const auto e = behind({"in_order", "", {.movesInFlight = inFlight}}, where(), kFirstMoves);
    expectSameEvents(serial->events(), e->events());
    expectSameEnd(*serial, *e);
  }
}

INSTANTIATE_TEST_SUITE_P(All, GcmcFirstMoves, testing::Combine(kBackends, testing::Values(3, 2)),
                         [](const auto& i) {
                           return std::string(toString(std::get<0>(i.param))) +
                                  (std::get<1>(i.param) == 3 ? "InSpace" : "InThePlane");
                         });

}  // namespace
}  // namespace cellscope::test
