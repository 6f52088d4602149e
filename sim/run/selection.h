// Particles by an expression:
//
//     type == B && speed > 2       also id, x, y, z, vx, vy, vz; <, >=, <=, !=; ||, parentheses
//     list of 109                  in the neighbour list of the particle
//     cell (3, 4), cell of 109     in a cell of the method, or in that of a particle
//     within 2 of 109              to the nearest image, sigma; without the particle itself
//
// && binds more tightly than ||.
#pragma once
#include <string>
#include <vector>

#include "sim/api/mode.h"
#include "sim/base/particle_id.h"

namespace cellscope {

inline constexpr const char* kSelections =
    "type == NAME, id, x, y, z, vx, vy, vz or speed > NUMBER (or <, >=, <=, ==, !=), list of ID, "
    "cell (X, Y), cell of ID, within R of ID, joined by && and || and in parentheses";

// Whether each particle of the configuration is selected, in its order. Throws InputError: what is
// wrong and what may stand there.
std::vector<bool> selectionOf(Mode& mode, const Configuration& all, const std::string& text);

// Adds a layer of rings around those selected, with their number in its legend, and returns it.
std::size_t addSelection(Mode& mode, Frame& frame, const std::string& text);

// Words and signs of what a person types: conditions (breakpoints.h) and selections.
class Words {
 public:
  // Signs of comparison, "&&", "||", parentheses and commas stand alone; words that add nothing
  // ("of", "the", "is") are left out.
  explicit Words(const std::string& text);

  bool atEnd() const { return next_ == all_.size(); }
  bool nextIs(const std::string& word) const { return !atEnd() && all_[next_] == word; }
  bool skip(const std::string& word);  // true: it was the next one
  // The following throw InputError: what is missing, or what may stand there.
  std::string take(const std::string& what);
  void expect(const std::string& word);
  void requireEnd(const std::string& allowed) const;
  double number(const std::string& what);
  ParticleId id();
  // ">", "<", ">=", "<=", "==" or "!="; `also`: another word that may stand there.
  std::string sign(const std::string& also = "");

 private:
  std::vector<std::string> all_;
  std::size_t next_ = 0;
};

// By one of the signs; nothing compares to NaN.
bool compares(double x, const std::string& sign, double to);

}  // namespace cellscope
