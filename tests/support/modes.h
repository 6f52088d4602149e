// Modes and scenarios with settings as on the command line, "n=64 packing=0.5", their states and
// samples, and what modes say.
#pragma once
#include <algorithm>
#include <bit>
#include <sstream>

#include "sim/algo/observables/block_average.h"
#include "sim/run/scenario.h"
#include "test_paths.h"
#include "tests/support/message_of.h"

namespace cellscope::test {

inline const ExecConfig kOneThread{Backend::cpu, 1, 0};

// A scenario of the gallery.
inline Scenario shipped(const std::string& name) {
  return findScenario(name, CELLSCOPE_SOURCE_DIR "/assets/scenarios");
}

// Later values of the same key count. Throws InputError.
inline void assign(ParameterSet& set, const std::string& settings) {
  std::istringstream words(settings);
  for (std::string word; words >> word;) {
    const std::size_t is = word.find('=');
    set.at(word.substr(0, is)).setText(word.substr(is + 1));
  }
}

inline void assign(Mode& mode, const std::string& settings) { assign(mode.parameters(), settings); }

inline void restartWith(Mode& mode, const std::string& settings) {
  assign(mode, settings);
  mode.restart();
}

template <class T = double>
T valueIn(Mode& mode, const std::string& key) {
  return std::get<T>(mode.parameters().at(key).get());
}

// While it runs.
inline void change(Mode& mode, const std::string& settings) {
  assign(mode, settings);
  mode.applyParameters();
}

inline Scenario scenarioWith(const std::string& mode, const std::string& settings) {
  Scenario s{.name = "test", .mode = mode};
  ParameterSet set = describeMode(mode).parameters();
  std::istringstream words(settings);
  for (std::string word; words >> word;) {
    assign(set, word);
    const std::string key = word.substr(0, word.find('='));
    setParameter(s, key, set.at(key).get());
  }
  return s;
}

// As a checkpoint holds it.
inline std::string saved(const Mode& mode) {
  std::ostringstream out;
  mode.save(out);
  return out.str();
}
inline void load(Mode& mode, const std::string& state) {
  std::istringstream in(state);
  mode.load(in);
}

inline void expectHealthy(Mode& mode) {
  for (const SelfCheck& c : mode.selfChecks()) EXPECT_TRUE(c.ok) << c.label << ": " << c.detail;
}

// The self-check of this name; it has failed where there is none.
inline SelfCheck checkOf(Mode& mode, const std::string& label) {
  for (const SelfCheck& c : mode.selfChecks())
    if (c.label == label) return c;
  return {label, false, ""};
}
inline std::string detailOf(Mode& mode, const std::string& label) {
  return checkOf(mode, label).detail;
}

// The chart of that name; empty where there is none.
inline Curve curveOf(const Mode& mode, const std::string& id) {
  for (Curve& c : mode.curves())
    if (c.id == id) return c;
  return {};
}

// Of all charts, their values and what is hollow.
inline std::string chartsOf(const Mode& mode) {
  std::ostringstream all;
  all.precision(17);
  for (const Curve& c : mode.curves())
    for (const CurveSeries& one : c.series) {
      all << c.id << " " << one.label << " " << one.provisional << ":";
      for (std::size_t i = 0; i < one.y.size(); ++i)
        all << " " << one.y[i] << " " << (i < one.error.size() ? one.error[i] : 0);
      all << "\n";
    }
  return all.str();
}

inline std::size_t slotOf(const Configuration& c, ParticleId id) {
  return static_cast<std::size_t>(std::find(c.ids.begin(), c.ids.end(), id) - c.ids.begin());
}

// Of the nearest images of two particles.
inline double distanceBetween(const Configuration& c, std::size_t i, std::size_t j) {
  const Vec3d d = c.box.minimumImage(c.place(i) - c.place(j));
  return std::sqrt(dot(d, d));
}

// Of all layers.
inline ViewRequest wholeView(Mode& mode, ParticleId picked = -1) {
  ViewRequest view{.picked = picked};
  for (const LayerInfo& l : mode.info().layers) view.layers.push_back(l.key);
  return view;
}

// The layer of that key; null where there is none.
inline const LayerData* layerIn(const Frame& frame, const std::string& key) {
  for (const LayerData& l : frame.layers)
    if (l.key == key) return &l;
  return nullptr;
}

// What it draws.
template <class Instance>
std::vector<Instance> itemsIn(const Frame& frame, const std::string& key) {
  const LayerData* layer = layerIn(frame, key);
  if (!layer || layer->count == 0) return {};
  std::vector<Instance> all(layer->count);
  EXPECT_EQ(layer->buffer->bytes(), all.size() * sizeof(Instance)) << key;
  layer->buffer->copyTo(all.data(), MemorySpace::host);
  return all;
}

// --- Samples. ---

// Its value in a new sample; throws std::out_of_range when there is none of this id.
inline double sampled(Mode& mode, const std::string& id) {
  return mode.sample().at(columnOf(mode.info().observables, id));
}

// Over samples, of which one is taken after every so many steps.
inline std::vector<BlockAverage> averaged(Mode& mode, const std::vector<std::string>& ids,
                                          int samples, std::uint64_t every) {
  std::vector<BlockAverage> all(ids.size());
  for (int k = 0; k < samples; ++k) {
    mode.advance(every);
    const std::vector<double> values = mode.sample();
    for (std::size_t i = 0; i < ids.size(); ++i)
      all[i].add(values.at(columnOf(mode.info().observables, ids[i])));
  }
  return all;
}

// A sample bit for bit: what is not measured is equal as well.
inline std::vector<std::uint64_t> bitsOf(const std::vector<double>& sample) {
  std::vector<std::uint64_t> bits;
  for (const double v : sample) bits.push_back(std::bit_cast<std::uint64_t>(v));
  return bits;
}

}  // namespace cellscope::test
