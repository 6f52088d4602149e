// DiskObservables over the verbs of either backend.
#pragma once
#include <algorithm>
#include <utility>

#include "sim/algo/observables/disk_kernels.h"
#include "sim/base/error.h"
#include "sim/exec/memory.h"

namespace cellscope {

// Team kernels that count pair distances: one thread per cell, histograms private to a team.

// The disks of one cell, kept in registers while its neighbourhood is traversed.
struct OwnDisks {
  static constexpr std::int64_t kFar = INT64_MAX;
  int count;
  Vec2 disk[kMaxSlots];
  std::int64_t nearest[kMaxSlots];  // smallest squared distance found, in q^2
};

inline constexpr std::uint32_t kPutOff = 512;  // pairs that a team defers to bin them together

// WithNearest: also count each disk once, in the bin of its nearest neighbour's compression; the
// whole neighbourhood must then be visited. Otherwise only the half of it that comes later.
template <bool WithNearest>
struct PairTeam {
  struct Shared {
    std::uint32_t disks;
    std::uint32_t pairs[kMaxRadialBins];
    std::uint32_t scale[WithNearest ? kMaxRadialBins : 1];
    std::uint32_t found;  // deferred pairs; may exceed the capacity
    std::int64_t square[WithNearest ? kPutOff : 1];
  };
  struct Private {};

  DiskCellsView cells;
  RadialBinning pairBins;
  const std::int64_t* pairEdge;
  std::uint64_t* pairs;
  ScaleBinning scaleBins;
  const std::int64_t* scaleEdge;
  std::uint64_t* scale;
  std::uint64_t* disks;
  float limit;         // squared distances above this are not computed exactly
  std::int32_t reach;  // cells to either side that can hold a partner
  std::int32_t teams, threads;

  HOST_DEVICE int phases(int) const { return 4; }

  HOST_DEVICE void phase(int p, int team, int thread, Shared& s, Private&) const {
    if (p == 0) return clear(thread, s);
    if (p == 2) return binPutOff(thread, s);
    if (p == 3) return flush(thread, s);
    const std::size_t stride = static_cast<std::size_t>(teams) * threads;
    const std::size_t first = static_cast<std::size_t>(team) * threads + thread;
    for (std::size_t c = first; c < cells.grid.cellCount(); c += stride) countCell(c, s);
  }

 private:
  HOST_DEVICE void clear(int thread, Shared& s) const {
    if (thread == 0) s.disks = s.found = 0;
    for (int b = thread; b < pairBins.count; b += threads) s.pairs[b] = 0;
    if constexpr (WithNearest)
      for (int b = thread; b < scaleBins.count; b += threads) s.scale[b] = 0;
  }

  HOST_DEVICE void flush(int thread, const Shared& s) const {
    if (thread == 0 && s.disks) exec::addGlobal(disks, s.disks);
    for (int b = thread; b < pairBins.count; b += threads)
      if (s.pairs[b]) exec::addGlobal(pairs + b, s.pairs[b]);
    if constexpr (WithNearest)
      for (int b = thread; b < scaleBins.count; b += threads)
        if (s.scale[b]) exec::addGlobal(scale + b, s.scale[b]);
  }

  HOST_DEVICE void countCell(std::size_t cell, Shared& s) const {
    OwnDisks own;
    own.count = cells.count[cell];
    if (own.count == 0) return;
    for (int i = 0; i < kMaxSlots; ++i) {
      if (i < own.count) own.disk[i] = cells.disk[i * cells.grid.cellCount() + cell];
      own.nearest[i] = OwnDisks::kFar;
    }
    exec::addShared(&s.disks, static_cast<std::uint32_t>(own.count));
    const CellIndex at = cellIndex(cells.grid, cell);
    for (int oy = WithNearest ? -reach : 0; oy <= reach; ++oy)
      for (int ox = WithNearest || oy > 0 ? -reach : 0; ox <= reach; ++ox)
        visitCell(at, ox, oy, own, s);
    if constexpr (WithNearest)
      for (int i = 0; i < kMaxSlots; ++i) {
        if (i >= own.count) break;
        const int b = scaleBins.bin(own.nearest[i], scaleEdge);
        if (b >= 0) exec::addShared(s.scale + b, 1u);
      }
  }

