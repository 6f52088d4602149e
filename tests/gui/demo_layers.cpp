#include <cmath>

#include "sim/layers/layers.h"
#include "tests/gui/demo_mode.h"

namespace cellscope::test {
namespace {

constexpr float kPi = 3.14159265f;

float wrapAngle(float a) { return std::remainder(a, 2 * kPi); }

}  // namespace

LayerData DemoMode::particleLayer(const ViewRequest& view) const {
  const std::string colouring = view.colouring.empty() ? "phase" : view.colouring;
  std::vector<PointInstance> points(x_.size());
  for (std::size_t i = 0; i < x_.size(); ++i) {
    const auto x = static_cast<float>(x_[i]), y = static_cast<float>(y_[i]);
    const auto length = static_cast<float>(length_);
    float value = wrapAngle(2 * kPi * (x + 0.5f * y) / length);
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
