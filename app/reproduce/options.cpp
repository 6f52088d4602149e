#include "app/reproduce/options.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

namespace cellscope::reproduce {
namespace {

std::string nameOf(const std::string& key) {
  std::string name = "--" + key;
  std::replace(name.begin(), name.end(), '_', '-');
  return name;
}

std::string textOf(const std::vector<ParameterValue>& values) {
  std::string text;
  for (const ParameterValue& v : values) text += (text.empty() ? "" : ",") + toText(v);
  return text;
}

std::vector<std::string> itemsIn(const std::string& text) {
  std::vector<std::string> items(1);
  for (const char c : text)
    if (c == ',')
      items.emplace_back();
    else
      items.back() += c;
  return items;
}

// A default outside the range has a meaning explained in the help.
bool inRange(const Parameter& p) {
  if (const auto* i = std::get_if<std::int64_t>(&p.fallback))
    return static_cast<double>(*i) >= p.info.min && static_cast<double>(*i) <= p.info.max;
  return true;
}

}  // namespace

std::string Option::allowed() const {
  return item_.allowed() + (isList_ ? ", several separated by commas" : "");
}

void Option::set(const std::string& text) {
  std::vector<ParameterValue> values;
  const std::vector<std::string> items = itemsIn(text);
  if (!isList_ && items.size() > 1)
    throw InputError(fmt::format(
        "{}: it takes one value, {} were given; run the study once for each", name_, items.size()));
  for (const std::string& item : items) {
    try {
      item_.setText(item);
    } catch (const InputError&) {
      throw InputError(fmt::format("{}: '{}' is not allowed; allowed: {}", name_, item, allowed()));
    }
    values.push_back(item_.get());
    if (std::count(values.begin(), values.end(), values.back()) > 1)
      throw InputError(
          fmt::format("{}: {} is given twice; name it once", name_, toText(values.back())));
  }
  if (isList_) store_(values);
  given_ = true;
}

Option& OptionSet::at(const std::string& name) {
  std::vector<std::string> known;
  for (Option& o : items_) {
    if (o.name() == name || o.name() == "--" + name) return o;
    known.push_back(o.name());
  }
  throw InputError(fmt::format("unknown option {}; known: {}", name, fmt::join(known, ", ")));
}

void OptionSet::addSingle(Parameter item) {
  Option o;
  o.name_ = nameOf(item.info.key);
  o.item_ = std::move(item);
  o.text_ = [get = o.item_.get] { return toText(get()); };
  o.initial_ = o.text_();
  if (!o.isFlag() && inRange(o.item_)) o.fallback_ = o.initial_;
  items_.push_back(std::move(o));
}

void OptionSet::addList(Parameter item, const std::vector<ParameterValue>& fallback,
                        std::function<void(const std::vector<ParameterValue>&)> store,
                        std::function<std::vector<ParameterValue>()> get) {
  Option o;
  o.name_ = nameOf(item.info.key);
  o.isList_ = true;
  o.item_ = std::move(item);
  o.fallback_ = o.initial_ = textOf(fallback);
  o.store_ = std::move(store);
  o.text_ = [get = std::move(get)] { return textOf(get()); };
  items_.push_back(std::move(o));
}

}  // namespace cellscope::reproduce
