// Systems whose answer is known: two, three and four disks in small boxes, by all estimators. Their
// pressure is exact, and so is the pair distribution of two and three; that of four is compared
// with random points, drawn until none overlap.
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <mutex>
#include <numbers>

#include "app/common/terminal.h"
#include "app/reproduce/copies.h"
#include "app/reproduce/hard_disks/disk_study.h"
#include "app/reproduce/hard_disks/few_disks.h"
#include "app/reproduce/report.h"
#include "sim/algo/mpmc/disk_cells.h"
#include "sim/algo/mpmc/grid_choice.h"
#include "sim/algo/observables/contact_pressure.h"
#include "sim/core/hard_disk_eos.h"
#include "sim/exec/threads.h"
#include "sim/modes/hard_disks/initial_states.h"

namespace cellscope::reproduce {
namespace {

using Clock = std::chrono::steady_clock;

// The smallest box, the widest cells of four slots, and cells of five, each of 4 x 4 cells.
struct System {
  int disks;
  double length;
};
constexpr System kSystems[] = {{2, 4.0}, {2, 5.6}, {2, 5.9}, {3, 4.5}, {4, 4.2}, {4, 5.6}};

constexpr double kMove = 0.6;            // d
constexpr std::uint64_t kWarmUp = 1000;  // sweeps; a few move a disk through the whole box
constexpr std::uint64_t kSweepsApart = 4;
constexpr int kSamples = 500;         // of a block: far longer than any memory of so few disks
constexpr int kDirect = 2000;         // configurations of a block of direct sampling
constexpr double kDirectShare = 0.3;  // of the time of its system
// Pairs up to 1.1 enter the fits. g(r) is so smooth there that degree 2 is off by less than 1e-6.
constexpr double kFitRange = 0.1;
constexpr int kFitBins = 200, kFitDegree = 2;
constexpr double kPairBin = 0.002;

constexpr const char* kPressures[] = {"P*, free paths", "P*, contact fit",
                                      "P*, scaled distribution"};

// Whole numbers of kPairBin up to half the box, and the largest distance there is. The first bin is
// narrow: a diameter wrong by a thousandth would empty half of it.
std::vector<double> edgesOf(double length) {
  std::vector<double> edges;
  for (const double edge : {1.0, 1.002, 1.1, 1.25, 1.5, 1.75, 2.0, 2.5})
    if (edge < length / 2 - kPairBin) edges.push_back(edge);
  edges.push_back(length / std::numbers::sqrt2);
  return edges;
}

GridInfo gridOf(const System& s) { return chooseGrid(s.disks, packingOf(s.disks, s.length)).grid; }

// One run of a system.
class Copy {
 public:
  Copy(const System& s, const ExecConfig& config, std::uint64_t seed)
      : disks_(static_cast<std::uint64_t>(s.disks)),
        exec_(exec::makeExec(config)),
        engine_(makeMpmcEngine(exec_)),
        observables_(makeDiskObservables(exec_)) {
    const GridInfo grid = gridOf(s);
    const double length = boxLength(grid);
    density_ = s.disks / (length * length);
    edges_ = edgesOf(length);
    moves_ = {.seed = seed, .d = static_cast<float>(kMove), .nMoves = 4};
    counts_.pairBins = {1.0, kFitRange / kFitBins, kFitBins};
    counts_.scaleBins = {kFitRange / kFitBins, kFitBins};
    pairs_.bins = {1.0, kPairBin, static_cast<std::int32_t>((length / 2 - 1) / kPairBin)};
    std::vector<std::uint32_t> ids;
    for (int k = 0; k < s.disks; ++k) ids.push_back(static_cast<std::uint32_t>(k));
    engine_->upload(fillCells(grid, randomPositions(s.disks, length, seed), ids));
    sweep(kWarmUp);
  }

  // Three pressures, then the shares of the bins among all pairs.
  std::vector<double> block() {
    counts_.clear();
    pairs_.clear();
    FreePathVirial paths;
    for (int k = 0; k < kSamples; ++k) {
      sweep(kSweepsApart);
      const DiskCellsView cells = engine_->view();
      observables_->contact(cells, counts_);
      observables_->pairs(cells, pairs_);
      const FreePathVirial one = observables_->freePaths(cells);
      paths.sum += one.sum, paths.disks += one.disks;
    }
    requireSound();
    std::vector<double> values = {pressureOfPaths(density_, paths),
                                  contact_.pressure(counts_, density_),
                                  scale_.pressure(counts_, density_)};
    const std::vector<double> shares = sharesOfBins();
    values.insert(values.end(), shares.begin(), shares.end());
    return values;
  }

 private:
  void sweep(std::uint64_t count) {
    engine_->sweeps(moves_, done_, count);
    done_ += count;
  }

