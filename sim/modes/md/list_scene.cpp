// Trees, the order along the curve, and the picked particle's walk; distance checks of the same
// query under all methods.
#include "sim/modes/md/list_scene.h"

#include <fmt/format.h>

#include <numeric>

#include "sim/algo/lbvh/query.h"
#include "sim/modes/md/methods/method.h"

namespace cellscope::md {
namespace {

constexpr std::size_t kWalkRecords = 1 << 15;
constexpr std::int32_t kMostLabels = 150;
constexpr const char* kBeingBuilt = "the list is being built and is complete after its last phase";

// What a walk did, added up while its records are drawn.
struct WalkCounts {
  std::size_t images = 0, asked = 0, opened = 0, pruned = 0, leaves = 0, checks = 0, listed = 0;
  std::size_t nodes() const { return opened + pruned + leaves; }
  std::string words() const {
    return fmt::format("{} nodes: {} opened, {} pruned, {} leaves", nodes(), opened, pruned,
                       leaves);
  }
};

class WalkDrawer {
 public:
  WalkDrawer(const PickedSlot& picked, const ListsLent& lent, double buffer, Backend where)
      : picked_(picked), lent_(lent), buffer_(buffer), where_(where) {}

  void take(const Record& r) {
    const auto phase = static_cast<TreeRecord>(r.phase);
    if (phase == TreeRecord::image)
      beginImage(r);
    else if (phase == TreeRecord::node)
      addNode(r);
    else
      addCheck(r);
  }
  const WalkCounts& counts() const { return all_; }
  layers::Sketch view = layers::walkSketch();
  CardRows rows;  // one per image

 private:
  std::int16_t level() const {
    return static_cast<std::int16_t>(std::min<std::size_t>(all_.nodes(), 32767));
  }
  void addBox(const Record& r, layers::WalkPart part) {
    const float* n = r.number;
    view.boxes.push_back({{n[0], n[1], n[2]},
                          {n[3], n[4], n[5]},
                          static_cast<float>(part),
                          level(),
                          static_cast<std::uint16_t>(r.stage)});
  }
  void beginImage(const Record& r) {
    ++all_.images;
    if (r.outcome == 0) return;
    ++all_.asked;
    image_ = {};
    const auto n = static_cast<std::int32_t>(r.group);
    const TreeImage v{n % 3 - 1, n / 3 % 3 - 1, n / 9 - 1};
    shift_ = {static_cast<float>(v.x * lent_.input.box.length[0]),
              static_cast<float>(v.y * lent_.input.box.length[1]),
              static_cast<float>(v.z * lent_.input.box.length[2])};
    const bool space = lent_.input.box.dimension == 3;
    rows.push_back({space ? fmt::format("image ({:+d}, {:+d}, {:+d})", v.x, v.y, v.z)
                          : fmt::format("image ({:+d}, {:+d})", v.x, v.y),
                    ""});
    addBox(r, layers::WalkPart::query);
  }
  void addNode(const Record& r) {
    const auto outcome = static_cast<TreeNodeOutcome>(r.outcome);
    const bool opened = outcome == TreeNodeOutcome::opened, leaf = outcome == TreeNodeOutcome::leaf;
    const auto part = opened ? layers::WalkPart::opened
                      : leaf ? layers::WalkPart::leaf
                             : layers::WalkPart::pruned;
    addBox(r, part);
    if (level() < kMostLabels) {
      LabelInstance label = labelOf(view.boxes.back(), fmt::format("{}", level()));
      label.level = level();
      view.labels.push_back(label);
    }
    for (WalkCounts* c : {&all_, &image_}) {
      (opened ? c->opened : leaf ? c->leaves : c->pruned) += 1;
      tell(*c);
    }
  }
  void addCheck(const Record& r) {
    const ParticleRecord other = onHost(where_, lent_.input.particles + r.object, 1)[0];
    const float reach = lent_.input.table.reach(picked_.built.type, other.type);
    const bool listed = r.outcome != 0;
    const bool near = static_cast<double>(r.number[0]) < static_cast<double>(reach) - buffer_;
    const auto part = !listed ? layers::CheckPart::tooFar
                      : near  ? layers::CheckPart::inCutoff
                              : layers::CheckPart::inBuffer;
    const ParticleRecord& p = picked_.built;
    view.lines.push_back({{p.x + shift_[0], p.y + shift_[1], p.z + shift_[2]},
                          {other.x, other.y, other.z},
                          static_cast<float>(part),
                          level(),
                          static_cast<std::uint16_t>(other.type)});
    for (WalkCounts* c : {&all_, &image_}) {
      ++c->checks;
      c->listed += listed ? 1 : 0;
      tell(*c);
    }
  }
  void tell(const WalkCounts& c) {
    if (&c == &image_ && !rows.empty())
      rows.back().second =
          fmt::format("{} nodes, {} checks, {} listed", c.nodes(), c.checks, c.listed);
  }

