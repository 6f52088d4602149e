// What is offered to be seen and plotted, what is measured, and what must hold in every valid run.
#include <unordered_set>

#include "sim/algo/observables/fluid_reference.h"
#include "sim/layers/list.h"
#include "sim/modes/gcmc/mode.h"

namespace cellscope {

using gcmc::GcmcSample;

// Above, the Lennard-Jones system is a compressed crystal, into which nothing can be inserted: the
// solid melts at 1.18 at T = 2.74 (Ahmed and Sadus 2009), and where repulsion rules, densities of
// melting grow as T^(d/12). In the plane neighbours at the minimum of the potential make 0.92. Hard
// spheres are closest at sqrt(2), hard disks at 2 / sqrt(3).
static double crowdedDensity(int dimension, double temperature, bool hard) {
  if (hard) return dimension == 3 ? 1.4 : 1.15;
  const double cold = dimension == 3 ? 1.2 : 1.1;
  return cold * std::pow(std::max(1.0, temperature / 2.74), dimension / 12.0);
}

void GcmcMode::adjustInfo(ModeInfo& info) const {
  info.dimension = active().dimensions();
  // Hard spheres have no energy of their own but that of their motion.
  if (active().hard() && active().temperature == 1)
    for (ObservableInfo& o : info.observables)
      if (o.unit.starts_with("epsilon")) o.unit.replace(0, 7, "k_B T");
  if (active().mixed()) return;  // one species: no types to choose from
  for (LayerInfo& layer : info.layers)
    std::erase_if(layer.options,
                  [](const LayerOption& o) { return o.kind == LayerOption::Kind::types; });
}

// Mean of exp(-dU / T) over random points (Widom 1963), with the tail of one more particle; of a
// mixture, of a type drawn as for insertions, for which <N> = z V <exp(-dU / T)> as well.
double GcmcMode::widom() {
  const auto count = static_cast<std::uint32_t>(active().widomPoints);
  const GcmcRules rules = makeGcmcRules(active().settings(), active().box());
  std::vector<GcmcPoint> points;
  for (std::uint32_t k = 0; k < count; ++k) {
    const Random4 r = draw(rules.key, RngPurpose::gcmcWidom, made_.moves, k, 0);
    points.push_back({r.w[0], r.w[1], rules.dimension == 3 ? r.w[2] : 0u});
    if (rules.pair.mixed) points.back() = gcmcWithType(points.back(), gcmcDrawnType(rules, r.w[3]));
  }
  const double tail = gcmcTailChange(rules, GcmcKind::insertion, engine_->count());
  double sum = 0;
  for (const double dU : engine_->energiesAt(points)) sum += std::exp(-rules.beta * (dU + tail));
  return sum / count;
}

// sums: over pairs, otherwise as if there were none; points: Widom's, otherwise NaN.
GcmcSample GcmcMode::measured(bool withSums, bool points) {
  const P& p = active();
  const GcmcRules rules = makeGcmcRules(p.settings(), p.box());
  const GcmcSums sums = withSums ? engine_->sums() : GcmcSums{};
  GcmcSample s;
  s.particles = engine_->count();
  if (p.mixed()) {
    const GcmcState state = engine_->state();
    s.ofB = static_cast<double>(std::count_if(state.point.begin(), state.point.end(), gcmcTypeOf));
  }
  s.volume = p.box().volume();
  s.temperature = p.temperature;
  s.dimension = p.dimensions();
  s.energy = sums.energy + rules.tail * s.particles * s.particles;
  s.virial = sums.virial * (p.hard() ? p.temperature : 1);
  s.tailPressure = tailOf(p.settings(), s.dimension).pressure;
  s.drift = engine_->energy() - sums.energy;
  s.boltzmann = points ? widom() : std::nan("");
  s.moves = made_.sinceSample;
  s.flights = made_.counts.flightsSinceSample;
  return s;
}

std::vector<double> GcmcMode::sample() {
  const GcmcSample s = measured(true, true);
  made_.sinceSample = {}, made_.counts.flightsSinceSample = {};
  if (!preparation()) sampler_.add(s);
  return valuesOf(gcmc::gcmcObservables(), s);
}

double GcmcMode::valueNow(std::size_t observable) {
  const gcmc::GcmcObservable& o = gcmc::gcmcObservables()[observable];
  const std::string& id = o.info.id;
  const bool counts = id == "particles" || id == "density" || id.ends_with("_a") ||
                      id.ends_with("_b") || id.starts_with("acceptance");
  return o.value(measured(!counts, id == "insertion_factor"));
}

std::vector<std::optional<Vec3d>> GcmcMode::placesOf(const std::vector<ParticleId>& ids) {
  const GcmcState s = engine_->state();
  return each(ids, [&](ParticleId id) {
    const auto slot = s.slotOf(id);
    return slot ? std::optional(gcmcPosition(s.box, s.point[*slot])) : std::nullopt;
  });
}

std::vector<Neighbour> GcmcMode::neighboursOf(ParticleId id) {
  const GcmcState s = engine_->state();
  const GcmcPair pair = makeGcmcRules(active().settings(), s.box).pair;
  std::vector<Neighbour> all;
  const auto slot = s.slotOf(id);
  if (!slot) return all;
  const GcmcPoint at = s.point[*slot];
  for (std::size_t k = 0; k < s.id.size(); ++k) {
    if (s.id[k] == id || !(gcmcReduced(pair, at, s.point[k]).r2 < pair.cutoffSquared)) continue;
    const float r2 = gcmcDistance2(pair, at, s.point[k]);
    Neighbour n{s.id[k], std::sqrt(static_cast<double>(r2)), true, std::nullopt, std::nullopt};
    if (!active().hard()) n.energy = gcmcPairAt(pair, at, s.point[k]);
    all.push_back(n);
  }
  return all;
}

Table GcmcMode::lastMoves() {
  constexpr const char* kKinds[] = {"displace", "insert", "delete", "exchange"};
  Table t{{{"move", "Its number since the start of the run, from 0"},
           {"kind",
            "What was tried: to displace, insert or delete a particle, or to exchange its type"},
           {"id", "Of the particle; of an insertion the one that it gets if it is accepted"},
           {"energy", "Change of the pair energy by the trial, epsilon"},
           {"verdict", "accepted or rejected"}},
          {},
          "no step was recorded yet: make one"};
  const GcmcState now = engine_->state();
  const std::unordered_set<ParticleId> ids(now.id.begin(), now.id.end());
  for (const GcmcEvent& e : scene_.lastMoves()) {
    const bool there = ids.count(e.id) > 0;
    const Vec3d at = gcmcPosition(now.box, e.after);
    t.rows.push_back({{wholeCell(static_cast<std::int64_t>(e.move)),
                       {kKinds[static_cast<int>(e.kind)], static_cast<double>(e.kind)},
                       e.id < 0 ? TableCell{"none", -1} : wholeCell(e.id),
                       numberCell(active().hard() ? std::nan("") : e.change, 6),
                       {e.accepted ? "accepted" : "rejected", 0}},
                      there ? e.id : -1,
                      there || e.id < 0 ? "" : fmt::format("move {}", e.move),
                      false,
                      at,
                      at});
  }
  if (!t.rows.empty()) t.note.clear();
  if (t.rows.size() >= gcmc::GcmcScene::kMostEvents)
    t.note = fmt::format("the last {} moves of the step", t.rows.size());
  return t;
}

// Without exchange it is the canonical ensemble: equations of state at this density.
std::vector<ReferenceValue> GcmcMode::referencesAtConstantNumber() const {
  const P& p = active();
  if (p.dimensions() != 3 || p.ideal()) return {};
  std::vector<ReferenceValue> all = equationOfState(
      gcmc::gcmcPotentials()[static_cast<std::size_t>(p.potential.index)].key, p.cutoff,
      p.settings().tail, p.temperature, engine_->count() / p.box().volume());
  for (ReferenceValue& r : all)
    if (r.observable == "potential") r.observable = "energy";
  return all;
}

std::vector<ReferenceValue> GcmcMode::references() const {
  const P& p = active();
  const GcmcSettings s = p.settings();
  std::vector<ReferenceValue> all;
  if (p.hard()) return gcmc::hardSphereReferences(p, engine_->count());
  if (p.mixed() && (p.exchange > 0 || p.insertion > 0))
    all.push_back({"fraction_b", p.shareB, 0,
                   p.ideal() ? "ideal gas, exact: y" : "activity fraction of B, y"});
  if (p.insertion == 0) return p.mixed() ? all : referencesAtConstantNumber();
  if (p.ideal()) {
    const double zV = p.activity * p.box().volume();
    all.push_back({"particles", zV, 0, "ideal gas, exact: <N> = z V"});
    all.push_back({"density", p.activity, 0, "ideal gas, exact: z"});
    all.push_back({"pressure", p.activity * p.temperature, 0, "ideal gas, exact: z T"});
    return all;
  }
  if (p.dimensions() != 3 || !p.has("truncated") || p.mixed()) return all;
  const GrandCanonicalState at{p.temperature, p.lnActivity(), p.side(), s.cutoff, s.tail};
  all = gcmcReferences(at);
  return all.empty() ? gcmcReferencesOfLarger(at) : all;
}

// A reservoir that fills the box is a failure, but for an experiment; one that nearly does or
// leaves it empty is worth a warning.
void GcmcMode::addNumberChecks(std::vector<SelfCheck>& all) const {
  constexpr double kNearly = 0.85, kMostlyEmpty = 0.9;
  const double rho = engine_->count() / active().box().volume();
  const double most = crowdedDensity(active().dimensions(), active().temperature, active().hard()) /
                      active().leastVolume();
  // A number that is constant is as it was asked for.
  const bool ideal = active().ideal() || active().insertion == 0, crowded = !ideal && rho > most;
  const bool byExperiment = active().wrongSign || active().oldNumber || brokenMethod();
  std::string detail = fmt::format("{}, density {:.4g}", engine_->count(), rho);
  if (crowded)
    detail += fmt::format(", above {:g}: the reservoir fills the box; lower the chemical potential",
                          most);
  all.push_back({"particles", !crowded, detail, crowded && byExperiment});
  const std::string now = fmt::format("(now {:g} at T = {:g})", active().mu, active().temperature);
  if (!ideal && !crowded && active().insertion > 0 && rho > kNearly * most)
    all.push_back(
        warningCheck(fmt::format("at density {:.4g} almost no insertion finds room: lower the "
                                 "chemical potential {} for a fluid",
                                 rho, now)));
  // A box that is empty for a moment is nothing to be warned of.
  if (const double empty = sampler_.emptyFraction(); empty > kMostlyEmpty)
    all.push_back(
        warningCheck(fmt::format("the reservoir empties the box: no particle in it after {:.3g} % "
                                 "of the steps; raise the chemical potential {}",
                                 100 * empty, now)));
}

// Cheap ones, for every frame.
std::vector<SelfCheck> GcmcMode::quickChecks() {
  std::vector<SelfCheck> all;
  addNumberChecks(all);
  all.push_back(
      {"method", true, gcmc::methodInWords(*method_, active(), config().backend) + auto_.words()});
  if (const P& p = active(); p.mixed()) {
    const auto part = [&](double share) {
      const double z = share * p.activity;
      return share > 0
                 ? fmt::format("mu = {:.4g}, f = {:.4g}", potentialOfActivity(z, p.temperature),
                               fugacityOfActivity(z, p.temperature))
                 : std::string("none");
    };
    all.push_back(
        {"reservoir", true, fmt::format("A: {}; B: {}", part(1 - p.shareB), part(p.shareB))});
  }
  all.push_back({"storage", true,
                 fmt::format("room for {}, grown {} times; no move was rejected for lack of it",
                             room_, grown_)});
  method_->addChecks(all, active(), made_.counts);
  if (auto missed = missedTarget(tuner_, active().maxDisplacement))
    all.push_back(std::move(*missed));
  for (SelfCheck& c : replicas_.checks(active())) all.push_back(std::move(c));
  return all;
}

std::vector<SelfCheck> GcmcMode::selfChecks() {
  replicas_.bringUpToDate();
  std::vector<SelfCheck> checks = quickChecks();
  const GcmcState s = engine_->state();
  const double drift = engine_->energy() - engine_->sums().energy;
  checks.push_back({"energy drift", drift == 0,
                    fmt::format("running sum minus recomputed: {:g}, must be 0", drift),
                    drift != 0 && brokenMethod()});
  if (active().hard()) {
    const double overlaps = engine_->sums().energy / static_cast<double>(kGcmcOverlap);
    if (overlaps > 0)
      checks.push_back(warningCheck(fmt::format(
          "{:g} pairs overlap: the state that other particles left; no move makes a new one",
          overlaps)));
  }
  std::vector<ParticleId> ids = s.id;
  std::sort(ids.begin(), ids.end());
  const bool unique = std::adjacent_find(ids.begin(), ids.end()) == ids.end();
  checks.push_back({"ids", unique && ids.size() == s.point.size(),
                    unique ? "each once" : "an id is used twice"});
  return checks;
}

const ModeDescription& GcmcMode::describe() {
  static const ModeDescription description = [] {
    ModeDescription d;
    d.key = "gcmc";
    d.label = "Lennard-Jones fluid at constant chemical potential";
    d.stepName = "step";
    d.dimensions = {2, 3};
    d.workUnit = "trial moves";
    d.layers = layers::infosOf(layers::gcmcLayers());
    d.colourings = layers::GcmcColourings::infos();
    d.observables = infosOf(gcmc::gcmcObservables());
    d.curves = {"number",
                "ln_number",
                "isotherm",
                "excess_potential",
                "replica_isotherm",
                "replica_energy",
                "replica_ln_number",
                "replica_coexistence",
                "method_race",
                "rounds_per_batch",
                "decided_after_round",
                "speculation"};
    d.parameters = &ParameterSet::defaults<gcmc::GcmcParameters>;
    d.inDomains = true;
    return d;
  }();
  return description;
}

}  // namespace cellscope
