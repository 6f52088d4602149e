// Studies of hard disks by name, with options as on the command line.
#pragma once
#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "app/reproduce/hard_disks/disk_study.h"

namespace cellscope::test {

inline std::unique_ptr<reproduce::DiskStudy> studyNamed(
    const std::string& name, const std::vector<std::pair<std::string, std::string>>& options = {}) {
  for (auto& study : reproduce::diskStudies()) {
    if (study->info().name != name) continue;
    for (const auto& [option, text] : options) study->options().at(option).set(text);
    return std::move(study);
  }
  ADD_FAILURE() << "there is no study " << name;
  return nullptr;
}

inline int runStudy(reproduce::Study& study, const std::string& folder, double minutes,
                    int threads = 1) {
  return study.run(
      reproduce::contextOf(study, folder, minutes, ExecConfig{Backend::cpu, threads, 0}));
}

}  // namespace cellscope::test
