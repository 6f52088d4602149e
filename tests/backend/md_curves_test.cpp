// Histograms of speeds and pair distances, counted by the engines, against counting on the host.
#include <cmath>
#include <cstdlib>
#include <memory>

#include "tests/support/backend_test.h"
#include "tests/support/list_engines.h"

namespace cellscope {
namespace {

class MdCurves : public test::BackendTest {
 protected:
  // A GPU may round the last bit of a distance in another way, and put a pair on the edge of a bin
  // on its other side.
  long strays() const { return GetParam() == Backend::cuda ? 4 : 0; }
};

void put(std::vector<std::uint32_t>& counts, double x, double y, double z, double width) {
  const auto bin = static_cast<std::size_t>(std::sqrt(x * x + y * y + z * z) / width);
  if (bin < counts.size()) ++counts[bin];
}

CurveCounts countedOnHost(const MdState& s, const CurveRequest& q) {
  CurveCounts c{std::vector<std::uint32_t>(q.pairBins), std::vector<std::uint32_t>(q.speedBins)};
  const std::size_t n = s.position.size();
  for (const Vec3d& v : s.velocity)
    put(c.speeds, v.x - q.mean.x, v.y - q.mean.y, v.z - q.mean.z, q.speedBin);
  for (std::size_t k = 0; k < q.sources; ++k) {
    const std::size_t i = (q.first + k) % n;
    for (std::size_t j = 0; j < n; ++j) {
      if (j == i) continue;
      const Vec3d a = s.position[i], b = s.position[j];
      const Vec3d d = s.box.minimumImage({a.x - b.x, a.y - b.y, a.z - b.z});
      put(c.pairs, d.x, d.y, d.z, q.pairBin);
    }
  }
  return c;
}

long moved(const std::vector<std::uint32_t>& a, const std::vector<std::uint32_t>& b) {
  if (a.size() != b.size()) return -1;
  long sum = 0;
  for (std::size_t k = 0; k < a.size(); ++k)
    sum += std::labs(static_cast<long>(a[k]) - static_cast<long>(b[k]));
  return sum;
}

TEST_P(MdCurves, AreThoseOfCountingOnTheHost) {
  for (const bool lists : {false, true}) {
    SCOPED_TRACE(lists ? "lists" : "all pairs");
    const std::unique_ptr<MdEngine> engine = lists ? makeVerlet(exec()) : makeAllPairs(exec());
    engine->setPair({});
    engine->upload(test::shakenLiquid(500));
    engine->forces();
    engine->run(0.004, 0, 20, {});  // lists have changed the order of storage
    const MdState s = engine->download();
    for (const std::size_t sources : {1, 37, 500}) {
      CurveRequest q;
      q.first = 490, q.sources = sources;  // round the end, and all
      q.pairBins = 120, q.pairBin = 0.025, q.speedBins = 40, q.speedBin = 0.1;
      q.mean = {0.1, -0.2, 0.05};
      const CurveCounts counted = engine->curveCounts(q), expected = countedOnHost(s, q);
      const long pairs = moved(counted.pairs, expected.pairs);
      const long speeds = moved(counted.speeds, expected.speeds);
      EXPECT_TRUE(pairs >= 0 && pairs <= strays()) << pairs;
      EXPECT_TRUE(speeds >= 0 && speeds <= strays()) << speeds;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Each, MdCurves, test::kBackends, test::nameOfBackend);

}  // namespace
}  // namespace cellscope
