// Starting states: rows of triangles, simple lattices, at random, mixtures and colloids.
#include <fmt/format.h>

#include "sim/modes/md/observables.h"
#include "sim/modes/md/start.h"
#include "sim/modes/points.h"

namespace cellscope::md {
namespace {

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
    return startRandom(n, box, 0.85, static_cast<std::uint64_t>(p.seed), progress, "");
  return box.dimension == 3 ? startLattice(n, box) : startTriangles(n, box);
}

// Vacancies bring neighbours closer together. A lattice with them is taken where its nearest
// neighbours are at least this far apart, in units of the mean distance (V / n)^(1/d). Simple cubic
// it collapses into a closer packing and gets hotter even if it is full; with vacancies, much
// hotter.
constexpr double kWideRows = 0.97, kWideSquares = 0.98, kWideCubes = 0.995;

std::vector<Vec3d> spread(std::int64_t n, std::int64_t sites,
                          const std::function<Vec3d(std::int64_t)>& site) {
  std::vector<Vec3d> r(static_cast<std::size_t>(n));
  for (std::int64_t i = 0; i < n; ++i) r[static_cast<std::size_t>(i)] = site(i * sites / n);
  return r;
}

// A lattice of exactly n sites that fits into the periodic rectangle: `rows` of n / rows sites
// each, each row ahead of the one before by `shift` / n of the side.
struct ShiftedRows {
  std::int64_t rows = 1, shift = 0;
  double nearest = 0;  // distance of nearest neighbours over the side x
};

// Squared length, in units of (L_x / n)^2, of its shortest vector: Gauss's reduction of the basis
// (rows, 0), (shift, n / rows), the second coordinate in units of L_y / n, L_y = aspect L_x.
double shortestSquared(std::int64_t n, std::int64_t rows, std::int64_t shift, double aspect) {
  std::int64_t ux = rows, uy = 0, vx = shift, vy = n / rows;
  const auto product = [&](std::int64_t x1, std::int64_t y1, std::int64_t x2, std::int64_t y2) {
    return static_cast<double>(x1 * x2) + aspect * aspect * static_cast<double>(y1 * y2);
  };
  for (;;) {
    double uu = product(ux, uy, ux, uy);
    const double vv = product(vx, vy, vx, vy);
    if (vv < uu) std::swap(ux, vx), std::swap(uy, vy), uu = vv;
    const double overlap = product(ux, uy, vx, vy) / uu;
    const auto times = static_cast<std::int64_t>(std::llround(overlap));
    if (times == 0 || std::abs(overlap) <= 0.5) return uu;
    vx -= times * ux, vy -= times * uy;
  }
}

ShiftedRows widestRows(std::int64_t n, double aspect) {
  ShiftedRows best;
  double farthest = 0;
  for (std::int64_t rows = 1; rows <= n; ++rows) {
    if (n % rows != 0) continue;
    for (std::int64_t shift = 0; shift < rows; ++shift) {
      const double d2 = shortestSquared(n, rows, shift, aspect);
      if (d2 > farthest) farthest = d2, best.rows = rows, best.shift = shift;
    }
  }
  best.nearest = std::sqrt(farthest) / static_cast<double>(n);
  return best;
}

std::vector<Vec3d> inShiftedRows(std::int64_t n, const ShiftedRows& of, const Box& box) {
  const std::int64_t columns = n / of.rows;
  const double unit = box.length[0] / static_cast<double>(n);
  return spread(n, n, [&](std::int64_t site) {
    const std::int64_t row = site / columns, column = site % columns;
    const std::int64_t x = (column * of.rows + row * of.shift) % n;
    return Vec3d{unit * static_cast<double>(x),
                 box.length[1] / static_cast<double>(of.rows) * (static_cast<double>(row) + 0.5),
                 0};
  });
}

}  // namespace

