// A mode for tests of everything but modes: random walkers in a unit square, two phases per step
// (moves along x and y, or with diagonal steps a third along both), three observables, and on
// request slow, failing or wrong.
#pragma once
#include <chrono>
#include <new>
#include <numeric>
#include <thread>

#include "sim/core/rng.h"
#include "sim/io/container.h"
#include "sim/layers/layers.h"
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
  static const ModeDescription& describe() {
    static const ModeDescription description = {
        {.key = "fake",
         .label = "Random walkers",
         .layers = {{"walkers", "Walkers", "", Primitive::points, true},
                    {"cells", "Cells", "", Primitive::boxes, false}},
         .colourings = {{"plain", "Plain", ""}, {"height", "Height", ""}},
         .observables = {{"mean_x", "Mean x", "x", "", "", "means"},
                         {"mean_y", "Mean y", "y", "", "", "means"},
                         {"sometimes", "Undefined at odd samples", "s", "", "", "other"}}},
        {2},
        {"walk"},
        &ParameterSet::defaults<FakeParameters>};
    return description;
  }
  explicit FakeMode(const ExecConfig& config = {}) : ModeBase(describe(), config) { ready(); }
  double work() const override {
    return static_cast<double>(step()) * static_cast<double>(x_.size());
  }
  std::optional<Preparation> preparation() const override {
    if (preparing_ == 0) return std::nullopt;
    return Preparation{"preparing", 1 - preparing_ / 8.0};
  }
  std::vector<double> sample() override {
    return {mean(x_), mean(y_), ++samples_ % 2 ? std::nan("") : 1.0};
  }
  std::vector<Curve> curves() const override {
    return {{"walk", "Walk", {"i"}, {"x"}, "", {{"x", "", x_, y_}}}};
  }
  std::vector<ReferenceValue> references() const override {
    return {{"mean_x", 0.5, 0, "symmetry"}};
  }
  void resetAverages() override { samples_ = 0; }
  std::shared_ptr<const Frame> frame(const ViewRequest& view) override {
    auto f = std::make_shared<Frame>();
    f->step = step();
    f->phase = nextPhase() - 1;
    std::vector<PointInstance> points;
    for (std::size_t i = 0; i < x_.size(); ++i)
      points.push_back({static_cast<float>(x_[i]), static_cast<float>(y_[i]), 0,
                        static_cast<float>(active().diameter), 0, 0});
    if (view.shows("impossible")) throw RunError("no memory for this layer");
    if (view.shows("walkers")) f->layers.push_back(layerOf("walkers", points, {}));
    f->picked.id = view.picked;
    return f;
  }
  ParticleId pick(const PickQuery&) override { return 3; }
  std::vector<SelfCheck> selfChecks() override {
    const bool lost = active().loseAt > 0 && step() >= static_cast<std::uint64_t>(active().loseAt);
    return {{"walkers", !lost, lost ? "one is lost" : "all there", lost && active().broken}};
  }
  Configuration configuration() const override {
    Configuration c;
    c.species[0].diameter = active().diameter;
    for (std::size_t i = 0; i < x_.size(); ++i) {
      c.positions.insert(c.positions.end(), {x_[i], y_[i], 0.0});
      c.ids.push_back(static_cast<ParticleId>(i));
    }
    return c;
  }
  std::size_t particleCount() const override { return x_.size(); }

  // of all of them, since the program began
  static std::uint64_t saves() { return savedModes_; }
  // Of all fake modes of the process.
  static std::uint64_t completedSetups() { return setups_; }

 private:
  std::vector<std::string> phases(const FakeParameters& p) const override {
    if (p.diagonal) return {"move x", "move y", "move both"};
    return {"move x", "move y"};
  }
  void start(const FakeParameters& p) override {
    if (p.n == 14) throw std::bad_alloc();
    if (p.n == 13) throw InputError("13 walkers refuse to start");
    for (double ms = 0; ms <= p.setupTime; ++ms) {
      reportWork("placing walkers", p.setupTime > 0 ? ms / p.setupTime : 1);
      if (p.setupTime > 0) std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
    ++setups_;
    begin(p);
    x_.resize(static_cast<std::size_t>(p.n));
    y_.resize(x_.size());
    const RngKey key = hashSeed(static_cast<std::uint64_t>(p.seed));
    for (std::size_t i = 0; i < x_.size(); ++i) {
      const Random4 r =
          draw(key, RngPurpose::initialPositions, 0, static_cast<std::uint32_t>(i), 0);
      x_[i] = uniformOpen(r.w[0], r.w[1]);
      y_[i] = uniformOpen(r.w[2], r.w[3]);
    }
    samples_ = 0;
    preparing_ = 0;
  }
  void startFrom(const Configuration& c, const FakeParameters& draft) override {
    start(draft);
    FakeParameters p = draft;
    p.n = static_cast<std::int64_t>(c.size());
    begin(p);
    x_.resize(c.size());
    y_.resize(c.size());
    for (std::size_t i = 0; i < c.ids.size(); ++i) {
      x_[i] = c.positions[3 * i];
      y_[i] = c.positions[3 * i + 1];
    }
  }
  void parametersChanged(const FakeParameters&, std::uint32_t touched) override {
    if (active().diameter > 0.9) throw InputError("diameter: the walkers overlap");
    if (touched & FakeParameters::kPrepare && active().prepare) preparing_ = 8;
  }
  void runSteps(std::uint64_t steps) override {
    for (std::uint64_t s = 0; s < steps; ++s) {
      takeTime();
      if (active().failAt > 0 && step() + 1 >= static_cast<std::uint64_t>(active().failAt))
        throw RunError("the walkers are exhausted");
      CELLSCOPE_ASSERT(active().breakAt == 0 ||
                       step() + 1 < static_cast<std::uint64_t>(active().breakAt));
      if (preparing_ > 0) {
        --preparing_;
        for (double& v : x_) v = wrapped(v + 0.01);
        continue;
      }
      for (int phase = 0; phase < (active().diagonal ? 3 : 2); ++phase) movePhase(phase);
      countSteps(1);
    }
  }
  // The second phase is the one that takes time.
  void runPhase(int phase, bool) override {
    if (phase == 1) takeTime();
    movePhase(phase);
  }
  RunMemory memoryOfRun() const override { return {}; }
  std::uint32_t stateVersion() const override { return 1; }
  void saveState(BinaryWriter& w) const override {
    ++savedModes_;
    w.value(samples_);
    w.value(preparing_);
    w.vector(x_);
    w.vector(y_);
  }
  void loadState(BinaryReader& r, const FakeParameters& p, int) override {
    reportWork("reading walkers", 0);
    const auto samples = r.value<std::uint64_t>("samples");
    const auto preparing = r.value<std::int32_t>("preparation");
    std::vector<double> x = r.vectorUpTo<double>("x", 100000), y = r.vector<double>("y", x.size());
    begin(p);
    samples_ = samples, preparing_ = preparing;
    x_ = std::move(x), y_ = std::move(y);
  }
  void movePhase(int phase) {
    const RngKey key = hashSeed(static_cast<std::uint64_t>(active().seed));
    for (std::vector<double>* v : {&x_, &y_}) {
      if (phase < 2 && v != (phase == 0 ? &x_ : &y_)) continue;
      for (std::size_t i = 0; i < v->size(); ++i) {
        const Random4 r = draw(key, RngPurpose::test, step(), static_cast<std::uint32_t>(i),
                               static_cast<std::uint32_t>(phase));
        (*v)[i] = wrapped((*v)[i] + active().size * (uniformOpen(r.w[0], r.w[1]) - 0.5));
      }
    }
  }
  // Called every millisecond, and may cancel at any call.
  void takeTime() const {
    using Clock = std::chrono::steady_clock;
    using Milliseconds = std::chrono::duration<double, std::milli>;
    const auto begin = Clock::now();
    for (double done = 0; done < active().delay;
         done = Milliseconds(Clock::now() - begin).count()) {
      reportWork("walking", done / active().delay);
      std::this_thread::sleep_for(Milliseconds(std::min(1.0, active().delay - done)));
    }
  }

  static double mean(const std::vector<double>& v) {
    return std::accumulate(v.begin(), v.end(), 0.0) / static_cast<double>(v.size());
  }
  static double wrapped(double v) { return v - std::floor(v); }

  static inline std::atomic<std::uint64_t> savedModes_{0}, setups_{0};
  std::vector<double> x_, y_;
  std::uint64_t samples_ = 0;
  std::int32_t preparing_ = 0;
};

inline const ModeDescription& describeFake(const std::string& key) {
  if (key != "fake") throw InputError("unknown mode '" + key + "'; known: fake");
  return FakeMode::describe();
}
// Makes FakeMode for the key "fake"; anything else is an InputError.
inline const ModeFactory fakeModes(
    [](const std::string& key, const ExecConfig& config) -> std::unique_ptr<Mode> {
      describeFake(key);
      return std::make_unique<FakeMode>(config);
    },
    describeFake);
inline Scenario fakeScenario(const decltype(Scenario::parameters)& parameters = {}) {
  return {
      .name = "fake", .title = "fake", .mode = "fake", .parameters = parameters, .sampleEvery = 5};
}
// Checksum of the positions: equal for equal configurations.
inline std::uint64_t hashOf(const Configuration& c) {
  const auto* p = reinterpret_cast<const char*>(c.positions.data());
  return io::crc64({p, c.positions.size() * sizeof(double)});
}

}  // namespace cellscope::test
