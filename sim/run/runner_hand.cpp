// Commands of a hand.
#include <fmt/format.h>

#include <cctype>
#include <utility>

#include "sim/api/inspect.h"
#include "sim/run/hand.h"
#include "sim/run/runner.h"
#include "sim/run/runner_impl.h"

namespace cellscope {
namespace {

// The point of the ray that is nearest to r.
Vec3d onRay(const PickQuery& along, const Vec3d& r) {
  const double *o = along.origin, *d = along.direction;
  const double t = ((r.x - o[0]) * d[0] + (r.y - o[1]) * d[1] + (r.z - o[2]) * d[2]) /
                   (d[0] * d[0] + d[1] * d[1] + d[2] * d[2]);
  return {o[0] + t * d[0], o[1] + t * d[1], o[2] + t * d[2]};
}

}  // namespace

void Runner::heat(double factor, const std::string& selection) {
  impl_->lead({.act = [what = fmt::format("{:g} {}", factor, selection), factor](Impl& i) {
    i.change([&] {
      const std::size_t count = i.session->heat(what);
      i.say(Severity::info,
            fmt::format("Velocities of {} particles times {:g}. Ctrl+Z goes back.", count, factor));
    });
  }});
}

void Runner::hand(const HandMove& move, const PickQuery& along, bool continues) {
  impl_->lead({.act = [move, along, continues](Impl& i) { i.hand(move, along, continues); }});
}

void Runner::Impl::hand(HandMove move, const PickQuery& along, bool continues) {
  Mode& mode = session->mode();
  auto* const asks = dynamic_cast<Inspectable*>(&mode);
  const bool goesOn = move.act == HandAct::pull || move.act == HandAct::release;
  if (asks && !goesOn) {
    const ParticleId id = mode.info().dimension == 3 ? mode.pick(along) : -1;
    const auto met = id >= 0 ? asks->placesOf({id})[0] : std::nullopt;
    move.at = inBox(met ? onRay(along, *met) : move.at, asks->boxNow());
  }
  if (!continues) strokeBegun = false;
  move.goesOn = strokeBegun;
  change([&] {
    const std::string done = session->hand(handText(move));
    if (done.empty()) return;
    handShown.done = done;
    if (move.act == HandAct::release) {
      std::string said = done;
      said[0] = static_cast<char>(std::toupper(said[0]));
      say(Severity::info, said);
    }
    if (goesOn) return;
    if (!std::exchange(strokeBegun, true)) ++handShown.strokes;
    handShown.at = move.at;
  });
  if (move.act != HandAct::remove || view.picked < 0 || !asks) return;
  if (asks->placesOf({view.picked})[0]) return;
  say(Severity::info, fmt::format("Particle {}, which was picked, was deleted by hand in {} {}",
                                  view.picked, info->stepName, session->step()));
  view.picked = second = -1;
}

}  // namespace cellscope
