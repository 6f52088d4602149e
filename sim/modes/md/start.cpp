#include "sim/modes/md/start.h"

#include "sim/exec/cpu_pool.h"
#include "sim/modes/points.h"

namespace cellscope::md {
namespace {

// f(i) below n, on all threads.
void forAll(std::size_t n, const auto& f) {
  exec::CpuPool(0).ranges(n, 1 << 16, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) f(i);
  });
}

// Unit cells along each axis.
using Cells = std::array<std::int64_t, 3>;

// Squared distance of nearest neighbours of a face-centred cubic lattice that fits these cells into
// the box, in sides x.
double nearestSquared(const Cells& k, const Box& box) {
  double a2[3];
  for (int axis = 0; axis < 3; ++axis) {
    const double a = box.length[axis] / box.length[0] / static_cast<double>(k[axis]);
    a2[axis] = a * a;
  }
  return std::min(
      {(a2[0] + a2[1]) / 4, (a2[0] + a2[2]) / 4, (a2[1] + a2[2]) / 4, a2[0], a2[1], a2[2]});
}

// In a cube, the same along each axis; otherwise those that keep neighbours furthest apart. Cells
// along y and z between half and twice as narrow as they are in a cube of that density.
Cells cellsFor(std::int64_t n, const Box& box) {
  Cells best{1, 1, 1};
  if (box == cubicBox(box.length[0])) {
    while (4 * best[0] * best[1] * best[2] < n) ++best[0], ++best[1], ++best[2];
    return best;
  }
  const double a = std::cbrt(4 * box.volume() / static_cast<double>(n));
  const auto most = [&](int axis) { return std::llround(2 * box.length[axis] / a) + 1; };
  double farthest = 0;
  for (std::int64_t z = 1; z <= most(2); ++z)
    for (std::int64_t y = 1; y <= most(1); ++y) {
      const Cells k{(n + 4 * y * z - 1) / (4 * y * z), y, z};
      const double d2 = nearestSquared(k, box);
      if (d2 > farthest) farthest = d2, best = k;
    }
  return best;
}

std::vector<Vec3d> fccLattice(std::int64_t n, const Cells& k, const Box& box) {
  static constexpr double kBasis[4][3] = {
      {0.25, 0.25, 0.25}, {0.75, 0.75, 0.25}, {0.75, 0.25, 0.75}, {0.25, 0.75, 0.75}};
  const std::int64_t sites = 4 * k[0] * k[1] * k[2];
  const auto a = [&](int axis) { return box.length[axis] / static_cast<double>(k[axis]); };
  std::vector<Vec3d> r(static_cast<std::size_t>(n));
  forAll(r.size(), [&](std::size_t i) {
    const std::int64_t site = static_cast<std::int64_t>(i) * sites / n, cell = site / 4;
    const double* b = kBasis[site % 4];
    r[i] = {a(0) * (static_cast<double>(cell % k[0]) + b[0]),
            a(1) * (static_cast<double>(cell / k[0] % k[1]) + b[1]),
            a(2) * (static_cast<double>(cell / (k[0] * k[1])) + b[2])};
  });
  return r;
}

// The lattice of the points i (1, a, b) / n (mod 1); a < 0: none.
struct Generator {
  std::int64_t a = -1, b = -1;
};

// Squared distance, in units of (L_x / n)^2, of the nearest neighbours of that lattice. All sites
// are equivalent, so that those of site 0 are enough. The search ends once it is below `needed`.
double nearestSquared(std::int64_t n, Generator g, const Box& box, double needed) {
  const double y = box.length[1] / box.length[0], z = box.length[2] / box.length[0];
  const auto squared = [n](std::int64_t product) {
    const std::int64_t x = product % n, folded = std::min(x, n - x);
    return static_cast<double>(folded * folded);
  };
  const double own = std::min({1.0, y, z}) * static_cast<double>(n);
  double nearest = own * own;  // its own images
  for (std::int64_t i = 1; i <= n / 2 && nearest > needed; ++i)
    nearest = std::min(
        nearest, static_cast<double>(i * i) + y * y * squared(i * g.a) + z * z * squared(i * g.b));
  return nearest;
}

