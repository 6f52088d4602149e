// Tables of reference values in TOML files (assets/reference); errors name the file and the missing
// or wrong key.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include <toml++/toml.h>

namespace cellscope {

// One table of such a file. Every reader throws InputError.
class ReferenceTable {
 public:
  // `path` and `table` must outlive it. `where`: name of the table in messages.
  ReferenceTable(const std::string& path, const toml::table& table, std::string where)
      : path_(path), table_(table), where_(std::move(where)) {}

  std::string text(const char* key) const;
  std::uint64_t number(const char* key) const;  // at least 1
  double real(const char* key) const;
  std::vector<double> numbers(const char* key) const;  // at least one
  // Row `row` of an array of arrays.
  std::vector<double> numbers(const char* key, std::size_t row) const;
  std::size_t rows(const char* key) const;
  // Requires the length of another list.
  std::vector<double> numbersLike(const char* key, const std::vector<double>& other) const;

  void requireEqual(const char* key, std::size_t a, std::size_t b) const;

 private:
  [[noreturn]] void fail(const char* key, const std::string& wanted) const;

  const std::string& path_;
  const toml::table& table_;
  std::string where_;
};

toml::table parseReferenceFile(const std::string& path);

// The table [name].
ReferenceTable referenceTable(const std::string& path, const toml::table& file, const char* name);
// All tables [[name]], at least one.
std::vector<ReferenceTable> referenceTables(const std::string& path, const toml::table& file,
                                            const char* name);

// assets/reference/`name` of the current asset folder.
std::string referencePath(const std::string& name);

}  // namespace cellscope
