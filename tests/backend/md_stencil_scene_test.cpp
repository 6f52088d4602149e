// What is seen of the search of a mixture: cells that are skipped and why, and distance checks of
// every method, both against plain geometry; on each backend.
#include <array>
#include <map>

#include "sim/layers/layers.h"
#include "tests/support/backend_test.h"
#include "tests/support/gcmc_modes.h"
#include "tests/support/md_frames.h"
#include "tests/support/md_modes.h"

namespace cellscope::test {
namespace {

using layers::SearchedPart;

constexpr double kOfA = 1.5, kOfB = 4.5;

class MdStencilScene : public BackendTest {
 protected:
  // Lists are built in every step: they are those of the positions as they are.
  std::unique_ptr<MdMode> mode(const char* dimension, const char* method) const {
    auto m =
        startedMd(config(), fmt::format("system=binary n=2000 density=0.5 fraction_b=0.2 cutoff={} "
                                        "cutoff_b={} buffer=0 dimension={} method={}",
                                        kOfA, kOfB, dimension, method));
    m->advance(5);
    return m;
  }
};

double pairReach(std::uint8_t a, std::uint8_t b) {
  return a == b ? (a == 0 ? kOfA : kOfB) : 0.5 * (kOfA + kOfB);
}

// Equal cells no narrower than `least`.
struct PlainGrid {
  const Box& box;
  std::int64_t cells;
  double width;
  PlainGrid(const Box& of, double least)
      : box(of),
        cells(static_cast<std::int64_t>(std::floor(of.length[0] / (least * (1 + 1e-5))))),
        width(of.length[0] / static_cast<double>(cells)) {}
  std::int64_t along(double x) const {
    return std::min(cells - 1, static_cast<std::int64_t>(std::floor(x / width)));
  }
  // Least distance of points in two cells of one axis, of its nearest images.
  double gap(std::int64_t a, std::int64_t b) const {
    const std::int64_t apart = std::abs(a - b), round = std::min(apart, cells - apart);
    return static_cast<double>(std::max<std::int64_t>(0, round - 1)) * width;
  }
};

ViewRequest searchViewOf(ParticleId picked) {
  return viewOf({layers::kSearched, layers::kSearchedLabels, layers::kNeighbours}, picked);
}

TEST_P(MdStencilScene, SkippedCellsSayWhy) {
  for (const char* dimension : {"2", "3"}) {
    const auto m = mode(dimension, "stencils");
    const Configuration c = m->configuration();
    const PlainGrid grid(c.box, kOfA);
    int whole = 0, partly = 0;
    for (const std::size_t i : {std::size_t{3}, std::size_t{700}, std::size_t{1999}}) {
      const std::uint8_t mine = static_cast<std::uint8_t>(c.types[i]);
      const auto frame = m->frame(searchViewOf(c.ids[i]));
      std::map<std::array<float, 3>, std::string> said;
      for (const LayerData& layer : frame->layers)
        if (layer.key == layers::kSearchedLabels)
          for (const auto& l : drawnItems<LabelInstance>(layer))
            said[{l.at[0], l.at[1], l.at[2]}] = l.text;
      std::size_t labels = 0;
      const auto boxes = drawnItems<BoxInstance>(layerNamed(*frame, layers::kSearched));
      ASSERT_FALSE(boxes.empty());
      for (const BoxInstance& b : boxes) {
        double square = 0;
        for (int a = 0; a < c.box.dimension; ++a) {
          const auto middle = 0.5 * (static_cast<double>(b.lo[a]) + static_cast<double>(b.hi[a]));
          const double gap = grid.gap(grid.along(c.positions[3 * i + static_cast<std::size_t>(a)]),
                                      grid.along(middle));
          square += gap * gap;
        }
        const double distance = std::sqrt(square);
        const bool skipsA = distance > pairReach(mine, 0), skipsB = distance > pairReach(mine, 1);
        EXPECT_EQ(b.value == static_cast<float>(SearchedPart::skipped), skipsA && skipsB)
            << distance;
        const auto label = said.find(
            {0.5f * (b.lo[0] + b.hi[0]), 0.5f * (b.lo[1] + b.hi[1]), 0.5f * (b.lo[2] + b.hi[2])});
        ASSERT_EQ(label != said.end(), skipsA || skipsB) << distance;
        if (label == said.end()) continue;
        ++labels;
        ++(skipsA && skipsB ? whole : partly);
        const std::string of = fmt::format("{:.3g} > {:.3g}", distance,
                                           skipsA ? pairReach(mine, 0) : pairReach(mine, 1));
        EXPECT_NE(label->second.find(of), std::string::npos) << label->second << ", not " << of;
      }
      EXPECT_EQ(labels, said.size());
    }
    EXPECT_TRUE(whole > 0 || *dimension == '2') << "the corners";
    EXPECT_GT(partly, 0) << dimension;
  }
}

// Cells: all others in the cells around it, whatever their type. Stencils: those of each type in
// the cells that may hold some within the reach of the pair.
TEST_P(MdStencilScene, DistanceChecksAreThoseOfPlainGeometry) {
  for (const char* dimension : {"2", "3"}) {
    const auto m = mode(dimension, "tree");
    const Configuration c = m->configuration();
    const PlainGrid wide(c.box, kOfB), narrow(c.box, kOfA);
    for (const std::size_t i : {std::size_t{3}, std::size_t{700}, std::size_t{1999}}) {
      m->frame(searchViewOf(c.ids[i]));
      const std::uint8_t mine = static_cast<std::uint8_t>(c.types[i]);
      double inCells = -1, inStencil = -1, listed = 0;
      for (std::size_t j = 0; j < c.size(); ++j) {
        bool next = true;
        double square = 0, r2 = 0;
        for (std::size_t a = 0; a < static_cast<std::size_t>(c.box.dimension); ++a) {
          const double x = c.positions[3 * i + a], y = c.positions[3 * j + a];
          next = next && !(wide.gap(wide.along(x), wide.along(y)) > 0);
          const double gap = narrow.gap(narrow.along(x), narrow.along(y));
          square += gap * gap;
          const double d = std::remainder(x - y, c.box.length[a]);
          r2 += d * d;
        }
        const double reach = pairReach(mine, static_cast<std::uint8_t>(c.types[j]));
        inCells += next;
        inStencil += std::sqrt(square) <= reach;
        listed += j != i && r2 <= reach * reach;
      }
      const Curve curve = curveOf(*m, "checks");
      ASSERT_EQ(curve.x.names.at(1), "lists from cells");
      const std::vector<double>& checks = curve.series.at(0).y;
      EXPECT_EQ(checks.at(0), static_cast<double>(c.size() - 1));
      EXPECT_NEAR(checks.at(1), inCells, 1) << "a particle at the edge of a cell";
      EXPECT_NEAR(checks.at(2), inStencil, 1);
      EXPECT_GE(checks.at(3), listed);
      EXPECT_LT(checks.at(3), static_cast<double>(c.size() - 1));
      EXPECT_NEAR(curve.series.at(2).y.at(3), listed, 1);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Each, MdStencilScene, kBackends, nameOfBackend);

}  // namespace
}  // namespace cellscope::test