// No solvent is left within 1.05 times the distance of contact, (a + 1) / 2. Types: 0 solvent, 1
// colloid.
MdState dispersed(const MdParameters& p, const std::vector<Vec3d>& solvent) {
  constexpr double kGap = 0.6;  // where two colloids attract each other most
  MdState s;
  s.box = p.box();
  const std::vector<Vec3d> colloids =
      startRandom(p.colloids, s.box, p.colloidDiameter + kGap,
                  static_cast<std::uint64_t>(p.seed) + 1, {}, "use a smaller colloid_fraction");
  Points spheres(s.box, 1.05 * 0.5 * (p.colloidDiameter + 1));
  for (const Vec3d& r : colloids) spheres.add(r);
  for (const Vec3d& r : solvent)
    if (!spheres.anyWithin(r)) s.position.push_back(r);
  s.type.assign(s.position.size(), 0);
  s.position.insert(s.position.end(), colloids.begin(), colloids.end());
  s.type.insert(s.type.end(), colloids.size(), 1);
  return s;
}

std::vector<Vec3d> startRandom(std::int64_t n, const Box& box, double apart, std::uint64_t seed,
                               const std::function<void(double)>& progress,
                               const std::string& way) {
  constexpr std::uint32_t kTries = 20000, kTriesInACrowd = 20;
  const RngKey key = hashSeed(seed);
  Points placed(box, apart);
  std::uint32_t tries = kTries;
  std::uint64_t attempts = 0;  // of all
  for (std::int64_t i = 0; i < n; ++i) {
    Vec3d r{0, 0, 0};
    std::uint32_t attempt = 0;
    for (; attempt < tries; ++attempt) {
      if (progress && attempts++ % 16384 == 0)
        progress(static_cast<double>(i) / static_cast<double>(n));
      // Steps number the attempts, blocks the words of one.
      const Random4 a =
          draw(key, RngPurpose::initialPositions, attempt, static_cast<std::uint32_t>(i), 0);
      const Random4 b =
          draw(key, RngPurpose::initialPositions, attempt, static_cast<std::uint32_t>(i), 1);
      r = insideOf(box, {box.length[0] * uniformOpen(a.w[0], a.w[1]),
                         box.length[1] * uniformOpen(a.w[2], a.w[3]),
                         box.length[2] * uniformOpen(b.w[0], b.w[1])});
      if (!placed.anyWithin(r)) break;
    }
    if (attempt == tries && !way.empty())
      throw InputError(
          "{} of {} could be placed at random, no two closer than {:g} sigma; the next found none "
          "in {} attempts; {}",
          i, n, apart, kTries, way);
    if (attempt == tries) tries = kTriesInACrowd;
    placed.add(r);
  }
  return placed.points();
}

std::int64_t expectedParticles(const MdParameters& p) {
  if (p.what() != System::colloids) return p.n;
  const double kept = std::pow(1.05 * (p.colloidDiameter + 1) / p.colloidDiameter, 3);
  const double share = std::max(0.0, 1.0 - kept * p.colloidFraction);
  return p.colloids + static_cast<std::int64_t>(p.density * p.box().volume() * share);
}

MdState startState(const MdParameters& p, const std::function<void(double)>& progress) {
  MdState s;
  if (p.what() == System::colloids) {
    // Solvent at its density, with colloids dispersed in it.
    const auto full = static_cast<std::int64_t>(std::llround(p.density * p.box().volume()));
    s = dispersed(p, positionsOf(p, std::max<std::int64_t>(full, 1), p.box(), progress));
  } else {
    s.box = p.box();
    s.position = positionsOf(p, p.n, s.box, progress);
    if (p.what() == System::binary) s.type = drawTypes(p);
  }
  s.velocity = maxwellVelocities(static_cast<std::int64_t>(s.position.size()), p.temperature,
                                 static_cast<std::uint64_t>(p.seed), p.dimensions(),
                                 Masses{s.type, p.species()});
  return s;
}

void requireApart(double energy, const MdParameters& p) {
  constexpr double kMost = 100;  // such a start would heat itself to T of about 60
  if (energy < kMost) return;
  const std::string larger =
      p.what() == System::binary && p.sigmaB > 1 ? fmt::format(", sigma_b = {:g}", p.sigmaB) : "";
  throw InputError(
      "the particles overlap at the start: their potential energy is {:.3g} epsilon each (at most "
      "{:g}; density = {:g}{}); use a lower density, minimise = true{}{}",
      energy, kMost, p.density, larger, larger.empty() ? "" : ", a smaller sigma_b",
      p.lattice.index == static_cast<int>(StartLattice::closePacked)
          ? ""
          : ", or lattice = close_packed");
}

