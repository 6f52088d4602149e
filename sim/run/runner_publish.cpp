// Publications of the Runner: frames, series and state, at a limited rate.
#include <fmt/format.h>

#include <cmath>

#include "sim/api/mode.h"
#include "sim/exec/machine.h"
#include "sim/exec/memory.h"
#include "sim/run/runner_impl.h"

namespace cellscope {

void KernelMeter::update(const std::vector<KernelTime>& sinceTheStart, double now) {
  Totals totals;
  for (const KernelTime& k : sinceTheStart) {
    KernelTime& sum = totals[k.name];
    sum.name = k.name;
    sum.launches += k.launches;
    sum.timed += k.timed;
    sum.milliseconds += k.milliseconds;
  }
  bool sameState = running_;
  KernelUse use{now - begin_, {}};
  for (const auto& [name, total] : totals) {
    const KernelTime& old = start_[name];
    if (total.launches < old.launches) sameState = false;
    if (total.launches > old.launches)
      use.kernels.push_back({name, total.launches - old.launches, total.timed - old.timed,
                             total.milliseconds - old.milliseconds});
  }
  std::ranges::stable_sort(use.kernels, std::ranges::greater(), &KernelTime::milliseconds);
  if (sameState) use_ = std::move(use);
  start_ = std::move(totals);
  begin_ = now;
  running_ = true;
}

constexpr double kPublishSeconds = 0.012;  // shortest time between publications
constexpr double kUnseenSeconds = 0.5;     // the same while publications are not read
constexpr double kCheckSeconds = 1, kCurveSeconds = 0.2, kRateSeconds = 0.5;

std::string deviceName(const ExecConfig& config) {
  if (config.backend == Backend::cuda) {
    const auto& names = exec::cudaStatus().devices;
    const auto d = static_cast<std::size_t>(config.device);
    return d < names.size() ? names[d].substr(0, names[d].find(',')) : "CUDA device";
  }
  const int threads = exec::threadsFor(config.threads);
  return threads == 1 ? "1 thread" : fmt::format("{} threads", threads);
}

// At most a third of the thread's time goes into publications; half of it where a GPU packs them.
Runner::Impl::Clock::time_point Runner::Impl::nextPublication() const {
  const double steps = config.backend == Backend::cuda ? 1 : 2;  // for each second of publications
  const double gap = std::max(kPublishSeconds, steps * publishCost);
  return published + std::chrono::duration_cast<Clock::duration>(Seconds(gap));
}

bool Runner::Impl::publicationDue() const {
  const auto now = Clock::now();
  if ((!dirty && !advanced) || now < nextPublication()) return false;
  return dirty || taken || Seconds(now - published).count() > kUnseenSeconds;
}

void Runner::Impl::send(std::shared_ptr<const Publication> p) {
  last = p;
  taken = false;
  std::lock_guard lock(mailboxMutex);
  mailbox = std::move(p);
  if (publishedCall) publishedCall();
}

// The last frame again, with the progress of the current command.
void Runner::Impl::publishSetup() {
  auto p = last ? std::make_shared<Publication>(*last) : std::make_shared<Publication>();
  p->number = ++out.number;
  p->setup = setup;
  p->playing = playing;
  setupShown = Clock::now();
  send(std::move(p));
}

void Runner::Impl::publish() {
  const auto start = Clock::now();
  dirty = advanced = false;
  out.backend = config.backend;
  out.device = deviceName(config);
  if (session) {
    guarded(
        [&] {
          measureRate();
          measureKernels();
          refreshChecks();
          fillPicture();
          refreshCurves();
          refreshWatched();
        },
        true);
    guarded([&] { fillState(); }, true);
  }
  if (!playing) setup.reset();  // long steps in a row have ended
  ++out.number;
  out.setup = setup;
  out.playing = playing;
  published = Clock::now();
  publishCost = Seconds(published - start).count();
  send(std::make_shared<Publication>(out));
}

void Runner::Impl::fillState() {
  Mode& mode = session->mode();
  if (out.mode->version != mode.info().version)
    out.mode = std::make_shared<const ModeInfo>(mode.info());
  refreshParameters();
  if (seriesVersion != session->history().version()) {
    out.observables = session->history().series();
    seriesVersion = session->history().version();
  }
  out.findings = mode.findings();
  out.kernels = kernels.use();
  out.preparation = mode.preparation();
  out.canCancelPreparation = session->canCancelPreparation();
  out.step = mode.step();
  out.nextPhase = mode.nextPhase();
  out.particles = mode.particleCount();
  out.engineBytes = mode.engineBytes();
  out.heats = dynamic_cast<const HeatsParticles*>(&mode) != nullptr;
  auto* const takes = dynamic_cast<TakesHands*>(&mode);
  out.hand.takes = takes != nullptr;
  for (int act = 0; takes && act < kHandActs; ++act)
    out.hand.refused[act] = takes->refuses(static_cast<HandAct>(act));
  out.hand.grip = takes ? takes->grip() : std::nullopt;
  out.hand.touched = takes ? session->touchedAt() : std::nullopt;
  out.timeline = rewind.timeline(*session);
  out.canUndo = session->canUndo() || !earlier.empty();
}

void Runner::Impl::refreshParameters() {
  const ParameterSet& set = session->mode().parameters();
  const std::vector<Parameter>& now = set.items();
  const SharedList<ParameterState>& known = out.parameters;
  const bool same = std::equal(known.begin(), known.end(), now.begin(), now.end(),
                               [](const ParameterState& shown, const Parameter& p) {
                                 return shown.info.key == p.info.key && shown.value == p.get();
                               });
  out.experiments = session->experiments();
  if (same) return;
  out.parameters = each(now, [&](const Parameter& p) {
    return ParameterState{p.info, p.get(), p.fallback, set.acts(p)};
  });
}

void Runner::Impl::noteSince(std::vector<SelfCheck>& all) {
  for (SelfCheck& c : all) {
    if (c.ok) {
      failing.erase(c.label);
      continue;
    }
    std::uint64_t& since = failing.try_emplace(c.label, session->step()).first->second;
    c.since = since = std::min(since, session->step());
  }
}

void Runner::Impl::fillPicture() {
  // At most two flashes per second, to avoid flicker.
  view.still = !playing || (speedLimit > 0 && speedLimit <= 2);
  auto frame = std::make_shared<Frame>(*session->mode().frame(view));
  addOthers(frame->checks, checks);
  noteSince(frame->checks);
  const PickedParticle& picked = frame->picked;
  out.pair.reset();
  if (second >= 0 && picked.id >= 0 && !picked.deleted && !picked.trial)
    out.pair = addPair(session->mode(), frame->picked, second);
  addSelected(*frame);
  refreshTable(picked);
  out.beside = beside.exists() ? beside.state(view) : nullptr;
  // Some curves tell of the particle that is picked, once there is a frame of it.
  if (!playing && picked.id != std::exchange(curvesPicked, picked.id))
    out.curves = session->mode().curves();
  out.frame = std::move(frame);
}

// The run beside it is where this one is whenever a picture is taken.
void Runner::Impl::keepUpBeside() {
  if (!session) return;
  bool isPrepared = false;
  guarded(
      [&] {
        const std::string why = beside.keepUp(*session, [&](const Scenario& s) {
          isPrepared = true;
          beginSetup("Preparing the run beside it", "then both are ready");
          ExecConfig own = config;
          if (own.ranks == 1) own.domains = std::max(own.domains, session->mode().domainsShown());
          return std::make_unique<Session>(s, own, modes, workReport());
        });
        if (why.empty()) return;
        say(fmt::format("There is no run beside this one: {}. Reset (R) begins both again.", why));
      },
      true);
  if (!isPrepared) return;
  setup.reset();
  dirty = true;
}

// What the selection names may be gone.
void Runner::Impl::addSelected(Frame& frame) {
  out.selected = 0;
  if (out.selection.empty()) return;
  try {
    out.selected = addSelection(session->mode(), frame, out.selection);
  } catch (const InputError& e) {
    say(fmt::format("Nothing is selected any more: {}", e.what()), Severity::warning);
    out.selection.clear();
  }
}

// At most a tenth of the time goes into the table of a run that goes on.
void Runner::Impl::refreshTable(const PickedParticle& picked) {
  const auto start = Clock::now();
  const bool early = playing && out.table && Seconds(start - tableMade).count() < 10 * tableCost;
  if (out.tableName.empty() || early) return;
  const bool ofPicked = out.tableName == "neighbours";
  if (ofPicked && (picked.id < 0 || picked.deleted)) {
    out.table = std::make_shared<const Table>(Table{{}, {}, "no particle is picked: click one"});
    return;
  }
  try {
    out.table = std::make_shared<const Table>(tableOfRun(
        *session, ofPicked ? fmt::format("{} {}", out.tableName, picked.id) : out.tableName, config,
        modes));
  } catch (const InputError& e) {
    out.table = std::make_shared<const Table>(Table{{}, {}, e.what()});
  }
  tableMade = Clock::now();
  tableCost = Seconds(tableMade - start).count();
}

void Runner::Impl::refreshCurves() {
  const auto now = Clock::now();
  const double gap = std::max(kCurveSeconds, 10 * curveCost);
  // Without samples the charts of a race change as well, and those that count down.
  const bool waits =
      std::ranges::any_of(out.curves, [](const Curve& c) { return !c.waiting.empty(); });
  const bool fresh =
      curvesVersion == session->history().version() && !session->mode().preparation() && !waits;
  if (fresh && !checksStale) return;
  if (playing && curvesVersion != ~0ull && Seconds(now - curvesMade).count() < gap) return;
  out.curves = session->mode().curves();
  out.references = session->mode().references();
  curvesVersion = session->history().version();
  curvesMade = Clock::now();
  curveCost = Seconds(curvesMade - now).count();
}

// At rest and at the start there is a number before the first sample; averages stay as they are.
void Runner::Impl::refreshWatched() {
  Mode& mode = session->mode();
  const std::uint64_t version = session->history().version(), step = mode.step();
  if (watchedVersion == version && watchedStep == step) return;
  out.watched.reset();
  auto* const asked = dynamic_cast<Inspectable*>(&mode);
  if (!asked || !out.scenario || mode.nextPhase() != 0 || mode.preparation() ||
      (playing && step > 0))
    return;
  watchedVersion = version, watchedStep = step;
  const std::vector<ObservableInfo>& all = mode.info().observables;
  const std::size_t k = columnOf(all, out.scenario->watch);
  if (step == 0 && session->history().newestStep() == 0) {
    session->showStart(asked->valuesNow());
    watchedVersion = session->history().version();
  }
  if (k == all.size() || session->history().series().at(k).samples > 0) return;
  if (const double value = asked->valueNow(k); std::isfinite(value)) out.watched = value;
}

void Runner::Impl::refreshChecks() {
  const auto start = Clock::now();
  const double wanted = !playing ? 0 : checksStale ? 0.1 : kCheckSeconds;
  const double gap = std::max(wanted, (playing ? 20 : 2) * checkCost);
  if (session->mode().nextPhase() != 0) return;  // self-checks need complete steps
  if (!checks.empty() && Seconds(start - checked).count() < gap) return;
  std::vector<SelfCheck> now = session->mode().selfChecks();
  if (beside.exists()) beside.check();
  for (const SelfCheck& c : now) {
    const bool wasBad = std::ranges::any_of(
        checks, [&](const SelfCheck& old) { return old.label == c.label && !old.ok; });
    if (!c.ok && !c.onPurpose && !wasBad)
      say(fmt::format("self-check '{}' failed at step {}: {}", c.label, session->step(), c.detail),
          Severity::error);
  }
  checks = std::move(now);
  checksStale = false;
  checked = Clock::now();
  checkCost = Seconds(checked - start).count();
}

void Runner::Impl::measureRate() {
  const auto now = Clock::now();
  const std::uint64_t step = session->step();
  const double work = session->mode().work();
  if (!playing) {
    out.stepsPerSecond = out.workPerSecond = 0;
    rateTime = {};
    return;
  }
  const double seconds = Seconds(now - rateTime).count();
  if (rateTime != Clock::time_point{} && step >= rateStep && work >= rateWork) {
    if (seconds < kRateSeconds) return;
    out.stepsPerSecond = static_cast<double>(step - rateStep) / seconds;
    out.workPerSecond = (work - rateWork) / seconds;
  }
  rateTime = now;
  rateStep = step;
  rateWork = work;
}

void Runner::Impl::measureKernels() {
  const double now = Seconds(Clock::now().time_since_epoch()).count();
  if (!playing)
    kernels.interrupt();
  else if (kernels.due(now))
    kernels.update(session->mode().kernelTimes(), now);
}

}  // namespace cellscope
