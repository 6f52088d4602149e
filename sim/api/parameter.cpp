#include "sim/api/parameter.h"

#include <fmt/format.h>

#include <cmath>

#include "sim/base/digits.h"

namespace cellscope {
namespace {

[[noreturn]] void refuse(const Parameter& p, const std::string& value, const std::string& why) {
  throw InputError("parameter '{}': value {} {}; allowed: {}", p.info.key, value, why, p.allowed());
}

std::optional<double> asReal(const ParameterValue& v) {
  if (auto* d = std::get_if<double>(&v)) return *d;
  if (auto* i = std::get_if<std::int64_t>(&v)) return static_cast<double>(*i);
  return std::nullopt;
}

std::optional<std::int64_t> asWhole(const ParameterValue& v) {
  if (auto* i = std::get_if<std::int64_t>(&v)) return *i;
  if (auto* d = std::get_if<double>(&v)) return wholeFrom(*d);
  return std::nullopt;
}

// Of 2^53 and 2^53 + 1 only one is a double: it is not known which of them was written.
const char* whyNotWhole(std::optional<double> real) {
  const bool large = real && std::abs(*real) >= 0x1p53 && std::isfinite(*real);
  return large ? "is a real number too large to be exact; write it in digits, without point and "
                 "exponent"
               : "is not a whole number";
}

const ChoiceInfo* find(const std::vector<ChoiceInfo>& choices, const std::string& key) {
  const auto it = std::ranges::find_if(choices, [&](const ChoiceInfo& c) {
    return c.key == key || (!key.empty() && c.formerly == key);
  });
  return it == choices.end() ? nullptr : &*it;
}

}  // namespace

ChoiceInfo::ChoiceInfo(std::string key_, std::string label_, std::string formerly_)
    : key(std::move(key_)), label(std::move(label_)), formerly(std::move(formerly_)) {
  if (!label.empty()) return;
  label = key;
  std::ranges::replace(label, '_', ' ');
}

void ParameterInfo::addShared(const ParameterInfo& shared) {
  effect = std::max(effect, shared.effect);
  touches |= shared.touches;
  prepares |= shared.prepares, gpuOnly |= shared.gpuOnly;
  experiment |= shared.experiment, later |= shared.later;
  if (actsWith.key.empty()) actsWith = shared.actsWith;
}

bool ParameterInfo::hasWords(const ParameterValue& value) const {
  if (const auto* i = std::get_if<std::int64_t>(&value))
    return !smallest.empty() && static_cast<double>(*i) == min;
  if (const auto* d = std::get_if<double>(&value)) return !smallest.empty() && *d == min;
  return true;
}

std::string ParameterInfo::inWords(const ParameterValue& value) const {
  const bool number =
      !std::holds_alternative<bool>(value) && !std::holds_alternative<std::string>(value);
  if (number && hasWords(value)) return smallest;
  if (auto* b = std::get_if<bool>(&value)) return *b ? "on" : "off";
  const auto* text = std::get_if<std::string>(&value);
  const ChoiceInfo* choice = text ? find(choices, *text) : nullptr;
  return choice ? choice->label : toText(value);
}

std::string toText(const ParameterValue& value) {
  if (auto* b = std::get_if<bool>(&value)) return *b ? "true" : "false";
  if (auto* i = std::get_if<std::int64_t>(&value)) return fmt::format("{}", *i);
  if (auto* d = std::get_if<double>(&value)) return fmt::format("{}", *d);
  return std::get<std::string>(value);
}

std::string Parameter::allowed() const {
  if (std::holds_alternative<bool>(fallback)) return "true or false";
  if (!info.choices.empty())
    return fmt::format("one of {}", fmt::join(each(info.choices, &ChoiceInfo::key), ", "));
  const bool whole = std::holds_alternative<std::int64_t>(fallback);
  const std::string range = whole ? fmt::format("whole number {:.0f} to {:.0f}", info.min, info.max)
                                  : fmt::format("{:g} to {:g}", info.min, info.max);
  return info.unit.empty() ? range : range + " " + info.unit;
}

void Parameter::set(const ParameterValue& value) {
  // Text in quotes, so that '0.3' is seen to be no number.
  const bool isText = std::holds_alternative<std::string>(value);
  const std::string text = isText ? fmt::format("'{}'", toText(value)) : toText(value);
  if (std::holds_alternative<bool>(fallback)) {
    if (!std::holds_alternative<bool>(value)) refuse(*this, text, "is not true or false");
    return store_(value);
  }
  if (!info.choices.empty()) {
    auto* s = std::get_if<std::string>(&value);
    if (!s) refuse(*this, text, fmt::format("is not text; write it in quotes, \"{}\"", text));
    const ChoiceInfo* const choice = find(info.choices, *s);
    if (!choice) refuse(*this, text, "is not a known choice");
    return store_(choice->key);
  }
  if (std::holds_alternative<std::int64_t>(fallback)) {
    const auto i = asWhole(value);
    if (!i) refuse(*this, text, whyNotWhole(asReal(value)));
    // Not as doubles, in which 2^53 + 1 is 2^53.
    if (*i < static_cast<std::int64_t>(info.min) || *i > static_cast<std::int64_t>(info.max))
      refuse(*this, text, "is out of range");
    return store_(*i);
  }
  const auto x = asReal(value);
  if (!x) refuse(*this, text, "is not a number");
  if (!std::isfinite(*x)) refuse(*this, text, "is not a finite number");
  if (*x < info.min || *x > info.max) refuse(*this, text, "is out of range");
  store_(*x);
}

void Parameter::setText(const std::string& text) {
  if (std::holds_alternative<bool>(fallback)) {
    if (text == "true" || text == "on" || text == "1") return set(true);
    if (text == "false" || text == "off" || text == "0") return set(false);
    refuse(*this, "'" + text + "'", "is not true or false");
  }
  if (!info.choices.empty()) return set(text);
  if (!info.smallest.empty() && text == info.smallest)
    return std::holds_alternative<std::int64_t>(fallback) ? set(static_cast<std::int64_t>(info.min))
                                                          : set(info.min);
  if (std::holds_alternative<std::int64_t>(fallback)) {
    const auto whole = wholeFrom(text);
    if (!whole) refuse(*this, "'" + text + "'", whyNotWhole(realFrom(text)));
    return set(*whole);
  }
  const auto real = realFrom(text);
  if (!real) refuse(*this, "'" + text + "'", "is not a number");
  set(*real);
}

void ParameterSet::add(ParameterInfo info, Get get, Store store) {
  Parameter& p = items_.emplace_back();
  p.info = std::move(info);
  p.fallback = get();
  p.get = std::move(get);
  p.store_ = std::move(store);
}

void ParameterSet::add(ParameterInfo info, Choice& field) {
  const auto names = each(info.choices, &ChoiceInfo::key);
  add(
      std::move(info),
      [&field, names] { return ParameterValue(names.at(static_cast<std::size_t>(field.index))); },
      [&field, names](const ParameterValue& v) {
        field.index = std::ranges::find(names, std::get<std::string>(v)) - names.begin();
      });
}

void ParameterSet::assign(const std::vector<ParameterValue>& values) {
  const std::vector<ParameterValue> before = this->values();
  try {
    for (std::size_t i = 0; i < items_.size(); ++i) items_[i].set(values.at(i));
  } catch (...) {
    for (std::size_t i = 0; i < items_.size(); ++i) items_[i].store_(before[i]);
    throw;
  }
}

Parameter& ParameterSet::at(const std::string& key) {
  for (Parameter& p : items_)
    if (p.info.key == key) return p;
  const auto known = each(items_, [](const Parameter& p) { return p.info.key; });
  throw InputError("unknown parameter '{}'{}; known: {}", key, didYouMean(key, known),
                   fmt::join(known, ", "));
}

std::string ChoicesOf::words() const {
  return choices.empty() ? key + " > 0" : fmt::format("{} = {}", key, fmt::join(choices, ", "));
}

bool ParameterSet::acts(const Parameter& p) const {
  const ChoicesOf& with = p.info.actsWith;
  for (const Parameter& other : items_) {
    if (other.info.key != with.key) continue;
    const ParameterValue value = other.get();
    const auto* const name = std::get_if<std::string>(&value);
    const bool is = name ? std::ranges::count(with.choices, *name) > 0
                         : value != ParameterValue(std::int64_t{0}) &&
                               value != ParameterValue(0.0) && value != ParameterValue(false);
    return is && acts(other);
  }
  return true;
}

std::string closestName(const std::string& name, const std::vector<std::string>& known) {
  std::string best;
  // More than three edits away, or than half of the letters, is no suggestion.
  std::size_t bestDistance = std::min<std::size_t>(4, name.size() / 2 + 1);
  for (const std::string& k : known) {
    std::vector<std::size_t> row(k.size() + 1);
    for (std::size_t j = 0; j <= k.size(); ++j) row[j] = j;
    for (std::size_t i = 1; i <= name.size(); ++i) {
      std::size_t diagonal = row[0];
      row[0] = i;
      for (std::size_t j = 1; j <= k.size(); ++j) {
        const std::size_t substitution = diagonal + (name[i - 1] != k[j - 1]);
        diagonal = row[j];
        row[j] = std::min({row[j] + 1, row[j - 1] + 1, substitution});
      }
    }
    if (row.back() < bestDistance) {
      bestDistance = row.back();
      best = k;
    }
  }
  return best;
}

std::string didYouMean(const std::string& name, const std::vector<std::string>& known) {
  const std::string near = closestName(name, known);
  return near.empty() ? "" : fmt::format(" (did you mean '{}'?)", near);
}

}  // namespace cellscope
