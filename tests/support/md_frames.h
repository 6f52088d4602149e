// Layers of frames of molecular dynamics, taken to the host.
#pragma once
#include <gtest/gtest.h>

#include <memory>

#include "sim/modes/md/mode.h"

namespace cellscope::test {

template <class T>
std::vector<T> drawnItems(const LayerData& layer) {
  std::size_t count = layer.count;
  if (layer.drawn) {
    std::uint32_t drawn = 0;
    layer.drawn->copyTo(&drawn, MemorySpace::host);
    count = drawn;
  }
  if (!layer.buffer) return {};
  std::vector<T> all(layer.buffer->bytes() / sizeof(T));
  layer.buffer->copyTo(all.data(), MemorySpace::host);
  all.resize(count);
  return all;
}

inline const LayerData& layerNamed(const Frame& frame, const std::string& key) {
  for (const LayerData& l : frame.layers)
    if (l.key == key) return l;
  ADD_FAILURE() << "no layer " << key;
  static const LayerData none;
  return none;
}

// Of the card of the picked particle; "" where there is no such row.
inline std::string cardRow(const Frame& frame, const std::string& label) {
  for (const auto& [name, value] : frame.picked.rows)
    if (name == label) return value;
  return "";
}

inline std::shared_ptr<const Frame> framed(MdMode& mode, const std::string& layer,
                                           ParticleId picked = -1, const LayerLook& look = {}) {
  ViewRequest view;
  view.layers = {layer};
  view.picked = picked;
  view.looks[layer] = look;
  return mode.frame(view);
}

// Items of a layer that is drawn alone.
template <class T>
std::vector<T> framedItems(MdMode& mode, const std::string& layer, ParticleId picked = -1,
                           const LayerLook& look = {}) {
  return drawnItems<T>(layerNamed(*framed(mode, layer, picked, look), layer));
}

}  // namespace cellscope::test
