// What is published of going back in a run.
#pragma once
#include <cstddef>
#include <cstdint>

#include "sim/base/shared_list.h"
#include "sim/run/observable_series.h"

namespace cellscope {

// A part of the run that was left by going back: what was measured, from the step on at which the
// present run leaves it.
struct Branch {
  std::uint64_t from = 0, to = 0;
  SharedList<ObservableSeries> series;  // with what came before
  bool ahead = false;                   // it can still be gone forward to
};

struct Timeline {
  std::size_t limitBytes = 0, usedBytes = 0;  // limit 0: switched off
  std::size_t needed = 0;                     // > 0: bytes of a state, too large for the limit
  std::uint64_t run = 0;                      // another number: another run
  std::uint64_t end = 0;                      // the step that "forward to now" leads to
  bool behind = false;                        // the present step is before the end
  SharedList<std::uint64_t> steps;            // of moments that are kept, in order
  SharedList<Branch> branches;                // the last ones
};

}  // namespace cellscope
