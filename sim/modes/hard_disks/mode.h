// Massively parallel Monte Carlo of hard disks (S3) as a mode.
#pragma once
#include <complex>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "sim/algo/race/race.h"
#include "sim/algo/race/tuner.h"
#include "sim/api/mode.h"
#include "sim/modes/hard_disks/compression.h"
#include "sim/modes/hard_disks/disk_scene.h"
#include "sim/modes/hard_disks/disk_system.h"
#include "sim/modes/hard_disks/memory_need.h"
#include "sim/modes/hard_disks/new_state.h"
#include "sim/modes/hard_disks/parameters.h"
#include "sim/modes/hard_disks/sampler.h"

namespace cellscope {

const ModeInfo& hardDisksInfo();  // with the neighbours of the default parameters
ModeInfo hardDisksInfo(const NeighbourChoice& neighbours);

class HardDisksMode : public Mode {
 public:
  explicit HardDisksMode(const ExecConfig& config);

  // Its words follow the parameters: they say which neighbours are used.
  const ModeInfo& info() const override { return info_; }
  ParameterSet& parameters() override { return set_; }

  void restart() override;
  void adopt(const Configuration& configuration) override;
  void parametersChanged(const std::vector<std::string>& keys) override;

  void advance(std::uint64_t steps) override;
  void advancePhase() override;
  int nextPhase() const override { return phase_; }
  std::uint64_t step() const override { return step_; }
  double work() const override;
  std::optional<Preparation> preparation() const override;

  std::vector<double> sample() override;
  std::vector<Curve> curves() const override;
  std::vector<ReferenceValue> references() const override;
  void resetAverages() override;

  std::shared_ptr<const Frame> frame(const ViewRequest& view) override;
  std::int64_t pick(const PickQuery& query) override;
  std::vector<SelfCheck> selfChecks() override;

  Configuration configuration() const override;
  void save(std::ostream& out) const override;
  void load(std::istream& in) override;

  std::vector<KernelTime> kernelTimes() const override;
  std::size_t engineBytes() const override { return system_.engine().bytes(); }
  std::size_t particleCount() const override { return static_cast<std::size_t>(system_.disks()); }

  // For studies: mean bond order over all disks; the cells in host memory; the set of the sweep's
  // last sub-sweep.
  std::complex<double> globalPsi6();
  DiskCells cells() const { return system_.engine().download(); }
  int lastSet() const { return schedule_.set[3]; }

 private:
  static constexpr int kPhases = 6;  // shuffle, four sub-sweeps, shift

  MpmcParameters moves() const;
  void startOver(const HardDiskParameters& p, NewState state);
  void configureSampler();
  void runSweeps(std::uint64_t count);
  void sweepPhase(int phase);
  void finishSweep();
  void compressionStage();
  [[noreturn]] void refuseDenser();
  void tuneFor(std::uint64_t sweeps);
  void beginTuning();
  RunMemory memoryOfRun() const;
  RunMemory memoryOfNext() const;  // as edited
  void advanceSteps(std::uint64_t steps);
  void takeOver(const std::vector<std::string>& keys, const HardDiskParameters& next);
  void changeTuning(const std::vector<std::string>& keys);
  void changePacking();
  void changeLeaving();
  void matchPlaces();
  const char* causeOfOverlaps() const;
  void applyMapping();
  MpmcCounters counted() const { return counted_ + system_.engine().counters(); }
  bool preparing() const { return compression_.state.active || tuner_.state.active; }

  ExecConfig config_;
  HardDiskParameters edited_;  // what the panel shows
  HardDiskParameters active_;  // what the state was made with and runs with
  ParameterSet set_;
  DiskSystem system_;
  DiskSampler sampler_;
  ModeInfo info_ = hardDisksInfo();
  DiskScene scene_;
  Compression compression_;
  TargetTuner tuner_{{HardDiskParameters::kSmallestMove, HardDiskParameters::kLargestMove}};
  Race mappingRace_;

  std::uint64_t step_ = 0;
  int phase_ = 0;
  SweepSchedule schedule_{{0, 1, 2, 3}, {0, 0.0f}};  // of the sweep in hand, or of the last one
  GridOrigin setOrigin_;       // where the grid lay when the last set was updated
  MpmcCounters counted_;       // trial moves up to the last reset of the engine's counters
  MpmcCounters sampledUpTo_;   // counted() at the last sample
  MpmcCounters roundStart_;    // counted() when the tuner's round began
  double preparingMoves_ = 0;  // trial moves of compression, for work()
};

}  // namespace cellscope
