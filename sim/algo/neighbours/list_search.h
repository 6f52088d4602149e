// How a builder of neighbour lists searches.
#pragma once

namespace cellscope {

// Lists hold the same with both, perhaps in another order.
enum class ListSearch {
  fast,  // what was measured to be fastest on the backend
  paper  // one thread for each particle, as in S1: the oracle of the other
};

}  // namespace cellscope
