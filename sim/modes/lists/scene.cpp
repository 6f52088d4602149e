// The picture of a list, with the search of the picked pair.
#include "sim/layers/list.h"
#include "sim/modes/lists/mode.h"

namespace cellscope {
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
  const ShownList& s = *shown_;
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
  layers::Structures from;
  layers::PairListView view = shown_->view(request.picked);
  from.looks = request.looks;
  from.noWalk = "no pair is picked: choose a row of the table";
  PickedParticle card;
  if (!view.picked.empty()) {
    card = shown_->card(request.picked, view);
    addSearch(request.picked, card, view, from);
  }
  auto frame =
      shown_->frame(step(), layers::shown(layers::pairListLayers(), request.layers), view, from);
  frame->picked = std::move(card);
  return frame;
}

}  // namespace cellscope
