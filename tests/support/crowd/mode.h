// A third mode, for tests of the house only: what the two engines do not have. The number of
// particles changes in every step, ids are sparse and have 64 bits, there are two species of
// diameters 1 and 10, dimension and phases are parameters, layers have labels, levels and counts
// that only the device knows, a chart has bars, and the kernels record what the picked walker did.
#pragma once
#include <deque>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "sim/algo/particles/id_map.h"
#include "sim/modes/mode_base.h"
#include "sim/run/scenario.h"
#include "tests/support/crowd/parameters.h"

namespace cellscope::test {

// What n walkers need, in the plane or in space.
MemoryNeed crowdMemory(const CrowdParameters& p, const ExecConfig& config);

struct WalkerEnd {
  Deletion deletion;
  Vec3d at;
};

class CrowdMode final : public ModeBase<CrowdParameters> {
 public:
  static const ModeDescription& describe();
  explicit CrowdMode(const ExecConfig& config);

  double work() const override { return static_cast<double>(engine_->tally().moves); }
  std::vector<double> sample() override;
  std::vector<Curve> curves() const override;
  std::vector<ReferenceValue> references() const override;
  void resetAverages() override;
  std::shared_ptr<const Frame> frame(const ViewRequest& view) override;
  ParticleId pick(const PickQuery& query) override;
  std::vector<SelfCheck> selfChecks() override;
  Configuration configuration() const override;
  std::size_t engineBytes() const override { return engine_->bytes(); }
  std::size_t particleCount() const override { return engine_->count(); }

 private:
  using P = CrowdParameters;
  static constexpr std::uint64_t kStepsAtOnce = 32;
  static constexpr std::size_t kTrail = 32;

  std::vector<std::string> phases(const P& p) const override;
  void adjustInfo(ModeInfo& info) const override { info.dimension = active().dimension(); }
  void start(const P& p) override;
  void startFrom(const Configuration& configuration, const P& draft) override;
  void parametersChanged(const P& before, std::uint32_t touched) override;
  void runSteps(std::uint64_t count) override;
  void runPhase(int phase, bool alone) override;
  RunMemory memoryOfRun() const override;
  std::uint32_t stateVersion() const override { return 1; }
  void saveState(std::ostream& out) const override;
  void loadState(std::istream& in, const P& p, int phase) override;

  CrowdRules rules() const;
  std::string stateBytes() const;
  std::unique_ptr<CrowdEngine> engineWith(const P& p, const std::vector<Walker>& walkers) const;
  void startOver(const P& p, std::unique_ptr<CrowdEngine> engine, const Box& box,
                 ParticleId firstNew);
  void watch(ParticleId id);
  void readTrace();
  layers::CellGridView grid();
  PickedParticle card(const std::vector<Walker>& walkers);

  std::unique_ptr<CrowdEngine> engine_;
  Box box_ = squareBox(60);
  ParticleId firstNew_ = 0;
  std::uint64_t samples_ = 0;
  CrowdTally sampled_;  // at the last sample
  std::uint64_t sampledStep_ = 0;
  std::vector<std::uint64_t> generations_ = std::vector<std::uint64_t>(2 * kGenerations);

  // The watched walker. It is no part of the state.
  ParticleId watched_ = -1;
  Recorder recorder_;
  std::deque<TrailPart> trail_;
  Vec3d last_{};  // where it is, or last was
  std::optional<WalkerEnd> end_;
  // Its end, as it was known when a state was saved, by id and checksum of that state: what an undo
  // shows again.
  mutable std::map<std::pair<ParticleId, std::uint64_t>, WalkerEnd> savedEnds_;
};

// CrowdMode for the key "crowd", and the modes of the house.
extern const ModeFactory crowdModes;
Scenario crowdScenario();

}  // namespace cellscope::test
