#include "app/gui/ticks.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "app/gui/format.h"

namespace cellscope::gui {
namespace {

double stepFor(double length, int most) {
  const double raw = length / std::max(1, most);
  const double decade = std::pow(10.0, std::floor(std::log10(raw)));
  for (double factor : {1.0, 2.0, 5.0, 10.0}) {
    if (factor * decade >= raw * (1 - 1e-9)) return factor * decade;
  }
  return 10 * decade;
}

std::string tickLabel(double value, double step, double size) {
  if (std::abs(value) < step * 1e-6) return "0";
  if (size >= 1e5 || size < 1e-3) {
    const int top = static_cast<int>(std::floor(std::log10(size)));
    const int low = static_cast<int>(std::floor(std::log10(step) + 1e-9));
    if (top >= 5 && top < 9 && low >= 3) {
      const bool mega = top >= 6;
      return number(value / (mega ? 1e6 : 1e3), 6) + (mega ? "M" : "k");
    }
    return number(value / std::pow(10.0, top), top - low + 1) + "e" + std::to_string(top);
  }
  const int decimals = std::max(0, -static_cast<int>(std::floor(std::log10(step) + 1e-9)));
  return fmt::format("{:.{}f}", value, decimals);
}

}  // namespace

Ticks makeTicks(double lo, double hi, int most) {
  Ticks ticks;
  if (!std::isfinite(lo) || !std::isfinite(hi) || !(hi > lo)) return ticks;
  ticks.step = stepFor(hi - lo, most);
  const double size = std::max(std::abs(lo), std::abs(hi));
  const double first = std::ceil(lo / ticks.step - 1e-9);
  const double last = std::floor(hi / ticks.step + 1e-9);
  for (double k = first; k <= last && ticks.at.size() < 64; k += 1) {
    ticks.at.push_back(k * ticks.step);
    ticks.label.push_back(tickLabel(k * ticks.step, ticks.step, size));
  }
  return ticks;
}

void widen(double& lo, double& hi, double margin) {
  double length = hi - lo;
  if (!(length > 0)) length = std::max(1e-6, 0.02 * std::abs(lo));
  lo -= margin * length;
  hi += margin * length;
}

}  // namespace cellscope::gui
