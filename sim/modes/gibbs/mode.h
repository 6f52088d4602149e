// The Gibbs ensemble as a mode: pairs of boxes that exchange particles and volume until vapour and
// liquid are in equilibrium without an interface. A step is a fixed number of moves of every pair.
// Before it what a run knows: samples, averages of each pair, and the coexistence that pairs of one
// temperature find together.
#pragma once
#include "sim/algo/gibbs/pairs.h"
#include "sim/algo/observables/equilibrated_average.h"
#include "sim/api/inspect.h"
#include "sim/api/mode.h"
#include "sim/io/container.h"
#include "sim/layers/structures.h"
#include "sim/modes/gibbs/parameters.h"
#include "sim/modes/mode_base.h"

namespace cellscope::gibbs {

// A pair of boxes in numbers; counters are those since the last sample.
struct GibbsSample {
  GibbsHead head{};
  GibbsRules rules{};
  double energy[2] = {}, virial[2] = {};  // of the pairs, without tail
  double tailPressure = 0;                // p_tail / rho^2
  double potential[2] = {};               // chemical, since averages began; NaN: not yet known

  double count(int box) const { return head.count(rules, box); }
  double volume(int box) const { return gibbsVolume(rules, head.share, box); }
  double density(int box) const { return count(box) / volume(box); }
  double energyOf(int box) const;  // per particle, with tail; NaN of none
  double pressure(int box) const;
  double inverseActivity(int box) const;  // NaN: no particle was inserted
  int denser() const { return density(1) > density(0) ? 1 : 0; }
  double acceptance(std::initializer_list<GibbsKind> kinds) const;
};

struct GibbsObservable {
  ObservableInfo info;
  double (*value)(const GibbsSample&);
};
const std::vector<GibbsObservable>& gibbsObservables();

struct GibbsMean {
  double value = 0;
  double error = 0;  // standard; of few pairs wider: three are exceeded in 0.27 % of cases
};
// Both phases at a temperature, by all pairs that have it.
struct GibbsCoexistence {
  double temperature = 0;
  GibbsMean density[2], pressure, potential[2];  // liquid, vapour; pressure of the vapour
  // settled: three of four pairs are in equilibrium. Not all, as the test has false alarms, and the
  // more pairs there are the surer one of them would have one.
  // errorsKnown: the scatter of pairs tells errors, where blocks of one would miss what happens
  // seldom: transfers in the cold.
  bool settled = false, errorsKnown = false;
  std::size_t pairs = 0;
};

class GibbsAverages {
 public:
  // Without samples.
  void start(const GibbsParameters& p);
  // Chemical potentials of all pairs, by what was added and their counters.
  void setPotentials(std::vector<GibbsSample>& samples) const;
  // Of all pairs; sets their chemical potentials.
  void add(std::vector<GibbsSample>& samples, std::size_t shown);
  // Of the pair that was shown.
  void forgetHistogram() { histogram_.assign(2 * kBins, 0.0); }
  std::vector<GibbsCoexistence> coexistences(const GibbsParameters& p) const;
  std::vector<Curve> curves(const GibbsParameters& p) const;
  std::size_t bytes() const {
    std::size_t all = 0;
    for (const EquilibratedAverages& m : means_) all += m.bytes();
    return all;
  }

  // Everything, bit for bit. load(): after start(); throws InputError for what is impossible.
  void save(BinaryWriter& w) const;
  void load(BinaryReader& r);

 private:
  // Of a pair: liquid and vapour, by the density of each sample.
  enum Of { liquid, vapour, pressure, inverseLiquid, inverseVapour, kMeans };
  struct Inserted {
    double sum[2] = {};
    std::uint64_t count[2] = {};
  };
  static constexpr std::size_t kBins = 60;  // of the histogram, 0.02 each
  GibbsCoexistence coexistenceAt(const GibbsParameters& p, std::size_t t) const;

  std::vector<EquilibratedAverages> means_;
  std::vector<Inserted> inserted_;
  std::vector<double> histogram_;  // of box 1, then of box 2
  std::uint64_t samples_ = 0;
};

}  // namespace cellscope::gibbs

namespace cellscope {

class GibbsMode final : public ModeBase<gibbs::GibbsParameters>, public Inspectable {
 public:
  static const ModeDescription& describe();
  explicit GibbsMode(const ExecConfig& config) : ModeBase(describe(), config) { ready(); }

  double work() const override { return static_cast<double>(moves_); }
  std::optional<Preparation> preparation() const override;

