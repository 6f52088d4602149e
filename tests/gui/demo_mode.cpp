#include "tests/gui/demo_mode.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <thread>

#include "sim/layers/layers.h"

namespace cellscope::test {
namespace {

constexpr float kPi = 3.14159265f;
constexpr double kPressure = 13.1;  // per packing; like every number shown here, made up

ModeDescription makeDescription() {
  ModeDescription d;
  d.key = "demo";
  d.label = "Rattling disks";
  d.dimensions = {2};
  d.stepName = "sweep";
  d.workUnit = "moves";
  d.layers = {{"particles", "Disks", "Every disk at its true size.", Primitive::points, true},
              {"cells", "Sets", "The four checkerboard sets.", Primitive::boxes, false},
              {"active", "Active set", "The set that moves now.", Primitive::boxes, false}};
  d.colourings = {{"phase", "Orientation", "Phase of ψ₆."},
                  {"order", "Order", "|ψ₆|."},
                  {"plain", "Plain", "One colour."}};
  d.observables = {{"pressure", "Pressure", "P*", "", "made up", "pressure"},
                   {"pressure_sdf", "Pressure (scaled)", "P*", "", "made up", "pressure"},
                   {"psi6", "Global order", "|ψ₆|", "", "made up", "psi6"},
                   {"acceptance", "Acceptance", "A", "%", "made up", "acceptance"}};
  d.curves = {"g_contact"};
  d.parameters = &ParameterSet::defaults<DemoParameters>;
  return d;
}

}  // namespace

const ModeDescription& DemoMode::describe() {
  static const ModeDescription description = makeDescription();
  return description;
}

DemoMode::DemoMode(double slowResets, bool silent)
    : ModeBase(describe(), {}), slowResets_(slowResets), silent_(silent) {
  ready();
}

double DemoMode::unitNoise() {
  random_ = random_ * 6364136223846793005ull + 1442695040888963407ull;
  return static_cast<double>(random_ >> 11) / 9007199254740992.0;
}

void DemoMode::layOut() {
  const auto n = static_cast<std::size_t>(active().particles);
  length_ = std::sqrt(3.14159265358979 * static_cast<double>(n) / (4 * active().packing));
  const auto side = static_cast<std::size_t>(std::ceil(std::sqrt(static_cast<double>(n))));
  siteX_.resize(n);
  siteY_.resize(n);
  for (std::size_t i = 0; i < n; ++i) {
    siteX_[i] = (static_cast<double>(i % side) + 0.5) * length_ / static_cast<double>(side);
    siteY_[i] = (static_cast<double>(i / side) + 0.5) * length_ / static_cast<double>(side);
  }
}

void DemoMode::start(const DemoParameters& p) {
  for (double ms = 0; started_ && ms < slowResets_; ms += 5) {
    if (!silent_ || ms == 0) reportWork("placing disks", ms / slowResets_);
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
  begin(p);
  started_ = true;
  random_ = static_cast<std::uint64_t>(p.seed) * 2654435769ull + 1;
  work_ = 0;
  layOut();
  x_ = siteX_;
  y_ = siteY_;
}

void DemoMode::parametersChanged(const DemoParameters&, std::uint32_t) {
  layOut();
  x_ = siteX_;
  y_ = siteY_;
}

void DemoMode::runPhase(int phase, bool) {
  if (active().delay > 0) {
    std::this_thread::sleep_for(std::chrono::duration<double, std::milli>(
        active().delay / static_cast<double>(info().phases.size())));
  }
  if (phase != 1) return;
  for (std::size_t i = 0; i < x_.size(); ++i) {
    x_[i] = siteX_[i] + active().amplitude * (2 * unitNoise() - 1);
    y_[i] = siteY_[i] + active().amplitude * (2 * unitNoise() - 1);
  }
  work_ += static_cast<double>(x_.size());
}

std::vector<double> DemoMode::sample() {
  const double settle = std::exp(-static_cast<double>(step()) / 4000.0);
  const double base = kPressure * active().packing;
  return {base * (1 - 0.1 * settle) + 0.2 * (unitNoise() - 0.5),
          base * (1 - 0.08 * settle) + 0.3 * (unitNoise() - 0.5),
          0.6 * (1 - settle) + 0.05 * unitNoise(), 50 + unitNoise()};
}

namespace {

Curve contactCurve() {
  Curve g{"g_contact", "g(r) near contact", {"r  (σ)"}, {"g(r)"}, "made up"};
  CurveSeries data{"measured", "", {}, {}, {}, SeriesKind::points},
      fit{"fit of degree 5", "", {}, {}};
  for (int i = 0; i < 40; ++i) {
    const double r = 1 + 0.0005 * i, y = 8.1 * std::exp(-9 * (r - 1));
    data.x.push_back(r);
    data.y.push_back(y * (1 + 0.01 * std::sin(17.0 * i)));
    data.error.push_back(0.06);
    fit.x.push_back(r);
    fit.y.push_back(y);
  }
  g.series = {data, fit};
  return g;
}

}  // namespace

std::vector<Curve> DemoMode::curves() const { return {contactCurve()}; }

std::vector<ReferenceValue> DemoMode::references() const {
  return {{"pressure", kPressure * active().packing, 0.0005, "made up for this test"}};
}

std::vector<SelfCheck> DemoMode::selfChecks() {
  return {{"disks", true, std::to_string(x_.size()) + " of " + std::to_string(x_.size())},
          {"overlaps", active().amplitude < 0.4, active().amplitude < 0.4 ? "0" : "moves too long"},
          {"cell width", true, "w = 1.33 σ in [1, 1.414)"}};
}

Configuration DemoMode::configuration() const {
  Configuration c;
  c.box = {2, {length_, length_, 1}};
  for (std::size_t i = 0; i < x_.size(); ++i) {
    c.positions.insert(c.positions.end(), {x_[i], y_[i], 0.0});
    c.ids.push_back(static_cast<ParticleId>(i));
  }
  return c;
}

LayerData DemoMode::particleLayer(const ViewRequest& view) const {
  const std::string colouring = view.colouring.empty() ? "phase" : view.colouring;
  std::vector<PointInstance> points(x_.size());
  for (std::size_t i = 0; i < x_.size(); ++i) {
    const auto x = static_cast<float>(x_[i]), y = static_cast<float>(y_[i]);
    const auto length = static_cast<float>(length_);
    float value = std::remainder(2 * kPi * (x + 0.5f * y) / length, 2 * kPi);
    if (colouring == "order") value = 0.5f + 0.5f * std::sin(6 * kPi * x / length);
    points[i] = {x, y, 0, 1, value, 1};
  }
  ColourScale scale;
  if (colouring == "phase") scale = {ColourKind::hueWheel, "phase of ψ₆", "", -kPi, kPi};
  if (colouring == "order") scale = {ColourKind::sequential, "|ψ₆|", "", 0, 1};
  return layerOf("particles", points, scale);
}

LayerData DemoMode::cellLayer(bool active) const {
  const int m = 2 * std::max(1, static_cast<int>(length_ / 2.6));
  const float w = static_cast<float>(length_) / static_cast<float>(m);
  std::vector<BoxInstance> boxes;
  for (int j = 0; j < m; ++j) {
    for (int i = 0; i < m; ++i) {
      const int set = (i & 1) + 2 * (j & 1);
      const bool on = !active || nextPhase() - 2 == set;
      const float x = w * static_cast<float>(i), y = w * static_cast<float>(j);
      boxes.push_back({{x, y, 0},
                       {x + w, y + w, 0},
                       static_cast<float>(set),
                       static_cast<std::int16_t>(on ? 1 : -1)});
    }
  }
  const std::vector<Mark> marks = {Mark::setA, Mark::setB, Mark::setC, Mark::setD};
  const std::vector<std::string> names = {"set a", "set b", "set c", "set d"};
  const ColourScale sets{ColourKind::categorical, "checkerboard set", "", 0, 3, names, marks};
  return layerOf(active ? "active" : "cells", boxes, sets);
}

std::shared_ptr<const Frame> DemoMode::frame(const ViewRequest& view) {
  auto frame = std::make_shared<Frame>();
  frame->step = step();
  frame->phase = nextPhase() - 1;
  frame->box = {2, {length_, length_, 1}};
  for (const std::string& key : view.layers) {
    if (key == "particles") frame->layers.insert(frame->layers.begin(), particleLayer(view));
    if (key == "cells" || key == "active") frame->layers.push_back(cellLayer(key == "active"));
  }
  frame->checks = selfChecks();
  if (view.picked >= 0 && view.picked < static_cast<std::int64_t>(x_.size())) {
    const auto i = static_cast<std::size_t>(view.picked);
    frame->picked.id = view.picked;
    frame->picked.position[0] = static_cast<float>(x_[i]);
    frame->picked.position[1] = static_cast<float>(y_[i]);
    frame->picked.rows = {{"Position", std::to_string(x_[i]) + ", " + std::to_string(y_[i])},
                          {"Cell", "17, 4"},
                          {"Set", "b"},
                          {"|ψ₆|", "0.83"},
                          {"Last trial move", "rejected: overlap with 812"}};
  }
  return frame;
}

std::int64_t DemoMode::pick(const PickQuery& query) {
  std::int64_t best = -1;
  double least = 0.25;
  for (std::size_t i = 0; i < x_.size(); ++i) {
    const double dx = x_[i] - query.origin[0], dy = y_[i] - query.origin[1];
    if (dx * dx + dy * dy < least) {
      least = dx * dx + dy * dy;
      best = static_cast<std::int64_t>(i);
    }
  }
  return best;
}

}  // namespace cellscope::test
