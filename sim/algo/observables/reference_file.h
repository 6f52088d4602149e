// Tables of reference values in TOML files (assets/reference); errors name the file and the missing
// or wrong key.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <toml++/toml.h>

#include "sim/base/build.h"
#include "sim/base/error.h"

namespace cellscope {

// One table of such a file. Every reader throws InputError.
class ReferenceTable {
 public:
  // `path` and `table` must outlive it. `where`: name of the table in messages.
  ReferenceTable(const std::string& path, const toml::table& table, std::string where)
      : path_(path), table_(table), where_(std::move(where)) {}

  std::string text(const char* key) const {
    const auto value = table_[key].value<std::string>();
    if (!value || value->empty()) fail(key, "a text");
    return *value;
  }
  // At least 1.
  std::uint64_t number(const char* key) const {
    const auto value = table_[key].value<std::int64_t>();
    if (!value || *value < 1) fail(key, "a whole number, at least 1");
    return static_cast<std::uint64_t>(*value);
  }
  double real(const char* key) const {
    const auto value = table_[key].value<double>();
    if (!value) fail(key, "a number");
    return *value;
  }
  // At least one.
  std::vector<double> numbers(const char* key) const {
    std::vector<double> values = numbersIn(table_[key]);
    if (values.empty()) fail(key, "a list of numbers");
    return values;
  }
  // Row `row` of an array of arrays.
  std::vector<double> numbers(const char* key, std::size_t row) const {
    std::vector<double> values = numbersIn(table_[key][row]);
    if (values.empty()) fail(key, "a list of numbers");
    return values;
  }
  std::size_t rows(const char* key) const {
    const toml::array* array = table_[key].as_array();
    return array ? array->size() : 0;
  }
  // Requires the length of another list.
  std::vector<double> numbersLike(const char* key, const std::vector<double>& other) const {
    std::vector<double> values = numbers(key);
    requireEqual(key, values.size(), other.size());
    return values;
  }

  void requireEqual(const char* key, std::size_t a, std::size_t b) const {
    if (a != b) fail(key, fmt::format("{} numbers, not {}", b, a));
  }

 private:
  static std::vector<double> numbersIn(const auto& node) {
    std::vector<double> values;
    if (const toml::array* array = node.as_array())
      for (const auto& item : *array)
        if (const auto value = item.template value<double>()) values.push_back(*value);
    return values;
  }
  [[noreturn]] void fail(const char* key, const std::string& wanted) const {
    throw InputError("{}: {}.{} must be {}; the file is damaged, reinstall it", path_, where_, key,
                     wanted);
  }

  const std::string& path_;
  const toml::table& table_;
  std::string where_;
};

inline toml::table parseReferenceFile(const std::string& path) {
  try {
    return toml::parse_file(path);
  } catch (const toml::parse_error& e) {
    throw InputError(
        "{}, line {}: {}; reinstall the file, or set CELLSCOPE_ASSETS to the assets folder", path,
        e.source().begin.line, e.description());
  }
}

// The table [name].
inline ReferenceTable referenceTable(const std::string& path, const toml::table& file,
                                     const char* name) {
  const toml::table* table = file[name].as_table();
  if (!table) throw InputError("{}: section [{}] is missing", path, name);
  return {path, *table, name};
}

// All tables [[name]], at least one.
inline std::vector<ReferenceTable> referenceTables(const std::string& path, const toml::table& file,
                                                   const char* name) {
  std::vector<ReferenceTable> tables;
  if (const toml::array* array = file[name].as_array())
    for (std::size_t i = 0; i < array->size(); ++i)
      if (const toml::table* table = array->get(i)->as_table())
        tables.emplace_back(path, *table, fmt::format("{}[{}]", name, i));
  if (tables.empty()) throw InputError("{}: there is no [[{}]]", path, name);
  return tables;
}

// assets/reference/`name` of the current asset folder.
inline std::string referencePath(const std::string& name) {
  return assetFolder() + "/reference/" + name;
}

}  // namespace cellscope
