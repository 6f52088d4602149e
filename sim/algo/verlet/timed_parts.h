// Force passes over lists with a part left out, to be timed: nothing comes of them.
#pragma once
#include <cstddef>
#include <cstdint>

#include "sim/algo/neighbours/list.h"
#include "sim/algo/neighbours/particle_record.h"

namespace cellscope {

// Reads the list of a particle and, with records, where its neighbours are.
template <bool records>
struct ListWalk {
  ListReader list;
  const ParticleRecord* record;

  HOST_DEVICE void operator()(std::size_t i) const {
    const std::uint32_t count = list.count[i];
    const std::uint32_t* const items = list.items + list.head[i];
    ReadOnly read;
    for (std::uint32_t k = 0; k < count; ++k) {
      if constexpr (records) {
        const ParticleRecord q = record[items[k]];
        read.take(q.x, q.y, q.z);
      } else {
        read.take(items[k]);
      }
    }
    read.end();
  }
};

}  // namespace cellscope
