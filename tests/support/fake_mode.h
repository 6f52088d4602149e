// A mode for tests of everything but modes: random walkers in a unit square, two phases per step
// (moves along x and y, or with diagonal steps a third along both), three observables, and on
// request slow, failing or wrong.
#pragma once

#include "sim/modes/mode_base.h"
#include "sim/run/scenario.h"

namespace cellscope::test {

struct FakeParameters {
  static constexpr std::uint32_t kPrepare = 1;

  std::int64_t n = 16, seed = 1;
  double size = 0.1;         // live: largest step
  double diameter = 0.5;     // rebuild
  double delay = 0;          // live: milliseconds a step takes, reported in steps of one
  std::int64_t failAt = 0;   // live: advance() throws RunError when this step is reached
  std::int64_t breakAt = 0;  // live: an internal check fails when this step is reached
  std::int64_t loseAt = 0;   // live: from this step on a self-check fails
  bool broken = false;       // experiment, which explains that
  Choice shape{0};           // live
  bool prepare = false;      // rebuild: eight units of preparation
  double setupTime = 0;      // live: milliseconds that a set-up takes, reported in steps of one
  bool diagonal = false;     // live: a third phase

  template <class V>
  void visit(V& v) {
    v({.key = "n", .label = "Walkers", .min = 1, .max = 100000, .effect = Effect::restart}, n);
    v({.key = "seed", .label = "Seed", .min = 0, .max = 1e15, .effect = Effect::restart}, seed);
    v({.key = "size", .label = "Step size", .unit = "sigma", .min = 0.001, .max = 0.5}, size);
    v({.key = "diameter", .label = "Diameter", .min = 0.1, .max = 1, .effect = Effect::rebuild},
      diameter);
    v({.key = "delay", .label = "Delay", .unit = "ms", .min = 0, .max = 100000}, delay);
    v({.key = "fail_at", .label = "Fail at step", .min = 0, .max = 1e9}, failAt);
    v({.key = "break_at", .label = "Break at step", .min = 0, .max = 1e9}, breakAt);
    v({.key = "lose_at", .label = "Lose a walker at step", .min = 0, .max = 1e9}, loseAt);
    v({.key = "broken", .label = "Broken on purpose", .experiment = true}, broken);
    v({.key = "shape", .label = "Shape", .choices = {"round", "square"}}, shape);
    v({.key = "prepare",
       .label = "Prepare",
       .effect = Effect::rebuild,
       .touches = kPrepare,
       .prepares = true},
      prepare);
    v({.key = "setup_time", .label = "Time of a set-up", .unit = "ms", .min = 0, .max = 1e5},
      setupTime);
    v({.key = "diagonal", .label = "Diagonal steps"}, diagonal);
  }
};

class FakeMode final : public ModeBase<FakeParameters> {
 public:
  static const ModeDescription& describe();
  explicit FakeMode(const ExecConfig& config = {});
  double work() const override {
    return static_cast<double>(step()) * static_cast<double>(x_.size());
  }
  std::optional<Preparation> preparation() const override;
  std::vector<double> sample() override;
  std::vector<Curve> curves() const override;
  std::vector<ReferenceValue> references() const override {
    return {{"mean_x", 0.5, 0, "symmetry"}};
  }
  void resetAverages() override { samples_ = 0; }
  std::shared_ptr<const Frame> frame(const ViewRequest& view) override;
  ParticleId pick(const PickQuery&) override { return 3; }
  std::vector<SelfCheck> selfChecks() override;
  Configuration configuration() const override;
  std::size_t particleCount() const override { return x_.size(); }

  static std::uint64_t saves();  // of all of them, since the program began

 private:
  std::vector<std::string> phases(const FakeParameters& p) const override;
  void start(const FakeParameters& p) override;
  void startFrom(const Configuration& configuration, const FakeParameters& draft) override;
  void parametersChanged(const FakeParameters& before, std::uint32_t touched) override;
  void runSteps(std::uint64_t count) override;
  void runPhase(int phase, bool alone) override;
  RunMemory memoryOfRun() const override { return {}; }
  std::uint32_t stateVersion() const override { return 1; }
  void saveState(BinaryWriter& w) const override;
  void loadState(BinaryReader& r, const FakeParameters& p, int phase) override;
  void movePhase(int phase);
  void takeTime() const;

  std::vector<double> x_, y_;
  std::uint64_t samples_ = 0;
  std::int32_t preparing_ = 0;
};

// Makes FakeMode for the key "fake"; anything else is an InputError.
extern const ModeFactory fakeModes;
Scenario fakeScenario(const decltype(Scenario::parameters)& parameters = {});
// Checksum of the positions: equal for equal configurations.
std::uint64_t hashOf(const Configuration& c);
std::uint64_t completedSetups();  // of all fake modes of the process

}  // namespace cellscope::test
