#include "sim/run/session.h"

#include <chrono>
#include <filesystem>

namespace cellscope {

static std::uint64_t nextRun() {
  static std::atomic<std::uint64_t> runs{0};
  return ++runs;
}

// Averages start over after such a sample.
static void addOfPreparation(Mode& mode, SampleHistory& history) {
  const std::vector<double> values = mode.sampleOfPreparation();
  if (values.empty()) return;
  history.add(mode.step(), values);
  history.startEpoch(mode.step());
}

Session::Session(std::unique_ptr<Mode> mode)
    : mode_(std::move(mode)), history_(mode_->info().observables), run_(nextRun()) {
  mode_->watchChanges([this] {
    noteOwnChanges();
    watchMode();
  });
}

Session::Session(const Scenario& scenario, const ExecConfig& config, const ModeFactory& modes,
                 WorkReport report)
    : Session(modes(scenario.mode, config)) {
  mode_->watchWork(std::move(report));
  startNotes_ = startMode(*mode_, scenario);
  begin(scenario);
}

Session::~Session() = default;

// The scenario is logged with every parameter written out as it is now, and with absolute paths, so
// that they are valid in a checkpoint read from any folder.
void Session::begin(const Scenario& scenario) {
  run_ = nextRun();
  resumed_ = false;
  Scenario s = scenario;
  for (std::string* name : {&s.configuration, &s.compare})
    if (!name->empty()) *name = std::filesystem::absolute(*name);
  s.parameters.clear();
  for (const Parameter& p : mode_->parameters().items())
    s.parameters.emplace_back(p.info.key, p.get());
  log_ = {std::move(s), {}};
  ownChanges_.clear();
  history_.takeWords(mode_->info().observables);
  history_.clear();
  preparationUnits_ = toDiscard_ = discardEnd_ = 0;
  startChosen_ = false;
  preparing_ = mode_->preparation().has_value();
  known_ = mode_->parameters().values();
}

void Session::advance(std::uint64_t count) {
  finishStep();
  const std::uint64_t every = log_.start.sampleEvery;
  const auto take = [this](std::uint64_t step, const std::vector<double>& values) {
    addSample(step, values);
  };
  while (count > 0) {
    const std::uint64_t before = mode_->step();
    const bool onTheWay = !preparing_ && mode_->samplesOnTheWay();
    std::uint64_t units = onTheWay ? count : std::min(count, every - before % every);
    if (discardEnd_ > before) units = std::min(units, discardEnd_ - before);
    count -= units;
    if (!onTheWay) {
      mode_->advance(units);
      afterAdvance(before, units);
      continue;
    }
    mode_->advanceSampling(units, every, take);
    preparationUnits_ = 0;
    watchMode();
    endEquilibration();
  }
}

void Session::advanceTo(std::uint64_t step, const std::function<bool()>& proceed) {
  using Clock = std::chrono::steady_clock;
  std::uint64_t batch = 1;
  while (mode_->step() < step) {
    const auto start = Clock::now();
    advance(std::min(batch, step - mode_->step()));
    const double ms = std::chrono::duration<double, std::milli>(Clock::now() - start).count();
    if (ms < 10) batch *= 2;
    if (ms > 40 && batch > 1) batch /= 2;
    if (proceed && !proceed()) return;
  }
}

void Session::finishPreparation(const std::function<bool()>& proceed) {
  while (mode_->preparation()) {
    advance(1);
    if (proceed && !proceed()) return;
  }
}

void Session::advancePhase() {
  const std::uint64_t before = mode_->step();
  mode_->advancePhase();
  if (mode_->step() == before + 1) noteOwnChanges();
  afterAdvance(before, mode_->nextPhase() == 0 ? 1 : 0);
}

void Session::afterAdvance(std::uint64_t before, std::uint64_t units) {
  const std::uint64_t now = mode_->step();
  preparationUnits_ = now == before ? preparationUnits_ + units : 0;
  watchMode();
  if (const Settings found = mode_->takeFound(); !found.empty()) {
    // As if they had been set when the preparation began: whoever does the run again need not
    // prepare.
    preparationUnits_ = 0;
    set(found);
  }
  if (now != before && now % log_.start.sampleEvery == 0)
    preparing_ ? addOfPreparation(*mode_, history_) : addSample(now, mode_->sample());
  endEquilibration();
}

// A beginning that was chosen stays.
void Session::addSample(std::uint64_t step, const std::vector<double>& values) {
  const std::uint64_t before = history_.leftOut();
  history_.add(step, values);
  if (!startChosen_ && history_.leftOut() > before) mode_->averagesBeginLater();
  tellAverages();
  if (handler_) handler_(step, values);
}

void Session::tellAverages() {
  std::vector<MeanState> means = history_.means();
  if (startChosen_ && history_.leftOut() > 0)
    for (MeanState& mean : means) mean.settled = false;
  mode_->averagesAre(startChosen_ ? 0 : history_.leftOut(), means);
}

void Session::endEquilibration() {
  if (preparing_) return;
  if (toDiscard_ > 0) discardEnd_ = mode_->step() + std::exchange(toDiscard_, 0);
  if (discardEnd_ == 0 || mode_->step() < discardEnd_) return;
  discardEnd_ = 0;
  resetAverages();
  startChosen_ = true;
  history_.keepBeginning();
  mode_->keepBeginning();
}

void Session::watchMode() {
  const bool wasPreparing = preparing_;
  preparing_ = mode_->preparation().has_value();
  if (!before_.empty() && !preparing_) before_.back().beganPreparation = false;
  std::vector<ParameterValue> values = mode_->parameters().values();
  const bool rampEnded = history_.takeWords(mode_->info().observables);
  if (values != known_ || wasPreparing != preparing_ || rampEnded) {
    history_.startEpoch(mode_->step());
    startChosen_ = false;
    mode_->averagesStartOver();
  }
  known_ = std::move(values);
}

// Of the step just made.
void Session::noteOwnChanges() {
  const std::vector<ParameterValue> values = mode_->parameters().values();
  const std::vector<Parameter>& items = mode_->parameters().items();
  for (std::size_t k = 0; k < values.size(); ++k)
    if (values[k] != known_[k])
      ownChanges_.push_back({mode_->step(), 0, items[k].info.key, values[k]});
}

std::vector<std::string> Session::experiments() const {
  std::vector<std::string> on;
  const ParameterSet& set = mode_->parameters();
  for (const Parameter& p : set.items())
    if (p.info.experiment && p.get() != p.fallback && set.acts(p))
      on.push_back(p.info.choices.empty() ? p.info.label
                                          : p.info.label + ": " + p.info.inWords(p.get()));
  return on;
}

}  // namespace cellscope