// The generator whose nearest neighbours are further apart than those of the lattice of these
// cells; none where that lattice is better, as it is above the largest n that is searched.
Generator bestGenerator(std::int64_t n, const Cells& k, const Box& box) {
  // Above, vacancies cost less than 0.1 of d. Where cells can be stretched they cost less, and
  // there are more generators.
  const bool cube = box == cubicBox(box.length[0]);
  const std::int64_t largestSearched = cube ? 4000 : 500;
  constexpr double kFarther = 1 + 1e-12;  // by more than rounding
  Generator best;
  if (n > largestSearched) return best;
  if (cube && n == 4 * k[0] * k[1] * k[2]) return best;  // the densest
  double farthest = static_cast<double>(n * n) * nearestSquared(k, box);
  const bool alike = box.length[1] == box.length[2];
  for (std::int64_t a = 0; a <= n / 2; ++a)
    for (std::int64_t b = alike ? a : 0; b <= n / 2; ++b) {
      const double d2 = nearestSquared(n, {a, b}, box, farthest);
      if (d2 > farthest * kFarther) farthest = d2, best = {a, b};
    }
  return best;
}

std::vector<Vec3d> generatedLattice(std::int64_t n, Generator g, const Box& box) {
  const auto step = [&](int axis) { return box.length[axis] / static_cast<double>(n); };
  std::vector<Vec3d> r;
  for (std::int64_t i = 0; i < n; ++i)
    r.push_back({step(0) * (static_cast<double>(i) + 0.5),
                 step(1) * static_cast<double>(i * g.a % n),
                 step(2) * static_cast<double>(i * g.b % n)});
  return r;
}

// Two independent normal deviates (Box and Muller).
void normalPair(const Random4& r, double& a, double& b) {
  const double radius = std::sqrt(-2.0 * std::log(uniformOpen(r.w[0], r.w[1])));
  const double angle = 2.0 * std::numbers::pi * uniformOpen(r.w[2], r.w[3]);
  a = radius * std::cos(angle);
  b = radius * std::sin(angle);
}

}  // namespace

std::vector<Vec3d> startLattice(std::int64_t n, const Box& box) {
  const Cells k = cellsFor(n, box);
  const Generator g = bestGenerator(n, k, box);
  return g.a < 0 ? fccLattice(n, k, box) : generatedLattice(n, g, box);
}

bool crowdedLattice(const std::vector<Vec3d>& position, const Box& box) {
  constexpr std::size_t kFew = 105;  // beyond, lattices are at least 0.9 times as wide as a crystal
  constexpr double kNarrow = 0.87, kRepels = 1.05;
  if (position.size() > kFew) return false;
  double nearest2 = box.shortest() * box.shortest();  // of its own images
  for (std::size_t i = 1; i < position.size(); ++i)
    for (std::size_t j = 0; j < i; ++j) {
      const Vec3d d = box.minimumImage(position[i] - position[j]);
      nearest2 = std::min(nearest2, dot(d, d));
    }
  const double perParticle = box.volume() / static_cast<double>(position.size());
  const double crystal = box.dimension == 3 ? std::cbrt(std::numbers::sqrt2 * perParticle)
                                            : std::sqrt(2 / std::numbers::sqrt3 * perParticle);
  return std::sqrt(nearest2) < std::min(kNarrow * crystal, kRepels);
}

void removeDrift(std::vector<Vec3d>& velocity, const Masses& masses) {
  Vec3d sum{0, 0, 0};
  double mass = 0;
  for (std::size_t i = 0; i < velocity.size(); ++i) {
    const double m = masses.of(i);
    sum = sum + m * velocity[i];
    mass += m;
  }
  for (Vec3d& v : velocity) v = {v.x - sum.x / mass, v.y - sum.y / mass, v.z - sum.z / mass};
}

