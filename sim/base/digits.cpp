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
  std::string text = "(" + fixed(v.x, decimals) + ", " + fixed(v.y, decimals);
  return text + (dimension == 3 ? ", " + fixed(v.z, decimals) + ")" : ")");
}

}  // namespace

std::string significant(double value, int digits) {
  constexpr double kLeast = 1e-4, kMost = 1e7;  // between them without exponents
  if (!std::isfinite(value)) return fmt::format("{}", value);
  const double size = std::abs(value);
  if (size != 0 && (size < kLeast || size >= kMost))
    return fmt::format("{:.{}e}", value, digits - 1);
  const int decimals = digits - 1 - (size == 0 ? 0 : firstDigit(value));
  return fixed(value, std::max(0, decimals));
}

std::string vectorText(Vec3d v, int dimension, int digits) {
  constexpr int kMost = 9;
  const double longest =
      std::max({std::abs(v.x), std::abs(v.y), dimension == 3 ? std::abs(v.z) : 0.0});
  const int first = std::isfinite(longest) && longest > 0 ? firstDigit(longest) : 0;
  return fixedVector(v, dimension, std::clamp(digits - 1 - first, 0, kMost));
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
