// Self-checks: what must hold in every valid run.
#include <fmt/format.h>

#include "sim/algo/all_pairs/tile_forces.h"
#include "sim/algo/md/pair_law.h"
#include "sim/exec/cpu_pool.h"
#include "sim/modes/md/mode.h"

namespace cellscope {

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
namespace md {
namespace {

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

constexpr double kPairRounding = 1e-3;  // pair terms in single precision
constexpr double kMean = 100;     // (epsilon / sigma)^2, at liquid densities up to T of about 2
constexpr double kErrors = 6;     // standard errors of a random walk: 2e-9
constexpr double kCrowd = 3;      // g(r) at a cutoff, at most
constexpr double kMostOfT = 0.1;  // a walk further than that is no run at constant energy
constexpr double kMostPhase = 1;  // dt omega up to which the series in dt are meant
constexpr double kDensest = 1.2;  // of a crystal

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

Errors errorsOf(const EnergyRun& run) {
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
double collisionFrequency(const PairSettings& settings, double temperature) {
  double worst = 0;
  forEachPairOfTypes(settings, [&](const auto& pair, double mass, double in) {
    const double r = distanceAt(pair, temperature, in);
    if (r > 0) worst = std::max(worst, curvatureAt(pair, r) / mass);
  });
  return std::sqrt(worst);
}

EnergyBound energyBound(const EnergyRun& run) {
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

}  // namespace
}  // namespace md

using md::MdParameters;

namespace {

constexpr std::int64_t kFew = 32;  // particles whose temperature is another one in each step

// Force on particle i, by definition, in double.
Vec3d forceOn(const MdState& s, std::size_t i, const PairSettings& settings) {
  Vec3d f{0, 0, 0};
  withLaw<double>(settings.potential, settings.species, [&](const auto& law) {
    RunningSums<double> sums;
    for (std::size_t j = 0; j < s.position.size(); ++j) {
      const auto& pair = law.of(s.typeOf(i), s.typeOf(j));
      const Vec3d d = s.box.minimumImage(s.position[i] - s.position[j]);
      const double* const l = s.box.length;
      PairImages::within(std::sqrt(pair.cutoffSquared) * (1 - 1e-12), s.box)
          .forEach(d.x, d.y, d.z, l[0], l[1], l[2], j == i, [&](double x, double y, double z) {
            const double r2 = x * x + y * y + z * z;
            if (r2 < pair.cutoffSquared) sums.add(pair, x, y, z, r2);
          });
    }
    f = {sums.fx, sums.fy, sums.fz};
  });
  return f;
}

// The largest force at a cutoff, of any pair of species.
double forceJump(const PairSettings& settings) {
  double worst = 0;
  md::forEachPairOfTypes(settings, [&](const auto& pair, double, double) {
    const double r2 = pair.cutoffSquared, r = std::sqrt(r2);
    worst = std::max(worst, std::abs(pair.terms(r2, 1.0 / r).forceOverR * r));
  });
  return worst;
}

// What single precision leaves of a force where the constants of a shift cancel it: sixteen
// roundings of the slope at the end of the law, times the distance; of any pair of species.
double endRounding(const PairSettings& settings) {
  double worst = 0;
  md::forEachPairOfTypes(settings, [&](const auto& pair, double, double) {
    const double r = std::sqrt(pair.cutoffSquared), h = 1e-3 * r;
    worst = std::max(worst, std::abs(md::forceAt(pair, r - h) - md::forceAt(pair, r)) / h * r);
  });
  return 16.0 / (1 << 24) * worst;
}

bool smooth(const PairSettings& settings) {
  bool is = false;
  withPotentialEntry(settings.potential,
                     [&](auto entry) { is = entry.smooth(pairOfTypes(settings.species, 0, 0)); });
  return is;
}
// Total momentum is what it was at the start, and what springs have given. Single-precision forces
// leave a rounding error in their sum, which walks at random over the steps: up to 1e-5 sqrt(N)
// times the forces per step.
SelfCheck momentumCheck(const StateSums& t, Vec3d start, const MdParameters& parameters,
                        std::uint64_t step) {
  const Vec3d change = Vec3d{t.px, t.py, t.pz} - start;
  const double p = std::sqrt(dot(change, change));
  const auto n = static_cast<double>(parameters.n);
  const double bound = 1e-4 * std::sqrt(n) * std::sqrt(1.0 + static_cast<double>(step)) *
                       std::max(1.0, std::sqrt(parameters.temperature));
  return {"momentum", p <= bound, fmt::format("changed by {:.2g}, allowed {:.2g}", p, bound)};
}

// With friction and noise no energy is conserved that would tell whether the time step is too
// large: the errors of velocity Verlet, which are of order (dt omega)^2, are then taken up by the
// bath, which at the bound is off by one percent or so. They do not grow: the bath forgets.
SelfCheck timeStepCheck(const MdParameters& p, std::uint64_t step) {
  constexpr double kMost = 0.7;
  const double omega = md::collisionFrequency(p.pair(), p.bath().temperatureAt(step));
  const double phase = p.dt * omega;
  return {"time step", phase <= kMost,
          fmt::format("{:.2f} radians of a collision in each step, at most {:g}{}", phase, kMost,
                      phase <= kMost ? ""
                                     : fmt::format("; choose dt of at most {:g}",
                                                   std::floor(1e4 * kMost / omega) / 1e4))};
}

// What fails because lists are wrong on purpose. The force of a pair in one list of two acts on one
// particle alone, so that momentum is not kept either.
void explain(std::vector<SelfCheck>& checks, const MdParameters& p) {
  const std::string why = p.wrongLists();
  if (why.empty()) return;
  for (SelfCheck& c : checks)
    if (!c.ok && !c.onPurpose &&
        (c.label == "energy" || c.label == "forces" || c.label == "neighbour list" ||
         (c.label == "momentum" && p.hasFault()))) {
      c.onPurpose = true;
      c.detail += ", " + why;
    }
}

SelfCheck forceCheck(const MdState& state, const std::vector<PairSums>& sums,
                     const MdParameters& p) {
  constexpr std::size_t kProbes = 8;
  const PairSettings pair = p.pair();
  const std::size_t n = sums.size(), probes = std::min(kProbes, n);
  std::vector<Vec3d> force(probes);
  exec::CpuPool(0).ranges(probes, 1, [&](std::size_t begin, std::size_t end) {
    for (std::size_t k = begin; k < end; ++k) force[k] = forceOn(state, k * n / probes, pair);
  });
  double worst = 0, square = 0;
  for (std::size_t k = 0; k < probes; ++k) {
    const std::size_t i = k * n / probes;
    const Vec3d f = force[k];
    worst = std::max({worst, std::abs(f.x - sums[i].fx), std::abs(f.y - sums[i].fy),
                      std::abs(f.z - sums[i].fz)});
    square += dot(f, f);
  }
  // A pair on the edge of a potential whose force jumps may be seen on either side of it.
  const double rms = std::sqrt(square / static_cast<double>(probes));
  const double jump = smooth(pair) ? 0.0 : forceJump(pair);
  // Positions rounded to floats, as lists and cells see them, are off by up to L 2^-25 in each of a
  // pair; u'' reaches 2500.
  const double rounding =
      2500.0 * p.by().rounding *
      *std::max_element(state.box.length, state.box.length + state.box.dimension);
  const double bound = 1e-4 * std::max(rms, 1.0) + jump + rounding + endRounding(pair);
  return {"forces", worst <= bound,
          fmt::format("{} particles differ from double precision by up to {:.1e}, at most {:.1e}",
                      probes, worst, bound)};
}

}  // namespace

// The bound and how it grows: see above. The temperature of few particles is not the same from
// one moment to the next; theirs is at least that of the start.
SelfCheck MdMode::energyCheck() {
  const md::MdSample now = measured();
  const double change = run_.startEnergy ? std::abs(now.conserved() - *run_.startEnergy) : 0.0;
  const auto n = static_cast<double>(active().n);
  const double spread = 1 + 4 * std::sqrt(2 / (box_.dimension * n));
  md::EnergyRun run{
      active().pair(), box_.dimension, n, n / box_.volume(), now.temperature() * spread,
      active().dt};
  if (active().n < kFew)
    run.temperature = std::max({now.temperature(), active().temperature,
                                2 * run_.startEnergy.value_or(0) / box_.dimension});
  run.time = run_.progress.time - run_.progress.energyTime;
  if (active().bathKind() == md::Thermostat::bussi) {
    const double apart = static_cast<double>(kStepsBetweenRescalings) * active().dt;
    run.temperature = std::max(run.temperature, active().bath().temperatureAt(step()));
    run.relaxed = apart / active().couplingTime;
    run.rescalings = run.time / apart;
  }
  md::EnergyBound b = md::energyBound(run);
  // A change of the volume does work on the error of the steps, too, which is not counted: that
  // goes as dt^2 f^2, and f^2 of a repulsion r^-12 as V^-k, k = 26 / d. The changes of a barostat,
  // up and down by turns, add up as a random walk does.
  b.bound *= 1 + 26.0 / box_.dimension * std::sqrt(run_.progress.strain2);
  std::string way;
  if (change > b.bound && active().wrongLists().empty())
    way = b.shorterDt > 0
              ? fmt::format("; choose a smaller time step, dt of at most {:.2g}", b.shorterDt)
              : std::string("; choose a smaller time step, dt");
  const std::string since =
      run_.progress.energyTime > 0
          ? fmt::format(" since t = {:.4g}, the last change of what acts on it",
                        run_.progress.energyTime)
          : "";
  const std::string jumps =
      b.perPair > 0
          ? fmt::format("; each pair that crosses the cutoff changes it by {:.2g}", b.perPair)
          : "";
  const double byHand = pulled().work;
  const std::string hand =
      byHand != 0 ? fmt::format(", beside the work of springs, {:.4g} in all", byHand) : "";
  return {"energy", change <= b.bound,
          fmt::format("changed by {:.2g} per particle{}{}; allowed {:.2g}{}{}", change, since, hand,
                      b.bound, jumps, way)};
}

std::vector<SelfCheck> MdMode::quickChecks() {
  std::vector<SelfCheck> checks = {{"particles", true, fmt::format("{}", active().n)}};
  if (!descent_.empty()) checks.push_back({"start", true, descent_});
  if (const std::string slow = active().by().warning(active().n); !slow.empty())
    checks.push_back(warningCheck(slow));
  if (nextPhase() != 0) return checks;  // energies belong to whole steps
  if (run_.startEnergy) {
    StateSums now = engine_->totals();
    const Vec3d given = pulled().impulse;
    now.px -= given.x, now.py -= given.y, now.pz -= given.z;
    checks.push_back(momentumCheck(now, startMomentum_, active(), step()));
    checks.push_back(energyCheck());
  } else {
    checks.push_back(timeStepCheck(active(), step()));
  }
  for (SelfCheck& c : active().by().quickChecks(*engine_, stepsWithLists()))
    checks.push_back(std::move(c));
  if (active().by().hasLists()) scene_.judge().addTo(checks.back(), step());
  if (!tuner_.result().empty()) checks.push_back({"tuned", true, tuner_.result()});
  explain(checks, active());
  return checks;
}

std::vector<SelfCheck> MdMode::selfChecks() {
  constexpr std::uint32_t kProbes = 32;
  const MdState s = engine_->download();
  std::size_t valid = 0;
  for (std::size_t i = 0; i < s.position.size(); ++i)
    valid += s.box.contains(s.position[i]) && isFinite(s.velocity[i]);
  const auto lists = listsCanBeJudged() ? lent<ListsLent>() : std::nullopt;
  if (lists && lists->partsDone < 0) {
    // Pairs of all particles, or of some spread over memory.
    std::vector<std::uint32_t> only;
    const std::size_t n = lists->input.n;
    for (std::uint32_t k = 0; n > md::ListJudge::kMostWhilePlaying && k < kProbes; ++k)
      only.push_back(static_cast<std::uint32_t>(k * n / kProbes));
    scene_.judge().judge(*lists, exec_->where(), step(), nextPhase(), std::move(only));
  }
  std::vector<SelfCheck> checks = quickChecks();
  checks[0] = {"particles", valid == static_cast<std::size_t>(active().n),
               fmt::format("{} of {} finite and in the box", valid, active().n)};
  if (listsAreOfForces()) checks.push_back(forceCheck(s, engine_->pairSums(), active()));
  for (SelfCheck& c : active().by().checks(*engine_, s, active().pair()))
    checks.push_back(std::move(c));
  explain(checks, active());
  return checks;
}

}  // namespace cellscope
