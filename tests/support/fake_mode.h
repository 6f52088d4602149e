// A mode for tests of the house: random walkers in a unit square, two phases per step, three
// observables, and on request slow, failing or wrong.
#pragma once
#include <memory>
#include <vector>

#include "sim/api/mode.h"
#include "sim/run/scenario.h"

namespace cellscope::test {

struct FakeParameters {
  std::int64_t n = 16;
  std::int64_t seed = 1;
  double size = 0.1;        // live: largest step
  double diameter = 0.5;    // rebuild
  double delay = 0;         // live: milliseconds a step takes, told in steps of one
  std::int64_t failAt = 0;  // live: advance() throws RunError when this step is reached
  std::int64_t loseAt = 0;  // live: from this step on a self-check fails
  bool broken = false;      // experiment, which explains that
  Choice shape{0};          // live
  bool prepare = false;     // rebuild: eight units of preparation
  double setupTime = 0;     // live: milliseconds that a set-up takes, told in steps of one

  template <class V>
  void visit(V& v) {
    v({.key = "n", .label = "Walkers", .min = 1, .max = 100000, .effect = Effect::restart}, n);
    v({.key = "seed", .label = "Seed", .min = 0, .max = 1e15, .effect = Effect::restart}, seed);
    v({.key = "size", .label = "Step size", .unit = "sigma", .min = 0.001, .max = 0.5}, size);
    v({.key = "diameter", .label = "Diameter", .min = 0.1, .max = 1, .effect = Effect::rebuild},
      diameter);
    v({.key = "delay", .label = "Delay", .unit = "ms", .min = 0, .max = 100000}, delay);
    v({.key = "fail_at", .label = "Fail at step", .min = 0, .max = 1e9}, failAt);
    v({.key = "lose_at", .label = "Lose a walker at step", .min = 0, .max = 1e9}, loseAt);
    v({.key = "broken", .label = "Broken on purpose", .experiment = true}, broken);
    v({.key = "shape", .label = "Shape", .choices = {"round", "square"}}, shape);
    v({.key = "prepare", .label = "Prepare", .effect = Effect::rebuild}, prepare);
    v({.key = "setup_time", .label = "Time of a set-up", .unit = "ms", .min = 0, .max = 1e5},
      setupTime);
  }
};

class FakeMode final : public Mode {
 public:
  FakeMode();
  const ModeInfo& info() const override { return info_; }
  ParameterSet& parameters() override { return set_; }
  void restart() override;
  void adopt(const Configuration& configuration) override;
  void parametersChanged(const std::vector<std::string>& keys) override;
  void advance(std::uint64_t steps) override;
  void advancePhase() override;
  int nextPhase() const override { return phase_; }
  std::uint64_t step() const override { return step_; }
  double work() const override {
    return static_cast<double>(step_) * static_cast<double>(x_.size());
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
  void save(std::ostream& out) const override;
  void load(std::istream& in) override;
  std::size_t particleCount() const override { return x_.size(); }

 private:
  void movePhase();
  void takeTime() const;

  FakeParameters p_;
  ParameterSet set_;
  ModeInfo info_;
  std::vector<double> x_, y_;
  std::uint64_t step_ = 0, samples_ = 0;
  std::int32_t phase_ = 0, preparing_ = 0;
};

// Makes FakeMode for the key "fake"; anything else is an InputError.
std::unique_ptr<Mode> fakeModes(const std::string& key, const ExecConfig& config);
Scenario fakeScenario();
// Checksum of the positions: equal for equal configurations.
std::uint64_t hashOf(const Configuration& c);

}  // namespace cellscope::test
