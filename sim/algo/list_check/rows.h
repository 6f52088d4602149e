// The entries of a list by particle, to be looked up.
#pragma once
#include <cstdint>
#include <utility>
#include <vector>

#include "sim/algo/list_check/lattice.h"

namespace cellscope::list_check {

struct Entry {
  std::uint32_t j;
  Shift s;
  std::pair<std::uint32_t, Shift> key() const { return {j, s}; }
  bool operator<(const Entry& o) const { return key() < o.key(); }
};

inline Shift negative(const Shift& s) { return {-s[0], -s[1], -s[2]}; }
// Of the two directions of a pair, the one in which half lists are compared.
inline bool isFirst(std::uint32_t i, const Entry& e) {
  return i < e.j || (i == e.j && e.s > Shift{});
}

class Rows {
 public:
  // Numbers of entries that name no particle are appended to `outOfRange`.
  Rows(const PairList& list, std::vector<std::size_t>& outOfRange);
  void toHalf();  // each entry at the first particle of its pair
  std::pair<const Entry*, const Entry*> row(std::size_t i) const {
    return {all_.data() + first_[i], all_.data() + first_[i + 1]};
  }
  std::size_t count(std::size_t i, const Entry& e) const;
  // Of entries with two particles: how many stand there in the other direction as well.
  double shareWithReverse() const;

 private:
  struct Pair {
    std::uint32_t i;
    Entry e;
  };
  void sort(const std::vector<Pair>& pairs);

  std::size_t n_;
  std::vector<std::uint64_t> first_;
  std::vector<Entry> all_;
};

}  // namespace cellscope::list_check
