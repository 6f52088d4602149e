// Phases of a step: all moves but the last, then the last one under the microscope. With the
// checkerboard: colour after colour, in an order drawn for each sweep. With moves in order: one, of
// which a move is shown.
#include <fmt/format.h>

#include "sim/modes/gcmc/mode.h"

namespace cellscope {

using gcmc::MoveStage;

namespace {

int colours(const gcmc::GcmcParameters& p) { return 1 << p.dimensions(); }

}  // namespace

std::vector<std::string> GcmcMode::phases(const P& p) const {
  if (p.checkerboard()) {
    std::vector<std::string> names;
    constexpr const char* kOrdinals[] = {"first", "second", "third",   "fourth",
                                         "fifth", "sixth",  "seventh", "eighth"};
    for (int k = 0; k < colours(p); ++k) names.push_back(fmt::format("{} colour", kOrdinals[k]));
    return names;
  }
  if (p.inOrder()) return {"moves in flight"};
  std::vector<std::string> names;
  if (p.movesPerStep > 1) names.emplace_back("moves but the last");
  for (const std::string& stage : gcmc::moveStageNames()) names.push_back(stage);
  return names;
}

// Each makes its share of the turns of a step: one where the step is one sweep. Where somebody
// looks, an attempt of the last turn is recorded.
void GcmcMode::runColour(int phase, bool alone) {
  const std::uint64_t moves = gcmc::movesOfStep(active());
  if (phase == 0) {
    keepIfFull();
    scene_.beforeStep(*engine_, moves);
  }
  const auto share = moves / static_cast<std::uint64_t>(colours(active()));
  const std::uint64_t turn = gcmc::movesOfTurn(active());
  scene_.trace().clear();
  if (!alone) {
    makeMoves(share);
  } else {
    if (share > turn) makeMoves(share - turn);
    const GcmcRules rules = makeGcmcRules(active().settings(), active().box());
    const bool traced = scene_.trace().begin(*engine_, rules, exec_->where(), scene_.followed());
    makeMoves(turn);
    if (traced) scene_.trace().finish(*engine_);
  }
  if (phase == colours(active()) - 1) endStep();
}

// Where somebody looks, a move of the last turn is recorded.
void GcmcMode::runFlights(bool alone) {
  keepIfFull();
  const std::uint64_t moves = gcmc::movesOfStep(active()), turn = gcmc::movesOfTurn(active());
  scene_.beforeStep(*engine_, moves);
  if (!alone) {
    makeMoves(moves);
    return endStep();
  }
  if (moves > turn) makeMoves(moves - turn);
  const GcmcRules rules = makeGcmcRules(active().settings(), active().box());
  const bool traced = scene_.trace().begin(*engine_, rules, exec_->where(), scene_.followed());
  makeMoves(turn);
  if (traced) scene_.trace().finish(*engine_);
  endStep();
}

// The last move is made by its kernel in one piece, in the phase of its choice; where somebody
// looks, the following phases show what it recorded.
void GcmcMode::runPhase(int phase, bool alone) {
  if (active().checkerboard()) return runColour(phase, alone);
  if (active().inOrder()) return runFlights(alone);
  const auto moves = static_cast<std::uint64_t>(active().movesPerStep);
  if (phase == 0) {
    keepIfFull();
    scene_.beforeStep(*engine_, moves);
  }
  if (phase == 0 && moves > 1) return makeMoves(moves - 1);
  const int stage = phase - (moves > 1 ? 1 : 0);
  if (stage == 0) {
    const GcmcRules rules = makeGcmcRules(active().settings(), active().box());
    const bool traced = alone && scene_.trace().begin(*engine_, rules, exec_->where());
    makeMoves(1);
    if (traced) scene_.trace().finish(*engine_);
  } else if (stage == gcmc::kMoveStages - 1) {
    endStep();
  }
}

// What of the traced move has happened.
MoveStage GcmcMode::stage() const {
  if (nextPhase() == 0 || active().checkerboard() || active().inOrder()) return MoveStage::update;
  const int done = nextPhase() - 1 - (active().movesPerStep > 1 ? 1 : 0);
  return static_cast<MoveStage>(done < 0 ? 0 : done);
}

}  // namespace cellscope
