#include "app/cli/validators.h"

#include <fmt/format.h>

#include "sim/base/number_text.h"

namespace cellscope::cli {

CLI::Validator wholeNumber(std::int64_t least, std::int64_t most) {
  const auto check = [=](std::string& text) -> std::string {
    const auto value = wholeFrom(text);
    if (!value || *value < least || *value > most)
      return fmt::format("'{}' is not allowed; allowed: whole number {} to {}", text, least, most);
    text = fmt::format("{}", *value);  // 010 is ten, not eight
    return "";
  };
  return CLI::Validator(check, fmt::format("{} to {}", least, most));
}

CLI::Validator realNumber(double least, double most) {
  const auto check = [=](std::string& text) -> std::string {
    const auto value = realFrom(text);
    if (!value || !(*value >= least && *value <= most))
      return fmt::format("'{}' is not allowed; allowed: number {:g} to {:g}", text, least, most);
    text = fmt::format("{}", *value);  // normalised, as the parser does not accept every form (+5)
    return "";
  };
  return CLI::Validator(check, fmt::format("{:g} to {:g}", least, most));
}

CLI::Validator fileName() {
  const auto check = [](std::string& text) -> std::string {
    if (text == "-") return "'-' is not a file name; use /dev/stdout or /dev/stdin";
    return text.empty() ? "the file name is empty; give one or leave the option out" : "";
  };
  return CLI::Validator(check, "");
}

}  // namespace cellscope::cli
