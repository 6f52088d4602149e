// The rules that all formats share.
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "sim/base/error.h"
#include "sim/io/formats/format.h"
#include "sim/io/text_lines.h"

namespace cellscope::io {
namespace {

constexpr double kRightAngle = 1e-9;  // of the longest side: rounding of files with few digits
constexpr double kFarthest = 1e9;     // boxes away: beyond, too few digits are left

// Whether both tell the same particles apart.
bool agree(const Kinds& a, const Kinds& b) {
  std::map<std::uint32_t, std::uint32_t> partner;
  for (std::size_t i = 0; i < a.of.size(); ++i)
    if (partner.emplace(a.of[i], b.of[i]).first->second != b.of[i]) return false;
  return a.names.size() == b.names.size();
}

// Types without names are called A, B, C in the order of their numbers, as those of the modes.
void nameNumbers(Kinds& kinds) {
  std::map<std::int64_t, std::uint32_t> order;
  for (std::uint32_t k = 0; k < kinds.names.size(); ++k) {
    const std::optional<std::int64_t> number = numberOf<std::int64_t>(kinds.names[k]);
    if (!number) return;
    order.emplace(*number, k);
  }
  const bool known = std::ranges::all_of(kinds.of, [&](auto k) { return k < order.size(); });
  if (order.size() != kinds.names.size() || order.size() > 26 || !known) return;
  std::vector<std::uint32_t> place(order.size());
  std::uint32_t next = 0;
  for (const auto& [number, k] : order) place[k] = next++;
  for (std::uint32_t& k : kinds.of) k = place[k];
  for (std::size_t k = 0; k < order.size(); ++k)
    kinds.names[k] = std::string(1, static_cast<char>('A' + k));
}

class Settling {
 public:
  Settling(FileFrame frame, const std::string& sides) : f_(std::move(frame)), sides_(sides) {}
  LoadedFrame run() {
    requireExtents();
    ids();
    periodicity();
    box();
    positions();
    velocities();
    species();
    try {
      requireValid(c_, "frame");
    } catch (const InputError& e) {
      fail("{}", e.what());
    }
    if (!f_.units.empty())
      note("Units: {}; numbers are taken as they are, as multiples of sigma, epsilon and m.",
           fmt::join(f_.units, ", "));
    std::vector<std::string> unused;
    for (const std::string& name : f_.unused)
      if (std::find(unused.begin(), unused.end(), name) == unused.end()) unused.push_back(name);
    if (!unused.empty()) note("Not used: {}.", fmt::join(unused, ", "));
    out_.notes.insert(out_.notes.begin(), f_.notes.begin(), f_.notes.end());
    out_.configuration = std::move(c_);
    out_.step = f_.step, out_.time = f_.time;
    return std::move(out_);
  }

 private:
  template <class... T>
  [[noreturn]] void fail(fmt::format_string<T...> format, T&&... values) const {
    const std::string what = fmt::format(format, std::forward<T>(values)...);
    if (f_.headLine == 0) throw InputError("'{}': {}", f_.file, what);
    throw InputError("{}:{}: {}", f_.file, f_.headLine, what);
  }
  template <class... T>
  [[noreturn]] void fail(std::size_t i, fmt::format_string<T...> format, T&&... values) const {
    const std::string what = fmt::format(format, std::forward<T>(values)...);
    if (f_.firstLine == 0) throw InputError("'{}': particle {}: {}", f_.file, c_.ids[i], what);
    throw InputError("{}:{}: particle {}: {}", f_.file, f_.firstLine + i, c_.ids[i], what);
  }
  template <class... T>
  void note(fmt::format_string<T...> format, T&&... values) {
    out_.notes.push_back(fmt::format(format, std::forward<T>(values)...));
  }

