#include "tests/support/fake_mode.h"

#include <chrono>
#include <new>
#include <numeric>
#include <thread>

#include "sim/core/rng.h"
#include "sim/io/container.h"
#include "sim/layers/layers.h"

namespace cellscope::test {
namespace {

double mean(const std::vector<double>& v) {
  return std::accumulate(v.begin(), v.end(), 0.0) / static_cast<double>(v.size());
}

double wrapped(double v) { return v - std::floor(v); }

// Of all the modes that were saved.
std::atomic<std::uint64_t> savedModes{0};

ModeDescription makeDescription() {
  ModeDescription d;
  d.key = "fake";
  d.label = "Random walkers";
  d.dimensions = {2};
  d.layers = {{"walkers", "Walkers", "", Primitive::points, true},
              {"cells", "Cells", "", Primitive::boxes, false}};
  d.colourings = {{"plain", "Plain", ""}, {"height", "Height", ""}};
  d.observables = {{"mean_x", "Mean x", "x", "", "", "means"},
                   {"mean_y", "Mean y", "y", "", "", "means"},
                   {"sometimes", "Undefined at odd samples", "s", "", "", "other"}};
  d.curves = {"walk"};
  d.parameters = &ParameterSet::defaults<FakeParameters>;
  return d;
}

}  // namespace

const ModeDescription& FakeMode::describe() {
  static const ModeDescription description = makeDescription();
  return description;
}

std::uint64_t FakeMode::saves() { return savedModes; }

namespace {
std::atomic<std::uint64_t> setups{0};
}
std::uint64_t completedSetups() { return setups; }

FakeMode::FakeMode(const ExecConfig& config) : ModeBase(describe(), config) { ready(); }

std::vector<std::string> FakeMode::phases(const FakeParameters& p) const {
  if (p.diagonal) return {"move x", "move y", "move both"};
  return {"move x", "move y"};
}

void FakeMode::start(const FakeParameters& p) {
  if (p.n == 14) throw std::bad_alloc();
  if (p.n == 13) throw InputError("13 walkers refuse to start");
  for (double ms = 0; ms <= p.setupTime; ++ms) {
    reportWork("placing walkers", p.setupTime > 0 ? ms / p.setupTime : 1);
    if (p.setupTime > 0) std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  ++setups;
  begin(p);
  x_.resize(static_cast<std::size_t>(p.n));
  y_.resize(x_.size());
  const RngKey key = hashSeed(static_cast<std::uint64_t>(p.seed));
  for (std::size_t i = 0; i < x_.size(); ++i) {
    const Random4 r = draw(key, RngPurpose::initialPositions, 0, static_cast<std::uint32_t>(i), 0);
    x_[i] = uniformOpen(r.w[0], r.w[1]);
    y_[i] = uniformOpen(r.w[2], r.w[3]);
  }
  samples_ = 0;
  preparing_ = 0;
}

void FakeMode::startFrom(const Configuration& c, const FakeParameters& draft) {
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

void FakeMode::parametersChanged(const FakeParameters&, std::uint32_t touched) {
  if (active().diameter > 0.9) throw InputError("diameter: the walkers overlap");
  if (touched & FakeParameters::kPrepare && active().prepare) preparing_ = 8;
}

void FakeMode::movePhase(int phase) {
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
void FakeMode::takeTime() const {
  using Clock = std::chrono::steady_clock;
  using Milliseconds = std::chrono::duration<double, std::milli>;
  const auto begin = Clock::now();
  for (double done = 0; done < active().delay; done = Milliseconds(Clock::now() - begin).count()) {
    reportWork("walking", done / active().delay);
    std::this_thread::sleep_for(Milliseconds(std::min(1.0, active().delay - done)));
  }
}

void FakeMode::runSteps(std::uint64_t steps) {
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
void FakeMode::runPhase(int phase, bool) {
  if (phase == 1) takeTime();
  movePhase(phase);
}

std::optional<Preparation> FakeMode::preparation() const {
  if (preparing_ == 0) return std::nullopt;
  return Preparation{"preparing", 1 - preparing_ / 8.0};
}

std::vector<double> FakeMode::sample() {
  return {mean(x_), mean(y_), ++samples_ % 2 ? std::nan("") : 1.0};
}

std::vector<Curve> FakeMode::curves() const {
  return {{"walk", "Walk", {"i"}, {"x"}, "", {{"x", "", x_, y_}}}};
}

std::shared_ptr<const Frame> FakeMode::frame(const ViewRequest& view) {
  auto f = std::make_shared<Frame>();
  f->step = step();
  f->phase = nextPhase() - 1;
  std::vector<PointInstance> points;
  for (std::size_t i = 0; i < x_.size(); ++i)
    points.push_back({static_cast<float>(x_[i]), static_cast<float>(y_[i]), 0,
                      static_cast<float>(active().diameter), 0, 0});
  for (const std::string& key : view.layers)
    if (key == "impossible") throw RunError("no memory for this layer");
  for (const std::string& key : view.layers)
    if (key == "walkers") f->layers.push_back(layerOf(key, points, {}));
  f->picked.id = view.picked;
  return f;
}

std::vector<SelfCheck> FakeMode::selfChecks() {
  const bool lost = active().loseAt > 0 && step() >= static_cast<std::uint64_t>(active().loseAt);
  return {{"walkers", !lost, lost ? "one is lost" : "all there", lost && active().broken}};
}

Configuration FakeMode::configuration() const {
  Configuration c;
  c.species[0].diameter = active().diameter;
  for (std::size_t i = 0; i < x_.size(); ++i) {
    c.positions.insert(c.positions.end(), {x_[i], y_[i], 0.0});
    c.ids.push_back(static_cast<ParticleId>(i));
  }
  return c;
}

void FakeMode::saveState(BinaryWriter& w) const {
  ++savedModes;
  w.value(samples_);
  w.value(preparing_);
  w.vector(x_);
  w.vector(y_);
}

void FakeMode::loadState(BinaryReader& r, const FakeParameters& p, int) {
  reportWork("reading walkers", 0);
  const auto samples = r.value<std::uint64_t>("samples");
  const auto preparing = r.value<std::int32_t>("preparation");
  std::vector<double> x = r.vectorUpTo<double>("x", 100000), y = r.vector<double>("y", x.size());
  begin(p);
  samples_ = samples, preparing_ = preparing;
  x_ = std::move(x), y_ = std::move(y);
}

const ModeFactory fakeModes(
    [](const std::string& key, const ExecConfig& config) -> std::unique_ptr<Mode> {
      if (key != "fake") throw InputError("unknown mode '" + key + "'; known: fake");
      return std::make_unique<FakeMode>(config);
    },
    [](const std::string& key) -> const ModeDescription& {
      if (key != "fake") throw InputError("unknown mode '" + key + "'; known: fake");
      return FakeMode::describe();
    });

Scenario fakeScenario(const decltype(Scenario::parameters)& parameters) {
  Scenario s;
  s.name = s.title = "fake";
  s.mode = "fake";
  s.sampleEvery = 5;
  s.parameters = parameters;
  return s;
}

std::uint64_t hashOf(const Configuration& c) {
  const auto* p = reinterpret_cast<const char*>(c.positions.data());
  return io::crc64({p, c.positions.size() * sizeof(double)});
}

}  // namespace cellscope::test
