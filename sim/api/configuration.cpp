#include "sim/api/configuration.h"

#include <fmt/format.h>

#include <cmath>
#include <numeric>
#include <set>
#include <string_view>

#include "sim/base/error.h"

namespace cellscope {
namespace {

// Throws InputError; what: what is read.
template <class... Args>
[[noreturn]] void refuse(const std::string& what, fmt::format_string<Args...> why,
                         Args&&... values) {
  throw InputError("{}: {}", what, fmt::format(why, std::forward<Args>(values)...));
}
[[noreturn]] void refuseTwice(const std::string& what, ParticleId id) {
  refuse(what,
         "id {} appears twice; every id must appear once; renumber the particles or leave out the "
         "ids",
         id);
}

void checkSizes(const Configuration& c, const std::string& what) {
  const std::size_t n = c.ids.size();
  const auto matches = [n](std::size_t size, std::size_t each) {
    return size == 0 || size == each * n;
  };
  if (c.positions.size() != 3 * n || !matches(c.velocities.size(), 3) ||
      !matches(c.types.size(), 1))
    refuse(
        what,
        "{} particles need {} coordinates; it has {} of positions, {} of velocities and {} types",
        n, 3 * n, c.positions.size(), c.velocities.size(), c.types.size());
}

void checkBox(const Configuration& c, const std::string& what) {
  const Box& box = c.box;
  if (box.dimension != 2 && box.dimension != 3)
    refuse(what, "its box has {} dimensions; allowed: 2 or 3", box.dimension);
  for (int a = 0; a < box.dimension; ++a)
    if (!(box.length[a] > 0) || !std::isfinite(box.length[a]))
      refuse(what, "its box is {} long in {}; allowed: finite lengths above 0", box.length[a],
             "xyz"[a]);
}

void checkSpecies(const Configuration& c, const std::string& what) {
  const std::vector<Species>& all = c.species;
  std::set<std::string_view> names;
  if (all.empty()) refuse(what, "it has no species");
  for (std::size_t s = 0; s < all.size(); ++s) {
    const auto& [name, diameter, mass] = all[s];
    if (name.empty()) refuse(what, "species {} has no name", s);
    if (name.find_first_of(" \t\r\n\"") != name.npos)
      refuse(what, "species name '{}' is not one word without quotes", name);
    if (!(diameter > 0) || !std::isfinite(diameter) || !(mass > 0) || !std::isfinite(mass))
      refuse(what, "species '{}' has diameter {} and mass {}; allowed: finite values above 0", name,
             diameter, mass);
    if (!names.insert(name).second) refuse(what, "two species are named '{}'", name);
  }
}

void checkParticle(const Configuration& c, std::size_t i, const std::string& what) {
  const ParticleId id = c.ids[i];
  for (std::size_t a = 0; a < 3; ++a) {
    const char axis = "xyz"[a];
    const double v = c.positions[3 * i + a], length = c.box.length[a];
    const bool flat = static_cast<int>(a) >= c.box.dimension;
    if (flat && v != 0) refuse(what, "particle {} has z = {}; in 2D it must be 0", id, v);
    if (!flat && !(v >= 0 && v < length))
      refuse(what, "particle {} has {} = {}, outside the box; allowed: 0 <= {} < {}", id, axis, v,
             axis, length);
    if (!c.velocities.empty() && !std::isfinite(c.velocities[3 * i + a]))
      refuse(what, "the velocity of particle {} is not finite", id);
  }
  if (c.typeOf(i) >= c.species.size())
    refuse(what, "particle {} is of type {}; allowed: 0 to {}", id, c.typeOf(i),
           c.species.size() - 1);
}

void checkIds(const Configuration& c, const std::string& what) {
  ParticleId largest = 0;
  for (const ParticleId id : c.ids) {
    if (id < 0) refuse(what, "id {} is negative; ids are whole numbers from 0", id);
    largest = std::max(largest, id);
  }
  // A bit for every possible id takes less memory than a sorted copy.
  if (static_cast<std::size_t>(largest) < 64 * c.size()) {
    std::vector<bool> seen(static_cast<std::size_t>(largest) + 1);
    for (const ParticleId id : c.ids) {
      if (seen[static_cast<std::size_t>(id)]) refuseTwice(what, id);
      seen[static_cast<std::size_t>(id)] = true;
    }
    return;
  }
  std::vector<ParticleId> sorted = c.ids;
  std::sort(sorted.begin(), sorted.end());
  const auto twice = std::adjacent_find(sorted.begin(), sorted.end());
  if (twice != sorted.end()) refuseTwice(what, *twice);
}

}  // namespace

std::vector<ParticleId> firstIds(std::size_t n) {
  std::vector<ParticleId> ids(n);
  std::iota(ids.begin(), ids.end(), ParticleId{0});
  return ids;
}

void requireValid(const Configuration& c, const std::string& what) {
  checkSizes(c, what);
  checkBox(c, what);
  checkSpecies(c, what);
  for (std::size_t i = 0; i < c.size(); ++i) checkParticle(c, i, what);
  checkIds(c, what);
}

Box withoutRounding(const Box& box) {
  Box even = box;
  for (int a = 1; a < 3; ++a)
    if (a >= box.dimension)
      even.length[a] = 1;
    else if (std::abs(box.length[a] - box.length[0]) <= 1e-9 * box.length[0])
      even.length[a] = box.length[0];
  return even;
}

std::string shortestSideInWords(const Box& box) {
  const double* const l = box.length;
  const double least = box.shortest(), most = *std::max_element(l, l + box.dimension);
  if (least == most) return fmt::format("side {:.4g}", least);
  const auto axis = std::find(l, l + box.dimension, least) - l;
  return fmt::format("shortest side {} = {:.4g} ({:.4g} x {:.4g}{})", "xyz"[axis], least, l[0],
                     l[1], box.dimension == 3 ? fmt::format(" x {:.4g}", l[2]) : "");
}

void requireDimension(const Configuration& c, int dimension, const std::string& mode) {
  const auto word = [](int d) { return d == 2 ? "two" : "three"; };
  if (c.box.dimension != dimension)
    throw InputError(
        "configuration: it has {} dimensions; mode '{}' needs a configuration in {} dimensions{}",
        word(c.box.dimension), mode, word(dimension),
        dimension == 2
            ? "; a plane has pbc=\"T T F\" in its file, or is named by two sides in --box"
            : "");
}

const Species& onlySpecies(const Configuration& c, const std::string& mode) {
  if (c.size() == 0) return c.species[0];
  const auto words = [](const Species& s) {
    return fmt::format("'{}' (diameter {}, mass {})", s.name, s.diameter, s.mass);
  };
  for (std::size_t i = 1; i < c.size(); ++i)
    if (c.typeOf(i) != c.typeOf(0))
      throw InputError(
          "configuration: particle {} is of species {}, particle {} of {}; mode '{}' takes one "
          "species",
          c.ids[0], words(c.speciesOf(0)), c.ids[i], words(c.speciesOf(i)), mode);
  return c.speciesOf(0);
}

void requireReduced(const Configuration& c, const std::string& mode) {
  const Species* s = nullptr;
  try {
    s = &onlySpecies(c, mode);
  } catch (const InputError& e) {
    throw InputError(std::string(e.what()) +
                     " with system = pure; use system = binary, whose species are called A and B, "
                     "or a file of one species");
  }
  if (s->diameter != 1 || s->mass != 1)
    throw InputError(
        "configuration: species '{}' has diameter {} and mass {}; mode '{}' takes diameter 1 "
        "(radius 0.5) and mass 1, its units",
        s->name, s->diameter, s->mass, mode);
}

std::vector<std::uint8_t> typesByName(const Configuration& c, const std::vector<Species>& known,
                                      const std::string& system, const std::string& key) {
  const auto differ = [](double a, double b) { return std::abs(a - b) > 1e-6 * b; };
  std::vector<std::uint8_t> types;
  for (std::size_t i = 0; i < c.size(); ++i) {
    const Species& s = c.speciesOf(i);
    const std::size_t t = s.name == known[1].name ? 1 : 0;
    if (s.name != known[t].name)
      throw InputError(
          "configuration: particle {} is of species '{}', which is unknown: system = {} has '{}' "
          "and '{}'; rename the species, or set system = pure for a file of one",
          c.ids[i], s.name, system, known[0].name, known[1].name);
    if ((c.hasDiameters && differ(s.diameter, known[t].diameter)) ||
        (c.hasMasses && differ(s.mass, known[t].mass)))
      throw InputError(
          "configuration: species '{}' has diameter {:g} and mass {:g}, but with these parameters "
          "diameter {:g} and mass {:g}; set {} to that of the file",
          s.name, s.diameter, s.mass, known[t].diameter, known[t].mass, key);
    types.push_back(static_cast<std::uint8_t>(t));
  }
  return types;
}

}  // namespace cellscope
