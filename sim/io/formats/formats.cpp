#include <fmt/ranges.h>
#include <zlib.h>

#include <algorithm>
#include <array>
#include <filesystem>

#include "sim/api/parameter.h"
#include "sim/base/error.h"
#include "sim/base/words.h"
#include "sim/io/formats/format.h"

namespace cellscope::io {
namespace {

class FileSink : public FrameSink {
 public:
  FileSink(const std::string& path, WriteFrame write, bool append)
      : file_(path, append ? OpenAs::append : OpenAs::replace), write_(write) {}
  void append(const Configuration& c, const FrameNotes& notes) override { write_(file_, c, notes); }
  void flushToDisk() override { file_.flushToDisk(); }
  void close() override { file_.close(); }

 private:
  OutputFile file_;
  WriteFrame write_;
};

// What the codes of the field call the same thing.
struct Name {
  std::string_view names;  // in small letters, between spaces
  Meaning meaning;
};
constexpr Name kNames[] = {
    {" pos position positions coordinates coords xyz r ", {Field::position, 3, 0}},
    {" x xu unwrapped_x ", {Field::position, 1, 0}},
    {" y yu unwrapped_y ", {Field::position, 1, 1}},
    {" z zu unwrapped_z ", {Field::position, 1, 2}},
    {" xs xsu ", {Field::scaled, 1, 0}},
    {" ys ysu ", {Field::scaled, 1, 1}},
    {" zs zsu ", {Field::scaled, 1, 2}},
    {" velo vel velocity velocities v ", {Field::velocity, 3, 0}},
    {" vx velocity_x ", {Field::velocity, 1, 0}},
    {" vy velocity_y ", {Field::velocity, 1, 1}},
    {" vz velocity_z ", {Field::velocity, 1, 2}},
    {" momentum momenta p ", {Field::momentum, 3, 0}},
    {" px ", {Field::momentum, 1, 0}},
    {" py ", {Field::momentum, 1, 1}},
    {" pz ", {Field::momentum, 1, 2}},
    {" radius radii ", {Field::radius, 1, 0}},
    {" diameter diameters ", {Field::diameter, 1, 0}},
    {" mass masses m ", {Field::mass, 1, 0}},
    {" id ids identifier tag atom_id particle_id ", {Field::id, 1, 0}},
    {" species element elements symbol symbols name names ", {Field::name, 1, 0}},
    {" type types typeid type_id atom_type atom_types ", {Field::type, 1, 0}},
    {" numbers number atomic_number atomic_numbers ", {Field::number, 1, 0}},
};

constexpr std::array<std::string_view, 118> kElements = {
    "H",  "He", "Li", "Be", "B",  "C",  "N",  "O",  "F",  "Ne", "Na", "Mg", "Al", "Si", "P",
    "S",  "Cl", "Ar", "K",  "Ca", "Sc", "Ti", "V",  "Cr", "Mn", "Fe", "Co", "Ni", "Cu", "Zn",
    "Ga", "Ge", "As", "Se", "Br", "Kr", "Rb", "Sr", "Y",  "Zr", "Nb", "Mo", "Tc", "Ru", "Rh",
    "Pd", "Ag", "Cd", "In", "Sn", "Sb", "Te", "I",  "Xe", "Cs", "Ba", "La", "Ce", "Pr", "Nd",
    "Pm", "Sm", "Eu", "Gd", "Tb", "Dy", "Ho", "Er", "Tm", "Yb", "Lu", "Hf", "Ta", "W",  "Re",
    "Os", "Ir", "Pt", "Au", "Hg", "Tl", "Pb", "Bi", "Po", "At", "Rn", "Fr", "Ra", "Ac", "Th",
    "Pa", "U",  "Np", "Pu", "Am", "Cm", "Bk", "Cf", "Es", "Fm", "Md", "No", "Lr", "Rf", "Db",
    "Sg", "Bh", "Hs", "Mt", "Ds", "Rg", "Cn", "Nh", "Fl", "Mc", "Lv", "Ts", "Og"};

}  // namespace

void refuseToContinue(const std::string& path) {
  throw InputError("'" + path +
                   "': files of this format cannot be continued; use another file for the rest of "
                   "the run, or .xyz or .h5 from the beginning");
}

std::unique_ptr<FrameSink> fileSink(const std::string& path, WriteFrame write, bool append) {
  return std::make_unique<FileSink>(path, write, append);
}

const std::vector<Format>& formats() {
  static const std::vector<Format> all = {xyzFormat(), xyzPackedFormat(),  h5mdFormat(),
                                          gsdFormat(), lammpsDumpFormat(), lammpsDataFormat(),
                                          pdbFormat(), npzFormat()};
  return all;
}

std::string formatKeys() {
  return fmt::format("{}", fmt::join(each(formats(), &Format::key), ", "));
}

const Format* formatOfName(const std::string& path) {
  for (const Format& f : formats())
    for (const std::string_view suffix : f.suffixes)
      if (path.size() > suffix.size() && path.ends_with(suffix)) return &f;
  return nullptr;
}

const Format& formatToWrite(const std::string& path, const std::string& key) {
  if (!key.empty()) {
    for (const Format& f : formats())
      if (key == f.key) return f;
    throw InputError("the format '{}' is not known; allowed: {}", key, formatKeys());
  }
  if (const Format* f = formatOfName(path)) return *f;
  if (!isRegularOrAbsent(path) || isOpenAlready(path)) return formats().front();
  const std::string suffix = std::filesystem::path(path).extension().string();
  std::vector<std::string> all;
  for (const Format& f : formats()) all.insert(all.end(), f.suffixes.begin(), f.suffixes.end());
  throw InputError("'{}': {} names no format; allowed: {}; or give the format", path,
                   suffix.empty() ? "its name has no suffix, which" : "the suffix '" + suffix + "'",
                   fmt::join(all, ", "));
}

const Format* formatOfContent(const std::string& path) {
  std::string head(8192, '\0');  // the first bytes, unpacked
  const gzFile file = gzopen(path.c_str(), "rb");
  const int n = file ? gzread(file, head.data(), static_cast<unsigned>(head.size())) : 0;
  if (file) gzclose(file);
  head.resize(n > 0 ? static_cast<std::size_t>(n) : 0);
  for (const Format& f : formats())
    if (f.recognises && f.recognises(head)) return &f;
  return nullptr;
}

const Format& formatOfFile(const std::string& path) {
  std::error_code error;
  if (!std::filesystem::is_regular_file(path, error)) return formats().front();
  if (const Format* f = formatOfContent(path)) return *f;
  if (const Format* f = formatOfName(path)) return *f;
  throw InputError("'{}' is of no known format, by what it holds and by its suffix; known: {}",
                   path, fmt::join(each(formats(), &Format::label), ", "));
}

LoadedFrame readConfiguration(const std::string& path, const std::string& sides) {
  std::optional<FileFrame> last;
  formatOfFile(path).read(path, true, [&](FileFrame f) { last = std::move(f); });
  if (!last) throw InputError("'{}' has no frame", path);
  return settle(std::move(*last), sides);
}

void readFrames(const std::string& path, const std::string& sides,
                const std::function<void(LoadedFrame)>& take) {
  bool any = false;
  formatOfFile(path).read(path, false, [&](FileFrame f) {
    any = true;
    take(settle(std::move(f), sides));
  });
  if (!any) throw InputError("'{}' has no frame", path);
}

Meaning meaningOf(std::string_view name) {
  if (name == "Z") return {Field::number, 1, 0};  // z is a coordinate
  if (name.find(' ') != name.npos) return {};
  const std::string key = " " + lowered(std::string(name)) + ' ';
  for (const Name& known : kNames)
    if (known.names.find(key) != known.names.npos) return known.meaning;
  return {};
}

std::string elementName(std::int64_t number) {
  return number < 1 || number > 118 ? ""
                                    : std::string(kElements[static_cast<std::size_t>(number - 1)]);
}

bool isElement(std::string_view name) { return name == "X" || hasItem(kElements, name); }

bool onlyElements(const Configuration& c) {
  return std::ranges::all_of(c.species, [](const Species& s) { return isElement(s.name); });
}

}  // namespace cellscope::io
