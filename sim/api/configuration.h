// A state as particles in a box: what trajectories hold and what modes take over.
#pragma once
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "sim/base/box.h"

namespace cellscope {

struct Species {
  std::string name = "X";  // one word of printable characters without quotes
  double diameter = 1;     // sigma
  double mass = 1;
  friend bool operator==(const Species&, const Species&) = default;
};

// n particles, in any order; n may be 0.
struct Configuration {
  Box box;
  std::vector<Species> species = std::vector<Species>(1);  // at least one
  std::vector<double> positions;                           // 3 n, in the box; z = 0 in 2D
  std::vector<double> velocities;                          // 3 n; empty: there are none
  std::vector<std::uint32_t> types;  // n, index into species; empty: all of species[0]
  std::vector<ParticleId> ids;       // n, unique
  // False: the file that it is from has none, so that those of `species` contradict nothing.
  bool hasDiameters = true, hasMasses = true;

  std::size_t size() const { return ids.size(); }
  std::uint32_t typeOf(std::size_t i) const { return types.empty() ? 0 : types[i]; }
  Vec3d place(std::size_t i) const {
    return {positions[3 * i], positions[3 * i + 1], positions[3 * i + 2]};
  }
  const Species& speciesOf(std::size_t i) const { return species[typeOf(i)]; }
  // Of all species.
  double largestDiameter() const {
    double largest = 0;
    for (const Species& s : species) largest = std::max(largest, s.diameter);
    return largest;
  }
};

// Ids of n particles that begin a run: 0 to n - 1.
std::vector<ParticleId> firstIds(std::size_t n);

// Throws InputError naming the particle or species and what is allowed: arrays whose sizes do not
// match, an impossible box, a position that is not finite or outside the box, an id that is
// negative or used twice, a type without a species, species without a name, with the same name or
// with an impossible diameter or mass. `what` begins the message.
void requireValid(const Configuration& c, const std::string& what = "configuration");

// Sides that differ from x by rounding (1e-9 of it) made equal to it; z is 1 in 2D.
Box withoutRounding(const Box& box);
// "side 12" of a cube or square, otherwise "shortest side y = 8 (12 x 8 x 9)".
std::string shortestSideInWords(const Box& box);

// The following throw InputError with the mode's key and what it takes.
void requireDimension(const Configuration& c, int dimension, const std::string& mode);
// The only species that particles belong to; the error names the first particle of another one.
const Species& onlySpecies(const Configuration& c, const std::string& mode);
// That there is only one, and that its diameter and mass are the units of the mode.
void requireReduced(const Configuration& c, const std::string& mode);
// Of each particle, which of two species of a mode has the name of its own. Diameter and mass must
// be the same; `key`: the parameter to set otherwise. system: the value of the key of this name.
std::vector<std::uint8_t> typesByName(const Configuration& c, const std::vector<Species>& known,
                                      const std::string& system, const std::string& key);

}  // namespace cellscope
