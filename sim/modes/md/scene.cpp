// What is drawn, picked and explained.
#include <fmt/format.h>

#include "sim/algo/md/pair_law.h"
#include "sim/base/digits.h"
#include "sim/layers/list.h"
#include "sim/modes/md/mode.h"

namespace cellscope {
namespace md {
namespace {

constexpr double kVelocityScale = 0.5;  // length drawn per unit of speed
constexpr const char* kNoLists =
    "this method computes forces without lists: choose a method with lists";

// Vectors from particle i to all others to which it has a force, and to those of their images, and
// of its own, to which it has one: as far as the law of the two types reaches.
std::vector<Vec3d> neighboursOf(const MdState& s, std::size_t i, const PairSettings& pair) {
  double ends[kMostTypes] = {};
  for (int t = 0; t < pair.species.types; ++t)
    ends[t] = pairCutoff(pair.potential, pair.species, static_cast<int>(s.typeOf(i)), t);
  const double* const l = s.box.length;
  std::vector<Vec3d> all;
  for (std::size_t j = 0; j < s.position.size(); ++j) {
    const double cutoff = ends[s.typeOf(j)];
    const PairImages images = PairImages::within(cutoff, s.box);
    const Vec3d d = s.box.minimumImage(s.position[j] - s.position[i]);
    images.forEach(d.x, d.y, d.z, l[0], l[1], l[2], j == i, [&](double x, double y, double z) {
      const Vec3d to{x, y, z};
      if (dot(to, to) < cutoff * cutoff) all.push_back(to);
    });
  }
  return all;
}

}  // namespace

// The layers of a view, and the card of the particle that is picked in it.
class FrameDrawing {
 public:
  FrameDrawing(MdMode& mode, const ViewRequest& view) : mode_(mode), view_(view) {}

  void draw(Frame& frame) {
    const layers::LayerList shown = layers::shown(layers::mdLayers(), view_.layers);
    needs_ = layers::needsOf(shown);
    s_.box = mode_.box_;
    s_.looks = view_.looks;
    if (needed(layers::Need::particles)) s_.packed = particleLayer();
    if (needed(layers::Need::velocities)) {
      const layers::PackMdArrows pack{mode_.engine_->lendParticles(false), kVelocityScale};
      s_.velocities = {layers::kVelocities, Primitive::lines, pack.from.n,
                       scene_.packer().pack(pack).buffer, layers::speedScale(p_.temperature)};
    }
    fillStructures(frame);
    if (needed(layers::Need::messages)) fillMessages();
    layers::Canvas canvas{&scene_.packer(), frame};
    layers::drawAll(shown, s_, canvas);
  }

 private:
  layers::MdColourState colourState() const {
    using Lists = layers::MdColourState::Lists;
    layers::MdColourState s;
    s.n = static_cast<std::int64_t>(mode_.ids_.size());
    s.dimension = mode_.box_.dimension;
    s.temperature = p_.temperature, s.density = p_.in(mode_.box_).density;
    s.buffer = p_.buffer;
    s.tile = pair_.tile;
    s.types = mode_.types_.names, s.domains = mode_.config().allDomains();
    Lent lent;
    mode_.engine_->lend(lent, false);
    if (const auto* const cells = lent.find<CellsLent>()) s.cells = cells->shape.grid.count();
    if (p_.by().perList == 1) {  // a cluster's list says nothing of one particle
      const auto* const lists = lent.find<ListsLent>();
      s.lists = !lists ? Lists::due : lists->partsDone < 0 ? Lists::complete : Lists::beingBuilt;
    }
    const double beyond = s.lists == Lists::complete ? s.buffer : 0;
    s.fewest = s.most = meanNeighbours(0, beyond);
    for (int a = 1; a < pair_.species.types; ++a) {
      s.fewest = std::min(s.fewest, meanNeighbours(a, beyond));
      s.most = std::max(s.most, meanNeighbours(a, beyond));
    }
    return s;
  }
  // Within the cutoffs of type a, and so far beyond, in a uniform fluid.
  double meanNeighbours(int a, double beyond) const {
    const auto n = static_cast<double>(mode_.ids_.size());
    double sum = 0;
    for (int b = 0; b < pair_.species.types; ++b) {
      const double of = pair_.species.types == 1
                            ? n
                            : static_cast<double>(mode_.types_.count[static_cast<std::size_t>(b)]);
      const double r = pairCutoff(pair_.potential, pair_.species, a, b) + beyond;
      sum += of * (mode_.box_.dimension == 3 ? 4.0 / 3.0 * std::numbers::pi * r * r * r
                                             : std::numbers::pi * r * r);
    }
    return sum / mode_.box_.volume();
  }

