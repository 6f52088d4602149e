// Changes to a running session: parameters, reset, undo; and their list as text.
#include <fmt/format.h>

#include <sstream>

#include "sim/api/mode.h"
#include "sim/io/container.h"
#include "sim/io/text_lines.h"
#include "sim/run/session.h"

namespace cellscope {

namespace {

constexpr std::size_t kMostUndos = 16, kMostUndoBytes = std::size_t{1} << 28;

constexpr char kTogether = '+';  // in front of the key

// Types in the order of ParameterValue's alternatives.
constexpr char kTypes[] = "bids";

template <class T>
T number(const std::string& text, const std::string& file) {
  if (const auto value = io::numberOf<T>(text)) return *value;
  throw InputError("'{}': '{}' in the list of edits is not a number", file, io::shortened(text));
}

ParameterValue valueOf(const std::string& type, const std::string& text, const std::string& file) {
  if (type == "b" && (text == "true" || text == "false")) return text == "true";
  if (type == "i") return number<std::int64_t>(text, file);
  if (type == "d") return number<double>(text, file);
  if (type == "s") return text;
  throw InputError("'{}': '{}' in the list of edits has no value of type '{}'", file,
                   io::shortened(text), io::shortened(type));
}

}  // namespace

void Session::set(const Settings& settings, bool continues) {
  if (settings.size() == 1 && settings.front().first == kHeat)
    return void(heat(toText(settings.front().second)));
  if (settings.size() == 1 && settings.front().first == kHand)
    return void(hand(toText(settings.front().second)));
  finishStep();
  ParameterSet& draft = mode_->parameters();
  const std::vector<ParameterValue> before = draft.values();
  std::vector<Edit> edits;
  bool restarts = false, mayPrepare = false;
  try {
    for (const auto& [key, value] : settings) {
      Parameter& parameter = draft.at(key);
      const ParameterValue old = parameter.get();
      parameter.set(value);
      if (parameter.get() == old) continue;
      edits.push_back({mode_->step(), preparationUnits_, key, parameter.get(), !edits.empty()});
      restarts |= parameter.info.effect == Effect::restart;
      mayPrepare |= parameter.info.prepares;
    }
    if (edits.empty()) return;
    std::shared_ptr<const Snapshot> present;
    if (restarts) {
      present = snapshot();
      restartMode(false);
      return keepForUndo(std::move(present));
    }
    // Everything since the state that undo() goes back to was a change of this parameter.
    bool goesOn = continues && !before_.empty() && before_.back().before->run == run_;
    if (goesOn) {
      const std::size_t then = before_.back().before->log.edits.size();
      goesOn = then < log_.edits.size() &&
               std::all_of(log_.edits.begin() + static_cast<std::ptrdiff_t>(then), log_.edits.end(),
                           [&](const Edit& e) { return e.key == edits.front().key; });
    }
    // A change that begins a preparation (another packing fraction) can be undone; of several such
    // changes in a row, all of them. Only then is the state serialised.
    if (mayPrepare && !goesOn && !canCancelPreparation()) present = snapshot();
    mode_->applyParameters();
    if (mode_->preparation()) keepForUndo(std::move(present), true);
  } catch (...) {
    draft.assign(before);
    throw;
  }
  madeChanges(edits);
}

void Session::madeChanges(const std::vector<Edit>& edits) {
  log_.edits.insert(log_.edits.end(), edits.begin(), edits.end());
  preparing_ = mode_->preparation().has_value();
  known_ = mode_->parameters().values();
  if (!mode_->startOverAfterEdit()) mode_->resetAverages();
  history_.takeWords(mode_->info().observables);
  history_.startEpoch(mode_->step());
  startChosen_ = false;
}

// What was only just started is not worth coming back to: a second click on Reset must not be in
// the way of undoing the first.
void Session::reset() {
  finishStep();
  const bool fresh = mode_->step() == 0 && log_.edits.empty() && !before_.empty();
  std::shared_ptr<const Snapshot> before = fresh ? nullptr : snapshot();
  restartMode(true);
  keepForUndo(std::move(before));
}

// A configuration that was loaded from a file is loaded again, unless a parameter that shapes the
// initial state was changed.
void Session::restartMode(bool keepConfiguration) {
  Scenario start = log_.start;
  if (!keepConfiguration)
    start.configuration.clear(), start.compare.clear(), start.box.clear(), start.replicate = 1;
  start.parameters.clear();
  startMode(*mode_, start);
  begin(start);
}

Session::Past Session::present() const {
  std::ostringstream state;
  mode_->save(state);
  return {std::move(state).str(), history_, preparationUnits_, startChosen_};
}

void Session::goBackTo(const Past& past) {
  std::istringstream state(past.state);
  mode_->load(state);
  history_.goBackTo(past.history);
  preparationUnits_ = past.preparationUnits;
  startChosen_ = past.startChosen;
  tellAverages();
  preparing_ = mode_->preparation().has_value();
  known_ = mode_->parameters().values();
}

void Session::keepForUndo(std::shared_ptr<const Snapshot> snapshot, bool beganPreparation) {
  if (!snapshot) return;
  before_.push_back({std::move(snapshot), beganPreparation, ++undoNumber_});
  const auto bytes = [&] {
    std::size_t sum = 0;
    for (const Undo& u : before_) sum += u.before->state.size();
    return sum;
  };
  while (before_.size() > 1 && (before_.size() > kMostUndos || bytes() > kMostUndoBytes))
    before_.erase(before_.begin());
}

void Session::undo() {
  if (before_.empty()) return;
  const std::shared_ptr<const Snapshot> s = before_.back().before;
  goBackTo(*s);
  before_.pop_back();
  log_ = s->log;
  run_ = s->run;
}

// A session at earlier and later moments of its run.

std::shared_ptr<const Session::Moment> Session::moment() const {
  auto m = std::make_shared<Moment>(Moment{present()});
  m->step = mode_->step();
  m->edits = log_.edits.size();
  m->toDiscard = toDiscard_;
  m->discardEnd = discardEnd_;
  m->newestUndo = before_.empty() ? 0 : before_.back().number;
  m->beganPreparation = canCancelPreparation();
  return m;
}

std::shared_ptr<const Session::Course> Session::course() const {
  return std::make_shared<const Course>(Course{log_.edits, before_});
}

void Session::goTo(const Moment& m, const Course& course) {
  goBackTo(m);
  log_.edits.assign(course.edits.begin(),
                    course.edits.begin() + static_cast<std::ptrdiff_t>(m.edits));
  before_ = course.undo;
  std::erase_if(before_, [&](const Undo& u) { return u.number > m.newestUndo; });
  if (!before_.empty()) before_.back().beganPreparation = m.beganPreparation;
  toDiscard_ = m.toDiscard;
  discardEnd_ = m.discardEnd;
}

bool Session::atEndOf(const Course& course) const {
  return log_.edits.size() >= course.edits.size();
}

// What undo() goes back to is again what it was when the change was made first.
void Session::makeDueChanges(const Course& course) {
  while (!atEndOf(course)) {
    auto edit = course.edits.begin() + static_cast<std::ptrdiff_t>(log_.edits.size());
    if (edit->step > mode_->step() ||
        (edit->step == mode_->step() && edit->preparing > preparationUnits_))
      return;
    Settings together = {{edit->key, edit->value}};
    while (++edit != course.edits.end() && edit->together)
      together.emplace_back(edit->key, edit->value);
    const std::size_t made = log_.edits.size();
    const std::uint64_t newest = before_.empty() ? 0 : before_.back().number;
    set(together);
    if (log_.edits.size() == made)  // it has the value already: the mode changed it by itself
      log_.edits.insert(log_.edits.end(), edit - static_cast<std::ptrdiff_t>(together.size()),
                        edit);
    if (before_.empty() || before_.back().number <= newest) continue;
    const auto first = std::find_if(course.undo.begin(), course.undo.end(),
                                    [&](const Undo& u) { return u.number > newest; });
    if (first != course.undo.end()) before_.back() = {first->before, true, first->number};
  }
}

void Session::follow(const Course& course, std::uint64_t count) {
  finishStep();
  makeDueChanges(course);
  while (count > 0) {
    std::uint64_t units = count;
    if (!atEndOf(course)) {
      const Edit& next = course.edits[log_.edits.size()];
      units = std::min(units, next.step > mode_->step() ? next.step - mode_->step()
                                                        : next.preparing - preparationUnits_);
    }
    advance(units);
    count -= units;
    makeDueChanges(course);
  }
}

std::string runId(const RunLog& log) {
  Scenario shaping;
  shaping.mode = log.start.mode;
  shaping.configuration = log.start.configuration;
  shaping.compare = log.start.compare;
  shaping.box = log.start.box;
  shaping.replicate = log.start.replicate;
  shaping.parameters = log.start.parameters;
  shaping.sampleEvery = log.start.sampleEvery;
  const std::string start = fmt::format("{:016x}", io::crc64(scenarioText(shaping)));
  if (log.edits.empty()) return start;
  return start + fmt::format("-{:016x}", io::crc64(editsText(log.edits)));
}

std::string editsText(const std::vector<Edit>& edits) {
  std::string out;
  for (const Edit& e : edits)
    out += fmt::format("{}\t{}\t{}{}\t{}\t{}\n", e.step, e.preparing,
                       e.together ? std::string(1, kTogether) : "", e.key, kTypes[e.value.index()],
                       toText(e.value));
  return out;
}

std::vector<Edit> editsFromText(const std::string& text, const std::string& file) {
  std::vector<Edit> edits;
  for (const std::string& line : io::splitAt(text, '\n')) {
    if (line.empty()) continue;
    const std::vector<std::string> field = io::splitAt(line, '\t');
    if (field.size() != 5) throw InputError("'{}': '{}' is not an edit", file, io::shortened(line));
    const bool together = field[2].starts_with(kTogether);
    edits.push_back({number<std::uint64_t>(field[0], file), number<std::uint64_t>(field[1], file),
                     field[2].substr(together), valueOf(field[3], field[4], file), together});
  }
  return edits;
}

}  // namespace cellscope
