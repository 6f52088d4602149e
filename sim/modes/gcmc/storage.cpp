// States from and to files, pictures and picking.
#include "sim/modes/gcmc/mode.h"
#include "sim/modes/gcmc/start.h"

namespace cellscope {

using gcmc::GcmcParameters;

namespace {

constexpr double kWorstEnergy = 1e5;  // two particles at r = 0.43

// Exchanges, which older checkpoints do not have, come last.
void counterFields(auto& io, auto& made, bool mixed) {
  for (auto* const c : {&made.sinceSample, &made.round}) {
    io.array(c->attempted, 3, "counters"), io.array(c->accepted, 3, "counters");
    io.field(c->speculation, "counters");
  }
  for (auto* const c : {&made.sinceSample, &made.round})
    if (mixed) io.field(c->attempted[3], "counters"), io.field(c->accepted[3], "counters");
}

void requireNoOverlap(const GcmcEngine& engine, const GcmcState& s, const GcmcRules& rules) {
  const std::vector<double> energy = gcmc::energiesWithOthers(engine, s.point, rules);
  for (std::size_t i = 0; i < energy.size(); ++i)
    if (!(energy[i] < kWorstEnergy))
      throw InputError(
          "configuration: particle {} overlaps with another: its energy is {:.3g} epsilon (at most "
          "{:g}); move or remove one",
          s.id[i], energy[i], kWorstEnergy);
}

}  // namespace

void GcmcMode::startFrom(const Configuration& c, const GcmcParameters& draft) {
  requireValid(c);
  const Box box = withoutRounding(c.box);
  if (c.size() > 0 && !draft.mixed()) requireReduced(c, "gcmc");
  GcmcParameters p = draft;
  gcmc::followEdits(p, active());
  ParameterSet set = ParameterSet::of(p);
  set.at("dimension").set(std::to_string(c.box.dimension));
  set.at("length").set(box.length[0]);
  const bool even = box == cubicBox(box.length[0]) || box == squareBox(box.length[0]);
  set.at("length_y").set(even && p.lengthY == 0 ? 0.0 : box.length[1]);
  set.at("length_z").set((even && p.lengthZ == 0) || box.dimension == 2 ? 0.0 : box.length[2]);
  set.at("density").set(static_cast<double>(c.size()) / box.volume());
  gcmc::checkParameters(p, config());
  GcmcState s;
  s.box = p.box();
  for (std::size_t i = 0; i < c.size(); ++i) s.point.push_back(gcmcPointAt(s.box, c.place(i)));
  if (p.mixed()) {
    const std::vector<std::uint8_t> types = typesByName(c, p.speciesList(), "binary", "sigma_b");
    for (std::size_t i = 0; i < c.size(); ++i) s.point[i] = gcmcWithType(s.point[i], types[i]);
  }
  s.id = c.ids;
  s.idBase = c.ids.empty() ? 0 : *std::max_element(c.ids.begin(), c.ids.end()) + 1;
  std::unique_ptr<GcmcEngine> engine = prepared(p, s);
  requireNoOverlap(*engine, s, makeGcmcRules(p.settings(), s.box));
  startOver(p, std::move(engine), newReplicas(p));
}

Configuration GcmcMode::configuration() const {
  const GcmcState s = engine_->state();
  Configuration c;
  c.box = s.box;
  c.ids = s.id;
  c.species = active().speciesList();
  for (const GcmcPoint& p : s.point) {
    const Vec3d r = gcmcPosition(s.box, p);
    c.positions.insert(c.positions.end(), {r.x, r.y, r.z});
    if (active().mixed()) c.types.push_back(gcmcTypeOf(p));
  }
  return c;
}

// N and the energy of each replica: energies are exact sums.
std::vector<double> GcmcMode::numbersOfAll() const {
  std::vector<double> all;
  if (!replicas_.on()) return all;
  for (const GcmcReplicaNow& r : replicas_.now())
    all.insert(all.end(), {static_cast<double>(r.n), r.energy});
  return all;
}

void GcmcMode::saveState(BinaryWriter& w) const {
  const GcmcState s = engine_->state();
  gcmc::saveChain(w, s);
  // What speculative estimates, where `auto` may have taken it or not.
  w.value(gcmc::isAutomatic(active()) ? GcmcState().acceptance : s.acceptance);
  w.value(made_.moves);
  counterFields(w, made_, active().mixed());
  writeTuner(w, tuner_.state);
  sampler_.save(w);
  made_.counts.save(w);
  replicas_.save(w);
}

void GcmcMode::loadState(BinaryReader& r, const GcmcParameters& p, int) {
  GcmcState s = gcmc::loadChain(r, p.box(), static_cast<std::size_t>(p.mostParticles()));
  s.acceptance = r.value<double>("acceptance");
  if (!(s.acceptance >= 0 && s.acceptance <= 1))
    throw InputError("checkpoint: the acceptance is impossible");
  Made made;
  made.moves = r.value<std::uint64_t>("moves");
  counterFields(r, made, p.mixed());
  const auto tuner = readTuner(r);
  gcmc::GcmcSampler sampler;
  sampler.load(r);
  made.counts.load(r);
  std::vector<ParticleId> ids = s.id;
  std::sort(ids.begin(), ids.end());
  const bool unique = std::adjacent_find(ids.begin(), ids.end()) == ids.end();
  const bool known =
      ids.empty() || (ids.front() >= 0 && ids.back() - s.idBase < static_cast<ParticleId>(s.move));
  if (!unique || !known) throw InputError("checkpoint: the ids are impossible");
  gcmc::ReplicaRun replicas(exec_);
  replicas.load(r, p);
  for (const GcmcPoint& q : s.point)
    if (p.dimensions() == 2 && q.z != 0)
      throw InputError("checkpoint: a particle lies outside the plane");
  std::unique_ptr<GcmcEngine> engine = prepared(p, s);
  startOver(p, std::move(engine), std::move(replicas));
  made_ = made;
  tuner_.state = tuner;
  sampler_ = std::move(sampler);
}

std::shared_ptr<const Frame> GcmcMode::frame(const ViewRequest& view) {
  auto frame = std::make_shared<Frame>();
  frame->step = step();
  frame->phase = nextPhase() - 1;
  frame->box = active().box();
  wallShown_ = gcmc::ReplicaWall::asked(view, replicas_);
  scene_.watch(wallShown_ ? ViewRequest{} : view, *engine_);
  // Of the traced move.
  const int done = nextPhase() - 1 - (movesBefore(active()) > 0 ? 1 : 0);
  const auto stage = nextPhase() == 0 || done >= gcmc::kMoveStages
                         ? gcmc::MoveStage::update
                         : static_cast<gcmc::MoveStage>(std::max(done, 0));
  withHint([&] {
    if (wallShown_) return wall_.fill(*frame, view, replicas_, active());
    scene_.fill(*frame, view, *engine_, makeGcmcRules(active().settings(), frame->box), stage);
  });
  for (SelfCheck& c : quickChecks()) frame->checks.push_back(std::move(c));
  return frame;
}

}  // namespace cellscope
