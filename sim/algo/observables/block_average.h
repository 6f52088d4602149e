// Running mean of a correlated series with its standard error by blocking
// (Flyvbjerg and Petersen, J. Chem. Phys. 91, 461 (1989)). Memory grows with log2 of the length.
//
// Successive values that belong together make the error e_k of the mean, estimated from blocks of
// 2^k values, too small. A block is long enough when no longer one contradicts it: no e_j^2 is
// larger than e_k^2 by two standard deviations, or smaller by three, the relative variance of their
// difference being 2 (1/n_j - 1/n_k) with n blocks each. Asking all longer blocks, not the next
// alone, finds slow fluctuations of small amplitude under much quick noise, which carry most of the
// error of a long series. What blocks of finite length leave out falls with 1/length; 2 e_k^2 -
// e_(k-1)^2 is free of it (the lugsail estimate: Vats and Flegal, Biometrika 109, 735 (2022)).
#pragma once
#include <cstddef>
#include <cstdint>
#include <iosfwd>
#include <vector>

namespace cellscope {

class BlockAverage {
 public:
  // Level k: means of 2^k successive values.
  struct Level {
    std::uint64_t blocks = 0;
    double variance = 0;  // c0 of the block means about their own mean
    double error = 0;     // sqrt(c0 / (blocks - 1)); 0 below two blocks
  };

  void add(double value);  // finite; NaN and infinity are not counted
  void reset();

  std::uint64_t count() const;
  double mean() const;      // NaN before the first value
  double variance() const;  // of single values (divisor n); NaN before the first value
  // Standard error of the mean, from the shortest blocks that are long enough, as judged
  // by longer blocks of which there are at least 8. NaN below two values. Of independent values it
  // is 3 % too large on average, because some of their longer blocks differ by chance.
  double error() const;
  // Whether at least 32 blocks are long enough. Otherwise the series is too short to know its
  // error, and error() rather a lower bound. False for 3 of 100 series of independent values. True
  // does not cover fluctuations that the series holds fewer than some twenty times.
  bool converged() const;
  std::vector<Level> levels() const;
  std::size_t bytes() const { return sums_.capacity() * sizeof(Sums); }  // on the heap

  // Binary state, bit for bit. load throws InputError when the data are damaged.
  void save(std::ostream& out) const;
  void load(std::istream& in);

 private:
  struct Sums {
    std::uint64_t blocks = 0;
    double mean = 0, squares = 0;  // Welford: sum of squared deviations
    double pending = 0;            // first half of the next pair
    bool hasPending = false;
  };
  struct Choice {
    double error;
    bool converged;
  };
  Choice choose() const;
  std::vector<Sums> sums_;
};

}  // namespace cellscope