  // Results of a state that fails its self-checks are dropped.
  void requireSound() const {
    const MpmcEngine::OverlapReport r = engine_->check();
    if (r.overlaps > 0 || r.misplaced > 0 || r.disks != disks_)
      throw RunError(fmt::format("sweep {}: {} of {} disks, {} overlaps, {} out of place", done_,
                                 r.disks, disks_, r.overlaps, r.misplaced));
  }

  // The last bin contains everything beyond the others.
  std::vector<double> sharesOfBins() const {
    const double all = static_cast<double>(disks_ * (disks_ - 1) * kSamples);
    std::vector<double> shares(edges_.size() - 1, 0.0);
    const auto first = [&](std::size_t k) { return std::llround((edges_[k] - 1) / kPairBin); };
    for (std::size_t k = 0; k + 1 < shares.size(); ++k)
      for (auto bin = first(k); bin < first(k + 1); ++bin)
        shares[k] += static_cast<double>(pairs_.pairs[static_cast<std::size_t>(bin)]) / all;
    shares.back() = 1;
    for (std::size_t k = 0; k + 1 < shares.size(); ++k) shares.back() -= shares[k];
    return shares;
  }

  std::uint64_t disks_;
  exec::Shared exec_;
  std::unique_ptr<MpmcEngine> engine_;
  std::unique_ptr<DiskObservables> observables_;
  MpmcParameters moves_;
  double density_ = 0;
  std::vector<double> edges_;
  ContactCounts counts_;
  PairCounts pairs_;
  ContactFit contact_{{1.0, kFitRange / kFitBins, kFitBins}, kFitDegree};
  ScaleFit scale_{{kFitRange / kFitBins, kFitBins}, kFitDegree};
  std::uint64_t done_ = 0;
};

// What is known of a system, or found by direct sampling.
struct Expected {
  FewDisks exact;
  BlockMeans bins;
  Mean free{std::nan(""), 0};  // share of random configurations without overlap, as found
};

struct ExactOptions {
  std::int64_t seed = 1;

  template <class V>
  void visit(V& v) {
    v(seedOption(), seed);
  }
};

struct Result {
  Blocks blocks;
  bool stopped = false;
};

class ExactStudy {
 public:
  ExactStudy(const ExactOptions& o, const DiskContext& context)
      : config_(context.exec),
        copies_(exec::threadsFor(context.exec.threads)),
        firstSeed_(static_cast<std::uint64_t>(1000 * (o.seed - 1) + 1)),
        seconds_(60 * context.minutes / static_cast<double>(std::size(kSystems))),
        report_(context, "Two, three and four disks, solved exactly", columns()) {
    if (config_.backend == Backend::cpu) config_.threads = 1;  // of each copy
  }

  int run() {
    for (const System& s : kSystems) {
      common::printError(fmt::format("{} disks, L = {}", s.disks, s.length));
      const auto begin = Clock::now();
      const auto before = [&](double share) {
        return begin + std::chrono::duration_cast<Clock::duration>(
                           std::chrono::duration<double>(share * seconds_));
      };
      const Expected expected = expect(s, before(kDirectShare));
      const Result r = measure(s, before(1));
      show(s, expected, r);
      if (r.stopped || stopped_) throwStopped();
    }
    noteErrors();
    return verdicts_.exitCode();
  }

 private:
  static Row columns() {
    return {"N",
            "L",
            "packing",
            "sweeps",
            "quantity",
            "measured",
            "exact",
            "relative difference",
            "in combined errors"};
  }

  Expected expect(const System& s, Clock::time_point end) {
    const double length = boxLength(gridOf(s));
    Expected e{fewDisks(s.disks, length), {}, {std::nan(""), 0}};
    if (s.disks <= 3) {
      e.bins.mean = exactBins(s.disks, length, edgesOf(length));
      return e;
    }
    Blocks blocks;
    std::uint64_t kept = 0, tries = 0;
    std::mutex mutex;
    stopped_ = runCopies(copies_, [&](int k, const std::atomic<bool>& stop) {
      DirectSampler sampler(s.disks, length, edgesOf(length),
                            firstSeed_ + static_cast<std::uint64_t>(k));
      Blocks own;
      do own.push_back(sampler.block(kDirect));
      while (Clock::now() < end && !stop);
      std::lock_guard lock(mutex);
      blocks.insert(blocks.end(), own.begin(), own.end());
      kept += sampler.kept(), tries += sampler.tries();
    });
    e.bins = meansOf(blocks);
    const double n = static_cast<double>(tries), p = static_cast<double>(kept) / n;
    e.free = {p, std::sqrt(p * (1 - p) / n)};
    return e;
  }

