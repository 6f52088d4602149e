// Molecular dynamics of the Lennard-Jones fluid as a mode: all pairs (S2, section 2), placeholder
// cells (S2, section 3) or Verlet lists (S1), in the plane or in space. Velocity Verlet at constant
// energy, with a Langevin thermostat or with stochastic velocity rescaling, and with these at
// constant pressure.
#pragma once
#include "sim/api/inspect.h"
#include "sim/api/mode.h"
#include "sim/modes/md/list_scene.h"
#include "sim/modes/md/races.h"
#include "sim/modes/md/start.h"
#include "sim/modes/mode_base.h"
#include "sim/modes/points.h"

// When the particles of a run have to be looked at, so that their ways through the faces of the box
// are known whenever the next sample is taken.
namespace cellscope::md {

class Follower {
 public:
  explicit Follower(std::uint64_t most) : most_(most) {}

  // Steps from this one on after which they have to be followed. Speeds: twice the largest one that
  // there is, or eight times the thermal one, which covers a thermostat that heats and collisions.
  std::uint64_t stepsFrom(std::uint64_t step, MdEngine& engine, const MdParameters& p,
                          const Box& box, double dt) {
    const bool old = !speedsAt_ || step < *speedsAt_ || step >= *speedsAt_ + kStepsBetweenSpeeds;
    if (old && since_ == 0) {
      speedsAt_ = step;
      const SpeciesTable s = p.species();
      const double lightest = *std::min_element(s.mass, s.mass + s.types);
      const double warm = std::max(1.0, p.bath().temperatureAt(step));
      const double fastest = std::sqrt(engine.kinetic().fastest2);
      every_ = stepsToFollow(box, kLongestMove,
                             std::max(2.0 * fastest, 8.0 * std::sqrt(warm / lightest)), dt, most_);
    }
    return std::max(every_, since_ + 1) - since_;
  }
  void made(std::uint64_t steps, MdEngine& engine) {
    since_ += steps;
    if (since_ < every_) return;
    engine.followDisplacements();
    since_ = 0;
  }
  void forgetSpeeds() { speedsAt_.reset(); }
  // They are followed now, and their speeds are about to change.
  void begin() {
    since_ = 0;
    speedsAt_.reset();
  }

 private:
  static constexpr std::uint64_t kStepsBetweenSpeeds = 512;
  std::uint64_t most_, every_ = 1, since_ = 0;
  std::optional<std::uint64_t> speedsAt_;  // none: they are looked at before the next step
};

class FrameDrawing;

}  // namespace cellscope::md

