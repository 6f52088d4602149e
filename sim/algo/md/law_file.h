// Included by files of laws alone, so that nobody else compiles their kernels (pair_law.h).
#pragma once
#include "sim/algo/md/pair_law.h"

namespace cellscope {

template <class Work, int potential>
void LawFile<Work, potential>::run(const Work& work, const AnyLaw& any) {
  withLawOfFile<potential, typename Work::Real>(any, work);
}

}  // namespace cellscope