  Result measure(const System& s, Clock::time_point end) {
    Result r;
    if (stopped_) return r;
    std::mutex mutex;
    r.stopped = runCopies(copies_, [&](int k, const std::atomic<bool>& stop) {
      Copy copy(s, config_, firstSeed_ + static_cast<std::uint64_t>(k));
      Blocks own;
      do own.push_back(copy.block());
      while (Clock::now() < end && !stop);
      std::lock_guard lock(mutex);
      r.blocks.insert(r.blocks.end(), own.begin(), own.end());
    });
    return r;
  }

  void show(const System& s, const Expected& e, const Result& r) {
    longEnough_ =
        r.blocks.size() >= kLeastSamples && (e.bins.blocks == 0 || e.bins.blocks >= kLeastSamples);
    if (r.blocks.size() < 2) {
      verdicts_.require(false, false);
      return;
    }
    const double length = boxLength(gridOf(s));
    head_ = {fmt::format("{}", s.disks), fmt::format("{}", s.length),
             fmt::format("{:.4f}", packingOf(s.disks, length)),
             fmt::format("{:.3g}", static_cast<double>(r.blocks.size() * kSamples * kSweepsApart))};
    const BlockMeans all = meansOf(r.blocks);
    std::size_t at = 0;
    for (; at < std::size(kPressures); ++at)
      compare(kPressures[at], {all.mean[at], all.error(at)}, {e.exact.pressure, 0}, true);
    Blocks shares;
    for (const auto& b : r.blocks)
      shares.emplace_back(b.begin() + static_cast<std::ptrdiff_t>(at), b.end());
    const BlockMeans bins = meansOf(shares);
    const std::vector<double> edges = edgesOf(length);
    for (std::size_t k = 0; k < bins.mean.size(); ++k)
      compare(fmt::format("pairs from {:.4g} to {:.4g}", edges[k], edges[k + 1]),
              {bins.mean[k], bins.error(k)}, {e.bins.mean[k], e.bins.error(k)}, false);
    const Hotelling h = hotelling(bins, e.bins);
    row("all these pairs: T^2 of " + fmt::format("{} bins", h.p), fmt::format("{:.1f}", h.t2),
        fmt::format("{} on average", h.p), "", verdicts_.compare(h.normalDeviate(), longEnough_));
    if (std::isfinite(e.free.value))
      compare("free of overlap, by direct sampling", e.free, {e.exact.free, 0}, true);
  }

  // `judge`: counts when it lies too far; the bins of a system are judged together.
  void compare(const std::string& quantity, const Mean& measured, const Mean& exact, bool judge) {
    row(quantity, compact(measured.value, measured.error),
        exact.error > 0 ? compact(exact.value, exact.error) : fmt::format("{:.9f}", exact.value),
        fmt::format("{:+.1e}", measured.value / exact.value - 1),
        judge ? verdicts_.compare(measured, exact, longEnough_)
              : signedText(deviation(measured, exact)));
  }

  void row(const std::string& quantity, const std::string& measured, const std::string& exact,
           const std::string& relative, const std::string& verdict) {
    Row cells = head_;
    for (const std::string& cell : {quantity, measured, exact, relative, verdict})
      cells.push_back(cell);
    report_.row(cells);
  }

  void noteErrors() {
    report_.note(fmt::format(
        "Errors are one standard error, from the scatter of blocks of {} samples, {} sweeps apart, "
        "of {} independent copies. Judged are the pressures, the bins of each system together, and "
        "the direct sampling, once there are {} blocks.",
        kSamples, kSweepsApart, copies_, kLeastSamples));
    report_.note(verdicts_.note());
    report_.note(
        "Exact pressures: N Q_N = A sum of l b_l Q_(N-l), P* = d ln Q_N / dA, with the cluster "
        "integrals b_1 to b_4 of the plane, exact for L >= N. Pairs: shares of all pair distances; "
        "exact for two and three disks, and for four, where the column has an error, from random "
        "points that share no code or random number with the engine, kept when none overlap. The "
        "fraction that is kept is also known exactly.");
    report_.note(fmt::format(
        "T^2: Hotelling's statistic of all bins but the last with their covariance, in the last "
        "column as a deviate of the normal distribution (Paulson 1942). Fits: degree {} over "
        "(1, {}]. L is rounded to 2^-22 for a cell.",
        kFitDegree, 1 + kFitRange));
  }

  ExecConfig config_;
  int copies_;
  std::uint64_t firstSeed_;
  double seconds_;
  Report report_;
  Row head_;
  bool stopped_ = false, longEnough_ = false;
  Verdicts verdicts_;
};

int run(const ExactOptions& o, const DiskContext& context) { return ExactStudy(o, context).run(); }

}  // namespace

std::unique_ptr<DiskStudy> exact() {
  return diskStudy<ExactOptions>(
      {.name = "exact",
       .about = "pressure and pair distances of two, three and four disks compared with exact "
                "results; one copy per CPU thread, which may use a GPU"},
      run);
}

}  // namespace cellscope::reproduce
