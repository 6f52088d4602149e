#include "sim/run/scenario.h"

#include <fmt/format.h>

#include <cmath>

#include "sim/base/digits.h"
#include "sim/io/text_lines.h"

namespace cellscope {
namespace {

std::optional<double> numberIn(const std::string& text) {
  const auto value = realFrom(text);
  return value && std::isfinite(*value) ? value : std::nullopt;
}

[[noreturn]] void refuse(const LayerInfo& layer, const std::string& word,
                         const std::string& allowed) {
  throw InputError("'{}' of layer '{}' is not allowed; allowed: {}", word, layer.key, allowed);
}

std::string allowedOf(const LayerOption& option) {
  const std::string range = fmt::format("{:g} to {:g}", option.lo, option.hi);
  const std::string names = fmt::format("{}", fmt::join(option.names, ", "));
  const std::string which = names.empty() ? "whole numbers " + range : names + " or " + range;
  return option.kind == LayerOption::Kind::opacity  ? "opacity=NUMBER, " + range
         : option.kind == LayerOption::Kind::levels ? "levels=LOWEST..HIGHEST of " + which
                                                    : "types=ONE,OTHER,... of " + which;
}

// A level or type, by name or by number.
int oneOf(const std::string& text, const LayerOption& option, const LayerInfo& layer,
          const std::string& word) {
  const auto named = std::ranges::find(option.names, text);
  if (named != option.names.end())
    return static_cast<int>(option.lo) + static_cast<int>(named - option.names.begin());
  const auto value = numberIn(text);
  if (!value || *value < option.lo || *value > option.hi || *value != std::floor(*value))
    refuse(layer, word, allowedOf(option));
  return static_cast<int>(*value);
}

void take(const std::string& value, const LayerOption& option, const LayerInfo& layer,
          const std::string& word, LayerLook& look) {
  if (option.kind == LayerOption::Kind::opacity) {
    const auto opacity = numberIn(value);
    if (!opacity || *opacity < option.lo || *opacity > option.hi)
      refuse(layer, word, allowedOf(option));
    look.opacity = static_cast<float>(*opacity);
  } else if (option.kind == LayerOption::Kind::levels) {
    const auto dots = value.find("..");
    if (dots == std::string::npos) refuse(layer, word, allowedOf(option));
    const int lowest = oneOf(value.substr(0, dots), option, layer, word);
    const int highest = oneOf(value.substr(dots + 2), option, layer, word);
    if (lowest > highest) refuse(layer, word, "the lowest level first");
    if (lowest > option.lo) look.lowest = lowest;
    if (highest < option.hi) look.highest = highest;
  } else {
    look.types = 0;
    for (const std::string& one : io::splitAt(value, ','))
      look.types |= 1u << std::min(31, oneOf(one, option, layer, word));
  }
}

std::string nameIn(const LayerOption& option, int value) {
  const auto i = static_cast<std::size_t>(value - static_cast<int>(option.lo));
  const bool plain =
      i < option.names.size() && option.names[i].find_first_of(" ,=.") == std::string::npos;
  return plain ? option.names[i] : fmt::format("{}", value);
}

std::string valueText(const LayerOption& option, const LayerLook& look) {
  const LayerLook usual;
  const int first = static_cast<int>(option.lo), last = static_cast<int>(option.hi);
  if (option.kind == LayerOption::Kind::opacity)
    return look.opacity == usual.opacity ? "" : fmt::format("{}", look.opacity);
  if (option.kind == LayerOption::Kind::levels) {
    if (look.lowest == usual.lowest && look.highest == usual.highest) return "";
    return nameIn(option, std::clamp(look.lowest, first, last)) + ".." +
           nameIn(option, std::clamp(look.highest, first, last));
  }
  std::string types;
  bool all = true;
  for (int t = first; t <= std::min(31, last); ++t) {
    const bool shown = (look.types >> t & 1) != 0;
    all = all && shown;
    if (!shown) continue;
    if (!types.empty()) types += ',';
    types += nameIn(option, t);
  }
  return all ? "" : types;
}

}  // namespace

std::vector<std::string> optionTexts(const LayerInfo& layer) {
  return each(layer.options, allowedOf);
}

LayerLook lookOfEntry(const std::string& entry, const LayerInfo& layer) {
  LayerLook look;
  std::vector<std::string> words = io::splitAt(entry, ' ');
  words.erase(words.begin());
  const std::string all = fmt::format("{}", fmt::join(optionTexts(layer), "; "));
  for (const std::string& word : words) {
    if (word.empty()) continue;
    if (entry[0] == '-') refuse(layer, word, "no options, as the layer is switched off");
    const auto equals = word.find('=');
    const auto option = std::ranges::find_if(layer.options, [&](const LayerOption& o) {
      return equals != std::string::npos && word.substr(0, equals) == o.key();
    });
    if (option == layer.options.end()) refuse(layer, word, all.empty() ? "no options" : all);
    take(word.substr(equals + 1), *option, layer, word, look);
  }
  return look;
}

std::string layerEntry(const std::string& name, const LayerLook& look, const LayerInfo& layer) {
  std::string entry = name;
  for (const LayerOption& option : layer.options)
    if (const std::string value = valueText(option, look); !value.empty())
      entry += fmt::format(" {}={}", option.key(), value);
  return entry;
}

std::map<std::string, LayerLook> looksOf(const std::vector<std::string>& entries,
                                         const ModeWords& mode) {
  std::map<std::string, LayerLook> looks;
  for (const std::string& entry : entries) {
    std::string key = layerName(entry);
    if (key[0] == '+' || key[0] == '-') key.erase(0, 1);
    for (const LayerInfo& layer : mode.layers) {
      if (layer.key != key) continue;
      const LayerLook look = lookOfEntry(entry, layer);
      if (look != LayerLook{}) looks[key] = look;
    }
  }
  return looks;
}

}  // namespace cellscope
