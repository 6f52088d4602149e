#include "sim/modes/hard_disks/mode.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "sim/algo/mpmc/grid_choice.h"
#include "sim/algo/observables/hard_disk_reference.h"
#include "sim/core/mpmc_rules.h"
#include "sim/modes/hard_disks/new_state.h"

namespace cellscope {
namespace {

bool has(const std::vector<std::string>& keys, const char* key) {
  return std::find(keys.begin(), keys.end(), key) != keys.end();
}

bool hasAny(const std::vector<std::string>& keys, std::initializer_list<const char*> some) {
  return std::any_of(some.begin(), some.end(), [&](const char* k) { return has(keys, k); });
}

// `p` with the values that only a restart takes over from `state`.
HardDiskParameters withStateOf(HardDiskParameters p, const HardDiskParameters& state) {
  p.n = state.n;
  p.seed = state.seed;
  p.start = state.start;
  return p;
}

bool sameGrid(const GridInfo& a, const GridInfo& b) {
  return a.m == b.m && a.w == b.w && a.places == b.places;
}

}  // namespace

HardDisksMode::HardDisksMode(const ExecConfig& config)
    : config_(config),
      set_(ParameterSet::of(edited_)),
      system_(config),
      sampler_(config),
      scene_(config) {}

RunMemory HardDisksMode::memoryOfRun() const {
  ExecConfig config = config_;
  config.drawn |= scene_.bytes() > 0;
  return {system_.disks(), system_.engine().bytes() + scene_.bytes(),
          diskMemory(system_.disks(), system_.grid(), config, BoxHistory::constant).running};
}

RunMemory HardDisksMode::memoryOfNext() const {
  RunMemory m = memoryOfRun();
  m.n = edited_.n;
  const GridInfo grid = chooseGrid(edited_.n, edited_.packing).grid;
  m.needed = diskMemory(m.n, grid, config_, BoxHistory::changing).running;
  return m;
}

void HardDisksMode::restart() {
  DiskSampler::check(edited_);
  startOver(edited_, sayingWhatFits([&] { return memoryOfNext(); },
                                    [&] { return newState(edited_, config_, workReport()); }));
}

void HardDisksMode::adopt(const Configuration& configuration) {
  NewState s = adoptedState(configuration, config_, workReport());
  HardDiskParameters p = edited_;
  p.n = s.system.disks();
  p.packing = std::clamp(s.system.packing(), p.kSmallestPacking, p.kLargestPacking);
  edited_.n = p.n;
  edited_.packing = p.packing;
  startOver(p, std::move(s));
}

void HardDisksMode::startOver(const HardDiskParameters& p, NewState state) {
  active_ = p;
  system_ = std::move(state.system);
  system_.engine().resetCounters();
  compression_.state = state.compression;
  tuner_.state = {};
  step_ = 0;
  phase_ = 0;
  schedule_ = {{0, 1, 2, 3}, {0, 0.0f}};
  setOrigin_ = system_.origin();
  counted_ = sampledUpTo_ = roundStart_ = {};
  preparingMoves_ = 0;
  configureSampler();
  sampler_.forgetEquationOfState();
  scene_.forgetState();
  matchPlaces();
  applyMapping();
  if (active_.tune) beginTuning();
}

void HardDisksMode::configureSampler() {
  sampler_.configure(active_);
  info_ = hardDisksInfo(sampler_.neighbours());
}

void HardDisksMode::parametersChanged(const std::vector<std::string>& keys) {
  const HardDiskParameters next = withStateOf(edited_, active_);
  try {
    DiskSampler::check(next);
    if (has(keys, "packing"))
      checkMemory(next.n, chooseGrid(next.n, next.packing).grid, config_, BoxHistory::constant);
  } catch (const std::exception& e) {
    edited_ = withStateOf(active_, edited_);
    throw InputError(e.what());  // the run goes on as it was
  }
  const HardDiskParameters before = active_;
  try {
    sayingWhatFits([&] { return memoryOfRun(); }, [&] { takeOver(keys, next); });
  } catch (...) {
    active_ = before;
    throw;
  }
}

void HardDisksMode::takeOver(const std::vector<std::string>& keys, const HardDiskParameters& next) {
  if (hasAny(keys, {"packing", "leave_cell"})) finishSweep();
  active_ = next;
  if (hasAny(keys, {"dr", "c", "degree", "free_paths", "r_max", "neighbours", "neighbour_radius"}))
    configureSampler();
  if (has(keys, "packing")) changePacking();
  if (has(keys, "leave_cell")) changeLeaving();
  // What the engine offers depends on the moves.
  if (hasAny(keys, {"mapping", "n_M", "leave_cell"})) applyMapping();
  if (hasAny(keys, {"d", "tune", "target_acceptance", "n_M"})) changeTuning(keys);
  const bool onlyMapping = keys.size() == 1 && has(keys, "mapping");
  if (!onlyMapping) resetAverages();
  scene_.forgetState();
}

void HardDisksMode::changeTuning(const std::vector<std::string>& keys) {
  const bool byHand = has(keys, "d") && !has(keys, "tune");
  if (byHand || !active_.tune) {
    active_.tune = edited_.tune = false;
    tuner_.state.active = false;
    return;
  }
  beginTuning();
}

void HardDisksMode::changePacking() {
  sampler_.changePacking();
  GridInfo goal = chooseGrid(active_.n, active_.packing).grid;
  if (active_.leaveCell) goal.places = kMaxPlaces;
  // In the box that is wanted there may still be overlaps of leave_cell to be parted.
  const bool sound = active_.leaveCell || system_.engine().check().overlaps == 0;
  if (sound && sameGrid(goal, system_.grid()))
    compression_.state.active = compression_.state.parting = false;
  else
    compression_.begin(system_, active_.packing);
}

// Without the experiment, the overlaps that it left must go before anything is sampled.
void HardDisksMode::changeLeaving() {
  if (compression_.state.active) return;  // its end fits the cells to the experiment
  if (active_.leaveCell) return matchPlaces();
  if (system_.engine().check().overlaps > 0) return compression_.begin(system_, active_.packing);
  system_.regrid(chooseGrid(active_.n, active_.packing).grid);
}

// Disks that overlap by the leaveCell experiment need a fifth place in a cell.
void HardDisksMode::matchPlaces() {
  GridInfo g = system_.grid();
  if (!active_.leaveCell || compression_.state.active || g.places == kMaxPlaces) return;
  g.places = kMaxPlaces;
  system_.regrid(g);
}

void HardDisksMode::beginTuning() {
  const double cells = static_cast<double>(system_.grid().cellCount());
  tuner_.begin(active_.targetAcceptance, cells * static_cast<double>(active_.nMoves));
  roundStart_ = counted();
}

void HardDisksMode::applyMapping() {
  std::vector<MpmcMapping> among;
  if (const auto chosen = active_.chosenMapping()) {
    among = {*chosen};
  } else {
    for (const MpmcMappingInfo& m : kMpmcMappings)
      if (system_.engine().offers(m.mapping, moves())) among.push_back(m.mapping);
  }
  if (among.empty()) system_.engine().setMapping(MpmcMapping::threadPerCell);
  std::vector<RaceCandidate> candidates;
  for (const MpmcMapping m : among)
    candidates.push_back(
        {kMpmcMappings[static_cast<std::size_t>(m)].key,
         [this, m] { system_.engine().setMapping(m); },
         [this](std::uint64_t sweeps) { system_.sweeps(moves(), step_, sweeps); }});
  mappingRace_.begin(std::move(candidates));
}

MpmcParameters HardDisksMode::moves() const {
  MpmcParameters p;
  p.seed = static_cast<std::uint64_t>(active_.seed);
  p.d = static_cast<float>(active_.d);
  p.nMoves = static_cast<std::int32_t>(active_.nMoves);
  p.experiments = active_.experiments();
  return p;
}

void HardDisksMode::advance(std::uint64_t steps) {
  sayingWhatFits([&] { return memoryOfRun(); }, [&] { advanceSteps(steps); });
}

void HardDisksMode::advanceSteps(std::uint64_t steps) {
  while (steps > 0) {
    std::uint64_t done = 1;
    if (phase_ != 0) {
      finishSweep();
    } else if (compression_.state.active) {
      compressionStage();
    } else if (tuner_.state.active) {
      done = std::min(steps, tuner_.state.stepsLeft);
      tuneFor(done);
    } else if (steps == 1 && scene_.followsPhases(system_)) {
      scene_.moves().clear();
      for (phase_ = 0; phase_ < kPhases; ++phase_) sweepPhase(phase_);
      phase_ = 0;
    } else {
      done = scene_.followsPhases(system_) ? steps - 1 : steps;
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
      done = mappingRace_.advance(count);
    else
      system_.sweeps(p, step_, count);
    step_ += done;
    count -= done;
  }
  schedule_ = scheduleOfSweep(p, system_.grid().w, step_ - 1);
  setOrigin_ = system_.originBefore(schedule_.shift);
}

void HardDisksMode::sweepPhase(int phase) {
  const MpmcParameters p = moves();
  if (phase == 0) {
    schedule_ = scheduleOfSweep(p, system_.grid().w, step_);
  } else if (phase < kPhases - 1) {
    const int set = schedule_.set[phase - 1];
    setOrigin_ = system_.origin();
    if (scene_.trace().watched() >= 0)
      scene_.trace().beforeSubSweep(system_, scene_.painter(), p, step_, set);
    if (scene_.moves().follows(system_)) scene_.moves().beforeSubSweep(system_, p, step_, set);
    system_.subSweep(p, step_, set);
  } else {
    system_.shift(schedule_.shift);
    ++step_;
  }
}

void HardDisksMode::advancePhase() {
  if (phase_ == 0 && preparing()) return advance(1);
  scene_.moves().clear();
  sweepPhase(phase_);
  phase_ = (phase_ + 1) % kPhases;
}

void HardDisksMode::finishSweep() {
  while (phase_ != 0) advancePhase();
}

void HardDisksMode::compressionStage() {
  counted_ = counted();
  system_.engine().resetCounters();
  const Compression::Outcome outcome =
      compression_.stage(system_, static_cast<std::uint64_t>(active_.seed));
  preparingMoves_ += static_cast<double>(sumOf(system_.engine().counters().attempted));
  system_.engine().resetCounters();
  ++step_;
  scene_.trace().forget();
  scene_.moves().clear();
  setOrigin_ = system_.origin();
  schedule_.shift = {0, 0.0f};
  if (outcome == Compression::Outcome::working) return;
  matchPlaces();
  resetAverages();
  if (tuner_.state.active) beginTuning();
  if (outcome == Compression::Outcome::stuck) refuseDenser();
}

void HardDisksMode::refuseDenser() {
  const double wanted = active_.packing;
  active_.packing = edited_.packing = system_.packing();
  throw InputError(fmt::format(
      "parameter 'packing': {} was not reached: the disks jammed at {:.5f}, which is kept; let the "
      "run equilibrate and try again, or restart with start = hexagonal",
      wanted, active_.packing));
}

void HardDisksMode::tuneFor(std::uint64_t sweeps) {
  runSweeps(sweeps);
  tuner_.stepsDone(sweeps);
  if (!tuner_.roundOver()) return;
  const MpmcCounters round = counted() - roundStart_;
  roundStart_ = counted();
  active_.d = tuner_.evaluate(active_.d, sumOf(round.accepted), sumOf(round.attempted));
  edited_.d = active_.d;
  if (tuner_.state.active) return;
  active_.tune = edited_.tune = false;  // frozen
  resetAverages();
}

double HardDisksMode::work() const {
  return static_cast<double>(sumOf(counted().attempted)) + preparingMoves_;
}

std::optional<Preparation> HardDisksMode::preparation() const {
  if (compression_.state.active) {
    const bool up = system_.packing() < active_.packing;
    return Preparation{
        fmt::format("{} to packing {:.4f} (now {:.4f})", up ? "compressing" : "expanding",
                    active_.packing, system_.packing()),
        compression_.progress(system_)};
  }
  if (tuner_.state.active)
    return Preparation{fmt::format("tuning the move size (d = {:.4g}, acceptance {:.3f} of {:.3f})",
                                   active_.d, tuner_.state.measured, tuner_.state.target),
                       tuner_.progress()};
  return std::nullopt;
}

void HardDisksMode::resetAverages() {
  sampler_.reset();
  sampledUpTo_ = counted();
}

std::vector<double> HardDisksMode::sample() {
  DiskSample s = sayingWhatFits([&] { return memoryOfRun(); },
                                [&] { return sampler_.sample(system_, !preparing()); });
  s.moves = counted() - sampledUpTo_;
  sampledUpTo_ = counted();
  if (active_.leaveCell)
    s.overlappingPairs = static_cast<double>(system_.engine().check().overlaps);
  std::vector<double> values;
  for (const DiskObservable& o : diskObservables()) values.push_back(o.value(s));
  return values;
}

std::complex<double> HardDisksMode::globalPsi6() {
  return sampler_.observables().bondOrder(system_.engine().view(), sampler_.neighbours(), {}).psi6;
}

std::vector<Curve> HardDisksMode::curves() const { return sampler_.curves(system_); }

std::vector<ReferenceValue> HardDisksMode::references() const {
  if (preparing() || system_.disks() == 0) return {};
  std::vector<ReferenceValue> all;
  for (const DiskObservable& o : diskObservables()) {
    if (!o.pressure) continue;
    for (ReferenceValue& r :
         hardDiskReferences(static_cast<std::uint64_t>(active_.n), active_.packing,
                            Published::nearest, o.info(sampler_.neighbours()).id))
      all.push_back(std::move(r));
  }
  return all;
}

std::vector<KernelTime> HardDisksMode::kernelTimes() const {
  std::vector<KernelTime> all = system_.engine().kernelTimes();
  for (const auto& more : {sampler_.observables().kernelTimes(), scene_.kernelTimes()})
    all.insert(all.end(), more.begin(), more.end());
  return all;
}

}  // namespace cellscope
