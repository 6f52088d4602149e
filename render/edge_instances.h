// The few particles near the sides of the box, of which alone periodic images reach into it.
#pragma once
#include <span>
#include <vector>

#include "sim/api/frame.h"

namespace cellscope::render {

// Of a plane: those that reach over a side or lie beyond it, in their order.
std::vector<PointInstance> overEdges(std::span<const PointInstance> all, const Box& box);

}  // namespace cellscope::render
