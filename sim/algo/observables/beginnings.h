// What is accumulated from each beginning that averages may have: sample 0, 32, 64, 128, ... after
// a restart. Which of them is chosen is decided elsewhere (equilibrated_average.h). Memory
// grows with log2 of the number of samples.
#pragma once
#include <cstdint>
#include <utility>
#include <vector>

#include "sim/base/error.h"

namespace cellscope {

template <class T>
class Beginnings {
 public:
  struct Sums {
    std::uint64_t sample = 0;
    T of;
  };

  Beginnings() { restart(); }
  void restart(T fresh = {}) {
    all_.clear();
    all_.push_back({0, std::move(fresh)});
    samples_ = 0;
  }
  // One more sample; `fresh` begins with it where a beginning is due.
  void next(T fresh = {}) {
    const std::uint64_t last = all_.back().sample;
    if (samples_ == (last == 0 ? kFirst : 2 * last)) all_.push_back({samples_, std::move(fresh)});
    ++samples_;
  }
  void each(const auto& f) {
    for (Sums& s : all_) f(s.of);
  }
  // Chooses the first beginning from `sample` on; those before it are forgotten.
  void leaveOut(std::uint64_t sample) {
    while (all_.size() > 1 && all_.front().sample < sample) all_.erase(all_.begin());
  }

  std::uint64_t samples() const { return samples_; }
  const std::vector<Sums>& all() const { return all_; }  // the chosen one and those after it
  const T& chosen() const { return all_.front().of; }

  // By a BinaryWriter and BinaryReader; saveOne(T), loadOne() -> T. load() throws InputError when
  // it does not fit together.
  void save(auto& w, const auto& saveOne) const {
    w.value(static_cast<std::uint64_t>(all_.size()));
    for (const Sums& s : all_) {
      w.value(s.sample);
      saveOne(s.of);
    }
  }
  void load(auto& r, std::uint64_t samples, const auto& loadOne) {
    const auto count = r.template value<std::uint64_t>("the number of beginnings of averages");
    if (count < 1 || count > kMost || samples > kLongestRun) misfit();
    all_.clear();
    samples_ = samples;
    for (std::uint64_t i = 0; i < count; ++i) {
      const auto sample = r.template value<std::uint64_t>("the first sample of averages");
      if (sample > samples || (i > 0 && sample <= all_.back().sample)) misfit();
      all_.push_back({sample, loadOne()});
    }
  }

 private:
  static constexpr std::uint64_t kFirst = 32, kMost = 64, kLongestRun = 1ull << 53;
  [[noreturn]] static void misfit() {
    throw InputError("checkpoint: the beginnings of the averages do not fit together");
  }

  std::vector<Sums> all_;
  std::uint64_t samples_ = 0;
};

}  // namespace cellscope
