// Molecular dynamics of the Lennard-Jones fluid in which every particle interacts with every other
// one (S2, section 2), as a mode. Constant energy, volume and number of particles; velocity Verlet.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "sim/algo/all_pairs/engine.h"
#include "sim/api/mode.h"
#include "sim/modes/md/memory.h"
#include "sim/modes/md/observables.h"
#include "sim/modes/md/parameters.h"
#include "sim/modes/md/sampler.h"

namespace cellscope {

const ModeInfo& mdInfo();

class MdMode final : public Mode {
 public:
  explicit MdMode(const ExecConfig& config);

  const ModeInfo& info() const override { return mdInfo(); }
  ParameterSet& parameters() override { return set_; }

  void restart() override;
  void adopt(const Configuration& configuration) override;
  void parametersChanged(const std::vector<std::string>& keys) override;

  // A step begun by advancePhase() is finished first and counts as the first one.
  void advance(std::uint64_t steps) override;
  void advancePhase() override;
  int nextPhase() const override { return phase_; }
  std::uint64_t step() const override { return step_; }
  double work() const override { return work_; }
  std::optional<Preparation> preparation() const override { return std::nullopt; }

  std::vector<double> sample() override;
  std::vector<Curve> curves() const override { return sampler_.curves(); }
  std::vector<ReferenceValue> references() const override;
  void resetAverages() override { sampler_.reset(); }

  std::shared_ptr<const Frame> frame(const ViewRequest& view) override;
  std::int64_t pick(const PickQuery& query) override;
  std::vector<SelfCheck> selfChecks() override;

  Configuration configuration() const override;
  void save(std::ostream& out) const override;
  void load(std::istream& in) override;

  std::vector<KernelTime> kernelTimes() const override { return engine_->kernelTimes(); }
  std::size_t engineBytes() const override { return engine_->bytes(); }
  std::size_t particleCount() const override { return static_cast<std::size_t>(active_.n); }

 private:
  static constexpr int kPhases = 3;  // half kick and drift, forces, half kick
  static constexpr std::uint64_t kStepsBetweenChecks = 64;

  std::unique_ptr<AllPairsEngine> prepared(const md::MdParameters& p, const MdState& state,
                                           const PairProgress& told) const;
  PairProgress tell(const std::string& label) const;
  RunMemory memoryOfRun() const;
  void takeForces(const md::MdParameters& before, bool newLaw);
  void advanceSteps(std::uint64_t steps);
  void startOver(const md::MdParameters& p, std::unique_ptr<AllPairsEngine> engine, double length);
  void runSteps(std::uint64_t count);
  void drift();
  void stepForces(bool alone);
  void finishStep();
  void goBack();  // to what was kept
  void checkFailure();
  md::MdSample measured();
  double energyPerParticle();
  std::vector<SelfCheck> quickChecks();
  Vec3d momentum();
  void removeDrift();
  SelfCheck momentumCheck(const MdTotals& t) const;
  SelfCheck energyCheck();
  SelfCheck forceCheck(const MdState& state) const;
  LayerData particleLayer(const std::string& colouring);
  LayerData velocityLayer();
  LayerData neighbourLayer(const MdState& state, std::size_t i) const;
  PickedParticle card(const MdState& state, std::size_t i) const;

  ExecConfig config_;
  md::MdParameters edited_;  // what the panel shows
  md::MdParameters active_;  // what the state was made with and runs with
  ParameterSet set_;
  std::unique_ptr<AllPairsEngine> engine_;
  md::MdSampler sampler_;
  double length_ = 1;
  std::uint64_t step_ = 0, keptStep_ = 0;
  int phase_ = 0;
  double stepDt_ = 0;  // of the step in hand
  double work_ = 0;
  std::optional<double>
      startEnergy_;               // per particle, since the last restart or edit of the pair law
  Vec3d startMomentum_{0, 0, 0};  // sum_i v_i at the start, or since the drift was removed
};

}  // namespace cellscope
