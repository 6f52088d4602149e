#include "render/ticks.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace cellscope::render {

static double stepFor(double length, int most) {
  const double raw = length / std::max(1, most);
  const double decade = std::pow(10.0, std::floor(std::log10(raw)));
  for (double factor : {1.0, 2.0, 5.0, 10.0}) {
    if (factor * decade >= raw * (1 - 1e-9)) return factor * decade;
  }
  return 10 * decade;
}

static std::string tickLabel(double value, double step, double size) {
  if (std::abs(value) < step * 1e-6) return "0";
  if (size >= 1e5 || size < 1e-3) {
    const int top = static_cast<int>(std::floor(std::log10(size)));
    const int low = static_cast<int>(std::floor(std::log10(step) + 1e-9));
    if (top >= 5 && top < 9 && low >= 3) {
      const bool mega = top >= 6;
      return fmt::format("{:.6g}{}", value / (mega ? 1e6 : 1e3), mega ? "M" : "k");
    }
    return fmt::format("{:.{}g}e{}", value / std::pow(10.0, top), top - low + 1, top);
  }
  const int decimals = std::max(0, -static_cast<int>(std::floor(std::log10(step) + 1e-9)));
  return fmt::format("{:.{}f}", value, decimals);
}

Ticks makeTicks(double lo, double hi, int most, bool whole) {
  Ticks ticks;
  if (!std::isfinite(lo) || !std::isfinite(hi) || !(hi > lo)) return ticks;
  ticks.step = stepFor(hi - lo, most);
  if (whole) ticks.step = std::max(1.0, ticks.step);
  const double size = std::max(std::abs(lo), std::abs(hi));
  const double first = std::ceil(lo / ticks.step - 1e-9);
  const double last = std::floor(hi / ticks.step + 1e-9);
  for (double k = first; k <= last && ticks.at.size() < 64; k += 1) {
    ticks.at.push_back(k * ticks.step);
    ticks.label.push_back(tickLabel(k * ticks.step, ticks.step, size));
  }
  return ticks;
}

// Plainly, or as 1e5, 2e-4.
static std::string logLabel(int factor, int exponent, bool plain) {
  if (plain || exponent == 0) {
    const double value = factor * std::pow(10.0, exponent);
    return fmt::format("{:.{}f}", value, std::max(0, -exponent));
  }
  return fmt::format("{}e{}", factor, exponent);
}

// At 1, 2 and 5 times every power of ten; only every `every`-th power has a label.
static Ticks decadeTicks(double lo, double hi, int every, bool labelAll) {
  Ticks ticks;
  ticks.step = labelAll ? std::log10(2.0) : every;
  const int first = static_cast<int>(std::floor(lo)), last = static_cast<int>(std::ceil(hi));
  bool plain = true;  // from 0.001 to 10000; all labels look alike
  for (int k = first; k <= last; ++k)
    if (k % every == 0 && k >= lo - 1e-9 && k <= hi + 1e-9) plain = plain && k >= -3 && k <= 4;
  for (int k = first; k <= last; ++k) {
    const bool named = ((k % every) + every) % every == 0;
    for (int factor : {1, 2, 5}) {
      const double at = k + std::log10(static_cast<double>(factor));
      const bool minor = factor > 1;
      if (at < lo - 1e-9 || at > hi + 1e-9 || (minor && every > 1)) continue;
      ticks.at.push_back(at);
      ticks.label.push_back(named && (!minor || labelAll) ? logLabel(factor, k, plain) : "");
    }
  }
  return ticks;
}

static int labels(const Ticks& ticks) {
  return static_cast<int>(
      std::ranges::count_if(ticks.label, [](const std::string& l) { return !l.empty(); }));
}

Ticks makeLogTicks(double lo, double hi, int most) {
  if (!std::isfinite(lo) || !std::isfinite(hi) || !(hi > lo) || hi - lo > 600) return {};
  const Ticks all = decadeTicks(lo, hi, 1, true);
  if (labels(all) >= 2 && labels(all) <= most) return all;
  if (labels(all) < 2) {
    Ticks ticks = makeTicks(std::pow(10.0, lo), std::pow(10.0, hi), most);
    for (double& at : ticks.at) at = std::log10(at);
    return ticks;
  }
  for (int every : {1, 2, 5, 10, 20, 50, 100, 200}) {
    const Ticks ticks = decadeTicks(lo, hi, every, false);
    if (labels(ticks) <= std::max(1, most)) return ticks;
  }
  return {};
}

void widen(double& lo, double& hi, double margin) {
  double length = hi - lo;
  if (!(length > 0)) length = lo == 0 ? 1 : std::max(1e-6, 0.02 * std::abs(lo));
  lo -= margin * length;
  hi += margin * length;
}

}  // namespace cellscope::render
