#include "sim/modes/lists/mode.h"

#include "sim/io/list_file.h"
#include "sim/layers/list.h"

namespace cellscope {

constexpr std::size_t kLongestPath = 4096;

const ModeDescription& ListsMode::describe() {
  static const ModeDescription description = [] {
    ModeDescription d;
    d.key = "lists";
    d.label = "Neighbour list of a file";
    d.noSteps =
        "A neighbour list of a file is shown as it is: it has no steps. `cellscope check-lists` "
        "reports on it without a window.";
    d.lengthUnit = "";
    d.dimensions = {2, 3};
    d.layers = layers::infosOf(layers::pairListLayers());
    d.colourings = {{"type", "Type", "The types of the file, where it has any."}};
    d.parameters = &ParameterSet::defaults<PairListParameters>;
    return d;
  }();
  return description;
}

std::shared_ptr<const ShownList> ListsMode::judged(const std::string& path, const P& p,
                                                   std::shared_ptr<const ShownList> beside) const {
  reportWork("reading " + path, -1);
  PairList list = io::readPairList(path).list;
  if (list.size() == 0)
    throw InputError(
        "'{}' has no 'positions'; a list without any is checked by `cellscope check-lists` with "
        "--positions",
        path);
  if (p.cutoff > 0) {
    list.cutoff = p.cutoff;
    list.types = 0;
    list.cutoffs.clear(), list.radius.clear();
  } else if (list.cutoff == 0 && list.cutoffs.empty() && list.radius.empty()) {
    throw InputError(
        "'{}' has none of 'cutoff', 'cutoffs' and 'radii'; allowed: a file with one of them, or "
        "--set cutoff=R",
        path);
  }
  reportWork("comparing with all pairs", -1);
  return std::make_shared<const ShownList>(std::move(list), std::move(beside));
}

void ListsMode::open(const std::string& path, const std::string& compare) {
  const Files before = std::exchange(files_, {path, compare});
  try {
    restart();
  } catch (...) {
    files_ = before;
    throw;
  }
}

// The file is read again.
void ListsMode::start(const P& p) {
  if (files_.path.empty())
    throw InputError("mode 'lists' shows a file of pairs: name it by configuration = \"FILE\"");
  shown_ = judgedBoth(p, files_);
  begin(p);
}

// What the file has not is not on offer.
void ListsMode::adjustInfo(ModeInfo& info) const {
  if (!shown_) return;
  info.dimension = shown_->box.dimension;
  const PairList& l = shown_->list;
  std::erase_if(info.layers, [&](const LayerInfo& layer) {
    if (layer.key == layers::kCells) return !l.cells.any();
    if (layer.key == layers::kTree) return l.tree.lower.empty();
    if (layer.key == layers::kSearched) return !l.cells.any() || l.cells.of.empty();
    if (layer.key == layers::kWalk) return l.tree.lower.empty() || l.tree.leafOf.empty();
    if (layer.group != LayerGroup::pairs) return false;
    for (int k = 0; k < list_check::kKinds; ++k)
      if (layer.key == layers::WrongPairsLayer::keyOf(static_cast<list_check::Kind>(k)))
        return shown_->report.count[static_cast<std::size_t>(k)] == 0;
    return false;
  });
  for (LayerInfo& layer : info.layers)
    if (layer.key == layers::kCells) layer.onByDefault = info.dimension == 2;
}

void ListsMode::loadState(BinaryReader& r, const P& p, int) {
  Files files{r.text("path of the list", kLongestPath)};
  files.compare = r.text("path of the other list", kLongestPath);
  const bool same = files == files_ && shown_;
  if (!same || p.cutoff != active().cutoff) shown_ = judgedBoth(p, files);
  files_ = std::move(files);
  begin(p);
}

// Without the box of the query, which is step 0, the nodes count from 1.
static layers::Sketch walkOf(const list_check::Search& search, const layers::PairListView& v) {
  layers::Sketch walk = layers::walkSketch();
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

// The cells around that of the first particle of the pair, one by one.
static layers::Sketch searchedOf(const list_check::Search& search, const layers::PairListView& v) {
  layers::Sketch searched;
  searched.lineScale = layers::categories(
      "search", {"own cell", "cell searched", "cell not searched", "cell of the other"},
      {Mark::ownCell, Mark::searched, Mark::skipped, Mark::leaf});
  if (search.cells.empty()) searched.reason = "there are too many cells within the cutoff";
  std::int16_t level = 0;
  for (const list_check::CellStep& step : search.cells) {
    const auto corner = [&](const double(&in)[3]) {
      double f[3];
      for (std::size_t a = 0; a < 3; ++a)
        f[a] = (step.cell[a] + in[a]) / static_cast<double>(v.list->cells.dims[a]);
      return v.corner(f);
    };
    const int part = step.cell == search.own     ? 0
                     : step.cell == search.other ? 3
                     : step.used                 ? 1
                                                 : 2;
    const Vec3d middle = corner({0.5, 0.5, v.dimension == 3 ? 0.5 : 0});
    searched.labels.push_back(labelOf(middle, std::to_string(++level)));
    searched.labels.back().level = level;
    for (int a = 0; a < v.dimension; ++a)
      for (int c = 0; c < (v.dimension == 3 ? 4 : 2); ++c) {
        double from[3] = {0, 0, 0};
        from[(a + 1) % v.dimension] = c & 1, from[3 - a - (a + 1) % v.dimension] = c >> 1;
        double to[3] = {from[0], from[1], from[2]};
        to[a] = 1;
        searched.lines.push_back(lineBetween(corner(from), corner(to), static_cast<float>(part)));
        searched.lines.back().level = level;
      }
  }
  return searched;
}

// How the structures of the file look for the picked pair, beside those of the other file.
void ListsMode::addSearch(ParticleId picked, PickedParticle& card, const layers::PairListView& view,
                          layers::Structures& to) const {
  const ShownList& s = *shown_;
  const auto k = static_cast<std::size_t>(picked) - s.at.size();
  if (picked < static_cast<ParticleId>(s.at.size()) || k >= s.report.wrong.size()) return;
  const list_check::Wrong& w = s.report.wrong[k];
  if (!view.has(w.i) || !view.has(w.j)) return;
  const list_check::Search search = s.searches.of(w);
  card.rows.insert(card.rows.end(), search.words.begin(), search.words.end());
  to.searched = searchedOf(search, view);
  if (!search.nodes.empty()) to.walk = walkOf(search, view);
  if (!s.other) return;
  for (auto& [label, words] : s.other->searches.of(w).words)
    card.rows.push_back({"other file: " + label, words});
}

std::shared_ptr<const Frame> ListsMode::frame(const ViewRequest& request) {
  layers::Structures from;
  const layers::PairListView view = shown_->view(request.picked);
  from.looks = request.looks;
  from.walk = from.searched =
      layers::Sketch{.reason = "no pair is picked: choose a row of the table"};
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
