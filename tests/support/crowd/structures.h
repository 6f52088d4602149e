// What the layers of a crowd draw, and the kernels that fill them.
#pragma once
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "sim/layers/cell_boxes.h"
#include "sim/layers/layer.h"
#include "sim/layers/list.h"
#include "tests/support/crowd/colourings.h"
#include "tests/support/crowd/walkers.h"

namespace cellscope::test {

// Walkers where the engine has them.
struct WalkersView {
  const Walker* walkers = nullptr;
  std::size_t count = 0;
  std::uint64_t step = 0;
};

// Generations: walkers of age 0 to 9, 10 to 19, ... steps.
inline constexpr std::int32_t kGenerations = 8;
HOST_DEVICE std::int32_t generationOf(const Walker& w, std::uint64_t step) {
  const std::uint64_t tens = (step - w.born) / 10;
  return tens < kGenerations - 1 ? static_cast<std::int32_t>(tens) : kGenerations - 1;
}

HOST_DEVICE PointInstance pointOf(const Walker& w, std::uint64_t step) {
  PointInstance p;
  p.x = static_cast<float>(w.r.x);
  p.y = static_cast<float>(w.r.y);
  p.z = static_cast<float>(w.r.z);
  p.diameter = static_cast<float>(diameterOf(w.type));
  p.value = 0.0f;
  p.level = static_cast<std::int16_t>(generationOf(w, step));
  p.type = static_cast<std::uint16_t>(w.type);
  return p;
}

// All walkers; level: generation, type: species.
struct PackWalkers {
  using Instance = PointInstance;
  static constexpr const char* kName = "pack walkers";
  static constexpr int kGrain = 4096;

  WalkersView from;
  std::int32_t colouring;  // index in CrowdColourings
  PointInstance* out = nullptr;

  std::size_t items() const { return from.count; }
  std::size_t capacity() const { return from.count; }
  HOST_DEVICE void operator()(std::size_t i) const {
    const Walker& w = from.walkers[i];
    PointInstance p = pointOf(w, from.step);
    p.value = CrowdColourings::value(colouring, WalkerSeen{w, from.step});
    out[i] = p;
  }
};

// Those that came in the last ten steps; the others are left out.
struct PackNewborn {
  using Instance = PointInstance;
  static constexpr const char* kName = "pack newborn";
  static constexpr int kGrain = 4096;

  WalkersView from;
  PointInstance* out = nullptr;

  std::size_t items() const { return from.count; }
  std::size_t capacity() const { return from.count; }
  bool leavesOut() const { return true; }
  HOST_DEVICE bool shows(std::size_t i) const {
    return generationOf(from.walkers[i], from.step) == 0;
  }
  HOST_DEVICE PointInstance instance(std::size_t i) const {
    return pointOf(from.walkers[i], from.step);
  }
};

// The age of each large walker, as text at its centre; small ones are left out.
struct PackAges {
  using Instance = LabelInstance;
  static constexpr const char* kName = "pack ages";
  static constexpr int kGrain = 4096;

  WalkersView from;
  LabelInstance* out = nullptr;

  std::size_t items() const { return from.count; }
  std::size_t capacity() const { return from.count; }
  bool leavesOut() const { return true; }
  HOST_DEVICE bool shows(std::size_t i) const { return from.walkers[i].type == 1; }
  HOST_DEVICE LabelInstance instance(std::size_t i) const {
    const Walker& w = from.walkers[i];
    const PointInstance p = pointOf(w, from.step);
    LabelInstance label{};
    label.at[0] = p.x, label.at[1] = p.y, label.at[2] = p.z;
    label.level = p.level;
    label.type = p.type;
    char digits[20];
    int n = 0;
    std::uint64_t age = from.step - w.born;
    do digits[n++] = static_cast<char>('0' + age % 10);
    while ((age /= 10) > 0);
    for (int k = 0; k < n; ++k) label.text[k] = digits[n - 1 - k];
    return label;
  }
};

using CrowdKernels = layers::KernelList<layers::PackCellBoxes, layers::PackCellBytes, PackWalkers,
                                        PackNewborn, PackAges>;

// A part of the way of the watched walker, as the kernel recorded it.
struct TrailPart {
  Vec3d from, to;
  std::uint64_t step;
};

// Lent to the layers of a crowd.
struct CrowdStructures {
  WalkersView walkers;
  layers::ChosenColouring colouring;
  bool watching = false;
  std::vector<TrailPart> trail;
};

}  // namespace cellscope::test
