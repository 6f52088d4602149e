// A mode that has neighbour lists to be written to a file.
#pragma once
#include "sim/base/pair_list.h"

namespace cellscope {

class LendsLists {
 public:
  virtual ~LendsLists() = default;
  // Throws InputError naming the way out where the mode has no lists with its parameters.
  virtual void requireLists() const = 0;
  // Those built last, with the positions that they were built from and the structures behind them.
  // Call between steps only. Throws as requireLists().
  virtual PairList neighbourLists() = 0;
};

}  // namespace cellscope