  LayerData particleLayer() const {
    layers::ChosenColouring chosen = layers::MdColourings::choose(view_.colouring, colourState());
    const bool energies = (chosen.needs & layers::kMdEnergies) != 0;
    layers::PackMdParticles pack{mode_.engine_->lendParticles(energies), chosen.index};
    if (chosen.needs & layers::kMdNeighbours && !pack.from.listed)
      pack.from.listed = scene_.countNear(pack.from, mode_.box_, pair_);
    return {layers::kParticles, Primitive::points, pack.from.n, scene_.packer().pack(pack).buffer,
            std::move(chosen.scale)};
  }

  LayerData neighbourLayer(const MdState& state, std::size_t i) const {
    const Vec3d r = state.position[i];
    std::vector<LineInstance> lines;
    for (const Vec3d& d : neighboursOf(state, i, pair_))
      lines.push_back(lineBetween(r, r + d, static_cast<float>(std::sqrt(dot(d, d)))));
    LayerData layer = layerOf("neighbours", lines, {});
    layer.scale = {ColourKind::sequential, "distance", "sigma", 0.8f,
                   static_cast<float>(p_.largestCutoff())};
    return layer;
  }

  // Where and how fast it is, and what pulls at it: half of the energies of its pairs.
  PickedParticle card(ParticleId id, Vec3d r, Vec3d v, std::optional<double> energy,
                      std::optional<Vec3d> force, const std::string& neighbours) const {
    PickedParticle p;
    p.id = id;
    p.place(r);
    constexpr int kDigits = 4;
    const int d = mode_.box_.dimension;
    p.rows = {{"position", placeText(r, d) + " sigma"},
              {"velocity", vectorText(v, d, kDigits) + " sigma/tau"},
              {"speed", significant(std::sqrt(dot(v, v)), kDigits) + " sigma/tau"},
              {"potential energy",
               energy ? significant(*energy, kDigits) + " epsilon" : "comes with the list"},
              {"force",
               force ? vectorText(*force, d, kDigits) + " epsilon/sigma" : "comes with the forces"},
              {"force magnitude",
               force ? significant(std::sqrt(dot(*force, *force)), kDigits) + " epsilon/sigma"
                     : "comes with the forces"},
              {"neighbours", neighbours}};
    return p;
  }

  // Of the particle with this number: all others are looked at.
  PickedParticle withoutLists(std::size_t i) {
    const MdState state = mode_.engine_->download();
    if (needed(layers::Need::neighbours)) s_.neighbours = neighbourLayer(state, i);
    const PairSums sums = mode_.engine_->pairSums()[i];
    const std::size_t near = neighboursOf(state, i, pair_).size();
    PickedParticle c = card(mode_.ids_[i], state.position[i], state.velocity[i], sums.energy,
                            Vec3d{sums.fx, sums.fy, sums.fz},
                            pair_.species.types > 1
                                ? fmt::format("{} within the cutoffs of their types", near)
                                : fmt::format("{} within {:.4g} sigma", near,
                                              pairCutoff(pair_.potential, pair_.species, 0, 0)));
    addType(c, static_cast<int>(state.typeOf(i)));
    const auto* const cells = s_.find<CellsLent>();
    if (!cells) return c;
    const PickedCell picked = pickedCell(state, cells->shape, i);
    for (auto& row : cellRows(cells->shape, picked)) c.rows.push_back(std::move(row));
    if (needed(layers::Need::searched))
      s_.searched = searchedSlots(cells->shape, mode_.box_, picked);
    scene_.countChecks(state, mode_.step(), static_cast<std::uint32_t>(i), pair_, view_.still);
    return c;
  }

