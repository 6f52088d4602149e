#include <fmt/format.h>
#include <md5.h>

#include <array>
#include <nlohmann/json.hpp>

#include "app/sweep/sweep.h"
#include "sim/base/digits.h"
#include "sim/base/error.h"
#include "sim/io/text_lines.h"

namespace cellscope::sweep {
namespace {

// Python's repr(): the shortest text that reads back, with a decimal point or an exponent.
std::string pythonText(double value) {
  std::string text = fmt::format("{}", value);
  if (text.find_first_of(".en") == text.npos) text += ".0";
  return text;
}

std::string pythonText(const ParameterValue& value) {
  if (const auto* real = std::get_if<double>(&value)) return pythonText(*real);
  return std::visit([](const auto& v) { return nlohmann::json(v).dump(-1, ' ', true); }, value);
}

[[noreturn]] void refuse(const std::string& text, const std::string& why) {
  throw InputError(
      "--vary {}: {}; write KEY=FIRST..LAST:COUNT, KEY=FIRST..LAST for whole numbers, or KEY=A,B",
      text, why);
}

std::vector<std::string> range(const std::string& text, const std::string& from,
                               const std::string& to, const std::string& count) {
  if (count.empty()) {
    const auto first = wholeFrom(from), last = wholeFrom(to);
    if (!first || !last || *first > *last) refuse(text, "no range of whole numbers");
    if (static_cast<std::uint64_t>(*last - *first) >= kMostPoints) refuse(text, "too many values");
    std::vector<std::string> out;
    for (std::int64_t k = *first; k <= *last; ++k) out.push_back(fmt::format("{}", k));
    return out;
  }
  const auto first = realFrom(from), last = realFrom(to);
  const auto n = wholeFrom(count);
  if (!first || !last || !(*first < *last)) refuse(text, "no range of numbers");
  if (!n || *n < 2 || *n > static_cast<std::int64_t>(kMostPoints))
    refuse(text, fmt::format("'{}' is no number of values from 2 to {}", count, kMostPoints));
  std::vector<std::string> out;
  const auto steps = static_cast<double>(*n - 1);
  for (std::int64_t k = 0; k < *n; ++k) {
    // Ends are exact, and what has few digits keeps them: 0.61, not 0.6100000000000001.
    const double value =
        (*first * (steps - static_cast<double>(k)) + *last * static_cast<double>(k)) / steps;
    out.push_back(fmt::format("{:.12g}", value));
  }
  return out;
}

}  // namespace

std::string textOf(const StatePoint& point) {
  std::string out;
  for (const auto& [key, value] : point)
    out += fmt::format("{}{}: {}", out.empty() ? "" : ", ", pythonText(ParameterValue(key)),
                       pythonText(value));
  return "{" + out + "}";
}

std::string idOf(const StatePoint& point) {
  const std::string text = textOf(point);
  std::array<char, MD5_DIGEST_STRING_LENGTH> digits{};
  MD5Data(reinterpret_cast<const std::uint8_t*>(text.data()), text.size(), digits.data());
  return digits.data();
}

Varied parseVaried(const std::string& text) {
  const std::size_t equals = text.find('=');
  if (equals == text.npos || equals == 0) refuse(text, "no KEY=VALUES");
  Varied out{text.substr(0, equals), {}};
  const std::string values = text.substr(equals + 1);
  if (const std::size_t dots = values.find(".."); dots != values.npos) {
    const std::size_t colon = values.find(':', dots);
    const std::size_t end = std::min(colon, values.size());
    out.values = range(text, values.substr(0, dots), values.substr(dots + 2, end - dots - 2),
                       colon == values.npos ? "" : values.substr(colon + 1));
    return out;
  }
  out.values = io::splitAt(values, ',');
  for (const std::string& value : out.values)
    if (value.empty()) refuse(text, "an empty value");
  return out;
}

}  // namespace cellscope::sweep
