#include "sim/modes/gcmc/move_trace.h"

#include <fmt/format.h>

#include <algorithm>

#include "sim/layers/layers.h"

namespace cellscope::gcmc {
namespace {

constexpr std::uint32_t kMostLevels = 32767;
constexpr std::size_t kMostRounds = 400;
constexpr double kRingRadius = 0.5;  // of a ring

// Where a move lies: its trial position, of a deletion the particle.
Vec3d placeOfFlight(const Box& box, const GcmcFlight& f) { return gcmcPosition(box, f.to); }

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
    const Vec3d r = placeOfFlight(box, f);
    const auto level = static_cast<std::int16_t>(std::min(f.round, kMostLevels));
    last = std::max(last, level);
    s.points.push_back(pointAt(r, static_cast<float>(level)));
    s.points.back().level = level;
    rings.push_back(
        {s.points.back(), false, corrects[static_cast<std::size_t>(&f - flights.moves.data())]});
    if (f.because == 0) continue;
    const GcmcFlight& other = flights.moves[f.because - 1];
    if (other.empty) continue;  // it came to nothing: it has no position
    const Vec3d d = box.minimumImage(placeOfFlight(box, other) - r);
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
