// The thread-safe face of Runner: every command becomes an entry of the queue.
#include "sim/run/runner.h"

#include <fmt/format.h>

#include <filesystem>

#include "sim/run/csv_log.h"
#include "sim/run/runner_impl.h"

namespace cellscope {

// What comes after a set-up.
constexpr const char* kReady = "then the run is ready";
constexpr const char* kBesideIsNext = "then the run beside it is prepared";
constexpr const char* kGoesOn = "then the run goes on";

static void writeFrame(Session& session, const std::string& path, io::OpenAs how) {
  session.finishStep();
  const auto file = openTrajectory(path, how);
  appendFrame(*file, session);
  file->close();
}

// Under another name first, so that an older file stays if the new one cannot be completed.
static void replaceConfiguration(Session& session, const std::string& path) {
  namespace fs = std::filesystem;
  const fs::path whole(path);
  const fs::path fresh = whole.parent_path() / (".new-" + whole.filename().string());
  std::error_code failed;
  try {
    writeFrame(session, fresh.string(), io::OpenAs::replace);
  } catch (...) {
    fs::remove(fresh, failed);
    throw;
  }
  fs::rename(fresh, whole, failed);
  if (failed) throw RunError("cannot write '" + path + "': " + failed.message());
}

Runner::Runner(const ExecConfig& config, const Scenario& scenario, const ModeFactory& modes)
    : impl_(std::make_unique<Impl>(config, Impl::opening(scenario), modes)) {}

Runner::Runner(const ExecConfig& config, const Checkpoint& checkpoint, const ModeFactory& modes)
    : impl_(std::make_unique<Impl>(config, Impl::loading(checkpoint.path), modes)) {}

Runner::Impl::Command Runner::Impl::opening(const Scenario& s) {
  return {.setup = "Opening \"" + titleOf(s) + '"',
          .then = s.against.empty() ? kReady : kBesideIsNext,
          .needsSession = false,
          .act = [s](Impl& i) { i.openScenario(s); }};
}

Runner::Impl::Command Runner::Impl::loading(const std::string& path) {
  return {.setup = "Loading a checkpoint", .needsSession = false, .act = [path](Impl& i) {
            i.replaceSession(Session::resume(path, i.config, i.modes, i.workReport()));
            i.say(fmt::format("Checkpoint {} loaded at step {}{}", path, i.session->step(),
                              i.wayBack()));
          }};
}

Runner::~Runner() = default;

bool Runner::finish(const std::function<void(Session&)>& last) {
  impl_->end(last);
  return impl_->session != nullptr;
}

std::shared_ptr<const Publication> Runner::latest() const {
  impl_->taken = true;
  std::lock_guard lock(impl_->mailboxMutex);
  return impl_->mailbox;
}

void Runner::onPublish(std::function<void()> call) {
  std::lock_guard lock(impl_->mailboxMutex);
  impl_->publishedCall = std::move(call);
}

void Runner::onInternalError(Keep keep) {
  impl_->post({.needsSession = false, .act = [keep = std::move(keep)](Impl& i) { i.keep = keep; }});
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
  impl_->lead({.act = [on](Impl& i) {
    i.playing = on;
    i.credit = 0;
    i.creditTime = Impl::Clock::now();
  }});
}

void Runner::step() {
  impl_->lead({.act = [](Impl& i) {
    i.beginStep();
    i.beStill();
    if (i.session->mode().nextPhase() != 0)
      i.session->finishStep();
    else
      i.advanceWatched(1);
  }});
}

void Runner::advance(std::uint64_t steps, std::shared_ptr<const std::atomic<bool>> stopped) {
  impl_->lead({.act = [steps, stopped = std::move(stopped)](Impl& i) {
    i.playing = false;
    i.beginStep();
    i.session->finishStep();
    i.advanceBy(steps, *stopped);
  }});
}

void Runner::stepPhase() {
  impl_->lead({.act = [](Impl& i) {
    i.beginStep();
    i.beStill();
    if (i.session->mode().nextPhase() == 0) i.rewind.advance(*i.session, 0);
    i.session->advancePhase();
  }});
}

void Runner::reset() {
  impl_->lead({.setup = "Reset", .then = kReady, .act = [](Impl& i) {
                 i.session->reset();
                 i.say("Started over from step 0. Ctrl+Z goes back to the state before.");
               }});
}

void Runner::undo() {
  impl_->lead({.setup = "Undo", .act = [](Impl& i) {
                 if (i.session->canUndo()) return i.rewind.undo(*i.session);
                 if (i.earlier.empty()) return;
                 i.adoptSession(Session::resumeFrom(i.earlier, i.earlierName, i.config, i.modes,
                                                    i.workReport()));
                 i.earlier.clear();
               }});
}

void Runner::set(const std::string& key, const ParameterValue& value, bool continues) {
  impl_->lead({.kind = Impl::Kind::set, .key = key, .act = [key, value, continues](Impl& i) {
                 const ParameterInfo& info = i.session->mode().parameters().at(key).info;
                 i.workName = fmt::format("Changing \"{}\" to {}", info.label, info.inWords(value));
                 if (info.effect != Effect::live) i.beginSetup(i.workName, kGoesOn);
                 i.change([&] { i.session->set({{key, value}}, continues); });
               }});
}

void Runner::setView(const ViewRequest& view) {
  impl_->post({.kind = Impl::Kind::view, .act = [view](Impl& i) {
                 const bool still = i.view.still;
                 i.view = view;
                 i.view.still = still;
                 if (view.picked < 0) i.second = -1;
               }});
}

void Runner::pick(const PickQuery& query) {
  impl_->post({.act = [query](Impl& i) {
    i.view.picked = i.session->mode().pick(query);
    i.second = -1;
  }});
}

void Runner::pickSecond(const PickQuery& query) {
  impl_->post({.act = [query](Impl& i) {
    const ParticleId found = i.session->mode().pick(query);
    (i.view.picked < 0 ? i.view.picked : i.second) = found;
    if (i.second == i.view.picked) i.second = -1;
  }});
}

void Runner::wantTable(const std::string& name) {
  impl_->post({.key = "table", .act = [name](Impl& i) {
                 i.out.tableName = name;
                 i.out.table.reset();
                 i.watchMoves();
               }});
}

void Runner::select(const std::string& expression) {
  impl_->post({.act = [expression](Impl& i) {
    if (!expression.empty()) {
      Mode& mode = i.session->mode();
      selectionOf(mode, mode.configuration(), expression);  // refuses
    }
    i.out.selection = expression;
  }});
}

// A refusal is told at the field in which it was typed.
void Runner::goTo(const std::string& text) {
  impl_->post({.act = [text](Impl& i) {
    Target& target = i.out.target;
    target = {target.number + 1, false, "", {}, {}};
    try {
      const Found found = findInside(i.session->mode(), text);
      target = {target.number, true, found.words, found.lo, found.hi};
      if (found.particle < 0) return;
      i.view.picked = found.particle;
      i.second = found.second;
    } catch (const InputError& e) {
      target.words = e.what();
    }
  }});
}

void Runner::addBreakpoint(const std::string& condition) {
  impl_->lead({.act = [condition](Impl& i) {
    i.session->finishStep();
    const bool holds = i.breakpoints.add(condition, *i.session);
    i.out.breakpoints = i.breakpoints.texts();
    if (holds)
      i.say(fmt::format("\"{}\" holds already: the run pauses when it becomes true again",
                        condition));
  }});
}

void Runner::removeBreakpoint(std::size_t index) {
  impl_->post({.act = [index](Impl& i) {
    i.breakpoints.remove(index);
    i.out.breakpoints = i.breakpoints.texts();
  }});
}

void Runner::setSpeedLimit(double stepsPerSecond) {
  impl_->lead(
      {.needsSession = false, .act = [stepsPerSecond](Impl& i) { i.speedLimit = stepsPerSecond; }});
}

void Runner::open(const Scenario& scenario, bool thenPlay) {
  Impl::Command command = Impl::opening(scenario);
  command.act = [scenario, thenPlay](Impl& i) {
    const bool replaces = i.session != nullptr;
    i.openScenario(scenario);
    if (replaces) i.say(fmt::format("\"{}\" is open{}", titleOf(scenario), i.wayBack()));
    i.playing = thenPlay;
  };
  impl_->lead(std::move(command));
}

void Runner::cancel(std::uint64_t setup) { impl_->cancelled = setup; }

void Runner::saveCheckpoint(const std::string& path) {
  impl_->post({.setup = "Writing a checkpoint", .act = [path](Impl& i) {
                 i.session->save(path);
                 i.say("Checkpoint written to " + path);
               }});
}

void Runner::loadCheckpoint(const std::string& path) { impl_->lead(Impl::loading(path)); }

void Runner::saveTrajectoryFrame(const std::string& path) {
  impl_->post({.setup = "Writing the configuration", .act = [path](Impl& i) {
                 writeFrame(*i.session, path, io::OpenAs::append);
                 i.say("Configuration appended to " + path);
               }});
}

void Runner::saveConfiguration(const std::string& path) {
  impl_->post({.setup = "Writing the configuration", .act = [path](Impl& i) {
                 replaceConfiguration(*i.session, path);
                 i.say("Configuration written to " + path);
               }});
}

void Runner::saveSeries(const std::string& path) {
  impl_->post({.setup = "Writing the time series", .act = [path](Impl& i) {
                 writeKeptSeries(path, *i.session, deviceName(i.config));
                 i.say("Time series written to " + path);
               }});
}

void Runner::resetAverages() {
  impl_->post({.act = [](Impl& i) {
    i.beginStep();
    i.session->finishStep();
    i.session->resetAverages();
  }});
}

void Runner::keepMoments(std::size_t bytes) {
  impl_->post({.needsSession = false, .act = [bytes](Impl& i) {
                 i.rewind.limitTo(bytes);
                 i.beside.limitTo(bytes);
               }});
}

void Runner::stepBack() {
  impl_->lead({.act = [](Impl& i) {
    i.workName = "Going one step back";
    i.goBack([&i] {
      return i.rewind.stepBack(*i.session, [&i](double share) {
        i.watchWork({"computing steps again from an earlier moment", share});
      });
    });
  }});
}

void Runner::goNear(std::uint64_t step) {
  impl_->lead({.kind = Impl::Kind::place, .act = [step](Impl& i) {
                 i.goBack([&] { return i.rewind.goNear(*i.session, step); });
               }});
}

void Runner::forwardToEnd() {
  impl_->lead(
      {.act = [](Impl& i) { i.goBack([&] { return i.rewind.forwardToEnd(*i.session); }); }});
}

// A change of the run; made at an earlier moment it begins a new branch.
void Runner::Impl::change(const std::function<void()>& act) {
  const std::size_t edits = session->log().edits.size();
  act();
  if (session->log().edits.size() == edits || !rewind.changed(*session, edits)) return;
  say(
      fmt::format("A new branch of the run begins at {} {}; the one before stays in the plots as a "
                  "pale line",
                  out.mode->stepName, session->step()));
}

void Runner::Impl::keepMoment(bool single) {
  if (!session) return;
  const bool fitted = rewind.needed() == 0;
  guarded([&] { rewind.look(*session, single); }, false);
  if (!fitted || rewind.needed() == 0) return;
  constexpr double kMiB = 1 << 20;
  say(fmt::format("rewind is off in this run: a snapshot takes {:.0f} MiB, and two do not fit into "
                  "the {:.0f} MiB of --rewind-memory",
                  std::ceil(static_cast<double>(rewind.needed()) / kMiB),
                  static_cast<double>(rewind.store().limit()) / kMiB),
      Severity::warning);
}

}  // namespace cellscope
