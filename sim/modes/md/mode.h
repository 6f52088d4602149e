// Molecular dynamics of the Lennard-Jones fluid as a mode: all pairs (S2, section 2) or Verlet
// lists (S1). Velocity Verlet at constant energy, or with a Langevin thermostat.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "sim/algo/all_pairs/engine.h"
#include "sim/algo/particles/id_map.h"
#include "sim/api/mode.h"
#include "sim/modes/md/memory.h"
#include "sim/modes/md/observables.h"
#include "sim/modes/md/parameters.h"
#include "sim/modes/md/sampler.h"
#include "sim/modes/mode_base.h"

namespace cellscope {

class MdMode final : public ModeBase<md::MdParameters> {
 public:
  static const ModeDescription& describe();
  explicit MdMode(const ExecConfig& config);

  double work() const override;

  std::vector<double> sample() override;
  std::vector<Curve> curves() const override { return sampler_.curves(); }
  std::vector<ReferenceValue> references() const override;
  void resetAverages() override { sampler_.reset(); }

  std::shared_ptr<const Frame> frame(const ViewRequest& view) override;
  ParticleId pick(const PickQuery& query) override;
  std::vector<SelfCheck> selfChecks() override;

  Configuration configuration() const override;

  std::vector<KernelTime> kernelTimes() const override { return exec_->profile().read(); }
  std::size_t engineBytes() const override { return engine_->bytes(); }
  std::size_t particleCount() const override { return static_cast<std::size_t>(active().n); }

 private:
  using P = md::MdParameters;
  static constexpr std::uint64_t kStepsBetweenChecks = 64;

  std::vector<std::string> phases(const P&) const override;
  void start(const P& p) override;
  void startFrom(const Configuration& configuration, const P& draft) override;
  void parametersChanged(const P& before, std::uint32_t touched) override;
  void runSteps(std::uint64_t count) override;
  void runPhase(int phase, bool alone) override;
  void keepState() override { engine_->keep(); }
  void recallState() override { engine_->restore(); }
  RunMemory memoryOfRun() const override;
  std::uint32_t stateVersion() const override { return 6; }
  void saveState(std::ostream& out) const override;
  void loadState(std::istream& in, const P& p, int phase) override;

  void adjustInfo(ModeInfo& info) const override;
  std::unique_ptr<AllPairsEngine> engineFor(const P& p) const;
  std::unique_ptr<AllPairsEngine> prepared(const P& p, const MdState& state,
                                           const PairProgress& progress) const;
  PairProgress progressOf(const std::string& label) const;
  void startOver(const P& p, std::unique_ptr<AllPairsEngine> engine, const Box& box,
                 std::vector<ParticleId> ids);
  void runBatch(std::uint64_t count);
  void drift();
  void lastKick();
  void checkFailure();
  md::MdSample measured();
  void addLists(md::MdSample& s);
  double energyPerParticle();
  std::vector<SelfCheck> quickChecks();
  Vec3d momentum();
  void removeDrift();
  void takeForces(const P& before);
  void changeEngine(const P& before);
  void markStart();
  SelfCheck listCheck() const;
  SelfCheck momentumCheck(const MdTotals& t) const;
  SelfCheck energyCheck();
  SelfCheck forceCheck(const MdState& state) const;
  LayerData particleLayer(const std::string& colouring);
  LayerData velocityLayer();
  LayerData neighbourLayer(const MdState& state, std::size_t i) const;
  PickedParticle card(const MdState& state, std::size_t i) const;

  exec::Shared exec_;  // of all engines
  std::unique_ptr<AllPairsEngine> engine_;
  md::MdSampler sampler_;
  Box box_ = cubicBox(1);
  std::vector<ParticleId> ids_;        // of the particle in each slot of the engine
  IdMap slots_;                        // the inverse
  double stepDt_ = 0;                  // of the step in hand
  std::optional<double> startEnergy_;  // per particle, since the last restart or edit of the pair
                                       // law; none with a thermostat
  Vec3d startMomentum_{0, 0, 0};       // sum_i v_i at the start, or since the drift was removed
};

}  // namespace cellscope