  HOST_DEVICE void visitCell(CellIndex at, int ox, int oy, OwnDisks& own, Shared& s) const {
    const GridInfo& grid = cells.grid;
    const std::size_t cell = grid.cell(grid.wrap(at.x + ox), grid.wrapRow(at.y + oy));
    const int n = cells.count[cell];
    const float shiftX = static_cast<float>(ox) * grid.w, shiftY = static_cast<float>(oy) * grid.w;
    const bool later = oy > 0 || (oy == 0 && ox > 0);
    const bool same = ox == 0 && oy == 0;
    for (int j = 0; j < n; ++j) {
      const Vec2 other = cells.disk[j * grid.cellCount() + cell];
      for (int i = 0; i < kMaxSlots; ++i) {
        if (i >= own.count) break;
        const float dx = other.x - own.disk[i].x + shiftX, dy = other.y - own.disk[i].y + shiftY;
        if (!(dx * dx + dy * dy < limit) || (same && i == j)) continue;
        const std::int64_t d2 = exactSquare(own.disk[i], other, ox, oy);
        if constexpr (WithNearest)
          if (d2 < own.nearest[i]) own.nearest[i] = d2;
        if (!later && !(same && j > i)) continue;
        if (!putOff(d2, s)) binPair(d2, s);
      }
    }
  }

  HOST_DEVICE void binPair(std::int64_t d2, Shared& s) const {
    const int b = pairBins.bin(d2, pairEdge);
    if (b >= 0) exec::addShared(s.pairs + b, 2u);  // ordered: the pair from either end
  }

  // Pairs near contact are rare: binning them immediately would cause divergence.
  HOST_DEVICE bool putOff(std::int64_t d2, Shared& s) const {
    if constexpr (!WithNearest) return false;
    const std::uint32_t slot = exec::addShared(&s.found, 1u);
    if (slot >= kPutOff) return false;
    s.square[slot] = d2;
    return true;
  }
  HOST_DEVICE void binPutOff(int thread, Shared& s) const {
    const std::uint32_t n = s.found < kPutOff ? s.found : kPutOff;
    for (std::uint32_t k = thread; k < n; k += threads) binPair(s.square[k], s);
  }

  HOST_DEVICE std::int64_t exactSquare(Vec2 from, Vec2 to, int ox, int oy) const {
    const std::int32_t w = quanta(cells.grid.w);
    return squaredQuanta(quanta(to.x) - quanta(from.x) + ox * w,
                         quanta(to.y) - quanta(from.y) + oy * w);
  }
};

template <class Exec>
class DiskObservablesOn final : public DiskObservables {
 public:
  explicit DiskObservablesOn(exec::Shared shared)
      : shared_(std::move(shared)),
        exec_(exec::as<Exec>(shared_)),
        sums_(Exec::backend, 2 * kMaxRadialBins + 1),
        bondSums_(Exec::backend, 1) {}

  Backend backend() const override { return Exec::backend; }

  void contact(const DiskCellsView& cells, ContactCounts& counts) override {
    if (counts.pairs.empty()) counts.clear();
    const double touching = 1.0 / (1.0 - counts.scaleBins.count * counts.scaleBins.width);
    CELLSCOPE_ASSERT(std::max(counts.pairBins.last(), touching) <= halfBox(cells.grid));
    CELLSCOPE_ASSERT(counts.scaleBins.count > 0 && counts.scaleBins.count <= kMaxRadialBins);
    const std::int64_t* edge = contactEdges_.of(counts.pairBins, counts.scaleBins);
    PairTeam<true> team =
        pairTeam<true>(cells, counts.pairBins, edge, counts.pairBins.count, touching);
    team.scaleBins = {static_cast<float>(1.0 / counts.scaleBins.width), counts.scaleBins.count};
    team.scaleEdge = edge + counts.pairBins.count + 1;
    team.scale = sums_.data() + kMaxRadialBins;
    countPairs("contact histograms", team);
    addResults(counts.pairs, 0);
    addResults(counts.scale, kMaxRadialBins);
    counts.disks += result_[2 * kMaxRadialBins];
    counts.samples += 1;
  }

