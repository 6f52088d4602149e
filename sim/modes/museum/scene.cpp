// The list of the present state, judged; its picture, and what is told of a pair.
#include "sim/layers/list.h"
#include "sim/modes/museum/mode.h"

namespace cellscope {

// The pairs within the cutoff, of those listed. Positions are in the box; those of the exhibit of
// the image flag are where the particles have gone.
PairList MuseumMode::listNow() const {
  const museum::Exhibit& e = active().shown();
  const std::size_t n = state_.r.size();
  const bool unwrapped = e.bug == museum::Bug::imageFlag;
  PairList l;
  l.dimension = 2;
  const double cell[9] = {e.lx, 0, 0, e.shear, e.ly, 0, 0, 0, 0};
  std::copy(cell, cell + 9, l.cell);
  l.periodic[2] = false;
  l.cutoff = e.cutoff;
  l.half = true;
  for (std::size_t i = 0; i < n; ++i) {
    const Shift& s = state_.image[i];
    const Vec3d v = unwrapped ? e.vector(s[0], s[1]) : Vec3d{0, 0, 0};
    l.position.insert(l.position.end(),
                      {e.origin + state_.r[i].x + v.x, e.origin + state_.r[i].y + v.y, 0.0});
    if (e.types > 1) l.type.push_back(museum::ListBuilder::typeOf(i));
  }
  if (e.types > 1) l.types = e.types, l.cutoffs.assign(std::size_t{e.types} * e.types, e.cutoff);
  for (const museum::ListedPair& p : lists_->pairs()) {
    Shift s = p.s;  // of positions in the box, now
    for (std::size_t a = 0; a < 2; ++a)
      s[a] +=
          built_.image[p.i][a] - built_.image[p.j][a] - state_.image[p.i][a] + state_.image[p.j][a];
    const Vec3d d = e.apart(state_.r[p.i], state_.r[p.j], s);
    if (dot(d, d) >= e.cutoff * e.cutoff) continue;
    for (std::size_t k = 0; k < 2 && unwrapped && !active().mistake; ++k)
      s[k] += state_.image[p.i][k] - state_.image[p.j][k];
    l.i.push_back(p.i), l.j.push_back(p.j);
    l.shift.insert(l.shift.end(), s.begin(), s.end());
  }
  // The check takes cells for equal.
  const bool thin = active().mistake && e.bug == museum::Bug::thinLastCell;
  if (e.skin == 0 && !thin) l.cells = lists_->cells(), l.tree = lists_->tree();
  return l;
}

const ShownList& MuseumMode::shown() const {
  if (shown_) return *shown_;
  auto now = std::make_shared<ShownList>(listNow());
  auto f = std::make_shared<PairFindings>(*now->findings);
  // The causes and what the structures tell; the rest is for those who brought a file.
  f->words = list_check::causeLines(now->report);
  std::erase_if(f->words, [](const std::string& w) { return w.find("warp") != w.npos; });
  for (const std::string& w : list_check::faultLines(now->report)) f->words.push_back(w);
  f->words.push_back(fmt::format("{} pairs within the cutoff, {} listed", now->report.expected,
                                 now->report.entries));
  for (PairFinding& p : f->pairs)
    p.pick = pairId(static_cast<std::int64_t>(state_.r.size()), p.i, p.j);
  now->findings = std::move(f);
  shown_ = std::move(now);
  return *shown_;
}

layers::PairListView MuseumMode::viewOf(ParticleId picked) const {
  const auto n = static_cast<ParticleId>(state_.r.size());
  layers::PairListView view = shown().view(picked < n ? picked : -1);
  if (picked >= n && picked < pairId(n, n - 1, n))
    for (const ParticleId k : {(picked - n) / n, (picked - n) % n})
      view.picked.push_back(static_cast<std::size_t>(k));
  return view;
}

// Of a pair: what the list has of it, and the line to blame.
PickedParticle MuseumMode::cardOf(ParticleId id, const layers::PairListView& view) const {
  const museum::Exhibit& e = active().shown();
  const ShownList& s = shown();
  PickedParticle card;
  if (view.picked.size() == 1) {
    card = s.card(id, view);
  } else {
    const std::size_t i = view.picked[0], j = view.picked[1];
    card.id = id;
    const Vec3d d = e.nearest(state_.r[i], state_.r[j]);
    const double distance = std::hypot(d.x, d.y);
    std::string what = distance < e.cutoff ? "Right" : "Too far apart";
    std::optional<double> listed;  // of another image
    for (const list_check::Wrong& w : s.report.wrong) {
      if (std::minmax(w.i, w.j) !=
          std::minmax(static_cast<std::int64_t>(i), static_cast<std::int64_t>(j)))
        continue;
      what = s.findings->kinds[static_cast<std::size_t>(w.kind)];
      if (w.kind == list_check::Kind::wrongImage) listed = w.distance;
    }
    card.rows = {{"", fmt::format("{}: {} and {}", what, i, j)}};
    if (listed)
      card.rows.emplace_back("distance in the list", fmt::format("{:.3f} sigma", *listed));
    card.rows.emplace_back(listed ? "of the nearest image" : "distance",
                           fmt::format("{:.3f} sigma, cutoff {:g}", distance, e.cutoff));
    card.place(s.at[i] + 0.5 * d);
    for (const std::size_t k : view.picked)
      if (!s.list.cells.of.empty())
        card.rows.emplace_back(fmt::format("cell of {}", k), fmt::format("{}", s.list.cells.of[k]));
  }
  card.rows.emplace_back(active().mistake ? "the mistake, in use" : "the mistake", e.mistake);
  card.rows.emplace_back(active().mistake ? "the mend" : "the mend, in use", e.mend);
  return card;
}

// Of a particle whose flag is lost: at the position that the list is used with, out of the box.
void MuseumMode::addCrossing(std::size_t i, std::vector<LabelInstance>& to) const {
  const museum::Exhibit& e = active().shown();
  const Shift& image = state_.image[i];
  if (!active().mistake || e.bug != museum::Bug::imageFlag || image == Shift{}) return;
  const Vec3d r = shown().at[i] + e.vector(image[0], image[1]);
  const char* const face = image[1] != 0  ? image[1] > 0 ? "top" : "bottom"
                           : image[0] > 0 ? "right"
                                          : "left";
  to.push_back(labelOf(r, fmt::format("{} crossed the {} face", i, face)));
}

// Lines of each kind, with its name in the legend: those that are there alone.
static void addEdges(const museum::Edges& edges, const char* name, Mark mark, layers::Sketch& to) {
  if (edges.empty()) return;
  const auto kind = static_cast<float>(to.lineScale.categories.size());
  for (const auto& [a, b] : edges) to.lines.push_back(lineBetween(a, b, kind));
  to.lineScale.categories.emplace_back(name), to.lineScale.marks.push_back(mark);
}

// A ring about where a particle was, and a line from there to the rim of the particle.
static void addMoved(const Vec3d& then, const Vec3d& now, double radius, museum::Edges& to) {
  const museum::Edges ring = museum::circle(then, radius, 20);
  to.insert(to.end(), ring.begin(), ring.end());
  const double way = std::hypot(now.x - then.x, now.y - then.y), part = 1 - radius / way;
  if (way > radius)
    to.emplace_back(then,
                    Vec3d{then.x + part * (now.x - then.x), then.y + part * (now.y - then.y), 0});
}

// About particle `i`: the cutoff, and one of its type that was mistaken for it; with a skin where
// each particle was when the list was built, and the reach of the list about that.
void MuseumMode::addCircles(std::size_t i, layers::Sketch& to) const {
  constexpr int kSmooth = 360, kDashes = 72;  // dashes need long sides
  const museum::Exhibit& e = active().shown();
  const ShownList& s = shown();
  addEdges(museum::circle(s.at[i], e.cutoff, kSmooth), "the cutoff", Mark::query, to);
  if (const double shorter = lists_->shorter(i); shorter > 0)
    addEdges(museum::circle(s.at[i], shorter, kDashes * 2 / 3), "taken for the cutoff",
             Mark::tooFar, to);
  if (!(e.skin > 0)) return;
  const auto then = [&](std::size_t k) {
    return s.at[k] + built_.r[k] - state_.r[k] +
           e.vector(built_.image[k][0] - state_.image[k][0],
                    built_.image[k][1] - state_.image[k][1]);
  };
  museum::Edges moved;
  for (std::size_t k = 0; k < s.at.size(); ++k) addMoved(then(k), s.at[k], s.diameter / 2, moved);
  addEdges(moved, "place then", Mark::before, to);
  addEdges(museum::circle(then(i), e.cutoff + e.skin, kDashes), "cutoff and skin then",
           Mark::inBuffer, to);
}

std::shared_ptr<const Frame> MuseumMode::frame(const ViewRequest& request) {
  const ShownList& s = shown();
  const layers::PairListView view = viewOf(request.picked);
  const auto inPicture = [&](museum::Edges edges) {
    for (auto& [a, b] : edges)
      for (Vec3d* const r : {&a, &b}) r->x -= s.low.x, r->y -= s.low.y;
    return edges;
  };
  layers::Structures from;
  layers::Sketch &walls = from.walls.emplace(), &found = from.searched.emplace();
  addEdges(inPicture(lists_->walls()), "", Mark::cellOutline, walls);
  walls.lineScale = layers::plainScale("cell walls", {Mark::cellOutline});
  const auto add = [&](std::vector<museum::ListBuilder::Shape> shapes) {
    for (museum::ListBuilder::Shape& shape : shapes)
      addEdges(inPicture(std::move(shape.edges)), shape.name, shape.mark, found);
  };
  std::optional<std::pair<std::size_t, std::size_t>> pair;
  if (view.picked.size() == 2) pair.emplace(view.picked[0], view.picked[1]);
  museum::ListBuilder::Picture faults = lists_->faults(pair);
  add(std::move(faults.shapes));
  for (const auto& [r, words] : faults.signs)
    found.labels.push_back(labelOf(Vec3d{r.x - s.low.x, r.y - s.low.y, 0}, words));
  for (const std::size_t k : view.picked) addCrossing(k, found.labels);
  const museum::Exhibit& e = active().shown();
  if (!view.picked.empty()) {
    // Leaves looked through lie further away than the picture of a rounded box shows.
    if (e.skin == 0 && e.bug != museum::Bug::floatBox)
      add(lists_->searched(static_cast<std::uint32_t>(view.picked[0])));
    addCircles(view.picked[0], found);
  }
  const bool since = e.skin > 0 && !view.picked.empty();
  found.lineScale = layers::categories(since ? "since the list was built" : "searched",
                                       found.lineScale.categories, found.lineScale.marks);
  if (found.lines.empty()) found.reason = "no particle is picked";
  auto frame = s.frame(step(), layers::shown(layers::museumLayers(), request.layers), view, from);
  // The images of other pairs are far from the picture of a rounded box.
  if (active().shown().bug == museum::Bug::floatBox)
    std::erase_if(frame->layers, [](const LayerData& l) { return l.key == "missing_images"; });
  if (!view.picked.empty()) frame->picked = cardOf(request.picked, view);
  frame->checks = selfChecks();
  return frame;
}

std::vector<std::optional<Vec3d>> MuseumMode::placesOf(const std::vector<ParticleId>& ids) {
  return each(ids, [&](ParticleId id) {
    return id >= 0 && id < shown().number()
               ? std::optional(shown().at[static_cast<std::size_t>(id)])
               : std::nullopt;
  });
}

std::vector<Neighbour> MuseumMode::neighboursOf(ParticleId id) {
  const PairList& l = shown().list;
  std::vector<Neighbour> all;
  for (ParticleId j = 0; id >= 0 && id < shown().number() && j < shown().number(); ++j) {
    const Vec3d d = active().shown().nearest(state_.r[static_cast<std::size_t>(id)],
                                             state_.r[static_cast<std::size_t>(j)]);
    Neighbour one{j, std::hypot(d.x, d.y)};
    one.within = one.distance < l.cutoff;
    one.listed = false;
    for (std::size_t k = 0; k < l.i.size(); ++k)
      if (std::minmax(l.i[k], l.j[k]) == std::minmax(id, j)) one.listed = true;
    if (j != id && (one.within || *one.listed)) all.push_back(one);
  }
  return all;
}

}  // namespace cellscope
