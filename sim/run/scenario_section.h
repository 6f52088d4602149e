// Entries of a scenario file, fetched by key and checked; errors name file, line, key and what is
// allowed. For the readers of scenario files only.
#pragma once
#include <fmt/format.h>
#include <toml++/toml.h>

#include <cmath>
#include <optional>
#include <string_view>

#include "sim/base/digits.h"
#include "sim/run/scenario.h"

namespace cellscope {

// Throws InputError naming file and line.
toml::table parseToml(const std::string& text, const std::string& path);

// One table of the file: fetches entries by key, and afterwards refuses those that were not
// fetched.
class Section {
 public:
  Section(const toml::table& table, std::string name, const std::string& file)
      : table_(table), name_(std::move(name)), file_(file) {}

  [[noreturn]] void fail(const toml::node& node, std::string_view key,
                         const std::string& what) const {
    throw InputError("{}:{}: {}{}: {}", file_, node.source().begin.line,
                     name_.empty() ? "" : name_ + ".", key, what);
  }

  // About the entry of this key, which is there.
  [[noreturn]] void fail(const char* key, const std::string& what) const {
    fail(*table_.get(key), key, what);
  }

  // What `check` throws is about the entry.
  auto require(const toml::node& node, std::string_view key, const auto& check) const {
    try {
      return check();
    } catch (const InputError& e) {
      fail(node, key, e.what());
    }
  }

  void require(const char* key, const auto& check) const { require(*table_.get(key), key, check); }

  const toml::node* find(const char* key) {
    known_.push_back(key);
    return table_.get(key);
  }

  void read(const char* key, std::string& out) {
    const toml::node* node = find(key);
    if (!node) return;
    if (!node->is_string()) fail(*node, key, shown(*node) + " is not text; write it in quotes");
    out = node->as_string()->get();
  }

  // One of these names, or none.
  void read(const char* key, std::string& out, const std::vector<std::string>& allowed) {
    read(key, out);
    if (!out.empty()) requireKnown(*table_.get(key), key, out, allowed);
  }

  // Whether it is the second of two, of which the first is usual.
  bool readChoice(const char* key, const std::string& usual, const std::string& other) {
    std::string text = usual;
    read(key, text);
    if (const toml::node* node = table_.get(key)) requireKnown(*node, key, text, {usual, other});
    return text == other;
  }

  void read(const char* key, bool& out) {
    const toml::node* node = find(key);
    if (!node) return;
    if (!node->is_boolean())
      fail(*node, key, shown(*node) + " is not allowed; allowed: true, false");
    out = node->as_boolean()->get();
  }

  void read(const char* key, double& out, double min, double max) {
    if (const toml::node* node = find(key)) out = number(*node, key, min, max);
  }

  void read(const char* key, std::int64_t& out, std::int64_t min, std::int64_t max) {
    const toml::node* node = find(key);
    if (!node) return;
    std::optional<std::int64_t> whole;
    if (auto* i = node->as_integer()) whole = i->get();
    if (auto* d = node->as_floating_point()) whole = wholeFrom(d->get());
    if (!whole || *whole < min || *whole > max)
      fail(
          *node, key,
          fmt::format("{} is not allowed; allowed: whole number {} to {}", shown(*node), min, max));
    out = *whole;
  }

  void read(const char* key, std::vector<std::string>& out,
            const std::vector<std::string>& allowed) {
    readTexts(find(key), key, out, [&](const toml::node& item, const std::string& name) {
      requireKnown(item, key, name, allowed);
      return name;
    });
  }

  // The same for layers, which may have options after their names.
  void readLayers(std::vector<std::string>& out, const ModeDescription& mode,
                  const std::vector<std::string>& allowed) {
    const toml::node* node = find("layers");
    std::vector<std::string> names;
    readTexts(node, "layers", names, [&](const toml::node& item, const std::string& entry) {
      requireKnown(item, "layers", layerName(entry), allowed);
      require(item, "layers", [&] { looksOf({entry}, mode); });
      return layerName(entry);
    });
    if (node) out = names;
  }

  // A list of text. check(item, text): the name by which it must stand only once.
  void readTexts(const toml::node* node, const char* key, std::vector<std::string>& out,
                 const auto& check) const {
    if (!node) return;
    const toml::array* list = node->as_array();
    if (!list) fail(*node, key, shown(*node) + " is not a list of names in square brackets");
    out.clear();
    std::vector<std::string> names;
    for (const toml::node& item : *list) {
      if (!item.is_string()) fail(item, key, shown(item) + " is not text; write it in quotes");
      out.push_back(item.as_string()->get());
      const std::string name = check(item, out.back());
      if (hasItem(names, name)) fail(item, key, shown(item) + " is named twice; name it once");
      names.push_back(name);
    }
  }

  void readPair(const char* key, double (&out)[2], double min, double max) {
    const toml::node* node = find(key);
    if (!node) return;
    const toml::array* list = node->as_array();
    if (!list || list->size() != 2) fail(*node, key, "two numbers in square brackets are needed");
    for (std::size_t i = 0; i < 2; ++i) out[i] = number(*list->get(i), key, min, max);
  }

  void requireKnown(const toml::node& node, std::string_view key, const std::string& name,
                    const std::vector<std::string>& allowed) const {
    if (hasItem(allowed, name)) return;
    fail(node, key,
         fmt::format("unknown name '{}'{}; allowed: {}", name, didYouMean(name, allowed),
                     fmt::join(allowed, ", ")));
  }

  void refuseOthers() const {
    for (const auto& [key, node] : table_) {
      const std::string name(key.str());
      if (hasItem(known_, name)) continue;
      fail(node, name,
           fmt::format("unknown key{}; known: {}", didYouMean(name, known_),
                       fmt::join(known_, ", ")));
    }
  }

  static std::string shown(const toml::node& node) {
    if (auto* s = node.as_string()) return fmt::format("'{}'", s->get());
    if (auto* i = node.as_integer()) return fmt::format("{}", i->get());
    if (auto* d = node.as_floating_point()) return fmt::format("{}", d->get());
    if (auto* b = node.as_boolean()) return b->get() ? "true" : "false";
    if (node.is_table()) return "a table";
    return node.is_array() ? "a list" : "this kind of value";
  }

 private:
  double number(const toml::node& node, const char* key, double min, double max) const {
    const auto value = node.is_number() ? node.value<double>() : std::nullopt;
    if (!value || !std::isfinite(*value) || *value < min || *value > max)
      fail(node, key,
           fmt::format("{} is not allowed; allowed: number {:g} to {:g}", shown(node), min, max));
    return *value;
  }

  const toml::table& table_;
  std::string name_;
  const std::string& file_;
  std::vector<std::string> known_;
};

// view.projection, slices, selection, rest, depth_cue, keep_colours, panels and colour_ranges.
void readInside(Section& view, Scenario& out);

// Whether the scene has two dimensions because a parameter says so.
inline bool planeByParameter(const Scenario& s) {
  const Setting plane("dimension", std::string("2"));
  return hasItem(s.parameters, plane);
}

}  // namespace cellscope