  void pairs(const DiskCellsView& cells, PairCounts& counts) override {
    if (counts.pairs.empty()) counts.clear();
    const RadialBins& bins = counts.bins;
    const double half = halfBox(cells.grid);
    int used = bins.count;
    while (used > 0 && bins.edge(used) > half) --used;
    const std::int64_t* edge = pairEdges_.of(bins, {1e-4, 0});
    countPairs("pair histogram", pairTeam<false>(cells, bins, edge, used, 0));
    addResults(counts.pairs, 0);
    counts.disks += result_[2 * kMaxRadialBins];
    counts.samples += 1;
  }

  FreePathVirial freePaths(const DiskCellsView& cells) override {
    exec_.fill("clear sums", sums_.data(), sums_.size(), std::uint64_t{0});
    exec_.forEach("free paths", cells.grid.cellCount(), FreePathCells{cells, sums_.data()});
    exec_.synchronize();
    result_ = sums_.get();
    FreePathVirial virial;
    for (std::size_t k = 0; k < kFreePathSums; ++k) {
      virial.sum += static_cast<double>(result_[k]) / kFreePathUnit;
      virial.disks += result_[kFreePathSums + k];
    }
    return virial;
  }

  BondOrderSummary bondOrder(const DiskCellsView& cells, const NeighbourChoice& choice,
                             const BondOrderView& out) override {
    CELLSCOPE_ASSERT(cells.grid.slots <= kMaxSlots);
    exec_.fill("clear sums", bondSums_.data(), 1, BondSums{});
    if (choice.rule == NeighbourRule::voronoi)
      runBonds<NeighbourRule::voronoi>(cells, firstLook(cells.grid), out);
    else
      runBonds<NeighbourRule::withinRadius>(cells, choice.radius, out);
    exec_.synchronize();
    const BondOrderSummary summary = summarise(bondSums_.get(0));
    const double w = cells.grid.w;
    density_ = static_cast<double>(summary.disks) / (cells.grid.m * w * (cells.grid.rows() * w));
    return summary;
  }

 private:
  // Squared edges of both kinds of bins, one after the other, in the backend's memory. Recomputed
  // only when the bins change.
  class Edges {
   public:
    const std::int64_t* of(const RadialBins& pair, const ScaleBins& scale) {
      if (edge_.size() > 0 && pair == pair_ && scale == scale_) return edge_.data();
      CELLSCOPE_ASSERT(pair.count > 0 && pair.count <= kMaxRadialBins && pair.width >= 1e-5);
      std::vector<std::int64_t> edges = squaredEdges(pair);
      const std::vector<std::int64_t> more = squaredScaleEdges(scale.width, scale.count);
      edges.insert(edges.end(), more.begin(), more.end());
      edge_ = exec::Array<std::int64_t>(Exec::backend, edges);
      pair_ = pair, scale_ = scale;
      return edge_.data();
    }

   private:
    RadialBins pair_;
    ScaleBins scale_;
    exec::Array<std::int64_t> edge_;
  };

  static double halfBox(const GridInfo& g) { return 0.5 * static_cast<double>(g.shorter()) * g.w; }
  static int cellsWithin(const GridInfo& g, double radius) {
    return static_cast<int>(std::ceil(radius / g.w));
  }

