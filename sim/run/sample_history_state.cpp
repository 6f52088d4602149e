// Sample histories in checkpoints, so that the averages of a resumed run go on.
#include <istream>
#include <ostream>

#include "sim/api/error.h"
#include "sim/run/sample_history.h"

namespace cellscope {
namespace {

template <class T>
void put(std::ostream& out, const T& value) {
  out.write(reinterpret_cast<const char*>(&value), sizeof(T));
}

template <class T>
void get(std::istream& in, T& value) {
  if (!in.read(reinterpret_cast<char*>(&value), sizeof(T)))
    throw InputError("the averages in the checkpoint are cut short");
}

void putColumn(std::ostream& out, const std::vector<double>& v) {
  put(out, static_cast<std::uint64_t>(v.size()));
  for (const double x : v) put(out, x);
}

void getColumn(std::istream& in, std::vector<double>& v) {
  std::uint64_t n = 0;
  get(in, n);
  if (n > SampleHistory::kPoints)
    throw InputError("the averages in the checkpoint are longer than this program keeps");
  v.resize(n);
  for (double& x : v) get(in, x);
}

}  // namespace

void SampleHistory::save(std::ostream& out) const {
  put(out, static_cast<std::uint64_t>(tracks_.size()));
  put(out, epochStart_);
  for (const Track& t : tracks_) {
    for (const auto* v : {&t.step, &t.value, &t.mean, &t.error}) putColumn(out, *v);
    put(out, t.seen);
    put(out, t.stride);
    put(out, t.last);
    t.average.save(out);
  }
}

void SampleHistory::load(std::istream& in) {
  std::uint64_t count = 0;
  get(in, count);
  if (count != tracks_.size())
    throw InputError("the averages in the checkpoint are of other observables");
  get(in, epochStart_);
  for (Track& t : tracks_) {
    for (auto* v : {&t.step, &t.value, &t.mean, &t.error}) getColumn(in, *v);
    get(in, t.seen);
    get(in, t.stride);
    get(in, t.last);
    t.average.load(in);
  }
  ++version_;
}

}  // namespace cellscope
