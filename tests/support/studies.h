// Studies by name, with options as on the command line.
#pragma once
#include <gtest/gtest.h>

#include "app/reproduce/study.h"

namespace cellscope::test {

inline reproduce::Study studyNamed(
    const std::string& name, const std::vector<std::pair<std::string, std::string>>& options = {}) {
  for (reproduce::Study& study : reproduce::allStudies()) {
    if (study.info.name != name) continue;
    for (const auto& [option, text] : options) study.options.at(option).set(text);
    return std::move(study);
  }
  ADD_FAILURE() << "there is no study " << name;
  return {};
}

// Of a line of a CSV file.
inline std::vector<std::string> cellsOf(const std::string& line) {
  std::vector<std::string> cells(1);
  bool quoted = false;
  for (const char c : line) {
    if (c == '"')
      quoted = !quoted;
    else if (c == ',' && !quoted)
      cells.emplace_back();
    else
      cells.back() += c;
  }
  return cells;
}

inline int runStudy(reproduce::Study study, const std::string& folder, double minutes,
                    const ModeFactory& modes = {}) {
  reproduce::StudyContext context =
      reproduce::contextOf(study, folder, minutes, ExecConfig{Backend::cpu, 1, 0});
  context.modes = modes;
  return study.run(context);
}

}  // namespace cellscope::test
