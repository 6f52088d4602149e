// The picture of a list, and the card of a particle or of a pair.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "sim/layers/list.h"
#include "sim/modes/lists/mode.h"
#include "sim/modes/pick_search.h"

namespace cellscope {
namespace {

ColourScale typeScale(std::uint32_t types) {
  if (types < 2) return layers::plainScale("particles");
  ColourScale scale = layers::sequential("type", "", 0, static_cast<float>(types - 1));
  scale.whole = true;
  return scale;
}

LayerData particlesOf(const PairList& list, const std::vector<Vec3d>& at, double diameter) {
  std::vector<PointInstance> all;
  all.reserve(at.size());
  for (std::size_t i = 0; i < at.size(); ++i) {
    const std::uint32_t type = list.type.empty() ? 0 : list.type[i];
    all.push_back({static_cast<float>(at[i].x), static_cast<float>(at[i].y),
                   static_cast<float>(at[i].z), static_cast<float>(diameter),
                   static_cast<float>(type), 0, static_cast<std::uint16_t>(type)});
  }
  return layerOf(layers::kParticles, Primitive::points, all, typeScale(list.types));
}

std::string length(double x) { return std::isfinite(x) ? fmt::format("{:.6g}", x) : "none"; }

}  // namespace

layers::PairListView ListsMode::viewOf(ParticleId picked) const {
  const Shown& s = *shown_;
  layers::PairListView v{&s.list,
                         &s.report,
                         &s.inBox.lattice(),
                         &s.at,
                         s.low,
                         s.box.dimension,
                         static_cast<float>(s.diameter),
                         {},
                         nullptr};
  const auto n = static_cast<ParticleId>(s.at.size());
  const auto take = [&](std::int64_t k) {
    if (k >= 0 && k < n) v.picked.push_back(static_cast<std::size_t>(k));
  };
  if (picked < n) {
    take(picked);
  } else if (const auto k = static_cast<std::size_t>(picked - n); k < s.report.wrong.size()) {
    take(s.report.wrong[k].i);
    if (s.report.wrong[k].j != s.report.wrong[k].i) take(s.report.wrong[k].j);
  }
  return v;
}

void ListsMode::addPairRows(const list_check::Wrong& w, const layers::PairListView& view,
                            PickedParticle& card) const {
  card.rows = {
      {"", fmt::format("{}: {} and {}", shown_->findings->kinds[static_cast<std::size_t>(w.kind)],
                       w.i, w.j)},
      {"S", fmt::format("{} {} {}", w.shift[0], w.shift[1], w.shift[2])},
      {"distance", length(w.distance)},
      {"from the nearest face", length(w.toFace)},
      {"from the nearest wall", length(w.toWall)}};
  Vec3d a, b;
  if (!view.ends(w, a, b)) return;
  card.rows.push_back(
      {"cutoff", length(shown_->list.reach(view.picked.front(), view.picked.back()))});
  const double middle[3] = {(a.x + b.x) / 2, (a.y + b.y) / 2, (a.z + b.z) / 2};
  for (int k = 0; k < 3; ++k) card.position[k] = static_cast<float>(middle[k]);
}

// With its wrong pairs.
void ListsMode::addParticleRows(std::size_t i, PickedParticle& card) const {
  constexpr int kMostNamed = 6;
  const PairList& l = shown_->list;
  const double* const r = &l.position[3 * i];
  card.rows.push_back({"position", fmt::format("{:.6g} {:.6g} {:.6g}", r[0], r[1], r[2])});
  if (!l.id.empty()) card.rows.push_back({"id", fmt::format("{}", l.id[i])});
  if (!l.type.empty()) card.rows.push_back({"type", fmt::format("{}", l.type[i])});
  std::string partners[list_check::kKinds];
  int count[list_check::kKinds] = {};
  for (const list_check::Wrong& w : shown_->report.wrong) {
    if (w.i != card.id && w.j != card.id) continue;
    const auto kind = static_cast<std::size_t>(w.kind);
    if (++count[kind] <= kMostNamed)
      partners[kind] +=
          fmt::format("{}{}", count[kind] > 1 ? ", " : "", w.i == card.id ? w.j : w.i);
  }
  for (int k = 0; k < list_check::kKinds; ++k)
    if (count[k] > 0)
      card.rows.push_back(
          {list_check::kKindNames[k],
           fmt::format("{}: {}{}", count[k], partners[k], count[k] > kMostNamed ? " ..." : "")});
}

PickedParticle ListsMode::cardOf(ParticleId id, const layers::PairListView& view) const {
  const Shown& s = *shown_;
  const auto n = static_cast<ParticleId>(s.at.size());
  PickedParticle card;
  card.id = id;
  const Vec3d& r = s.at[view.picked[0]];
  const double place[3] = {r.x, r.y, r.z};
  for (int k = 0; k < 3; ++k) card.position[k] = static_cast<float>(place[k]);
  if (id >= n)
    addPairRows(s.report.wrong[static_cast<std::size_t>(id - n)], view, card);
  else
    addParticleRows(static_cast<std::size_t>(id), card);
  for (const std::size_t i : view.picked)
    if (!s.list.cells.of.empty())
      card.rows.push_back({fmt::format("cell of {}", i), fmt::format("{}", s.list.cells.of[i])});
  return card;
}

namespace {

// Without the box of the query, which is step 0, the nodes count from 1.
layers::WalkView walkOf(const list_check::Search& search, const layers::PairListView& v) {
  layers::WalkView walk;
  const double origin[3] = {v.low.x, v.low.y, v.low.z};
  const auto add = [&](const double* low, const double* high, layers::WalkPart part) {
    BoxInstance b{};
    for (int a = 0; a < v.dimension; ++a)
      b.lo[a] = static_cast<float>(low[a] - origin[a]),
      b.hi[a] = static_cast<float>(high[a] - origin[a]);
    b.value = static_cast<float>(part);
    b.level = static_cast<std::int16_t>(walk.boxes.size());
    if (b.level > 0) {
      walk.labels.push_back(labelOf(b.lo, std::to_string(b.level)));
      walk.labels.back().level = b.level;
    }
    walk.boxes.push_back(b);
  };
  add(search.low, search.high, layers::WalkPart::query);
  for (const list_check::NodeStep& n : search.nodes)
    add(&v.list->tree.lower[3 * static_cast<std::size_t>(n.node)],
        &v.list->tree.upper[3 * static_cast<std::size_t>(n.node)],
        !n.overlaps ? layers::WalkPart::pruned
        : n.leaf    ? layers::WalkPart::leaf
                    : layers::WalkPart::opened);
  return walk;
}

}  // namespace

// How the structures of the file look for the picked pair, beside those of the other file.
void ListsMode::addSearch(ParticleId picked, PickedParticle& card, layers::PairListView& view,
                          layers::Structures& to) const {
  const Shown& s = *shown_;
  const auto k = static_cast<std::size_t>(picked) - s.at.size();
  if (picked < static_cast<ParticleId>(s.at.size()) || k >= s.report.wrong.size()) return;
  const list_check::Wrong& w = s.report.wrong[k];
  if (!view.has(w.i) || !view.has(w.j)) return;
  view.search = std::make_shared<const list_check::Search>(s.searches.of(w));
  card.rows.insert(card.rows.end(), view.search->words.begin(), view.search->words.end());
  if (!view.search->nodes.empty()) to.walk = walkOf(*view.search, view);
  if (!s.other) return;
  for (auto& [label, words] : s.other->searches.of(w).words)
    card.rows.push_back({"other file: " + label, words});
}

std::shared_ptr<const Frame> ListsMode::frame(const ViewRequest& request) {
  const Shown& s = *shown_;
  auto frame = std::make_shared<Frame>();
  frame->step = step();
  frame->box = s.box;
  frame->outlined = s.fills;
  layers::Structures from;
  from.box = s.box;
  from.packed = particlesOf(s.list, s.at, s.diameter);
  layers::PairListView view = viewOf(request.picked);
  for (const std::size_t i : view.picked)
    from.picked.push_back({static_cast<float>(s.at[i].x), static_cast<float>(s.at[i].y),
                           static_cast<float>(s.at[i].z), static_cast<float>(s.diameter), 0, 0, 0});
  from.looks = request.looks;
  from.noWalk = "no pair is picked: choose a row of the table";
  if (!view.picked.empty()) {
    frame->picked = cardOf(request.picked, view);
    addSearch(request.picked, frame->picked, view, from);
  }
  from.lend(view);
  layers::Canvas to{nullptr, *frame};
  layers::drawAll(layers::shown(layers::pairListLayers(), request.layers), from, to);
  return frame;
}

ParticleId ListsMode::pick(const PickQuery& query) {
  const Shown& s = *shown_;
  PickSearch search(query, s.box);
  for (std::size_t i = 0; i < s.at.size(); ++i)
    search.look(static_cast<ParticleId>(i), s.at[i], s.diameter / 2,
                s.list.type.empty() ? 0 : static_cast<int>(s.list.type[i]));
  return search.found();
}

}  // namespace cellscope
