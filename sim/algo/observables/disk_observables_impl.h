// DiskObservables over the verbs of either backend.
#pragma once
#include <algorithm>
#include <cmath>
#include <cstring>
#include <utility>
#include <vector>

#include "sim/algo/observables/bond_order_kernels.h"
#include "sim/algo/observables/disk_observables.h"
#include "sim/algo/observables/free_path_kernel.h"
#include "sim/algo/observables/pair_kernels.h"
#include "sim/core/assert.h"
#include "sim/core/hard_disk_eos.h"
#include "sim/exec/memory.h"

namespace cellscope {

struct ZeroWords {
  std::uint64_t* word;
  HOST_DEVICE void operator()(std::size_t i) const { word[i] = 0; }
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
    exec_.forEach("clear sums", sums_.size(), ZeroWords{sums_.data()});
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
    auto* words = reinterpret_cast<std::uint64_t*>(bondSums_.data());
    exec_.forEach("clear sums", kBondSumWords, ZeroWords{words});
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

  template <class Team>
  void countPairs(const char* name, Team team) {
    constexpr int kThreads = 256;
    // On CUDA a thread processes more than one cell only for millions of cells.
    constexpr std::size_t kMostTeams = Exec::backend == Backend::cuda ? 4096 : 1u << 30;
    const std::size_t whole = (team.cells.grid.cellCount() + kThreads - 1) / kThreads;
    const std::size_t each = (whole + kMostTeams - 1) / kMostTeams;
    team.threads = kThreads;
    team.teams = static_cast<std::int32_t>((whole + each - 1) / each);
    exec_.forEach("clear sums", sums_.size(), ZeroWords{sums_.data()});
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
