// The smallest axis-aligned box around points.
#pragma once
#include <cstddef>
#include <limits>

#include "sim/base/host_device.h"
#include "sim/base/vec.h"
#include "sim/exec/device_value.h"

namespace cellscope::exec {

struct Bounds {
  Vec3 low, high;
};

// Of no point: low > high.
HOST_DEVICE Bounds emptyBounds() {
  constexpr float far = std::numeric_limits<float>::infinity();
  return {{far, far, far}, {-far, -far, -far}};
}

struct JoinBounds {
  HOST_DEVICE Bounds operator()(const Bounds& a, const Bounds& b) const {
    const auto least = [](float p, float q) { return q < p ? q : p; };
    const auto most = [](float p, float q) { return q > p ? q : p; };
    return {{least(a.low.x, b.low.x), least(a.low.y, b.low.y), least(a.low.z, b.low.z)},
            {most(a.high.x, b.high.x), most(a.high.y, b.high.y), most(a.high.z, b.high.z)}};
  }
};

template <class Point>
struct BoundsOfPoint {
  Point point;
  HOST_DEVICE Bounds operator()(std::size_t i) const {
    const Vec3 r = point(i);
    return {r, r};
  }
};

// Box around point(i) (a Vec3), i in [0, n).
template <class Exec, class Point>
void boundingBox(Exec& exec, const char* name, std::size_t n, const Point& point,
                 DeviceValue<Bounds>& out) {
  exec.reduce(name, n, emptyBounds(), BoundsOfPoint<Point>{point}, JoinBounds{}, out);
}

}  // namespace cellscope::exec
