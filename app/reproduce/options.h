// Options of a study, declared once by a visit() of their struct as parameters of a mode are
// (sim/api/parameter.h). Besides the fields of parameters there are lists of numbers, written
// 0.3,0.5. A key moves_per_cell is the option --moves-per-cell.
#pragma once
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "sim/api/parameter.h"

namespace cellscope::reproduce {

class Option {
 public:
  const ParameterInfo& info() const { return item_.info; }
  const std::string& name() const { return name_; }  // "--first-seed"
  bool isFlag() const { return std::holds_alternative<bool>(item_.fallback); }
  bool isList() const { return isList_; }
  std::string allowed() const;  // "whole number 8 to 8192, several separated by commas"
  // As on the command line; "" when there is none or a flag is off.
  const std::string& fallback() const { return fallback_; }
  std::string text() const { return text_(); }  // current value
  bool changed() const { return text() != initial_; }
  bool given() const { return given_; }  // set(), be it to the value that it had
  // Throws InputError that names option, value and what is allowed, and leaves the field unchanged.
  void set(const std::string& text);

 private:
  friend class OptionSet;
  std::string name_, fallback_, initial_;
  bool isList_ = false, given_ = false;
  Parameter item_;  // the field, or one item of a list
  std::function<std::string()> text_;
  std::function<void(const std::vector<ParameterValue>&)> store_;
};

class OptionSet {
 public:
  template <class Struct>
  static OptionSet of(Struct& s) {
    OptionSet set;
    auto declare = [&set](const ParameterInfo& info, auto& field) { set.add(info, field); };
    s.visit(declare);
    return set;
  }

  std::vector<Option>& items() { return items_; }
  const std::vector<Option>& items() const { return items_; }
  // By its name with or without dashes. Throws InputError when there is none.
  Option& at(const std::string& name);

 private:
  // One field as a parameter.
  template <class Field>
  struct Single {
    ParameterInfo info;
    Field& field;
    template <class V>
    void visit(V& v) {
      v(info, field);
    }
  };
  template <class Field>
  void add(const ParameterInfo& info, Field& field) {
    Single<Field> single{info, field};
    addSingle(std::move(ParameterSet::of(single).items().front()));
  }
  template <class Item>
  void add(const ParameterInfo& info, std::vector<Item>& list) {
    auto item = std::make_shared<Item>();
    Single<Item> single{info, *item};
    addList(
        std::move(ParameterSet::of(single).items().front()), toValues(list),
        [&list, item](const std::vector<ParameterValue>& values) {
          list.clear();
          for (const ParameterValue& v : values) list.push_back(std::get<Item>(v));
        },
        [&list] { return toValues(list); });
  }
  template <class Item>
  static std::vector<ParameterValue> toValues(const std::vector<Item>& list) {
    return {list.begin(), list.end()};
  }
  void addSingle(Parameter item);
  void addList(Parameter item, const std::vector<ParameterValue>& fallback,
               std::function<void(const std::vector<ParameterValue>&)> store,
               std::function<std::vector<ParameterValue>()> get);

  std::vector<Option> items_;
};

}  // namespace cellscope::reproduce
