// Starting states in the plane, at random, of mixtures and of colloids.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "sim/base/error.h"
#include "sim/core/rng.h"
#include "sim/modes/md/start.h"

namespace cellscope::md {
namespace {

// Points by cells at least as wide as the distance that is asked about.
class Points {
 public:
  Points(const Box& box, double reach) : box_(box), reach_(reach) {
    std::size_t cells = 1;
    for (int a = 0; a < box.dimension; ++a) {
      const double most = std::min(512.0, std::floor(box.length[a] / reach));
      side_[a] = std::max(1, static_cast<int>(most));
      cells *= static_cast<std::size_t>(side_[a]);
    }
    first_.assign(cells, -1);
  }
  void add(Vec3d r) {
    const std::size_t cell = index(cellOf(r.x, 0), cellOf(r.y, 1), cellOf(r.z, 2));
    next_.push_back(first_[cell]);
    first_[cell] = static_cast<std::int32_t>(points_.size());
    points_.push_back(r);
  }
  bool anyWithin(Vec3d r) const {
    const int at[3] = {cellOf(r.x, 0), cellOf(r.y, 1), cellOf(r.z, 2)};
    for (int x = from(0); x <= to(0); ++x)
      for (int y = from(1); y <= to(1); ++y)
        for (int z = from(2); z <= to(2); ++z) {
          const std::size_t cell =
              index(wrapped(at[0] + x, 0), wrapped(at[1] + y, 1), wrapped(at[2] + z, 2));
          for (std::int32_t k = first_[cell]; k >= 0; k = next_[static_cast<std::size_t>(k)])
            if (near(r, points_[static_cast<std::size_t>(k)])) return true;
        }
    return false;
  }
  const std::vector<Vec3d>& points() const { return points_; }

 private:
  // Offsets of neighbour cells, each once.
  int from(int a) const { return side_[a] >= 3 ? -1 : 0; }
  int to(int a) const { return side_[a] >= 3 ? 1 : side_[a] - 1; }
  int wrapped(int c, int a) const { return (c + side_[a]) % side_[a]; }
  int cellOf(double x, int a) const {
    if (a >= box_.dimension) return 0;
    return std::min(side_[a] - 1, static_cast<int>(x / box_.length[a] * side_[a]));
  }
  std::size_t index(int x, int y, int z) const {
    return (static_cast<std::size_t>(z) * static_cast<std::size_t>(side_[1]) +
            static_cast<std::size_t>(y)) *
               static_cast<std::size_t>(side_[0]) +
           static_cast<std::size_t>(x);
  }
  bool near(Vec3d a, Vec3d b) const {
    const Vec3d d = box_.minimumImage({a.x - b.x, a.y - b.y, a.z - b.z});
    return d.x * d.x + d.y * d.y + d.z * d.z < reach_ * reach_;
  }

