// Samples of a mode.
#pragma once
#include <bit>

#include "sim/algo/observables/block_average.h"
#include "sim/api/mode.h"

namespace cellscope::test {

// Its value in a new sample; throws std::out_of_range when there is none of this id.
inline double sampled(Mode& mode, const std::string& id) {
  return mode.sample().at(columnOf(mode.info().observables, id));
}

// Over samples, of which one is taken after every so many steps.
inline std::vector<BlockAverage> averaged(Mode& mode, const std::vector<std::string>& ids,
                                          int samples, std::uint64_t every) {
  std::vector<BlockAverage> all(ids.size());
  for (int k = 0; k < samples; ++k) {
    mode.advance(every);
    const std::vector<double> values = mode.sample();
    for (std::size_t i = 0; i < ids.size(); ++i)
      all[i].add(values.at(columnOf(mode.info().observables, ids[i])));
  }
  return all;
}

// A sample bit for bit: what is not measured is equal as well.
inline std::vector<std::uint64_t> bitsOf(const std::vector<double>& sample) {
  std::vector<std::uint64_t> bits;
  for (const double v : sample) bits.push_back(std::bit_cast<std::uint64_t>(v));
  return bits;
}

}  // namespace cellscope::test