  const PickedSlot& picked_;
  const ListsLent& lent_;
  double buffer_;
  Backend where_;
  WalkCounts all_, image_;
  std::array<float, 3> shift_{};
};

// The last part that was done, while nodes and boxes of a build in parts are not those of one tree.
std::optional<TreeBuildPart> treeBeingBuilt(const ListsLent& lent) {
  const BuiltTrees* const trees = lent.builder->trees();
  if (!trees || lent.partsDone <= 0) return {};
  const auto part = static_cast<TreeBuildPart>(lent.partsDone - 1);
  const bool growing = part == TreeBuildPart::boxes && trees->grownTo() > 0;
  if (part != TreeBuildPart::hierarchy && !growing) return {};
  return part;
}

}  // namespace

PickedSlot ListScene::find(const ListsLent& lent, std::uint32_t number) const {
  const Backend where = exec_->where();
  PickedSlot p;
  const std::vector<std::uint32_t> tags = onHost(where, lent.tag, lent.input.n);
  p.slot = static_cast<std::uint32_t>(std::find(tags.begin(), tags.end(), number) - tags.begin());
  p.built = onHost(where, lent.input.particles + p.slot, 1)[0];
  p.now = onHost(where, lent.record + p.slot, 1)[0];
  p.position = onHost(where, lent.position + p.slot, 1)[0];
  p.velocity = onHost(where, lent.velocity + p.slot, 1)[0];
  if (lent.force) p.force = onHost(where, lent.force + p.slot, 1)[0];
  p.firstOfCluster = p.slot / lent.input.cluster * lent.input.cluster;
  const std::size_t left = lent.input.n - p.firstOfCluster;
  p.cluster = onHost(where, lent.record + p.firstOfCluster,
                     std::min<std::size_t>(left, lent.input.cluster));
  if (lent.partsDone >= 0) return p;  // there is no list
  p.terms = onHost(where, lent.terms + p.slot, 1)[0];
  HostRows rows(lent.list, lent.input.n, where, false);
  const std::span<const std::uint32_t> row = rows.of(p.slot);
  p.neighbours.assign(row.begin(), row.end());
  std::erase(p.neighbours, p.slot);
  for (const std::uint32_t slot : p.neighbours)
    p.at.push_back(onHost(where, lent.record + slot, 1)[0]);
  return p;
}

std::vector<TreeStatistics> ListScene::statistics(const ListsLent& lent,
                                                  const ListHistory& history) {
  BuiltTrees* const trees = lent.builder->trees();
  if (treeBeingBuilt(lent)) return {};
  const bool whole = lent.partsDone < 0;
  if (whole && measured_ == lent.builder && measuredBuilds_ == history.builds) return statistics_;
  statistics_ = trees ? trees->statistics() : std::vector<TreeStatistics>{};
  measured_ = whole ? lent.builder : nullptr;
  measuredBuilds_ = history.builds;
  return statistics_;
}

void ListScene::fillTrees(const ListsLent& lent, layers::Structures& to) {
  BuiltTrees* const trees = lent.builder->trees();
  if (!trees) {
    to.noTrees = "the lists are built without trees: choose lists from trees";
    return;
  }
  if (const auto part = treeBeingBuilt(lent)) {
    to.coming |= layers::bit(layers::Need::trees);
    to.trees = layers::TreesLent{trees->view(), trees->deepest(), *part > TreeBuildPart::hierarchy,
                                 trees->grownTo()};
    return;
  }
  to.trees = layers::TreesLent{trees->view(), trees->depth(), true, 0, trees->searchedByTiles()};
}

void ListScene::fillWalk(const ListsLent& lent, const PickedSlot& picked, double buffer,
                         layers::Structures& to) {
  BuiltTrees* const trees = lent.builder->trees();
  if (!trees) {
    to.walk =
        layers::Sketch{.reason = "the lists are built without trees: choose lists from trees"};
    return;
  }
  if (recorder_.capacity() == 0) recorder_ = Recorder(exec_->where(), kWalkRecords);
  recorder_.reset();
  trees->walk(picked.slot, recorder_.writer());
  trees->statistics();  // waits
  const Recorded walk = recorder_.read();
  WalkDrawer drawer(picked, lent, buffer, exec_->where());
  for (const Record& r : walk.records) drawer.take(r);
  const WalkCounts& c = drawer.counts();
  walkRows_.push_back(
      {"walk", c.words() + (trees->searchedByTiles() ? ", as search = paper walks" : "")});
  walkRows_.push_back({"images", fmt::format("{} of {} reach into the box", c.asked, c.images)});
  walkRows_.push_back(
      {"distance checks", fmt::format("{}, of which {} listed", c.checks, c.listed)});
  if (drawer.rows.size() > 1)  // a single one did it all
    for (const auto& row : drawer.rows) walkRows_.push_back(row);
  if (walk.lost > 0)
    walkRows_.push_back({"not shown", fmt::format("{} records without room", walk.lost)});
  // Small boxes have the fewest places for their number: they choose first.
  const auto size = [](const LabelInstance& l) {
    return std::max(l.half[0], 1e-3f) * std::max(l.half[1], 1e-3f);
  };
  std::ranges::stable_sort(drawer.view.labels, {}, size);
  to.walk = std::move(drawer.view);
}

void ListScene::fill(std::uint32_t needs, const ListsLent& lent, double buffer,
                     const PickedSlot* picked, const ListTruth* truth, layers::Structures& to) {
  using layers::Need;
  const auto needed = [&](Need need) { return (needs & layers::bit(need)) != 0; };
  walkRows_.clear();
  if (needed(Need::trees)) fillTrees(lent, to);
  if (needed(Need::cells)) to.cells = cellsOf(lent);
  to.walk = to.searched = layers::Sketch{.reason = "no particle is picked: click one"};
  const bool wrong = truth && truth->faults() > 0;
  if (needed(Need::neighbours) && lent.partsDone < 0 && (picked || wrong))
    to.neighbours = neighbourLines(picked, lent, buffer, truth);
  if (!picked) return;
  if (lent.partsDone >= 0) {
    to.noNeighbours = kBeingBuilt;
    to.walk = to.searched = layers::Sketch{.reason = kBeingBuilt};
    to.coming |= layers::bit(Need::neighbours);
    if (lent.builder->trees())
      to.coming |= layers::bit(Need::walk);
    else if (!lent.list.clustered())
      to.coming |= layers::bit(Need::searched);
    return;
  }
  if (needed(Need::walk)) fillWalk(lent, *picked, buffer, to);
  if (needed(Need::searched)) to.searched = searchedCells(lent, *picked);
}

const ListTruth& ListJudge::judge(const ListsLent& lent, Backend where, std::uint64_t step,
                                  int phase, std::vector<std::uint32_t> only) {
  if (judged_ && now_.step == step && phase_ == phase && (only_.empty() || only_ == only))
    return truth_;
  truth_ = listTruth(lent, where, only);
  judged_ = true, phase_ = phase, only_ = std::move(only);
  now_ = {step, truth_.faults(), truth_.lookedAt, truth_.within, truth_.words()};
  if (worst_.step > step) worst_ = {};
  if (now_.faults > worst_.faults) worst_ = now_;
  return truth_;
}

void ListJudge::addTo(SelfCheck& check, std::uint64_t step) {
  if (now_.step > step || worst_.step > step) forget();
  if (!judged_) return;
  check.ok = worst_.faults == 0;
  if (check.ok) {
    check.detail +=
        fmt::format("; in step {} all {} pairs of {} particles within the cutoff are listed",
                    now_.step, now_.within, now_.lookedAt);
    return;
  }
  const bool isPast = now_.step != worst_.step;
  check.detail =
      fmt::format("{}{} in step {}", isPast ? "worst seen: " : "", worst_.words, worst_.step);
  if (isPast)
    check.detail +=
        fmt::format(", {} in step {}", now_.faults > 0 ? now_.words : "none", now_.step);
}

void ListScene::countAll(const std::vector<ParticleRecord>& particles, const Box& box,
                         const PairSettings& pair, std::size_t picked) {
  const auto n = static_cast<double>(particles.size());
  for (const auto& m : methods()) {
    const std::vector<std::uint32_t> checks =
        m->distanceChecks(exec_, particles, box, pair, picked, checked_.listed);
    if (checks.empty()) continue;
    checked_.method.push_back(m->label);
    checked_.ofPicked.push_back(checks[picked]);
    checked_.mean.push_back(std::accumulate(checks.begin(), checks.end(), 0.0) / n);
  }
}

void ListScene::countChecks(const ListsLent& lent, const ListHistory& history,
                            const PickedSlot& picked, std::uint32_t number,
                            const PairSettings& pair, bool anew) {
  const std::size_t n = lent.input.n;
  if (counted(history.builds, number, anew)) return;
  checked_ = {};
  if (n > kMostCounted) return;
  const std::vector<ParticleRecord> particles = onHost(exec_->where(), lent.input.particles, n);
  countAll(particles, lent.input.box, pair, picked.slot);
  // A cluster's list holds particles that only another one of the cluster reaches.
  const RecordBox box(lent.input.box);
  checked_.listed = static_cast<double>(
      std::count_if(picked.neighbours.begin(), picked.neighbours.end(), [&](std::uint32_t slot) {
        const ParticleRecord& q = particles[slot];
        return box.distanceSquared(picked.built, q) <=
               lent.input.table.reachSquared(picked.built.type, q.type);
      }));
  checked_.builds = history.builds, checked_.number = number;
}

void ListScene::countChecks(const MdState& state, std::uint64_t version, std::uint32_t number,
                            const PairSettings& pair, bool anew) {
  if (counted(version, number, anew)) return;
  checked_ = {};
  if (state.position.size() > kMostCounted) return;
  countAll(state.records(), state.box, pair, number);
  checked_.builds = version, checked_.number = number;
}

std::optional<Curve> ListScene::checksChart() const {
  if (checked_.method.empty()) return {};
  Curve c{"checks",
          "Distance checks by method",
          {"method", AxisScale::named, checked_.method},
          {"checks per list", AxisScale::logarithmic},
          "lists: counted by the kernels themselves, at the positions of the last build (Howard et "
          "al. 2016, section 2); placeholder cells: all other particles in the cells around (van "
          "Meel et al. 2008, section 3.1)"};
  CurveSeries picked{"picked particle", "", {}, checked_.ofPicked, {}, SeriesKind::bars},
      mean{"mean of all particles", "", {}, checked_.mean, {}, SeriesKind::bars},
      least{.label = "in its list", .kind = SeriesKind::points};
  for (std::size_t k = 0; k < checked_.method.size(); ++k) {
    for (CurveSeries* s : {&picked, &mean, &least}) s->x.push_back(static_cast<double>(k));
    least.y.push_back(checked_.listed);
  }
  c.series = {std::move(picked), std::move(mean), std::move(least)};
  return c;
}

}  // namespace cellscope::md
