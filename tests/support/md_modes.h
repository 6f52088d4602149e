// Small molecular-dynamics modes for tests.
#pragma once
#include <fmt/format.h>

#include "sim/modes/md/mode.h"
#include "tests/support/modes.h"

namespace cellscope::test {

// Settings as on the command line, "n=500 method=tree"; while it runs: change().
inline std::unique_ptr<MdMode> startedMd(const ExecConfig& config, const std::string& settings) {
  auto mode = std::make_unique<MdMode>(config);
  restartWith(*mode, settings);
  return mode;
}
inline std::unique_ptr<MdMode> startedMd(const std::string& settings) {
  return startedMd({Backend::cpu, 2, 0}, settings);
}

inline std::unique_ptr<MdMode> small(std::int64_t n = 256, double density = 0.8442) {
  return startedMd(fmt::format("n={} density={}", n, density));
}

// The nearest distance of points that lie in the box, or of the images of one.
inline double nearestOf(const std::vector<Vec3d>& r, const Box& box) {
  double nearest2 = box.shortest() * box.shortest();
  for (std::size_t i = 0; i < r.size(); ++i) {
    EXPECT_TRUE(box.contains(r[i])) << i;
    for (std::size_t j = 0; j < i; ++j) {
      const Vec3d d = box.minimumImage(r[i] - r[j]);
      nearest2 = std::min(nearest2, dot(d, d));
    }
  }
  return std::sqrt(nearest2);
}

inline bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

// --- Layers of frames, taken to the host. ---

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
  if (const LayerData* l = layerIn(frame, key)) return *l;
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
  return mode.frame({.layers = {layer}, .picked = picked, .looks = {{layer, look}}});
}

// Items of a layer that is drawn alone.
template <class T>
std::vector<T> framedItems(MdMode& mode, const std::string& layer, ParticleId picked = -1,
                           const LayerLook& look = {}) {
  return drawnItems<T>(layerNamed(*framed(mode, layer, picked, look), layer));
}

}  // namespace cellscope::test
