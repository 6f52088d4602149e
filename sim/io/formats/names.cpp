// What the codes of the field call the same thing.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <filesystem>
#include <iterator>
#include <string>

#include "sim/base/error.h"
#include "sim/io/formats/bytes.h"
#include "sim/io/formats/frame.h"

namespace cellscope::io {
namespace {

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

Meaning meaningOf(std::string_view name) {
  if (name == "Z") return {Field::number, 1, 0};  // z is a coordinate
  std::string key = " ";
  for (const char c : name) key += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  key += ' ';
  if (name.find(' ') != name.npos) return {};
  for (const Name& known : kNames)
    if (known.names.find(key) != known.names.npos) return known.meaning;
  return {};
}

std::string elementName(std::int64_t number) {
  return number < 1 || number > 118 ? ""
                                    : std::string(kElements[static_cast<std::size_t>(number - 1)]);
}

bool isElement(std::string_view name) {
  return name == "X" || std::find(kElements.begin(), kElements.end(), name) != kElements.end();
}

bool onlyElements(const Configuration& c) {
  return std::all_of(c.species.begin(), c.species.end(),
                     [](const Species& s) { return isElement(s.name); });
}

Bytes::Bytes(const std::string& path) : path_(path) {
  std::error_code error;
  if (!std::filesystem::is_regular_file(path, error))
    throw InputError(fmt::format("cannot read '{}': it is not a regular file", path));
  size_ = std::filesystem::file_size(path, error);
  in_.open(path, std::ios::binary);
  if (!in_) throw InputError(fmt::format("cannot read '{}'", path));
}

void Bytes::fail(const std::string& what) const {
  throw InputError(fmt::format("'{}': {}", path_, what));
}

void Bytes::require(std::uint64_t at, std::uint64_t count, std::uint64_t each,
                    const char* what) const {
  if (!holds(at, count, each))
    fail(
        fmt::format("{}: {} values of {} bytes at byte {} were expected, and the file has {} "
                    "bytes; copy it again",
                    what, count, each, at, size_));
}

void Bytes::read(std::uint64_t at, void* to, std::uint64_t count, std::uint64_t each,
                 const char* what) {
  require(at, count, each, what);
  in_.clear();
  in_.seekg(static_cast<std::streamoff>(at));
  in_.read(static_cast<char*>(to), static_cast<std::streamsize>(count * each));
  if (!in_) fail(fmt::format("{} cannot be read", what));
}

std::string Bytes::text(std::uint64_t at, std::uint64_t count, const char* what) {
  require(at, count, 1, what);
  std::string t(static_cast<std::size_t>(count), '\0');
  if (count > 0) read(at, t.data(), count, 1, what);
  return t;
}

}  // namespace cellscope::io
