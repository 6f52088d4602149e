// The pass over placeholder cells with a part left out, to be timed: nothing comes of it.
#pragma once
#include <cstddef>
#include <cstdint>

#include "sim/algo/neighbours/read_only.h"
#include "sim/algo/placeholders/pass.h"

namespace cellscope {

// Loads the cells around each and, with records, goes through their slots without arithmetic.
template <bool records>
struct CellWalk {
  CellPass<NoLaw, CellWork::terms> cells;
  std::uint32_t* unread;

  struct Shared {};
  struct Private {
    SlotRecord own;
    ReadOnly read;
  };

  HOST_DEVICE int phases(int) const { return 2 * cells.neighbours() + 2; }
  HOST_DEVICE void phase(int p, int team, int thread, Shared&, Private& mine,
                         std::byte* dynamic) const {
    SlotRecord* const loaded = cells.loaded(dynamic);
    const int n = (p - 1) / 2;
    if (p == 0) {
      mine.own =
          cells
              .now[static_cast<std::size_t>(team) * cells.slots + static_cast<std::size_t>(thread)];
    } else if (p == 2 * cells.neighbours() + 1) {
      mine.read.end(unread);
    } else if (p % 2 == 1) {
      loaded[thread] =
          cells.now[cells.cell(team, n) * cells.slots + static_cast<std::size_t>(thread)];
    } else if (records && (cells.everySlot || mine.own.real())) {
      const std::uint32_t last = cells.everySlot ? cells.slots : cells.filled[cells.cell(team, n)];
      for (std::uint32_t k = 0; k < last; ++k)
        mine.read.take(loaded[k].x, loaded[k].y, loaded[k].z);
    } else {
      mine.read.take(loaded[thread].x, 0, 0);
    }
  }
};

}  // namespace cellscope
