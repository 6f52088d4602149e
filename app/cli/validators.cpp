#include "app/cli/validators.h"

#include <fmt/format.h>

#include <charconv>

namespace cellscope::cli {
namespace {

// All of `text` as a T between the limits.
template <class T>
bool lies(const std::string& text, T least, T most, T& value) {
  const char* end = text.data() + text.size();
  const auto r = std::from_chars(text.data(), end, value);
  return r.ec == std::errc() && r.ptr == end && value >= least && value <= most;
}

}  // namespace

CLI::Validator wholeNumber(std::uint64_t least, std::uint64_t most) {
  const auto check = [=](std::string& text) -> std::string {
    std::uint64_t value = 0;
    if (!lies(text, least, most, value))
      return fmt::format("'{}' is not allowed; allowed: whole number {} to {}", text, least, most);
    text = fmt::format("{}", value);  // 010 is ten, not eight
    return "";
  };
  return CLI::Validator(check, fmt::format("{} to {}", least, most));
}

CLI::Validator realNumber(double least, double most) {
  const auto check = [=](std::string& text) -> std::string {
    double value = 0;
    if (lies(text, least, most, value)) return "";
    return fmt::format("'{}' is not allowed; allowed: number {:g} to {:g}", text, least, most);
  };
  return CLI::Validator(check, fmt::format("{:g} to {:g}", least, most));
}

CLI::Validator someName() {
  const auto check = [](std::string& text) -> std::string {
    if (text == "-") return "'-' is no file; standard output is /dev/stdout, input /dev/stdin";
    return text.empty() ? "the name is empty; give one, or leave the option out" : "";
  };
  return CLI::Validator(check, "");
}

}  // namespace cellscope::cli
