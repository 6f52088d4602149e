#include "app/gui/parameter_edit.h"

#include <algorithm>
#include <cmath>

#include "app/gui/format.h"

namespace cellscope::gui {
namespace {

// Checks typed text by the same code as the command line.
template <class T>
struct Probe {
  ParameterInfo info;
  T field{};
  template <class V>
  void visit(V& v) {
    v(info, field);
  }
};

template <class T>
std::string tryText(const ParameterState& parameter, const std::string& text,
                    ParameterValue& value) {
  Probe<T> probe{parameter.info, T{}};
  ParameterSet set = ParameterSet::of(probe);
  try {
    Parameter& one = set.at(parameter.info.key);
    one.setText(text);
    value = one.get();
    return {};
  } catch (const InputError& error) {
    return error.what();
  }
}

constexpr double kPlaces = 200;  // at which a slider stops, at least

// The nearest multiple of the largest 1, 2 or 5 times a power of ten that is within `resolution`.
double readable(double value, double resolution) {
  if (!(resolution > 0)) return value;
  const double exponent = std::floor(std::log10(resolution)), decade = std::pow(10.0, exponent);
  double factor = 1;
  for (const double larger : {2.0, 5.0})
    if (larger * decade <= resolution * (1 + 1e-9)) factor = larger;
  const double units = factor * std::round(value / (factor * decade));
  // Divided, a decimal fraction is the nearest double, which prints without further digits.
  return exponent < 0 ? units / std::pow(10.0, -exponent) : units * decade;
}

}  // namespace

double asDouble(const ParameterValue& value) {
  if (const auto* i = std::get_if<std::int64_t>(&value)) return static_cast<double>(*i);
  if (const auto* d = std::get_if<double>(&value)) return *d;
  return 0;
}

SliderRange rangeOf(const ParameterInfo& info, const Promoted& promoted, bool all) {
  SliderRange range{info.min, info.max, false, true};
  if (!all && info.interestingMin < info.interestingMax)
    range = {info.interestingMin, info.interestingMax, false, false};
  if (!all && promoted.key == info.key && promoted.lo < promoted.hi)
    range = {promoted.lo, promoted.hi, false, false};
  range.logScale = info.logScale && range.lo > 0;
  return range;
}

float fractionOf(const SliderRange& r, double value) {
  if (!(r.hi > r.lo)) return 0;
  if (r.logScale && !(value > r.lo)) return 0;
  const double t =
      r.logScale ? std::log(value / r.lo) / std::log(r.hi / r.lo) : (value - r.lo) / (r.hi - r.lo);
  return static_cast<float>(std::clamp(t, 0.0, 1.0));
}

ParameterValue valueAt(const ParameterState& p, const SliderRange& r, float fraction, bool fine) {
  const double t = fraction;
  double value = r.logScale ? r.lo * std::pow(r.hi / r.lo, t) : r.lo + (r.hi - r.lo) * t;
  if (std::holds_alternative<std::int64_t>(p.value))
    return static_cast<std::int64_t>(std::llround(std::clamp(value, r.lo, r.hi)));
  value =
      readable(value, (r.logScale ? value * 0.01 : (r.hi - r.lo) / kPlaces) * (fine ? 0.02 : 1));
  return std::clamp(value, r.lo, r.hi);
}

ParameterValue stepped(const ParameterState& p, const SliderRange& r, const ParameterValue& from,
                       double steps) {
  const float at = fractionOf(r, asDouble(from)) + 0.01f * static_cast<float>(steps);
  const ParameterValue next = valueAt(p, r, std::clamp(at, 0.f, 1.f), true);
  const auto* whole = std::get_if<std::int64_t>(&from);
  if (!whole || !(next == from)) return next;
  const double one = static_cast<double>(*whole) + (steps > 0 ? 1 : -1);
  return static_cast<std::int64_t>(std::llround(std::clamp(one, r.lo, r.hi)));
}

std::string withLabels(std::string text, const std::vector<ParameterState>& parameters) {
  for (const ParameterState& p : parameters) {
    const std::string key = "'" + p.info.key + "'", label = '"' + printed(p.info.label) + '"';
    for (std::size_t at = text.find(key); at != std::string::npos;
         at = text.find(key, at + label.size()))
      text.replace(at, key.size(), label);
  }
  return text;
}

std::string checkText(const ParameterState& p, std::string text, ParameterValue& value) {
  if (p.info.choices.empty()) std::erase(text, ' ');
  if (!p.info.choices.empty()) return tryText<Choice>(p, text, value);
  if (std::holds_alternative<bool>(p.value)) return tryText<bool>(p, text, value);
  if (std::holds_alternative<std::int64_t>(p.value)) return tryText<std::int64_t>(p, text, value);
  return tryText<double>(p, text, value);
}

std::string shownValue(const ParameterValue& value) {
  if (const auto* b = std::get_if<bool>(&value)) return *b ? "on" : "off";
  if (const auto* i = std::get_if<std::int64_t>(&value)) {
    return *i >= 0 ? grouped(static_cast<std::uint64_t>(*i)) : std::to_string(*i);
  }
  if (const auto* d = std::get_if<double>(&value)) return number(*d, 6);
  return std::get<std::string>(value);
}

std::string shownValue(const ParameterInfo& info, const ParameterValue& value) {
  return info.hasWords(value) ? info.inWords(value) : shownValue(value);
}

std::string effectText(Effect effect) {
  switch (effect) {
    case Effect::live:
      return "Takes effect at once, while dragging.";
    case Effect::rebuild:
      return "Takes effect while dragging, a few times a second, and rebuilds the data structures; "
             "the "
             "state is kept.";
    case Effect::restart:
      return "Takes effect on release and restarts from step 0. Ctrl+Z undoes this.";
  }
  return {};
}

}  // namespace cellscope::gui
