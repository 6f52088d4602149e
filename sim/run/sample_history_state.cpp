// Sample histories in checkpoints, so that the averages of a resumed run go on.
#include "sim/base/error.h"
#include "sim/io/binary.h"
#include "sim/run/sample_history.h"

namespace cellscope {
namespace {

std::vector<double> readColumn(BinaryReader& r) {
  const auto n = r.value<std::uint64_t>("the length of a column of averages");
  if (n > SampleHistory::kPoints)
    throw InputError("the averages in the checkpoint are longer than this program keeps");
  std::vector<double> v(n);
  r.array(v.data(), n, "a column of averages");
  return v;
}

}  // namespace

void SampleHistory::save(std::ostream& out) const {
  BinaryWriter w(out);
  w.value(static_cast<std::uint64_t>(tracks_.size()));
  w.value(epochStart_);
  for (const Track& t : tracks_) {
    for (const auto* v : {&t.step, &t.value, &t.mean, &t.error}) w.vector(std::vector<double>(*v));
    w.value(t.seen);
    w.value(t.stride);
    w.value(t.last);
    t.average.save(out);
  }
}

void SampleHistory::load(std::istream& in) {
  BinaryReader r(in);
  const auto count = r.value<std::uint64_t>("the number of averages");
  if (count != tracks_.size())
    throw InputError("the averages in the checkpoint are of other observables");
  epochStart_ = r.value<decltype(epochStart_)>("the first step of the averages");
  for (Track& t : tracks_) {
    for (auto* v : {&t.step, &t.value, &t.mean, &t.error}) *v = readColumn(r);
    t.seen = r.value<decltype(t.seen)>("the number of samples");
    t.stride = r.value<decltype(t.stride)>("the stride of the averages");
    r.array(t.last, 4, "the last sample");
    t.average.load(in);
  }
  ++version_;
}

}  // namespace cellscope
