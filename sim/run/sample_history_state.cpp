// Sample histories in checkpoints, so that the averages of a resumed run go on.
#include "sim/base/error.h"
#include "sim/io/binary.h"
#include "sim/run/sample_history.h"

namespace cellscope {
namespace {

constexpr std::uint64_t kMostSamples = 1ull << 53;  // and steps

std::vector<double> readColumn(BinaryReader& r) {
  const auto n = r.value<std::uint64_t>("the length of a column of averages");
  if (n > SampleHistory::kPoints)
    throw InputError("checkpoint: the averages are longer than this program keeps");
  std::vector<double> v(n);
  r.array(v.data(), n, "a column of averages");
  return v;
}

// They come from the counts of steps: exact as doubles, and never going back.
void requireSound(const std::vector<double>& steps, double last) {
  double before = 0;
  for (const double step : steps) {
    if (!(step >= before && step <= static_cast<double>(kMostSamples)))
      throw InputError("checkpoint: the steps of the averages are impossible");
    before = step;
  }
  if (!(last >= before && last <= static_cast<double>(kMostSamples)))
    throw InputError("checkpoint: the last step of the averages is impossible");
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
  equilibrated_.save(w);
}

void SampleHistory::load(std::istream& in) {
  BinaryReader r(in);
  const auto count = r.value<std::uint64_t>("the number of averages");
  if (count != tracks_.size())
    throw InputError("checkpoint: the averages are of other observables");
  epochStart_ = r.value<decltype(epochStart_)>("the first step of the averages");
  for (Track& t : tracks_) {
    for (auto* v : {&t.step, &t.value, &t.mean, &t.error}) *v = readColumn(r);
    t.seen = r.value<decltype(t.seen)>("the number of samples");
    t.stride = r.value<decltype(t.stride)>("the stride of the averages");
    r.array(t.last, 4, "the last sample");
    requireSound(t.step, t.last[0]);
    const std::size_t points = t.step.size();
    if (t.value.size() != points || t.mean.size() != points || t.error.size() != points ||
        t.stride == 0 || t.stride > kMostSamples || t.seen > kMostSamples || points >= kPoints ||
        points != (t.seen + t.stride - 1) / t.stride)
      throw InputError("checkpoint: the numbers of samples do not fit together");
    t.average.load(in);
  }
  equilibrated_.load(r);
  ++version_;
}

}  // namespace cellscope
