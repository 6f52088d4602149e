#include "sim/base/digits.h"

#include <fmt/format.h>

#include <algorithm>
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

}  // namespace cellscope