namespace cellscope {

class MdMode final : public ModeBase<md::MdParameters>,
                     public LendsLists,
                     public HeatsParticles,
                     public TakesHands,
                     public Inspectable {
 public:
  static const ModeDescription& describe();
  explicit MdMode(const ExecConfig& config);

  double work() const override {
    return static_cast<double>(step()) * active().by().workOfStep(static_cast<double>(active().n));
  }
  double time() const override { return run_.progress.time; }

  std::optional<Preparation> preparation() const override;
  void averagesStartOver() override { sampler_.forgetCurves(); }
  void averagesBeginLater() override { sampler_.forgetCurves(); }
  void averagesAre(std::uint64_t, const std::vector<MeanState>& means) override {
    sampler_.setSettled(means[columnOf(info().observables, "potential")].settled);
  }
  Settings takeFound() override { return tuner_.take(); }
  std::vector<double> sample() override;
  bool samplesOnTheWay() const override {
    return nextPhase() == 0 && !tuner_.active() && !changesDensity() && !run_.held.any();
  }
  void advanceSampling(std::uint64_t steps, std::uint64_t every, const SampleSink& sink) override;
  std::vector<Curve> curves() const override;
  std::vector<ReferenceValue> references() const override;
  void resetAverages() override;

  std::shared_ptr<const Frame> frame(const ViewRequest& view) override;
  std::vector<SelfCheck> selfChecks() override;

  Configuration configuration() const override;
  void requireLists() const override;
  PairList neighbourLists() override;
  void heat(const std::vector<ParticleId>& ids, double factor) override;
  std::string refuses(HandAct act) const override;
  std::string hand(const HandMove& move) override;
  std::optional<Grip> grip() override;

  std::vector<double> valuesNow() override;
  std::vector<std::optional<Vec3d>> placesOf(const std::vector<ParticleId>& ids) override;
  Box boxNow() const override { return box_; }
  std::optional<CellGridPlace> cellGrid() override;
  std::vector<ParticleId> inSlots() override;
  std::vector<Neighbour> neighboursOf(ParticleId id) override;
  int cellCapacity() override {
    const auto cells = lent<CellsLent>();
    return cells ? static_cast<int>(cells->shape.slots) : 0;
  }
  Table treeNodes() override;
  Rows aboutPair(ParticleId a, ParticleId b) override;

  std::size_t engineBytes() const override { return engine_->bytes(); }
  std::size_t particleCount() const override { return static_cast<std::size_t>(active().n); }

 private:
  friend class md::FrameDrawing;  // scene.cpp
  using P = md::MdParameters;
  static constexpr std::uint64_t kStepsBetweenChecks = 64;
  static constexpr std::uint64_t kStepsBetweenRescalings = 10;

  // What a sample is to know of its moment beside the engine's sums.
  struct Moment {
    double time, volume, work;  // work: of changes of the volume and of springs
  };

  // Samples that advanceSampling() takes on the way.
  struct OnTheWay {
    struct At {
      std::uint64_t steps;  // complete steps
      Moment moment;
    };
    std::uint64_t every = 0;  // 0: none
    const SampleSink* sink = nullptr;
    bool later = false;     // they are handed over while the next batch is computed
    std::vector<At> batch;  // of the batch in hand
    std::vector<std::pair<At, RunSample>> waiting;  // of batches that are done
  };

  // What springs gave to particles.
  struct Pulled {
    double work = 0;
    Vec3d impulse{0, 0, 0};
    void add(const Pulled& more, double sign) {
      work += sign * more.work;
      impulse = impulse + sign * more.impulse;
    }
  };

  // What follows from the steps made beside the engine's state.
  struct Progress {
    double time = 0;        // tau, since the start
    double heat = 0;        // taken from the bath, as of the last batch; the engine has it now
    double work = 0;        // done by changes of the volume, since startEnergy was taken
    double strain2 = 0;     // sum of (ln V' / V)^2 over them
    double energyTime = 0;  // when startEnergy was taken
    double originTime = 0;  // since when displacements are counted
    // By springs that were let go since startEnergy was taken, less what those held now did
    // before.
    Pulled pulled;
  };

  // What a hand holds, all by a spring each (hand.cpp); nobody: nothing.
  struct Held {
    std::vector<HeldParticle> all;
    double k = 0;
    // Of the hand where it took hold; of the ends of the springs now, as if they were at one place;
    // and where they move to. Not wrapped.
    Vec3d from{0, 0, 0}, end{0, 0, 0}, to{0, 0, 0};
    bool any() const { return !all.empty(); }
    Pulled sum() const {
      Pulled s;
      for (const HeldParticle& h : all) s.add({h.work, h.impulse}, 1);
      return s;
    }
  };

  // What goes back with the engine's state, beside its box.
  struct Run {
    double changeFrom = 0;  // length of the box when the density began to change; 0: it does not
    double stepDt = 0;      // of the current step, or the last one; 0: none yet
    // Per particle, at the start or the last change of what acts on it; none with the Langevin
    // thermostat.
    std::optional<double> startEnergy;
    Progress progress;
    Held held;
  };

  std::vector<std::string> phases(const P&) const override;
  void start(const P& p) override;
  void startFrom(const Configuration& configuration, const P& draft) override;
  void check(const P& p) const override {
    md::checkParameters(p);
    md::checkDomains(p, config());
  }
  void parametersChanged(const P& before, std::uint32_t touched) override;
  void runSteps(std::uint64_t count) override;
  void runPhase(int phase, bool alone) override;
  bool phaseGoesOn() const override { return listGoesOn_; }
  void keepState() override {
    engine_->keep();
    keptRun_ = run_, keptBox_ = box_;
  }
  void recallState() override;
  RunMemory memoryOfRun() const override;
  std::uint32_t stateVersion() const override { return 14; }
  void saveState(BinaryWriter& w) const override;
  void loadState(BinaryReader& r, const P& p, int phase) override;

  void adjustInfo(ModeInfo& info) const override;
  std::unique_ptr<MdEngine> prepared(const P& p, const MdState& state,
                                     const PairProgress& progress) const;
  PairProgress progressOf(const std::string& label) const {
    if (!workReport()) return {};
    return [this, label](double done) { reportWork(label, done); };
  }
  std::string minimised(MdEngine& engine, MdState& state, const std::vector<ParticleId>& ids,
                        double most) const;
  std::string relaxed(const P& p, MdState& state, const std::vector<ParticleId>& ids) const;
  void startOver(const P& p, std::unique_ptr<MdEngine> engine, const MdState& state,
                 std::vector<ParticleId> ids);
  void runBatch(std::uint64_t count);
  void orderSteps(std::uint64_t count);
  void takeEngine(std::unique_ptr<MdEngine> engine);
  void rescaleAfter(std::uint64_t steps);  // where it is due
  void followHeat() {
    if (active().bathKind() == md::Thermostat::bussi) run_.progress.heat = engine_->heat();
  }
  // Hand (hand.cpp).
  std::string grab(const HandMove& move);
  std::string letGo();
  std::string addWithin(const HandMove& move);
  std::string removeWithin(const HandMove& move);
  void replaceParticles(MdState state, std::vector<ParticleId> ids);
  Held heldOf(BinaryReader& r, std::size_t n) const;
  void pullHeld(bool moves);
  Pulled pulled() const {
    Pulled all = run_.progress.pulled;
    all.add(run_.held.sum(), 1);
    return all;
  }
  void readHeld() {
    if (run_.held.any()) run_.held.all = engine_->held();
  }
  // Volume (steps.cpp).
  bool changesDensity() const { return run_.changeFrom > 0; }
  std::uint64_t stepsBetweenVolumes() const;    // 0: it stays
  void changeVolumeBefore(std::uint64_t step);  // where it is due
  md::MdSample whole();
  P withDensity(const P& before) const;
  void checkFailure();
  md::MdSample measured();
  // What the engine lends of this type; none: it has no such thing.
  template <class T>
  std::optional<T> lent() const {
    Lent all;
    engine_->lend(all, false);
    const T* const found = all.find<T>();
    return found ? std::optional(*found) : std::nullopt;
  }
  std::vector<ParticleId> idsBySlot(const ListsLent& lists) const;
  Moment moment() const {
    return {run_.progress.time, box_.volume(), run_.progress.work + pulled().work};
  }
  md::MdSample completed(const RunSample& taken, const Moment& moment) const;
  std::vector<double> sampled(const RunSample& taken, std::uint64_t steps, const Moment& moment);
  void takeSamples();
  void handOverSamples() {
    for (const auto& [at, taken] : std::exchange(onTheWay_.waiting, {}))
      (*onTheWay_.sink)(at.steps, sampled(taken, at.steps, at.moment));
  }
  // Whether a sample at this step needs the state as it is.
  bool measuresMore(std::uint64_t steps) const {
    return sampler_.due(steps) || (active().by().hasLists() && sampler_.fillDue(steps));
  }
  void addLists(md::MdSample& s, const RunSample& taken, std::uint64_t steps) const;
  bool addFill(md::MdSample& s);
  void addTrees(md::MdSample& s);
  void tune();
  void addTail(md::MdSample& s) const;
  Curve heatingCurve() const;
  double totalMass() const;
  std::vector<SelfCheck> quickChecks();
  Vec3d momentum() {
    const KineticTotals t = engine_->kinetic();
    return {t.px, t.py, t.pz};
  }
  void removeDrift();
  void markStart();
  std::uint64_t stepsWithLists() const {
    return step() - std::min(step(), engine_->history().firstStep);
  }
  SelfCheck energyCheck();
  bool listsCanBeJudged() const { return listsAreOfForces() && step() >= judgedFrom_; }
  // Not between a drift and its forces.
  bool listsAreOfForces() const {
    return nextPhase() == 0 || nextPhase() + 1 == std::ssize(info().phases);
  }

  std::unique_ptr<MdEngine> engine_;
  md::ListScene scene_;
  md::Races races_;
  md::PairTuner tuner_;
  md::MdSampler sampler_;
  OnTheWay onTheWay_;
  // That of active(), but with a barostat and while the density changes.
  Box box_ = cubicBox(1), keptBox_ = cubicBox(1);
  md::MdTypes types_;
  Run run_, keptRun_;
  ParticleId nextId_ = 0;  // above the ids of all particles that there were
  md::Follower follower_{kStepsBetweenChecks};
  std::uint64_t judgedFrom_ = 0;  // step: lists of before a change are not those of after it
  bool listGoesOn_ = false;       // a phase of a list build has more to show
  bool listKept_ = false;         // the check of this step found that no list is due
  std::string descent_;           // what a minimisation at the start did
  std::vector<ParticleId> ids_;   // of the particle in each slot of the engine
  IdMap slots_;                   // the inverse
  Vec3d startMomentum_{0, 0, 0};  // sum_i m_i v_i at the start, or since the drift was removed
};

}  // namespace cellscope
