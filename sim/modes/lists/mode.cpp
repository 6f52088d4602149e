#include "sim/modes/lists/mode.h"

#include <filesystem>

#include "sim/algo/list_check/pairs_within.h"
#include "sim/algo/list_check/words.h"
#include "sim/io/list_file.h"
#include "sim/layers/list.h"

namespace cellscope {
namespace {

constexpr std::size_t kLongestPath = 4096;

ModeDescription describeLists() {
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
}

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
  return 1e-3 * *std::min_element(box.height, box.height + 3);
}

std::string fileNameOf(const PairList& l) {
  return std::filesystem::path(l.file).filename().string();
}

}  // namespace

const ModeDescription& ListsMode::describe() {
  static const ModeDescription description = describeLists();
  return description;
}

ListsMode::Shown::Shown(PairList&& l, std::shared_ptr<const Shown> beside)
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
void ListsMode::Shown::place() {
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

void ListsMode::Shown::find() {
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

std::shared_ptr<const ListsMode::Shown> ListsMode::judged(
    const std::string& path, const P& p, std::shared_ptr<const Shown> beside) const {
  reportWork("reading " + path, -1);
  PairList list = io::readPairList(path).list;
  if (list.size() == 0)
    throw InputError(fmt::format(
        "'{}' has no 'positions'; a list without any is checked by `cellscope check-lists` with "
        "--positions",
        path));
  if (p.cutoff > 0) {
    list.cutoff = p.cutoff;
    list.types = 0;
    list.cutoffs.clear(), list.radius.clear();
  } else if (list.cutoff == 0 && list.cutoffs.empty() && list.radius.empty()) {
    throw InputError(fmt::format(
        "'{}' has none of 'cutoff', 'cutoffs' and 'radii'; allowed: a file with one of them, or "
        "--set cutoff=R",
        path));
  }
  reportWork("comparing with all pairs", -1);
  return std::make_shared<const Shown>(std::move(list), std::move(beside));
}

std::shared_ptr<const ListsMode::Shown> ListsMode::judgedBoth(const P& p) const {
  return judged(path_, p, compare_.empty() ? nullptr : judged(compare_, p));
}

void ListsMode::open(const std::string& path, const std::string& compare) {
  const std::string before = std::exchange(path_, path), beside = std::exchange(compare_, compare);
  try {
    restart();
  } catch (...) {
    path_ = before, compare_ = beside;
    throw;
  }
}

// The file is read again.
void ListsMode::start(const P& p) {
  if (path_.empty())
    throw InputError("mode 'lists' shows a file of pairs: name it by configuration = \"FILE\"");
  shown_ = judgedBoth(p);
  begin(p);
}

void ListsMode::startFrom(const Configuration&, const P&) {
  throw InputError("mode 'lists' shows a file of pairs, and takes over no particles");
}

void ListsMode::parametersChanged(const P&, std::uint32_t) { shown_ = judgedBoth(active()); }

void ListsMode::runSteps(std::uint64_t) { throw InputError(description().noSteps); }

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

// The file is the state.
void ListsMode::saveState(std::ostream& out) const {
  BinaryWriter writer(out);
  writer.text(path_), writer.text(compare_);
}

void ListsMode::loadState(std::istream& in, const P& p, int) {
  BinaryReader reader(in);
  const std::string path = reader.text("path of the list", kLongestPath),
                    compare = reader.text("path of the other list", kLongestPath);
  const bool same = path == path_ && compare == compare_ && shown_;
  const std::string before = std::exchange(path_, path), beside = std::exchange(compare_, compare);
  try {
    if (!same || p.cutoff != active().cutoff) shown_ = judgedBoth(p);
  } catch (...) {
    path_ = before, compare_ = beside;
    throw;
  }
  begin(p);
}

Configuration ListsMode::configuration() const {
  const Shown& s = *shown_;
  if (!s.fills)
    throw InputError(
        "the box of this list is tilted or not periodic along all sides; allowed: one that is "
        "neither");
  Configuration c;
  c.box = s.box;
  for (const Vec3d& r : s.at) {
    const Vec3d in = s.box.wrap(r);
    c.positions.insert(c.positions.end(), {in.x, in.y, in.z});
  }
  c.ids = firstIds(s.at.size());
  return c;
}

}  // namespace cellscope
