// Moves of a hand as text, in the list of changes of a run.
#pragma once
#include <string>

#include "sim/api/hand.h"

namespace cellscope {

// "add 3 4.5 0 1.5 1": the act, where, radius and strength, numbers exact, and "+" behind it where
// it goes on. handMoveOf() throws InputError.
std::string handText(const HandMove& move);
HandMove handMoveOf(const std::string& text);

}  // namespace cellscope
