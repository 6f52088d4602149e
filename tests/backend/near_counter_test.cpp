// Particles coloured by the number of others within the cutoff, by methods that have no lists:
// against a count over all pairs.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "sim/layers/layers.h"
#include "tests/support/backend_test.h"
#include "tests/support/md_frames.h"
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
  std::vector<float> values;
  for (const auto& p : test::drawnItems<PointInstance>(layer)) values.push_back(p.value);
  return values;
}

std::vector<float> countedNeighbours(const Configuration& c, double (&cutoff)[2][2]) {
  std::vector<float> counts(c.size(), 0);
  for (std::size_t i = 0; i < c.size(); ++i)
    for (std::size_t j = 0; j < c.size(); ++j)
      if (i != j && test::distanceBetween(c, i, j) <= cutoff[c.typeOf(i)][c.typeOf(j)]) ++counts[i];
  return counts;
}

TEST_P(NearCounts, AreThoseOfAllPairs) {
  for (const char* method : {"all_pairs", "placeholder_cells"})
    for (const bool binary : {false, true})
      for (const char* dimension : {"2", "3"}) {
        const auto m = test::startedMd(
            config(), fmt::format("dimension={} n=700 density=0.6 cutoff=2.5 cutoff_b=1.5 "
                                  "method={} {}",
                                  dimension, method, binary ? "system=binary fraction_b=0.4" : ""));
        m->advance(20);
        double cutoff[2][2] = {{2.5, 2.0}, {2.0, 1.5}};
        const std::vector<float> drawn = drawnNeighbours(*m),
                                 right = countedNeighbours(m->configuration(), cutoff);
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
