// Small molecular-dynamics modes for tests.
#pragma once
#include <memory>
#include <string>

#include "sim/modes/md/mode.h"
#include "tests/support/saved.h"

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

// A parameter's value: a literal would be taken for a truth value.
inline std::string word(const char* s) { return s; }

inline bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

}  // namespace cellscope::test
