#include <fmt/format.h>

#include <cmath>

#include "sim/base/error.h"
#include "sim/base/words.h"
#include "sim/io/text_lines.h"
#include "sim/run/runner_impl.h"

namespace cellscope {

[[noreturn]] static void refuse(const std::string& text, const std::string& why) {
  throw InputError("hand = '{}': {}", io::shortened(text), why);
}

std::string handText(const HandMove& m) {
  return fmt::format("{} {} {} {} {} {}{}", kHandWords[static_cast<int>(m.act)], m.at.x, m.at.y,
                     m.at.z, m.radius, m.strength, m.goesOn ? " +" : "");
}

HandMove handMoveOf(const std::string& text) {
  constexpr double kFarthest = 1e7, kLargest = 1e3;
  const std::vector<std::string_view> words = io::wordsOf(text);
  HandMove m;
  m.goesOn = words.size() == 7 && words.back() == "+";
  int act = 0;
  while (act < kHandActs && (words.empty() || words[0] != kHandWords[act])) ++act;
  if (act == kHandActs || words.size() != (m.goesOn ? 7 : 6))
    refuse(
        text,
        "expected grab, pull, release, add, delete or heat, and x y z radius strength behind it");
  m.act = static_cast<HandAct>(act);
  double* const numbers[] = {&m.at.x, &m.at.y, &m.at.z, &m.radius, &m.strength};
  for (std::size_t k = 0; k < 5; ++k) {
    const auto value = io::numberOf<double>(words[k + 1]);
    if (!value) refuse(text, std::string(words[k + 1]) + " is no number");
    if (!(std::abs(*value) <= kFarthest))
      refuse(text, std::string(words[k + 1]) + " is not from -1e7 to 1e7");
    *numbers[k] = *value;
  }
  if (!(m.radius > 0 && m.radius <= kLargest))
    refuse(text, fmt::format("the radius is not above 0 and at most {:g} sigma", kLargest));
  const double least = m.act == HandAct::heat ? 0.01 : 1e-3;
  const double most = m.act == HandAct::heat ? 10 : kLargest;
  if (!(m.strength >= least && m.strength <= most))
    refuse(text, fmt::format("the strength is not from {:g} to {:g}", least, most));
  return m;
}

std::size_t Session::heat(const std::string& factorAndSelection) {
  constexpr double kLeast = 0.01, kMost = 10;
  finishStep();
  auto* const heats = dynamic_cast<HeatsParticles*>(mode_.get());
  if (!heats)
    throw InputError("heat: particles of mode '{}' have no velocities", mode_->info().key);
  const std::size_t space = factorAndSelection.find(' ');
  const std::string selection =
      space == std::string::npos ? "" : factorAndSelection.substr(space + 1);
  const auto factor = io::numberOf<double>(factorAndSelection.substr(0, space));
  if (!factor || !(*factor >= kLeast && *factor <= kMost))
    throw InputError("heat = '{}': the factor of velocities is not from {:g} to {:g}",
                     io::shortened(factorAndSelection), kLeast, kMost);
  const Configuration all = mode_->configuration();
  const std::vector<bool> on = selectionOf(*mode_, all, selection);
  std::vector<ParticleId> ids;
  for (std::size_t i = 0; i < on.size(); ++i)
    if (on[i]) ids.push_back(all.ids[i]);
  if (ids.empty()) throw InputError("heat: no particle is selected by '{}'", selection);
  std::shared_ptr<const Snapshot> before = snapshot();
  heats->heat(ids, *factor);
  keepForUndo(std::move(before));
  madeChanges({{mode_->step(), preparationUnits_, kHeat, factorAndSelection}});
  return ids.size();
}

std::string Session::hand(const std::string& text) {
  finishStep();
  const HandMove move = handMoveOf(text);
  const int act = static_cast<int>(move.act);
  auto* const takes = dynamic_cast<TakesHands*>(mode_.get());
  const std::string why =
      takes ? takes->refuses(move.act) : fmt::format("mode '{}' takes none", mode_->info().key);
  if (!why.empty()) throw InputError("hand: {}: {}", kHandWords[act], why);
  if (const auto preparing = mode_->preparation())
    throw InputError("hand: {}: wait until this is done: {}", kHandWords[act], preparing->label);
  const bool goesOn = move.goesOn || move.act == HandAct::pull || move.act == HandAct::release;
  std::shared_ptr<const Snapshot> before = goesOn ? nullptr : snapshot();
  std::string done = takes->hand(move);
  if (done.empty()) return done;
  keepForUndo(std::move(before));
  madeChanges({{mode_->step(), preparationUnits_, kHand, text}});
  return done;
}

// The point of the ray that is nearest to r.
static Vec3d onRay(const PickQuery& along, const Vec3d& r) {
  const double *o = along.origin, *d = along.direction;
  const Vec3d from{o[0], o[1], o[2]}, way{d[0], d[1], d[2]};
  return from + dot(r - from, way) / dot(way, way) * way;
}

void Runner::heat(double factor, const std::string& selection) {
  impl_->lead({.act = [what = fmt::format("{:g} {}", factor, selection), factor](Impl& i) {
    i.change([&] {
      const std::size_t count = i.session->heat(what);
      i.say(fmt::format("Velocities of {} particles times {:g}. Ctrl+Z goes back.", count, factor));
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
    if (done.empty() && move.act == HandAct::add && !continues)
      say("Nothing was added: there is no room within the brush.");
    if (done.empty()) return;
    out.hand.done = done;
    if (move.act == HandAct::release) say(capitalised(done));
    if (goesOn) return;
    if (!std::exchange(strokeBegun, true)) ++out.hand.strokes;
    out.hand.at = move.at;
  });
  if (move.act != HandAct::remove || view.picked < 0 || !asks) return;
  if (asks->placesOf({view.picked})[0]) return;
  say(fmt::format("Particle {}, which was picked, was deleted by hand in {} {}", view.picked,
                  out.mode->stepName, session->step()));
  view.picked = second = -1;
}

}  // namespace cellscope
