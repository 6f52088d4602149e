// Self-checks: what must hold in every valid run.
#include <fmt/format.h>

#include "sim/algo/all_pairs/tile_forces.h"
#include "sim/exec/cpu_pool.h"
#include "sim/modes/md/energy_error.h"
#include "sim/modes/md/mode.h"

namespace cellscope {

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
    const auto force = [&](double at) { return pair.terms(at * at, 1.0 / at).forceOverR * at; };
    worst = std::max(worst, std::abs(force(r - h) - force(r)) / h * r);
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

// The bound and how it grows: energy_error.h. The temperature of few particles is not the same from
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

// Pairs of all particles, or of some spread over memory.
void MdMode::judgeLists() {
  constexpr std::uint32_t kProbes = 32;
  const auto lists = lent<ListsLent>();
  if (!lists || lists->partsDone >= 0) return;
  std::vector<std::uint32_t> only;
  const std::size_t n = lists->input.n;
  for (std::uint32_t k = 0; n > md::ListJudge::kMostWhilePlaying && k < kProbes; ++k)
    only.push_back(static_cast<std::uint32_t>(k * n / kProbes));
  scene_.judge().judge(*lists, exec_->where(), step(), nextPhase(), std::move(only));
}

std::vector<SelfCheck> MdMode::selfChecks() {
  const MdState s = engine_->download();
  std::size_t valid = 0;
  for (std::size_t i = 0; i < s.position.size(); ++i)
    valid += s.box.contains(s.position[i]) && isFinite(s.velocity[i]);
  if (listsCanBeJudged()) judgeLists();
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
