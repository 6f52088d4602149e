#include "sim/modes/gcmc/replica_averages.h"

#include "sim/io/binary.h"

namespace cellscope::gcmc {

void ReplicaAverages::start(std::size_t replicas, bool tested) {
  tested_ = tested, chosen_ = false;
  replica_.clear();
  replica_.resize(replicas);
  for (Replica& r : replica_) {
    r.whole.resize(tested ? kMeans : 1);
    if (tested) r.test = EquilibratedAverages(std::vector<bool>(kMeans, true));
  }
}

ReplicaAverages ReplicaAverages::fresh() const {
  ReplicaAverages fresh;
  fresh.start(replica_.size(), tested_);
  return fresh;
}

void ReplicaAverages::keepBeginning() {
  *this = fresh();
  chosen_ = true;
}

void ReplicaAverages::add(std::size_t replica, std::uint64_t step, double particles,
                          double energy) {
  Replica& r = replica_[replica];
  const double values[kMeans] = {particles, energy};
  if (wholeCounts())
    for (std::size_t i = 0; i < r.whole.size(); ++i) r.whole[i].add(values[i]);
  if (tested_) r.test.add(step, {particles, energy});
}

bool ReplicaAverages::equilibrated(std::size_t replica) const {
  const EquilibratedAverages& test = replica_[replica].test;
  return tested_ && test.equilibrated() && (!chosen_ || test.leftOut() == 0);
}

std::optional<ReplicaAverages::Mean> ReplicaAverages::mean(std::size_t replica,
                                                           ReplicaMean of) const {
  const auto i = static_cast<std::size_t>(of);
  const Replica& r = replica_[replica];
  if (!tested_ && i >= r.whole.size()) return std::nullopt;
  const BlockAverage& b = wholeCounts() ? r.whole[i] : r.test.average(i);
  if (b.count() < 2) return std::nullopt;
  return Mean{b.mean(), b.error(), equilibrated(replica) && r.test.scatters(i)};
}

std::size_t ReplicaAverages::bytes() const {
  std::size_t sum = 0;
  for (const Replica& r : replica_) {
    sum += sizeof r + r.test.bytes();
    for (const BlockAverage& b : r.whole) sum += sizeof b + b.bytes();
  }
  return sum;
}

void ReplicaAverages::save(std::ostream& out) const {
  BinaryWriter w(out);
  w.value(static_cast<std::uint8_t>(chosen_));
  for (const Replica& r : replica_) {
    for (const BlockAverage& b : r.whole) b.save(out);
    if (tested_) r.test.save(w);
  }
}

void ReplicaAverages::load(std::istream& in) {
  BinaryReader r(in);
  chosen_ = r.value<std::uint8_t>("where the averages of the replicas begin") != 0;
  for (Replica& one : replica_) {
    for (BlockAverage& b : one.whole) b.load(in);
    if (tested_) one.test.load(r);
  }
}

}  // namespace cellscope::gcmc
