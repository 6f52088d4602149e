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

namespace cellscope {

inline constexpr const char* kSelections =
    "type == NAME, id, x, y, z, vx, vy, vz or speed > NUMBER (or <, >=, <=, ==, !=), list of ID, "
    "cell (X, Y), cell of ID, within R of ID, joined by && and || and in parentheses";

// Whether each particle of the configuration is selected, in its order. Throws InputError: what is
// wrong and what may stand there.
std::vector<bool> selectionOf(Mode& mode, const Configuration& all, const std::string& text);

// Adds a layer of rings around those selected, with their number in its legend, and returns it.
std::size_t addSelection(Mode& mode, Frame& frame, const std::string& text);

}  // namespace cellscope