  void requireExtents() const {
    const auto require = [&](std::size_t size, std::size_t each, const char* what) {
      if (size != 0 && size != each * f_.n)
        fail("{} values of {} for {} particles; allowed: {}", size, what, f_.n, each * f_.n);
    };
    if (f_.position.size() != 3 * f_.n)
      fail("{} coordinates for {} particles; allowed: {}", f_.position.size(), f_.n, 3 * f_.n);
    require(f_.velocity.size(), 3, "the velocity");
    require(f_.momentum.size(), 3, "the momentum");
    require(f_.radius.size(), 1, "the radius");
    require(f_.mass.size(), 1, "the mass");
    require(f_.id.size(), 1, "the id");
    for (const Kinds& k : f_.kinds) require(k.of.size(), 1, k.column.c_str());
  }
  void ids() {
    c_.ids = f_.id.empty() ? firstIds(f_.n) : std::vector<ParticleId>(f_.id.begin(), f_.id.end());
    for (std::size_t i = 0; i < f_.n; ++i)
      if (c_.ids[i] < 0)
        fail(i, "the id is negative; allowed: whole numbers of 0 to 9223372036854775807");
  }
  void periodicity() {
    if (f_.periodic.empty() || f_.periodic == "TTT") return;
    if (f_.periodic != "TTF" && !(f_.periodic == "TT" && f_.dimension == 2))
      fail(
          "the box is not periodic along all axes ({}): only periodic boxes can be loaded; "
          "allowed: \"T T T\", and \"T T F\" in two dimensions",
          fmt::join(f_.periodic, " "));
    f_.dimension = 2;
  }
  void box() {
    if (!sides_.empty()) takeSides(parseSides(sides_));
    if (f_.cell.empty())
      fail(
          "the file has no box; give its sides with --box, for example --box \"12 12 12\", or two "
          "for a plane");
    requireRightAngles();
    c_.box.dimension = f_.dimension == 2 ? 2 : 3;
    for (int a = 0; a < c_.box.dimension; ++a) {
      c_.box.length[a] = f_.cell[static_cast<std::size_t>(4 * a)];
      if (!(c_.box.length[a] > 0))
        fail("the box has no extent in {}: {}; allowed: above 0{}", "xyz"[a], c_.box.length[a],
             a == 2 ? "; a plane has pbc=\"T T F\", or two sides in --box" : "");
    }
  }
  void requireRightAngles() const {
    double longest = 0;
    for (const double v : f_.cell) {
      if (!std::isfinite(v)) fail("the box has a side that is not a finite number");
      longest = std::max(longest, std::abs(v));
    }
    for (std::size_t k = 0; k < 9; ++k)
      if (k % 4 != 0 && std::abs(f_.cell[k]) > kRightAngle * longest)
        fail(
            "the box is tilted: its vector {} has {} = {}; only rectangular boxes can be loaded, "
            "with nothing off the diagonal, because cells and images are taken along the axes; "
            "replicate or convert it to a rectangular one",
            "abc"[k / 3], "xyz"[k % 3], f_.cell[k]);
  }
  // Of --box. A box that the file has as well must be the same.
  void takeSides(const std::vector<double>& sides) {
    for (std::size_t a = 0; a < sides.size(); ++a)
      if (!f_.cell.empty() && std::abs(f_.cell[4 * a] - sides[a]) > 1e-6 * sides[a])
        fail("--box {} contradicts the box of the file, which is {} long in {}; leave it out",
             sides_, f_.cell[4 * a], "xyz"[a]);
    if (sides.size() == 2) f_.dimension = 2;
    if (f_.cell.empty()) f_.cell = boxVectors(sides);
  }
  void positions() {
    std::size_t wrapped = 0;
    for (std::size_t i = 0; i < f_.n; ++i) {
      bool moved = false;
      for (std::size_t a = 0; a < 3; ++a) {
        double& x = f_.position[3 * i + a];
        const bool flat = static_cast<int>(a) >= c_.box.dimension;
        const double l = c_.box.length[a];
        if (!std::isfinite(x) || (!flat && std::abs(x - f_.origin[a]) > kFarthest * l))
          fail(i, "{} = {} is not a finite number near the box; allowed: {}", "xyz"[a], x,
               flat ? "one height for all particles"
                    : fmt::format("{} to {}, or an image; correct it", f_.origin[a],
                                  f_.origin[a] + l));
        if (flat) continue;
        x -= f_.origin[a];
        if (x >= 0 && x < l) continue;
        moved = true;
        out_.boxes.resize(3 * f_.n);
        out_.boxes[3 * i + a] = static_cast<std::int32_t>(std::floor(x / l));
        x -= l * std::floor(x / l);
        if (x >= 0 && x < l) continue;
        x = 0;  // rounded up to the face
        ++out_.boxes[3 * i + a];
      }
      wrapped += moved;
    }
    if (wrapped > 0)
      note("{} of {} particles were outside the box and were wrapped into it.", wrapped, f_.n);
    if (c_.box.dimension == 2) flatten();
    c_.positions = std::move(f_.position);
  }
  // A plane may lie at any height, but all of it at one.
  void flatten() {
    for (std::size_t i = 0; i < f_.n; ++i)
      if (f_.position[3 * i + 2] != f_.position[2])
        fail(i, "z = {}, particle {} has {}; in two dimensions all particles lie at one height",
             f_.position[3 * i + 2], c_.ids[0], f_.position[2]);
    for (std::size_t i = 0; i < f_.n; ++i) f_.position[3 * i + 2] = 0;
  }
  void velocities() {
    const bool fromMomenta = f_.velocity.empty() && !f_.momentum.empty();
    std::vector<double>& v = fromMomenta ? f_.momentum : f_.velocity;
    if (!f_.velocity.empty() && !f_.momentum.empty()) f_.unused.push_back("momenta");
    if (fromMomenta)
      note("Velocities are momenta divided by {}.",
           f_.mass.empty() ? "mass 1: the file has no masses" : "the masses");
    std::size_t upward = 0;
    for (std::size_t k = 0; k < v.size(); ++k) {
      if (fromMomenta && !f_.mass.empty()) v[k] /= f_.mass[k / 3];
      if (!std::isfinite(v[k]))
        fail(k / 3,
             "the velocity {} is not a finite number; correct it, or leave out the velocities",
             v[k]);
      if (k % 3 != 2 || c_.box.dimension == 3 || v[k] == 0) continue;
      v[k] = 0;
      ++upward;
    }
    if (upward > 0)
      note(
          "{} of {} particles had a velocity along z, which a plane does not have: it was set to "
          "0.",
          upward, f_.n);
    c_.velocities = std::move(v);
  }
  // Of several columns the first with more than one kind, names before types before numbers; what
  // another one tells is named.
  std::size_t chosenKinds() {
    std::size_t chosen = 0;
    for (const Field field : {Field::number, Field::type, Field::name})
      for (std::size_t k = f_.kinds.size(); k-- > 0;)
        if (f_.kinds[k].field == field && f_.kinds[k].names.size() > 1) chosen = k;
    for (const Kinds& k : f_.kinds)
      if (k.names.size() > 1 && !agree(k, f_.kinds[chosen])) f_.unused.push_back(k.column);
    return chosen;
  }
  // Of one species all have the same radius and mass.
  void species() {
    c_.hasDiameters = !f_.radius.empty() || !f_.declared.empty();
    c_.hasMasses = !f_.mass.empty() || !f_.declared.empty();
    if (f_.kinds.empty())
      f_.kinds.push_back({"", Field::name, {"X"}, std::vector<std::uint32_t>(f_.n)});
    Kinds& kinds = f_.kinds[chosenKinds()];
    if (f_.declared.empty()) nameNumbers(kinds);
    c_.types = kinds.of;
    c_.species = f_.declared;
    for (std::size_t s = c_.species.size(); s < kinds.names.size(); ++s)
      c_.species.push_back({kinds.names[s], 1, 1});
    constexpr std::size_t kNone = ~std::size_t{0};
    std::vector<std::size_t> first(c_.species.size(), kNone);
    for (std::size_t i = 0; i < f_.n; ++i) {
      if (c_.types[i] >= c_.species.size())
        fail(i, "it is of species {}; allowed: below {}", c_.types[i], c_.species.size());
      Species& s = c_.species[c_.types[i]];
      const double diameter = 2 * positive(f_.radius, i, "radius", s.diameter / 2);
      const double mass = positive(f_.mass, i, "mass", s.mass);
      std::size_t& known = first[c_.types[i]];
      if (known == kNone) known = i, s.diameter = diameter, s.mass = mass;
      const auto differs = [&](const char* what, double value, double other) {
        fail(i,
             "it is of species '{}' and has {} {}, particle {} of the same species {}; all "
             "particles of a species have one; name another species",
             s.name, what, value, c_.ids[known], other);
      };
      if (diameter != s.diameter) differs("radius", diameter / 2, s.diameter / 2);
      if (mass != s.mass) differs("mass", mass, s.mass);
    }
    if (c_.species.empty()) c_.species.resize(1);
    if (c_.species.size() == 1) c_.types.clear();
  }
  double positive(const std::vector<double>& values, std::size_t i, const char* what,
                  double missing) const {
    if (values.empty()) return missing;
    if (!(values[i] > 0) || !std::isfinite(values[i]))
      fail(i, "the {} {} is not a finite number above 0; correct it", what, values[i]);
    return values[i];
  }

