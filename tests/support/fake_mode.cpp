#include "tests/support/fake_mode.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <istream>
#include <new>
#include <numeric>
#include <ostream>
#include <string_view>
#include <thread>

#include "sim/core/rng.h"
#include "sim/io/crc64.h"
#include "sim/layers/layer_of.h"

namespace cellscope::test {
namespace {

double mean(const std::vector<double>& v) {
  return std::accumulate(v.begin(), v.end(), 0.0) / static_cast<double>(v.size());
}

double wrapped(double v) { return v - std::floor(v); }

template <class T>
void put(std::ostream& out, const T& v) {
  out.write(reinterpret_cast<const char*>(&v), sizeof(T));
}

template <class T>
void get(std::istream& in, T& v) {
  if (!in.read(reinterpret_cast<char*>(&v), sizeof(T))) throw InputError("fake state cut short");
}

}  // namespace

FakeMode::FakeMode() : set_(ParameterSet::of(p_)) {
  info_.key = "fake";
  info_.label = "Random walkers";
  info_.phases = {"move x", "move y"};
  info_.layers = {{"walkers", "Walkers", "", Primitive::points, true},
                  {"cells", "Cells", "", Primitive::boxes, false}};
  info_.colourings = {{"plain", "Plain", ""}, {"height", "Height", ""}};
  info_.observables = {{"mean_x", "Mean x", "x", "", "", "means"},
                       {"mean_y", "Mean y", "y", "", "", "means"},
                       {"sometimes", "Undefined at odd samples", "s", "", "", "other"}};
}

void FakeMode::restart() {
  if (p_.n == 14) throw std::bad_alloc();
  if (p_.n == 13) throw InputError("13 walkers refuse to start");
  for (double ms = 0; ms <= p_.setupTime; ++ms) {
    reportWork("placing walkers", p_.setupTime > 0 ? ms / p_.setupTime : 1);
    if (p_.setupTime > 0) std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  x_.resize(static_cast<std::size_t>(p_.n));
  y_.resize(x_.size());
  const RngKey key = hashSeed(static_cast<std::uint64_t>(p_.seed));
  for (std::size_t i = 0; i < x_.size(); ++i) {
    const Random4 r = draw(key, RngPurpose::initialPositions, 0, static_cast<std::uint32_t>(i), 0);
    x_[i] = uniformOpen(r.w[0], r.w[1]);
    y_[i] = uniformOpen(r.w[2], r.w[3]);
  }
  step_ = samples_ = 0;
  phase_ = preparing_ = 0;
}

void FakeMode::adopt(const Configuration& c) {
  restart();
  x_.resize(c.ids.size());
  y_.resize(c.ids.size());
  for (std::size_t i = 0; i < c.ids.size(); ++i) {
    x_[c.ids[i]] = c.positions[3 * i];
    y_[c.ids[i]] = c.positions[3 * i + 1];
  }
}

void FakeMode::parametersChanged(const std::vector<std::string>& keys) {
  for (const std::string& key : keys) {
    if (key == "diameter" && p_.diameter > 0.9) throw InputError("diameter: the walkers overlap");
    if (key == "prepare" && p_.prepare) preparing_ = 8;
  }
}

void FakeMode::movePhase() {
  const RngKey key = hashSeed(static_cast<std::uint64_t>(p_.seed));
  std::vector<double>& v = phase_ == 0 ? x_ : y_;
  for (std::size_t i = 0; i < v.size(); ++i) {
    const Random4 r = draw(key, RngPurpose::test, step_, static_cast<std::uint32_t>(i),
                           static_cast<std::uint32_t>(phase_));
    v[i] = wrapped(v[i] + p_.size * (uniformOpen(r.w[0], r.w[1]) - 0.5));
  }
  phase_ = 1 - phase_;
  if (phase_ == 0) ++step_;
}

// Told every millisecond, and given up at any of them.
void FakeMode::takeTime() const {
  using Clock = std::chrono::steady_clock;
  using Milliseconds = std::chrono::duration<double, std::milli>;
  const auto begin = Clock::now();
  for (double done = 0; done < p_.delay; done = Milliseconds(Clock::now() - begin).count()) {
    reportWork("walking", done / p_.delay);
    std::this_thread::sleep_for(Milliseconds(std::min(1.0, p_.delay - done)));
  }
}

void FakeMode::advance(std::uint64_t steps) {
  for (std::uint64_t s = 0; s < steps; ++s) {
    takeTime();
    if (p_.failAt > 0 && step_ + 1 >= static_cast<std::uint64_t>(p_.failAt))
      throw RunError("the walkers are exhausted");
    if (preparing_ > 0) {
      --preparing_;
      for (double& v : x_) v = wrapped(v + 0.01);
      continue;
    }
    movePhase();
    movePhase();
  }
}

// The second phase is the one that takes time.
void FakeMode::advancePhase() {
  if (phase_ == 1) takeTime();
  movePhase();
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
  f->step = step_;
  f->phase = phase_ == 0 ? -1 : 0;
  std::vector<PointInstance> points;
  for (std::size_t i = 0; i < x_.size(); ++i)
    points.push_back({static_cast<float>(x_[i]), static_cast<float>(y_[i]), 0,
                      static_cast<float>(p_.diameter), 0, 0});
  for (const std::string& key : view.layers)
    if (key == "impossible") throw RunError("no memory for this layer");
  for (const std::string& key : view.layers)
    if (key == "walkers") f->layers.push_back(layerOf(key, Primitive::points, points, {}));
  f->picked.id = view.picked;
  return f;
}

std::vector<SelfCheck> FakeMode::selfChecks() {
  const bool lost = p_.loseAt > 0 && step_ >= static_cast<std::uint64_t>(p_.loseAt);
  return {{"walkers", !lost, lost ? "one is lost" : "all there", lost && p_.broken}};
}

Configuration FakeMode::configuration() const {
  Configuration c;
  c.diameter = p_.diameter;
  for (std::size_t i = 0; i < x_.size(); ++i) {
    c.positions.insert(c.positions.end(), {x_[i], y_[i], 0.0});
    c.ids.push_back(static_cast<std::uint32_t>(i));
  }
  return c;
}

void FakeMode::save(std::ostream& out) const {
  put(out, static_cast<std::uint64_t>(x_.size()));
  put(out, step_);
  put(out, samples_);
  put(out, phase_);
  put(out, preparing_);
  for (std::size_t i = 0; i < x_.size(); ++i) put(out, x_[i]), put(out, y_[i]);
}

void FakeMode::load(std::istream& in) {
  reportWork("reading walkers", 0);
  std::uint64_t n = 0;
  get(in, n);
  get(in, step_);
  get(in, samples_);
  get(in, phase_);
  get(in, preparing_);
  x_.resize(n);
  y_.resize(n);
  for (std::size_t i = 0; i < n; ++i) get(in, x_[i]), get(in, y_[i]);
}

std::unique_ptr<Mode> fakeModes(const std::string& key, const ExecConfig&) {
  if (key != "fake") throw InputError("unknown mode '" + key + "'; known: fake");
  return std::make_unique<FakeMode>();
}

Scenario fakeScenario() {
  Scenario s;
  s.name = s.title = "fake";
  s.mode = "fake";
  s.sampleEvery = 5;
  return s;
}

std::uint64_t hashOf(const Configuration& c) {
  const auto* p = reinterpret_cast<const char*>(c.positions.data());
  return io::crc64({p, c.positions.size() * sizeof(double)});
}

}  // namespace cellscope::test
