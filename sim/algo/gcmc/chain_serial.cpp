// The oracle: every energy is a sum over all particles (S0, Algorithm 1).
#include "sim/algo/gcmc/chain_serial.h"

#include "sim/algo/gcmc/chain.h"

namespace cellscope {

namespace {

class DenseStore {
 public:
  void reset(const Box&, const GcmcPair& pair, std::vector<GcmcPoint> points,
             std::vector<ParticleId> ids) {
    pair_ = pair;
    point_ = std::move(points);
    id_ = std::move(ids);
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
  void insert(GcmcPoint p, ParticleId id) {
    point_.push_back(p);
    id_.push_back(id);
  }
  void erase(std::uint32_t slot) {
    point_[slot] = point_.back(), id_[slot] = id_.back();
    point_.pop_back(), id_.pop_back();
  }
  void move(std::uint32_t slot, GcmcPoint p) { point_[slot] = p; }
  GcmcSums sums() const { return gcmcBruteForce(pair_, point_); }
  std::size_t bytes() const { return capacity() * (sizeof(GcmcPoint) + sizeof(ParticleId)); }
  std::size_t capacity() const { return point_.capacity(); }

 private:
  GcmcPair pair_{};
  std::vector<GcmcPoint> point_;
  std::vector<ParticleId> id_;
};

}  // namespace

std::unique_ptr<GcmcEngine> makeGcmcSerial(const exec::Shared&, const GcmcOptions&) {
  return std::make_unique<GcmcChain<DenseStore>>();
}

}  // namespace cellscope
