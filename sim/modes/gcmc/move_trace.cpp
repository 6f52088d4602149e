#include "sim/modes/gcmc/scene.h"

#include <set>
#include <unordered_map>

#include "sim/base/digits.h"

namespace cellscope::gcmc {
namespace {

constexpr std::size_t kMostRecords = 1 << 16;

constexpr const char* kKindsInWords[] = {"displacement", "insertion", "deletion",
                                         "identity exchange"};

std::string visitsInWords(const TracedMove& m) {
  int outcome[3] = {0, 0, 0};
  std::set<std::uint32_t> blocks;
  for (const Record* r : m.visits) outcome[r->outcome]++, blocks.insert(r->group);
  return fmt::format("{} read, {} empty, {} skipped; {} block{} of {} thread{}", outcome[0],
                     outcome[1], outcome[2], blocks.size(), blocks.size() == 1 ? "" : "s",
                     m.share.threads, m.share.threads == 1 ? "" : "s");
}

// Within the cutoff of the new (bit 1) or the old position (bit 2), and the one with the largest
// energy.
std::string pairsInWords(const TracedMove& m, int bit) {
  const int number = bit == 1 ? 2 : 4;
  const Record* most = nullptr;
  int within = 0;
  for (const Record* r : m.pairs) {
    if (!(r->outcome & bit)) continue;
    ++within;
    if (!most || std::fabs(r->number[number + 1]) > std::fabs(most->number[number + 1])) most = r;
  }
  if (!most) return "none within the cutoff";
  return fmt::format("{} within the cutoff; strongest r = {:.4f}, u = {}", within,
                     std::sqrt(most->number[number]), compact(most->number[number + 1], 5));
}

std::string sumsInWords(const TracedMove& m) {
  constexpr std::size_t kMost = 4;
  std::string text;
  for (std::size_t k = 0; k < m.partials.size() && k < kMost; ++k)
    text += fmt::format("{}{}", k == 0 ? "" : ", ", compact(inParts(*m.partials[k]), 5));
  if (m.partials.size() > kMost) text += fmt::format(", ... ({} sums)", m.partials.size());
  return text;
}

std::string typeName(GcmcPoint p) { return gcmcTypeOf(p) == 0 ? "A" : "B"; }

constexpr std::uint32_t kMostLevels = 32767;
constexpr std::size_t kMostRounds = 400;
constexpr double kRingRadius = 0.5;  // of a ring

// From rim to rim; of rings that are close to the middle of the other one, of those that overlap
// from middle to middle, so that something is left. d: between the middles.
LineInstance arrow(const Vec3d& from, const Vec3d& d, const PointInstance& ring) {
  const double far = std::sqrt(dot(d, d));
  const double start = far > 2 * kRingRadius ? kRingRadius / far : 0;
  const double end = far > 5 * kRingRadius ? 1 - kRingRadius / far : 1;
  LineInstance line = lineBetween(from + start * d, from + end * d);
  line.level = ring.level;
  return line;
}

struct Ring {
  PointInstance drawn;
  bool corrected = false, corrects = false;
  bool alone() const { return !corrected && !corrects; }
  bool between() const { return corrected && corrects; }
};

// The rounds at the first and the last ring of every chain, the last ones first: the others give
// way to them. Chains stay free.
std::vector<LabelInstance> roundsOf(std::vector<Ring> rings,
                                    const std::vector<LineInstance>& arrows) {
  constexpr float kArrow = 0.2f;
  const auto radius = static_cast<float>(kRingRadius);
  std::stable_sort(rings.begin(), rings.end(),
                   [](const Ring& a, const Ring& b) { return a.drawn.level > b.drawn.level; });
  std::vector<LabelInstance> labels;
  for (const LineInstance& a : arrows) keepFree(a, kArrow, labels);
  for (const Ring& r : rings)
    if (!r.alone()) labels.push_back(labelOfBall(&r.drawn.x, radius, ""));
  std::size_t named = 0;
  for (const Ring& r : rings) {
    if (r.between() || (r.alone() && r.drawn.level == 1) || named++ >= kMostRounds) continue;
    labels.push_back(
        labelOfBall(&r.drawn.x, radius, fmt::format("{}", r.drawn.level), r.drawn.value));
    labels.back().level = r.drawn.level;
  }
  return labels;
}

}  // namespace

std::string typesInWords(const TracedMove& m) {
  return m.from == m.to ? typeName(m.from) + ", as it is"
                        : typeName(m.from) + " -> " + typeName(m.to);
}

void ChainTrace::begin(GcmcEngine& engine, const GcmcRules& rules, ParticleId near) {
  clear();
  const Backend where = engine.memory();
  if (recorder_.capacity() == 0 || recorder_.where() != where)
    recorder_ = Recorder(where, kMostRecords);
  recorder_.reset();
  engine.setTrace(recorder_.writer(), near);
  move_ = {};
  move_.before = engine.state();
  move_.rules = rules;
}

void ChainTrace::finish(GcmcEngine& engine) {
  engine.setTrace({});
  move_.share = engine.share();
  move_.records = recorder_.read();
  move_.ofMany = engine.tracesOneOfMany();
  move_.number = move_.ofMany ? engine.numberOfTraced() : move_.before.move;
  if (move_.ofMany) findSlots();
  sort();
  traced_ = move_.choose != nullptr && move_.decide != nullptr;
}

// Records of one of many moves name particles by id.
void ChainTrace::findSlots() {
  std::unordered_map<std::uint64_t, std::uint64_t> slotOf;
  for (std::uint32_t slot = 0; slot < move_.before.count(); ++slot)
    slotOf[static_cast<std::uint64_t>(move_.before.id[slot])] = slot;
  const auto n = static_cast<float>(move_.before.count());
  GcmcKind kind = GcmcKind::displacement;
  for (Record& r : move_.records.records) {
    const auto stage = static_cast<GcmcRecord>(r.phase);
    if (stage == GcmcRecord::choose) kind = static_cast<GcmcKind>(r.outcome), r.number[0] = n;
    if (stage == GcmcRecord::update)
      r.number[0] = n + (kind == GcmcKind::insertion  ? 1.0f
                         : kind == GcmcKind::deletion ? -1.0f
                                                      : 0.0f);
    const bool particle = stage == GcmcRecord::choose || stage == GcmcRecord::pair;
    if (!particle) continue;
    const auto found = slotOf.find(r.subject);
    if (found != slotOf.end()) r.object = found->second;
  }
}

void ChainTrace::sort() {
  TracedMove& m = move_;
  for (const Record& r : m.records.records) {
    const auto stage = static_cast<GcmcRecord>(r.phase);
    auto* const many = stage == GcmcRecord::visit     ? &m.visits
                       : stage == GcmcRecord::pair    ? &m.pairs
                       : stage == GcmcRecord::partial ? &m.partials
                                                      : nullptr;
    if (many) many->push_back(&r);
    if (stage == GcmcRecord::choose) m.choose = &r;
    if (stage == GcmcRecord::decide) m.decide = &r;
    if (stage == GcmcRecord::update) m.update = &r;
  }
  if (!m.choose) return;
  m.kind = static_cast<GcmcKind>(m.choose->outcome);
  const bool somebody = m.choose->object != kNoObject;
  if (m.ofMany) {  // places from its records, otherwise from the random numbers of the move
    const float* at = m.choose->number + 3;
    m.to = gcmcPointAt(m.before.box, {static_cast<double>(at[0]), static_cast<double>(at[1]),
                                      static_cast<double>(at[2])});
    if (m.rules.pair.mixed) m.to = gcmcWithType(m.to, static_cast<std::uint32_t>(at[-1]));
    m.from = somebody ? m.before.point[m.choose->object] : m.to;
  } else {
    const GcmcDraw draw = gcmcDraw(m.rules, m.before.move);
    m.from = m.to = somebody ? m.before.point[m.choose->object] : draw.point;
    if (gcmcStays(m.kind) && somebody) m.to = gcmcDisplaced(m.rules, draw, m.from);
  }
  m.old = somebody,
  m.fresh = m.kind == GcmcKind::insertion || (somebody && m.kind != GcmcKind::deletion);
  m.id =
      m.choose->subject == kNoObject ? ParticleId{-1} : static_cast<ParticleId>(m.choose->subject);
}

std::vector<std::pair<std::string, std::string>> rowsOf(const TracedMove& m, MoveStage stage) {
  std::vector<std::pair<std::string, std::string>> rows;
  const std::string head = fmt::format("move {}, ", m.number);
  const auto row = [&](MoveStage since, const char* label, std::string value) {
    if (stage >= since) rows.emplace_back(head + label, std::move(value));
  };
  using S = MoveStage;
  row(S::choose, "kind", kKindsInWords[static_cast<int>(m.kind)]);
  if (m.old)
    row(S::choose, "slot", fmt::format("{} of {}", m.choose->object, m.before.count()));
  else
    row(S::choose, "particles", fmt::format("{}", m.before.count()));
  if (!m.old && !m.fresh) {
    row(S::decide, "decision",
        m.ofMany ? "rejected: the cell is empty" : "rejected: the box is empty");
    return rows;
  }
  const bool exchange = m.kind == GcmcKind::exchange;
  if (exchange) row(S::propose, "proposed type", typesInWords(m));
  if (m.fresh && !exchange)
    row(S::propose, "proposed position",
        placeText(gcmcPosition(m.before.box, m.to), m.before.box.dimension));
  if (m.kind == GcmcKind::insertion && m.rules.pair.mixed)
    row(S::propose, "drawn type", typeName(m.to));
  if (!m.visits.empty()) row(S::gather, "cells", visitsInWords(m));
  row(S::gather, "particles read",
      fmt::format("{}{}", m.pairs.size(),
                  m.records.lost > 0 ? fmt::format(" and {} not recorded", m.records.lost) : ""));
  if (m.fresh) row(S::energies, exchange ? "new type" : "new position", pairsInWords(m, 1));
  if (m.old) row(S::energies, exchange ? "old type" : "old position", pairsInWords(m, 2));
  row(S::sum, "partial sums", sumsInWords(m));
  row(S::sum, "energy change", compact(inParts(*m.decide), 7) + " epsilon");
  if (m.decide->number[5] != 0)
    row(S::decide, "tail", compact(m.decide->number[5], 5) + " epsilon");
  row(S::decide, "Boltzmann factor", compact(m.decide->number[2], 5));
  row(S::decide, "acceptance",
      fmt::format("min(1, {}), random number {}", compact(m.decide->number[3], 5),
                  compact(m.decide->number[4], 5)));
  const bool leaves = m.ofMany && m.decide->object == 1;
  row(S::decide, "decision",
      leaves         ? "rejected: leaves the cell"
      : m.accepted() ? "accepted"
                     : "rejected");
  if (!m.update) {
    row(S::update, "update", "none: the state stays as it is");
    return rows;
  }
  const Record& u = *m.update;
  if (u.number[1] >= 0 && u.number[2] >= 0 && u.number[1] == u.number[2])
    row(S::update, "own cell", fmt::format("stays in cell {:.0f}", u.number[1]));
  else if (u.number[1] >= 0 && u.number[2] >= 0)
    row(S::update, "own cell", fmt::format("from cell {:.0f} to {:.0f}", u.number[1], u.number[2]));
  else if (u.number[2] >= 0)
    row(S::update, "own cell", fmt::format("into cell {:.0f}", u.number[2]));
  else if (u.number[1] >= 0)
    row(S::update, "own cell", fmt::format("out of cell {:.0f}", u.number[1]));
  if (u.number[3] >= 0)
    row(S::update, "hole",
        fmt::format("the particle of slot {:.0f} takes slot {}", u.number[3], u.object));
  row(S::update, "particles", fmt::format("{} -> {:.0f}", m.before.count(), u.number[0]));
  return rows;
}

layers::Sketch sketchFlights(const Box& box, const GcmcFlightsView& flights) {
  layers::Sketch s;
  if (flights.moves.empty()) {
    s.reason = "no move was made since the start or the choice of the method in_order";
    return s;
  }
  std::int16_t last = 2;
  std::vector<Ring> rings;
  std::vector<bool> corrects(flights.moves.size());
  for (const GcmcFlight& f : flights.moves)
    if (f.because > 0 && !f.empty && f.batch + 1 == flights.batches) corrects[f.because - 1] = true;
  for (const GcmcFlight& f : flights.moves) {
    if (f.empty || f.batch + 1 != flights.batches) continue;
    const Vec3d r = gcmcPosition(box, f.to);  // of a deletion the particle's
    const auto level = static_cast<std::int16_t>(std::min(f.round, kMostLevels));
    last = std::max(last, level);
    s.points.push_back(pointAt(r, static_cast<float>(level)));
    s.points.back().level = level;
    rings.push_back(
        {s.points.back(), false, corrects[static_cast<std::size_t>(&f - flights.moves.data())]});
    if (f.because == 0) continue;
    const GcmcFlight& other = flights.moves[f.because - 1];
    if (other.empty) continue;  // it came to nothing: it has no position
    const Vec3d d = box.minimumImage(gcmcPosition(box, other.to) - r);
    s.lines.push_back(arrow(r, d, s.points.back()));
    rings.back().corrected = true;
  }
  if (s.points.empty()) s.reason = "all draws of the last batch were of empty slots";
  s.labels = roundsOf(std::move(rings), s.lines);
  s.pointScale =
      layers::counting("decided in round", "", 1, static_cast<float>(last), {Mark::inFlight});
  s.lineScale = layers::categories("moves in flight", {"corrected by"}, {Mark::waits});
  s.lineScale.tones = true;
  return s;
}

}  // namespace cellscope::gcmc
