// Replicas to and from checkpoints.
#include <fmt/format.h>

#include <cmath>
#include <istream>
#include <ostream>

#include "sim/io/binary.h"
#include "sim/modes/gcmc/replica_run.h"

namespace cellscope::gcmc {
namespace {

constexpr std::size_t kMostParticles = 4194304;

void saveChain(BinaryWriter& w, const GcmcState& s) {
  w.vector(s.point);
  w.array(s.id.data(), s.id.size());
  w.value(s.move);
  w.value(s.idBase);
}

GcmcState loadChain(BinaryReader& r, const Box& box) {
  GcmcState s;
  s.box = box;
  s.point = r.vectorUpTo<GcmcPoint>("the positions", kMostParticles);
  s.id = r.items<ParticleId>(s.point.size(), "the ids");
  s.move = r.value<std::uint64_t>("move");
  s.idBase = r.value<ParticleId>("first id of an insertion");
  if (s.move >= 1ull << 56 || s.idBase < 0 || s.idBase > ParticleId{1} << 62)
    throw InputError("checkpoint: number of moves or ids are impossible");
  return s;
}

}  // namespace

void ReplicaRun::save(std::ostream& out) const {
  BinaryWriter w(out);
  w.value(static_cast<std::uint64_t>(size()));
  if (!on()) return;
  w.value(reference_);
  w.vector(activity_);
  w.value(steps_);
  w.value(measured_);
  w.vector(table_.get());
  blocks_.save(out);
  averages_.save(out);
  for (std::size_t k = 0; k < size(); ++k) saveChain(w, made_->chain(k).state());
}

void ReplicaRun::load(std::istream& in, const GcmcParameters& p) {
  BinaryReader r(in);
  const auto count = r.value<std::uint64_t>("replicas");
  if (count != static_cast<std::uint64_t>(p.replicas))
    throw InputError(
        fmt::format("checkpoint: it has {} replicas, {} were expected", count, p.replicas));
  ReplicaRun fresh(exec_);
  fresh.start(p);
  if (count > 0) {
    fresh.reference_ = r.value<double>("activity");
    if (!(fresh.reference_ > 0) || !std::isfinite(fresh.reference_))
      throw InputError("checkpoint: the activity of the replicas is impossible");
    fresh.activity_ = r.vector<double>("activities", fresh.activity_.size());
    for (const double z : fresh.activity_)
      if (!(z >= 0) || !std::isfinite(z))
        throw InputError("checkpoint: an activity of the windows is impossible");
    fresh.steps_ = r.value<std::uint64_t>("steps of the replicas");
    fresh.measured_ = r.value<std::uint64_t>("steps of their averages");
    fresh.table_.set(r.vector<GcmcTransition>("transitions", fresh.table_.size()));
    fresh.blocks_.load(in, fresh.numbers_);
    fresh.averages_.load(in);
    std::vector<GcmcState> states;
    for (std::size_t k = 0; k < count; ++k) states.push_back(loadChain(r, p.box()));
    fresh.upload(states, p);
  }
  *this = std::move(fresh);
}

}  // namespace cellscope::gcmc