Vec3d thermalVelocity(const RngKey& key, std::uint64_t step, std::uint32_t id, int dimension,
                      double square) {
  Vec3d v;
  double unused = 0;
  normalPair(draw(key, RngPurpose::initialVelocities, step, id, 0), v.x, v.y);
  normalPair(draw(key, RngPurpose::initialVelocities, step, id, 1), v.z, unused);
  if (dimension == 2) v.z = 0;
  return std::sqrt(square) * v;
}

std::vector<Vec3d> maxwellVelocities(std::int64_t n, double temperature, std::uint64_t seed) {
  const std::vector<std::uint8_t> types;
  return maxwellVelocities(n, temperature, seed, 3, {types});
}

std::vector<Vec3d> maxwellVelocities(std::int64_t n, double temperature, std::uint64_t seed,
                                     int dimension, const Masses& masses) {
  CELLSCOPE_ASSERT(n >= 2);
  const RngKey key = hashSeed(seed);
  std::vector<Vec3d> v(static_cast<std::size_t>(n));
  forAll(v.size(), [&](std::size_t i) {
    v[i] = thermalVelocity(key, 0, static_cast<std::uint32_t>(i), dimension, 1 / masses.of(i));
  });
  removeDrift(v, masses);
  double square = 0;
  for (std::size_t i = 0; i < v.size(); ++i) square += masses.of(i) * dot(v[i], v[i]);
  const double scale = std::sqrt(dimension * static_cast<double>(n - 1) * temperature / square);
  for (Vec3d& u : v) u = scale * u;
  return v;
}

namespace {

constexpr std::uint64_t kStepsToFall = 200;  // steps for a fall of the energy by a hundredth
constexpr double kCap = 0.1;                 // sigma, at the largest step
constexpr double kLongestStep = 1e-3;        // h_0, sigma^2 / epsilon

double energyOf(const std::vector<PairSums>& sums) {
  double energy = 0;
  for (const PairSums& s : sums) energy += s.energy;
  return energy;
}

double squareOf(const PairSums& s) { return s.fx * s.fx + s.fy * s.fy + s.fz * s.fz; }

std::vector<Vec3d> moved(const MdState& state, const std::vector<PairSums>& sums, double scale) {
  std::vector<Vec3d> r(state.position.size());
  for (std::size_t i = 0; i < r.size(); ++i) {
    const PairSums& s = sums[i];
    const double force = std::sqrt(squareOf(s));
    const double step = scale * std::min(kLongestStep, force > 0 ? kCap / force : 0.0);
    r[i] = state.box.wrap(state.position[i] + step * Vec3d{s.fx, s.fy, s.fz});
  }
  return r;
}

// Share of the way from the first to the small force, by orders of magnitude.
double wayDone(double first, double now) {
  if (!(first > kSmallForce)) return 1;
  return std::clamp(std::log(first / now) / std::log(first / kSmallForce), 0.0, 1.0);
}

constexpr std::uint64_t kStepsBetween = 10;

}  // namespace

Descent largestForce(const std::vector<PairSums>& sums) {
  Descent d;
  double largest = -1;
  for (std::size_t i = 0; i < sums.size(); ++i) {
    const double square = squareOf(sums[i]);
    if (square <= largest) continue;
    largest = square, d.worst = i;
    if (!(square >= 0)) break;
  }
  d.largestForce = std::sqrt(largest);
  return d;
}

std::size_t separate(MdState& state, std::uint64_t seed) {
  constexpr double kAside = 0.1;
  constexpr std::uint32_t kBlock = 16;  // positions and types draw the blocks before
  const RngKey key = hashSeed(seed);
  Points placed(state.box, kCoreRadius);
  std::size_t moved = 0;
  for (std::size_t i = 0; i < state.position.size(); ++i) {
    Vec3d& r = state.position[i];
    const Vec3d first = r;
    for (std::uint32_t attempt = 0; placed.anyWithin(r) && attempt < 1000; ++attempt) {
      const auto id = static_cast<std::uint32_t>(i);
      const Random4 a = draw(key, RngPurpose::initialPositions, attempt, id, kBlock);
      const Random4 b = draw(key, RngPurpose::initialPositions, attempt, id, kBlock + 1);
      const auto aside = [&](std::uint32_t low, std::uint32_t high) {
        return kAside * (2.0 * uniformOpen(low, high) - 1.0);
      };
      r = state.box.wrap({first.x + aside(a.w[0], a.w[1]), first.y + aside(a.w[2], a.w[3]),
                          first.z + aside(b.w[0], b.w[1])});
      if (attempt == 0) ++moved;
    }
    placed.add(r);
  }
  return moved;
}

