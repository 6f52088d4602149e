// 870 disks in a square box against the most precise published pressures (Li et al. 2022, errors of
// 3e-6 at packing 0.670). So small a system cannot fill a GPU: independent copies run on all CPU
// cores, one thread each.
#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cmath>
#include <mutex>

#include "app/common/ending.h"
#include "app/common/terminal.h"
#include "app/reproduce/copies.h"
#include "app/reproduce/hard_disks/equilibrium.h"
#include "app/reproduce/hard_disks/states.h"
#include "sim/algo/observables/hard_disk_reference.h"
#include "sim/exec/threads.h"

namespace cellscope::reproduce {
namespace {

constexpr std::int64_t kDisks870 = 870;
struct N870Options {
  std::vector<double> packings = {0.67};
  std::int64_t seed = 1;

  template <class V>
  void visit(V& v) {
    v(packingsOption(), packings);
    v(seedOption(), seed);
  }
};

constexpr std::size_t kEnough = 8;  // copies from which the error is taken from their scatter

// Equilibrium and fresh samples take some thousand sweeps in the fluid, 1e6 near the transition.
double equilibrationAt(double packing) {
  return packing <= kFluidLimit ? kFluidEquilibration : State().equilibration;
}
std::uint64_t sampleEveryAt(double packing) { return packing <= kFluidLimit ? 32 : 256; }

bool fromCrystal(std::int64_t seed) { return seed % 2 == 0; }

RunSummary runOne(double packing, std::int64_t seed, double seconds, const DiskFactory& disks,
                  const std::atomic<bool>& stop) {
  // Degree 4: less noise than the paper's 5 and a bias below 1e-5 (a model with k = 30).
  const DiskRun run{"n870",
                    kDisks870,
                    packing,
                    {{"seed", seed},
                     {"degree", std::int64_t{4}},
                     {"start", std::string(fromCrystal(seed) ? "hexagonal" : "random")},
                     {"free_paths", true},
                     {"neighbours", std::string("radius")}},
                    sampleEveryAt(packing)};
  const DiskSession session = newSession(run, {Backend::cpu, 1, 0}, disks);
  const auto begin = std::chrono::steady_clock::now();
  const auto until = [&](double end) {
    return [&, end] {
      const std::chrono::duration<double> t = std::chrono::steady_clock::now() - begin;
      return t.count() < end && !stop;
    };
  };
  session->finishPreparation();
  session->advanceTo(~0ull, until(equilibrationAt(packing) * seconds));
  session->resetAverages();
  session->advanceTo(~0ull, until(seconds));
  common::requireSound(session->mode());
  return summaryOf(*session.session);
}

struct Copies {
  std::vector<RunSummary> runs, crystal;  // all; of these, from a crystal
  bool stopped = false;                   // before their time
};

Copies measureCopies(double packing, int copies, std::int64_t firstSeed, double seconds,
                     const DiskFactory& disks) {
  std::mutex mutex;
  Copies all;
  all.stopped = runCopies(copies, [&](int k, const std::atomic<bool>& stop) {
    const RunSummary s = runOne(packing, firstSeed + k, seconds, disks, stop);
    std::lock_guard lock(mutex);
    all.runs.push_back(s);
    if (fromCrystal(firstSeed + k)) all.crystal.push_back(s);
  });
  return all;
}

// Mean of the copies. Its error comes from blocks or, where there are enough copies, from their
// scatter, which includes slow fluctuations, if that is larger. `ratio`: scatter / block error.
Mean meanOf(const std::vector<RunSummary>& runs, double& ratio) {
  const auto n = static_cast<double>(runs.size());
  Mean m;
  double block2 = 0, scatter2 = 0;
  for (const RunSummary& r : runs) {
    m.value += r.pressure.value / n;
    block2 += r.pressure.error * r.pressure.error / (n * n);
  }
  for (const RunSummary& r : runs)
    scatter2 += std::pow(r.pressure.value - m.value, 2) / (n * (n - 1));
  ratio = runs.size() > 1 ? std::sqrt(scatter2 / block2) : std::nan("");
  m.error = std::sqrt(runs.size() >= kEnough ? std::max(scatter2, block2) : block2);
  return m;
}

// Copies from the fluid minus copies from the crystal, in errors; NaN with too few of either.
double betweenStarts(const Copies& all, const Mean& mean) {
  const auto n = static_cast<double>(all.runs.size()), c = static_cast<double>(all.crystal.size());
  if (all.runs.size() < kEnough || c == 0 || c == n) return std::nan("");
  double crystal = 0;
  for (const RunSummary& r : all.crystal) crystal += r.pressure.value / c;
  // The mean of k copies has the error of the whole mean times sqrt(n / k).
  const double fluid = (n * mean.value - c * crystal) / (n - c);
  return (fluid - crystal) / (mean.error * std::sqrt(n / c + n / (n - c)));
}

constexpr const char* kAboutCopies =
    "Every second copy starts from a crystal, the others from a compressed fluid; both must agree. "
    "Errors are one standard error: of block averages or, with eight or more copies, of their "
    "scatter if that is larger; scatter divided by block error is far above 1 if fluctuations are "
    "slower than the blocks. A result is judged once each copy has 64 samples and the starts "
    "agree. Among many copies the largest drift is often near 3. --seeds selects other random "
    "numbers.";

bool longEnough(const Copies& all, double between) {
  return !all.runs.empty() && !(std::abs(between) > kAllowed) &&
         std::all_of(all.runs.begin(), all.runs.end(),
                     [](const RunSummary& r) { return r.samples >= kLeastSamples; });
}

Row rowOf(double packing, const Copies& all, const Mean& p, double ratio,
          const ReferenceValue& published, Verdicts& verdicts) {
  const double between = betweenStarts(all, p);
  double drift = 0;
  std::uint64_t sweeps = 0;
  for (const RunSummary& r : all.runs) {
    sweeps += r.sweeps;
    if (std::abs(r.drift) > std::abs(drift)) drift = r.drift;
  }
  return {fmt::format("{}", packing),
          fmt::format("{}", all.runs.size()),
          fmt::format("{:.3g}", static_cast<double>(sweeps)),
          compact(p),
          std::isfinite(ratio) ? fmt::format("{:.2f}", ratio) : "-",
          signedText(between),
          signedText(drift),
          compact(published.value, published.error),
          verdicts.compare(p, {published.value, published.error}, longEnough(all, between))};
}

int run(const N870Options& o, const DiskContext& context) {
  const int copies = exec::threadsFor(context.exec.threads);
  Report report(
      context, "870 disks against Li et al. 2022",
      {"packing", "copies", "sweeps in all", "P*", "scatter / block error", "starts differ by",
       "largest drift", "published", "difference in combined errors"});
  Verdicts verdicts;
  for (const double packing : o.packings) {
    common::printError(fmt::format("packing {}, {} copies", packing, copies));
    const double seconds = 60 * context.minutes / static_cast<double>(o.packings.size());
    const Copies all =
        measureCopies(packing, copies, 1000 * (o.seed - 1) + 1, seconds, context.disks);
    double ratio = 0;
    const Mean p = meanOf(all.runs, ratio);
    const auto refs = hardDiskReferences(kDisks870, packing);
    const ReferenceValue ref =
        refs.empty() ? ReferenceValue{"pressure", std::nan(""), 0, ""} : refs.front();
    report.row(rowOf(packing, all, p, ratio, ref, verdicts));
    if (all.stopped) throwStopped();
  }
  report.note(verdicts.note());
  report.note(kAboutCopies);
  return verdicts.exitCode();
}

}  // namespace

std::unique_ptr<DiskStudy> n870() {
  return diskStudy<N870Options>(
      {.name = "n870",
       .about = "the most precise published pressure: 870 disks, on all CPU cores (Li et al. 2022)",
       .notes = "--minutes does not include the preparation of starts.",
       .cpuOnly = true},
      run);
}

}  // namespace cellscope::reproduce
