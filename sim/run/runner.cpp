// The thread-safe face of Runner: every command becomes an entry of the queue.
#include "sim/run/runner.h"

#include <fmt/format.h>

#include <cmath>
#include <filesystem>

#include "sim/run/csv_log.h"
#include "sim/run/runner_impl.h"
#include "sim/run/trajectory.h"

namespace cellscope {

namespace {

// The given mode for the first request, the usual ones afterwards.
ModeFactory onceThen(std::unique_ptr<Mode> mode) {
  auto first = std::make_shared<std::unique_ptr<Mode>>(std::move(mode));
  return [first](const std::string& key, const ExecConfig& config) {
    return *first ? std::move(*first) : makeMode(key, config);
  };
}

void appendTrajectory(Session& session, const std::string& path) {
  session.finishStep();
  TrajectoryFile file(path, io::OpenAs::append);
  file.append(session);
  file.close();
}

// Under another name first, so that an older file stays if the new one cannot be completed.
void replaceConfiguration(Session& session, const std::string& path) {
  namespace fs = std::filesystem;
  const fs::path whole(path);
  const fs::path fresh = whole.parent_path() / (".new-" + whole.filename().string());
  std::error_code failed;
  try {
    session.finishStep();
    TrajectoryFile file(fresh.string(), io::OpenAs::replace);
    file.append(session);
    file.close();
  } catch (...) {
    fs::remove(fresh, failed);
    throw;
  }
  fs::rename(fresh, whole, failed);
  if (failed) throw RunError("cannot write '" + path + "': " + failed.message());
}

}  // namespace

Runner::Runner(const ExecConfig& config, const Scenario& scenario)
    : Runner(config, scenario, ModeFactory(makeMode)) {}

Runner::Runner(const ExecConfig& config, const Scenario& scenario, std::unique_ptr<Mode> mode)
    : Runner(config, scenario, onceThen(std::move(mode))) {}

Runner::Runner(const ExecConfig& config, const Scenario& scenario, const ModeFactory& modes)
    : impl_(std::make_unique<Impl>(
          config, [&](Impl& i) { return i.opening(scenario); }, modes)) {}

Runner::Runner(const ExecConfig& config, const Checkpoint& checkpoint, const ModeFactory& modes)
    : impl_(std::make_unique<Impl>(
          config, [&](Impl& i) { return i.loading(checkpoint.path); }, modes)) {}

Runner::Impl::Command Runner::Impl::opening(const Scenario& s) {
  return {.act = [this, s] { openScenario(s); }, .setup = openingName(s), .needsSession = false};
}

Runner::Impl::Command Runner::Impl::loading(const std::string& path) {
  return {.act =
              [this, path] {
                replaceSession(Session::resume(path, config, modes, workReport()));
                say(Severity::info, fmt::format("Checkpoint {} loaded at step {}{}", path,
                                                session->step(), wayBack()));
              },
          .setup = "Loading a checkpoint",
          .needsSession = false};
}

Runner::~Runner() = default;

bool Runner::finish(const std::function<void(Session&)>& last) {
  impl_->end(last);
  return impl_->session != nullptr;
}

std::shared_ptr<const Publication> Runner::latest() const { return impl_->latest(); }

void Runner::onPublish(std::function<void()> call) {
  std::lock_guard lock(impl_->mailboxMutex);
  impl_->publishedCall = std::move(call);
}

void Runner::onInternalError(Keep keep) {
  impl_->post({.act = [i = impl_.get(), keep = std::move(keep)] { i->keep = keep; },
               .needsSession = false});
}

void Runner::giveWay(bool on) {
  {
    std::lock_guard lock(impl_->queueMutex);
    if (impl_->givesWay == on) return;
    impl_->givesWay = on;
    ++impl_->wayNumber;
  }
  if (!on) impl_->wake.notify_one();
}

double Runner::busySeconds() const {
  const Impl::Clock::duration began = impl_->workBegan;
  if (began == Impl::kAtRest) return 0;
  return Impl::Seconds(Impl::Clock::now().time_since_epoch() - began).count();
}

void Runner::play(bool on) {
  impl_->post({.act = [i = impl_.get(), on] {
    i->playing = on;
    i->credit = 0;
    i->creditTime = Impl::Clock::now();
  }});
}

void Runner::step() {
  impl_->post({.act = [i = impl_.get()] {
    i->workName = i->nextStepName();
    i->beStill();
    if (i->session->mode().nextPhase() != 0)
      i->session->finishStep();
    else
      i->rewind.advance(*i->session, 1);
  }});
}

void Runner::advance(std::uint64_t steps, std::shared_ptr<const std::atomic<bool>> stopped) {
  impl_->post({.act = [i = impl_.get(), steps, stopped = std::move(stopped)] {
    i->playing = false;
    i->workName = i->nextStepName();
    i->session->finishStep();
    i->advanceBy(steps, *stopped);
  }});
}

void Runner::stepPhase() {
  impl_->post({.act = [i = impl_.get()] {
    i->workName = i->nextStepName();
    i->beStill();
    if (i->session->mode().nextPhase() == 0) i->rewind.advance(*i->session, 0);
    i->session->advancePhase();
  }});
}

void Runner::reset() {
  impl_->post({.act =
                   [i = impl_.get()] {
                     i->session->reset();
                     i->say(Severity::info,
                            "Started over from step 0. Ctrl+Z goes back to the state before.");
                   },
               .setup = "Reset"});
}

void Runner::undo() {
  impl_->post({.act = [i = impl_.get()] { i->undo(); }, .setup = "Undo"});
}

void Runner::set(const std::string& key, const ParameterValue& value, bool continues) {
  impl_->post(
      {.kind = Impl::Kind::set, .key = key, .act = [i = impl_.get(), key, value, continues] {
         Parameter& p = i->session->mode().parameters().at(key);
         i->workName = fmt::format("Changing \"{}\" to {}", p.info.label, p.info.inWords(value));
         if (p.info.effect != Effect::live) i->beginSetup(i->workName);
         i->change([&] { i->session->set({{key, value}}, continues); });
       }});
}

void Runner::set(const std::vector<Session::Setting>& settings) {
  impl_->post({.act = [i = impl_.get(), settings] {
    ParameterSet& all = i->session->mode().parameters();
    std::string names;
    bool takesLong = false;
    for (const auto& [key, value] : settings) {
      const ParameterInfo& info = all.at(key).info;
      names += fmt::format("{}\"{}\"", names.empty() ? "" : ", ", info.label);
      takesLong |= info.effect != Effect::live;
    }
    i->workName = "Changing " + names;
    if (takesLong) i->beginSetup(i->workName);
    i->change([&] { i->session->set(settings); });
  }});
}

void Runner::setView(const ViewRequest& view) {
  impl_->post({.kind = Impl::Kind::view, .act = [i = impl_.get(), view] {
                 const bool still = i->view.still;
                 i->view = view;
                 i->view.still = still;
               }});
}

void Runner::pick(const PickQuery& query) {
  impl_->post(
      {.act = [i = impl_.get(), query] { i->view.picked = i->session->mode().pick(query); }});
}

void Runner::setSpeedLimit(double stepsPerSecond) {
  impl_->post({.act = [i = impl_.get(), stepsPerSecond] { i->speedLimit = stepsPerSecond; },
               .needsSession = false});
}

void Runner::open(const Scenario& scenario, bool thenPlay) {
  impl_->post({.act =
                   [i = impl_.get(), scenario, thenPlay] {
                     const bool replaces = i->session != nullptr;
                     i->openScenario(scenario);
                     if (replaces)
                       i->say(Severity::info,
                              fmt::format("\"{}\" is open{}", titleOf(scenario), i->wayBack()));
                     if (thenPlay) i->playing = true;
                   },
               .setup = openingName(scenario),
               .needsSession = false});
}

void Runner::cancel(std::uint64_t setup) { impl_->cancelled = setup; }

void Runner::saveCheckpoint(const std::string& path) {
  impl_->post({.act =
                   [i = impl_.get(), path] {
                     i->session->save(path);
                     i->say(Severity::info, "Checkpoint written to " + path);
                   },
               .setup = "Writing a checkpoint"});
}

void Runner::loadCheckpoint(const std::string& path) { impl_->post(impl_->loading(path)); }

void Runner::saveTrajectoryFrame(const std::string& path) {
  impl_->post({.act =
                   [i = impl_.get(), path] {
                     appendTrajectory(*i->session, path);
                     i->say(Severity::info, "Configuration appended to " + path);
                   },
               .setup = "Writing the configuration"});
}

void Runner::saveConfiguration(const std::string& path) {
  impl_->post({.act =
                   [i = impl_.get(), path] {
                     replaceConfiguration(*i->session, path);
                     i->say(Severity::info, "Configuration written to " + path);
                   },
               .setup = "Writing the configuration"});
}

void Runner::saveSeries(const std::string& path) {
  impl_->post({.act =
                   [i = impl_.get(), path] {
                     writeKeptSeries(path, *i->session, deviceName(i->config));
                     i->say(Severity::info, "Time series written to " + path);
                   },
               .setup = "Writing the time series"});
}

void Runner::resetAverages() {
  impl_->post({.act = [i = impl_.get()] {
    i->workName = i->nextStepName();
    i->session->finishStep();
    i->session->resetAverages();
  }});
}

// The Runner's thread: going back in the run.

void Runner::keepMoments(std::size_t bytes) {
  impl_->post(
      {.act = [i = impl_.get(), bytes] { i->rewind.limitTo(bytes); }, .needsSession = false});
}

void Runner::stepBack() {
  impl_->post({.act = [i = impl_.get()] { i->stepBack(); }});
}

void Runner::goNear(std::uint64_t step) {
  impl_->post({.kind = Impl::Kind::place, .act = [i = impl_.get(), step] {
                 i->goBack([&] { return i->rewind.goNear(*i->session, step); });
               }});
}

void Runner::forwardToEnd() {
  impl_->post({.act = [i = impl_.get()] {
    i->goBack([&] { return i->rewind.forwardToEnd(*i->session); });
  }});
}

// A change of the run; made at an earlier moment it begins a new branch.
void Runner::Impl::change(const std::function<void()>& act) {
  const std::size_t edits = session->log().edits.size();
  act();
  if (session->log().edits.size() == edits || !rewind.changed(*session, edits)) return;
  say(Severity::info,
      fmt::format("A new branch of the run begins at {} {}; the one before stays in the plots as a "
                  "pale line",
                  info->stepName, session->step()));
}

void Runner::Impl::keepMoment(bool single) {
  if (!session) return;
  const bool fitted = rewind.needed() == 0;
  guarded([&] { rewind.look(*session, single); }, false);
  if (!fitted || rewind.needed() == 0) return;
  constexpr double kMiB = 1 << 20;
  say(Severity::warning,
      fmt::format("rewind is off in this run: a snapshot takes {:.0f} MiB, and two do not fit into "
                  "the {:.0f} MiB of --rewind-memory",
                  std::ceil(static_cast<double>(rewind.needed()) / kMiB),
                  static_cast<double>(rewind.store().limit()) / kMiB));
}

void Runner::Impl::goBack(const std::function<bool()>& act) {
  pause();
  if (act()) batch = 1;
}

void Runner::Impl::stepBack() {
  workName = "Going one step back";
  goBack([&] {
    return rewind.stepBack(*session, [&](double share) {
      watchWork({"computing steps again from an earlier moment", share});
    });
  });
}

}  // namespace cellscope
