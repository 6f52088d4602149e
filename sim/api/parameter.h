// Parameters declared once. A parameter struct has a member template
//
//     template <class V> void visit(V& v) {
//       v({"packing", "Packing fraction", "State", "phi"}, {0.01, 0.9}, {.help = ...}, packing);
//     }
//
// and panel, command line, scenario file, tests and log header all read the ParameterSet built
// from it. A field is bool, std::int64_t, double, or an index into `choices` (Choice). Those that
// are not numbers have no range. v(ParameterInfo, field) does the same. v.with({.effect = ...})
// declares in the same way parameters that have something in common (ParameterInfo::addShared).
#pragma once
#include <algorithm>
#include <cstdint>
#include <functional>
#include <iterator>
#include <memory>
#include <string>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include "sim/base/error.h"

namespace cellscope {

// `of` each item: a member, or what a function makes of it.
auto each(const auto& items, const auto& of) {
  std::vector<std::decay_t<decltype(std::invoke(of, *std::begin(items)))>> all;
  for (const auto& item : items) all.push_back(std::invoke(of, item));
  return all;
}
bool hasItem(const auto& items, const auto& value) {
  return std::find(std::begin(items), std::end(items), value) != std::end(items);
}

enum class Effect { live, rebuild, restart };  // what changing it costs while running

struct Choice {
  std::int64_t index = 0;
  friend bool operator==(const Choice&, const Choice&) = default;
};

using ParameterValue = std::variant<bool, std::int64_t, double, std::string>;
using Setting = std::pair<std::string, ParameterValue>;  // key and value
using Settings = std::vector<Setting>;

// One name of a Choice. Files and the command line have the key, the window and messages the label;
// without a label of its own, it is the key with spaces for underscores. formerly: a key of earlier
// versions, which is read as this one.
struct ChoiceInfo {
  std::string key, label, formerly;

  ChoiceInfo(const char* key_) : ChoiceInfo(std::string(key_)) {}
  ChoiceInfo(std::string key_, std::string label_ = "", std::string formerly_ = "");
  friend bool operator==(const ChoiceInfo&, const ChoiceInfo&) = default;
};

// The choices of another parameter; none: any value of it but 0 and false.
struct ChoicesOf {
  std::string key;
  std::vector<std::string> choices;
  std::string words() const;  // "method = cells, tree"; "replicas > 0"
};

struct ParameterInfo {
  std::string key;     // scenario file and command line
  std::string label;   // panel
  std::string symbol;  // as in the paper
  std::string unit;    // "" when dimensionless
  std::string group;   // heading in the panel
  double min = 0, max = 0;
  // Where something happens: the range of the slider. Equal: all that is allowed. Other allowed
  // values are typed.
  double interestingMin = 0, interestingMax = 0;
  bool logScale = false;            // slider
  std::string smallest;             // of a number: what `min` stands for, "automatic"
  std::vector<ChoiceInfo> choices;  // of a Choice
  std::string help;                 // what it is; of a number, what a larger value does
  std::string equation;             // paper and equation
  Effect effect = Effect::live;
  // What a change touches (forces, grid, sampler ...): bits of the mode's own list. The mode reacts
  // to the union over all that was changed. 0: nothing but the next step.
  std::uint32_t touches = 0;
  bool prepares = false;    // a change may begin a preparation, which undo takes back as a whole
  bool gpuOnly = false;     // how a GPU does the work: it changes nothing on the CPU backend
  bool experiment = false;  // breaks the physics on purpose; shown in red when on
  bool later = false;       // checkpoints of earlier versions lack it: they mean the default
  ChoicesOf actsWith;       // where it does something; no key: always