  PickedParticle cardOf(const PickedSlot& p, ParticleId id, const ListsLent& lent,
                        const ListTruth* truth) const {
    std::optional<double> energy;
    if (p.terms) energy = p.terms->x;
    std::optional<Vec3d> force;
    if (p.force) force = Vec3d{p.force->x, p.force->y, p.force->z};
    const RecordBox box(mode_.box_);
    PickedParticle c =
        card(id, p.position, p.velocity, energy, force,
             lent.partsDone >= 0
                 ? "the list is being built"
                 : fmt::format("{} within the cutoff, {} in {}",
                               withinCutoff(p, lent, p_.buffer) + missingOf(p.slot, truth),
                               p.neighbours.size(),
                               lent.list.clustered() ? "the list of its cluster" : "its list"));
    addType(c, p.now.type);
    if (truth && truth->faults() > 0) addFaults(c, p.slot, lent, *truth);
    c.rows.push_back({"moved since the list was built",
                      fmt::format("{} sigma of {:.4g} allowed",
                                  significant(std::sqrt(box.distanceSquared(p.now, p.built)), 3),
                                  0.5 * p_.buffer)});
    c.rows.push_back({"place in memory", fmt::format("{} of {}", p.slot, p_.n)});
    for (const auto& row : clusterRows(p, lent)) c.rows.push_back(row);
    for (const auto& row : scene_.walkRows()) c.rows.push_back(row);
    return c;
  }

  static std::size_t missingOf(std::uint32_t slot, const ListTruth* truth) {
    if (!truth) return 0;
    return static_cast<std::size_t>(
        std::count_if(truth->wrong.begin(), truth->wrong.end(), [slot](const ListTruth::Pair& p) {
          return p.fault == ListTruth::Fault::missing && (p.i == slot || p.j == slot);
        }));
  }

  // Pairs of this particle that are not listed as they should be, and how many of the box.
  void addFaults(PickedParticle& card, std::uint32_t slot, const ListsLent& lent,
                 const ListTruth& truth) const {
    constexpr std::size_t kMostNamed = 6;
    constexpr const char* kLabels[ListTruth::kFaults] = {"missing in its list", "in one list only",
                                                         "listed twice", "listed beyond its reach"};
    for (std::size_t fault = 0; fault < ListTruth::kFaults; ++fault) {
      std::size_t own = 0;
      std::string names;
      for (const ListTruth::Pair& p : truth.wrong) {
        if (static_cast<std::size_t>(p.fault) != fault || (p.i != slot && p.j != slot)) continue;
        if (++own > kMostNamed) continue;
        const std::uint32_t other =
            onHost(mode_.exec_->where(), lent.tag + (p.i == slot ? p.j : p.i), 1)[0];
        const float r = std::sqrt(p.d[0] * p.d[0] + p.d[1] * p.d[1] + p.d[2] * p.d[2]);
        names += fmt::format("{}{} at {:.4f}", names.empty() ? "" : ", ", mode_.ids_[other],
                             static_cast<double>(r));
      }
      if (own > kMostNamed) names += " ...";
      if (own > 0) card.rows.push_back({kLabels[fault], fmt::format("{}: {} sigma", own, names)});
    }
    if (truth.lookedAt == lent.input.n)
      card.rows.push_back({"wrong pairs in the box", truth.words()});
  }

  void addPartners(std::uint32_t slot, const ListTruth& truth) {
    for (const ListTruth::Pair& p : truth.wrong) {
      if (p.i != slot && p.j != slot) continue;
      const float to = p.i == slot ? 1.0f : 0.0f;
      s_.wrongPartners.push_back(
          {p.at.x + to * p.d[0], p.at.y + to * p.d[1], p.at.z + to * p.d[2], 1, 0, 0, 0});
    }
  }

  // Of all particles, as far as that is fast, or of the picked one.
  const ListTruth* truthOf(const ListsLent& lent, const PickedSlot* picked) const {
    // Only those of the forces can be judged.
    if (mode_.listGoesOn_ || !mode_.listsCanBeJudged() || lent.partsDone >= 0) return nullptr;
    const std::size_t most = view_.still ? ListJudge::kMostJudged : ListJudge::kMostWhilePlaying;
    const bool all = lent.input.n <= most && (picked || needed(layers::Need::neighbours));
    if (!all && !picked) return nullptr;
    if (!picked) mode_.engine_->failure();  // waits
    return &scene_.judge().judge(
        lent, mode_.exec_->where(), mode_.step(), mode_.nextPhase(),
        all ? std::vector<std::uint32_t>{} : std::vector<std::uint32_t>{picked->slot});
  }

  void withLists(const ListsLent& lent, std::optional<std::uint32_t> number, Frame& frame) {
    std::optional<PickedSlot> found;
    if (number) {
      mode_.engine_->failure();  // waits for what is read here
      found = scene_.find(lent, *number);
    }
    const PickedSlot* const picked = found ? &*found : nullptr;
    const ListTruth* const truth = truthOf(lent, picked);
    scene_.fill(needs_, lent, p_.buffer, picked, truth, s_);
    if (lent.input.cluster > 1) s_.lend(pickedCluster(picked, lent, pair_.species));
    if (!picked) return;
    if (truth && needed(layers::Need::neighbours)) addPartners(picked->slot, *truth);
    if (lent.partsDone < 0)
      scene_.countChecks(lent, mode_.engine_->history(), *picked, *number, pair_, view_.still);
    frame.picked = cardOf(*picked, mode_.ids_[*number], lent, truth);
  }

