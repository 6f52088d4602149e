// Histograms and bond order on either backend against brute force over all pairs.
#include <numeric>

#include "tests/support/backend_test.h"
#include "tests/support/brute_force.h"
#include "tests/support/disk_states.h"

namespace cellscope::test {
namespace {

DiskCells swept(int disks, double packing, std::uint64_t sweeps, GridShape shape = {}) {
  const auto engine = engineWith(someDisks(disks, packing, 11, shape), 1, "scalar");
  engine->sweeps({}, 0, sweeps);
  return engine->download();
}

GridInfo gridOf(int m, int places, double w) { return {m, places, static_cast<float>(w)}; }

PlainDisks plain(const DiskCells& host) {
  const Box box = boxOf(host.grid);
  return {box.length[0], positionsOf(host).xy, box.length[1]};
}

struct DiskState {
  const char* name;
  DiskCells host;
  PlainDisks disks = plain(host);
};

const std::vector<DiskState>& diskStates() {
  static const std::vector<DiskState> kept = [] {
    std::vector<DiskState> all;
    const auto add = [&](const char* name, DiskCells host) {
      all.push_back({name, std::move(host)});
    };
    add("two disks", swept(2, 0.0500891686, 20));
    add("four disks", swept(4, 0.1780948216, 20));
    add("five places", swept(14, 0.33, 50));  // L = 5.77: m = 4, w = 1.44
    add("narrow cells", randomDisks(gridOf(4, 4, 1.0078125), 7, 3));
    add("narrow cells, dense", latticeDisks(gridOf(16, 4, 1.0078125), 200, 3));
    add("gas", swept(500, 0.05, 20));
    add("liquid", swept(400, 0.5, 100));
    add("dense liquid", swept(870, 0.67, 300));
    add("solid", swept(1000, 0.74, 100));
    add("tall", swept(400, 0.5, 100, {1, 3}));
    add("wide, dense", swept(870, 0.67, 300, {5, 2}));
    add("tall gas", swept(500, 0.05, 20, {2, 3}));
    return all;
  }();
  return kept;
}

class DiskObservablesTest : public BackendTest {
 protected:
  std::unique_ptr<DiskObservables> observables_ = isUsable() ? observablesOn(config()) : nullptr;
};

TEST_P(DiskObservablesTest, ContactCountsEqualBruteForce) {
  for (const auto& [name, host, disks] : diskStates()) {
    SCOPED_TRACE(name);
    const DiskCells cells = copyOf(host, GetParam());
    for (const bool wide : {false, true}) {
      ContactCounts counts;
      if (wide) counts.pairBins = {0.9, 0.003, 150}, counts.scaleBins = {0.002, 120};
      const RadialBins b = counts.pairBins;
      observables_->contact(cells.view(), counts);
      EXPECT_EQ(counts.pairs, brutePairs(disks, b.first, b.width, b.count));
      EXPECT_EQ(counts.scale, bruteScale(disks, counts.scaleBins.width, counts.scaleBins.count));
      EXPECT_EQ(counts.disks, disks.size());
      EXPECT_EQ(counts.samples, 1u);
    }
  }
}

TEST_P(DiskObservablesTest, FreePathsEqualBruteForce) {
  for (const auto& [name, host, disks] : diskStates()) {
    SCOPED_TRACE(name);
    const DiskCells cells = copyOf(host, GetParam());
    const FreePathVirial virial = observables_->freePaths(cells.view());
    const double expected = bruteFreePaths(disks);
    // Fixed point: 4e-9 per cell.
    EXPECT_NEAR(virial.sum, expected, 1e-9 * expected + 4e-9 * static_cast<double>(disks.size()));
    EXPECT_EQ(virial.disks, disks.size());
  }
}

TEST_P(DiskObservablesTest, PairCountsEqualBruteForce) {
  for (const auto& [name, host, disks] : diskStates()) {
    SCOPED_TRACE(name);
    const DiskCells cells = copyOf(host, GetParam());
    PairCounts counts;
    observables_->pairs(cells.view(), counts);
    std::vector<std::uint64_t> expected = brutePairs(disks, 0, 0.01, counts.bins.count);
    for (int i = 0; i < counts.bins.count; ++i)
      if (counts.bins.edge(i + 1) > 0.5 * std::min(disks.side(0), disks.side(1)))
        expected[static_cast<std::size_t>(i)] = 0;
    EXPECT_EQ(counts.pairs, expected);
    EXPECT_EQ(counts.disks, disks.size());
  }
}

TEST_P(DiskObservablesTest, CountsAddUpOverSamples) {
  const DiskCells cells = copyOf(swept(400, 0.5, 100), GetParam());
  ContactCounts once, twice;
  observables_->contact(cells.view(), once);
  observables_->contact(cells.view(), twice);
  observables_->contact(cells.view(), twice);
  once.add(once);
  EXPECT_EQ(twice.pairs, once.pairs);
  EXPECT_EQ(twice.scale, once.scale);
  EXPECT_EQ(twice.disks, 800u);
  EXPECT_EQ(twice.samples, 2u);
}

struct Measured {
  BondOrderSummary summary;
  std::vector<Vec2> psi6;
  std::vector<std::uint8_t> neighbours;
  std::vector<float> density;
};

Measured measure(DiskObservables& observables, const DiskCells& host,
                 const NeighbourChoice& choice) {
  const Backend where = observables.backend();
  const DiskCells cells = copyOf(host, where);
  const std::size_t n = host.grid.slotCount();
  const exec::Array<Vec2> psi6(where, std::vector<Vec2>(n, Vec2{7, 7}));
  const exec::Array<std::uint8_t> neighbours(where, std::vector<std::uint8_t>(n, 7));
  const exec::Array<float> density(where, std::vector<float>(n, 7));
  const BondOrderSummary summary =
      observables.bondOrder(cells.view(), choice, {psi6.data(), neighbours.data(), density.data()});
  return {summary, psi6.get(), neighbours.get(), density.get()};
}

void compare(const DiskCells& host, const Measured& m, const NeighbourChoice& choice) {
  const PlainDisks disks = plain(host);
  std::complex<double> sum = 0;
  double modulus = 0, density = 0, densitySquared = 0;
  std::array<std::uint64_t, 16> byNeighbours{};
  for (int y = 0; y < host.grid.rows(); ++y)
    for (int x = 0; x < host.grid.m; ++x)
      for (int i = 0; i < host.grid.slots; ++i) {
        const std::size_t slot = host.grid.slot(x, y, i);
        if (i >= host.count.data()[host.grid.cell(x, y)]) {
          ASSERT_TRUE(m.psi6[slot].x == 0 && m.psi6[slot].y == 0 && m.neighbours[slot] == 0 &&
                      m.density[slot] == 0);
          continue;
        }
        const std::size_t id = host.id.data()[slot];
        const BruteBonds b = choice.rule == NeighbourRule::voronoi
                                 ? bruteVoronoi(disks, id)
                                 : bruteWithinRadius(disks, id, choice.radius);
        ASSERT_EQ(m.neighbours[slot], b.neighbours) << "disk " << id;
        const std::complex<double> psi(m.psi6[slot].x, m.psi6[slot].y);
        ASSERT_LT(std::abs(psi - b.psi6), 5e-6) << "disk " << id;
        ASSERT_NEAR(m.density[slot] / b.density, 1.0, 2e-5) << "disk " << id;
        sum += b.psi6;
        modulus += std::abs(b.psi6);
        density += b.density;
        densitySquared += b.density * b.density;
        byNeighbours[static_cast<std::size_t>(std::min(b.neighbours, 15))] += 1;
      }
  const double n = static_cast<double>(disks.size());
  EXPECT_EQ(m.summary.disks, disks.size());
  EXPECT_LT(std::abs(m.summary.psi6 - sum / n), 3e-6);
  EXPECT_NEAR(m.summary.meanModulus, modulus / n, 3e-6);
  const double spread = std::sqrt(std::max(0.0, densitySquared / n - density * density / (n * n)));
  EXPECT_NEAR(m.summary.densitySpread, spread, 2e-5);
  EXPECT_EQ(m.summary.byNeighbours, byNeighbours);
}

TEST_P(DiskObservablesTest, VoronoiBondsEqualBruteForce) {
  for (const auto& [name, host, disks] : diskStates()) {
    SCOPED_TRACE(name);
    // Twice: the second look starts from the density that the first one found.
    for (int k = 0; k < 2; ++k) compare(host, measure(*observables_, host, {}), {});
  }
}

// A drop in an empty box: the mean density, after a first look, asks for far more disks around one
// than a list of near ones holds.
TEST_P(DiskObservablesTest, ADenseDropInAnEmptyBoxEqualsBruteForce) {
  const DiskPositions drop = positionsOf(someDisks(200, 0.7, 5));
  const DiskCells host = fillCells(gridOf(64, 4, 1.3125), drop.xy, drop.ids);
  for (int k = 0; k < 2; ++k) compare(host, measure(*observables_, host, {}), {});
}

TEST_P(DiskObservablesTest, BondsWithinARadiusEqualBruteForce) {
  for (const auto& [name, host, disks] : diskStates()) {
    SCOPED_TRACE(name);
    for (const double radius : {1.5, 1.97}) {
      const NeighbourChoice choice{NeighbourRule::withinRadius, radius};
      compare(host, measure(*observables_, host, choice), choice);
    }
  }
}

// Six neighbours on every site, |psi6| = 1 up to the strain that makes the lattice fit the square.
TEST_P(DiskObservablesTest, TriangularLatticeIsPerfectlyOrdered) {
  std::vector<double> xy;
  std::vector<std::uint32_t> ids;
  const GridInfo grid = gridOf(22, 4, 1.3125);
  const double length = boxLength(grid);
  for (int row = 0; row < 30; ++row)
    for (int column = 0; column < 26; ++column) {
      xy.push_back(std::fmod((column + 0.5 * (row % 2) + 0.1) * length / 26, length));
      xy.push_back((row + 0.3) * length / 30);
      ids.push_back(static_cast<std::uint32_t>(ids.size()));
    }
  const Measured m = measure(*observables_, fillCells(grid, xy, ids), {});
  EXPECT_EQ(m.summary.byNeighbours[6], 780u);
  EXPECT_GT(std::abs(m.summary.psi6), 0.9999);
  EXPECT_NEAR(m.summary.psi6.real(), m.summary.meanModulus, 1e-6);
  EXPECT_NEAR(m.summary.densitySpread, 0, 1e-4);
  EXPECT_NEAR(m.density[grid.slot(0, 0, 0)], 780 / (length * length), 1e-5);
}

// The worked example of the scale distribution function: separation 1.001101081, x = 0.0010999.
TEST_P(DiskObservablesTest, TwoDisksFillOneBinOfTheScaleDistribution) {
  const GridInfo grid = gridOf(4, 4, 1.25);
  for (const double x : {1.0, 4.6}) {  // inside, and across the boundary
    const DiskCells host =
        fillCells(grid, std::vector<double>{x, 2.0, std::fmod(x + 1.001101081, 5), 2.0},
                  std::vector<std::uint32_t>{0, 1});
    ContactCounts counts{.scaleBins = {1e-3, 20}};
    observables_->contact(copyOf(host, GetParam()).view(), counts);
    EXPECT_EQ(counts.scale[1], 2u);  // each disk once
    EXPECT_EQ(std::accumulate(counts.scale.begin(), counts.scale.end(), 0ull), 2ull);
    EXPECT_EQ(counts.pairs[11], 2u);  // 1.0011 <= r < 1.0012, the pair from either end
  }
}

// Whatever the number of threads or the backend.
TEST_P(DiskObservablesTest, AreThoseOfOneThreadBitForBit) {
  const auto one = observablesOn({Backend::cpu, 1});
  for (const double packing : {0.1, 0.5, 0.7}) {
    const DiskCells host = swept(10000, packing, 20), cells = copyOf(host, GetParam());
    for (const int threads : {2, 3, 8}) {
      const auto many = observablesOn(config(threads));
      ContactCounts a, b;
      one->contact(host.view(), a);
      many->contact(cells.view(), b);
      EXPECT_EQ(a.pairs, b.pairs);
      EXPECT_EQ(a.scale, b.scale);
      EXPECT_EQ(one->freePaths(host.view()).sum, many->freePaths(cells.view()).sum);
      PairCounts g, h;
      one->pairs(host.view(), g);
      many->pairs(cells.view(), h);
      EXPECT_EQ(g.pairs, h.pairs);
      for (const NeighbourChoice choice :
           {NeighbourChoice{}, NeighbourChoice{NeighbourRule::withinRadius, 1.5}}) {
        const Measured m = measure(*one, host, choice), n = measure(*many, host, choice);
        EXPECT_EQ(m.summary.psi6, n.summary.psi6);
        EXPECT_EQ(m.summary.densitySpread, n.summary.densitySpread);
        EXPECT_EQ(m.neighbours, n.neighbours);
        EXPECT_EQ(m.density, n.density);
        for (std::size_t k = 0; k < m.psi6.size(); ++k) {
          ASSERT_EQ(m.psi6[k].x, n.psi6[k].x);
          ASSERT_EQ(m.psi6[k].y, n.psi6[k].y);
        }
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Each, DiskObservablesTest, kBackends, nameOfBackend);

}  // namespace
}  // namespace cellscope::test
