// A hand in the run: particles added and deleted outside of the chain, which goes on from there.
#include "sim/modes/hand.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "sim/modes/gcmc/mode.h"

namespace cellscope {

std::string GcmcMode::refuses(HandAct act) const {
  if (act == HandAct::add || act == HandAct::remove) return "";
  if (act == HandAct::heat) return "particles of a grand-canonical chain have no velocities";
  return "a grand-canonical chain knows no forces and no time; add and delete particles instead";
}

// Ids of insertions are idBase + move, so that those before move idBase + added are free for what
// is added here.
std::string GcmcMode::hand(const HandMove& move) {
  const double mostInBox = active().mostParticles();
  const GcmcState before = engine_->state();
  const GcmcRules rules = makeGcmcRules(active().settings(), before.box);
  GcmcState s = before;
  s.energy.reset();
  std::string done;
  if (move.act == HandAct::add) {
    const double most = std::max(1.0, 2 * active().temperature);
    std::vector<GcmcPoint> places, added;
    // One of 1 / y particles is B, counted by the ids given so far.
    const double y = rules.pair.mixed ? active().shareB : 0;
    const auto given = static_cast<double>(s.idBase + static_cast<ParticleId>(s.move));
    forEachPlace(s.box, move, [&](Vec3d at) {
      places.push_back(gcmcPointAt(s.box, at));
      if (!rules.pair.mixed) return;
      const double k = given + static_cast<double>(places.size());
      const bool b = std::floor((k + 1) * y) > std::floor(k * y);
      places.back() = gcmcWithType(places.back(), b ? kGcmcTypeBit : 0u);
    });
    const std::vector<double> energy = engine_->energiesAt(places);
    for (std::size_t k = 0; k < places.size(); ++k) {
      double sum = energy[k];
      for (const GcmcPoint& p : added) sum += gcmcPairAt(rules.pair, places[k], p);
      if (sum <= most) added.push_back(places[k]);
    }
    if (added.empty()) return "";
    if (static_cast<double>(s.point.size() + added.size()) > mostInBox)
      throw InputError("hand: add: at most {:g} particles can be held", mostInBox);
    for (const GcmcPoint& p : added) {
      s.point.push_back(p);
      s.id.push_back(s.idBase++ + static_cast<ParticleId>(s.move));
    }
    done = "added " + countOf(added.size(), "particle");
    if (rules.pair.mixed)
      done += fmt::format(", {} of type B", std::count_if(added.begin(), added.end(), gcmcTypeOf));
  } else {
    std::vector<Vec3d> places;
    for (const GcmcPoint& p : s.point) places.push_back(gcmcPosition(s.box, p));
    const std::vector<std::size_t> gone = withinReach(s.box, places, move);
    if (gone.empty()) return "";
    eraseAll(s.point, gone), eraseAll(s.id, gone);
    done = "deleted " + countOf(gone.size(), "particle");
  }
  try {
    withHint([&] { engine_->upload(s, rules); });
  } catch (...) {
    engine_->upload(before, rules);
    throw;
  }
  takeSlots();
  scene_.forget();
  return done;
}

}  // namespace cellscope
