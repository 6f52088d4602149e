// Neighbour lists from the trees: one query per particle, in the order of the trees, so that
// threads of a warp walk through the same nodes (S1, section 3.3).
#pragma once
#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "sim/algo/lbvh/query.h"
#include "sim/algo/neighbours/list.h"
#include "sim/base/host_device.h"

namespace cellscope {

// Writes what a query finds to the list of its slot.
struct ListEntries {
  std::uint32_t* items;
  std::uint32_t room;
  std::uint32_t found = 0;
  HOST_DEVICE void add(std::uint32_t slot) {
    if (found < room) items[found] = slot;
    ++found;
  }
};

template <class Watch>  // NoWatch or CountChecks
struct ListFromTrees {
  TreeQueries queries;
  ListView list;
  std::uint32_t* checks;

  HOST_DEVICE void operator()(std::size_t i) const {
    const TreeParticle p = queries.trees.particle[i];
    const std::uint32_t type = typeOfSorted(queries.trees.part, static_cast<std::uint32_t>(i));
    ListEntries entries{list.items + list.head[p.slot], list.room(p.slot)};
    Watch watch;
    queries.visit(
        {p.x, p.y, p.z, type}, p.slot, [&](std::uint32_t s) { entries.add(s); }, watch);
    list.finish(p.slot, type, entries.found);
    if constexpr (std::is_same_v<Watch, CountChecks>) checks[p.slot] = watch.checks;
  }
};

// The same walk without distances.
struct WalkTrees {
  TreeQueries queries;
  std::uint32_t* unread;

  struct Ignore {
    HOST_DEVICE void operator()(std::uint32_t) const {}
  };
  HOST_DEVICE void operator()(std::size_t i) const {
    const TreeParticle p = queries.trees.particle[i];
    const std::uint32_t type = typeOfSorted(queries.trees.part, static_cast<std::uint32_t>(i));
    WalkOnly watch;
    queries.visit({p.x, p.y, p.z, type}, p.slot, Ignore{}, watch);
    watch.read.end(unread);
  }
};

}  // namespace cellscope
