// The serial chains of one core. The oracle: every energy is a sum over all particles (S0,
// Algorithm 1); and the one with cells, alone or as many replicas.
#include "sim/algo/gcmc/chain.h"
#include "sim/algo/gcmc/chain_store.h"
#include "sim/algo/gcmc/replicas.h"
#include "sim/exec/cpu_exec.h"

namespace cellscope {
namespace {

class DenseStore {
 public:
  void reset(const Box& box, const GcmcPair& pair, const std::vector<GcmcPoint>& points,
             const std::vector<ParticleId>& ids) {
    box_ = box, pair_ = pair;
    reserve(points.size());
    point_.assign(points.begin(), points.end());
    id_.assign(ids.begin(), ids.end());
  }
  void setPair(const Box&, const GcmcPair& pair) { pair_ = pair; }

  std::uint32_t count() const { return static_cast<std::uint32_t>(point_.size()); }
  GcmcPoint point(std::uint32_t slot) const { return point_[slot]; }
  ParticleId id(std::uint32_t slot) const { return id_[slot]; }
  double energy(GcmcPoint p) const {
    double sum = 0;
    for (const GcmcPoint& q : point_) sum += gcmcPairAt(pair_, p, q);
    return sum;
  }
  double energyOf(std::uint32_t slot) const {
    return energy(point_[slot]) - gcmcPairAt(pair_, point_[slot], point_[slot]);
  }
  void insert(GcmcPoint p, ParticleId id) {
    reserve(point_.size() + 1);
    point_.push_back(p);
    id_.push_back(id);
  }
  void erase(std::uint32_t slot) {
    point_[slot] = point_.back(), id_[slot] = id_.back();
    point_.pop_back(), id_.pop_back();
  }
  void move(std::uint32_t slot, GcmcPoint p) { point_[slot] = p; }
  double pairEnergy() const { return sums().energy; }
  // Of all particles at once, which is no move: with cells where N^2 pairs would take long.
  GcmcSums sums() const {
    if (count() <= kGcmcMostBruteForce) return gcmcBruteForce(pair_, points());
    return gcmcInCells(box_, pair_, points()).sums();
  }
  std::vector<double> energies(const std::vector<GcmcPoint>& at) const {
    if (count() > kGcmcMostBruteForce) return gcmcInCells(box_, pair_, points()).energies(at);
    std::vector<double> all;
    all.reserve(at.size());
    for (const GcmcPoint& p : at) all.push_back(energy(p));
    return all;
  }
  std::size_t bytes() const { return capacity() * (sizeof(GcmcPoint) + sizeof(ParticleId)); }
  std::size_t capacity() const { return point_.capacity(); }

 private:
  std::vector<GcmcPoint> points() const { return {point_.begin(), point_.end()}; }
  void reserve(std::size_t n) {
    if (n <= point_.capacity()) return;
    point_.reserve(gcmcRoom(n)), id_.reserve(gcmcRoom(n));
  }

  Box box_;
  GcmcPair pair_{};
  exec::HostVector<GcmcPoint> point_;
  exec::HostVector<ParticleId> id_;
};

// Replicas on the CPU: the serial chain with cells, a chain per core.
class ReplicasOnCpu final : public GcmcReplicas {
 public:
  ReplicasOnCpu(exec::Shared exec, const GcmcOptions& options)
      : exec_(std::move(exec)), options_(options) {}

  void upload(const std::vector<GcmcReplica>& replicas, const GcmcProgress& progress) override {
    chains_.resize(replicas.size());
    for (std::size_t k = 0; k < replicas.size(); ++k) {
      if (progress) progress(static_cast<double>(k) / static_cast<double>(replicas.size()));
      if (!chains_[k]) chains_[k] = makeGcmcCellChain(exec_, options_);
      chains_[k]->upload(replicas[k].state, replicas[k].rules);
    }
  }
  // In parts of some tens of milliseconds where somebody watches.
  void advance(std::uint64_t moves, const GcmcProgress& progress) override {
    const std::uint64_t part = progress ? std::max<std::uint64_t>(16, kMoves / size()) : moves;
    for (std::uint64_t done = 0; done < moves; done += part) {
      if (progress) progress(static_cast<double>(done) / static_cast<double>(moves));
      makeMoves(std::min(part, moves - done));
    }
  }
  std::size_t size() const override { return chains_.size(); }
  std::vector<GcmcReplicaNow> now() const override {
    std::vector<GcmcReplicaNow> all;
    for (const auto& chain : chains_) all.push_back({chain->count(), chain->energy()});
    return all;
  }
  GcmcEngine& chain(std::size_t number) override { return *chains_[number]; }
  std::vector<GcmcTransition> sumsOf(const exec::Array<GcmcTransition>& tables,
                                     std::uint32_t rows) override {
    std::vector<GcmcTransition> sum(rows);
    const SumOfTables add{tables.data(), rows, tables.size() / rows, sum.data()};
    for (std::size_t n = 0; n < rows; ++n) add(n);
    return sum;
  }

 private:
  static constexpr std::uint64_t kMoves = 65536;  // of all chains, between two reports

  void makeMoves(std::uint64_t moves) {
    exec::as<exec::CpuExec>(exec_).forRanges("moves (replicas)", chains_.size(), 1,
                                             [&](std::size_t first, std::size_t end) {
                                               for (std::size_t k = first; k < end; ++k)
                                                 chains_[k]->advance(moves);
                                             });
  }

  exec::Shared exec_;
  GcmcOptions options_;
  std::vector<std::unique_ptr<GcmcEngine>> chains_;
};

}  // namespace

std::unique_ptr<GcmcEngine> makeGcmcSerial(const exec::Shared&, const GcmcOptions&) {
  return std::make_unique<GcmcChain<DenseStore>>();
}
std::unique_ptr<GcmcEngine> makeGcmcCellChain(const exec::Shared&, const GcmcOptions&) {
  return std::make_unique<GcmcChain<GcmcCellStore>>();
}
std::unique_ptr<GcmcReplicas> makeGcmcReplicasCpu(const exec::Shared& exec,
                                                  const GcmcOptions& options) {
  return std::make_unique<ReplicasOnCpu>(exec, options);
}

}  // namespace cellscope
