// What is seen of clusters: their boxes, the list that the picked particle's cluster shares, and
// how many of the computed pairs lie within the cutoff; on each backend.
// What is seen of the search of a mixture: cells that are skipped and why, and distance checks of
// every method, both against plain geometry; on each backend.
#include "tests/support/backend_test.h"
#include "tests/support/gcmc_modes.h"
#include "tests/support/md_modes.h"

namespace cellscope::test {
namespace {

constexpr std::int64_t kInClusters = 502;  // the last cluster has fewer
constexpr double kClusterCutoff = 2.0, kClusterBuffer = 0.3;
constexpr std::size_t kClusterSlots = 4;
using ScenePoint = std::array<float, 3>;

BACKEND_TESTS(MdClusterScene);

std::unique_ptr<MdMode> inClusters(const ExecConfig& config, const char* method,
                                   const char* dimension = "3") {
  return startedMd(
      config, fmt::format("dimension={} n={} density=0.5 cutoff={} buffer={} method={}", dimension,
                          kInClusters, kClusterCutoff, kClusterBuffer, method));
}
// By slot, at the last list build: at step 0 as they are.
std::vector<ScenePoint> slotsInOrder(MdMode& m) {
  const auto lines = framedItems<LineInstance>(m, layers::kCurve);
  std::vector<ScenePoint> all;
  for (const LineInstance& l : lines) all.push_back({l.a[0], l.a[1], l.a[2]});
  all.push_back({lines.back().b[0], lines.back().b[1], lines.back().b[2]});
  return all;
}

float nearestDifference(float d, double length) {
  return d - static_cast<float>(length * std::round(static_cast<double>(d) / length));
}
double distanceIn(const ScenePoint& p, const ScenePoint& q, const Box& box) {
  double sum = 0;
  for (int a = 0; a < box.dimension; ++a) {
    const double d = static_cast<double>(p[static_cast<std::size_t>(a)]) -
                     static_cast<double>(q[static_cast<std::size_t>(a)]);
    const double n = d - box.length[a] * std::round(d / box.length[a]);
    sum += n * n;
  }
  return std::sqrt(sum);
}
// Pairs of a row of slots with any particle, within the cutoff.
std::size_t pairsOfCluster(const std::vector<ScenePoint>& at, std::size_t row, const Box& box) {
  std::size_t within = 0;
  for (std::size_t i = row * kClusterSlots; i < std::min((row + 1) * kClusterSlots, at.size()); ++i)
    for (std::size_t j = 0; j < at.size(); ++j)
      within += i != j && distanceIn(at[i], at[j], box) < kClusterCutoff ? 1 : 0;
  return within;
}

TEST_P(MdClusterScene, ABoxStandsAroundTheParticlesOfEachCluster) {
  for (const char* dimension : {"2", "3"}) {
    const auto m = inClusters(config(), "clusters", dimension);
    const auto frame = framed(*m, layers::kClusters);
    const auto boxes = drawnItems<BoxInstance>(layerNamed(*frame, layers::kClusters));
    const std::vector<ScenePoint> at = slotsInOrder(*m);
    ASSERT_EQ(at.size(), static_cast<std::size_t>(kInClusters));
    ASSERT_EQ(boxes.size(), (at.size() + kClusterSlots - 1) / kClusterSlots);
    for (std::size_t row = 0; row < boxes.size(); ++row)
      for (std::size_t a = 0; a < 3; ++a) {
        const float from = at[row * kClusterSlots][a];
        float lo = from, hi = from;
        for (std::size_t i = row * kClusterSlots;
             i < std::min((row + 1) * kClusterSlots, at.size()); ++i) {
          const float x = from + (static_cast<int>(a) < frame->box.dimension
                                      ? nearestDifference(at[i][a] - from, frame->box.length[a])
                                      : 0.0f);
          lo = std::min(lo, x), hi = std::max(hi, x);
        }
        EXPECT_NEAR(boxes[row].lo[a], lo, 1e-5) << row;
        EXPECT_NEAR(boxes[row].hi[a], hi, 1e-5) << row;
      }
  }
}

TEST_P(MdClusterScene, TheListOfThePickedParticlesClusterIsToldAndDrawn) {
  const auto m = inClusters(config(), "clusters");
  const std::vector<ScenePoint> at = slotsInOrder(*m);
  const auto boxes = framedItems<BoxInstance>(*m, layers::kClusters);
  for (const ParticleId id : {ParticleId{0}, ParticleId{251}, ParticleId{501}}) {
    const auto frame = m->frame({{layers::kClusterList, layers::kNeighbours}, "", id});
    std::size_t first = 0, last = 0, listed = 0, computed = 0, within = 0;
    ASSERT_EQ(std::sscanf(cardRow(*frame, "cluster").c_str(), "slots %zu to %zu", &first, &last),
              2);
    ASSERT_EQ(std::sscanf(cardRow(*frame, "list of the cluster").c_str(), "%zu", &listed), 1);
    ASSERT_EQ(std::sscanf(cardRow(*frame, "pairs of the cluster").c_str(),
                          "%zu computed, %zu within", &computed, &within),
              2);
    const std::size_t row = first / kClusterSlots;
    EXPECT_EQ(first % kClusterSlots, 0u);
    EXPECT_EQ(computed, listed * (last - first + 1));
    EXPECT_EQ(within, pairsOfCluster(at, row, frame->box));
    EXPECT_NEAR(boxes[row].value,
                100.0 * static_cast<double>(within) / static_cast<double>(computed), 1e-3);
    // Rings: every particle of the list but the picked one, with the pairs of each.
    const auto rings = drawnItems<PointInstance>(layerNamed(*frame, layers::kClusterPartners));
    EXPECT_EQ(rings.size(), listed - 1);
    double sum = 0;
    for (const PointInstance& p : rings) {
      EXPECT_LE(p.value, static_cast<float>(kClusterSlots));
      sum += static_cast<double>(p.value);
    }
    const ScenePoint own{frame->picked.position[0], frame->picked.position[1],
                         frame->picked.position[2]};
    std::size_t ofOwn = 0, mine = 0;
    for (std::size_t i = 0; i < at.size(); ++i) {
      const double d = distanceIn(at[i], own, frame->box);
      if (!(d > 0 && d < kClusterCutoff)) continue;
      ++mine;
      ofOwn += first <= i && i <= last;
    }
    EXPECT_EQ(static_cast<std::size_t>(sum) + ofOwn, within);
    // Lines: the same list by what it is to the picked particle.
    std::array<std::size_t, 3> parts{};
    for (const auto& l : drawnItems<LineInstance>(layerNamed(*frame, layers::kNeighbours))) {
      const auto part = static_cast<std::size_t>(l.value);
      const ScenePoint a{l.a[0], l.a[1], l.a[2]}, b{l.b[0], l.b[1], l.b[2]};
      const double d = distanceIn(a, b, frame->box);
      EXPECT_EQ(part, d < kClusterCutoff                     ? 0u
                      : d <= kClusterCutoff + kClusterBuffer ? 1u
                                                             : 2u)
          << d;
      ++parts.at(part);
    }
    EXPECT_EQ(parts[0] + parts[1] + parts[2], listed - 1);
    EXPECT_EQ(parts[0], mine);
    EXPECT_GT(parts[2], 0u);
  }
}

// The share of the pairs that are within the cutoff, for lists of particles and of clusters.
TEST_P(MdClusterScene, TheFillIsThatOfBruteForce) {
  for (const char* method : {"cells", "clusters"}) {
    const auto m = inClusters(config(), method);
    const std::vector<ScenePoint> at = slotsInOrder(*m);
    std::size_t within = 0;
    for (std::size_t row = 0; row * kClusterSlots < at.size(); ++row)
      within += pairsOfCluster(at, row, m->frame({})->box);
    const double fill = sampled(*m, "list_fill"), listed = sampled(*m, "neighbours");
    EXPECT_GT(fill, 0.15) << method;
    EXPECT_LT(fill, 0.9) << method;
    if (std::string(method) == "cells") {
      EXPECT_NEAR(fill, static_cast<double>(within) / (listed * static_cast<double>(at.size())),
                  1e-9);
    }
  }
  const auto m = inClusters(config(), "clusters"), cells = inClusters(config(), "cells");
  EXPECT_LT(sampled(*m, "list_fill"), sampled(*cells, "list_fill"));
  EXPECT_TRUE(std::isnan(sampled(*inClusters(config(), "all_pairs"), "list_fill")));
}

// In the first sample, and then often enough to be watched and to have a column of its own, but not
// in each; the same with samples on the way, with stops and after a checkpoint.
TEST_P(MdClusterScene, TheFillIsMeasuredEveryHundredSteps) {
  const auto whole = inClusters(config(), "clusters"), stopped = inClusters(config(), "clusters"),
             none = inClusters(config(), "all_pairs");
  const std::size_t column = columnOf(whole->info().observables, "list_fill");
  std::vector<double> onTheWay, withStops;
  whole->advanceSampling(300, 10, [&](std::uint64_t step, const std::vector<double>& values) {
    onTheWay.push_back(values.at(column));
    EXPECT_EQ(std::isfinite(onTheWay.back()), step % 100 == 10) << step;
  });
  for (int k = 0; k < 30; ++k) {
    stopped->advance(10), none->advance(10);
    withStops.push_back(stopped->sample().at(column));
    EXPECT_TRUE(std::isnan(none->sample().at(column)));
    if (k % 3 == 1) load(*stopped, saved(*stopped));
  }
  ASSERT_EQ(onTheWay.size(), withStops.size());
  for (std::size_t k = 0; k < onTheWay.size(); ++k) {
    EXPECT_EQ(std::isnan(onTheWay[k]), std::isnan(withStops[k])) << k;
    if (std::isfinite(onTheWay[k])) {
      EXPECT_NEAR(onTheWay[k], withStops[k], 1e-9) << k;
    }
  }
}

TEST_P(MdClusterScene, WhereThereAreNoneTheReasonIsSaid) {
  const auto cells = inClusters(config(), "cells");
  for (const char* layer : {layers::kClusters, layers::kClusterList}) {
    const LayerData none = layerNamed(*framed(*cells, layer, 7), layer);
    EXPECT_EQ(none.count, 0u);
    EXPECT_EQ(none.reason, layers::kNoClusters);
  }
  const auto pairs = inClusters(config(), "all_pairs");
  EXPECT_FALSE(layerNamed(*framed(*pairs, layers::kClusters), layers::kClusters).reason.empty());
  const auto m = inClusters(config(), "clusters");
  EXPECT_EQ(layerNamed(*framed(*m, layers::kClusterList), layers::kClusterList).reason,
            "no particle is picked: click one");
}

using layers::SearchedPart;

constexpr double kOfA = 1.5, kOfB = 4.5;

BACKEND_TESTS(MdStencilScene);

// Lists are built in every step: they are those of the positions as they are.
std::unique_ptr<MdMode> inStencils(const ExecConfig& config, const char* dimension,
                                   const char* method) {
  auto m =
      startedMd(config, fmt::format("system=binary n=2000 density=0.5 fraction_b=0.2 cutoff={} "
                                    "cutoff_b={} buffer=0 dimension={} method={}",
                                    kOfA, kOfB, dimension, method));
  m->advance(5);
  return m;
}

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
    const auto m = inStencils(config(), dimension, "stencils");
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
    const auto m = inStencils(config(), dimension, "tree");
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

}  // namespace
}  // namespace cellscope::test
