#include "sim/run/rewind.h"

#include "sim/api/mode.h"
#include "sim/base/error.h"

namespace cellscope {

void addOthers(std::vector<SelfCheck>& now, const std::vector<SelfCheck>& earlier) {
  const std::vector<SelfCheck> own = now;
  for (const SelfCheck& check : earlier)
    if (std::ranges::find(own, check.label, &SelfCheck::label) == own.end()) now.push_back(check);
}

void Beside::end() {
  if (run_ == ~0ull) return;
  const std::size_t bytes = rewind_.store().limit();
  session_.reset();
  rewind_ = Rewind();
  rewind_.limitTo(bytes);
  run_ = ~0ull;
  lost_ = false;
}

std::string Beside::keepUp(const Session& first, const Make& make) {
  if (first.log().start.against.empty()) {
    end();
    return "";
  }
  const bool isNew = first.run() != run_;
  if (!isNew && lost_) return "";
  try {
    run_ = first.run();
    lost_ = false;
    if (isNew && (first.step() > 0 || first.resumed()))
      throw InputError("it begins at step 0, where this run was not begun");
    if (isNew) {
      Scenario s = first.log().start;
      for (const auto& [key, value] : s.against) setParameter(s, key, value);
      session_ = make(s);
      edits_ = 0;
      checks_.clear();
    }
    const std::vector<Edit>& edits = first.log().edits;
    const bool wentBack = edits.size() < edits_;
    if (wentBack)
      undoWith(first);
    else
      takeEdits(edits);
    go(first);
    if (wentBack) takeValues(first);
    edits_ = edits.size();
    rewind_.look(*session_, first.mode().nextPhase() != 0);
    return "";
  } catch (const InternalError&) {
    throw;
  } catch (const std::exception& e) {
    session_.reset();
    lost_ = true;
    return e.what();
  }
}

// In parts between which it can be cancelled.
void Beside::advanceTo(std::uint64_t step) {
  constexpr std::uint64_t kPart = 64;
  Session& s = *session_;
  if (s.step() < step && s.mode().nextPhase() != 0) s.finishStep();
  while (s.step() < step) {
    rewind_.advance(s, std::min(kPart, step - s.step()));
    s.mode().reportWork("computing the run beside it", -1);
  }
}

void Beside::set(const Settings& settings) {
  const std::size_t before = session_->log().edits.size();
  if (settings.empty()) return;
  session_->set(settings);
  rewind_.changed(*session_, before);
}

// Going on behind an earlier moment, it repeats its own changes.
bool Beside::isMade(const std::vector<Edit>& edits, std::size_t k) const {
  const auto isSame = [&](const Edit& e) {
    return e.step == edits[k].step && e.key == edits[k].key && e.value == edits[k].value;
  };
  const std::vector<Edit>& own = session_->log().edits;
  const auto end = edits.begin() + static_cast<std::ptrdiff_t>(k) + 1;
  return std::count_if(own.begin(), own.end(), isSame) >= std::count_if(edits.begin(), end, isSame);
}

// Changes by hand of other settings, each at its step.
void Beside::takeEdits(const std::vector<Edit>& edits) {
  for (std::size_t k = edits_; k < edits.size();) {
    Settings settings;
    advanceTo(edits[k].step);
    do {
      if (!differs(edits[k].key) && !isMade(edits, k))
        settings.emplace_back(edits[k].key, edits[k].value);
    } while (++k < edits.size() && edits[k].together);
    set(settings);
  }
}

// An undo goes back to before a change at the step where it leads to; going back in the run repeats
// the changes at its end.
void Beside::undoWith(const Session& first) {
  const std::vector<Edit>&theirs = first.log().edits, &own = session_->log().edits;
  const auto wanted = static_cast<std::size_t>(
      std::count_if(theirs.begin(), theirs.end(), [&](const Edit& e) { return !differs(e.key); }));
  while (own.size() > wanted && own[wanted].step == first.step() && session_->canUndo())
    rewind_.undo(*session_);
}

void Beside::takeValues(const Session& first) {
  const std::vector<Parameter>& own = session_->mode().parameters().items();
  const std::vector<ParameterValue> wanted = first.mode().parameters().values();
  Settings settings;
  for (std::size_t k = 0; k < wanted.size(); ++k)
    if (!differs(own[k].info.key) && !(own[k].get() == wanted[k]))
      settings.emplace_back(own[k].info.key, wanted[k]);
  set(settings);
}

void Beside::go(const Session& first) {
  Session& s = *session_;
  const std::uint64_t step = first.step();
  if (s.mode().nextPhase() != 0 && first.mode().nextPhase() == 0) s.finishStep();
  if (s.step() > step && !rewind_.goTo(s, step))
    throw InputError("no snapshot of it is kept so far back");
  advanceTo(step);
  const auto phases = static_cast<int>(s.mode().info().phases.size());
  for (int k = 0; k < phases && s.step() == step && !s.mode().preparation() &&
                  s.mode().nextPhase() != first.mode().nextPhase();
       ++k)
    s.advancePhase();
}

std::shared_ptr<const BesideState> Beside::state(const ViewRequest& view) {
  auto state = std::make_shared<BesideState>();
  Mode& mode = session_->mode();
  auto frame = std::make_shared<Frame>(*mode.frame(view));
  addOthers(frame->checks, checks_);
  state->frame = std::move(frame);
  if (seriesVersion_ != session_->history().version()) series_ = session_->history().series();
  seriesVersion_ = session_->history().version();
  state->observables = series_;
  for (const auto& [key, ignored] : session_->log().start.against)
    state->settings.emplace_back(key, mode.parameters().at(key).get());
  state->isWrong = !session_->experiments().empty();
  return state;
}

}  // namespace cellscope