  std::vector<double> sample() override;
  std::vector<double> sampleOfPreparation() override { return shownOf(measured()); }
  std::vector<Curve> curves() const override { return averages_.curves(active()); }
  std::vector<ReferenceValue> references() const override;
  void resetAverages() override {
    averages_.start(active());
    pairs_->clearCounters();
  }
  // Averages of each pair leave their own approach to equilibrium out.
  bool startOverAfterEdit() override { return std::exchange(chartsGoOn_, false); }

  std::shared_ptr<const Frame> frame(const ViewRequest& view) override;
  ParticleId pick(const PickQuery& query) override;
  std::vector<SelfCheck> selfChecks() override;
  Configuration configuration() const override;
  std::vector<double> numbersOfAll() const override;

  std::vector<double> valuesNow() override {
    std::vector<gibbs::GibbsSample> all = measured();
    if (roundsLeft_ == 0) averages_.setPotentials(all);
    return shownOf(all);
  }
  std::vector<std::optional<Vec3d>> placesOf(const std::vector<ParticleId>& ids) override;
  Box boxNow() const override { return picture(); }
  std::vector<Neighbour> neighboursOf(ParticleId id) override;

  std::size_t engineBytes() const override {
    const auto pairs = static_cast<std::size_t>(active().pairs);
    return gibbsBytes(pairs, static_cast<std::uint32_t>(active().n)) + averages_.bytes();
  }
  std::size_t particleCount() const override { return static_cast<std::size_t>(active().n); }
  // Of all pairs, for studies.
  std::vector<gibbs::GibbsCoexistence> coexistences() const {
    return averages_.coexistences(active());
  }

 private:
  using P = gibbs::GibbsParameters;
  std::vector<std::string> phases(const P&) const override { return {"moves"}; }
  void adjustInfo(ModeInfo& info) const override { info.dimension = active().dimensions(); }
  void check(const P& p) const override { gibbs::checkParameters(p); }
  void start(const P& p) override;
  void startFrom(const Configuration&, const P&) override {
    throw InputError("mode 'gibbs' has states of its own, two boxes, and takes over no particles");
  }
  void parametersChanged(const P& before, std::uint32_t touched) override;
  void runPhase(int, bool) override {
    makeMoves();
    moves_ += static_cast<std::uint64_t>(active().movesPerStep) * pairs_->size();
    if (roundsLeft_ > 0) tune();
  }
  void keepState() override { kept_ = {pairs_->states(), moves_}; }
  void recallState() override {
    pairs_->upload(kept_.states, rulesOf(active()));
    moves_ = kept_.moves;
  }
  RunMemory memoryOfRun() const override {
    const std::size_t bytes = engineBytes();
    return {active().n * active().pairs, bytes, bytes, "number of particles ('n' times 'pairs')"};
  }
  std::uint32_t stateVersion() const override { return 1; }
  void saveState(BinaryWriter& w) const override;
  void loadState(BinaryReader& r, const P& p, int phase) override;

  std::vector<GibbsRules> rulesOf(const P& p) const;
  void take(const P& p, std::vector<gibbs::MoveSizes> sizes, const auto& states);
  void makeMoves();
  void beginTuning();
  void tune();
  std::vector<gibbs::GibbsSample> measured();
  std::vector<double> shownOf(const std::vector<gibbs::GibbsSample>& all) const {
    return valuesOf(gibbs::gibbsObservables(), all[shown()]);
  }
  std::size_t shown() const { return static_cast<std::size_t>(active().shown - 1); }
  std::vector<SelfCheck> quickChecks() const;

  // Where the two boxes of the shown pair stand in the picture, and its particles there.
  struct Seen {
    GibbsState state;
    double side[2];
    Vec3d corner[2];
    std::vector<Vec3d> at;  // by slot
    int boxOf(std::size_t slot) const { return slot < state.head.n1 ? 0 : 1; }
    std::optional<std::size_t> slotOf(ParticleId id) const;
  };
  Box picture() const;
  Seen seen() const;
  std::vector<Neighbour> neighboursOf(const Seen& s, std::size_t slot) const;
  PickedParticle cardOf(const Seen& s, std::size_t slot) const;

  std::unique_ptr<GibbsPairs> pairs_;
  std::vector<gibbs::MoveSizes> sizes_;  // of each pair
  // Rounds of tuning that are left, and steps of the present one.
  std::uint64_t roundsLeft_ = 0, stepsLeft_ = 0;
  std::uint64_t moves_ = 0;  // of all pairs, since the start
  gibbs::GibbsAverages averages_;
  bool chartsGoOn_ = false;  // the last change of parameters does not concern them
  struct Kept {
    GibbsStates states;
    std::uint64_t moves = 0;
  } kept_;
};

}  // namespace cellscope
