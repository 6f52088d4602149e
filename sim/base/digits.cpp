#include "sim/base/digits.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>

namespace cellscope {
namespace {

// Place of the first digit: 0 for ones, -1 for tenths.
int firstDigit(double value) { return static_cast<int>(std::floor(std::log10(std::abs(value)))); }

// Without the sign of what rounds to zero.
std::string fixed(double value, int decimals) {
  std::string text = fmt::format("{:.{}f}", value, decimals);
  if (text.find_first_not_of("-0.") == std::string::npos && text[0] == '-') text.erase(0, 1);
  return text;
}

std::string fixedVector(Vec3d v, int dimension, int decimals) {
  const std::string last = dimension == 3 ? fmt::format(", {}", fixed(v.z, decimals)) : "";
  return fmt::format("({}, {}{})", fixed(v.x, decimals), fixed(v.y, decimals), last);
}

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

std::string significant(double value, int digits) {
  constexpr double kMost = 1e7;  // below without exponent
  if (!std::isfinite(value)) return fmt::format("{}", value);
  const int first = value == 0 ? 0 : firstDigit(value);
  if (std::abs(value) >= kMost)
    return fmt::format("{:.{}f}e{}", value / std::pow(10.0, first), digits - 1, first);
  return fixed(value, std::clamp(digits - 1 - first, 0, digits));
}

std::string compact(double value, int digits) {
  std::string text = fmt::format("{:.{}g}", value, digits);
  const std::size_t at = text.find('e');
  if (at == std::string::npos) return text;
  const int exponent = std::stoi(text.substr(at + 1));
  return fmt::format("{}e{}", text.substr(0, at), exponent);
}

std::string vectorText(Vec3d v, int dimension, int digits) {
  const double longest =
      std::max({std::abs(v.x), std::abs(v.y), dimension == 3 ? std::abs(v.z) : 0.0});
  const int first = std::isfinite(longest) && longest > 0 ? firstDigit(longest) : 0;
  return fixedVector(v, dimension, std::clamp(digits - 1 - first, 0, digits));
}

std::string placeText(Vec3d r, int dimension) { return fixedVector(r, dimension, 4); }

std::string textWithError(double value, double error) {
  constexpr int kMost = 12;
  if (!(error > 0) || !std::isfinite(error)) return fmt::format("{:.8g}", value);
  const int decimals = std::max(0, 1 - firstDigit(error));
  if (decimals > kMost) return fmt::format("{:.3g} +- {:.2g}", value, error);
  return fmt::format("{:.{}f} +- {:.{}f}", value, decimals, error, decimals);
}

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
