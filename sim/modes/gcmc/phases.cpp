// Phases of a step: all moves but the last, then the last one under the microscope. Methods that
// make many moves together show one of them: the checkerboard of the first colour of the last
// sweep, before its other colours, and moves in order of the last batch.
#include <fmt/format.h>

#include "sim/modes/gcmc/mode.h"

namespace cellscope {

using gcmc::MoveStage;

namespace {

// Moves made together in the phase of the choice.
std::uint64_t shownMoves(const gcmc::GcmcParameters& p) {
  return p.checkerboard() || p.inOrder() ? gcmc::movesOfTurn(p) : 1;
}
int otherColours(const gcmc::GcmcParameters& p) {
  return p.checkerboard() ? (1 << p.dimensions()) - 1 : 0;
}
// Made in a phase of their own, before those that are looked at.
std::uint64_t movesBefore(const gcmc::GcmcParameters& p) {
  const auto colours = static_cast<std::uint64_t>(otherColours(p)) + 1;
  return gcmc::movesOfStep(p) - colours * shownMoves(p);
}
const char* nameOfMovesBefore(const gcmc::GcmcParameters& p) {
  return p.checkerboard() ? "sweeps but the last"
         : p.inOrder()    ? "turns but the last"
                          : "moves but the last";
}

}  // namespace

std::vector<std::string> GcmcMode::phases(const P& p) const {
  constexpr const char* kOthers[] = {"second colour", "third colour", "fourth colour",
                                     "fifth colour",  "sixth colour", "seventh colour",
                                     "eighth colour"};
  std::vector<std::string> names;
  if (movesBefore(p) > 0) names.emplace_back(nameOfMovesBefore(p));
  for (const std::string& stage : gcmc::moveStageNames()) names.push_back(stage);
  for (int k = 0; k < otherColours(p); ++k) names.emplace_back(kOthers[k]);
  return names;
}

// Moves of which one is recorded where somebody looks.
void GcmcMode::runShown(bool alone) {
  scene_.trace().clear();
  const GcmcRules rules = makeGcmcRules(active().settings(), active().box());
  const bool traced =
      alone && scene_.trace().begin(*engine_, rules, exec_->where(), scene_.followed());
  makeMoves(shownMoves(active()));
  if (traced) scene_.trace().finish(*engine_);
}

// Moves are made by their kernel in one piece, in the phase of the choice; where somebody looks,
// the following phases show what it recorded. Of the other colours an attempt is shown at its end.
void GcmcMode::runPhase(int phase, bool alone) {
  const std::uint64_t before = movesBefore(active());
  if (phase == 0) {
    keepForTheWayBack();
    scene_.beforeStep(*engine_, gcmc::movesOfStep(active()));
  }
  cancellably([&] {
    if (phase == 0 && before > 0) return makeMoves(before);
    const int stage = phase - (before > 0 ? 1 : 0);
    if (stage == 0 || stage >= gcmc::kMoveStages) runShown(alone);
    if (stage == gcmc::kMoveStages - 1 + otherColours(active())) endStep();
  });
}

// What of the traced move has happened.
MoveStage GcmcMode::stage() const {
  const int done = nextPhase() - 1 - (movesBefore(active()) > 0 ? 1 : 0);
  if (nextPhase() == 0 || done >= gcmc::kMoveStages) return MoveStage::update;
  return static_cast<MoveStage>(done < 0 ? 0 : done);
}

}  // namespace cellscope