  void fillStructures(Frame& frame) {
    const std::optional<std::uint32_t> number = mode_.slots_.find(view_.picked);
    mode_.engine_->lend(s_, number.has_value());
    if (const auto* const lists = s_.find<ListsLent>()) {
      withLists(*lists, number, frame);
    } else {
      s_.noTrees = kNoLists;
      s_.walk = s_.searched = layers::Sketch{.reason = kNoLists};
      if (const auto* const cells = s_.find<CellsLent>()) {
        s_.cells = cellsOf(*cells, mode_.box_, mode_.ids_.size());
        s_.searched->reason = "no particle is picked: click one";
      }
      if (number) frame.picked = withoutLists(*number);
    }
    if (!number) return;
    const float* at = frame.picked.position;
    const auto part = static_cast<float>(layers::TestedPart::picked);
    const int type = mode_.types_.of.empty() ? 0 : mode_.types_.of[*number];
    const auto diameter = static_cast<float>(pair_.species.diameter(type));
    s_.picked = {{at[0], at[1], at[2], diameter, part, 0, 0}};
  }

  // Slots follow each other in layers of cells: what is sent lies between two planes.
  void fillMessages() {
    s_.noMessages = layers::kNoMessages;
    if (mode_.config().allDomains() > 1 && p_.by().key == std::string("tree")) {
      s_.noMessages =
          "with method = tree domains follow a curve through the box, and their halos are no "
          "slabs; the colouring Domain shows them";
      return;
    }
    const std::vector<SentSlots> sent = mode_.engine_->sent();
    const ParticleRecord* const record = mode_.engine_->lendParticles(false).record;
    const int axis = mode_.box_.dimension - 1;
    for (const SentSlots& m : sent) {
      const std::vector<ParticleRecord> some =
          onHost(mode_.exec_->where(), record + m.begin, m.end - m.begin);
      const auto at = [&](const ParticleRecord& p) { return axis == 2 ? p.z : p.y; };
      const auto [lowest, highest] = std::minmax_element(
          some.begin(), some.end(),
          [&](const ParticleRecord& a, const ParticleRecord& b) { return at(a) < at(b); });
      layers::MessageView& to = s_.messages.emplace_back();
      for (int k = 0; k < axis; ++k) to.cells.hi[k] = static_cast<float>(mode_.box_.length[k]);
      to.cells.lo[axis] = at(*lowest), to.cells.hi[axis] = at(*highest);
      to.cells.value = static_cast<float>(2 * (m.from % 3) + 1);
      to.axis = axis, to.ahead = m.ahead;
      to.words = fmt::format("{} particles, {:.0f} KiB", some.size(),
                             static_cast<double>(some.size() * sizeof(ParticleRecord)) / 1024);
    }
  }
  void addType(PickedParticle& card, std::uint32_t type) const {
    if (pair_.species.types > 1)
      card.rows.insert(card.rows.begin(), {"type", mode_.types_.names.at(type)});
  }
  bool needed(layers::Need need) const { return (needs_ & layers::bit(need)) != 0; }

  MdMode& mode_;
  const ViewRequest& view_;
  ListScene& scene_ = mode_.scene_;
  const MdParameters& p_ = mode_.active();
  const PairSettings pair_ = p_.pair();
  std::uint32_t needs_ = 0;
  layers::Structures s_;
};

// Of methods that have no lists.
const std::uint32_t* ListScene::countNear(const ParticlesLent& lent, const Box& box,
                                          const PairSettings& pair) {
  if (!near_) near_ = makeNearCounter(exec_);
  return near_->count(lent.position, lent.record, lent.n, box,
                      pairTable(pair.potential, pair.species, 0));
}

}  // namespace md

std::shared_ptr<const Frame> MdMode::frame(const ViewRequest& view) {
  auto frame = std::make_shared<Frame>();
  frame->step = step();
  frame->phase = listGoesOn_ ? nextPhase() : nextPhase() - 1;
  frame->box = box_;
  withHint([&] { md::FrameDrawing(*this, view).draw(*frame); });
  frame->checks = quickChecks();
  return frame;
}

}  // namespace cellscope