  // Initial search radius for Voronoi cells: about 12 near disks in the dense fluid,
  // more at lower density. From the density of the last sample; affects only the
  // speed.
  double firstLook(const GridInfo& g) const {
    const double expected = density_ > 0.75 ? 12.0 : 20.0;
    const double radius = std::sqrt(expected / (kPi * std::max(density_, 0.02)));
    return std::clamp(radius, 2.0, std::max(2.0, halfBox(g)));
  }

  template <bool WithNearest>
  PairTeam<WithNearest> pairTeam(const DiskCellsView& cells, const RadialBins& bins,
                                 const std::int64_t* edge, int used, double least) {
    PairTeam<WithNearest> team{};
    team.cells = cells;
    team.pairBins = {static_cast<float>(bins.first), static_cast<float>(1.0 / bins.width), used};
    team.pairEdge = edge;
    team.pairs = sums_.data();
    team.disks = sums_.data() + 2 * kMaxRadialBins;
    const double farthest = std::max(bins.edge(used), least);
    team.limit = static_cast<float>(farthest * farthest * 1.00001 + 1e-5);
    team.reach = cellsWithin(cells.grid, farthest);
    CELLSCOPE_ASSERT(team.reach <= cells.grid.shorter());
    return team;
  }

  void countPairs(const char* name, auto team) {
    constexpr int kThreads = 256;
    // On CUDA a thread processes more than one cell only for millions of cells.
    constexpr std::size_t kMostTeams = Exec::backend == Backend::cuda ? 4096 : 1u << 30;
    const std::size_t whole = (team.cells.grid.cellCount() + kThreads - 1) / kThreads;
    const std::size_t each = (whole + kMostTeams - 1) / kMostTeams;
    team.threads = kThreads;
    team.teams = static_cast<std::int32_t>((whole + each - 1) / each);
    exec_.fill("clear sums", sums_.data(), sums_.size(), std::uint64_t{0});
    exec_.teams(name, {team.teams, team.threads}, team);
    exec_.synchronize();
    result_ = sums_.get();
  }

  void addResults(std::vector<std::uint64_t>& sum, std::size_t from) const {
    for (std::size_t i = 0; i < sum.size(); ++i) sum[i] += result_[from + i];
  }

  template <NeighbourRule Rule>
  void runBonds(const DiskCellsView& cells, double radius, const BondOrderView& out) {
    BondOrderTeam<Rule> team{cells, out, bondSums_.data(), static_cast<float>(radius),
                             cellsWithin(cells.grid, radius)};
    const std::size_t teams = (cells.grid.cellCount() + kBondThreads - 1) / kBondThreads;
    exec_.teams("bond order", {static_cast<int>(teams), kBondThreads}, team);
  }

  static BondOrderSummary summarise(const BondSums& sums) {
    BondOrderSummary s;
    for (std::size_t n = 0; n < s.byNeighbours.size(); ++n) {
      s.byNeighbours[n] = sums.byNeighbours[n];
      s.disks += sums.byNeighbours[n];
    }
    if (s.disks == 0) return s;
    const double scale = 1.0 / (static_cast<double>(kFixedPoint) * static_cast<double>(s.disks));
    s.psi6 = {static_cast<double>(static_cast<std::int64_t>(sums.re)) * scale,
              static_cast<double>(static_cast<std::int64_t>(sums.im)) * scale};
    s.meanModulus = static_cast<double>(sums.modulus) * scale;
    const double mean = static_cast<double>(sums.density) * scale;
    const double square = static_cast<double>(sums.densitySquared) * scale;
    s.densitySpread = std::sqrt(std::max(0.0, square - mean * mean));
    return s;
  }

  exec::Shared shared_;
  Exec& exec_;
  exec::Array<std::uint64_t> sums_;  // pairs, scale (kMaxRadialBins each), disks
  exec::Array<BondSums> bondSums_;
  Edges contactEdges_, pairEdges_;
  std::vector<std::uint64_t> result_;
  double density_ = 0.9;
};

}  // namespace cellscope
