// Running mean of a correlated series with its standard error by blocking
// (Flyvbjerg and Petersen, J. Chem. Phys. 91, 461 (1989)). Memory grows with log2 of the length.
#pragma once
#include <cstdint>
#include <iosfwd>
#include <vector>

namespace cellscope {

class BlockAverage {
 public:
  // Level k: means of 2^k successive values.
  struct Level {
    std::uint64_t blocks = 0;
    double variance = 0;      // c0 of the block means about their own mean
    double error = 0;         // sqrt(c0 / (blocks - 1)); 0 below two blocks
    double errorOfError = 0;  // error / sqrt(2 (blocks - 1))
  };

  void add(double value);  // finite; NaN and infinity are not counted
  void reset();

  std::uint64_t count() const;
  double mean() const;      // NaN before the first value
  double variance() const;  // of single values (divisor n); NaN before the first value
  // Standard error of the mean: the error of the first level k whose blocks are long enough,
  // 2^(3k) > 2 n (e_k / e_0)^4 (Lee et al., Phys. Rev. E 83, 066706 (2011)), or that of a longer
  // level of at least 16 blocks whose error is larger by more than twice its own error. Where no
  // blocks are long enough, the largest error of the levels with at least 8 blocks (converged() is
  // then false: a lower bound). NaN below two values.
  double error() const;
  bool converged() const;
  std::vector<Level> levels() const;

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
  static double withSlowModes(const std::vector<Level>& all, std::size_t k);
  std::vector<Sums> sums_;
};

}  // namespace cellscope
