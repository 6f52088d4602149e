#include "app/reproduce/study.h"

#include <fmt/format.h>

#include <utility>

namespace cellscope::reproduce {
namespace {

std::string commandOf(Study& study, double minutes) {
  std::string text =
      fmt::format("cellscope reproduce {} --minutes {:g}", study.info().name, minutes);
  for (const Option& o : study.options().items())
    if (o.changed() || (o.given() && !o.isFlag()))
      text += o.isFlag() ? " " + o.name() : fmt::format(" {} {}", o.name(), o.text());
  return text;
}

}  // namespace

StudyContext contextOf(Study& study, std::string folder, double minutes, const ExecConfig& exec) {
  if (exec.backend == Backend::cpu)
    for (const auto& [key, text] : study.info().onCpu) {
      Option& o = study.options().at(key);
      if (!o.given()) o.set(text);
    }
  return {std::move(folder), minutes, exec, study.info().name, commandOf(study, minutes)};
}

}  // namespace cellscope::reproduce
