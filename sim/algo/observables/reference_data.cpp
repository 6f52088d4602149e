#include "sim/algo/observables/reference_data.h"

#include <fmt/format.h>

#include <toml++/toml.h>
#include <map>
#include <memory>
#include <mutex>

#include "sim/api/assets.h"
#include "sim/api/error.h"

namespace cellscope {
namespace {

// Reads typed values and reports what is missing by file and key.
class Reader {
 public:
  Reader(const std::string& path, const toml::table& table, std::string where)
      : path_(path), table_(table), where_(std::move(where)) {}

  std::string text(const char* key) const {
    const auto value = table_[key].value<std::string>();
    if (!value || value->empty()) fail(key, "a text");
    return *value;
  }
  std::uint64_t number(const char* key) const {
    const auto value = table_[key].value<std::int64_t>();
    if (!value || *value < 1) fail(key, "a whole number, at least 1");
    return static_cast<std::uint64_t>(*value);
  }
  std::vector<double> numbers(const char* key) const { return numbersOf(table_[key], key); }
  // Row `row` of an array of arrays.
  std::vector<double> numbers(const char* key, std::size_t row) const {
    return numbersOf(table_[key][row], key);
  }
  std::size_t rows(const char* key) const {
    const toml::array* array = table_[key].as_array();
    return array ? array->size() : 0;
  }

  void requireEqual(const char* key, std::size_t a, std::size_t b) const {
    if (a != b) fail(key, fmt::format("{} numbers, not {}", b, a));
  }

 private:
  template <class Node>
  std::vector<double> numbersOf(const Node& node, const char* key) const {
    std::vector<double> values;
    if (const toml::array* array = node.as_array())
      for (const auto& item : *array)
        if (const auto value = item.template value<double>()) values.push_back(*value);
    if (values.empty()) fail(key, "a list of numbers");
    return values;
  }
  [[noreturn]] void fail(const char* key, const std::string& wanted) const {
    throw InputError(fmt::format("{}: {}.{} must be {}; the file is damaged, reinstall it", path_,
                                 where_, key, wanted));
  }

  const std::string& path_;
  const toml::table& table_;
  std::string where_;
};

toml::table parse(const std::string& path) {
  try {
    return toml::parse_file(path);
  } catch (const toml::parse_error& e) {
    throw InputError(fmt::format(
        "{}, line {}: {}; reinstall the file, or set CELLSCOPE_ASSETS to the assets folder", path,
        e.source().begin.line, e.description()));
  }
}

Reader section(const std::string& path, const toml::table& file, const char* name) {
  const toml::table* table = file[name].as_table();
  if (!table) throw InputError(fmt::format("{}: section [{}] is missing", path, name));
  return {path, *table, name};
}

template <class F>
void forEachTable(const std::string& path, const toml::table& file, const char* name, const F& f) {
  const toml::array* tables = file[name].as_array();
  if (!tables) throw InputError(fmt::format("{}: there is no [[{}]]", path, name));
  for (std::size_t i = 0; i < tables->size(); ++i)
    if (const toml::table* table = tables->get(i)->as_table())
      f(Reader(path, *table, fmt::format("{}[{}]", name, i)));
}

PublishedSimulation simulation(const Reader& r) {
  PublishedSimulation s{r.text("method"),     r.text("source"),      r.number("disks"),
                        r.numbers("packing"), r.numbers("pressure"), r.numbers("error")};
  r.requireEqual("pressure", s.pressure.size(), s.packing.size());
  r.requireEqual("error", s.error.size(), s.packing.size());
  return s;
}

void addPrinted(const Reader& r, std::vector<PublishedSimulation>& all) {
  const std::vector<double> disks = r.numbers("disks");
  r.requireEqual("pressure", r.rows("pressure"), disks.size());
  for (std::size_t k = 0; k < disks.size(); ++k)
    all.push_back({r.text("method"), r.text("source"), static_cast<std::uint64_t>(disks[k]),
                   r.numbers("packing"), r.numbers("pressure", k), r.numbers("error", k)});
}

FluidFit fluidFit(const Reader& r) {
  FluidFit f{r.text("source"),     r.numbers("power"), r.numbers("coefficient"),
             r.numbers("density"), r.numbers("z"),     r.numbers("z_error")};
  r.requireEqual("coefficient", f.coefficient.size(), f.power.size());
  r.requireEqual("z", f.z.size(), f.density.size());
  r.requireEqual("z_error", f.zError.size(), f.density.size());
  return f;
}

}  // namespace

HardDiskData loadHardDiskData(const std::string& path) {
  const toml::table file = parse(path);
  HardDiskData data;
  const Reader virial = section(path, file, "virial");
  data.virial = virial.numbers("coefficients");
  virial.requireEqual("coefficients", data.virial.size(), 9);
  data.pade = padeApproximant(virialSeries(data.virial), 4, 5);
  const Reader pade = section(path, file, "pade");
  data.padeSource = pade.text("source");
  data.padePacking = pade.numbers("packing");
  data.padeError = pade.numbers("error");
  pade.requireEqual("error", data.padeError.size(), data.padePacking.size());
  data.fluid = fluidFit(section(path, file, "fluid"));
  forEachTable(path, file, "simulation",
               [&](const Reader& r) { data.simulations.push_back(simulation(r)); });
  forEachTable(path, file, "exact", [&](const Reader& r) { data.exact.push_back(simulation(r)); });
  forEachTable(path, file, "printed", [&](const Reader& r) { addPrinted(r, data.printed); });
  return data;
}

const HardDiskData& hardDiskData() {
  static std::mutex mutex;
  static std::map<std::string, std::unique_ptr<HardDiskData>> known;
  const std::string path = assetFolder() + "/reference/hard_disks.toml";
  std::lock_guard lock(mutex);
  std::unique_ptr<HardDiskData>& data = known[path];
  if (!data) data = std::make_unique<HardDiskData>(loadHardDiskData(path));
  return *data;
}

}  // namespace cellscope
