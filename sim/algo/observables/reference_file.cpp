#include "sim/algo/observables/reference_file.h"

#include <fmt/format.h>

#include "sim/base/build.h"
#include "sim/base/error.h"

namespace cellscope {

static std::vector<double> numbersIn(const auto& node) {
  std::vector<double> values;
  if (const toml::array* array = node.as_array())
    for (const auto& item : *array)
      if (const auto value = item.template value<double>()) values.push_back(*value);
  return values;
}

std::string ReferenceTable::text(const char* key) const {
  const auto value = table_[key].value<std::string>();
  if (!value || value->empty()) fail(key, "a text");
  return *value;
}

std::uint64_t ReferenceTable::number(const char* key) const {
  const auto value = table_[key].value<std::int64_t>();
  if (!value || *value < 1) fail(key, "a whole number, at least 1");
  return static_cast<std::uint64_t>(*value);
}

double ReferenceTable::real(const char* key) const {
  const auto value = table_[key].value<double>();
  if (!value) fail(key, "a number");
  return *value;
}

std::vector<double> ReferenceTable::numbers(const char* key) const {
  std::vector<double> values = numbersIn(table_[key]);
  if (values.empty()) fail(key, "a list of numbers");
  return values;
}

std::vector<double> ReferenceTable::numbers(const char* key, std::size_t row) const {
  std::vector<double> values = numbersIn(table_[key][row]);
  if (values.empty()) fail(key, "a list of numbers");
  return values;
}

std::size_t ReferenceTable::rows(const char* key) const {
  const toml::array* array = table_[key].as_array();
  return array ? array->size() : 0;
}

std::vector<double> ReferenceTable::numbersLike(const char* key,
                                                const std::vector<double>& other) const {
  std::vector<double> values = numbers(key);
  requireEqual(key, values.size(), other.size());
  return values;
}

void ReferenceTable::requireEqual(const char* key, std::size_t a, std::size_t b) const {
  if (a != b) fail(key, fmt::format("{} numbers, not {}", b, a));
}

void ReferenceTable::fail(const char* key, const std::string& wanted) const {
  throw InputError("{}: {}.{} must be {}; the file is damaged, reinstall it", path_, where_, key,
                   wanted);
}

toml::table parseReferenceFile(const std::string& path) {
  try {
    return toml::parse_file(path);
  } catch (const toml::parse_error& e) {
    throw InputError(
        "{}, line {}: {}; reinstall the file, or set CELLSCOPE_ASSETS to the assets folder", path,
        e.source().begin.line, e.description());
  }
}

ReferenceTable referenceTable(const std::string& path, const toml::table& file, const char* name) {
  const toml::table* table = file[name].as_table();
  if (!table) throw InputError("{}: section [{}] is missing", path, name);
  return {path, *table, name};
}

std::vector<ReferenceTable> referenceTables(const std::string& path, const toml::table& file,
                                            const char* name) {
  std::vector<ReferenceTable> tables;
  if (const toml::array* array = file[name].as_array())
    for (std::size_t i = 0; i < array->size(); ++i)
      if (const toml::table* table = array->get(i)->as_table())
        tables.emplace_back(path, *table, fmt::format("{}[{}]", name, i));
  if (tables.empty()) throw InputError("{}: there is no [[{}]]", path, name);
  return tables;
}

std::string referencePath(const std::string& name) { return assetFolder() + "/reference/" + name; }

}  // namespace cellscope
