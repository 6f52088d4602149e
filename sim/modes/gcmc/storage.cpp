// States from and to files, pictures and picking.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <istream>
#include <ostream>

#include "sim/io/binary.h"
#include "sim/modes/gcmc/mode.h"
#include "sim/modes/gcmc/scene.h"
#include "sim/modes/mode_core.h"
#include "sim/modes/pick_search.h"

namespace cellscope {

using gcmc::GcmcParameters;

namespace {

[[noreturn]] void refuse(const std::string& what) { throw InputError("configuration: " + what); }

constexpr double kWorstEnergy = 1e5;  // two particles at r = 0.43

void requireReduced(const Species& s) {
  if (s.diameter != 1 || s.mass != 1)
    refuse(
        fmt::format("species '{}' has diameter {} and mass {}; mode 'gcmc' takes diameter 1 "
                    "(radius 0.5) and mass 1, its units",
                    s.name, s.diameter, s.mass));
}

void requireNoOverlap(const GcmcEngine& engine, const GcmcState& s, const GcmcRules& rules) {
  const std::vector<double> energy = gcmc::energiesWithOthers(engine, s.point, rules);
  for (std::size_t i = 0; i < energy.size(); ++i)
    if (!(energy[i] < kWorstEnergy))
      refuse(
          fmt::format("particle {} overlaps with another: its energy is {:.3g} epsilon (at most "
                      "{:g}); move or remove one",
                      s.id[i], energy[i], kWorstEnergy));
}

}  // namespace

void GcmcMode::startFrom(const Configuration& c, const GcmcParameters& draft) {
  requireValid(c);
  const Box box = withoutRounding(c.box);
  if (c.size() > 0) requireReduced(onlySpecies(c, "gcmc"));
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
  for (std::size_t i = 0; i < c.size(); ++i)
    s.point.push_back(
        gcmcPointAt(s.box, {c.positions[3 * i], c.positions[3 * i + 1], c.positions[3 * i + 2]}));
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
  for (const GcmcPoint& p : s.point) {
    const Vec3d r = gcmcPosition(s.box, p);
    c.positions.insert(c.positions.end(), {r.x, r.y, r.z});
  }
  return c;
}

void GcmcMode::saveState(std::ostream& out) const {
  const GcmcState s = engine_->state();
  BinaryWriter w(out);
  w.vector(s.point);
  w.array(s.id.data(), s.id.size());
  w.value(s.move);
  w.value(s.idBase);
  // What speculative estimates, where `auto` may have taken it or not.
  w.value(gcmc::isAutomatic(active()) ? GcmcState().acceptance : s.acceptance);
  w.value(moves_);
  w.value(sinceSample_);
  w.value(round_);
  writeTuner(w, tuner_.state);
  sampler_.save(out);
  counts_.save(w);
  replicas_.save(out);
}

void GcmcMode::loadState(std::istream& in, const GcmcParameters& p, int) {
  const auto most =
      static_cast<std::size_t>(p.ideal() ? gcmc::kMostOfIdealGas : gcmc::kMostParticles);
  BinaryReader r(in);
  GcmcState s;
  s.box = p.box();
  s.point = r.vectorUpTo<GcmcPoint>("the positions", most);
  s.id = r.items<ParticleId>(s.point.size(), "the ids");
  s.move = r.value<std::uint64_t>("move");
  s.idBase = r.value<ParticleId>("first id of an insertion");
  s.acceptance = r.value<double>("acceptance");
  if (!(s.acceptance >= 0 && s.acceptance <= 1))
    throw InputError("checkpoint: the acceptance is impossible");
  const auto moves = r.value<std::uint64_t>("moves");
  const auto sinceSample = r.value<GcmcCounters>("counters");
  const auto round = r.value<GcmcCounters>("counters");
  const auto tuner = readTuner(r);
  gcmc::GcmcSampler sampler;
  sampler.load(in);
  gcmc::MethodCounts counts;
  counts.load(r);
  if (s.move >= 1ull << 56 || s.idBase < 0 || s.idBase > ParticleId{1} << 62)
    throw InputError("checkpoint: number of moves or ids are impossible");
  std::vector<ParticleId> ids = s.id;
  std::sort(ids.begin(), ids.end());
  const bool unique = std::adjacent_find(ids.begin(), ids.end()) == ids.end();
  const bool known =
      ids.empty() || (ids.front() >= 0 && ids.back() - s.idBase < static_cast<ParticleId>(s.move));
  if (!unique || !known) throw InputError("checkpoint: the ids are impossible");
  gcmc::ReplicaRun replicas(exec_);
  replicas.load(in, p);
  for (const GcmcPoint& q : s.point)
    if (p.dimensions() == 2 && q.z != 0)
      throw InputError("checkpoint: a particle lies outside the plane");
  std::unique_ptr<GcmcEngine> engine = prepared(p, s);
  startOver(p, std::move(engine), std::move(replicas));
  moves_ = moves;
  sinceSample_ = sinceSample, round_ = round;
  tuner_.state = tuner;
  sampler_ = std::move(sampler);
  counts_ = counts;
}

std::shared_ptr<const Frame> GcmcMode::frame(const ViewRequest& view) {
  auto frame = std::make_shared<Frame>();
  frame->step = step();
  frame->phase = nextPhase() - 1;
  frame->box = active().box();
  wallShown_ = gcmc::ReplicaWall::asked(view, replicas_);
  if (wallShown_) {
    scene_.watch({}, *engine_);
    withHint([&] { wall_.fill(*frame, view, replicas_, active()); });
    for (SelfCheck& c : quickChecks()) frame->checks.push_back(std::move(c));
    return frame;
  }
  scene_.watch(view, *engine_);
  withHint([&] {
    scene_.fill(*frame, view, *engine_, makeGcmcRules(active().settings(), frame->box), stage());
  });
  frame->checks = quickChecks();
  return frame;
}

ParticleId GcmcMode::pick(const PickQuery& query) {
  if (wallShown_) return gcmc::ReplicaWall::pick(query, replicas_, active());
  const GcmcState s = engine_->state();
  PickSearch search(query, s.box);
  for (std::size_t i = 0; i < s.point.size(); ++i)
    search.look(s.id[i], gcmcPosition(s.box, s.point[i]), 0.5);
  return search.found();
}

}  // namespace cellscope
