#include "tests/support/pair_forces.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

namespace cellscope::test {

double deviation(const std::vector<PairSums>& a, const std::vector<PairSums>& b) {
  EXPECT_EQ(a.size(), b.size());
  double worst = 0, square = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    const double d = std::max(
        {std::abs(a[i].fx - b[i].fx), std::abs(a[i].fy - b[i].fy), std::abs(a[i].fz - b[i].fz)});
    worst = d > worst || std::isnan(d) ? d : worst;
    square += a[i].fx * a[i].fx + a[i].fy * a[i].fy + a[i].fz * a[i].fz;
  }
  return worst / std::max(1.0, std::sqrt(square / static_cast<double>(a.size())));
}

}  // namespace cellscope::test
