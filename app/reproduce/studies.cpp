// The studies that exist. A new one is a file here and its name in the two places below.
#include <fmt/format.h>

#include <utility>

#include "app/reproduce/study.h"

namespace cellscope::reproduce {

Study table1(), table2(), table4(), leaveCell(), tuning(), lostDisks();
Study binaryMixture(), colloidSolution(), allPairsSteps(), cellSteps(), randomNumbers(),
    unevenDensity();
Study chainSerial(), chainMappings(), chainSizes(), chainCutoffs();

std::vector<ModeStudies> allStudies() {
  return {{"hard_disks", {table1(), table2(), table4(), leaveCell(), tuning(), lostDisks()}},
          {"md",
           {binaryMixture(), colloidSolution(), allPairsSteps(), cellSteps(), randomNumbers(),
            unevenDensity()}},
          {"gcmc", {chainSerial(), chainMappings(), chainSizes(), chainCutoffs()}}};
}

namespace {

std::string commandOf(Study& study, double minutes) {
  std::string text = fmt::format("cellscope reproduce {} --minutes {:g}", study.info.name, minutes);
  for (const Option& o : study.options.items())
    if (o.changed() || (o.given() && !o.isFlag()))
      text += o.isFlag() ? " " + o.name() : fmt::format(" {} {}", o.name(), o.text());
  return text;
}

}  // namespace

const char* const kJudging =
    "A result is judged once its run is long enough: 64 samples of each run or as many blocks, "
    "starts that agree, no drift, all sweeps that were asked for (whichever the study has). It is "
    "right within 3 combined standard errors; errors are one standard error. Results that are "
    "wrong on purpose, and times, stand beside the paper's and are not judged. Exit code: 0 when "
    "all results were judged and are right, or all times are taken; 1 when one was judged and is "
    "wrong, or the study failed or was stopped; 3 when none is wrong, but not all were long enough "
    "to be judged (more --minutes).";

StudyContext contextOf(Study& study, std::string folder, double minutes, const ExecConfig& exec) {
  if (exec.backend == Backend::cpu)
    for (const auto& [key, text] : study.info.onCpu) {
      Option& o = study.options.at(key);
      if (!o.given()) o.set(text);
    }
  return {std::move(folder), minutes, exec, study.info.name, commandOf(study, minutes)};
}

}  // namespace cellscope::reproduce
