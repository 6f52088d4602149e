#include "app/gui/format.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cmath>

#include "sim/base/words.h"

namespace cellscope::gui {

const char* const kMissing = "\xE2\x80\x93";  // en dash

// Of the last digit that an error leaves a meaning; negative: tens, hundreds.
static int decimalsOf(double error) {
  const int exponent = static_cast<int>(std::floor(std::log10(error)));
  return error / std::pow(10.0, exponent) < 1.95 ? 1 - exponent : -exponent;
}

// Mantissa and error at a common scale.
static std::string fixedWithError(double value, double error, const char* mark) {
  const int decimals = decimalsOf(error);
  const double unit = std::pow(10.0, -decimals);
  const double rounded = std::round(error / unit);
  if (decimals <= 0)
    return fmt::format("{:.0f}({:.0f}{})", std::round(value / unit) * unit, rounded * unit, mark);
  return fmt::format("{:.{}f}({:.0f}{})", value, decimals, rounded, mark);
}

std::string valueWithError(double value, double error, bool errorKnown) {
  if (!std::isfinite(value)) return kMissing;
  if (!std::isfinite(error) || error <= 0) return number(value);
  const char* mark = errorKnown ? "" : "+";
  const double size = std::max(std::abs(value), error);
  // A value that is 0 within its error has no exponent of its own.
  if (std::abs(value) < error && error >= 1e-6 && error < 1e-3)
    return fixedWithError(value, error, mark);
  // Rows of zeros in both are hard to read.
  const bool zeros = size >= 1e5 && error >= 19.5;
  if (size >= 1e-3 && size < 1e7 && !zeros) return fixedWithError(value, error, mark);
  return scientific(value, error, errorKnown);
}

std::string scientific(double value, double error, bool errorKnown) {
  const bool known = std::isfinite(error) && error > 0;
  const double size = std::max(std::abs(value), known ? error : 0.0);
  if (!std::isfinite(size)) return kMissing;
  if (size == 0) return "0";
  // The exponent of what is shown: 9.99(40)e5 is 10.0(4)e5, and so 1.00(4)e6.
  const double last = known ? std::pow(10.0, -decimalsOf(error)) : 0.0;
  const double shown = known ? std::max(std::round(size / last) * last, size) : size * (1 + 5e-4);
  const int exponent = static_cast<int>(std::floor(std::log10(shown)));
  const double scale = std::pow(10.0, exponent);
  if (!known) return fmt::format("{}e{}", number(value / scale, 3), exponent);
  return fmt::format("{}e{}", fixedWithError(value / scale, error / scale, errorKnown ? "" : "+"),
                     exponent);
}

std::string number(double value, int digits) {
  if (!std::isfinite(value)) return kMissing;
  if (value == 0) return "0";
  const double size = std::abs(value);
  const int exponent = static_cast<int>(std::floor(std::log10(size)));
  const bool plain = size >= 1e-4 && size < 1e7;
  std::string text = plain ? fmt::format("{:.{}f}", value, std::max(0, digits - 1 - exponent))
                           : fmt::format("{:.{}f}", value / std::pow(10.0, exponent), digits - 1);
  if (text.find('.') != std::string::npos) {
    text.erase(text.find_last_not_of('0') + 1);
    if (text.back() == '.') text.pop_back();
  }
  return plain ? text : fmt::format("{}e{}", text, exponent);
}

std::string sampleText(double value, double scatter) {
  if (!std::isfinite(value) || !std::isfinite(scatter) || scatter == 0) return number(value);
  constexpr int kMost = 5;
  const double size = std::abs(value);
  if (scatter < 0 && size < 1e7) return fmt::format("{:.0f}", value);
  const int last = static_cast<int>(std::floor(std::log10(std::abs(scatter)))) - 1;
  const int first = size > 0 ? static_cast<int>(std::floor(std::log10(size))) : last;
  const int digits = std::clamp(first - last + 1, 1, kMost);
  // Trailing zeros stay: they are digits that mean something.
  const int decimals = digits - 1 - first;
  if (size >= 1e-4 && size < 1e7) return fmt::format("{:.{}f}", value, std::max(0, decimals));
  return number(value, digits);
}

std::string grouped(std::uint64_t value) {
  const std::string digits = std::to_string(value);
  std::string text;
  for (std::size_t i = 0; i < digits.size(); ++i) {
    if (i > 0 && (digits.size() - i) % 3 == 0) text += ' ';
    text += digits[i];
  }
  return text;
}

std::string rate(double perSecond) {
  if (!std::isfinite(perSecond)) return kMissing;
  if (perSecond < 9.95) return fmt::format("{:.1f}", perSecond);
  if (perSecond < 999.5) return fmt::format("{:.0f}", perSecond);
  int exponent = static_cast<int>(std::floor(std::log10(perSecond)));
  double mantissa = perSecond / std::pow(10.0, exponent);
  if (mantissa >= 9.95) mantissa /= 10, ++exponent;
  return fmt::format("{:.1f}e{}", mantissa, exponent);
}

std::string percent(double share) {
  return fmt::format("{} %", static_cast<int>(100 * std::clamp(share, 0.0, 1.0)));
}

std::string duration(double seconds) {
  if (!std::isfinite(seconds)) return kMissing;
  if (seconds < 1e-3) return fmt::format("{:.0f} µs", seconds * 1e6);
  if (seconds < 0.0995) return fmt::format("{:.1f} ms", seconds * 1e3);
  if (seconds < 0.9995) return fmt::format("{:.0f} ms", seconds * 1e3);
  if (seconds < 59.95) return fmt::format("{:.1f} s", seconds);
  const auto whole = static_cast<std::uint64_t>(std::round(seconds));
  return fmt::format("{} min {} s", whole / 60, whole % 60);
}

double secondsLeft(double spent, double from, double to) {
  if (spent < 1 || to - from < 0.05 || to > 1) return -1;
  return spent * (1 - to) / (to - from);
}

std::string bytesText(std::size_t bytes) {
  const double size = static_cast<double>(bytes);
  if (size < 999.5) return fmt::format("{} B", bytes);
  if (size < 999.5e3) return fmt::format("{:.3g} kB", size / 1e3);
  if (size < 999.5e6) return fmt::format("{:.3g} MB", size / 1e6);
  return fmt::format("{:.3g} GB", size / 1e9);
}

std::string firstClause(const std::string& text) {
  return text.substr(0, text.find_first_of(",;"));
}

std::string onOneLine(const std::string& text) {
  std::string out;
  for (const char c : text) c == ' ' ? out += "\xC2\xA0" : out += c;
  return out;
}

std::string sentence(std::string text) {
  text = capitalised(std::move(text));
  if (!text.empty() && text.back() != '.') text += '.';
  return text;
}

std::string fileStem(const std::string& text) {
  std::string stem;
  for (unsigned char c : text) {
    if (std::isalnum(c) || c == '-' || c == '_') {
      stem += static_cast<char>(c);
    } else if (!stem.empty() && stem.back() != '-') {
      stem += '-';
    }
  }
  while (!stem.empty() && stem.back() == '-') stem.pop_back();
  return stem.empty() ? "plot" : stem;
}

}  // namespace cellscope::gui