  // What parameters declared together share, from `effect` on; what it acts with is its own if any.
  void addShared(const ParameterInfo& shared);
  // The value in words: the label of a choice, "on" or "off", what the smallest stands for,
  // otherwise the number.
  std::string inWords(const ParameterValue& value) const;
  bool hasWords(const ParameterValue& value) const;  // it is not a number then
};

struct ParameterName {
  std::string key, label, group, symbol, unit;
};

inline constexpr bool kLogScale = true;
struct ParameterRange {
  double min = 0, max = 0, interestingMin = 0, interestingMax = 0;
  bool logScale = false;
};

// One declared parameter bound to its field. Choice values travel as strings.
class Parameter {
 public:
  ParameterInfo info;
  ParameterValue fallback;  // default value
  std::function<ParameterValue()> get;

  // Store a value. Throws InputError (key, value, allowed range) and leaves the field unchanged on
  // wrong type, NaN or out of range. An integer is accepted for a real, and a real that is whole
  // (1e6) for an integer.
  void set(const ParameterValue& value);
  // Parse text as this parameter's type, then set. Throws InputError.
  void setText(const std::string& text);
  std::string allowed() const;  // "0.01 to 0.9", "one of a, b", "true or false"
  std::string inWords() const { return info.inWords(get()); }

 private:
  friend class ParameterSet;
  std::function<void(const ParameterValue&)> store_;
};

std::string toText(const ParameterValue& value);

class ParameterSet {
 public:
  static ParameterSet of(auto& s) {
    ParameterSet set;
    Declare declare{set};
    s.visit(declare);
    return set;
  }

  // Of a struct of its own, which holds the defaults at first.
  template <class Struct>
  static ParameterSet defaults() {
    auto owned = std::make_shared<Struct>();
    ParameterSet set = of(*owned);
    set.owned_ = std::move(owned);
    return set;
  }

  std::vector<Parameter>& items() { return items_; }
  const std::vector<Parameter>& items() const { return items_; }
  // Throws InputError naming the key and the closest known one.
  Parameter& at(const std::string& key);
  bool contains(const std::string& key) const {
    return std::ranges::any_of(items_, [&](const Parameter& p) { return p.info.key == key; });
  }
  // Whether it does something at the present values (ParameterInfo::actsWith): what it acts with
  // acts as well.
  bool acts(const Parameter& p) const;
  // One value per parameter; assign() takes them back, whole or not at all. Throws InputError.
  std::vector<ParameterValue> values() const {
    return each(items_, [](const Parameter& p) { return p.get(); });
  }
  void assign(const std::vector<ParameterValue>& values);

 private:
  struct Declare {
    ParameterSet& set;
    ParameterInfo shared = {};

    Declare with(ParameterInfo more) const {
      more.addShared(shared);
      return {set, std::move(more)};
    }
    template <class T>
    void operator()(ParameterInfo info, T& field) {
      info.addShared(shared);
      set.add(std::move(info), field);
    }
    template <class T>
    void operator()(const ParameterName& name, const ParameterRange& range, ParameterInfo info,
                    T& field) {
      info.min = range.min, info.max = range.max, info.logScale = range.logScale;
      info.interestingMin = range.interestingMin, info.interestingMax = range.interestingMax;
      (*this)(name, std::move(info), field);
    }
    template <class T>
    void operator()(const ParameterName& name, ParameterInfo info, T& field) {
      info.key = name.key, info.label = name.label, info.group = name.group;
      info.symbol = name.symbol, info.unit = name.unit;
      (*this)(std::move(info), field);
    }
  };
  using Get = std::function<ParameterValue()>;
  using Store = std::function<void(const ParameterValue&)>;
  template <class T>
  void add(ParameterInfo info, T& field) {
    add(
        std::move(info), [&field] { return ParameterValue(field); },
        [&field](const ParameterValue& v) { field = std::get<T>(v); });
  }
  void add(ParameterInfo info, Choice& field);
  void add(ParameterInfo info, Get get, Store store);

  std::vector<Parameter> items_;
  std::shared_ptr<void> owned_;
};

// For error messages. The known name nearest to `name` by edit distance, "" when none is close.
std::string closestName(const std::string& name, const std::vector<std::string>& known);
// " (did you mean 'packing'?)", or "".
std::string didYouMean(const std::string& name, const std::vector<std::string>& known);

}  // namespace cellscope
