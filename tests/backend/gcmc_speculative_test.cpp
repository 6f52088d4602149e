// Speculative moves: any number of candidates makes the moves of the serial chain, what is
// discarded is counted, and batches that are wrong on purpose are wrong as predicted.
//
// Statistical checks: five standard errors of 40 blocks, a false alarm in 10^5 of each; there are
// six on each backend.
#include "sim/algo/gcmc/speculative.h"
#include "tests/support/backend_test.h"
#include "tests/support/gcmc_samples.h"

namespace cellscope::test {
namespace {

class GcmcSpeculative : public BackendTest {
 protected:
  std::unique_ptr<GcmcEngine> engine(
      int candidates, GcmcSpeculativeExperiment experiment = GcmcSpeculativeExperiment::none,
      int threads = 1, bool mixed = false) const {
    return makeGcmcEngine("speculative",
                          exec::makeExec({.backend = GetParam(), .threads = threads}),
                          {.candidates = candidates,
                           .speculativeExperiment = static_cast<int>(experiment),
                           .mixed = mixed});
  }
};

// Of mixtures too, with exchanges in the same batches.
TEST_P(GcmcSpeculative, AnyNumberOfCandidatesMakesTheSerialChain) {
  for (const bool mixed : {false, true}) {
    const GcmcState start = gcmcLattice(cubicBox(8.1), mixed ? 0.5 : 0.6);
    const GcmcSettings settings = mixed ? gcmcMixture(gcmcFluid()) : gcmcFluid();
    const auto serial = chainOf("serial", start, settings);
    serial->advance(2500), serial->advance(1);
    EXPECT_EQ(serial->counters().accepted[3] > 0, mixed);
    for (const int candidates : {0, 1, 2, 3, 7, 8, 17, 31, 32}) {
      SCOPED_TRACE(std::to_string(candidates) + (mixed ? ", two types" : ""));
      const auto e = engine(candidates, GcmcSpeculativeExperiment::none, mixed ? 2 : 1, mixed);
      e->upload(start, makeGcmcRules(settings, start.box));
      e->advance(2500), e->advance(1);
      expectSameRun(*serial, *e);
      const GcmcSpeculation s = e->counters().speculation;
      EXPECT_EQ(s.decided, 2501u);
      EXPECT_EQ(s.evaluated == s.decided, candidates == 1);
      if (candidates > 0) {
        EXPECT_LE(s.evaluated, s.rounds * static_cast<unsigned>(candidates));
      }
      std::uint64_t rounds = 0, moves = 0;
      for (unsigned k = 0; k <= kGcmcMostCandidates; ++k)
        rounds += s.roundsOf[k], moves += k * s.roundsOf[k];
      EXPECT_EQ(rounds, s.rounds);
      EXPECT_EQ(moves, s.decided);
    }
  }
}

// More particles than the shared memory of a block holds; candidates on several threads.
TEST_P(GcmcSpeculative, ManyParticlesToo) {
  const bool gpu = GetParam() == Backend::cuda;
  const GcmcState start = gcmcLattice(cubicBox(gpu ? 40 : 14), 0.6);
  for (const bool mixed : {false, true}) {
    SCOPED_TRACE(mixed ? "two types" : "one type");
    GcmcSettings s = gcmcFluid(1.5, 0.3);
    if (!gpu) s.cutoff = 6.9, s.tail = true;
    if (mixed) s = gcmcMixture(s, 0.9);
    const GcmcRules rules = makeGcmcRules(s, start.box);
    const std::uint64_t moves = gpu ? 20000 : 1000;
    auto many = engine(gpu ? 0 : 32, GcmcSpeculativeExperiment::none, 2, mixed);
    expectSameRun(*holding(makeGcmcEngine("serial_cells", exec::makeExec({})), start, rules, moves),
                  *holding(std::move(many), start, rules, moves));
  }
}

// About as many candidates as it takes until one is accepted; on CUDA, where those after it are
// put right, six.
TEST_P(GcmcSpeculative, CandidatesFollowTheAcceptance) {
  for (const double activity : {0.005, 0.3}) {
    const GcmcState start = gcmcLattice(cubicBox(8.1), activity < 0.1 ? 0.01 : 0.7);
    const auto e =
        holding(engine(0), start, makeGcmcRules(gcmcFluid(1.5, activity), start.box), 5000);
    e->clearCounters();
    e->advance(5000);
    const GcmcCounters c = e->counters();
    double accepted = 0;
    for (const std::uint64_t n : c.accepted) accepted += static_cast<double>(n);
    const double k =
        static_cast<double>(c.speculation.evaluated) / static_cast<double>(c.speculation.rounds);
    const double ofRound = GetParam() == Backend::cuda ? 6 : 1;
    const double wanted = std::min(ofRound * 5000 / accepted, 1.0 * kGcmcMostCandidates);
    EXPECT_GT(k, wanted / 2 - 1);
    EXPECT_LT(k, std::max(3 * wanted / 2, wanted + 9));  // a cluster evaluates 16 at a time
    EXPECT_GT(e->state().acceptance, 0.5 * accepted / 5000);
    EXPECT_LT(e->state().acceptance, 2 * accepted / 5000);
  }
}

// --- Wrong on purpose: the ideal gas, for which the wrong answers are known. ---

constexpr int kMost = 40;    // N at most, for the predictions
constexpr double kMean = 2;  // z V
constexpr double kShares[] = {0.6, 0.2, 0.2};

double insertionsAt(int n) { return kShares[1] * std::min(1.0, kMean / (n + 1)); }
double deletionsAt(int n) { return kShares[2] * std::min(1.0, n / kMean); }

Sampled sampledChain(GcmcEngine& e, std::uint64_t moves) {
  const Box box = cubicBox(3);
  GcmcSettings s = idealGas(kMean / box.volume());
  std::copy(std::begin(kShares), std::end(kShares), s.ratio);
  e.upload(emptyBox(box), makeGcmcRules(s, box));
  return sample(e, moves, 400);
}

struct Moments {
  double mean = 0, variance = 0;
};
Moments momentsOf(const std::vector<double>& weight) {
  Moments m;
  double sum = 0;
  for (double w : weight) sum += w;
  for (std::size_t n = 0; n < weight.size(); ++n)
    m.mean += static_cast<double>(n) * weight[n] / sum;
  for (std::size_t n = 0; n < weight.size(); ++n)
    m.variance += std::pow(static_cast<double>(n) - m.mean, 2) * weight[n] / sum;
  return m;
}
void expectBiased(const Sampled& found, const Moments& predicted) {
  expectNear(found.n, predicted.mean);
  expectNear(found.variance, predicted.variance);
  EXPECT_GT(std::abs(found.n.mean - kMean), 5 * found.n.error) << "the bias does not show";
}

TEST_P(GcmcSpeculative, AnIdealGasIsPoissonian) {
  const Sampled found = sampledChain(*engine(8), 64);
  expectNear(found.n, kMean);
  expectNear(found.variance, kMean);
}

// Detailed balance holds for the rounds with the weight P(N) A / (1 - (1 - A)^k).
TEST_P(GcmcSpeculative, CountingDiscardedMovesIsWrongAsPredicted) {
  constexpr int kCandidates = 8;
  std::vector<double> weight;
  double poisson = 1;
  for (int n = 0; n < kMost; ++n) {
    const double a = insertionsAt(n) + deletionsAt(n) + (n > 0 ? kShares[0] : 0.0);
    weight.push_back(poisson * a / (1 - std::pow(1 - a, kCandidates)));
    poisson *= kMean / (n + 1);
  }
  const auto e = engine(kCandidates, GcmcSpeculativeExperiment::countDiscarded);
  expectBiased(sampledChain(*e, 8 * kCandidates), momentsOf(weight));
  EXPECT_EQ(e->counters().speculation.decided, e->counters().speculation.evaluated);
}

// Two candidates: N changes by up to two with the acceptance at the old N. Of two deletions the
// second is lost where the first has taken its particle, or moved another one into its slot.
TEST_P(GcmcSpeculative, CarryingOutAllIsWrongAsPredicted) {
  std::vector<double> p(kMost, 1.0 / kMost);
  for (int step = 0; step < 2000; ++step) {
    std::vector<double> next(kMost, 0.0);
    for (int n = 0; n < kMost; ++n) {
      const double i = insertionsAt(n), d = deletionsAt(n), rest = 1 - i - d;
      const double both = n > 0 ? std::pow((n - 1.0) / n, 2) : 0.0;
      const auto add = [&](int m, double share) {
        next[static_cast<std::size_t>(m >= 0 && m < kMost ? m : n)] +=
            share * p[static_cast<std::size_t>(n)];
      };
      add(n + 2, i * i), add(n + 1, 2 * i * rest), add(n, rest * rest + 2 * i * d);
      add(n - 1, 2 * d * rest + d * d * (1 - both)), add(n - 2, d * d * both);
    }
    p = next;
  }
  expectBiased(sampledChain(*engine(2, GcmcSpeculativeExperiment::applyAll), 64), momentsOf(p));
}

// Interacting particles land on one another, and the running energy is wrong: the same on both
// backends, also where cells and arrays grow on the way.
TEST_P(GcmcSpeculative, WrongBatchesAreTheSameEverywhere) {
  using X = GcmcSpeculativeExperiment;
  const GcmcState start = gcmcLattice(cubicBox(8.1), 0.3);
  const GcmcRules rules = makeGcmcRules(gcmcFluid(1.5, 0.3), start.box);
  for (const auto& [experiment, candidates] :
       {std::pair{X::applyAll, 2}, {X::applyAll, 16}, {X::applyAll, 32}, {X::countDiscarded, 0}}) {
    SCOPED_TRACE(candidates);
    const GcmcOptions o{.candidates = candidates,
                        .speculativeExperiment = static_cast<int>(experiment)};
    const auto e = holding(engine(candidates, experiment), start, rules, 4000),
               cpu = holding(makeGcmcEngine("speculative", exec::makeExec({}), o), start, rules,
                             4000);
    expectSameRun(*cpu, *e);
    EXPECT_EQ(cpu->counters().speculation.decided, e->counters().speculation.decided);
    EXPECT_EQ(e->energy() == e->sums().energy, experiment == X::countDiscarded);
  }
}

INSTANTIATE_TEST_SUITE_P(Each, GcmcSpeculative, kBackends, nameOfBackend);

}  // namespace
}  // namespace cellscope::test
