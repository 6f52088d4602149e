// Massively parallel Monte Carlo of hard disks (S3) as a mode.
#pragma once
#include "sim/api/mode.h"
#include "sim/modes/hard_disks/disk_scene.h"
#include "sim/modes/hard_disks/initial_states.h"
#include "sim/modes/hard_disks/observables.h"
#include "sim/modes/mode_base.h"

namespace cellscope {

class HardDisksMode : public ModeBase<HardDiskParameters>, public TakesHands, public Inspectable {
 public:
  static const ModeDescription& describe();
  explicit HardDisksMode(const ExecConfig& config)
      : ModeBase(describe(), config), system_(exec_), sampler_(exec_), scene_(exec_) {
    ready();
  }

  int domainsShown() const override {
    return std::max(config().allDomains(), staleHalos() ? kStaleDomains : 1);
  }

  double work() const override {
    return static_cast<double>(sumOf(counted().attempted)) + run_.preparingMoves;
  }
  std::optional<Preparation> preparation() const override;

  std::vector<double> sample() override;
  std::vector<Curve> curves() const override {
    std::vector<Curve> all = sampler_.curves(system_);
    if (auto race = mappingRace_.chart()) all.push_back(std::move(*race));
    return all;
  }
  std::vector<ReferenceValue> references() const override;
  void resetAverages() override {
    lastOverlaps_ = 0;
    sampler_.reset();
    run_.sampledUpTo = counted();
  }
  void averagesStartOver() override { sampler_.averagesStartOver(); }
  void averagesBeginLater() override { sampler_.forgetCounts(); }
  void averagesAre(std::uint64_t leftOut, const std::vector<MeanState>& means) override {
    sampler_.averagesAre(leftOut, means[columnOf(info().observables, "pressure")].settled);
  }

  std::shared_ptr<const Frame> frame(const ViewRequest& view) override;
  ParticleId pick(const PickQuery& query) override { return DiskScene::pick(query, system_); }
  std::vector<SelfCheck> selfChecks() override;

  Configuration configuration() const override;

  std::string refuses(HandAct act) const override {
    if (act == HandAct::heat) return "hard disks have no velocities";
    return mayOverlap() ? "an experiment lets disks overlap; switch it off first" : "";
  }
  std::string hand(const HandMove& move) override;
  std::optional<Grip> grip() override;

  std::vector<double> valuesNow() override;
  double valueNow(std::size_t observable) override;
  std::vector<std::optional<Vec3d>> placesOf(const std::vector<ParticleId>& ids) override {
    return scene_.placesOf(ids, system_);
  }
  Box boxNow() const override { return system_.box(); }
  std::optional<CellGridPlace> cellGrid() override {
    return gridPlaceOf(system_.grid(), system_.placement());
  }
  std::vector<Neighbour> neighboursOf(ParticleId id) override;
  int cellCapacity() override { return system_.grid().slots; }
  Table lastMoves() override { return scene_.moves().table(system_.disks()); }
  void watchMoves(bool on) override { scene_.moves().keep(on); }

  std::size_t engineBytes() const override { return system_.engine().bytes(); }
  std::size_t particleCount() const override { return static_cast<std::size_t>(system_.disks()); }

  // In host memory.
  DiskCells cells() const { return system_.engine().download(); }

 private:
  friend class DiskScene;
  using P = HardDiskParameters;
  static constexpr int kPhases = 6;  // shuffle, four sub-sweeps, shift

  std::vector<std::string> phases(const HardDiskParameters&) const override {
    return {"shuffle", "first set", "second set", "third set", "fourth set", "shift"};
  }
  void adjustInfo(ModeInfo& info) const override;
  void check(const P& p) const override;
  void start(const P& p) override;
  void startFrom(const Configuration& configuration, const P& draft) override;
  void parametersChanged(const P& before, std::uint32_t touched) override;
  void runSteps(std::uint64_t count) override;
  void runPhase(int phase, bool alone) override;
  RunMemory memoryOfRun() const override;
  std::uint32_t stateVersion() const override { return 4; }
  void saveState(BinaryWriter& w) const override;
  void loadState(BinaryReader& r, const P& p, int phase) override;

  // Hand (hand.cpp).
  class Disks;
  struct Held {
    std::vector<std::uint32_t> ids;
    Vec3d at{0, 0, 0}, to{0, 0, 0};  // how far it has come, and where the hand is; not wrapped
  };
  // What follows from the sweeps made beside the disks.
  struct Run {
    MpmcCounters counted;       // trial moves up to the last reset of the engine's counters
    MpmcCounters sampledUpTo;   // all at the last sample
    MpmcCounters roundStart;    // all when the tuner's round began
    double preparingMoves = 0;  // trial moves of compression, for work()
    std::uint32_t nextId = 0;   // above the ids of all disks that there were
    Held held;                  // by a hand
    static void fields(auto& io, auto& run, std::size_t disks);
  };
  std::string pull(const DiskCells& cells, Disks& disks, const HandMove& move);
  std::string addWithin(const DiskCells& cells, Disks& disks, const HandMove& move);
  void takeDisks(const DiskCells& before, const DiskPositions& after);

  MpmcParameters moves() const {
    return {static_cast<std::uint64_t>(active().seed), static_cast<float>(active().d),
            static_cast<std::int32_t>(active().nMoves), active().experiments()};
  }
  void startOver(const P& p, NewState state);
  void record(const auto& work);
  void runSweeps(std::uint64_t count);
  void compressionStage();
  void tuneFor(std::uint64_t sweeps);
  void beginTuning() {
    const double cells = static_cast<double>(system_.grid().cellCount());
    tuner_.begin(active().targetAcceptance, cells * static_cast<double>(active().nMoves));
    run_.roundStart = counted();
  }
  void changeTuning(const P& before, std::uint32_t touched);
  void changePacking();
  void changeLeaving();
  void matchSlots();
  void acceptLosses(std::uint32_t touched);
  bool mayOverlap() const { return active().experiments().mayOverlap(); }
  void count(DiskSample& s) const;  // overlaps and lost disks
  const char* causeOfOverlaps() const;
  void applyMapping() { mappingRace_.begin(system_, moves(), active().chosenMapping()); }
  MpmcCounters counted() const { return run_.counted + system_.engine().counters(); }
  bool preparing() const { return compression_.state.active || tuner_.state.active; }
  // What a frame shows of a sweep: the last set that was active or, before the first, the next one,
  // where the grid lay then, and whether the shift is done.
  int activeSet() const {
    const int phase = nextPhase();
    return schedule_.set[phase == 0 ? 3 : phase == 1 ? 0 : phase - 2];
  }
  GridOrigin activeOrigin() const { return nextPhase() == 1 ? system_.origin() : setOrigin_; }
  bool shiftDone() const { return nextPhase() == 0 && step() > 0; }
  bool staleHalos() const { return active().staleHalo && !active().leaveCell; }

  DiskSystem system_;
  DiskSampler sampler_;
  DiskScene scene_;
  Compression compression_;
  TargetTuner tuner_{{HardDiskParameters::kSmallestMove, HardDiskParameters::kLargestMove}};
  MappingRace mappingRace_;

  SweepSchedule schedule_{{0, 1, 2, 3}, {0, 0.0f}};  // of the current or the last sweep
  GridOrigin setOrigin_;                             // grid origin when the last set was updated
  Run run_;
  std::uint64_t lastSampled_ = 0;   // the step,
  std::uint64_t lastOverlaps_ = 0;  // and what that sample found
};

}  // namespace cellscope
