// States from and to files: configurations and checkpoints.
#include "sim/modes/md/mode.h"

namespace cellscope {

using md::MdParameters;

namespace {

// Two particles at the same position exert no force on each other, so that no energy reveals them.
void requireDistinct(const MdState& s, const std::vector<ParticleId>& ids) {
  std::vector<std::array<std::int32_t, 4>> places;
  const Vec3d steps = latticeSteps(s.box);
  for (std::size_t i = 0; i < s.position.size(); ++i) {
    const LatticePosition p = latticePosition(s.position[i], steps);
    places.push_back({p.x, p.y, p.z, static_cast<std::int32_t>(i)});
  }
  std::sort(places.begin(), places.end());
  for (std::size_t k = 1; k < places.size(); ++k)
    if (std::equal(places[k].begin(), places[k].begin() + 3, places[k - 1].begin()))
      throw InputError(
          "configuration: particles {} and {} are at the same position; move or remove one, or set "
          "minimise = true",
          ids[static_cast<std::size_t>(places[k - 1][3])],
          ids[static_cast<std::size_t>(places[k][3])]);
}

void requireNoOverlap(const std::vector<PairSums>& sums, const std::vector<ParticleId>& ids) {
  constexpr double kWorst = 1e4;  // two particles at r = 0.5
  for (std::size_t i = 0; i < sums.size(); ++i)
    if (!(sums[i].energy < kWorst))
      throw InputError(
          "configuration: particle {} overlaps with another: its potential energy is {:.3g} "
          "epsilon (at most {:g}); move or remove one, or set minimise = true",
          ids[i], sums[i].energy, kWorst);
}

// Whether the box is the expected one, or one of the same shape.
bool hasShape(const Box& box, const Box& expected, bool anySize) {
  const double factor = anySize ? box.length[0] / expected.length[0] : 1;
  bool has = box.dimension == expected.dimension && (box.dimension == 3 || box.length[2] == 1);
  for (int a = 0; a < box.dimension; ++a) {
    const double length = factor * expected.length[a];
    has = has && box.length[a] > 0 && std::isfinite(box.length[a]) &&
          std::abs(box.length[a] - length) <= 1e-6 * length;
  }
  return has;
}

std::vector<Vec3d> vectors(const std::vector<double>& values) {
  std::vector<Vec3d> all(values.size() / 3);
  for (std::size_t i = 0; i < all.size(); ++i)
    all[i] = {values[3 * i], values[3 * i + 1], values[3 * i + 2]};
  return all;
}

// What a state brings: numbers of particles, shape of the box, density.
void takeOver(const MdState& s, MdParameters& p) {
  ParameterSet set = ParameterSet::of(p);
  const auto n = static_cast<std::int64_t>(s.position.size());
  const auto ofSecond =
      static_cast<std::int64_t>(std::count(s.type.begin(), s.type.end(), std::uint8_t{1}));
  set.at("dimension").set(std::string(s.box.dimension == 2 ? "2" : "3"));
  set.at("aspect_y").set(s.box.length[1] / s.box.length[0]);
  set.at("aspect_z").set(s.box.dimension == 3 ? s.box.length[2] / s.box.length[0] : 1.0);
  set.at("n").set(n);
  if (p.what() == md::System::colloids) {
    set.at("colloids").set(ofSecond);
    set.at("colloid_fraction")
        .set(std::numbers::pi / 6.0 * std::pow(p.colloidDiameter, 3) *
             static_cast<double>(ofSecond) / s.box.volume());
    return;
  }
  set.at("density").set(static_cast<double>(n) / s.box.volume());
  if (p.what() == md::System::binary)
    set.at("fraction_b").set(static_cast<double>(ofSecond) / static_cast<double>(n));
}

// Positions and velocities as a configuration has them.
Configuration configurationOf(const MdState& s, const std::vector<ParticleId>& ids,
                              const std::vector<std::uint8_t>& types,
                              std::vector<Species> species) {
  Configuration c;
  c.box = s.box;
  c.species = std::move(species);
  c.types.assign(types.begin(), types.end());
  c.ids = ids;
  for (std::size_t i = 0; i < s.position.size(); ++i) {
    const Vec3d r = s.position[i], v = s.velocity[i];
    c.positions.insert(c.positions.end(), {r.x, r.y, r.z});
    c.velocities.insert(c.velocities.end(), {v.x, v.y, v.z});
  }
  return c;
}

}  // namespace

void MdMode::startFrom(const Configuration& c, const MdParameters& draft) {
  MdState s;
  requireValid(c);
  s.box = withoutRounding(c.box);
  MdParameters p = draft;
  if (p.what() == md::System::pure)
    requireReduced(c, "md");
  else
    s.type = p.what() == md::System::binary
                 ? typesByName(c, p.speciesList(), "binary", "sigma_b")
                 : typesByName(c, p.speciesList(), "colloids", "colloid_diameter");
  s.position = vectors(c.positions);
  takeOver(s, p);
  check(p);
  const double longest = p.largestCutoff();
  const double most = p.by().sides * s.box.shortest();
  if (longest > most)
    throw InputError(
        "configuration: {} = {:.4g} is more than {} the {} of its box; use at most {:g}{}",
        longest == p.cutoff ? "cutoff" : "the longest reach of the potential", longest,
        p.by().sidesInWords, shortestSideInWords(s.box), most, p.by().longerCutoffs);
  md::requireRoom(p, c.size(), s.box);
  md::checkMemory(p, config());
  for (Vec3d& r : s.position) r = s.box.wrap(r);
  const md::Masses masses{s.type, p.species()};
  s.velocity = c.velocities.empty()
                   ? md::maxwellVelocities(p.n, p.temperature, static_cast<std::uint64_t>(p.seed),
                                           s.box.dimension, masses)
                   : vectors(c.velocities);
  if (p.minimise)
    md::separate(s, static_cast<std::uint64_t>(p.seed));
  else
    requireDistinct(s, c.ids);
  if (p.removeDrift) md::removeDrift(s.velocity, masses);
  std::unique_ptr<MdEngine> engine = prepared(p, s, progressOf("computing the first forces"));
  std::string descent;
  if (p.minimise) descent = minimised(*engine, s, c.ids, md::kGentleForce);
  requireNoOverlap(engine->pairSums(), c.ids);
  startOver(p, std::move(engine), s, c.ids);
  descent_ = std::move(descent);
}

Configuration MdMode::configuration() const {
  return configurationOf(engine_->download(), ids_, types_.of, active().speciesList());
}

void MdMode::saveState(BinaryWriter& w) const {
  MdState s = engine_->download();
  // What is saved does not depend on when particles were looked at last.
  const FollowParticles follow{
      {s.position.data(), nullptr, s.followed.origin.data(), s.followed.seen.data(), box_},
      s.followed.seen.data()};
  for (std::size_t i = 0; i < s.position.size(); ++i) follow(i);
  w.array(box_.length, 3);
  w.value(static_cast<std::uint8_t>(box_.dimension));
  w.value(run_.changeFrom);
  w.value(run_.stepDt);
  w.value(static_cast<std::uint8_t>(run_.startEnergy.has_value()));
  w.value(run_.startEnergy.value_or(0));
  w.value(startMomentum_);
  w.value(run_.progress);
  w.array(ids_.data(), ids_.size());
  if (active().what() != md::System::pure) w.array(types_.of.data(), types_.of.size());
  w.value(nextId_);
  w.vector(run_.held.all);
  for (const Vec3d& at : {run_.held.from, run_.held.end, run_.held.to}) w.value(at);
  w.value(run_.held.k);
  w.array(s.followed.origin.data(), s.followed.origin.size());
  w.array(s.followed.seen.data(), s.followed.seen.size());
  w.array(s.position.data(), s.position.size());
  w.array(s.velocity.data(), s.velocity.size());
  active().by().save(w, s);
  w.vector(sampler_.numbers());
}

// Those of several domains cannot be held.
MdMode::Held MdMode::heldOf(BinaryReader& r, std::size_t n) const {
  Held held;
  held.all = r.vectorUpTo<HeldParticle>("what is held", n);
  for (Vec3d* at : {&held.from, &held.end, &held.to}) *at = r.value<Vec3d>("the hand");
  held.k = r.value<double>("the spring");
  bool possible = std::isfinite(held.k) && isFinite(held.from) && isFinite(held.end) &&
                  isFinite(held.to) && (!held.any() || config().allDomains() == 1);
  for (std::size_t i = 0; i < held.all.size(); ++i) {
    const HeldParticle& h = held.all[i];
    possible = possible && h.number < n && (i == 0 || h.number > held.all[i - 1].number) &&
               isFinite(h.anchor) && std::isfinite(h.work) && isFinite(h.impulse);
  }
  if (!possible) throw InputError("checkpoint: what the hand holds is impossible");
  return held;
}

void MdMode::loadState(BinaryReader& r, const MdParameters& p, int phase) {
  MdState s;
  r.array(s.box.length, 3, "box");
  s.box.dimension = r.value<std::uint8_t>("dimension");
  Run run;
  run.changeFrom = r.value<double>("change of density");
  run.stepDt = r.value<double>("time step");
  const bool hasStart = r.value<std::uint8_t>("start energy") != 0;
  const auto startEnergy = r.value<double>("start energy");
  const auto startMomentum = r.value<Vec3d>("start momentum");
  if (hasStart) run.startEnergy = startEnergy;
  const Progress& progress = run.progress = r.value<Progress>("time and heat");
  const bool itsOwn = p.barostatOn() || run.changeFrom > 0;
  if (!hasShape(s.box, p.box(), itsOwn) || !std::isfinite(run.changeFrom) ||
      !(run.changeFrom >= 0) || (itsOwn && !md::outOfRange(p.in(s.box)).empty()) ||
      p.largestCutoff() > p.by().sides * s.box.shortest() * (1 + 1e-9) ||
      !std::isfinite(startEnergy) || !std::isfinite(progress.heat + progress.work) ||
      !(progress.strain2 >= 0 && std::isfinite(progress.strain2)) || !(progress.time >= 0) ||
      !isFinite(startMomentum) || !(run.stepDt >= 0 && std::isfinite(run.stepDt)))
    throw InputError("checkpoint: box, cutoff, time step or energy are impossible");
  md::checkMemory(p.in(s.box), config());
  const auto n = static_cast<std::size_t>(p.n);
  auto ids = r.items<ParticleId>(n, "the ids");
  if (p.what() != md::System::pure) {
    s.type = r.items<std::uint8_t>(n, "the types");
    for (const std::uint8_t t : s.type)
      if (t > 1) throw InputError("checkpoint: type {} is impossible", t);
  }
  const auto nextId = r.value<ParticleId>("the next id");
  if (nextId <= *std::max_element(ids.begin(), ids.end()))
    throw InputError("checkpoint: the next id is that of a particle");
  run.held = heldOf(r, n);
  s.followed.origin = r.items<Vec3>(n, "the origins");
  s.followed.seen = r.items<Vec3>(n, "the displacements");
  s.position = r.items<Vec3d>(n, "the positions");
  s.velocity = r.items<Vec3d>(n, "the velocities");
  requireValid(configurationOf(s, ids, s.type, p.speciesList()), "checkpoint");
  p.by().load(r, p, s);
  const std::vector<double> curves = r.vectorUpTo<double>("curves", 100000);
  md::MdSampler sampler(static_cast<std::uint64_t>(p.n));
  if (!sampler.restore(curves, p.speciesList().size()))
    throw InputError("checkpoint: the curves are impossible");
  // Forces are a function of the positions.
  std::unique_ptr<MdEngine> engine = prepared(p, s, progressOf("computing the forces"));
  startOver(p, std::move(engine), s, std::move(ids));
  sampler_ = std::move(sampler);
  run_ = keptRun_ = run;
  engine_->setHeat(progress.heat);
  startMomentum_ = startMomentum;
  nextId_ = nextId;
  engine_->hold(run_.held.all);
  if (phase == 1) engine_->recheck();
}

// Others, between two steps; the run goes on, and what is conserved counts from here.
void MdMode::replaceParticles(MdState s, std::vector<ParticleId> ids) {
  MdParameters p = active();
  takeOver(s, p);
  check(p);
  md::requireRoom(p, s.position.size(), s.box);
  md::checkMemory(p, config());
  s.dropDerived();
  s.history = {.firstStep = step(), .lastStep = step()};
  std::unique_ptr<MdEngine> engine = prepared(p, s, progressOf("computing the forces"));
  const std::uint64_t steps = step();
  const Progress progress = run_.progress;
  const ParticleId next = std::max(nextId_, *std::max_element(ids.begin(), ids.end()) + 1);
  const double dt = run_.stepDt;
  startOver(p, std::move(engine), s, std::move(ids));
  setStep(steps, 0);
  run_.progress = keptRun_.progress = progress;
  nextId_ = next, run_.stepDt = dt;
  markStart();
  judgedFrom_ = steps + 1;
  refreshInfo();
}

}  // namespace cellscope
