// One observable of a mode.
#pragma once
#include <string>

#include "sim/api/mode.h"

namespace cellscope::test {

// Its value in a new sample; throws std::out_of_range when there is none of this id.
inline double sampled(Mode& mode, const std::string& id) {
  return mode.sample().at(columnOf(mode.info().observables, id));
}

}  // namespace cellscope::test
