// The Runner's thread: commands between steps, batches of steps of about 8 ms.
#include <fmt/format.h>

#include <new>

#include "sim/base/error.h"
#include "sim/base/words.h"
#include "sim/exec/machine.h"
#include "sim/run/runner_impl.h"

namespace cellscope {

// Shorter where steps and pictures share the processors.
constexpr double kBatchSeconds = 0.008, kSharedBatchSeconds = 0.002;
constexpr double kMostWay = 0.05;  // seconds
constexpr std::uint64_t kLargestBatch = 1u << 20;
constexpr std::size_t kMessages = 20;
constexpr double kSetupSeconds = 0.05;  // between publications during a set-up
constexpr double kLongSeconds = 1;      // shorter steps are visible in the picture and the rate

static ExecConfig drawn(ExecConfig config) {
  config.drawn = true;
  return config;
}

Runner::Impl::Impl(const ExecConfig& c, Command first, ModeFactory m)
    : config(drawn(c)), modes(std::move(m)) {
  queue.push_back(std::move(first));
  thread = std::thread([this] { run(); });
}

Runner::Impl::~Impl() { end({}); }

void Runner::Impl::end(const std::function<void(Session&)>& lastLook) {
  if (!thread.joinable()) return;
  {
    std::lock_guard lock(queueMutex);
    farewell = lastLook;
    stop = true;
  }
  wake.notify_one();
  thread.join();
  if (farewellError) std::rethrow_exception(std::exchange(farewellError, nullptr));
}

void Runner::Impl::post(Command command) {
  {
    std::lock_guard lock(queueMutex);
    // A slider sends many values: the newest replaces a queued one directly before it.
    const bool replaces = !queue.empty() && command.kind != Kind::other &&
                          queue.back().kind == command.kind && queue.back().key == command.key;
    if (replaces) queue.pop_back();
    queue.push_back(std::move(command));
  }
  wake.notify_one();
}

void Runner::Impl::run() {
  if (config.backend == Backend::cpu) exec::lowerThreadPriority();  // workers follow
  while (waitForWork()) {
    while (true) {
      Command command;
      workBegan = Clock::now().time_since_epoch();
      {
        std::lock_guard lock(queueMutex);
        if (stop || queue.empty()) break;
        command = std::move(queue.front());
        queue.pop_front();
      }
      carryOut(command);
    }
    keepUpBeside();
    // Publishes the result of commands at once, as the next step may take long.
    if (playing && dirty && batch == 1) publish();
    if (playing && session && !awaitTurn()) continue;
    if (playing && session) {
      advanceBatch();
      keepUpBeside();
    }
    workBegan = Clock::now().time_since_epoch();
    if (publicationDue()) publish();
    workBegan = kAtRest;
  }
  leaving = true;
  if (!farewell || !session) return;
  try {
    farewell(*session);
  } catch (...) {
    farewellError = std::current_exception();
  }
}

// Sleeps while there is nothing to do: no command, no step allowed yet, no publication due.
bool Runner::Impl::waitForWork() {
  std::unique_lock lock(queueMutex);
  auto called = [this] { return stop || !queue.empty(); };
  if (playing && session) {
    if (allowedSteps() == 0) {
      const Seconds missing(speedLimit > 0 ? (1 - std::min(credit, 0.9)) / speedLimit : 1);
      wake.wait_for(lock, std::min(missing, Seconds(0.05)), called);
    }
  } else if (dirty || advanced) {
    wake.wait_until(lock, nextPublication(), called);
  } else {
    wake.wait(lock, called);
  }
  return !stop;
}

// After one picture the turn has come, even if the next one has begun: a window that draws without
// a pause leaves one batch between two pictures.
bool Runner::Impl::awaitTurn() {
  std::unique_lock lock(queueMutex);
  if (givesWay)
    wake.wait_for(lock, Seconds(kMostWay), [this, before = wayNumber] {
      return stop || !queue.empty() || wayNumber != before;
    });
  return !stop && queue.empty();
}

void Runner::Impl::say(const std::string& text, Severity severity) {
  messages.push_back({severity, text, ++messageNumber});
  if (messages.size() > kMessages) messages.pop_front();
  out.messages = std::vector<Message>(messages.begin(), messages.end());
  dirty = true;
}

std::string Runner::Impl::keepBroken() {
  if (!session || !keep || std::exchange(keptBroken, true)) return "";
  std::string path;
  try {
    path = keep(*session);
  } catch (const std::exception& e) {
    return fmt::format("; the state could not be saved: {}", e.what());
  }
  if (path.empty()) return "; the state could not be saved anywhere";
  return fmt::format("; the state after step {} was saved in {}", session->step(), path);
}

// Bad input leaves the run unchanged; other errors also pause it.
void Runner::Impl::guarded(const std::function<void()>& f, bool pauseAlways) {
  try {
    f();
  } catch (const Cancelled&) {
    if (pauseAlways) pause();
    if (setup)  // otherwise the program ends
      say(setup->name + (session ? " was cancelled: everything is as it was before."
                                 : " was cancelled: nothing is open."));
  } catch (const InputError& e) {
    if (pauseAlways) pause();
    reportError(e.what());
  } catch (const InternalError& e) {
    pause();
    reportError(e.what() + keepBroken());
  } catch (const std::bad_alloc&) {
    pause();
    reportError("out of memory: the run is paused; use fewer particles or close other programs");
  } catch (const std::exception& e) {
    pause();
    reportError(e.what());
  } catch (...) {
    pause();
    reportError("an unknown error stopped the run; save a checkpoint and restart");
  }
}

void Runner::Impl::carryOut(Command& command) {
  if (!command.isLook) dirty = true;
  trouble.clear();
  if (command.needsSession && !session) return;
  if (command.leads && lecturer)
    return say("The lecturer leads this run: leave the lesson to change it.");
  if (command.kind == Kind::view) return guarded([&] { command.act(*this); }, false);
  breakpoints.disarm();
  setup.reset();
  workName.clear();
  workIsStep = false;
  if (!command.setup.empty()) beginSetup(command.setup, command.then);
  guarded([&] { command.act(*this); }, false);
  setup.reset();
  keepMoment(true);
  checksStale = true;
  batch = 1;  // steps may take longer now
}

void Runner::Impl::beginSetup(const std::string& name, const std::string& then) {
  kernels.interrupt();
  setup = {++setupNumber, name, std::nullopt, Clock::now(), false, then};
  publishSetup();
}

void Runner::Impl::beginStep() {
  workName = capitalised(fmt::format("{} {}", out.mode->stepName, session->step() + 1));
  workIsStep = true;
}

// Whether the current work has taken long enough to be shown.
bool Runner::Impl::beginsToTakeLong() {
  const Clock::duration spent = Clock::now().time_since_epoch() - workBegan.load();
  if (workName.empty() || Seconds(spent).count() < kLongSeconds) return false;
  setup = {++setupNumber, workName, std::nullopt, Clock::now() - spent, workIsStep, ""};
  return true;
}

// Progress callback of long operations, on this thread.
void Runner::Impl::watchWork(const Preparation& stage) {
  if (leaving) return;
  {
    std::lock_guard lock(queueMutex);
    if (stop) throw Cancelled();
  }
  if (!setup && !beginsToTakeLong()) return;
  if (cancelled == setup->number) throw Cancelled();
  setup->stage = stage;
  if (Seconds(Clock::now() - setupShown).count() >= kSetupSeconds) publishSetup();
}

// The previous session is kept as a checkpoint in host memory, so that opening another scenario can
// be undone.
void Runner::Impl::replaceSession(std::unique_ptr<Session> next) {
  std::string before, name;
  try {
    if (session) before = session->checkpoint();
    if (session)
      name = fmt::format("\"{}\" at step {}", titleOf(session->log().start), session->step());
  } catch (const Cancelled&) {  // while completing the current step: nothing is replaced
    throw;
  } catch (const std::exception&) {
    before.clear();  // an invalid state that cannot be saved must not block the command
  }
  adoptSession(std::move(next));
  earlier = std::move(before);
  earlierName = std::move(name);
}

void Runner::Impl::adoptSession(std::unique_ptr<Session> next) {
  session = std::move(next);
  keptBroken = false;
  const Scenario& s = session->log().start;
  out.mode = std::make_shared<const ModeInfo>(session->mode().info());
  out.scenario = std::make_shared<const Scenario>(s);
  view = {layersOf(s, *out.mode), s.colouring, -1};
  second = -1;
  for (const std::string& lost : breakpoints.moveTo(*session))
    say("The breakpoint " + lost + ". It was removed.", Severity::warning);
  out.breakpoints = breakpoints.texts();
  out.table.reset();
  out.hand.at.reset();
  out.hand.done.clear();
  strokeBegun = false;
  watchMoves();
  speedLimit = s.speedLimit;
  batch = 1;
  credit = 0;
  creditTime = Clock::now();
  checks.clear();
  kernels.forget();
  curvesVersion = seriesVersion = ~0ull;
  out.parameters = {};
  out.stepsPerSecond = out.workPerSecond = 0;
  rateTime = {};
}

// Number of steps that the speed limit allows now; unused ones do not accumulate.
std::uint64_t Runner::Impl::allowedSteps() {
  const std::uint64_t most = lecturer ? lecturer->ahead(*session) : kLargestBatch;
  if (speedLimit <= 0 || most == 0) return most;
  const auto now = Clock::now();
  credit += Seconds(now - creditTime).count() * speedLimit;
  creditTime = now;
  credit = std::min(credit, std::max(1.0, 0.05 * speedLimit));
  return std::min(most, static_cast<std::uint64_t>(credit));
}

void Runner::Impl::advanceBatch() {
  const std::uint64_t steps = std::min(batch, allowedSteps());
  if (steps == 0) {
    if (setup) dirty = true;
    setup.reset();  // nothing is computed while waiting for the speed limit
    if (lecturer && !lecturer->playing()) pause(), dirty = true;
    return;
  }
  const auto start = Clock::now();
  beginStep();
  if (setup) setup->name = workName;
  guarded([&] { advanceWatched(steps); }, true);
  const double seconds = Seconds(Clock::now() - start).count();
  if (seconds < kLongSeconds || !playing) setup.reset();
  if (speedLimit > 0) credit -= static_cast<double>(steps);
  advanced = true;
  keepMoment(false);
  if (steps < batch) return;  // not representative of a full batch
  const double wanted = config.backend == Backend::cpu ? kSharedBatchSeconds : kBatchSeconds;
  const double fit = static_cast<double>(batch) * wanted / std::max(seconds, 1e-7);
  const double next = std::clamp(fit, 1.0, 2.0 * static_cast<double>(batch));
  batch = std::min(static_cast<std::uint64_t>(next), kLargestBatch);
}

void Runner::Impl::advanceWatched(std::uint64_t steps) {
  if (lecturer) return lecturer->advance(*session, steps);
  if (breakpoints.empty()) return rewind.advance(*session, steps);
  for (; steps > 0; --steps) {
    breakpoints.arm(*session);
    rewind.advance(*session, 1);
    const std::string why = breakpoints.look(*session);
    if (why.empty()) continue;
    pause();
    return say(fmt::format("Paused after {} {}: {}. Backspace goes to the {} before.",
                           out.mode->stepName, session->step(), why, out.mode->stepName),
               Severity::warning);
  }
}

// In batches as those of playing, between which it can be stopped.
void Runner::Impl::advanceBy(std::uint64_t steps, const std::atomic<bool>& stopped) {
  std::uint64_t part = 1;
  while (steps > 0 && !stopped) {
    {
      std::lock_guard lock(queueMutex);
      if (stop) return;
    }
    const auto start = Clock::now();
    workBegan = start.time_since_epoch();
    const std::uint64_t now = std::min(part, steps);
    session->advance(now);
    steps -= now;
    if (Seconds(Clock::now() - start).count() < kBatchSeconds)
      part = std::min(2 * part, kLargestBatch);
  }
  advanced = true;
}

}  // namespace cellscope
