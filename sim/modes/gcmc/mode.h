// Grand-canonical Monte Carlo of the Lennard-Jones fluid (S0) as a mode, in two and three
// dimensions. A step is a fixed number of moves of one chain.
#pragma once
#include "sim/algo/race/tuner.h"
#include "sim/api/inspect.h"
#include "sim/api/mode.h"
#include "sim/base/error.h"
#include "sim/modes/gcmc/methods/method.h"
#include "sim/modes/gcmc/scene.h"
#include "sim/modes/mode_base.h"

namespace cellscope {

class GcmcMode final : public ModeBase<gcmc::GcmcParameters>,
                       public TakesHands,
                       public Inspectable {
 public:
  static const ModeDescription& describe();
  explicit GcmcMode(const ExecConfig& config);

  double work() const override { return static_cast<double>(made_.moves); }
  std::optional<Preparation> preparation() const override {
    if (race_.running()) return Preparation{"timing the methods: " + race_.now(), race_.progress()};
    return tuningProgress(tuner_, active().maxDisplacement);
  }

  std::vector<double> sample() override;
  std::vector<Curve> curves() const override;
  std::vector<ReferenceValue> references() const override;
  void resetAverages() override {
    forgetOwnAverages();
    replicas_.reset();
  }
  void averagesStartOver() override { sampler_.reset(), made_.counts.forgetAverages(); }
  // Replicas have forgotten by themselves what was needed: ln P(N) is good for any chemical
  // potential.
  bool startOverAfterEdit() override {
    forgetOwnAverages();
    return true;
  }
  void averagesBeginLater() override { made_.counts.forgetAverages(); }
  void averagesAre(std::uint64_t leftOut, const std::vector<MeanState>& means) override {
    sampler_.averagesAre(leftOut, means[columnOf(info().observables, "density")].settled,
                         means[columnOf(info().observables, "insertion_factor")].error);
  }
  void keepBeginning() override { replicas_.keepBeginning(); }

  std::shared_ptr<const Frame> frame(const ViewRequest& view) override;
  ParticleId pick(const PickQuery& query) override {
    return wallShown_ ? gcmc::ReplicaWall::pick(query, replicas_, active()) : ModeCore::pick(query);
  }
  std::vector<SelfCheck> selfChecks() override;

  Configuration configuration() const override;
  std::vector<double> numbersOfAll() const override;

  std::string refuses(HandAct act) const override;
  std::string hand(const HandMove& move) override;

  std::vector<double> valuesNow() override {
    return valuesOf(gcmc::gcmcObservables(), measured(true, true));
  }
  double valueNow(std::size_t observable) override;
  std::vector<std::optional<Vec3d>> placesOf(const std::vector<ParticleId>& ids) override;
  Box boxNow() const override { return active().box(); }
  std::optional<CellGridPlace> cellGrid() override {
    return gcmc::gridPlaceOf(engine_->cells(), active().box());
  }
  std::vector<ParticleId> inSlots() override { return engine_->state().id; }
  std::vector<Neighbour> neighboursOf(ParticleId id) override;
  int cellCapacity() override { return engine_->cells().capacity; }
  Table lastMoves() override;
  void watchMoves(bool on) override { scene_.keepMoves(on); }

  std::size_t engineBytes() const override { return engine_->bytes() + replicas_.bytes(); }
  std::size_t particleCount() const override { return engine_->count(); }

 private:
  using P = gcmc::GcmcParameters;
  std::vector<std::string> phases(const P& p) const override;
  void adjustInfo(ModeInfo& info) const override;
  void check(const P& p) const override;
  void start(const P& p) override;
  void startFrom(const Configuration& configuration, const P& draft) override;
  void parametersChanged(const P& before, std::uint32_t touched) override;
  void runSteps(std::uint64_t count) override;
  void runPhase(int phase, bool alone) override;
  void keepState() override {
    kept_ = {engine_->state(), made_, replicas_.keep()};
    kept_.state.energy = engine_->knownEnergy();  // so that the way back needs no N^2 pairs
  }
  void recallState() override;
  RunMemory memoryOfRun() const override {
    const std::size_t bytes = engineBytes() + scene_.bytes() + wall_.bytes();
    return {engine_->count(), bytes, bytes, "number of particles ('density' times volume)"};
  }
  std::uint32_t stateVersion() const override { return 8; }
  void saveState(BinaryWriter& w) const override;
  void loadState(BinaryReader& r, const P& p, int phase) override;

  // An engine of the method that the parameters name, of "auto" the first candidate.
  std::unique_ptr<GcmcEngine> prepared(const P& p, const GcmcState& state) const;
  void startOver(const P& p, std::unique_ptr<GcmcEngine> engine, gcmc::ReplicaRun replicas);
  void takeOver(const gcmc::Method& method, std::unique_ptr<GcmcEngine> engine) {
    method_ = &method;
    engine_ = std::move(engine);
    room_ = engine_->capacity();
  }
  bool changeTo(const gcmc::Method& method);
  void chooseAutomatically();
  gcmc::ReplicaRun newReplicas(const P& p) const;
  void changeTuning(const P& before, std::uint32_t touched);
  void beginTuning();
  void keepForTheWayBack();
  // A part of a step, which is abandoned as a whole where the part is cancelled.
  void cancellably(const auto& part) {
    try {
      part();
    } catch (const Cancelled&) {
      engine_->watch({});
      goBack();
      throw;
    }
  }
  GcmcProgress reports(double from, double to) const;
  void runShownMoves(std::uint64_t moves);
  void makeMoves(std::uint64_t moves);
  void runShown(bool alone);
  void endStep();
  std::uint64_t movesBefore(const P& p) const;
  void raceTurn();
  // Those of the chain that is seen.
  void forgetOwnAverages() {
    sampler_.reset();
    made_.counts.forgetAverages();
    made_.sinceSample = {};
  }
  void takeCounters();
  void takeSlots();
  // By an experiment that is on.
  bool brokenMethod() const { return !gcmc::isAutomatic(active()) && method_->broken(active()); }
  void addNumberChecks(std::vector<SelfCheck>& all) const;
  void tunerRound();
  void checkRoom();
  gcmc::GcmcSample measured(bool sums, bool points);
  double widom();
  std::vector<SelfCheck> quickChecks();
  std::vector<ReferenceValue> referencesAtConstantNumber() const;

  std::unique_ptr<GcmcEngine> engine_;
  gcmc::ReplicaRun replicas_;
  gcmc::GcmcSampler sampler_;
  gcmc::GcmcScene scene_;
  gcmc::ReplicaWall wall_;
  bool wallShown_ = false;      // by the last frame
  const gcmc::Method* method_;  // of the engine
  gcmc::AutoMethod auto_;
  gcmc::MethodRace race_;
  TargetTuner tuner_;
  // Moves since the last sample, of the tuner's round, and since the start.
  struct Made {
    GcmcCounters sinceSample, round;
    gcmc::MethodCounts counts;
    std::uint64_t moves = 0;
  } made_;
  std::size_t room_ = 0, grown_ = 0;  // particles there is storage for, and how often it grew
  struct Kept {
    GcmcState state;
    Made made;
    gcmc::ReplicaRun::Kept replicas;
  } kept_;
  bool changedByItself_ = false;  // a parameter, in the present step
  bool cancellable_ = false;      // the present step, which may take long: its beginning was kept
};

}  // namespace cellscope
