// What is offered to be seen and plotted; what is measured: totals, tail corrections, published
// values.
#include "sim/algo/md/pair_law.h"
#include "sim/algo/observables/fluid_reference.h"
#include "sim/layers/list.h"
#include "sim/modes/md/mode.h"

namespace cellscope {

// With velocities as they are, for conservation laws.
md::MdSample MdMode::measured() {
  CELLSCOPE_ASSERT(!ids_.empty());  // after restart(), adopt() or load()
  return completed(engine_->sampleNow(0), moment());
}

// The sums at a moment of the run, and what does not change from sample to sample.
md::MdSample MdMode::completed(const RunSample& taken, const Moment& moment) const {
  md::MdSample s;
  s.totals = taken.sums;
  s.particles = static_cast<double>(active().n);
  s.msd = taken.sums.displacement2 / s.particles;
  s.mass = totalMass();
  s.dimension = box_.dimension;
  s.volume = moment.volume;
  s.startEnergy = run_.startEnergy.value_or(std::numeric_limits<double>::quiet_NaN());
  s.heat = taken.heat, s.work = moment.work;
  s.sinceStart = moment.time - run_.progress.energyTime;
  addTail(s);
  return s;
}

// Of a potential that is cut: as if the fluid were uniform beyond the cutoffs.
void MdMode::addTail(md::MdSample& s) const {
  if (!active().tail) return;
  const SpeciesTable species = active().species();
  const double rho = s.particles / s.volume;
  for (int a = 0; a < species.types; ++a)
    for (int b = 0; b < species.types; ++b) {
      const double sigma = species.sigmaOf(a, b);
      const double scale = species.epsilonOf(a, b) * std::pow(sigma, s.dimension) *
                           static_cast<double>(types_.count[static_cast<std::size_t>(a)]) *
                           static_cast<double>(types_.count[static_cast<std::size_t>(b)]) /
                           (s.particles * s.particles);
      withPotentialEntry(active().law(), [&](auto entry) {
        PairOfTypes unit = pairOfTypes(species, a, b);
        unit.cutoff /= sigma;
        const TailConstants tail = entry.tail(unit, s.dimension).value_or(TailConstants{});
        s.tailEnergy += scale * rho * tail.energy;
        s.tailPressure += scale * rho * rho * tail.pressure;
      });
    }
}

std::vector<double> MdMode::sample() {
  CELLSCOPE_ASSERT(!ids_.empty());  // after restart(), adopt() or load()
  return sampled(engine_->sampleNow(run_.stepDt), step(), moment());
}

// Of the sample that was taken after this number of steps. What it takes longer to measure is
// measured now and then, at the state as it is.
std::vector<double> MdMode::sampled(const RunSample& taken, std::uint64_t steps,
                                    const Moment& moment) {
  md::MdSample s = completed(taken, moment);
  addLists(s, taken, steps);
  if (active().by().hasLists())
    sampler_.countBuilds(taken.builds, steps, engine_->history().firstStep);
  sampler_.add(s.temperature(), s.density());
  if (active().heats()) {
    const double held = active().barostatOn() ? active().targetPressure / s.density() : 0;
    sampler_.heating.add({s.temperature(), s.energy() + held, s.density(), s.pressure()});
  }
  CELLSCOPE_ASSERT(steps == step() || !measuresMore(steps));
  if (active().by().hasLists() && sampler_.fillDue(steps) && addFill(s))
    sampler_.fillMeasured(steps);
  if (sampler_.due(steps)) {
    addTrees(s);
    const MdSums& t = s.totals;
    const double farthest =
        std::max(5.0, active().species().diameter(types_.types() > 1 ? 1 : 0) + 4);
    sampler_.addCurves(steps, *engine_, box_, {t.px / s.mass, t.py / s.mass, t.pz / s.mass}, types_,
                       farthest);
  }
  return valuesOf(md::mdObservables(), s);
}

// False while a list is being built.
bool MdMode::addFill(md::MdSample& s) {
  const std::optional<ListedPairs> pairs = engine_->listFill();
  if (pairs && pairs->computed > 0)
    s.listFill = static_cast<double>(pairs->within) / static_cast<double>(pairs->computed);
  return pairs.has_value();
}

void MdMode::addLists(md::MdSample& s, const RunSample& taken, std::uint64_t steps) const {
  if (!active().by().hasLists()) return;
  const std::uint64_t first = engine_->history().firstStep;
  s.neighbours = taken.sums.listed / s.particles;
  s.builds = sampler_.buildsPerStep(taken.builds, steps, first);
  s.dangerous = static_cast<double>(taken.dangerous);
}

// Equations of state, at the temperature of the thermostat, or at the mean one of the samples in
// NVE, with a barostat at the mean density. Where there is none for the potential, values of
// simulations at the same total energy; a drift of the whole fluid is no part of it.
std::vector<ReferenceValue> MdMode::references() const {
  if (changesDensity()) return {};
  const bool pure = types_.types() == 1 && box_.dimension == 3;
  const double density = active().barostatOn()
                             ? sampler_.density().value_or(active().in(box_).density)
                             : active().density;
  const std::string potential = potentialKeys()[static_cast<std::size_t>(active().law())];
  const auto published = [&](double temperature) {
    return equationOfState(potential, active().cutoff, active().tail, temperature, density);
  };
  if (pure && active().bathOn() && active().barostatOn() && !active().tail) {
    std::vector<ReferenceValue> values =
        lennardJonesAtPressure(potential, active().cutoff, static_cast<std::uint64_t>(active().n),
                               active().bath().temperatureAt(step()), active().targetPressure);
    if (!values.empty()) return values;
  }
  if (pure && active().bathOn()) return published(active().bath().temperatureAt(step()));
  if (pure && sampler_.temperature()) {
    std::vector<ReferenceValue> values = published(*sampler_.temperature());
    for (ReferenceValue& v : values) v.source += ", at the mean temperature of this run";
    if (!values.empty()) return values;
  }
  if (!run_.startEnergy || !pure || active().tail) return {};
  const auto n = static_cast<double>(active().n);
  const double drift = dot(startMomentum_, startMomentum_) / (2.0 * n * n);
  return lennardJonesReferences(potential, active().cutoff, active().density,
                                static_cast<std::uint64_t>(active().n), *run_.startEnergy - drift);
}

const ModeDescription& MdMode::describe() {
  static const ModeDescription description = [] {
    ModeDescription d;
    d.key = "md";
    d.label = "Lennard-Jones molecular dynamics";
    d.dimensions = {2, 3};
    d.workUnit = "pair interactions";
    d.layers = layers::infosOf(layers::mdLayers());
    d.colourings = layers::MdColourings::infos();
    d.observables = infosOf(md::mdObservables());
    d.curves = {"g_r",       "speeds", "heating",      "method_race",
                "part_race", "tuning", "tuning_lanes", "checks"};
    d.parameters = &ParameterSet::defaults<md::MdParameters>;
    d.inDomains = true;
    return d;
  }();
  return description;
}

void MdMode::adjustInfo(ModeInfo& info) const {
  info.dimension = box_.dimension;
  info.workUnit = active().by().workUnit;
  // A mean over a ramp is one of no state.
  if (active().heats() && step() < active().bath().rampSteps)
    for (ObservableInfo& o : info.observables) o.grows = true;
  for (LayerInfo& layer : info.layers)
    for (LayerOption& option : layer.options)
      if (layer.key == info.layers.front().key && option.kind == LayerOption::Kind::types)
        option.names = types_.names;  // files and descriptions have A and B
  // One species: nothing to choose from.
  if (active().species().types == 1)
    for (LayerInfo& layer : info.layers)
      std::erase_if(layer.options, [](const LayerOption& option) {
        return option.kind == LayerOption::Kind::types;
      });
}

std::vector<std::string> MdMode::phases(const md::MdParameters& p) const {
  std::vector<std::string> all = p.by().phases(listKept_ && nextPhase() > 0);
  all.insert(all.begin(), p.barostatOn() ? "volume, half kick, drift" : "half kick and drift");
  all.emplace_back("half kick");
  if (!listGoesOn_ || &p.by() != &active().by()) return all;
  if (const auto lists = lent<ListsLent>())
    all.at(static_cast<std::size_t>(nextPhase())) = lists->builder->partWords();
  return all;
}

// Beside what is published of boiling at the pressure that is held.
Curve MdMode::heatingCurve() const {
  const md::MdParameters& p = active();
  std::optional<double> held;
  std::optional<md::Boiling> known;
  if (p.barostatOn()) held = p.targetPressure;
  const bool published = potentialKeys()[static_cast<std::size_t>(p.law())] == "truncated" &&
                         types_.types() == 1 && box_.dimension == 3;
  if (held && published) known = md::publishedBoiling(*held, p.cutoff, p.tail);
  return md::heatingChart(sampler_.heating, p.bathTemperature, held, known);
}

std::vector<Curve> MdMode::curves() const {
  std::vector<Curve> all = sampler_.curves(types_);
  if (active().heats()) all.push_back(heatingCurve());
  const ListHistory h = engine_->history();
  const double lasting =
      h.builds > 0 ? static_cast<double>(stepsWithLists()) / static_cast<double>(h.builds) : 10.0;
  for (Curve& chart : races_.charts(active(), std::max(1.0, lasting)))
    all.push_back(std::move(chart));
  for (Curve& chart : tuner_.charts()) all.push_back(std::move(chart));
  if (auto chart = scene_.checksChart()) all.push_back(std::move(*chart));
  return all;
}

void MdMode::addTrees(md::MdSample& s) {
  const auto lists = lent<ListsLent>();
  if (!lists) return;
  double overlap = 0, parents = 0, cost = 0;
  std::int32_t depth = -1;
  for (const TreeStatistics& t : scene_.statistics(*lists, engine_->history())) {
    const auto inner = static_cast<double>(t.nodes - t.leaves);
    depth = std::max(depth, t.depth);
    overlap += inner * t.meanOverlap, parents += inner;
    cost += t.surfaceCost;
  }
  if (depth < 0) return;
  s.treeDepth = depth;
  s.treeOverlap = parents > 0 ? overlap / parents : 0.0;
  s.treeCost = cost;
}

}  // namespace cellscope
