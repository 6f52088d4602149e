#include "sim/modes/hard_disks/mode.h"

#include "sim/algo/mpmc/domains.h"
#include "sim/algo/observables/hard_disk_reference.h"

namespace cellscope {

void HardDisksMode::check(const P& p) const {
  DiskSampler::check(p);
  const int domains = config().allDomains();
  if (domains > 1) stripOf(chooseGrid(p.n, p.packing).grid, domains, 0);  // refuses thin strips
}

RunMemory HardDisksMode::memoryOfRun() const {
  ExecConfig drawn = config();
  drawn.drawn |= scene_.bytes() > 0;
  return {system_.disks(), system_.engine().bytes() + scene_.bytes(),
          diskMemory(system_.disks(), system_.grid(), drawn, BoxHistory::constant).running};
}

void HardDisksMode::start(const P& p) {
  const auto measure = [&] {
    RunMemory m = memoryOfRun();
    m.n = p.n;
    m.needed = diskMemory(m.n, p.grid(), config(), BoxHistory::changing).running;
    return m;
  };
  startOver(p, withMemoryHint(measure, [&] { return newState(p, exec_, workReport()); }));
  run_.nextId = static_cast<std::uint32_t>(active().n);
}

void HardDisksMode::startFrom(const Configuration& configuration, const P& draft) {
  NewState s = adoptedState(configuration, exec_, workReport());
  P p = draft;
  p.n = s.system.disks();
  p.aspectY = shapeOf(s.system.grid()).aspect();
  p.packing = std::clamp(s.system.packing(), p.kSmallestPacking, p.kLargestPacking);
  startOver(p, std::move(s));
  run_.nextId = static_cast<std::uint32_t>(
      *std::max_element(configuration.ids.begin(), configuration.ids.end()) + 1);
}

void HardDisksMode::startOver(const P& p, NewState state) {
  begin(p);
  system_ = std::move(state.system);
  system_.engine().resetCounters();
  compression_.state = state.compression;
  tuner_.state = {};
  schedule_ = {{0, 1, 2, 3}, {0, 0.0f}};
  setOrigin_ = system_.origin();
  run_ = {};
  sampler_.configure(p);
  sampler_.forgetEquationOfState();
  scene_.forgetState();
  matchSlots();
  applyMapping();
  if (active().tune) beginTuning();
}

void HardDisksMode::parametersChanged(const P& before, std::uint32_t touched) {
  using T = DiskTouch;
  if (touched & T::leaving) acceptLosses(touched);
  if (touched & T::box) {
    try {
      checkMemory(active().n, active().grid(), config(), BoxHistory::constant);
    } catch (const RunError& e) {
      throw InputError(e.what());  // the run continues unchanged
    }
  }
  if (touched & T::sampler) sampler_.configure(active());
  if (touched & T::box) changePacking();
  if (touched & T::leaving) changeLeaving();
  // The mappings offered by the engine depend on n_M.
  if (touched & T::mapping) applyMapping();
  if (touched & (T::tuning | T::moveSize)) changeTuning(before, touched);
  if (touched & T::averages) resetAverages();
  scene_.forgetState();
}

// Setting the maximum displacement by hand stops the tuner.
void HardDisksMode::changeTuning(const P& before, std::uint32_t touched) {
  const bool byHand = touched & DiskTouch::moveSize && active().tune == before.tune;
  if (!byHand && active().tune) return beginTuning();
  setByItself(&P::tune, false);
  tuner_.state.active = false;
}

void HardDisksMode::changePacking() {
  sampler_.changePacking();
  GridInfo goal = active().grid();
  if (mayOverlap()) goal.slots = kMaxSlots;
  // A box of the target size may still contain overlaps of an experiment, which must be removed.
  const bool overlapFree = mayOverlap() || system_.engine().check().overlaps == 0;
  const GridInfo& now = system_.grid();
  if (overlapFree && goal.m == now.m && goal.taller == now.taller && goal.w == now.w &&
      goal.slots == now.slots)
    compression_.state.active = compression_.state.parting = false;
  else
    compression_.begin(system_, active().packing);
}

// When the experiment is switched off, its overlaps are removed before sampling.
void HardDisksMode::changeLeaving() {
  if (compression_.state.active) return;  // the cells are adapted at its end
  if (mayOverlap()) return matchSlots();
  if (system_.engine().check().overlaps > 0) return compression_.begin(system_, active().packing);
  system_.regrid(active().grid());
}

// What shifts with rounding have lost stays lost once they are exact again.
void HardDisksMode::acceptLosses(std::uint32_t touched) {
  const std::int64_t left = system_.disks();
  if (active().experiments().roundsShift() || left == active().n) return;
  if (left < P::kSmallestN)
    throw InputError(
        "parameter 'shift_bits': only {} disks are left, at least {} are needed; restart", left,
        P::kSmallestN);
  setByItself(&P::n, left);
  if (touched & DiskTouch::box || compression_.state.active) return;  // it is what is asked for
  setByItself(&P::packing, system_.packing());
}

// With overlaps from an experiment a cell can hold five disks.
void HardDisksMode::matchSlots() {
  GridInfo g = system_.grid();
  if (!mayOverlap() || compression_.state.active || g.slots == kMaxSlots) return;
  g.slots = kMaxSlots;
  system_.regrid(g);
}

// The sweep, or a phase of one, that `work` makes is recorded by the engine.
void HardDisksMode::record(const auto& work) {
  const GridInfo grid = system_.grid();
  const GridPlacement placement = system_.placement();  // before the shift
  const std::uint64_t sweep = step();
  const Backend where = system_.engine().backend();
  MpmcTrace trace;
  trace.followed = static_cast<std::uint32_t>(scene_.trace().watched());
  trace.update = scene_.trace().begin(where);
  trace.disks = scene_.moves().begin(where, system_.disks());
  struct Recording {
    MpmcEngine& engine;
    ~Recording() { engine.setTrace({}); }
  } const recording{system_.engine()};
  recording.engine.setTrace(trace);
  work();
  scene_.trace().finish(grid, placement, sweep);
  scene_.moves().finish(grid, placement);
}

void HardDisksMode::runSteps(std::uint64_t steps) {
  while (steps > 0) {
    std::uint64_t done = 1;
    if (compression_.state.active) {
      compressionStage();
    } else if (tuner_.state.active) {
      done = std::min(steps, tuner_.state.stepsLeft);
      tuneFor(done);
    } else if (steps == 1 && scene_.recordsMoves(system_)) {
      record([&] { runSweeps(1); });
    } else {
      done = scene_.recordsMoves(system_) ? steps - 1 : steps;
      runSweeps(done);
    }
    steps -= done;
  }
}

void HardDisksMode::runSweeps(std::uint64_t count) {
  scene_.moves().clear();
  const MpmcParameters p = moves();
  while (count > 0) {
    std::uint64_t done = count;
    if (mappingRace_.running())
      done = mappingRace_.advance(system_, p, step(), count);
    else
      system_.sweeps(p, step(), count);
    countSteps(done);
    count -= done;
  }
  schedule_ = scheduleOfSweep(p, system_.grid().w, step() - 1);
  setOrigin_ = system_.originBefore(schedule_.shift);
}

// The last moves are those of the whole sweep, or of a single phase.
void HardDisksMode::runPhase(int phase, bool alone) {
  if (alone) scene_.moves().clear();
  const MpmcParameters p = moves();
  if (phase == 0) {
    schedule_ = scheduleOfSweep(p, system_.grid().w, step());
  } else if (phase < kPhases - 1) {
    const int set = schedule_.set[phase - 1];
    setOrigin_ = system_.origin();
    record([&] { system_.subSweep(p, step(), set); });
  } else {
    system_.shift(schedule_.shift);
  }
}

void HardDisksMode::compressionStage() {
  run_.counted = counted();
  system_.engine().resetCounters();
  const Compression::Outcome outcome =
      compression_.stage(system_, static_cast<std::uint64_t>(active().seed));
  run_.preparingMoves += static_cast<double>(sumOf(system_.engine().counters().attempted));
  system_.engine().resetCounters();
  countSteps(1);
  scene_.trace().forget();
  scene_.moves().clear();
  setOrigin_ = system_.origin();
  schedule_.shift = {0, 0.0f};
  if (outcome == Compression::Outcome::working) return;
  matchSlots();
  resetAverages();
  if (tuner_.state.active) beginTuning();
  if (outcome != Compression::Outcome::stuck) return;
  const double wanted = active().packing;
  setByItself(&P::packing, system_.packing());
  throw InputError(
      "parameter 'packing': {} was not reached: the disks jammed at {:.5f}, which is now the "
      "packing; let the run equilibrate and try again, or restart with start = hexagonal",
      wanted, active().packing);
}

void HardDisksMode::tuneFor(std::uint64_t sweeps) {
  runSweeps(sweeps);
  tuner_.stepsDone(sweeps);
  if (!tuner_.roundOver()) return;
  const MpmcCounters round = counted() - run_.roundStart;
  run_.roundStart = counted();
  setByItself(&P::d, tuner_.evaluate(active().d, sumOf(round.accepted), sumOf(round.attempted)));
  if (tuner_.state.active) return;
  setByItself(&P::tune, false);  // frozen
  resetAverages();
}

std::optional<Preparation> HardDisksMode::preparation() const {
  if (compression_.state.parting) return Preparation{"separating the overlapping disks", 0};
  if (compression_.state.active) {
    const bool up = system_.packing() < active().packing;
    return Preparation{
        fmt::format("{} to packing {:.4f} (now {:.4f})", up ? "compressing" : "expanding",
                    active().packing, system_.packing()),
        compression_.progress(system_)};
  }
  return tuningProgress(tuner_, active().d);
}

void HardDisksMode::count(DiskSample& s) const {
  const MpmcEngine::OverlapReport report = system_.engine().check();
  s.overlappingPairs = static_cast<double>(report.overlaps);
  s.lostDisks = static_cast<double>(active().n) - static_cast<double>(report.disks);
}

std::vector<double> HardDisksMode::sample() {
  DiskSample s = withHint([&] { return sampler_.sample(system_, !preparing()); });
  s.moves = counted() - run_.sampledUpTo;
  run_.sampledUpTo = counted();
  count(s);
  lastSampled_ = step(), lastOverlaps_ = static_cast<std::uint64_t>(s.overlappingPairs);
  return valuesOf(diskObservables(), s);
}

std::vector<double> HardDisksMode::valuesNow() {
  DiskSample s = withHint([&] { return sampler_.sample(system_, false); });
  s.moves = counted() - run_.sampledUpTo;
  count(s);
  return valuesOf(diskObservables(), s);
}

double HardDisksMode::valueNow(std::size_t observable) {
  const std::string& id = info().observables[observable].id;
  const bool counted = id.starts_with("acceptance") || id == "left_cell";
  DiskSample s;
  s.system = &system_;
  if (!counted) s = withHint([&] { return sampler_.sample(system_, false); });
  s.moves = this->counted() - run_.sampledUpTo;
  if (id == "overlapping_pairs" || id == "lost_disks") count(s);
  return diskObservables()[observable].value(s);
}

std::vector<ReferenceValue> HardDisksMode::references() const {
  if (preparing() || system_.disks() == 0) return {};
  std::vector<ReferenceValue> all;
  for (const DiskObservable& o : diskObservables()) {
    if (!o.pressure) continue;
    for (ReferenceValue& r : hardDiskReferences(static_cast<std::uint64_t>(system_.disks()),
                                                system_.packing(), Published::nearest, o.info.id))
      all.push_back(std::move(r));
  }
  return all;
}

}  // namespace cellscope
