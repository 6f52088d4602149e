// How far the energy of velocity Verlet may be from what it was: the bound of the self-check, and
// how it grows with time.
//
// With a force that has a derivative, velocity Verlet conserves E + dt^2 (v U'' v / 12 - f^2 / 24
// m) to order dt^4 (Hairer, Lubich and Wanner, Acta Numerica 12, 399, 2003): the error of E is
// bounded and does not grow. It is
//  - of all particles together kMean dt^2 each, from a crystal to a liquid;
//  - of the pair that collides hardest dt^2 max(E u'' / 6, f^2 / 24) / mu, where its energy E is T
//    ln(10^6 N): one instant in 10^6 has a harder one.
// Where a pair crosses the cutoff at the speed v, the force jumps by f_c and its slope by k. The
// error of each crossing depends on where in the step it is, which is as good as random:
//  - f_c v dt (1/2 - x), x uniform: a random walk, and f_c^2 dt^2 / 24 mu of heat on the average;
//  - k v^2 dt^2 (x (1 - x) / 2 - 1/12): a random walk.
// So the error grows with the square root of time, and for forces that jump a little with time.
// Velocity rescaling takes heat from the kinetic energy and not from the term of order dt^2, of
// which a share is left behind each time: a walk, and a drift as both are correlated.
// With friction and noise no energy is conserved.
#pragma once
#include "sim/algo/md/engine.h"
#include "sim/algo/md/pair_law.h"

