#include "sim/modes/lists/mode.h"

#include <fmt/format.h>

#include <filesystem>

#include "sim/layers/layers.h"
#include "sim/modes/points.h"

namespace cellscope {
namespace {

ColourScale typeScale(std::uint32_t types) {
  if (types < 2) return layers::plainScale("particles");
  constexpr std::uint32_t kNamed = 8;
  std::vector<std::string> names;
  for (std::uint32_t t = 0; t < types && types <= kNamed; ++t) names.push_back(std::to_string(t));
  if (!names.empty()) return layers::categories("type", names);
  return layers::counting("type", "", 0, static_cast<float>(types - 1));
}

LayerData particlesOf(const PairList& list, const std::vector<Vec3d>& at, double diameter) {
  std::vector<PointInstance> all;
  all.reserve(at.size());
  for (std::size_t i = 0; i < at.size(); ++i) {
    const std::uint32_t type = list.type.empty() ? 0 : list.type[i];
    all.push_back(pointAt(at[i], static_cast<float>(type), static_cast<float>(diameter)));
    all.back().type = static_cast<std::uint16_t>(type);
  }
  return layerOf(layers::kParticles, all, typeScale(list.types));
}

std::string length(double x) { return std::isfinite(x) ? fmt::format("{:.6g}", x) : "none"; }

bool isFlat(const PairList& l) {
  if (l.dimension == 2) return true;
  bool flat = !l.periodic[2] && l.cell[2] == 0 && l.cell[5] == 0 && l.size() > 0;
  for (std::size_t k = 2; flat && k < l.position.size(); k += 3)
    flat = l.position[k] == l.position[2];
  return flat;
}

// Within which hardly a pair lies.
double shortestStep(const PairList& l) {
  const list_check::Lattice box(l);
  return 1e-3 * *std::min_element(box.height, box.height + (isFlat(l) ? 2 : 3));
}

std::string fileNameOf(const PairList& l) {
  return std::filesystem::path(l.file).filename().string();
}

}  // namespace

ShownList::ShownList(PairList&& l, std::shared_ptr<const ShownList> beside)
    : list(std::move(l)),
      other(std::move(beside)),
      report(list_check::check(list)),
      inBox(list, shortestStep(list)),
      searches(list, inBox) {
  if (other) list_check::addChanges(list, other->list, other->report, report);
  box.dimension = isFlat(list) ? 2 : 3;
  place();
  find();
}

// The picture is the box where that stands upright and repeats itself; otherwise a box about it and
// all particles, with a margin so that none reaches across its border.
void ShownList::place() {
  const list_check::Lattice& lattice = inBox.lattice();
  double lo[3] = {0, 0, 0}, hi[3] = {0, 0, 0};
  const auto enclose = [&](Vec3d r) {
    const double x[3] = {r.x, r.y, r.z};
    for (int k = 0; k < 3; ++k) lo[k] = std::min(lo[k], x[k]), hi[k] = std::max(hi[k], x[k]);
  };
  for (int k = 0; k < box.dimension; ++k) {
    fills = fills && list.periodic[k] && lattice.row[k][k] > 0;
    for (int a = 0; a < 3; ++a) fills = fills && (a == k || lattice.row[k][a] == 0);
  }
  for (std::int32_t c = 0; c < 8; ++c) enclose(lattice.vector({c & 1, c >> 1 & 1, c >> 2 & 1}));
  for (std::size_t i = 0; i < list.size() && !fills; ++i) enclose(inBox.place(i));
  double volume = 1;
  for (int k = 0; k < box.dimension; ++k) volume *= hi[k] - lo[k];
  const double apart = std::pow(volume / static_cast<double>(list.size() + 1), 1.0 / box.dimension);
  diameter = apart / 3;
  const double margin = fills ? 0 : diameter;
  low = {lo[0] - margin, lo[1] - margin, box.dimension == 3 ? lo[2] - margin : 0};
  for (int k = 0; k < box.dimension; ++k) box.length[k] = hi[k] - lo[k] + 2 * margin;
  at.resize(list.size());
  for (std::size_t i = 0; i < at.size(); ++i) {
    const Vec3d r = inBox.place(i);
    at[i] = {r.x - low.x, r.y - low.y, box.dimension == 3 ? r.z - low.z : 0};
  }
}

void ShownList::find() {
  auto f = std::make_shared<PairFindings>();
  f->right = report.isRight();
  f->verdict = list_check::verdictLine(report);
  if (!f->right && report.wrongPairs() == 0)
    f->verdict = "The pairs are right, the structures are not";
  if (other) {
    f->words = {"first list, " + fileNameOf(list) + ": " + f->verdict,
                "second list, " + fileNameOf(other->list) + ": " + other->findings->verdict};
    f->verdict = list_check::changesLine(list, other->list, report);
    f->right = f->right && other->findings->right;
  }
  for (const auto& lines : {list_check::causeLines(report),
                            list_check::faultLines(report),
                            {list_check::headLine(list, report)},
                            list_check::noteLines(list, report)})
    f->words.insert(f->words.end(), lines.begin(), lines.end());
  for (int k = 0; k < list_check::kKinds; ++k)
    f->kinds.push_back(layers::WrongPairsLayer::labelOf(static_cast<list_check::Kind>(k)));
  const auto typeOf = [&](std::int64_t i) {
    return i >= 0 && i < static_cast<std::int64_t>(list.type.size())
               ? std::to_string(list.type[static_cast<std::size_t>(i)])
               : std::string("?");
  };
  for (const list_check::Wrong& w : report.wrong)
    f->pairs.push_back({static_cast<ParticleId>(list.size() + f->pairs.size()),
                        static_cast<std::size_t>(w.kind), w.i, w.j,
                        list.type.empty() ? "" : typeOf(w.i) + "-" + typeOf(w.j), w.distance,
                        w.toFace, w.toWall});
  findings = std::move(f);
}

layers::PairListView ShownList::view(ParticleId picked) const {
  layers::PairListView v{
      &list, &report, &inBox.lattice(), &at, low, box.dimension, static_cast<float>(diameter), {}};
  const auto take = [&](std::int64_t k) {
    if (k >= 0 && k < number()) v.picked.push_back(static_cast<std::size_t>(k));
  };
  if (picked < number()) {
    take(picked);
  } else if (const auto k = static_cast<std::size_t>(picked - number()); k < report.wrong.size()) {
    take(report.wrong[k].i);
    if (report.wrong[k].j != report.wrong[k].i) take(report.wrong[k].j);
  }
  return v;
}

// With its wrong pairs.
void ShownList::addParticleRows(std::size_t i, PickedParticle& card) const {
  constexpr int kMostNamed = 6;
  const PairList& l = list;
  const double* const r = &l.position[3 * i];
  card.rows.push_back({"position", fmt::format("{:.6g} {:.6g} {:.6g}", r[0], r[1], r[2])});
  if (!l.id.empty()) card.rows.push_back({"id", fmt::format("{}", l.id[i])});
  if (!l.type.empty()) card.rows.push_back({"type", fmt::format("{}", l.type[i])});
  std::string partners[list_check::kKinds];
  int count[list_check::kKinds] = {};
  for (const list_check::Wrong& w : report.wrong) {
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

PickedParticle ShownList::card(ParticleId id, const layers::PairListView& view) const {
  PickedParticle card;
  card.id = id;
  card.place(at[view.picked[0]]);
  if (id >= number()) {
    const list_check::Wrong& w = report.wrong[static_cast<std::size_t>(id - number())];
    card.rows = {{"", fmt::format("{}: {} and {}",
                                  findings->kinds[static_cast<std::size_t>(w.kind)], w.i, w.j)},
                 {"S", fmt::format("{} {} {}", w.shift[0], w.shift[1], w.shift[2])},
                 {"distance", length(w.distance)},
                 {"from the nearest face", length(w.toFace)},
                 {"from the nearest wall", length(w.toWall)}};
    if (Vec3d a, b; view.ends(w, a, b)) {
      card.rows.push_back({"cutoff", length(list.reach(view.picked.front(), view.picked.back()))});
      card.place(0.5 * (a + b));
    }
  } else {
    addParticleRows(static_cast<std::size_t>(id), card);
  }
  for (const std::size_t i : view.picked)
    if (!list.cells.of.empty())
      card.rows.push_back({fmt::format("cell of {}", i), fmt::format("{}", list.cells.of[i])});
  return card;
}

std::shared_ptr<Frame> ShownList::frame(std::uint64_t step, const layers::LayerList& on,
                                        const layers::PairListView& view,
                                        layers::Structures from) const {
  auto frame = std::make_shared<Frame>();
  frame->step = step;
  frame->box = box;
  frame->outlined = fills;
  from.box = box;
  from.packed = particlesOf(list, at, diameter);
  for (const std::size_t i : view.picked)
    from.picked.push_back(pointAt(at[i], 0, static_cast<float>(diameter)));
  from.lend(view);
  layers::Canvas to{nullptr, *frame};
  layers::drawAll(on, from, to);
  return frame;
}

ParticleId ShownList::pick(const PickQuery& query) const {
  PickSearch search(query, box);
  for (std::size_t i = 0; i < at.size(); ++i)
    search.look(static_cast<ParticleId>(i), at[i], diameter / 2,
                list.type.empty() ? 0 : static_cast<int>(list.type[i]));
  return search.found();
}

Configuration ShownList::configuration() const {
  if (!fills)
    throw InputError(
        "the box of this list is tilted or not periodic along all sides; allowed: one that is "
        "neither");
  Configuration c;
  c.box = box;
  for (const Vec3d& r : at) {
    const Vec3d in = box.wrap(r);
    c.positions.insert(c.positions.end(), {in.x, in.y, in.z});
  }
  c.ids = firstIds(at.size());
  return c;
}

}  // namespace cellscope
