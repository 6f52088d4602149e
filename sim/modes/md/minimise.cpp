#include "sim/modes/md/start.h"

namespace cellscope::md {
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
    const Vec3d p = state.position[i];
    r[i] = state.box.wrap({p.x + step * s.fx, p.y + step * s.fy, p.z + step * s.fz});
  }
  return r;
}

// Share of the way from the first to the small force, by orders of magnitude.
double wayDone(double first, double now) {
  if (!(first > kSmallForce)) return 1;
  return std::clamp(std::log(first / now) / std::log(first / kSmallForce), 0.0, 1.0);
}

constexpr std::uint64_t kStepsBetween = 10;

// In these steps a particle of mass 1 at T covers 0.004 sigma at most, about: relaxation is there
// to be stable where dt is not, and to be long enough where dt is short.
double stepOf(double temperature, double dt) {
  return std::min(0.004 / std::sqrt(std::max(1.0, temperature)), std::max(dt, 0.001));
}

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
    const Vec3d a = state.position[d.worst], b = state.position[j];
    const Vec3d r = state.box.minimumImage({a.x - b.x, a.y - b.y, a.z - b.z});
    const double square = r.x * r.x + r.y * r.y + r.z * r.z;
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
  const double step = stepOf(temperature, dt);
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