  Box box_;
  double reach_;
  int side_[3] = {1, 1, 1};
  std::vector<std::int32_t> first_, next_;
  std::vector<Vec3d> points_;
};

std::vector<Vec3d> spread(std::int64_t n, std::int64_t sites,
                          const std::function<Vec3d(std::int64_t)>& site) {
  std::vector<Vec3d> r(static_cast<std::size_t>(n));
  for (std::int64_t i = 0; i < n; ++i) r[static_cast<std::size_t>(i)] = site(i * sites / n);
  return r;
}

Vec3d insideOf(const Box& box, Vec3d r) {
  return box.wrap({std::min(r.x, box.length[0]), std::min(r.y, box.length[1]),
                   box.dimension == 3 ? std::min(r.z, box.length[2]) : 0.0});
}

// Exactly round(x_B n) particles, drawn by lot, are of type 1.
std::vector<std::uint8_t> drawTypes(const MdParameters& p) {
  const auto n = static_cast<std::size_t>(p.n);
  const auto ofB = static_cast<std::size_t>(std::llround(p.fractionB * static_cast<double>(p.n)));
  const RngKey key = hashSeed(static_cast<std::uint64_t>(p.seed));
  std::vector<std::uint8_t> types(n, 0);
  std::fill(types.begin(), types.begin() + static_cast<std::ptrdiff_t>(ofB), std::uint8_t{1});
  constexpr std::uint32_t kBlock = 8;  // random positions draw the blocks before
  for (std::size_t i = n; i > 1; --i) {
    const Random4 r =
        draw(key, RngPurpose::initialPositions, 0, static_cast<std::uint32_t>(i), kBlock);
    std::swap(types[i - 1], types[scaleWord(r.w[0], static_cast<std::uint32_t>(i))]);
  }
  return types;
}

std::vector<Vec3d> positionsOf(const MdParameters& p, std::int64_t n, const Box& box,
                               const std::function<void(double)>& progress) {
  const auto kind = static_cast<StartLattice>(p.lattice.index);
  if (kind == StartLattice::simple) return startSimple(n, box);
  if (kind == StartLattice::random)
    return startRandom(n, box, 0.85, static_cast<std::uint64_t>(p.seed), progress,
                       "use a lower density, or lattice = close_packed");
  return box.dimension == 3 ? startLattice(n, box.length[0]) : startTriangles(n, box.length[0]);
}

// Solvent at its density, colloids at random, and no solvent within 1.05 times the distance of
// contact, (a + 1) / 2 (S1, section 4.2). Types: 0 solvent, 1 colloid.
MdState colloidState(const MdParameters& p, const std::function<void(double)>& progress) {
  constexpr double kGap = 0.6;  // where two colloids attract each other most
  MdState s;
  s.box = p.box();
  const std::vector<Vec3d> colloids =
      startRandom(p.colloids, s.box, p.colloidDiameter + kGap,
                  static_cast<std::uint64_t>(p.seed) + 1, {}, "use a smaller colloid_fraction");
  Points spheres(s.box, 1.05 * 0.5 * (p.colloidDiameter + 1));
  for (const Vec3d& r : colloids) spheres.add(r);
  const auto full = static_cast<std::int64_t>(std::llround(p.density * s.box.volume()));
  for (const Vec3d& r : positionsOf(p, std::max<std::int64_t>(full, 1), s.box, progress))
    if (!spheres.anyWithin(r)) s.position.push_back(r);
  s.type.assign(s.position.size(), 0);
  s.position.insert(s.position.end(), colloids.begin(), colloids.end());
  s.type.insert(s.type.end(), colloids.size(), 1);
  return s;
}

}  // namespace

std::vector<Vec3d> startTriangles(std::int64_t n, double length) {
  std::int64_t bestRows = 2, bestColumns = (n + 1) / 2;
  double best = 0;
  for (std::int64_t rows = 2;
       rows <= 4 + 2 * static_cast<std::int64_t>(std::sqrt(static_cast<double>(n))); rows += 2) {
    const std::int64_t columns = (n + rows - 1) / rows;
    const double across = 1.0 / static_cast<double>(columns), up = 1.0 / static_cast<double>(rows);
    const double nearest = std::min(across, std::hypot(0.5 * across, up));
    if (nearest > best) best = nearest, bestRows = rows, bestColumns = columns;
  }
  const double dx = length / static_cast<double>(bestColumns);
  const double dy = length / static_cast<double>(bestRows);
  return spread(n, bestRows * bestColumns, [&](std::int64_t site) {
    const std::int64_t row = site / bestColumns, column = site % bestColumns;
    const double shift = row % 2 == 0 ? 0.25 : 0.75;
    return Vec3d{dx * (static_cast<double>(column) + shift), dy * (static_cast<double>(row) + 0.5),
                 0};
  });
}

std::vector<Vec3d> startSimple(std::int64_t n, const Box& box) {
  std::int64_t k = 1;
  const auto sites = [&] { return box.dimension == 3 ? k * k * k : k * k; };
  while (sites() < n) ++k;
  const double a = box.length[0] / static_cast<double>(k);
  return spread(n, sites(), [&](std::int64_t site) {
    const auto at = [&](std::int64_t c) { return a * (static_cast<double>(c) + 0.5); };
    return Vec3d{at(site % k), at(site / k % k), box.dimension == 3 ? at(site / (k * k)) : 0.0};
  });
}

std::vector<Vec3d> startRandom(std::int64_t n, const Box& box, double apart, std::uint64_t seed,
                               const std::function<void(double)>& progress,
                               const std::string& way) {
  constexpr std::uint32_t kTries = 20000;
  const RngKey key = hashSeed(seed);
  Points placed(box, apart);
  for (std::int64_t i = 0; i < n; ++i) {
    if (progress && i % 65536 == 0) progress(static_cast<double>(i) / static_cast<double>(n));
    std::uint32_t attempt = 0;
    for (; attempt < kTries; ++attempt) {
      // Steps number the attempts, blocks the words of one.
      const Random4 a =
          draw(key, RngPurpose::initialPositions, attempt, static_cast<std::uint32_t>(i), 0);
      const Random4 b =
          draw(key, RngPurpose::initialPositions, attempt, static_cast<std::uint32_t>(i), 1);
      const Vec3d r = insideOf(box, {box.length[0] * uniformOpen(a.w[0], a.w[1]),
                                     box.length[1] * uniformOpen(a.w[2], a.w[3]),
                                     box.length[2] * uniformOpen(b.w[0], b.w[1])});
      if (placed.anyWithin(r)) continue;
      placed.add(r);
      break;
    }
    if (attempt == kTries)
      throw InputError(fmt::format(
          "{} of {} found a place at random, no two closer than {:g} sigma; the next found none in "
          "{} attempts; {}",
          i, n, apart, kTries, way));
  }
  return placed.points();
}

std::int64_t expectedParticles(const MdParameters& p) {
  if (p.what() != System::colloids) return p.n;
  const double kept = std::pow(1.05 * (p.colloidDiameter + 1) / p.colloidDiameter, 3);
  const double share = std::max(0.0, 1.0 - kept * p.colloidFraction);
  return p.colloids + static_cast<std::int64_t>(p.density * std::pow(p.length(), 3) * share);
}

MdState startState(const MdParameters& p, const std::function<void(double)>& progress) {
  MdState s;
  if (p.what() == System::colloids) {
    s = colloidState(p, progress);
  } else {
    s.box = p.box();
    s.position = positionsOf(p, p.n, s.box, progress);
    if (p.what() == System::binary) s.type = drawTypes(p);
  }
  const SpeciesTable species = p.species();
  s.velocity = maxwellVelocities(static_cast<std::int64_t>(s.position.size()), p.temperature,
                                 static_cast<std::uint64_t>(p.seed), p.dimensions(),
                                 Masses{s.type, species});
  return s;
}

void requireApart(double energy, const MdParameters& p) {
  constexpr double kMost = 100;  // such a start would heat itself to T of about 60
  if (energy < kMost) return;
  const std::string larger =
      p.what() == System::binary && p.sigmaB > 1 ? fmt::format(", sigma_b = {:g}", p.sigmaB) : "";
  throw InputError(fmt::format(
      "the particles overlap at the start: their potential energy is {:.3g} epsilon each (at most "
      "{:g}; density = {:g}{}); use a lower density{}{}",
      energy, kMost, p.density, larger, larger.empty() ? "" : ", a smaller sigma_b",
      p.lattice.index == static_cast<int>(StartLattice::closePacked)
          ? ""
          : ", or lattice = close_packed"));
}

}  // namespace cellscope::md
