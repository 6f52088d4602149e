// Changes of a run by a hand.
#include <fmt/format.h>

#include <algorithm>

#include "sim/io/text_lines.h"
#include "sim/run/hand.h"
#include "sim/run/selection.h"
#include "sim/run/session.h"

namespace cellscope {

std::size_t Session::heat(const std::string& factorAndSelection) {
  constexpr double kLeast = 0.01, kMost = 10;
  finishStep();
  auto* const heats = dynamic_cast<HeatsParticles*>(mode_.get());
  if (!heats)
    throw InputError(
        fmt::format("heat: particles of mode '{}' have no velocities", mode_->info().key));
  const std::size_t space = factorAndSelection.find(' ');
  const std::string selection =
      space == std::string::npos ? "" : factorAndSelection.substr(space + 1);
  const auto factor = io::numberOf<double>(factorAndSelection.substr(0, space));
  if (!factor || !(*factor >= kLeast && *factor <= kMost))
    throw InputError(fmt::format("heat = '{}': the factor of velocities is not from {:g} to {:g}",
                                 io::shortened(factorAndSelection), kLeast, kMost));
  const Configuration all = mode_->configuration();
  const std::vector<bool> on = selectionOf(*mode_, all, selection);
  std::vector<ParticleId> ids;
  for (std::size_t i = 0; i < on.size(); ++i)
    if (on[i]) ids.push_back(all.ids[i]);
  if (ids.empty())
    throw InputError(fmt::format("heat: no particle is selected by '{}'", selection));
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
  if (!why.empty()) throw InputError(fmt::format("hand: {}: {}", kHandWords[act], why));
  if (const auto preparing = mode_->preparation())
    throw InputError(
        fmt::format("hand: {}: wait until this is done: {}", kHandWords[act], preparing->label));
  const bool goesOn = move.goesOn || move.act == HandAct::pull || move.act == HandAct::release;
  std::shared_ptr<const Snapshot> before = goesOn ? nullptr : snapshot();
  std::string done = takes->hand(move);
  if (done.empty()) return done;
  keepForUndo(std::move(before));
  madeChanges({{mode_->step(), preparationUnits_, kHand, text}});
  return done;
}

std::optional<std::uint64_t> Session::touchedAt() const {
  for (const Edit& e : log_.edits)
    if (e.key == kHeat || e.key == kHand) return e.step;
  return std::nullopt;
}

}  // namespace cellscope
