// One frame as arrays of numpy: positions (N, 3), or (N, 2) in a plane; cell (3, 3), (3) or the six
// numbers of freud and HOOMD; pbc (3); velocities, masses, radii, ids, types under their usual
// names.
#include <fmt/ranges.h>

#include <set>

#include "sim/io/formats/format.h"
#include "sim/io/formats/npz.h"

namespace cellscope::io {
namespace {

class NpzFrame {
 public:
  explicit NpzFrame(const std::string& path) : file_(path) { f_.file = path; }
  FileFrame read() {
    std::set<Field> taken;
    for (const std::string& name : file_.names()) {
      if (takeConfiguration(name)) continue;
      const Meaning m = meaningOf(name);
      const bool coordinate = m.field == Field::scaled || (m.width == 1 && m.axis > 0) ||
                              name == "x" || name == "vx" || name == "px";
      if (m.field == Field::unknown || coordinate || !taken.insert(m.field).second) {
        f_.unused.push_back(name);
        continue;
      }
      take(name, m.field);
      if (m.field == Field::position && f_.dimension == 0 && file_.read(name).shape[1] == 2)
        f_.dimension = 2;
    }
    if (!taken.contains(Field::position))
      file_.fail("there is no array 'positions' of shape (N, 3)");
    f_.n = f_.position.size() / 3;
    return std::move(f_);
  }

 private:
  [[noreturn]] void refuseShape(const std::string& name, const NpyArray& a, const char* allowed) {
    file_.fail("'{}' has the shape ({}); allowed: {}", name, fmt::join(a.shape, ", "), allowed);
  }
  std::vector<double> vectors(const std::string& name, const NpyArray& a) {
    const bool flat = a.shape.size() == 2 && a.shape[1] == 2;
    if (a.isText || a.shape.size() != 2 || (a.shape[1] != 3 && !flat))
      refuseShape(name, a, "(N, 3), or (N, 2) in a plane");
    std::vector<double> v = a.as<double>();
    if (!flat) return v;
    std::vector<double> all;
    for (std::size_t k = 0; k < v.size(); k += 2) all.insert(all.end(), {v[k], v[k + 1], 0.0});
    return all;
  }
  void take(const std::string& name, Field field) {
    const NpyArray a = file_.read(name);
    std::vector<double>* const to = f_.numbersOf(field);
    if (isVector(field)) {
      *to = vectors(name, a);
      return;
    }
    if (a.shape.size() != 1) refuseShape(name, a, "(N)");
    if (isKind(field)) {
      Kinds kinds{name, field, {}, {}};
      const bool texts = a.isText;
      if (!texts && !isWhole(a.kind)) refuseShape(name, a, "whole numbers or texts");
      const std::vector<std::int64_t> numbers =
          texts ? std::vector<std::int64_t>() : a.as<std::int64_t>();
      for (std::size_t i = 0; i < a.shape[0]; ++i) {
        const std::string element = texts ? "" : elementName(numbers[i]);
        const std::string kind = texts ? a.texts[i]
                                 : field == Field::number && !element.empty()
                                     ? element
                                     : fmt::format("{}", numbers[i]);
        if (!kinds.add(kind)) file_.fail("'{}' has more than {} kinds", name, kMostKinds);
      }
      f_.kinds.push_back(std::move(kinds));
      return;
    }
    if (a.isText) refuseShape(name, a, "numbers");
    if (field == Field::id) {
      if (!isWhole(a.kind)) refuseShape(name, a, "whole numbers");
      f_.id = a.as<std::int64_t>();
    } else {
      *to = a.as<double>();
      if (field == Field::diameter)
        for (double& r : *to) r /= 2;
    }
  }
  bool takeConfiguration(const std::string& name) {
    const bool isCell = name == "cell" || name == "box" || name == "lattice" || name == "Lattice";
    if (!isCell && name != "pbc" && name != "origin" && name != "step" && name != "time")
      return false;
    const NpyArray a = file_.read(name);
    const std::vector<double> v = a.isText ? std::vector<double>() : a.as<double>();
    if (isCell) {
      f_.cell = boxVectors(v);
      if (f_.cell.empty()) refuseShape(name, a, "(3, 3), (3), (2) or (6): Lx, Ly, Lz, xy, xz, yz");
      if (v.size() % 2 == 0 && v.size() < 6) f_.dimension = 2;
      return true;
    }
    const std::size_t needed = name == "pbc" || name == "origin" ? 3 : 1;
    if (v.size() != needed) refuseShape(name, a, needed == 3 ? "(3)" : "one number");
    if (name == "pbc")
      for (const double p : v) f_.periodic += p != 0 ? 'T' : 'F';
    if (name == "origin") std::copy(v.begin(), v.end(), f_.origin);
    if (name == "step" && v[0] >= 0 && v[0] < 1e18) f_.step = static_cast<std::uint64_t>(v[0]);
    if (name == "time") f_.time = v[0];
    return true;
  }

  NpzFile file_;
  FileFrame f_;
};

void readNpz(const std::string& path, bool, const TakeFrame& take) { take(NpzFrame(path).read()); }

std::string npzFrameText(const Configuration& c, const FrameNotes& notes) {
  const std::uint64_t n = c.size();
  std::vector<double> cell(9, 0.0), mass, radius;
  std::vector<std::int64_t> ids(c.ids.begin(), c.ids.end());
  std::size_t longest = 1;
  for (const Species& s : c.species) longest = std::max(longest, s.name.size());
  for (std::size_t a = 0; a < 3; ++a)
    cell[4 * a] = c.box.dimension == 2 && a == 2 ? c.largestDiameter() : c.box.length[a];
  std::string names;
  const std::vector<std::uint8_t> pbc = {1, 1, c.box.dimension == 3};
  for (std::size_t i = 0; i < n; ++i) {
    const Species& s = c.speciesOf(i);
    mass.push_back(s.mass), radius.push_back(s.diameter / 2);
    names += s.name + std::string(longest - s.name.size(), '\0');
  }
  std::vector<NpyMember> members = {npyMember("positions", c.positions, 3),
                                    npyMember("cell", cell, 3),
                                    npyMember("pbc", pbc),
                                    npyMember("ids", ids),
                                    {"names", fmt::format("|S{}", longest), names, {n}},
                                    npyMember("masses", mass),
                                    npyMember("radii", radius),
                                    npyMember("step", std::vector<std::uint64_t>{notes.step}, 0),
                                    npyMember("time", std::vector<double>{notes.time}, 0)};
  if (!c.velocities.empty()) members.push_back(npyMember("velocities", c.velocities, 3));
  return npzText(members);
}

}  // namespace

Format npzFormat() {
  return Format(
      "npz", "numpy archive", {".npz"}, false,
      [](std::string_view head) { return head.starts_with("PK\3\4"); }, readNpz,
      textSinkOf<npzFrameText>);
}

}  // namespace cellscope::io
