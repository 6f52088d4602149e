// Small molecular-dynamics modes for tests.
#pragma once
#include <gtest/gtest.h>

#include <memory>
#include <sstream>
#include <string>
#include <vector>

#include "sim/modes/md/mode.h"

namespace cellscope::test {

inline void set(Mode& mode, const char* key, const ParameterValue& value) {
  mode.parameters().at(key).set(value);
}

inline std::unique_ptr<MdMode> small(std::int64_t n = 256, double density = 0.8442) {
  auto mode = std::make_unique<MdMode>(ExecConfig{Backend::cpu, 2, 0});
  set(*mode, "n", n);
  set(*mode, "density", density);
  mode->restart();
  return mode;
}

inline bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

inline std::string saved(const Mode& mode) {
  std::ostringstream out;
  mode.save(out);
  return out.str();
}

// A new sample's value.
inline double observable(Mode& mode, const std::string& id) {
  const std::vector<double> values = mode.sample();
  const auto& infos = mode.info().observables;
  EXPECT_EQ(values.size(), infos.size());
  for (std::size_t i = 0; i < infos.size(); ++i)
    if (infos[i].id == id) return values[i];
  ADD_FAILURE() << "no observable " << id;
  return 0;
}

}  // namespace cellscope::test
