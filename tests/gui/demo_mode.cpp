#include "tests/gui/demo_mode.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <thread>

namespace cellscope::test {
namespace {

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

}  // namespace cellscope::test
