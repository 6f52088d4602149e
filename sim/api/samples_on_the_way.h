// What a mode may offer beside the interface of all modes: samples and values that it comes to
// while it goes on by itself.
#pragma once
#include <cstdint>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "sim/api/parameter.h"

namespace cellscope {

class SamplesOnTheWay {
 public:
  virtual ~SamplesOnTheWay() = default;

  // Whether advanceSampling() may be called now.
  virtual bool samplesOnTheWay() const = 0;
  // As Mode::advance(); wherever step() becomes a multiple of `every` a sample is taken as by
  // Mode::sample(), on the way, and handed over once steps after it are done too. In order. When
  // it throws, what was handed over belongs to steps that were made.
  using SampleSink = std::function<void(std::uint64_t step, const std::vector<double>& values)>;
  virtual void advanceSampling(std::uint64_t steps, std::uint64_t every,
                               const SampleSink& sink) = 0;
};

class FindsValues {
 public:
  virtual ~FindsValues() = default;

  // Values that a preparation has found and that depend on more than the state, such as times: to
  // be set and logged as if by hand. Each is reported once.
  using Found = std::pair<std::string, ParameterValue>;
  virtual std::vector<Found> takeFound() = 0;
};

}  // namespace cellscope
