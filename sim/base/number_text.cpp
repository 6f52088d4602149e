#include "sim/base/number_text.h"

#include <charconv>
#include <cmath>
#include <string>

namespace cellscope {
namespace {

// With the minus sign of the keyboard for the typographic one, as which the window shows it.
std::string plainMinus(std::string_view text) {
  static constexpr std::string_view kMinus = "\xE2\x88\x92";
  std::string plain;
  while (!text.empty()) {
    const bool minus = text.substr(0, kMinus.size()) == kMinus;
    plain += minus ? '-' : text.front();
    text.remove_prefix(minus ? kMinus.size() : 1);
  }
  return plain;
}

template <class T>
std::optional<T> parsed(std::string_view given) {
  std::string plain;
  const bool typographic = given.find('\xE2') != std::string_view::npos;
  if (typographic) plain = plainMinus(given);
  std::string_view text = typographic ? std::string_view(plain) : given;
  // from_chars() takes no plus sign, and after one no minus sign is a number.
  if (text.size() > 1 && text[0] == '+' && text[1] != '-') text.remove_prefix(1);
  const char* end = text.data() + text.size();
  T value{};
  const auto r = std::from_chars(text.data(), end, value);
  if (r.ec != std::errc() || r.ptr != end) return std::nullopt;
  return value;
}

}  // namespace

std::optional<double> realFrom(std::string_view text) { return parsed<double>(text); }

std::optional<std::int64_t> wholeFrom(std::string_view text) {
  if (const auto whole = parsed<std::int64_t>(text)) return whole;
  const auto real = realFrom(text);
  return real ? wholeFrom(*real) : std::nullopt;
}

std::optional<std::int64_t> wholeFrom(double value) {
  constexpr double kExact = 9007199254740992.0;  // 2^53
  if (!(std::abs(value) < kExact) || value != std::floor(value)) return std::nullopt;
  return static_cast<std::int64_t>(value);
}

}  // namespace cellscope
