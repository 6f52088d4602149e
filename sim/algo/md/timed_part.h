// Parts of the work of a method of molecular dynamics, ordered by themselves to see where the time
// goes.
#pragma once

namespace cellscope {

enum class TimedPart {
  sorted,    // of a list build: particles in order, in cells or in trees; no search
  walked,    // with a search through cells or nodes that computes no distances
  built,     // a whole list build
  partners,  // of a force pass: list, tiles or slots are gone through, and nothing else is read
  records,   // with the positions of the partners, and no arithmetic
  forces     // a whole force pass
};

}  // namespace cellscope
