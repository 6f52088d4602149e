// A crowd as it is seen: frames, picking, the watched walker, checks, configurations, checkpoints.
#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <sstream>

#include "sim/io/crc64.h"
#include "sim/modes/pick_search.h"
#include "tests/support/crowd/layers.h"
#include "tests/support/crowd/mode.h"

namespace cellscope::test {
namespace {

constexpr double kCellWidth = 5;

Configuration configurationOf(const std::vector<Walker>& walkers, const Box& box) {
  Configuration c;
  c.box = box;
  c.species = {{kSpeciesSymbols[0], diameterOf(0), 1}, {kSpeciesSymbols[1], diameterOf(1), 1}};
  for (const Walker& w : walkers) {
    c.positions.insert(c.positions.end(), {w.r.x, w.r.y, w.r.z});
    c.ids.push_back(w.id);
    c.types.push_back(w.type);
  }
  return c;
}

}  // namespace

void CrowdMode::watch(ParticleId id) {
  if (id == watched_) return;
  watched_ = id;
  trail_.clear();
  end_.reset();
  if (id < 0) {
    recorder_ = {};
  } else if (recorder_.capacity() == 0) {
    recorder_ = Recorder(exec_->where(), 2 * kStepsAtOnce);
  }
}

// What the kernels wrote since the last time.
void CrowdMode::readTrace() {
  if (watched_ < 0) return;
  exec_->synchronize();
  for (const Record& r : recorder_.read().records) {
    if (r.phase == static_cast<std::uint16_t>(WalkerEvent::moved)) {
      trail_.push_back({{r.number[0], r.number[1], r.number[2]},
                        {r.number[3], r.number[4], r.number[5]},
                        r.stage});
      last_ = trail_.back().to;
      if (trail_.size() > kTrail) trail_.pop_front();
    } else if (r.outcome != static_cast<std::uint16_t>(Fate::lives)) {
      const bool age = r.outcome == static_cast<std::uint16_t>(Fate::age);
      end_ = {{r.stage + 1, age ? "at the end of its lifetime" : "by chance"}, last_};
    }
  }
  recorder_.reset();
}

PickedParticle CrowdMode::card(const std::vector<Walker>& walkers) {
  PickedParticle p;
  const auto found = std::find_if(walkers.begin(), walkers.end(),
                                  [&](const Walker& w) { return w.id == watched_; });
  if (found == walkers.end()) {
    if (!end_) return p;
    p.id = watched_;
    p.deleted = end_->deletion;
    p.position[0] = static_cast<float>(end_->at.x);
    p.position[1] = static_cast<float>(end_->at.y);
    p.position[2] = static_cast<float>(end_->at.z);
    return p;
  }
  end_.reset();
  last_ = found->r;
  const PointInstance at = pointOf(*found, step());
  p.id = watched_;
  p.position[0] = at.x, p.position[1] = at.y, p.position[2] = at.z;
  p.rows = {{"position",
             fmt::format("({:.4f}, {:.4f}, {:.4f}) sigma", found->r.x, found->r.y, found->r.z)},
            {"species", kSpeciesNames[found->type]},
            {"age", fmt::format("{} steps", step() - found->born)},
            {"slot", fmt::format("{}", found - walkers.begin())}};
  return p;
}

layers::CellGridView CrowdMode::grid() {
  layers::CellGridView view;
  view.dimension = box_.dimension;
  for (int axis = 0; axis < box_.dimension; ++axis) {
    view.length[axis] = box_.length[axis];
    view.cells[axis] = std::clamp(static_cast<int>(box_.length[axis] / kCellWidth), 1, 64);
    view.width[axis] = box_.length[axis] / view.cells[axis];
  }
  view.first = engine_->firstOfCells(view);
  view.most = 10;
  return view;
}

std::shared_ptr<const Frame> CrowdMode::frame(const ViewRequest& view) {
  auto frame = std::make_shared<Frame>();
  frame->step = step();
  frame->phase = nextPhase() - 1;
  frame->box = box_;
  const layers::LayerList shown = layers::shown(crowdLayers(), view.layers);
  layers::Structures s;
  CrowdStructures own;
  s.box = box_;
  s.particles = "walker";
  own.colouring = CrowdColourings::choose(view.colouring, CrowdColourState{});
  watch(view.picked);
  withHint([&] {
    own.walkers = engine_->view(step());
    if (layers::needsOf(shown) & layers::bit(layers::Need::cells)) s.cells = grid();
    if (watched_ >= 0) frame->picked = card(engine_->get());
    const PickedParticle& picked = frame->picked;
    if (picked.id >= 0) {
      own.watching = true;
      own.trail.assign(trail_.begin(), trail_.end());
    }
    if (picked.id >= 0 && !picked.deleted)
      s.picked = {{picked.position[0], picked.position[1], picked.position[2],
                   picked.rows[1].second == kSpeciesNames[1] ? 10.0f : 1.0f,
                   static_cast<float>(layers::TestedPart::picked), 0}};
    s.lend(own);
    layers::Canvas canvas{&engine_->packer(), *frame};
    layers::drawAll(shown, s, canvas);
  });
  return frame;
}

ParticleId CrowdMode::pick(const PickQuery& query) {
  PickSearch search(query, box_);
  for (const Walker& w : engine_->get()) search.look(w.id, w.r, 0.5 * diameterOf(w.type), w.type);
  return search.found();
}

std::vector<SelfCheck> CrowdMode::selfChecks() {
  const std::vector<Walker> all = engine_->get();
  std::set<ParticleId> ids;
  std::size_t outside = 0;
  for (const Walker& w : all) {
    ids.insert(w.id);
    outside += !box_.contains(w.r);
  }
  const CrowdTotals t = engine_->totals(step());
  return {{"walkers", t.n == all.size(), fmt::format("{} of {}", t.n, all.size())},
          {"ids", ids.size() == all.size(), fmt::format("{} different", ids.size())},
          {"box", outside == 0, fmt::format("{} outside", outside)}};
}

Configuration CrowdMode::configuration() const { return configurationOf(engine_->get(), box_); }

std::string CrowdMode::stateBytes() const {
  std::ostringstream out;
  BinaryWriter w(out);
  w.value(static_cast<std::int32_t>(box_.dimension));
  w.array(box_.length, 3);
  w.value(firstNew_);
  w.value(engine_->tally());
  w.value(sampled_);
  w.value(sampledStep_);
  w.value(samples_);
  w.vector(generations_);
  w.vector(engine_->get());
  return std::move(out).str();
}

void CrowdMode::saveState(std::ostream& out) const {
  const std::string bytes = stateBytes();
  out << bytes;
  if (end_) savedEnds_[{watched_, io::crc64(bytes)}] = *end_;
}

void CrowdMode::loadState(std::istream& in, const P& p, int) {
  BinaryReader r(in);
  Box box;
  box.dimension = r.value<std::int32_t>("dimension");
  r.array(box.length, 3, "box");
  const auto firstNew = r.value<ParticleId>("first new id");
  const auto tally = r.value<CrowdTally>("tally");
  const auto sampled = r.value<CrowdTally>("tally of the last sample");
  const auto sampledStep = r.value<std::uint64_t>("step of the last sample");
  const auto samples = r.value<std::uint64_t>("samples");
  auto generations = r.vector<std::uint64_t>("generations", generations_.size());
  const auto walkers = r.vectorUpTo<Walker>("walkers", std::size_t{1} << 28);
  if (box.dimension != p.dimension())
    throw InputError("checkpoint: its box has another dimension than its parameters");
  for (const Walker& w : walkers)
    if (w.type > 1) throw InputError(fmt::format("checkpoint: walker {} has no species", w.id));
  requireValid(configurationOf(walkers, box), "checkpoint");
  std::unique_ptr<CrowdEngine> engine = engineWith(p, walkers);
  engine->setTally(tally);
  startOver(p, std::move(engine), box, firstNew);
  sampled_ = sampled;
  sampledStep_ = sampledStep;
  samples_ = samples;
  generations_ = std::move(generations);
  if (savedEnds_.empty()) return;
  const auto known = savedEnds_.find({watched_, io::crc64(stateBytes())});
  if (known != savedEnds_.end()) end_ = known->second;
}

}  // namespace cellscope::test