MemoryNeed memoryNeed(const MdParameters& p, const ExecConfig& config) {
  const auto n = static_cast<std::size_t>(p.n);
  // Each domain orders its records on the host, all of them at the same time.
  const std::size_t ordered = sizeof(ParticleRecord) + sizeof(std::uint32_t),
                    host = n * (2 * 2 * sizeof(Vec3d) +
                                static_cast<std::size_t>(config.domains) * ordered);
  const std::size_t curves = MdSampler::sourcesOf(n) * (sizeof(Vec3d) + sizeof(std::uint32_t));
  return engineMemory(n, p.by().bytes(p, config) + curves, host, sizeof(PointInstance), config);
}

void checkMemory(const MdParameters& p, const ExecConfig& config) {
  requireMemory(p.n, "particles", memoryNeed(p, config), config,
                p.what() == System::colloids
                    ? "; 'n' follows from 'colloids', 'colloid_fraction' and 'density'"
                    : "");
}

std::vector<Vec3d> startTriangles(std::int64_t n, const Box& box) {
  const double aspect = box.length[1] / box.length[0];
  std::int64_t bestRows = 2, bestColumns = (n + 1) / 2;
  double best = 0;
  const double inSquare = std::sqrt(static_cast<double>(n) * aspect);
  for (std::int64_t rows = 2; rows <= 4 + 2 * static_cast<std::int64_t>(inSquare); rows += 2) {
    const std::int64_t columns = (n + rows - 1) / rows;
    const double across = 1.0 / static_cast<double>(columns);
    const double up = aspect / static_cast<double>(rows);
    const double nearest = std::min({across, std::hypot(0.5 * across, up), 2 * up});
    if (nearest > best) best = nearest, bestRows = rows, bestColumns = columns;
  }
  if (best * std::sqrt(static_cast<double>(n) / aspect) < kWideRows)
    if (const ShiftedRows whole = widestRows(n, aspect); whole.nearest > best)
      return inShiftedRows(n, whole, box);
  const double dx = box.length[0] / static_cast<double>(bestColumns);
  const double dy = box.length[1] / static_cast<double>(bestRows);
  return spread(n, bestRows * bestColumns, [&](std::int64_t site) {
    const std::int64_t row = site / bestColumns, column = site % bestColumns;
    const double shift = row % 2 == 0 ? 0.25 : 0.75;
    return Vec3d{dx * (static_cast<double>(column) + shift), dy * (static_cast<double>(row) + 0.5),
                 0};
  });
}

// Another site along each axis whose sites are furthest apart, as long as there is no room for n.
std::vector<Vec3d> startSimple(std::int64_t n, const Box& box) {
  constexpr double kAlike = 1 + 1e-12;
  const bool space = box.dimension == 3;
  std::int64_t k[3] = {1, 1, 1};
  double side[3] = {1, box.length[1] / box.length[0], space ? box.length[2] / box.length[0] : 0};
  const double shape = side[1] * (space ? side[2] : 1);  // the volume, both in sides x
  const auto apart = [&](int a) { return side[a] / static_cast<double>(k[a]); };
  const auto sites = [&] { return k[0] * k[1] * k[2]; };
  while (sites() < n) {
    const double widest = std::max({apart(0), apart(1), apart(2)});
    for (int a = 0; a < box.dimension; ++a)
      if (apart(a) * kAlike >= widest) ++k[a];
  }
  double densest = 0;  // sites along a side x
  for (int a = 0; a < box.dimension; ++a)
    densest = std::max(densest, static_cast<double>(k[a]) / side[a]);
  const double even = std::pow(static_cast<double>(n) / shape, 1.0 / box.dimension);
  if (even < (space ? kWideCubes : kWideSquares) * densest)
    return space ? startLattice(n, box) : startTriangles(n, box);
  return spread(n, sites(), [&](std::int64_t site) {
    const auto at = [&](std::int64_t c, int a) {
      return box.length[a] / static_cast<double>(k[a]) * (static_cast<double>(c) + 0.5);
    };
    return Vec3d{at(site % k[0], 0), at(site / k[0] % k[1], 1),
                 space ? at(site / (k[0] * k[1]), 2) : 0.0};
  });
}

}  // namespace cellscope::md
