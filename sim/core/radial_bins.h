// Histogram of pair distances with bins [r_i, r_{i+1}), r_i = first + i width (sigma = 1).
//
// Which bin a pair falls into is decided without rounding: coordinates are integers times
// q = 2^-22 (sim/core/checkerboard.h), so a squared distance is an integer times q^2, and the bin
// edges are rounded up to such integers once. A float estimate of the bin, off by at most one, is
// corrected against the edges. Both backends therefore count alike, and no double is needed.
#pragma once
#include <vector>

#include "sim/core/checkerboard.h"

namespace cellscope {

inline constexpr int kMaxRadialBins = 1024;

struct RadialBins {
  double first = 1.0;        // r_0; at least 0
  double width = 1e-4;       // at least 1e-5
  std::int32_t count = 200;  // at most kMaxRadialBins

  double edge(int i) const { return first + i * width; }
  double last() const { return edge(count); }
  friend bool operator==(const RadialBins&, const RadialBins&) = default;
};

// Bins of the pressure estimate of S3, section 4: width 1e-4 over (1, 1.02].
inline RadialBins contactBins() { return {1.0, 1e-4, 200}; }
// Bins for a plot of g(r) out to rMax: width 0.01.
inline RadialBins plotBins(double rMax = 4.0) {
  return {0.0, 0.01, static_cast<std::int32_t>(std::floor(rMax / 0.01 + 0.5))};
}

// Squared edges in units of q^2, count + 1 entries: r >= r_i exactly when d2 >= edge[i].
inline std::vector<std::int64_t> squaredEdges(const RadialBins& bins) {
  std::vector<std::int64_t> edges(static_cast<std::size_t>(bins.count) + 1);
  for (int i = 0; i <= bins.count; ++i) {
    const long double r = (static_cast<long double>(bins.first) +
                           static_cast<long double>(i) * static_cast<long double>(bins.width)) *
                          static_cast<long double>(kQuantaPerLength);
    edges[static_cast<std::size_t>(i)] = static_cast<std::int64_t>(std::ceil(r * r));
  }
  return edges;
}

// Coordinate or difference as an exact integer number of quanta.
HOST_DEVICE std::int32_t quanta(float x) {
  return static_cast<std::int32_t>(x * static_cast<float>(kQuantaPerLength));
}

HOST_DEVICE std::int64_t squaredQuanta(std::int32_t dx, std::int32_t dy) {
  return static_cast<std::int64_t>(dx) * dx + static_cast<std::int64_t>(dy) * dy;
}

// Squared edges of bins of the compression x = 1 - 1/r at which a pair at distance r touches:
// r_i = 1 / (1 - i width).
inline std::vector<std::int64_t> squaredScaleEdges(double width, int count) {
  std::vector<std::int64_t> edges(static_cast<std::size_t>(count) + 1);
  for (int i = 0; i <= count; ++i) {
    const long double r = static_cast<long double>(kQuantaPerLength) /
                          (1.0L - static_cast<long double>(i) * static_cast<long double>(width));
    edges[static_cast<std::size_t>(i)] = static_cast<std::int64_t>(std::ceil(r * r));
  }
  return edges;
}

HOST_DEVICE float distanceOfQuanta(std::int64_t d2) {
  return sqrtf(static_cast<float>(d2)) * kCoordinateQuantum;
}

// The bin b with edge[b] <= d2 < edge[b + 1], for a guess that is off by at most one.
HOST_DEVICE int exactBin(std::int64_t d2, const std::int64_t* edge, int count, int guess) {
  const int b = guess < 0 ? 0 : (guess >= count ? count - 1 : guess);
  if (d2 < edge[b]) return b - 1;
  return d2 >= edge[b + 1] ? b + 1 : b;
}

// What a kernel needs to find the bin of a squared distance d2 (in q^2). edge: count + 1 squared
// edges. -1 outside the histogram.
struct RadialBinning {
  float first, inverseWidth;
  std::int32_t count;

  HOST_DEVICE int bin(std::int64_t d2, const std::int64_t* edge) const {
    if (d2 < edge[0] || d2 >= edge[count]) return -1;
    const float guess = (distanceOfQuanta(d2) - first) * inverseWidth;
    return exactBin(d2, edge, count, static_cast<int>(guess));
  }
};

// The same for bins of the compression.
struct ScaleBinning {
  float inverseWidth;
  std::int32_t count;

  HOST_DEVICE int bin(std::int64_t d2, const std::int64_t* edge) const {
    if (d2 < edge[0] || d2 >= edge[count]) return -1;
    const float guess = (1.0f - 1.0f / distanceOfQuanta(d2)) * inverseWidth;
    return exactBin(d2, edge, count, static_cast<int>(guess));
  }
};

}  // namespace cellscope
