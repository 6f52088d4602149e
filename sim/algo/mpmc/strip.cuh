// What a strip has to do with the strips beside it on CUDA.
#pragma once
#include "sim/algo/mpmc/engine.h"

namespace cellscope::mpmc {

// i = cell of `a`, then of `b`.
struct CopyRows {
  RowCopy a, b;
  int slots;
  __device__ void operator()(std::size_t i) const {
    const RowCopy& rows = i < a.cells ? a : b;
    if (i >= a.cells) i -= a.cells;
    for (int k = 0; k < slots; ++k) {
      rows.to.disk[k * rows.to.stride + i] = rows.from.disk[k * rows.from.stride + i];
      rows.to.id[k * rows.to.stride + i] = rows.from.id[k * rows.from.stride + i];
    }
    rows.to.count[i] = rows.from.count[i];
  }
};

}  // namespace cellscope::mpmc
