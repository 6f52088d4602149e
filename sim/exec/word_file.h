// Files in which Linux describes itself: pairs of words and numbers, limits and what is used.
#pragma once
#include <cstddef>
#include <fstream>
#include <string>

namespace cellscope::exec {

// Number after a word that begins a line; 0 where there is none.
inline std::size_t numberBehind(const std::string& file, const std::string& wanted) {
  std::ifstream in(file);
  std::string rest;
  for (std::string word; in >> word; std::getline(in, rest))
    if (std::size_t number = 0; word == wanted && in >> number) return number;
  return 0;
}

// What is left of a limit.
inline std::size_t difference(std::size_t limit, std::size_t used) {
  return limit > used ? limit - used : 0;
}

}  // namespace cellscope::exec
