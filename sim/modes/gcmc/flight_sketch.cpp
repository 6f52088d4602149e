#include "sim/modes/gcmc/flight_sketch.h"

#include <algorithm>

#include "sim/algo/gcmc/state.h"
#include "sim/layers/layers.h"

namespace cellscope::gcmc {
namespace {

constexpr std::uint32_t kMostLevels = 32767, kShownRounds = 8;

// Where a move lies: its trial position, of a deletion the particle.
Vec3d placeOfFlight(const Box& box, const GcmcFlight& f) { return gcmcPosition(box, f.to); }

}  // namespace

layers::Sketch sketchFlights(const Box& box, const GcmcFlightsView& flights) {
  layers::Sketch s;
  if (flights.moves.empty()) {
    s.reason = "no move was made since the start or the choice of the method in_order";
    return s;
  }
  for (const GcmcFlight& f : flights.moves) {
    if (f.empty || f.batch + 1 != flights.batches) continue;
    const Vec3d r = placeOfFlight(box, f);
    const auto value = static_cast<float>(std::min(f.round, kShownRounds) - 1);
    const auto level = static_cast<std::int16_t>(std::min(f.round, kMostLevels));
    const float at[3] = {static_cast<float>(r.x), static_cast<float>(r.y), static_cast<float>(r.z)};
    s.points.push_back({at[0], at[1], at[2], 1, value, level, 0});
    if (f.waited == 0) continue;
    const GcmcFlight& other = flights.moves[f.waited - 1];
    if (other.empty) continue;  // it came to nothing: it has no position
    const Vec3d q = placeOfFlight(box, other);
    const Vec3d d = box.minimumImage({q.x - r.x, q.y - r.y, q.z - r.z});
    s.lines.push_back({{at[0], at[1], at[2]},
                       {at[0] + static_cast<float>(d.x), at[1] + static_cast<float>(d.y),
                        at[2] + static_cast<float>(d.z)},
                       value,
                       level,
                       0});
  }
  if (s.points.empty()) s.reason = "all draws of the last batch were of empty slots";
  const auto scale = [](Mark mark) {
    std::vector<std::string> rounds = {"1", "2", "3", "4", "5", "6", "7", "8 and later"};
    return layers::categories("decided in round", std::move(rounds),
                              std::vector<Mark>(kShownRounds, mark));
  };
  s.pointScale = scale(Mark::inFlight);
  s.lineScale = scale(Mark::waits);
  return s;
}

}  // namespace cellscope::gcmc
