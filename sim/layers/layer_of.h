// Layers made of instances in host memory.
#pragma once
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "sim/api/frame.h"
#include "sim/exec/pooled_buffer.h"

namespace cellscope {

// A layer of instances in host memory.
template <class Instance>
LayerData layerOf(const std::string& key, Primitive primitive, const std::vector<Instance>& items,
                  ColourScale scale) {
  LayerData layer;
  layer.key = key;
  layer.primitive = primitive;
  layer.count = items.size();
  layer.scale = std::move(scale);
  if (!items.empty()) layer.buffer = HostFrameBuffer::of(items);
  if constexpr (std::is_same_v<Instance, PointInstance>)
    if (!items.empty()) layer.diameter = items.front().diameter;
  return layer;
}

}  // namespace cellscope
