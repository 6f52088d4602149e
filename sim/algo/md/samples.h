// Samples on the way of a run: sums over all particles, computed where these are and kept there
// until the host looks, which may be many steps later.
#pragma once
#include <functional>

#include "sim/algo/md/displacements.h"
#include "sim/algo/md/forces.h"

namespace cellscope {

// What a sample is made of.
struct MdSums : StateSums {
  double displacement2 = 0;  // |r_i(t) - r_i(0)|^2
  // Neighbours in the lists; each pair counts twice. Of lists that clusters share: entries of that
  // of each particle's cluster, whose distances to it are checked, itself included.
  double listed = 0;
};
HOST_DEVICE MdSums operator+(const MdSums& a, const MdSums& b) {
  const StateSums& first = a;
  return {first + b, a.displacement2 + b.displacement2, a.listed + b.listed};
}

struct RunSample {
  MdSums sums;
  std::uint64_t builds = 0, dangerous = 0;  // lists built until then (ListHistory)
  double heat = 0;                          // taken from the bath until then (Rescaler)
};

// Sums of a particle from those of an engine, its way, and its list where there are any.
template <class Totals>
struct SumsOf {
  Totals totals;
  Ways ways;
  ListReader listed;  // without counts: no lists
  HOST_DEVICE MdSums operator()(std::size_t i) const {
    return {totals(i), ways.squared(i),
            listed.count ? static_cast<double>(listed.count[listed.rowOf(i)]) : 0.0};
  }
};

// Lists built, as the host knows them.
struct KnownBuilds {
  std::uint64_t all, dangerousOnes;
  HOST_DEVICE std::uint64_t builds() const { return all; }
  HOST_DEVICE std::uint64_t dangerous() const { return dangerousOnes; }
};

template <class Builds>
struct KeepSample {
  const MdSums* sums;
  RunSample* to;
  Builds lists;
  const double* heat;
  HOST_DEVICE void operator()(std::size_t) const {
    *to = {*sums, lists.builds(), lists.dangerous(), *heat};
  }
};

class SampleRing {
 public:
  static constexpr std::size_t kRoom = 64;

  explicit SampleRing(Backend where) : ring_(where), one_(where), sum_(where) {}

  // A sample belongs after every step s with (s + 1) % steps == 0; 0: none. Forgets those there
  // are.
  void every(std::uint64_t steps) {
    every_ = steps;
    filled_ = fetched_ = 0;
  }
  bool on() const { return every_ > 0; }
  bool due(std::uint64_t step) const { return every_ > 0 && (step + 1) % every_ == 0; }
  // Steps from this one on until the first after which a sample belongs.
  std::uint64_t stepsTo(std::uint64_t step) const {
    return every_ > 0 ? every_ - step % every_ : ~std::uint64_t{0};
  }
  // Bit k: a sample belongs after step first + k. At most 64 steps.
  std::uint64_t mask(std::uint64_t first, std::uint64_t count) const {
    std::uint64_t bits = 0;
    if (!on()) return bits;
    CELLSCOPE_ASSERT(count <= 64);
    for (std::uint64_t k = 0; k < count; ++k) bits |= std::uint64_t{due(first + k)} << k;
    return bits;
  }

  RunSample* ring() const { return ring_.data()->sample; }
  std::size_t filled() const { return filled_; }
  RunSample* next() const {
    CELLSCOPE_ASSERT(filled_ < kRoom);
    return ring() + filled_;
  }
  // `count` more have been ordered; negative: the last ones are not valid.
  void took(std::ptrdiff_t count) {
    filled_ = static_cast<std::size_t>(static_cast<std::ptrdiff_t>(filled_) + count);
    fetched_ = 0;
  }
  // Of a sample that is taken at once.
  exec::DeviceValue<RunSample>& one() { return one_; }

  // Sums up n particles to *to, after the work ordered so far. heat: where it is. Does not wait.
  template <class Exec, class Of, class Builds>
  void order(Exec& exec, std::size_t n, const Of& of, RunSample* to, const Builds& builds,
             const double* heat) {
    exec.reduce("sample", n, MdSums{}, of, std::plus<MdSums>{}, sum_);
    exec.forEach("sample: keep", 1, KeepSample<Builds>{sum_.data(), to, builds, heat});
  }
  // To the host, after the work ordered so far; the caller then waits for something else.
  void fetch(auto& exec) {
    if (filled_ > 0) exec.fetch(ring_);
    fetched_ = filled_;
  }
  // One of those on their way to the host has been changed since.
  void changed(auto& exec) {
    if (fetched_ > 0) fetch(exec);
  }
  // Those since the last time, in order. Waits where they have not been fetched.
  template <class Exec>
  std::vector<RunSample> take(Exec& exec) {
    if (filled_ == 0) return {};
    const Contents all = fetched_ == filled_ ? ring_.seen() : exec.read(ring_);
    const std::vector<RunSample> samples(all.sample, all.sample + filled_);
    filled_ = fetched_ = 0;
    return samples;
  }

 private:
  struct Contents {
    RunSample sample[kRoom];
  };
  std::uint64_t every_ = 0;
  std::size_t filled_ = 0, fetched_ = 0;
  exec::DeviceValue<Contents> ring_;
  exec::DeviceValue<RunSample> one_;
  exec::DeviceValue<MdSums> sum_;
};

}  // namespace cellscope