namespace cellscope::md {

struct EnergyRun {
  PairSettings pair;
  int dimension = 3;
  double particles = 2, density = 1, temperature = 1, dt = 0.004;
  double time = 0;        // since the energy was taken
  double rescalings = 0;  // since then
  double relaxed = 0;     // rescalingFactor()
};

struct EnergyBound {
  double bound = 0;      // per particle
  double perPair = 0;    // by which each pair that crosses the cutoff changes it; 0: continuous
  double shorterDt = 0;  // time step for a valid bound; 0: it is valid
};

// f(law, reduced mass, closest distance that is looked at) of each pair of species.
void forEachPairOfTypes(const PairSettings& settings, const auto& f) {
  const SpeciesTable& s = settings.species;
  withLaw<double>(settings.potential, s, [&](const auto& law) {
    for (int a = 0; a < s.types; ++a)
      for (int b = 0; b <= a; ++b)
        f(law.of(static_cast<std::uint32_t>(a), static_cast<std::uint32_t>(b)),
          1 / (1 / s.mass[a] + 1 / s.mass[b]), s.radius[a] + s.radius[b] + 0.2);
  });
}

inline constexpr double kPairRounding = 1e-3;  // pair terms in single precision
inline constexpr double kMean = 100;  // (epsilon / sigma)^2, at liquid densities up to T of about 2
inline constexpr double kErrors = 6;  // standard errors of a random walk: 2e-9
inline constexpr double kCrowd = 3;   // g(r) at a cutoff, at most
inline constexpr double kMostOfT = 0.1;  // a walk further than that is no run at constant energy
inline constexpr double kMostPhase = 1;  // dt omega up to which the series in dt are meant
inline constexpr double kDensest = 1.2;  // of a crystal

double forceAt(const auto& pair, double r) { return pair.terms(r * r, 1.0 / r).forceOverR * r; }
double curvatureAt(const auto& pair, double r) {
  const double h = 1e-4 * r;
  return (forceAt(pair, r - h) - forceAt(pair, r + h)) / (2 * h);
}
// Where the energy of a pair is so large; 0: nowhere.
double distanceAt(const auto& pair, double energy, double in) {
  const auto far = [&](double r) { return pair.terms(r * r, 1.0 / r).energy < energy; };
  double out = std::sqrt(pair.cutoffSquared);
  if (far(in)) return 0;  // nothing holds them apart
  for (int k = 0; k < 40; ++k) {
    const double middle = 0.5 * (in + out);
    (far(middle) ? out : in) = middle;
  }
  return out;
}

// What is known of all pairs of species, the worst of each.
struct Errors {
  double collision = 0;            // of the hardest one, over dt^2
  double jump2 = 0, heat = 0;      // of a crossing: square over dt^2, and mean over dt^2
  double kink2 = 0;                // square over dt^4
  double crossings = 0;            // of each particle in each tau
  double perPair = 0, perAll = 0;  // where the energy jumps
  double frequency2 = 0;           // at the cutoff
};

inline Errors errorsOf(const EnergyRun& run) {
  Errors worst;
  const auto most = [](double& to, double value) { to = std::max(to, value); };
  const double hardest = run.temperature * std::log(1e6 * run.particles), t = run.temperature;
  bool jumps = true;
  withPotentialEntry(run.pair.potential, [&](auto entry) {
    jumps = !entry.continuous(pairOfTypes(run.pair.species, 0, 0));
  });
  forEachPairOfTypes(run.pair, [&](const auto& pair, double mass, double in) {
    if (const double r = distanceAt(pair, hardest, in); r > 0) {
      const double f = forceAt(pair, r);
      most(worst.collision, std::max(hardest * curvatureAt(pair, r) / 6, f * f / 24) / mass);
    }
    const double end = std::sqrt(pair.cutoffSquared), inside = end * (1 - 1e-3);
    const double f = forceAt(pair, end), k = curvatureAt(pair, inside);
    // Of speeds at which pairs cross: <v^2> = 2 T / mu, <v^4> = 8 (T / mu)^2. The variances of
    // 1/2 - x and of x (1 - x) / 2: 1/12, 1/720.
    most(worst.jump2, f * f * 2 * t / mass / 12);
    most(worst.heat, f * f / (24 * mass));
    most(worst.kink2, k * k * 8 * t * t / (mass * mass) / 720);
    most(worst.frequency2, std::abs(k) / mass);
    const double surface =
        run.dimension == 3 ? 4 * std::numbers::pi * end * end : 2 * std::numbers::pi * end;
    most(worst.crossings,
         0.5 * kCrowd * run.density * surface * std::sqrt(2 * t / (std::numbers::pi * mass)));
    // At most all pairs that there is room for change it.
    const double room = std::max(run.density, kDensest) * surface * end / (2 * run.dimension);
    const double u = jumps ? std::abs(pair.terms(end * end, 1 / end).energy) : 0.0;
    if (u * room > worst.perAll) worst.perPair = u, worst.perAll = u * room;
  });
  return worst;
}

// The largest frequency at which a pair of particles moves that comes as near as an energy of T
// lets it: of the curvature of the energy there, over the reduced mass.
inline double collisionFrequency(const PairSettings& settings, double temperature) {
  double worst = 0;
  forEachPairOfTypes(settings, [&](const auto& pair, double mass, double in) {
    const double r = distanceAt(pair, temperature, in);
    if (r > 0) worst = std::max(worst, curvatureAt(pair, r) / mass);
  });
  return std::sqrt(worst);
}

inline EnergyBound energyBound(const EnergyRun& run) {
  const Errors e = errorsOf(run);
  const double n = run.particles, dt2 = run.dt * run.dt;
  EnergyBound b;
  b.perPair = e.perPair;
  b.bound = kPairRounding + kMean * dt2 + e.perAll;
  const double omega2 =
      std::max(e.frequency2, std::pow(collisionFrequency(run.pair, run.temperature), 2));
  const double phase = run.dt * std::sqrt(omega2);
  if (phase > kMostPhase) {
    b.shorterDt = run.dt * kMostPhase / phase;
    return b;
  }
  const double crossings = e.crossings * n * run.time;
  const double share = 1 - std::exp(-run.relaxed);  // of the kinetic energy that is drawn again
  // The term of order dt^2 is (dt omega)^2 / 12 of the kinetic energy, at most.
  const double left = run.temperature * dt2 * omega2 / 12;
  const double walk2 = crossings * (e.jump2 * dt2 + e.kink2 * dt2 * dt2) +
                       run.rescalings * 2 * run.dimension * share * left * left;
  const double drift = crossings * e.heat * dt2 + run.rescalings * share * left;
  const double growth = (kErrors * std::sqrt(walk2) + drift) / n, most = kMostOfT * run.temperature;
  b.bound += e.collision * dt2 / n + std::min(growth, most);
  // Walks of jumps go as dt, the others as dt^2.
  if (growth > most)
    b.shorterDt = run.dt * (e.jump2 > e.kink2 * dt2 ? most / growth : std::sqrt(most / growth));
  return b;
}

}  // namespace cellscope::md
