#include "sim/modes/gcmc/scene.h"

#include "sim/base/digits.h"

namespace cellscope::gcmc {
namespace {

using layers::Sketch;

// The nearest image of p as seen from `from`, which may lie outside the box.
Vec3d nearest(const Box& box, const Vec3d& from, GcmcPoint p) {
  return from + box.minimumImage(gcmcPosition(box, p) - from);
}

// A cell of a shifted grid may reach out of the box.
BoxInstance boxOf(const Box& box, const GcmcShare& share, const int* at, float value) {
  BoxInstance b{};
  for (int k = 0; k < box.dimension; ++k) {
    const double width = box.length[k] / share.cube.count[k];
    const double first = at[k] * width + share.shift[k] * (box.length[k] / 4294967296.0);
    const double lo = first < box.length[k] ? first : first - box.length[k];
    b.lo[k] = static_cast<float>(lo);
    b.hi[k] = static_cast<float>(lo + width);
  }
  b.value = value;
  return b;
}
Vec3d middle(const BoxInstance& b) {
  const auto along = [&](int k) { return static_cast<double>(0.5f * (b.lo[k] + b.hi[k])); };
  return {along(0), along(1), along(2)};
}

// What of a cell is drawn, whether counted now or recorded.
struct Drawn {
  GcmcCubeCell cell;
  int block, firstThread, threads, turn;
  GcmcVisitOutcome outcome;
};

constexpr int kNamedBlocks = 9;
constexpr std::size_t kMostLabels = 400;

ColourScale workScale(int blocks) {
  if (blocks <= 1)
    return layers::categories("cells of the last move", {"with particles", "empty", "skipped"},
                              {Mark::searched, Mark::ownCell, Mark::skipped});
  if (blocks > kNamedBlocks)
    return layers::counting("thread block", "", 0, static_cast<float>(blocks - 1));
  std::vector<std::string> names;
  for (int k = 0; k < blocks; ++k) names.push_back(fmt::format("block {}", k));
  ColourScale scale = layers::categories("thread block", std::move(names));
  scale.tones = true;
  return scale;
}

std::string blockInWords(const Drawn& d, int blocks) {
  return blocks > 1 ? fmt::format("b{}", d.block) : "";
}

// The block first, which stays where there is no room for the threads.
std::string threadsInWords(const Drawn& d, int blocks, bool turns) {
  std::string text = blocks > 1 ? blockInWords(d, blocks) + '\n' : "";
  text += d.threads == 1 ? fmt::format("t{}", d.firstThread)
                         : fmt::format("t{}–{}", d.firstThread, d.firstThread + d.threads - 1);
  return turns ? text + fmt::format(" #{}", d.turn + 1) : text;
}

// Lines from cell to cell in the order of the threads that visit several.
void addOrder(const Box& box, const GcmcShare& share, const std::vector<Drawn>& cells, Sketch& s) {
  std::map<std::pair<int, int>, std::map<int, const Drawn*>> visits;
  for (const Drawn& d : cells) visits[{d.block, d.firstThread}][d.turn] = &d;
  for (const auto& [who, turns] : visits) {
    const Drawn* before = nullptr;
    for (const auto& [turn, d] : turns) {
      if (before && before->turn + 1 == turn) {
        const Vec3d a = middle(boxOf(box, share, before->cell.at, 0));
        const Vec3d b = middle(boxOf(box, share, d->cell.at, 0)), r = b - a;
        const bool across = 2 * std::fabs(r.x) > box.length[0] ||
                            2 * std::fabs(r.y) > box.length[1] ||
                            2 * std::fabs(r.z) > std::max(box.length[2], 1.0);
        if (!across) s.lines.push_back(lineBetween(a, b));
      }
      before = d;
    }
  }
}

Sketch sketchCells(const Box& box, const GcmcShare& share, const std::vector<Drawn>& cells,
                   int height, bool blocksOnly = false) {
  Sketch s;
  if (cells.empty()) {
    s.reason = "this method has no cells: every thread reads its share of all particles";
    return s;
  }
  int blocks = 0, turns = 0;
  for (const Drawn& d : cells)
    blocks = std::max(blocks, d.block + 1), turns = std::max(turns, d.turn + 1);
  s.boxScale = workScale(blocks);
  s.lineScale = layers::plainScale("order of visits", {Mark::arrow},
                                   {"order in which the same threads visit"});
  const bool all = cells.size() <= 27;
  for (const Drawn& d : cells) {
    BoxInstance b = boxOf(box, share, d.cell.at,
                          blocks > 1 ? static_cast<float>(d.block) : static_cast<float>(d.outcome));
    if (d.outcome == GcmcVisitOutcome::skipped && blocks > 1) b.level = -1;
    s.boxes.push_back(b);
    s.blocks.push_back(d.block);
    const bool labelled = d.outcome != GcmcVisitOutcome::skipped && (all || d.cell.at[2] == height);
    if (labelled && s.labels.size() < kMostLabels)
      s.labels.push_back(
          labelOf(b, blocksOnly ? blockInWords(d, blocks) : threadsInWords(d, blocks, turns > 1)));
  }
  if (all) addOrder(box, share, cells, s);
  return s;
}

const GcmcCubeCell* find(const std::vector<GcmcCellWork>& cells, std::uint32_t number) {
  for (const GcmcCellWork& w : cells)
    if (w.cell.cell == number) return &w.cell;
  return nullptr;
}

// A circle about `at`, in the plane of two axes.
void addCircle(const Vec3d& at, double radius, const Vec3d& first, const Vec3d& second, Sketch& s) {
  constexpr int kSegments = 64;
  Vec3d before = at + radius * first;
  for (int k = 1; k <= kSegments; ++k) {
    const double angle = 2 * std::numbers::pi * k / kSegments;
    const Vec3d p = at + radius * (std::cos(angle) * first + std::sin(angle) * second);
    s.lines.push_back(lineBetween(before, p));
    before = p;
  }
}

constexpr float kRadius = 0.5f;  // of a particle

// Where a line ends at an image outside the box, a faint particle.
void addImage(const Box& box, const Vec3d& at, GcmcPoint p, Sketch& s) {
  const Vec3d d = at - gcmcPosition(box, p);
  const bool inside = std::fabs(d.x) < 0.5 * box.length[0] &&
                      std::fabs(d.y) < 0.5 * box.length[1] &&
                      (box.dimension == 2 || std::fabs(d.z) < 0.5 * box.length[2]);
  if (inside) return;
  s.images.push_back(pointAt(at, 0));
  s.images.back().level = -1;
}

void addPlaces(const TracedMove& m, MoveStage stage, const Vec3d& old, const Vec3d& fresh,
               Sketch& s) {
  enum Part { chosen, proposed, accepted, rejected };
  s.pointScale = layers::categories(
      "move under the microscope",
      {"chosen", m.kind == GcmcKind::exchange ? "proposed type" : "proposed position", "accepted",
       "rejected"},
      {Mark::picked, Mark::query, Mark::moved, Mark::rejected});
  s.pointScale.marks[proposed] = Mark::inserted;
  s.imageScale = layers::labelScale("images of particles");
  if (m.old) s.points.push_back(pointAt(old, chosen));
  if (stage < MoveStage::propose) return;
  if (m.fresh) s.points.push_back(pointAt(fresh, proposed));
  if (stage < MoveStage::decide) return;
  s.points.push_back(pointAt(m.fresh ? fresh : old, m.accepted() ? accepted : rejected));
}

int blocksOf(const TracedMove& m) {
  std::uint32_t last = 0;
  for (const auto* records : {&m.visits, &m.pairs})
    for (const Record* r : *records) last = std::max<std::uint32_t>(last, r->group);
  return static_cast<int>(last) + 1;
}

// The thread that read a particle, in the colour of its block; of a single thread the order.
LabelInstance readerLabel(const TracedMove& m, const Record& r, const Vec3d& other,
                          std::size_t before) {
  const bool inOrder = m.share.how == GcmcSharing::oneThread;
  return labelOfBall(other, kRadius,
                     inOrder ? fmt::format("{}", before + 1) : fmt::format("t{:.0f}", r.number[0]),
                     static_cast<float>(r.group));
}

// Lines from the position to what was read there. number: of the squared distance in the records.
void addPairs(const TracedMove& m, const Vec3d& place, int bit, int number, bool energies,
              Sketch& s) {
  std::size_t named = 0;
  for (const Record* r : m.pairs) {
    if (!(r->number[number] > 0) || r->object >= m.before.count()) continue;
    const bool within = (r->outcome & bit) != 0;
    if (energies && !within) continue;
    const GcmcPoint p = m.before.point[r->object];
    const Vec3d other = nearest(m.before.box, place, p);
    s.lines.push_back(lineBetween(place, other,
                                  energies ? r->number[number + 1]
                                  : within ? 1.0f
                                           : 0.0f));
    addImage(m.before.box, other, p, s);
    if (named >= kMostLabels) continue;
    if (!energies)
      s.labels.push_back(readerLabel(m, *r, other, named++));
    else if (std::fabs(r->number[number + 1]) >= 0.1f)
      ++named, s.labels.push_back(labelOfBall(
                   other, kRadius, compact(static_cast<double>(r->number[number + 1]), 3)));
  }
}

// Partial sums at the first cell of each block, or at the place.
void addSums(const TracedMove& m, const Vec3d& place, Sketch& s) {
  const std::vector<GcmcCellWork> around = gcmcWork(m.share, m.rules.pair, m.place());
  for (const Record* r : m.partials) {
    // The cell of the block that is nearest in the picture.
    BoxInstance cell{};
    double nearest = -1;
    for (const GcmcCellWork& w : around) {
      if (m.partials.size() == 1 || static_cast<std::uint32_t>(w.block) != r->group) continue;
      const BoxInstance b = boxOf(m.before.box, m.share, w.cell.at, 0);
      const Vec3d way = middle(b) - place;
      const double far = dot(way, way);
      if (nearest < 0 || far < nearest) nearest = far, cell = b;
    }
    if (m.partials.size() == 1)
      s.labels.push_back(
          labelOfBall(place, kRadius, fmt::format("dU = {}", compact(inParts(*r), 5))));
    else if (nearest >= 0)
      s.labels.push_back(
          labelOf(cell, fmt::format("{}\nin b{}", compact(inParts(*r), 4), r->group)));
  }
}

std::string decisionInWords(const TracedMove& m) {
  if (m.ofMany && m.decide->object == 1) return "rejected: leaves the cell";
  return fmt::format("{}: {} {} {}", m.accepted() ? "accepted" : "rejected",
                     compact(m.decide->number[4], 3), m.accepted() ? "<" : "≥",
                     compact(m.decide->number[3], 3));
}

}  // namespace

Sketch sketchWork(const Box& box, const GcmcShare& share, const GcmcPair& pair, GcmcPoint at,
                  const std::vector<std::uint32_t>& filled) {
  std::vector<Drawn> cells;
  for (const GcmcCellWork& w : gcmcWork(share, pair, at, filled)) {
    const GcmcVisitOutcome outcome = w.skipped                   ? GcmcVisitOutcome::skipped
                                     : filled[w.cell.cell] == 0u ? GcmcVisitOutcome::empty
                                                                 : GcmcVisitOutcome::read;
    cells.push_back({w.cell, w.block, w.firstThread, w.threads, w.turn, outcome});
  }
  return sketchCells(box, share, cells, share.cube.along(at.z - share.shift[2], 2));
}

Sketch sketchWork(const TracedMove& m, bool blocksOnly) {
  std::vector<Drawn> cells;
  const std::vector<GcmcCellWork> around = gcmcWork(m.share, m.rules.pair, m.place());
  const auto side = static_cast<float>(m.fresh ? GcmcSide::fresh : GcmcSide::old);
  for (const Record* r : m.visits) {
    if (r->number[4] != side && r->number[4] != static_cast<float>(GcmcSide::both)) continue;
    const GcmcCubeCell* cell = find(around, static_cast<std::uint32_t>(r->subject));
    if (!cell) continue;
    cells.push_back({*cell, static_cast<int>(r->group), static_cast<int>(r->number[0]),
                     static_cast<int>(r->number[1]), static_cast<int>(r->number[2]),
                     static_cast<GcmcVisitOutcome>(r->outcome)});
  }
  return sketchCells(m.before.box, m.share, cells,
                     m.share.cube.along(m.place().z - m.share.shift[2], 2), blocksOnly);
}

Sketch sketchReach(const Box& box, const GcmcShare& share, const GcmcPair& pair, GcmcPoint at) {
  Sketch s;
  s.boxScale = layers::searchedScale();
  s.lineScale = layers::plainScale("cutoff", {Mark::picked}, {"cutoff of the picked particle"});
  const Vec3d centre = gcmcPosition(box, at), x{1, 0, 0}, y{0, 1, 0}, z{0, 0, 1};
  // Of a mixture one for each type of partner.
  for (std::uint32_t type = 0; type <= (pair.mixed ? 1u : 0u); ++type) {
    const float inverse = pair.mixed ? gcmcUnits(pair, gcmcTypeOf(at), type).inverseSigma2 : 1.0f;
    const double radius = std::sqrt(static_cast<double>(pair.cutoffSquared / inverse));
    addCircle(centre, radius, x, y, s);
    if (box.dimension == 3) addCircle(centre, radius, y, z, s), addCircle(centre, radius, x, z, s);
  }
  for (const GcmcCellWork& w : gcmcWork(share, pair, at)) {
    const bool own = w.cell.cell == share.cellOf(at);
    const auto part = own         ? layers::SearchedPart::ownCell
                      : w.skipped ? layers::SearchedPart::skipped
                                  : layers::SearchedPart::searched;
    s.boxes.push_back(boxOf(box, share, w.cell.at, static_cast<float>(part)));
  }
  return s;
}

Sketch sketchMove(const TracedMove& m, MoveStage stage) {
  Sketch s;
  if (!m.old && !m.fresh) {
    s.reason = m.ofMany ? "no particle to move or delete: the cell is empty"
                        : "no particle to move or delete: the box is empty";
    return s;
  }
  const Box& box = m.before.box;
  const Vec3d old = gcmcPosition(box, m.old ? m.from : m.to);
  const Vec3d fresh = m.old && m.fresh ? nearest(box, old, m.to) : gcmcPosition(box, m.place());
  const Vec3d place = m.fresh ? fresh : old;
  addPlaces(m, stage, old, fresh, s);
  s.lineScale = layers::categories("particles read", {"beyond the cutoff", "within the cutoff"},
                                   {Mark::tooFar, Mark::inCutoff});
  s.labelScale = layers::labelScale("microscope");
  // Nothing is written over the particle or the place that it may take: labels stand beside them.
  if (m.old) s.labels.push_back(labelOfBall(old, kRadius, ""));
  if (m.fresh && stage >= MoveStage::propose) s.labels.push_back(labelOfBall(fresh, kRadius, ""));
  const Vec3d& named = stage < MoveStage::propose ? old : place;
  const auto say = [&](const std::string& text) {
    s.labels.push_back(labelOfBall(named, kRadius, text));
  };
  if (stage == MoveStage::gather || stage == MoveStage::energies) {
    const bool energies = stage == MoveStage::energies;
    if (energies) s.lineScale = {ColourKind::diverging, "pair energy", "epsilon", -1, 1};
    if (const int blocks = blocksOf(m); !energies && blocks > 1) s.labelScale = workScale(blocks);
    if (m.fresh)
      addPairs(m, fresh, 1, 2, energies, s);
    else
      addPairs(m, old, 2, 4, energies, s);
  } else if (m.kind == GcmcKind::exchange) {
    if (stage == MoveStage::propose) say(typesInWords(m));
  } else if (m.old && m.fresh && stage >= MoveStage::propose) {
    s.lineScale = layers::plainScale("displacement", {Mark::moved});
    s.lines.push_back(lineBetween(old, fresh));
  }
  if (stage == MoveStage::choose)
    say(m.old ? fmt::format("slot {}", m.choose->object) : "insertion");
  if (stage == MoveStage::sum) addSums(m, place, s);
  if (stage == MoveStage::decide) say(decisionInWords(m));
  if (stage == MoveStage::update)
    say(m.update ? fmt::format("N = {:.0f}", m.update->number[0]) : "nothing changes");
  return s;
}

}  // namespace cellscope::gcmc
