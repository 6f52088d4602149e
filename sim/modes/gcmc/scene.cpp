#include "sim/modes/gcmc/scene.h"

#include "sim/base/digits.h"
#include "sim/layers/list.h"

namespace cellscope::gcmc {
namespace {

// sigma of the type of a particle.
float sigmaOf(const GcmcPair& pair, GcmcPoint p) {
  return pair.mixed && gcmcTypeOf(p) == kGcmcTypeBit ? 1 / std::sqrt(pair.inverseSigma2[2]) : 1.0f;
}

std::uint64_t neighbours(const GcmcState& state, const GcmcRules& rules, std::size_t slot) {
  std::uint64_t count = 0;
  for (const GcmcPoint& p : state.point)
    count += gcmcReduced(rules.pair, p, state.point[slot]).r2 < rules.pair.cutoffSquared;
  return count - (rules.pair.cutoffSquared > 0 ? 1 : 0);
}

}  // namespace

// The state that a frame shows: that of the engine, where it lies, or the one before the traced
// move. On the host only when it is asked for.
struct GcmcScene::Seen {
  const GcmcEngine& engine;
  const GcmcRules& rules;
  const Box& box;
  const GcmcState* before;  // null: the state of the engine
  std::optional<GcmcState> copy = {};

  const GcmcState& state() {
    if (before) return *before;
    if (!copy) copy = engine.state();
    return *copy;
  }
};

ChainPacker::ChainPacker(exec::Shared exec)
    : exec_(std::move(exec)), packer_(layers::makePacker(exec_)) {}

LayerData ChainPacker::particles(const DrawnChains& drawn, const std::string& colouring) {
  layers::ChosenColouring chosen = layers::GcmcColourings::choose(colouring, drawn.look);
  const bool needsEnergies = (chosen.needs & layers::kGcmcEnergies) != 0;
  std::vector<layers::GcmcTile> tiles;
  std::vector<exec::Array<GcmcPoint>> points;  // of states on the host
  std::vector<exec::Array<ParticleId>> ids;
  std::vector<float> energies;
  std::uint32_t first = 0;
  for (const DrawnChains::Chain& chain : drawn.chains) {
    GcmcParticlesView view = chain.state ? GcmcParticlesView() : chain.engine.particles();
    if (view.point == nullptr || needsEnergies) {
      const GcmcState copy = chain.state ? GcmcState() : chain.engine.state();
      const GcmcState& s = chain.state ? *chain.state : copy;
      if (needsEnergies)
        for (const double u : energiesWithOthers(chain.engine, s.point, chain.rules))
          energies.push_back(static_cast<float>(u));
      points.emplace_back(exec_->where(), s.point), ids.emplace_back(exec_->where(), s.id);
      view = {points.back().data(), ids.back().data(), s.count(), s.idBase};
    }
    const Vec3d& c = chain.corner;
    tiles.push_back({view.point,
                     view.id,
                     view.idBase,
                     first,
                     {static_cast<float>(c.x), static_cast<float>(c.y), static_cast<float>(c.z)}});
    first += view.n;
  }
  LayerData layer{layers::kParticles, Primitive::points, 0, {}, std::move(chosen.scale)};
  if (first == 0) return layer;
  if (tile_.size() == tiles.size())
    tile_.set(tiles);
  else
    tile_ = exec::Array<layers::GcmcTile>(exec_->where(), tiles);
  const exec::Array<float> energy(exec_->where(), energies);
  layers::PackGcmcParticles kernel{tile_.data(),  static_cast<std::uint32_t>(tiles.size()),
                                   energy.data(), chosen.index,
                                   first,         {0, 0, 0},
                                   drawn.cut,     drawn.diameterB};
  for (int k = 0; k < drawn.box.dimension; ++k) kernel.unit[k] = drawn.box.length[k] / 4294967296.0;
  const layers::Packed packed = packer_->pack(kernel);
  layer.buffer = packed.buffer;
  layer.count = packed.count;
  return layer;
}

void GcmcScene::forget() {
  events_.clear();
  last_.reset();
  trace_.clear();
  followed_ = shownByItself_ = -1;
  end_ = {};
}

void GcmcScene::watch(const ViewRequest& view, const GcmcEngine& engine) {
  shown_ = view.still && view.shows(layers::kMoves);
  recording_ = kept_ || shown_;
  lastOnly_ = view.shows(layers::kMoveWork);
  scoped_ = view.shows(layers::kMoveScope);
  if (!recording_) events_.clear();
  if (!lastOnly_ && !recording_) last_.reset();
  followed_ = -1;
  if (view.picked < 0) return;
  followed_ = engine.state().slotOf(view.picked) ? view.picked : -1;
}

void GcmcScene::beforeStep(GcmcEngine& engine, std::uint64_t moves) {
  trace_.clear();
  const bool on = recording_ || lastOnly_ || followed_ >= 0;
  if (!on && !recorded_) return;
  const std::uint64_t most = followed_ >= 0 ? moves : recording_ ? std::min(moves, kMostEvents) : 1;
  engine.record(on ? static_cast<std::size_t>(most) : 0);
  recorded_ = on;
}

void GcmcScene::afterStep(const GcmcEngine& engine, std::uint64_t step) {
  events_.clear();
  last_.reset();
  if (!recorded_) return;
  std::vector<GcmcEvent> all = engine.events();
  for (const GcmcEvent& e : all)
    if (e.accepted && e.kind == GcmcKind::deletion && e.id == followed_ && followed_ >= 0) {
      end_ = {e.id, {step, fmt::format("by a trial deletion, move {}", e.move)}, e.before};
      followed_ = -1;
    }
  if (!all.empty()) last_ = all.back();
  if (recording_)
    events_.assign(all.size() > kMostEvents ? all.end() - kMostEvents : all.begin(), all.end());
}

LayerData GcmcScene::particles(const std::string& colouring, const Seen& seen) {
  const double n = seen.before ? static_cast<double>(seen.before->point.size())
                               : static_cast<double>(seen.engine.count());
  DrawnChains drawn{{{seen.engine, seen.before, seen.rules}}, seen.box, {}};
  drawn.look = {n / seen.box.volume(), seen.box.dimension, false,
                seen.before ? 1 : packer_.exec().config().allDomains(), seen.rules.pair.mixed};
  if (drawn.look.domains > 1) {
    const GcmcCellsView cells = seen.engine.cells();
    const int axis = seen.box.dimension - 1;
    drawn.cut = {drawn.look.domains, static_cast<std::uint32_t>(cells.count[axis]),
                 cells.shift[axis]};
  }
  if (seen.rules.pair.mixed)
    drawn.diameterB = sigmaOf(seen.rules.pair, gcmcWithType({}, kGcmcTypeBit));
  return packer_.particles(drawn, colouring);
}

// Particles by cell, as the engine counts them.
std::vector<std::uint32_t> GcmcScene::filled(const GcmcEngine& engine) const {
  const GcmcCellsView view = engine.cells();
  return exec::onHost(engine.memory(), view.filled,
                      static_cast<std::size_t>(view.count[0]) *
                          static_cast<std::size_t>(view.count[1]) *
                          static_cast<std::size_t>(view.count[2]));
}

std::optional<CellGridPlace> gridPlaceOf(const GcmcCellsView& view, const Box& box) {
  if (view.count[0] == 0) return std::nullopt;
  CellGridPlace grid;
  for (int k = 0; k < 3; ++k) {
    grid.cells[k] = view.count[k];
    grid.width[k] = box.length[k] / view.count[k];
    grid.origin[k] = view.shift[k] * (box.length[k] / 4294967296.0);
  }
  return grid;
}

std::optional<layers::CellGridView> GcmcScene::cells(const GcmcEngine& engine, const Box& box) {
  const GcmcCellsView view = engine.cells();
  const std::optional<CellGridPlace> place = gridPlaceOf(view, box);
  if (!place) return std::nullopt;
  layers::CellGridView grid{*place, box};
  const std::vector<std::uint32_t> counts = filled(engine);
  grid.most =
      static_cast<std::int32_t>(std::max(1u, *std::max_element(counts.begin(), counts.end())));
  grid.filled = view.filled;
  if (engine.memory() != packer_.exec().where()) {
    filled_ = exec::Array<std::uint32_t>(packer_.exec().where(), counts);
    grid.filled = filled_.data();
  }
  return grid;
}

layers::Sketch GcmcScene::work(const Seen& seen, bool blocksOnly) const {
  if (trace_.move()) return sketchWork(*trace_.move(), blocksOnly);
  layers::Sketch none;
  if (!last_) none.reason = "no move was made since the layer was switched on";
  if (!last_ || last_->id < 0) return none;
  const GcmcPoint at = last_->kind == GcmcKind::deletion ? last_->before : last_->after;
  return sketchWork(seen.box, seen.engine.share(), seen.rules.pair, at, filled(seen.engine));
}

layers::MovesView GcmcScene::moves(const Box& box) const {
  using Part = layers::GcmcMovePart;
  layers::MovesView view;
  if (!shown_) return view;
  for (const GcmcEvent& e : events_) {
    if (e.id < 0) continue;
    const Part part = !e.accepted                     ? Part::rejected
                      : e.kind == GcmcKind::insertion ? Part::inserted
                      : e.kind == GcmcKind::deletion  ? Part::deleted
                      : e.kind == GcmcKind::exchange  ? Part::exchanged
                                                      : Part::moved;
    // A trial that draws the particle's own type changes nothing.
    if (part == Part::exchanged && e.before == e.after) continue;
    const auto value = static_cast<float>(part);
    const Vec3d at = gcmcPosition(box, e.after);
    view.marks.push_back(pointAt(at, value));
    if (e.kind != GcmcKind::displacement || !e.accepted) continue;
    const Vec3d d = box.minimumImage(at - gcmcPosition(box, e.before));
    view.paths.push_back(lineBetween(at - d, at, value));
  }
  // Rejected ones, which are many, lie beneath the others.
  std::stable_partition(view.marks.begin(), view.marks.end(), [](const PointInstance& mark) {
    return mark.value == static_cast<float>(Part::rejected);
  });
  return view;
}

PickedParticle GcmcScene::card(std::size_t slot, Seen& seen) const {
  const GcmcState& state = seen.state();
  const Vec3d r = gcmcPosition(seen.box, state.point[slot]);
  const double energy = energiesWithOthers(seen.engine, {state.point[slot]}, seen.rules)[0];
  PickedParticle p;
  p.id = state.id[slot];
  p.place(r);
  p.rows = {
      {"position", placeText(r, seen.box.dimension) + " sigma"},
      {"energy with all others", significant(energy, 4) + " epsilon"},
      {"neighbours", fmt::format("{} within {:g} sigma{}", neighbours(state, seen.rules, slot),
                                 std::sqrt(seen.rules.pair.cutoffSquared),
                                 seen.rules.pair.mixed ? " of their pair" : "")},
      slotRow(state, slot),
      originRow(state, p.id)};
  if (seen.rules.pair.mixed)
    p.rows.insert(p.rows.begin(), {"type", gcmcTypeOf(state.point[slot]) == 0 ? "A" : "B"});
  return p;
}

void GcmcScene::pick(Frame& frame, ParticleId picked, Seen& seen, layers::Structures& s) {
  if (picked < 0) return;
  const GcmcState& state = seen.state();
  if (const auto slot = state.slotOf(picked)) {
    const GcmcPoint at = state.point[*slot];
    if (!seen.before) frame.picked = card(*slot, seen);
    frame.picked.id = picked;
    const auto part = static_cast<float>(layers::TestedPart::picked);
    s.picked = {pointAt(gcmcPosition(seen.box, at), part)};
    s.picked[0].diameter = sigmaOf(seen.rules.pair, at);
    for (int k = 0; k < 3; ++k) frame.picked.position[k] = (&s.picked[0].x)[k];
    s.reach = sketchReach(seen.box, seen.engine.share(), seen.rules.pair, at);
  } else if (picked == end_.id) {
    frame.picked.id = end_.id;
    frame.picked.place(gcmcPosition(seen.box, end_.at));
    frame.picked.deleted = end_.deletion;
  }
}

// The numbers of the traced move on the card: of its own particle, where no other is picked.
void GcmcScene::addMove(Frame& frame, MoveStage stage, ParticleId picked) {
  const TracedMove& m = *trace_.move();
  if (picked < 0) {
    frame.picked = {};
    frame.picked.id = shownByItself_ = m.id;
    frame.picked.place(gcmcPosition(m.before.box, m.place()));
    const bool done = stage == MoveStage::update && m.accepted();
    frame.picked.trial = done ? !m.fresh : !m.old;
    if (frame.picked.trial)
      frame.picked.rows.emplace_back("", done ? fmt::format("Particle {}, deleted", m.id)
                                              : fmt::format("Move {}: insertion", m.number));
  }
  if (frame.picked.deleted || frame.picked.id < 0) return;
  for (auto& row : rowsOf(m, stage)) frame.picked.rows.push_back(std::move(row));
}

void GcmcScene::fill(Frame& frame, const ViewRequest& view, const GcmcEngine& engine,
                     const GcmcRules& rules, MoveStage stage) {
  const layers::LayerList shown = layers::shown(layers::gcmcLayers(), view.layers);
  const auto needed = [&](layers::Need need) {
    return (layers::needsOf(shown) & layers::bit(need)) != 0;
  };
  const TracedMove* const move = trace_.move();
  Seen seen{engine, rules, frame.box, move && stage < MoveStage::update ? &move->before : nullptr};
  layers::Structures s;
  s.box = frame.box;
  s.looks = view.looks;
  s.lend(&engine);
  // The window sends back the particle of a card that it did not ask for.
  const ParticleId picked = view.picked == shownByItself_ ? -1 : view.picked;
  pick(frame, picked, seen, s);
  if (move) addMove(frame, stage, picked);
  if (needed(layers::Need::particles)) s.packed = particles(view.colouring, seen);
  if (needed(layers::Need::cells)) s.cells = cells(engine, frame.box);
  if (needed(layers::Need::activeSet))
    if (const GcmcCellsView grid = engine.cells(); grid.coloured)
      s.active = layers::ActiveSetView{*cells(engine, frame.box), grid.active, "active"};
  if (needed(layers::Need::moves)) {
    s.moves = moves(frame.box);
    s.moves->parts = seen.rules.pair.mixed ? 5 : 4;  // only mixtures exchange types
  }
  const bool pairs = stage == MoveStage::gather || stage == MoveStage::energies;
  if (needed(layers::Need::moveWork))
    s.moveWork = work(seen, pairs && needed(layers::Need::moveScope));
  if (needed(layers::Need::moveScope) && move) s.moveScope = sketchMove(*move, stage);
  if (needed(layers::Need::flights) && engine.slotsPerCell() > 0)
    s.flights = sketchFlights(frame.box, engine.flights());
  if (needed(layers::Need::messages)) {
    const int axis = frame.box.dimension - 1;
    const GcmcCellsView grid = engine.cells();
    const double length = frame.box.length[axis];
    s.messages = layers::messageViews(engine.messages(), frame.box, axis,
                                      grid.shift[axis] * (length / 4294967296.0),
                                      length / std::max(1, grid.count[axis]));
    s.noMessages = layers::kNoMessages;
  }
  layers::Canvas canvas{packer_.packer(), frame};
  layers::drawAll(shown, s, canvas);
}

}  // namespace cellscope::gcmc
