// Small crowds for tests, and a crowd computed one walker after the other.
#pragma once
#include <memory>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "tests/support/crowd/mode.h"
#include "tests/support/saved.h"

namespace cellscope::test {

using Settings = std::vector<std::pair<std::string, std::string>>;

inline std::unique_ptr<CrowdMode> crowd(const ExecConfig& config, const Settings& settings = {}) {
  auto mode = std::make_unique<CrowdMode>(config);
  for (const auto& [key, value] : settings) mode->parameters().at(key).setText(value);
  mode->restart();
  return mode;
}

inline void change(Mode& mode, const std::string& key, const std::string& value) {
  mode.parameters().at(key).setText(value);
  mode.applyParameters();
}

// Every layer on.
inline ViewRequest everything(const Mode& mode, ParticleId picked = -1) {
  ViewRequest view;
  for (const LayerInfo& l : mode.info().layers) view.layers.push_back(l.key);
  view.picked = picked;
  return view;
}

inline const LayerData* layerIn(const Frame& frame, const std::string& key) {
  for (const LayerData& l : frame.layers)
    if (l.key == key) return &l;
  return nullptr;
}

// Instances of a layer that are drawn, whether the host or only the device knows their number.
template <class Instance>
std::vector<Instance> drawnOf(const LayerData& layer) {
  if (!layer.buffer) return {};
  if (layer.buffer->bytes() % sizeof(Instance) != 0)
    throw std::logic_error("layer '" + layer.key + "' has other instances");
  std::vector<Instance> all(layer.buffer->bytes() / sizeof(Instance));
  layer.buffer->copyTo(all.data(), MemorySpace::host);
  std::uint32_t count = static_cast<std::uint32_t>(layer.count);
  if (layer.drawn) layer.drawn->copyTo(&count, MemorySpace::host);
  all.resize(count);
  return all;
}

// One step, walker by walker, in the order of the phases: what the verbs must come to.
inline void serialStep(std::vector<Walker>& walkers, const CrowdRules& rules,
                       const std::vector<CrowdPhase>& phases) {
  for (const CrowdPhase phase : phases) {
    const auto count = static_cast<std::uint32_t>(walkers.size());
    if (phase == CrowdPhase::move)
      for (std::size_t i = 0; i < count; ++i) MoveWalker<false>{walkers.data(), &count, rules}(i);
    if (phase == CrowdPhase::deaths) {
      std::vector<Walker> left;
      for (std::size_t i = 0; i < count; ++i)
        if (Judge{walkers.data(), &count, rules}.fate(i) == Fate::lives) left.push_back(walkers[i]);
      walkers = left;
    }
    if (phase == CrowdPhase::births)
      for (std::size_t i = 0; i < rules.attempts; ++i)
        if (IsBorn{rules}(i)) walkers.push_back(Newborn{rules}(i));
    if (phase == CrowdPhase::sort)
      std::stable_sort(walkers.begin(), walkers.end(),
                       [](const Walker& a, const Walker& b) { return a.type < b.type; });
  }
}

}  // namespace cellscope::test
