// Particles coloured by the number of others within the cutoff, by methods that have no lists:
// against a count over all pairs.
#include <gtest/gtest.h>

#include <cmath>

#include "sim/exec/memory.h"
#include "sim/layers/layers.h"
#include "tests/support/backend_test.h"
#include "tests/support/md_modes.h"

namespace cellscope {
namespace {

class NearCounts : public test::BackendTest {};

std::vector<float> drawnNeighbours(MdMode& m) {
  ViewRequest view;
  view.layers = {layers::kParticles};
  view.colouring = "neighbours";
  const LayerData layer = m.frame(view)->layers.at(0);
  EXPECT_EQ(layer.scale.title, "within the cutoff");
  std::vector<PointInstance> points(layer.buffer->bytes() / sizeof(PointInstance));
  layer.buffer->copyTo(points.data(), MemorySpace::host);
  std::vector<float> values;
  for (const PointInstance& p : points) values.push_back(p.value);
  return values;
}

std::vector<float> countedNeighbours(const Configuration& c, double (&cutoff)[2][2]) {
  std::vector<float> counts(c.size(), 0);
  for (std::size_t i = 0; i < c.size(); ++i)
    for (std::size_t j = 0; j < c.size(); ++j) {
      const double* const p = c.positions.data();
      const Vec3d d = c.box.minimumImage(
          {p[3 * i] - p[3 * j], p[3 * i + 1] - p[3 * j + 1], p[3 * i + 2] - p[3 * j + 2]});
      const double r = std::sqrt(d.x * d.x + d.y * d.y + d.z * d.z);
      if (i != j && r <= cutoff[c.typeOf(i)][c.typeOf(j)]) ++counts[i];
    }
  return counts;
}

TEST_P(NearCounts, AreThoseOfAllPairs) {
  for (const char* method : {"all_pairs", "placeholder_cells"})
    for (const bool binary : {false, true})
      for (const char* dimension : {"2", "3"}) {
        MdMode m({GetParam(), 2, 0});
        test::set(m, "dimension", test::word(dimension));
        test::set(m, "n", std::int64_t{700});
        test::set(m, "density", 0.6);
        test::set(m, "cutoff", 2.5);
        test::set(m, "cutoff_b", 1.5);
        test::set(m, "method", test::word(method));
        if (binary) test::set(m, "system", test::word("binary"));
        if (binary) test::set(m, "fraction_b", 0.4);
        m.restart();
        m.advance(20);
        double cutoff[2][2] = {{2.5, 2.0}, {2.0, 1.5}};
        const std::vector<float> drawn = drawnNeighbours(m),
                                 right = countedNeighbours(m.configuration(), cutoff);
        ASSERT_EQ(drawn.size(), right.size());
        std::size_t differ = 0;
        float most = 0;
        for (std::size_t i = 0; i < right.size(); ++i)
          differ += drawn[i] != right[i], most = std::max(most, right[i]);
        EXPECT_LE(differ, 2u) << method << ": more than rounding at the cutoff explains";
        EXPECT_GT(most, 8) << method;
      }
}

INSTANTIATE_TEST_SUITE_P(Each, NearCounts, test::kBackends, test::nameOfBackend);

}  // namespace
}  // namespace cellscope