Descent minimise(MdEngine& engine, MdState& state, const std::function<void(double)>& report) {
  std::vector<PairSums> sums = engine.pairSums();
  Descent now = largestForce(sums);
  const double first = now.largestForce;
  now.before = now.after = energyOf(sums);
  double scale = 1, furthest = 0;
  bool accepted = true;                                           // the engine has `state`
  double energyBefore = std::numeric_limits<double>::infinity();  // some steps ago
  std::uint64_t steps = 0;
  for (; !(now.largestForce <= kSmallForce) && steps < kMostDescents; ++steps) {
    if (steps % kStepsToFall == 0) {
      if (energyBefore - now.after < 0.01 * std::abs(now.after)) break;  // stuck
      energyBefore = now.after;
    }
    MdState trial = state;
    trial.position = moved(state, sums, scale);
    engine.upload(trial);
    engine.forces(report ? PairProgress([&](double) { report(furthest); }) : PairProgress{});
    std::vector<PairSums> there = engine.pairSums();
    const double energy = energyOf(there);
    accepted = energy <= now.after || !std::isfinite(now.after);
    if (accepted) {
      const double before = now.before;
      now = largestForce(there);
      now.before = before, now.after = energy;
      state.position = std::move(trial.position), sums = std::move(there);
    }
    scale = accepted ? std::min(1.0, 1.2 * scale) : 0.5 * scale;
    furthest = std::max(furthest, wayDone(first, now.largestForce));
    if (report) report(furthest);
  }
  if (!accepted) {
    engine.upload(state);
    engine.forces();
  }
  now.steps = steps;
  return now;
}

std::string worstPair(const MdState& state, const Descent& d,
                      const std::vector<std::int64_t>& ids) {
  std::size_t nearest = d.worst;
  double least = 0;
  for (std::size_t j = 0; j < state.position.size(); ++j) {
    if (j == d.worst) continue;
    const Vec3d r = state.box.minimumImage(state.position[d.worst] - state.position[j]);
    const double square = dot(r, r);
    if (nearest == d.worst || square < least) least = square, nearest = j;
  }
  return fmt::format("particles {} and {}, {:.3g} sigma apart", ids[d.worst], ids[nearest],
                     std::sqrt(least));
}

bool relax(MdEngine& engine, MdState& state, double temperature, double dt, const Masses& masses,
           const std::function<void(double)>& report) {
  const auto n = state.position.size();
  double mass = 0;
  for (std::size_t i = 0; i < n; ++i) mass += masses.of(i);
  const double wanted = 0.5 * state.box.dimension * (static_cast<double>(n) - 1) * temperature;
  // In these steps a particle of mass 1 at T covers 0.004 sigma at most, about: relaxation is there
  // to be stable where dt is not, and to be long enough where dt is short.
  const double step = std::min(0.004 / std::sqrt(std::max(1.0, temperature)), std::max(dt, 0.001));
  for (std::uint64_t done = 0; done < kRelaxationSteps; done += kStepsBetween) {
    const auto tell = [&](double) {
      report(static_cast<double>(done) / static_cast<double>(kRelaxationSteps));
    };
    if (report) tell(0);
    engine.run(step, done, kStepsBetween, report ? PairProgress(tell) : PairProgress{});
    if (engine.failure()) return false;
    const KineticTotals t = engine.kinetic();
    const double kinetic = t.kinetic - (t.px * t.px + t.py * t.py + t.pz * t.pz) / (2.0 * mass);
    if (kinetic > 0)
      engine.scaleVelocities(std::sqrt(wanted / kinetic), {t.px / mass, t.py / mass, t.pz / mass});
  }
  state.position = engine.download().position;
  return true;
}

}  // namespace cellscope::md