  FileFrame f_;
  const std::string& sides_;
  Configuration c_;
  LoadedFrame out_;
};

}  // namespace

bool Kinds::add(std::string_view name) {
  const auto at = std::find(names.begin(), names.end(), name);
  if (at == names.end() && names.size() == kMostKinds) return false;
  of.push_back(static_cast<std::uint32_t>(at - names.begin()));
  if (at == names.end()) names.emplace_back(name);
  return true;
}

std::vector<double> boxVectors(const std::vector<double>& v) {
  if (v.size() == 2) return {v[0], 0, 0, 0, v[1], 0, 0, 0, 1};
  if (v.size() == 3) return {v[0], 0, 0, 0, v[1], 0, 0, 0, v[2]};
  if (v.size() == 4) return {v[0], v[1], 0, v[2], v[3], 0, 0, 0, 1};
  if (v.size() == 6) return {v[0], 0, 0, v[3] * v[1], v[1], 0, v[4] * v[2], v[5] * v[2], v[2]};
  return v.size() == 9 ? v : std::vector<double>();
}

std::vector<double> parseSides(const std::string& text) {
  std::string spaced = text;
  const auto isJoint = [](char c) { return c == ',' || c == 'x'; };
  std::ranges::replace_if(spaced, isJoint, ' ');
  std::vector<double> sides;
  for (const std::string_view word : wordsOf(spaced)) sides.push_back(realOf(word).value_or(0));
  const std::ptrdiff_t joints = std::ranges::count_if(text, isJoint);
  if ((joints > 0 && joints + 1 != std::ssize(sides)) ||  // "12 x"
      !std::ranges::all_of(sides, [](double v) { return std::isfinite(v) && v > 0; }))
    sides.clear();
  if (sides.size() == 1) sides.assign(3, sides[0]);
  if (sides.size() != 2 && sides.size() != 3)
    throw InputError(
        "box '{}': allowed: one to three finite lengths above 0, for example \"12 8 9\"; two for a "
        "plane",
        text);
  return sides;
}

LoadedFrame settle(FileFrame frame, const std::string& sides) {
  return Settling(std::move(frame), sides).run();
}

}  // namespace cellscope::io
