// Samples of a mode.
#pragma once
#include <bit>
#include <cstdint>
#include <string>
#include <vector>

#include "sim/api/mode.h"

namespace cellscope::test {

// Its value in a new sample; throws std::out_of_range when there is none of this id.
inline double sampled(Mode& mode, const std::string& id) {
  return mode.sample().at(columnOf(mode.info().observables, id));
}

// A sample bit for bit: what is not measured is equal as well.
inline std::vector<std::uint64_t> bitsOf(const std::vector<double>& sample) {
  std::vector<std::uint64_t> bits;
  for (const double v : sample) bits.push_back(std::bit_cast<std::uint64_t>(v));
  return bits;
}

}  // namespace cellscope::test
